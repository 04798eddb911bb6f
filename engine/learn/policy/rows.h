/* rows.h: rows of a graph on a cluster, with all data that building a plan row by row needs.
 *
 * A row is any set of nodes that are placed together: cells (engine/graph/cells.h), groups of
 * units, units. All data follow from times, sizes and edges, not from names or from numbers of
 * nodes or devices.
 *
 * Made once, then only read; any thread may read it.
 */
#pragma once

#include "engine/placers/units.h"

/* Features of a row that do not depend on decisions; engine/learn/policy/plan-builder.h adds
 * those that do. */
typedef enum
{
  GOBAN_ROW_TIME,     /* log of its time over the mean row's */
  GOBAN_ROW_TRANSFER, /* log of the transfer time of its outputs over its time */
  GOBAN_ROW_SLACK,    /* share of the critical path */
  GOBAN_ROW_TOP,      /* longest path before its first op, likewise */
  GOBAN_ROW_BOTTOM,   /* longest path from its first op to the end */
  GOBAN_ROW_FORWARD,  /* shares of its time by phase */
  GOBAN_ROW_BACKWARD,
  GOBAN_ROW_UPDATE,
  GOBAN_ROW_N_DEVICES, /* log2; from here on the same for all rows */
  GOBAN_ROW_CROWDING,  /* log of all transfer time between rows over all work */
  GOBAN_ROW_WIDTH,     /* log of all work over the critical path */
  GOBAN_ROW_PRESSURE,  /* needed memory over available memory */
  GOBAN_ROW_MEMORY,    /* log of its share of the memory; differs between rows */
  GOBAN_ROW_N_STATIC
} GobanRowFact;

/* Number of random-walk lengths on the graph of rows; walks measure which rows belong together. */
#define GOBAN_ROWS_N_WALKS 4 /* of 1, 2, 8 and 32 steps */

typedef struct
{
  guint32 tensor;
  GobanNodeId producer;
} GobanRowInput;

typedef struct
{
  const GobanUnits *units; /* borrowed */
  GPtrArray *arrays;       /* all below */
  guint n_nodes;
  guint n_tensors;
  guint n_rows;    /* R */
  guint n_devices; /* D */
  guint32 *row_of; /* (n_nodes) */
  guint8 *allowed; /* (R, D) 1 if all of the row can run there; if no device can, 1 everywhere */

  GobanNodeId *order; /* (n_nodes) by upward rank, which is topological */
  double *ranks_us;   /* (n_nodes) these ranks */
  double *times_us;   /* (n_nodes, D) INFINITY if it cannot run */

  /* Distinct tensors that a node reads, and that a row reads from other rows. */
  guint32 *node_offsets; /* (n_nodes + 1) */
  GobanRowInput *node_inputs;
  guint32 *row_offsets; /* (R + 1) */
  GobanRowInput *row_inputs;

  /* (n_nodes) variables, constants and nodes that only rename them; they need no decision */
  guint8 *is_idle;
  guint8 *follows; /* (R) 1 if only updates take time; such a row goes where it is first read */

  double *row_times_us;   /* (R, D) time of the nodes that can run there */
  double *row_work_us;    /* (R) mean over devices */
  double *row_bytes;      /* (R) share of the peak memory of one device that runs everything */
  double *capacity_bytes; /* (D) */
  double total_us;        /* of row_work_us */
  double ideal_us;        /* total_us / D */
  double mean_row_us;     /* total_us / R */
  double scale_us;        /* the longer of the critical path and ideal_us */
  double total_bytes;

  float *facts; /* (R, GOBAN_ROW_N_STATIC) */
  /* (R, R): [r][q] is the probability that a walk from q ends in r */
  float *walks[GOBAN_ROWS_N_WALKS];
} GobanRows;

/**
 * goban_rows_new:
 * @units: must outlive it
 * @row_of: (array n_nodes): below @n_rows; colocation groups stay whole
 * @shares: (array n_nodes) (nullable): of its own time that each node is expected to take, because
 *   it will be fused with others
 *
 * O(N + E) for the graph and O(R^3) for the walks.
 */
GobanRows *goban_rows_new (const GobanUnits *units, const guint32 *row_of, guint n_rows,
                           const double *shares) G_GNUC_WARN_UNUSED_RESULT;

/* Makes about @n_wanted rows or fewer: connected groups of units with similar work
 * (engine/placers/search/unit-groups.h). */
GobanRows *goban_rows_new_connected (const GobanUnits *units, guint n_wanted,
                                     const double *shares) G_GNUC_WARN_UNUSED_RESULT;

/* A row for each unit, for schedules alone (engine/learn/policy/row-schedule.h): without facts and
 * walks, which a plan builder reads. O(N + E). */
GobanRows *goban_rows_new_of_units (const GobanUnits *units,
                                    const double *shares) G_GNUC_WARN_UNUSED_RESULT;
void goban_rows_free (GobanRows *self);

/* Places nodes on the devices (R) of their rows, or units that cannot run there on their fastest
 * device. Order and priorities of the plan are unchanged. */
void goban_rows_place (const GobanRows *self, const guint32 *devices, GobanPlan *plan);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRows, goban_rows_free)
