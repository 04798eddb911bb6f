/* sessions.h: helpers for tests of sessions: open a toy graph, place it, wait for jobs. */
#pragma once

#include "engine/session/edit.h"
#include "engine/session/session.h"

G_BEGIN_DECLS

/* The sample samples/toy.dot, opened as from its file. */
void session_open_toy (GobanSession *session);
/* Places what is open, with few evaluations, and keeps the run. */
void session_add_policy (GobanSession *session, const char *policy, guint64 seed);
/* Simulates the plan and keeps its run, "mine". */
void session_add_plan (GobanSession *session, GobanPlan *plan);
/* Of these nodes. (transfer full) */
GobanEdit *session_new_edit (GobanSession *session, GobanEditKind kind, const GobanNodeId *ids,
                             guint n) G_GNUC_WARN_UNUSED_RESULT;
/* Two runs of toy_diamond() on two devices: simulated with times that were measured, and as it was
 * measured. @costs: (out) (transfer full). (transfer full) */
GPtrArray *session_make_measured (GobanGraph *graph,
                                  GobanCostModel **costs) G_GNUC_WARN_UNUSED_RESULT;
void session_wait_for_jobs (GobanSession *session);

G_END_DECLS
