/* board.h: input of the policy network for a graph on a cluster: rows, neighbours, features.
 *
 * Each row gets one decision. A row is a unit (a colocation group, else an op), or a group of units
 * on a coarse board. Rows are in topological order of their first nodes. All features come from the
 * attributes of nodes, edges and devices; names and indices are not features, so a network can be
 * used on graphs, ops and clusters that it was not trained on.
 *
 * Made once, then only read; any thread may read it. Same cost model and options, same bytes.
 *
 * Decision G1 (engine/NOTES.md).
 */
#pragma once

#include "engine/learn/nn/segment.h"
#include "engine/machine/plan/task.h"
#include "engine/placers/units.h"

/* Lists of the rows that each row reads from, or that read from it.
 *
 * The owner of lists that are passed on as GobanSegments (engine/learn/nn/segment.h), which are
 * borrowed.
 */

typedef struct
{
  guint32 *offsets; /* (n_rows + 1) */
  guint32 *ids;     /* (offsets[n_rows]) */
  guint n_rows;
} GobanNeighbours;

void goban_neighbours_clear (GobanNeighbours *self);

/* Borrowed. */
GobanSegments goban_neighbours_get_segments (const GobanNeighbours *self);

/* All pairs reversed, ascending. (transfer full) */
GobanNeighbours goban_neighbours_transpose (const GobanNeighbours *self) G_GNUC_WARN_UNUSED_RESULT;

/* The neighbours in either; both are ascending. (transfer full) */
GobanNeighbours goban_neighbours_unite (const GobanNeighbours *a,
                                        const GobanNeighbours *b) G_GNUC_WARN_UNUSED_RESULT;

/* Columns of x, in this order. The first GOBAN_BOARD_N_PAPER are those of the paper: type, output
 * shape, neighbours (here their number and the row's place in the order, because ids do not
 * transfer between graphs). The others are ours. */
#define GOBAN_BOARD_N_KINDS 64 /* shares of the row's ops of each kind; the last: any other */
#define GOBAN_BOARD_N_EIGEN 8

typedef enum
{
  GOBAN_FEATURE_KIND = 0,
  GOBAN_FEATURE_DIMS
  = GOBAN_FEATURE_KIND + GOBAN_BOARD_N_KINDS, /* log of 4 dims of the largest output */
  GOBAN_FEATURE_OUT_BYTES = GOBAN_FEATURE_DIMS + 4,
  GOBAN_FEATURE_IN_DEGREE,
  GOBAN_FEATURE_OUT_DEGREE,
  GOBAN_FEATURE_POSITION, /* of the row in the order, in [-1, 1] */
  GOBAN_BOARD_N_PAPER,
  GOBAN_FEATURE_TIME = GOBAN_BOARD_N_PAPER, /* log of mean time over the mean row's */
  GOBAN_FEATURE_SHARE, /* of all work, times the number of devices, in (0, 1) */
  GOBAN_FEATURE_FLOPS,
  GOBAN_FEATURE_TRAFFIC, /* bytes read and written */
  GOBAN_FEATURE_PARAMS,
  GOBAN_FEATURE_TRANSFER, /* log of the mean transfer time of its outputs over its time */
  GOBAN_FEATURE_MEMORY,   /* its parameters and outputs, as a share of a device's memory */
  GOBAN_FEATURE_TOP,      /* t-level over the critical path, likewise */
  GOBAN_FEATURE_BOTTOM,   /* b-level */
  GOBAN_FEATURE_SLACK,
  GOBAN_FEATURE_SIZE,                            /* log of the number of ops in the row */
  GOBAN_FEATURE_PHASE,                           /* shares of forward, backward and update */
  GOBAN_FEATURE_EIGEN = GOBAN_FEATURE_PHASE + 3, /* of the graph's Laplacian */
  GOBAN_FEATURE_N_DEVICES
  = GOBAN_FEATURE_EIGEN + GOBAN_BOARD_N_EIGEN, /* log; the same in all rows */
  GOBAN_FEATURE_CROWDING, /* log of all transfer time over all work, likewise */
  GOBAN_FEATURE_PRESSURE, /* all memory over the devices' memory */
  GOBAN_BOARD_N_FEATURES
} GobanFeature;

