/* session.h: session: the single state behind the window, the console and the headless host.
 *
 * A GObject of the main thread. Panes observe it ("notify::...", "items-changed", the signals
 * below) and never each other; Lua and the mouse change it by the same calls.
 *
 * Properties: "graph" (boxed-like pointer, changed: all runs are gone), "cluster", "current-run"
 * (GobanRun, nullable), "ghost" (GobanRun, nullable: what the current run was made from by the last
 * edit; it may be of another cluster with the same devices), "pinned" (GobanSelection), "selection"
 * (GobanSelection), "job" (GobanJob, nullable: the one that runs now), "undo-name" and "redo-name"
 * (string, nullable), "notes" (string), "shown-run" (GobanRun, nullable: what pictures are of: the
 * current run, or a step on the way to it). How all this is looked at is the session's view
 * (view.h); which plans are beside each other, its compare set (compare-set.h).
 *
 * Runs, cluster, ghost and pinned nodes are one value (state.h), which undo brings back; opening a
 * graph begins a new history. A change of that value has all of its signals told once it is
 * complete.
 *
 * Signals:
 *   "replacing" (): another graph is about to take the place of the one that is open, in whatever way; all of the
 *     session is still as it was
 *   "message" (gboolean is_error, const char *text): something people should read
 *   "zoom" (const char *what): "fit" or "selection"; asks the graph pane to go there
 *   "log" (const char *lua): a change of state as the Lua line that would make it
 */
#pragma once

#include "engine/analysis/comparison.h"
#include "engine/jobs/job.h"
#include "engine/run/selection.h"
#include "engine/session/compare-set.h"
#include "engine/session/view.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_SESSION (goban_session_get_type ())
G_DECLARE_FINAL_TYPE (GobanSession, goban_session, GOBAN, SESSION, GObject)

/* A session without a graph, on the cluster p100x4. */
GobanSession *goban_session_new (void) G_GNUC_WARN_UNUSED_RESULT;

/* (nullable): NULL before a graph is open. All getters borrow. */
GobanGraph *goban_session_get_graph (GobanSession *self);
const char *goban_session_get_path (GobanSession *self);
GobanCluster *goban_session_get_cluster (GobanSession *self);
GobanCostModel *goban_session_get_costs (GobanSession *self);
GListModel *goban_session_get_runs (GobanSession *self);
GobanRun *goban_session_get_current_run (GobanSession *self);
GobanRun *goban_session_get_ghost (GobanSession *self);
/* The current run or, while the view shows a step (step.h), the run of that step once it is made.
 * Commands always use the current run. */
GobanRun *goban_session_get_shown_run (GobanSession *self);
/* The run from which the shown run was made: the ghost, or the run of the step before it;
 * (nullable) while that is being made. */
GobanRun *goban_session_get_shown_ghost (GobanSession *self);
GobanSelection *goban_session_get_pinned (GobanSession *self);
GobanSelection *goban_session_get_selection (GobanSession *self);
GobanView *goban_session_get_view (GobanSession *self);
GobanCompareSet *goban_session_get_compare_set (GobanSession *self);
GobanJob *goban_session_get_job (GobanSession *self);

/* Opens @graph, without runs and selection. The cluster is the one that the graph's file names. If
 * it names none, the present one stays, or the one from before a graph with its own cluster. @path
 * (nullable) is displayed. */
void goban_session_set_graph (GobanSession *self, GobanGraph *graph, const char *path);
/* The default cluster for plans of @graph. For the open graph it is the present cluster. For others
 * it is the one chosen by the user, else the one that the graph's file names, else the usual one.
 * Borrowed until the next call. */
GobanCluster *goban_session_get_cluster_for (GobanSession *self, GobanGraph *graph);
/* Marks @cluster, if it is already the present one, as chosen by the user. */
void goban_session_prefer_cluster (GobanSession *self, GobanCluster *cluster);
/* Sets the default cluster for graphs whose files name none. Does not count as a choice of the
 * user, and is not logged. */
void goban_session_set_usual_cluster (GobanSession *self, GobanCluster *cluster);
/* Simulates every run's plan again on @cluster, and drops those that do not fit it. An equal
 * cluster is not a change. */
void goban_session_set_cluster (GobanSession *self, GobanCluster *cluster);
/* Adds the run to the list if it is missing, and makes it the current one. A run of another graph
 * opens that graph first. */
void goban_session_add_run (GobanSession *self, GobanRun *run);
/* Adds runs of one graph (GobanRun, borrowed), at least one, as one change, and shows @shown.
 * @name: display name of the change; (nullable): NULL for the plans with which a graph is opened,
 * which are a change only if another one came before them. Not logged. */
void goban_session_add_runs (GobanSession *self, const char *name, GPtrArray *runs,
                             GobanRun *shown);
void goban_session_remove_run (GobanSession *self, GobanRun *run);
void goban_session_set_current_run (GobanSession *self, GobanRun *run);
/* Whether the run is in the list, or in a state that undo or redo can restore. */
gboolean goban_session_has_seen_run (GobanSession *self, GobanRun *run);
void goban_session_set_selection (GobanSession *self, GobanSelection *selection);

/* Unbounded undo and redo. The names are those of the changes, "move 12 nodes to gpu:1", (nullable)
 * if there is none. %FALSE: there was nothing to do. Showing another plan is not a change by
 * itself, but is restored with the others. */
gboolean goban_session_undo (GobanSession *self);
gboolean goban_session_redo (GobanSession *self);
const char *goban_session_get_undo_name (GobanSession *self);
const char *goban_session_get_redo_name (GobanSession *self);

/* The user's notes about the open graph, saved in the session file: "" at first, never NULL. They
 * are reset when a graph with other nodes is opened. A change is logged as one line, so an editor
 * sets the notes when typing pauses. They are not undoable here, because text editors have an undo
 * of their own. */
const char *goban_session_get_notes (GobanSession *self);
void goban_session_set_notes (GobanSession *self, const char *notes);
/* The same during typing: not logged before goban_session_set_notes(). */
void goban_session_draft_notes (GobanSession *self, const char *notes);

void goban_session_zoom (GobanSession *self, const char *what);
/* Appends a line to the log, for changes that the session cannot describe itself; all others are
 * logged automatically. get_log: (element-type utf8), borrowed, oldest first. */
void goban_session_log (GobanSession *self, const char *lua);
const GPtrArray *goban_session_get_log (GobanSession *self);
void goban_session_say (GobanSession *self, gboolean is_error, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/* --- long tasks; one at a time: a new one cancels the previous one -------------- */

/* Places the open graph with one policy in a worker and adds the run. */
void goban_session_place (GobanSession *self, const char *policy, guint64 seed);
/* The same with several policies in turn, and with a budget for searches; the progress of @options
 * is ignored. The best plan is shown. */
void goban_session_place_with (GobanSession *self, const char *const *policies,
                               const GobanRunOptions *options);
void goban_session_cancel_job (GobanSession *self);
/* Ends placing early: a search returns its best plan, several policies the plans made so far. Any
 * other job, and one that was asked before, is cancelled. */
void goban_session_finish_job (GobanSession *self);

G_END_DECLS
