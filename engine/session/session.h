/* session.h: session: the single state behind the window, the console and the headless host.
 *
 * A GObject of the main thread. Panes observe it ("notify::...", "items-changed", the signals
 * below) and never each other; Lua and the mouse change it by the same calls.
 *
 * Properties: "graph" (boxed-like pointer, changed: all runs are gone), "cluster", "current-run"
 * (GobanRun, nullable), "ghost" (GobanRun, nullable: what the current run was made from by the last
 * edit; it may be of another cluster with the same devices), "pinned" (GobanSelection), "scenes"
 * (GobanSceneList), "selection" (GobanSelection), "job" (GobanJob, nullable: the one that runs
 * now), "undo-name" and "redo-name" (string, nullable), "notes" (string), "shown-run" (GobanRun,
 * nullable: what pictures are of: the current run, or a step on the way to it). How all this is
 * looked at is the session's view (view.h); which plans are beside each other, its compare set
 * (compare-set.h).
 *
 * Runs, cluster, ghost and pinned nodes are one value (state.h), which undo brings back; opening a
 * graph begins a new history. A change of that value has all of its signals told once it is
 * complete.
 *
 * Signals:
 *   "replacing" (): another graph is about to take the place of the one that is open, in whatever
 *   way; all of the session is still as it was
 *   "message" (gboolean is_error, const char *text): something people should read
 *   "zoom" (const char *what): "fit" or "selection"; asks the graph pane to go there
 *   "log" (guint line): the log has another line (session-log.h)
 *   "pending-edit" (GobanRun *, GobanEditHold *): an edit is simulated and not yet part of the
 *   session (session-edit.h)
 *
 * What changes it: session-graph.h opens, session-runs.h changes the list of plans, session-edit.h
 * a plan or the cluster; session-marks.h has selection, pins and notes, session-history.h undo,
 * session-jobs.h long tasks, session-log.h the log and messages.
 */
#pragma once

#include "engine/core/jobs/job.h"
#include "engine/session/compare-set.h"
#include "engine/session/view.h"
#include "engine/study/analysis/difference/comparison.h"
#include "engine/study/run/run-list.h"
#include "engine/study/run/run.h"
#include "engine/study/run/selection.h"

#define GOBAN_TYPE_SESSION (goban_session_get_type ())
G_DECLARE_FINAL_TYPE (GobanSession, goban_session, GOBAN, SESSION, GObject)

/* A session without a graph, on the cluster p100x4. */
GobanSession *goban_session_new (void) G_GNUC_WARN_UNUSED_RESULT;

/* (nullable): NULL before a graph is open. All getters borrow. */
GobanGraph *goban_session_get_graph (GobanSession *self);
const char *goban_session_get_path (GobanSession *self);
GobanCluster *goban_session_get_cluster (GobanSession *self);
/* The cluster before its numbers were changed. */
GobanCluster *goban_session_get_origin (GobanSession *self);
GobanCostModel *goban_session_get_costs (GobanSession *self);
GListModel *goban_session_get_runs (GobanSession *self); /* GobanRunRow (run-list.h) */
GobanRun *goban_session_get_current_run (GobanSession *self);
GobanRun *goban_session_get_ghost (GobanSession *self);
/* The current run or, while the view shows a step, the run of that step once it is made.
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
