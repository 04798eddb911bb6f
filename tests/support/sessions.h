/* sessions.h: helpers for tests of sessions: open a toy graph, place it, wait for jobs. */
#pragma once

#include "engine/session/edit.h"
#include "engine/session/session.h"

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
/* Makes the edit, and waits for that; %FALSE with @error set if it is refused. */
gboolean session_edit (GobanSession *session, const GobanEdit *edit, GError **error);
/* With its simulated run. */
gboolean session_add_edit (GobanSession *session, const GobanEdit *edit, GobanRun *run,
                           GError **error);
/* Edits for other clusters, and for other numbers of the present one. */
void session_set_cluster (GobanSession *session, GobanCluster *cluster);
gboolean session_what_if (GobanSession *session, const GobanWhatIf *change, GError **error);
gboolean session_set_device (GobanSession *session, GobanDeviceId device, const char *what,
                             double value, GError **error);
