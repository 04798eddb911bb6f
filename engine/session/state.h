/* state.h: the undoable state of a session, as one immutable value.
 *
 * A state is immutable from the moment a session has it, and reference-counted: undo is going back
 * to the value before, whatever the command was. All that it points to is immutable too, so states
 * that differ in one run share all the others, and any thread may read one.
 *
 * To change something, copy, change the copy, and give that away. The functions that change take a
 * draft: a state with one reference, its maker's.
 *
 * Decisions E28 and E33 (engine/NOTES.md).
 */
#pragma once

#include "engine/session/scenes.h"
#include "engine/study/run/run.h"
#include "engine/study/run/selection.h"

typedef struct
{
  gatomicrefcount ref_count;
  GobanCluster *cluster;
  GobanCluster *origin;   /* the cluster before its numbers were changed; often itself */
  GobanCostModel *costs;  /* of the open graph on the cluster; NULL without a graph */
  GPtrArray *runs;        /* GobanRun, in the order of goban_run_compare() */
  GobanRun *current;      /* (nullable): one of runs */
  GobanRun *ghost;        /* (nullable): the run from which the last edit made current */
  GobanSelection *pinned; /* nodes that manual edits do not move */
  GobanSceneList *scenes; /* of the open graph */
  /* (nullable): cluster for graphs whose files name none, while the open graph uses its file's
   * own */
  GobanCluster *usual;
  gboolean is_chosen; /* the user has chosen the cluster, or the usual one, by name */
} GobanState;

/* No runs, nothing pinned, no scenes; @graph is (nullable). (transfer full) */
GobanState *goban_state_new (GobanCluster *cluster, GobanGraph *graph) G_GNUC_WARN_UNUSED_RESULT;
/* The cluster that the graph's file names, NULL if it names none. @known: (nullable): the last one
 * made here, returned again if it is equal, because runs are matched to the session's cluster by
 * pointer. (transfer full) (nullable) */
GobanCluster *goban_own_cluster_dup (GobanGraph *graph,
                                     GobanCluster *known) G_GNUC_WARN_UNUSED_RESULT;
/* The state after opening @graph in a session with the state @last: on the cluster that the graph's
 * file names, else on the usual one. @known: as above. @is_again: @graph is the open one, reloaded
 * after a change of its file: a cluster chosen for it stays. In any thread. (transfer full) */
GobanState *goban_state_for_graph (const GobanState *last, GobanGraph *graph, GobanCluster *known,
                                   gboolean is_again) G_GNUC_WARN_UNUSED_RESULT;
GobanState *goban_state_ref (GobanState *self);
void goban_state_unref (GobanState *self);

/* A copy that may be changed. (transfer full) */
GobanState *goban_state_copy (const GobanState *self) G_GNUC_WARN_UNUSED_RESULT;

gboolean goban_state_has_run (const GobanState *self, GobanRun *run);

/* Changes of a draft. The list stays sorted, and a run is added only once. If the current run is
 * removed, the first of the list becomes current. A change of the current run drops the ghost; of a
 * plan that was measured, the ghost of the simulated run is the measured one, and the other way
 * round. */
void goban_state_clear (GobanState *self); /* no runs, nothing pinned, no scenes */
void goban_state_add_run (GobanState *self, GobanRun *run);
void goban_state_remove_run (GobanState *self, GobanRun *run);
void goban_state_set_current (GobanState *self, GobanRun *run);
void goban_state_set_ghost (GobanState *self, GobanRun *run);
void goban_state_set_pinned (GobanState *self, GobanSelection *pinned);
void goban_state_set_scenes (GobanState *self, GobanSceneList *scenes);
void goban_state_set_origin (GobanState *self, GobanCluster *origin);
/* Marks the cluster as the user's choice, not as an edit of the one before. */
void goban_state_set_chosen (GobanState *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanState, goban_state_unref)

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
