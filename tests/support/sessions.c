#include "tests/support/sessions.h"

#include "engine/machine/cluster/given-times.h"
#include "engine/session/session-edit.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-log.h"
#include "engine/session/session-runs.h"
#include "engine/sim/trace-recorded.h"
#include "engine/study/run/graph-source.h"
#include "engine/study/run/run-list.h"
#include "engine/study/run/run-origin.h"
#include "tests/support/shared-data.h"

void
session_open_toy (GobanSession *session)
{
  g_autofree char *path = project_path ("samples/toy.dot");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_graph_source_load (path, NULL, &error);

  g_assert_no_error (error);
  goban_session_set_graph (session, graph, path);
}

void
session_add_policy (GobanSession *session, const char *policy, guint64 seed)
{
  const GobanRunOptions options = { .seed = seed, .max_evaluations = 20 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanRun) run
      = goban_run_new_from_policy (goban_session_get_costs (session), policy, &options, &error);

  g_assert_no_error (error);
  goban_session_add_run (session, run);
}

void
session_add_plan (GobanSession *session, GobanPlan *plan)
{
  g_autoptr (GobanRun) run = goban_run_new (goban_session_get_costs (session), plan, "mine");

  goban_session_add_run (session, run);
}

GobanEdit *
session_new_edit (GobanSession *session, GobanEditKind kind, const GobanNodeId *ids, guint n)
{
  g_autoptr (GobanSelection) nodes = goban_selection_new (ids, n);

  return goban_edit_new (session, kind, nodes);
}

static void
edited_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

gboolean
session_edit (GobanSession *session, const GobanEdit *edit, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  goban_session_edit_async (session, edit, NULL, edited_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return goban_session_edit_finish (result, NULL, error);
}

gboolean
session_add_edit (GobanSession *session, const GobanEdit *edit, GobanRun *run, GError **error)
{
  g_autoptr (GobanEdit) known = goban_edit_copy (edit);

  goban_run_set (&known->run, run);
  return session_edit (session, known, error);
}

void
session_set_cluster (GobanSession *session, GobanCluster *cluster)
{
  const GobanEdit edit = { .kind = GOBAN_EDIT_CLUSTER, .cluster = cluster };
  g_autoptr (GError) error = NULL;

  if (!session_edit (session, &edit, &error))
    goban_session_say (session, TRUE, "%s", error->message);
}

gboolean
session_what_if (GobanSession *session, const GobanWhatIf *change, GError **error)
{
  const GobanEdit edit = { .kind = change->is_link ? GOBAN_EDIT_LINK : GOBAN_EDIT_DEVICE,
                           .device = change->is_link ? 0 : change->from,
                           .from = change->from,
                           .to = change->to,
                           .what = change->what,
                           .value = change->value,
                           .is_alike = change->is_alike };

  return session_edit (session, &edit, error);
}

gboolean
session_set_device (GobanSession *session, GobanDeviceId device, const char *what, double value,
                    GError **error)
{
  const GobanWhatIf change = { .from = device, .what = what, .value = value };

  return session_what_if (session, &change, error);
}

void
session_wait_for_jobs (GobanSession *session)
{
  while (goban_session_get_job (session) != NULL)
    g_main_context_iteration (NULL, TRUE);
}

GPtrArray *
session_make_measured (GobanGraph *graph, GobanCostModel **costs)
{
  const double times_us[] = { 20, 200, 200, 20 };
  const double start_us[] = { 0, 20, 30, 250 }, finish_us[] = { 20, 220, 240, 270 };
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("equal:2", NULL);
  g_autoptr (GobanGivenTimes) times
      = goban_given_times_new (goban_cluster_get_device (cluster, 0)->kind, times_us, 4);
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 2);
  g_autoptr (GobanTrace) trace = NULL;
  GPtrArray *runs = goban_run_array_new ();

  goban_plan_set_device (plan, 2, 1);
  *costs = goban_cost_model_new_given (graph, cluster, GOBAN_EXECUTION_EVENTS, times);
  trace = goban_trace_new_recorded (*costs, plan, start_us, finish_us, NULL);
  g_ptr_array_add (runs, goban_run_new (*costs, plan, "mine"));
  g_ptr_array_add (runs, goban_run_new_recorded (trace, "mine, measured"));
  return runs;
}
