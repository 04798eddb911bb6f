/* units.h: units of placement: a colocation group, or a node without a group.
 *
 * Units are numbered by their first nodes, so a walk from unit 0 upwards meets them in topological
 * order of these. A unit takes as long as its nodes together and can run where all of them can.
 * Made once per placement, read-only after that; the cost model must outlive it.
 */
#pragma once

#include "engine/machine/plan/plan.h"

typedef struct
{
  const GobanCostModel *costs; /* borrowed */
  const GobanGraph *graph;     /* borrowed */
  const GobanCluster *cluster; /* borrowed */
  guint n_units;
  guint n_devices;
  guint n_classes;
  guint *classes;       /* (n_devices) */
  guint32 *unit_of;     /* (n_nodes) */
  guint32 *offsets;     /* (n_units + 1) into nodes */
  GobanNodeId *nodes;   /* (n_nodes) those of unit u are at offsets[u] .. offsets[u + 1] - 1 */
  double *times_us;     /* (n_units x n_classes), INFINITY if it cannot run */
  double *param_bytes;  /* (n_units) */
  double *output_bytes; /* (n_units) */
} GobanUnits;

/**
 * goban_units_new:
 *
 * Returns: (transfer full) (nullable): the units, or %NULL with %GOBAN_ERROR_INFEASIBLE set,
 *   which names a node that can run nowhere, or whose group can
 */
GobanUnits *goban_units_new (const GobanCostModel *costs, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The same of other groups, each of which must hold whole colocation groups: labels (n_nodes) are
 * below @n_labels, or GOBAN_NO_GROUP for a node that is one by itself. */
GobanUnits *goban_units_new_labelled (const GobanCostModel *costs, const guint32 *labels,
                                      guint n_labels, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_units_free (GobanUnits *self);

double goban_units_time_us (const GobanUnits *self, guint32 unit, GobanDeviceId device);
gboolean goban_units_can_run (const GobanUnits *self, guint32 unit, GobanDeviceId device);

/* weights (n_units): the mean time over the devices that can run each unit. */
void goban_units_mean_times (const GobanUnits *self, double *weights);

/* The device that runs the unit fastest, the first among equals. */
GobanDeviceId goban_units_fastest_device (const GobanUnits *self, guint32 unit);
/* @wanted, or the fastest device if the unit cannot run there. */
GobanDeviceId goban_units_find_host (const GobanUnits *self, guint32 unit, GobanDeviceId wanted);

/* A plan with each unit on devices[unit], priorities by bottom level and FIFO order. */
GobanPlan *goban_units_new_plan (const GobanUnits *self,
                                 const GobanDeviceId *devices) G_GNUC_WARN_UNUSED_RESULT;

/* bottom_us (n_nodes): HEFT's upward rank: the longest path from a node's start to the end by
 * mean times and mean transfers. */
void goban_units_upward_ranks (const GobanUnits *self, double *bottom_us);

/* top_us (n_nodes): HEFT's downward rank: the longest path from the beginning to a node's start, by
 * the same weights. */
void goban_units_downward_ranks (const GobanUnits *self, double *top_us);

/* level_us (n_nodes): the static level: the longest path from a node's start to the end by mean
 * times alone. */
void goban_units_static_levels (const GobanUnits *self, double *level_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanUnits, goban_units_free)
