#include "tests/support/sessions.h"

#include "engine/run/graph-source.h"
#include "engine/session/session-edit.h"
#include "engine/session/session-graph.h"
#include "engine/session/session-runs.h"
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

void
session_wait_for_jobs (GobanSession *session)
{
  while (goban_session_get_job (session) != NULL)
    g_main_context_iteration (NULL, TRUE);
}
