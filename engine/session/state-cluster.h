/* state-cluster.h: the plans of a state on another cluster. */
#pragma once

#include "engine/session/state.h"

G_BEGIN_DECLS

/* The run's plan simulated with other costs; of a measured run without its times and its suffix. In
 * any thread. (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set if it does not fit.
 */
GobanRun *goban_rerun (GobanRun *run, GobanCostModel *costs,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * goban_state_with_cluster:
 * @known: (nullable): a run on @cluster, already simulated, of the current run's plan
 * @n_dropped: (out): number of plans that do not fit @cluster and were left out
 *
 * The same plans, simulated on another cluster of the same origin; in any thread. One for another
 * number of devices goes on if those that it uses are there by name. The old current
 * run becomes the ghost if both clusters have the same devices. Measured runs are left out: they
 * are of their cluster alone.
 *
 * Returns: (transfer full): a draft
 */
GobanState *goban_state_with_cluster (const GobanState *self, GobanCluster *cluster,
                                      GobanRun *known, guint *n_dropped) G_GNUC_WARN_UNUSED_RESULT;

/* The same plans with @cluster as the default for graphs whose files name none. Returns: (transfer
 * full): a draft */
GobanState *goban_state_with_usual_cluster (const GobanState *self,
                                            GobanCluster *cluster) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
