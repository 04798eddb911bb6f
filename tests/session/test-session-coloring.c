#include "engine/session/session-runs.h"

#include "engine/session/session-graph.h"
#include "tests/sim/random-run.h"
#include "tests/support/test-program.h"

static void
test_colors (void)
{
  g_autoptr (GobanSession) session = goban_session_new ();
  GobanView *view = goban_session_get_view (session);
  const double found[] = { 3, 1 };
  g_autoptr (GobanNodeValues) script
      = goban_node_values_new_from_numbers ("found", GOBAN_FIELD_COUNT, found, 2);
  g_auto (RandomRun) random = { 0 };

  g_assert_null (goban_session_dup_color_values (session));
  random_run_init (&random, 2, 1);
  goban_session_set_graph (session, random.graph, NULL);
  goban_view_set_color (view, "slack");
  g_assert_null (goban_session_dup_color_values (session)); /* without a run */
  goban_view_set_color (view, "cost");
  {
    g_autoptr (GobanNodeValues) costs = goban_session_dup_color_values (session);

    g_assert_cmpstr (costs->name, ==, "cost");
  }
  goban_view_set_script_values (view, script);
  g_assert_cmpstr (goban_view_get_color (view), ==, "script");
  {
    g_autoptr (GobanNodeValues) shown = goban_session_dup_color_values (session);

    g_assert_true (shown == script);
  }
  /* What a script found is of one graph. */
  random_run_clear (&random);
  random_run_init (&random, 2, 2);
  goban_session_set_graph (session, random.graph, NULL);
  g_assert_cmpstr (goban_view_get_color (view), ==, "device");
  g_assert_null (goban_view_get_script_values (view));
}

TEST_PROGRAM (session_coloring)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session-coloring/colors", test_colors);
  return g_test_run ();
}
