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

#include "engine/session/compare-set.h"
#include "engine/session/comparison.h"
#include "engine/session/job.h"
#include "engine/session/selection.h"
#include "engine/session/view.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_SESSION (goban_session_get_type ())
G_DECLARE_FINAL_TYPE (GobanSession, goban_session, GOBAN, SESSION, GObject)

/* A session of no graph on the cluster p100x4. */
GobanSession *goban_session_new (void) G_GNUC_WARN_UNUSED_RESULT;

/* %TRUE where @text is the spec of a generated graph ("gnmt:layers=2") and no file has its name. */
gboolean goban_session_is_spec (const char *text);

/* Loading, in any thread; the session is not touched. (transfer full) (nullable) */
typedef struct
{
  const char *format; /* (nullable): found by content */
  double time_unit_us;
  gint64 batch;
  gboolean with_backward;  /* PipeDream: the file's own backward times */
  gboolean training;       /* turn an inference graph into a training graph */
  gboolean keep_constants; /* ONNX */
  gboolean only_regular;   /* a file names the path: it must be that of a regular file */
  const GobanProgress *progress;
} GobanLoadOptions;

/* @path: a file, "-" for standard input, or a spec. */
GobanGraph *goban_session_load_graph (const char *path, const GobanLoadOptions *options,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* @format (nullable): the one of the path's ending. */
gboolean goban_session_save_graph (GobanGraph *graph, const char *path, const char *format,
                                   GError **error);

/* To be asked before long work: FALSE with %GOBAN_ERROR_UNSUPPORTED set, which lists the formats.
 * @format (nullable): NULL is found by content, or by the path's ending. */
gboolean goban_session_check_reader (const char *format, GError **error);
gboolean goban_session_check_writer (const char *path, const char *format, GError **error);

/* (nullable): NULL before a graph is open. All getters borrow. */
GobanGraph *goban_session_get_graph (GobanSession *self);
const char *goban_session_get_path (GobanSession *self);
GobanCluster *goban_session_get_cluster (GobanSession *self);
GobanCostModel *goban_session_get_costs (GobanSession *self);
GListModel *goban_session_get_runs (GobanSession *self);
GobanRun *goban_session_get_current_run (GobanSession *self);
GobanRun *goban_session_get_ghost (GobanSession *self);
/* The current run; while the view shows a step (step.h), the run of that step, as soon as it is made. Commands are
 * about the current run all the same. */
GobanRun *goban_session_get_shown_run (GobanSession *self);
/* What the shown run was made from: the ghost, or the run of the step before it, (nullable) while that is made. */
GobanRun *goban_session_get_shown_ghost (GobanSession *self);
GobanSelection *goban_session_get_pinned (GobanSession *self);
GobanSelection *goban_session_get_selection (GobanSession *self);
GobanView *goban_session_get_view (GobanSession *self);
GobanCompareSet *goban_session_get_compare_set (GobanSession *self);
GobanJob *goban_session_get_job (GobanSession *self);

/* Opens @graph: runs and selection are forgotten. It is on the cluster that its file names; if that names none, on the
 * present one, or the one before such a graph's own. @path (nullable) is shown to people. */
void goban_session_set_graph (GobanSession *self, GobanGraph *graph, const char *path);
/* Where plans of @graph are made unless somebody says otherwise: the open graph's on the present cluster, others' on the
 * one that somebody has chosen, else on the one that their file names, else on the usual one. Borrowed until the next
 * call. */
GobanCluster *goban_session_get_cluster_for (GobanSession *self, GobanGraph *graph);
/* Where @cluster is the present one already: it is somebody's choice from now on. */
void goban_session_prefer_cluster (GobanSession *self, GobanCluster *cluster);
/* A default of the program's for graphs whose files name no cluster: nobody's choice, and not logged. */
void goban_session_set_usual_cluster (GobanSession *self, GobanCluster *cluster);
/* Every run's plan is simulated again on @cluster where it still checks, else dropped. The same cluster
 * again is no change. */
void goban_session_set_cluster (GobanSession *self, GobanCluster *cluster);
/* Adds the run to the list, unless it is there, and makes it the current one. Runs are of the
 * session's graph; a run of another graph opens that graph first. */
void goban_session_add_run (GobanSession *self, GobanRun *run);
/* Adds runs of one graph (GobanRun, borrowed), at least one, as one change, and shows one of them. @name: what people call
 * the change; (nullable): NULL for the plans a graph is opened with, which are none unless something has been done before they
 * came. Not logged. */
void goban_session_add_runs (GobanSession *self, const char *name, GPtrArray *runs,
                             GobanRun *shown);
void goban_session_remove_run (GobanSession *self, GobanRun *run);
void goban_session_set_current_run (GobanSession *self, GobanRun *run);
/* Whether the run is in the list, or has been and can be again. */
gboolean goban_session_has_seen_run (GobanSession *self, GobanRun *run);
void goban_session_set_selection (GobanSession *self, GobanSelection *selection);

/* Without an end, and by name: "move 12 nodes to gpu:1", (nullable) if there is nothing. %FALSE: nothing was there
 * to do. Which plan is shown is no change by itself, but comes back with the others. */
gboolean goban_session_undo (GobanSession *self);
gboolean goban_session_redo (GobanSession *self);
const char *goban_session_get_undo_name (GobanSession *self);
const char *goban_session_get_redo_name (GobanSession *self);

/* What people write down about the open graph: "" at first, never NULL; a session file holds it. Opening other nodes
 * begins anew. A change is logged as one line, so who writes letter by letter sets it where the writing pauses; undo
 * knows nothing of it, for texts have an undo of their own. */
const char *goban_session_get_notes (GobanSession *self);
void goban_session_set_notes (GobanSession *self, const char *notes);
/* The same while somebody is still writing: not logged before goban_session_set_notes(). */
void goban_session_draft_notes (GobanSession *self, const char *notes);

void goban_session_zoom (GobanSession *self, const char *what);
/* Changes that people make are logged where they are made; this is for those the session cannot
 * put into words itself. get_log: (element-type utf8), borrowed, oldest first. */
void goban_session_log (GobanSession *self, const char *lua);
const GPtrArray *goban_session_get_log (GobanSession *self);
void goban_session_say (GobanSession *self, gboolean is_error, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/* --- long work; one at a time: a new one cancels the old one's result -------- */

/* Loads in a worker, opens the graph, then places it with the default policies (single,
 * critical-path, heft, metis, tf-default) and shows the best. Errors go to "message". */
void goban_session_open_path (GobanSession *self, const char *path);
/* Opens a plan file made for the open graph, as a run. */
void goban_session_open_plan (GobanSession *self, const char *path);
/* Places the open graph with one policy in a worker and adds the run. */
void goban_session_place (GobanSession *self, const char *policy, guint64 seed);
/* The same with several policies, one after the other, and with a budget for those that search;
 * its progress is not asked. The best plan is shown. */
void goban_session_place_with (GobanSession *self, const char *const *policies,
                               const GobanRunOptions *options);
void goban_session_cancel_job (GobanSession *self);
/* Asks placing to end with what it has: a search with its best plan, several policies with the plans
 * that are made. Anything else, and what was asked before, is cancelled. */
void goban_session_finish_job (GobanSession *self);

G_END_DECLS