/* Columns of a device's features. The first GOBAN_DEVICE_N_PROPERTIES are its properties. The waves
 * encode its label: rows decide independently, so without a label they could not agree on one of
 * several equal devices. The places encode its number, for the paper's head only. */
#define GOBAN_BOARD_N_PLACES 16
typedef enum
{
  GOBAN_DEVICE_SPEED = 0, /* log of the time all rows take on it over the fastest device's */
  GOBAN_DEVICE_MEMORY,    /* log of its memory over the mean device's; 0 if unlimited */
  GOBAN_DEVICE_BANDWIDTH, /* log of its mean bandwidth to the others over the mean of all pairs */
  GOBAN_DEVICE_COUNT,     /* log2 of the number of devices */
  GOBAN_DEVICE_N_PROPERTIES,
  GOBAN_DEVICE_WAVE
  = GOBAN_DEVICE_N_PROPERTIES, /* cos (pi k (l + 1/2) / D) for k = 1 .. 8, l being its label */
  GOBAN_DEVICE_PLACE = GOBAN_DEVICE_WAVE + 8, /* one of GOBAN_BOARD_N_PLACES by its number */
  GOBAN_DEVICE_N_FEATURES = GOBAN_DEVICE_PLACE + GOBAN_BOARD_N_PLACES
} GobanDeviceFeature;

/* Data that do not depend on the rows. */
typedef struct _GobanBoardFacts GobanBoardFacts;
typedef struct _GobanBoard GobanBoard;

struct _GobanBoard
{
  GobanBoard *fine;  /* (nullable): a row per unit; owns the next two, else they are owned here */
  GobanUnits *units; /* of the cost model, which must outlive the board */
  GobanBoardFacts *facts;
  guint n_rows;       /* N */
  guint n_devices;    /* D */
  guint32 *row_of;    /* (n_nodes) */
  guint32 *offsets;   /* (N + 1) into nodes */
  GobanNodeId *nodes; /* (n_nodes) those of row n, ascending */

  /* Neighbours by distinct row, ascending, none beside itself. */
  GobanSegments inputs;          /* rows that this one reads from */
  GobanSegments outputs;         /* rows that read from it */
  GobanSegments both;            /* the union */
  GobanNeighbours neighbours[3]; /* what the three are in */

  float *x;        /* (N, GOBAN_BOARD_N_FEATURES), each of about unit size */
  float *devices;  /* (D, GOBAN_DEVICE_N_FEATURES) */
  guint8 *allowed; /* (N, D) 1 if all of the row can run; at least one 1 a row */
  float *weights;  /* (N) share of all work, sums to 1 */
};

/**
 * goban_board_new:
 * @n_wanted: maximum number of rows; units are merged by heavy-edge matching; 0: a row per unit
 *
 * Rows are numbered by their first nodes. The eigenvectors of merged units are means of theirs; all
 * else is computed as for any board. O(N + E) but for the eigenvectors: 60 sparse products of 8
 * vectors.
 *
 * Returns: (transfer full) (nullable): the board, or %NULL with %GOBAN_ERROR_INFEASIBLE set, as
 *   goban_units_new() says
 */
GobanBoard *goban_board_new (GobanCostModel *costs, guint n_wanted,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_board_free (GobanBoard *self);

/* Returns for each device the first device with which it is exchangeable: equal properties, equal
 * links to all others, and the same allowed rows. (n_devices) (transfer full) */
guint32 *goban_board_dup_equal_devices (const GobanBoard *self) G_GNUC_WARN_UNUSED_RESULT;

/* Actions of a task: devices or levels. */
guint goban_board_get_n_actions (const GobanBoard *self, GobanTask task);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanBoard, goban_board_free)
