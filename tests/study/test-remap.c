/* A graph that has changed: its plans go on, what has the same name stays where it was. */
#include "engine/session/document/opening.h"
#include "engine/session/edit.h"
#include "engine/session/session-marks.h"
#include "engine/session/session-runs.h"
#include "engine/session/session.h"
#include "engine/study/run/graph-source.h"
#include "engine/study/run/remap.h"

#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <glib/gstdio.h>
#include <string.h>

/* A row of ops of these letters. */
static GobanGraph *
new_row (const char *letters)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("row", "test");

  for (guint i = 0; letters[i] != '\0'; i++)
    {
      char name[] = { letters[i], '\0' };
      guint32 node = goban_graph_builder_add_node (builder, name, "Relu");

      goban_graph_builder_set_time (builder, node, GOBAN_ANY_KIND, 10, GOBAN_SOURCE_GIVEN);
      goban_graph_builder_add_tensor (builder, node, 1000);
      if (i > 0)
        goban_graph_builder_add_edge (builder, i - 1, i);
    }
  return toy_finish (builder);
}

static GobanRun *
new_run (GobanGraph *graph, const char *devices)
{
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x4");
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 4);

  for (guint v = 0; devices[v] != '\0'; v++)
    {
      goban_plan_set_device (plan, v, (GobanDeviceId) (devices[v] - '0'));
      goban_plan_set_priority (plan, v, (gint32) v * 10);
    }
  return goban_run_new (costs, plan, "mine");
}

static void
assert_devices (GobanRun *run, const char *devices)
{
  for (guint v = 0; devices[v] != '\0'; v++)
    g_assert_cmpuint (goban_plan_get_device (goban_run_get_plan (run), v), ==, devices[v] - '0');
}

static void
test_names (void)
{
  static const struct
  {
    const char *before, *devices, *after, *expected;
  } cases[] = {
    { "abcd", "0123", "abcd", "0123" },     { "abcd", "0123", "acd", "023" },
    { "abcd", "0123", "abxcd", "01123" },   /* after its producer */
    { "abcd", "0123", "xyabcd", "000123" }, /* before its readers */
    { "abcd", "0122", "wxyz", "2222" },     /* where most of the plan is */
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GobanGraph) before = new_row (cases[i].before);
      g_autoptr (GobanGraph) after = new_row (cases[i].after);
      g_autoptr (GobanRun) run = new_run (before, cases[i].devices);
      g_autoptr (GobanCostModel) costs = toy_costs (after, "p100x4");
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanRun) carried = goban_remap_run (run, costs, &error);

      g_assert_no_error (error);
      assert_devices (carried, cases[i].expected);
      g_assert_cmpstr (goban_run_get_name (carried), ==, "mine");
    }
}

/* Whatever the graphs, plans fit. */
static void
test_fits (void)
{
  for (guint64 seed = 1; seed <= 20; seed++)
    {
      g_autoptr (GobanGraph) before = toy_mixed (30, seed);
      g_autoptr (GobanGraph) after = toy_mixed (20 + (guint) seed, seed + 100);
      g_autoptr (GobanCostModel) old_costs = toy_costs (before, TOY_MIXED_CLUSTER);
      g_autoptr (GobanCostModel) costs = toy_costs (after, TOY_MIXED_CLUSTER);
      g_autoptr (GobanRun) run = goban_run_new_from_policy (old_costs, "random", NULL, NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanRun) carried = goban_remap_run (run, costs, &error);

      g_assert_no_error (error);
      g_assert_true (goban_plan_check (goban_run_get_plan (carried), costs, &error));
    }
}

static char *heard;

static void
message_cb (GobanSession *session, gboolean is_error, const char *text)
{
  g_free (heard);
  heard = g_strdup (text);
}

static void
wait_for_jobs (GobanSession *session)
{
  while (goban_session_get_job (session) != NULL)
    g_main_context_iteration (NULL, TRUE);
}

/* The file of an open graph is written anew and read again. */
static void
test_reload (void)
{
  g_autofree char *folder = g_dir_make_tmp ("goban-carry-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "row.json", NULL);
  g_autoptr (GobanSession) session = goban_session_new ();
  g_autoptr (GobanGraph) before = new_row ("abcd");
  g_autoptr (GobanGraph) after = new_row ("abxcd");
  g_autoptr (GobanSelection) one = goban_selection_new ((const GobanNodeId[]){ 3 }, 1);
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanRun) mine = NULL;
  guint n;

  g_assert_true (goban_graph_source_save (before, path, NULL, NULL));
  goban_session_open_path (session, path);
  wait_for_jobs (session);
  plan = goban_plan_new (goban_session_get_graph (session), 4);
  goban_plan_set_device (plan, 3, 2);
  mine = goban_run_new (goban_session_get_costs (session), plan, "mine");
  goban_session_add_run (session, mine);
  goban_session_pin (session, one, TRUE);
  goban_session_set_notes (session, "keep me");
  n = g_list_model_get_n_items (goban_session_get_runs (session));

  g_assert_true (goban_graph_source_save (after, path, NULL, NULL));
  g_signal_connect (session, "message", G_CALLBACK (message_cb), NULL);
  goban_session_open_path (session, path);
  wait_for_jobs (session);
  g_assert_cmpuint (g_list_model_get_n_items (goban_session_get_runs (session)), ==, n);
  g_assert_cmpstr (goban_run_get_name (goban_session_get_current_run (session)), ==, "mine");
  assert_devices (goban_session_get_current_run (session), "00002");
  g_assert_true (goban_selection_contains (goban_session_get_pinned (session), 4));
  g_assert_cmpstr (goban_session_get_notes (session), ==, "keep me");
  g_assert_nonnull (strstr (heard, "4 of its 5 nodes are where they were"));
  g_clear_pointer (&heard, g_free);
  g_unlink (path);
  g_rmdir (folder);
}

TEST_PROGRAM (remap)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run/remap/names", test_names);
  g_test_add_func ("/run/remap/fits", test_fits);
  g_test_add_func ("/run/remap/reload", test_reload);
  return g_test_run ();
}
