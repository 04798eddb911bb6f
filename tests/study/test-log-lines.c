#include "engine/study/log/log-lines.h"

#include "engine/core/error.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <string.h>

/* What the log writes of many nodes is read again as the same nodes. */
static void
test_ranges_return (void)
{
  char *names[41] = { NULL };
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autoptr (GobanGraph) graph = NULL;

  for (guint i = 0; i < 40; i++)
    names[i] = g_strdup_printf ("a node with a name of some length %u", i);
  graph = toy_of_names ((const char *const *) names);
  for (guint round = 0; round < 100; round++)
    {
      g_autofree char *line = NULL;
      g_autofree char *ranges = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanSelection) before = NULL;
      g_autoptr (GobanSelection) after = NULL;
      GobanNodeId ids[40];
      guint n = 0;

      for (guint v = 0; v < 40; v++)
        if (v < 12 || g_rand_boolean (rand))
          ids[n++] = v;
      before = goban_selection_new (ids, n);
      line = goban_log_nodes (graph, ids, n);
      g_assert_true (g_str_has_prefix (line, "g:nodes \"0-"));
      ranges = g_strndup (line + strlen ("g:nodes \""), strlen (line) - strlen ("g:nodes \"\""));
      after = goban_log_parse_ranges (ranges, 40, &error);
      g_assert_no_error (error);
      g_assert_true (goban_selection_equal (before, after));
    }
  for (guint i = 0; i < 40; i++)
    g_free (names[i]);
}

static void
test_ranges_refused (void)
{
  static const char *const cases[][2] = {
    { "x", "ranges of indices" },   { "1-", "ranges of indices" },
    { "-1", "ranges of indices" },  { "1,,2", "ranges of indices" },
    { "1 2", "ranges of indices" }, { "3,2", "do not ascend" },
    { "3-2", "do not ascend" },     { "1,1", "do not ascend" },
    { "0-10", "beyond the graph" }, { "99999999999999999999", "beyond the graph" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (goban_log_parse_ranges (cases[i][0], 10, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
      g_assert_nonnull (strstr (error->message, cases[i][1]));
    }
}

static void
test_ranges_of_nothing (void)
{
  g_autoptr (GobanSelection) nothing = goban_log_parse_ranges ("", 10, NULL); /* cannot fail */
  g_autoptr (GobanSelection) last = goban_log_parse_ranges ("9,", 10, NULL);  /* cannot fail */
  guint n;

  goban_selection_get_ids (nothing, &n);
  g_assert_cmpuint (n, ==, 0);
  g_assert_true (goban_selection_contains (last, 9));
}

/* A name may be as long as its file: a line of the log is not. */
static void
test_long_name (void)
{
  g_autofree char *name = g_strnfill (1000000, 'x');
  const char *const names[] = { "conv", name, NULL };
  g_autoptr (GobanGraph) graph = toy_of_names (names);
  const GobanNodeId ids[] = { 0, 1 };
  g_autofree char *named = goban_log_nodes (graph, ids, 1);
  g_autofree char *one = goban_log_nodes (graph, ids + 1, 1);
  g_autofree char *both = goban_log_nodes (graph, ids, 2);

  g_assert_cmpstr (named, ==, "g:nodes{\"conv\"}");
  g_assert_cmpstr (one, ==, "g:nodes \"1\"");
  g_assert_cmpstr (both, ==, "g:nodes \"0-1\"");
}

static void
test_load (void)
{
  const GobanLoadOptions plain = { 0 };
  const GobanLoadOptions all = { .format = "dot \"x\"",
                                 .time_unit_us = 0.1,
                                 .batch = 8,
                                 .with_backward = TRUE,
                                 .training = TRUE,
                                 .keep_constants = TRUE };
  g_autofree char *short_line = goban_log_load ("/a/b.onnx", &plain);
  g_autofree char *long_line = goban_log_load ("/a/b.onnx", &all);

  g_assert_cmpstr (short_line, ==, "graph.load(\"/a/b.onnx\")");
  g_assert_cmpstr (long_line, ==,
                   "graph.load(\"/a/b.onnx\", { format = \"dot \\\"x\\\"\", "
                   "time_unit = \"0.10000000000000001us\", batch = 8, with_backward = true, "
                   "training = true, keep_constants = true })");
}

static void
test_run (void)
{
  g_autofree char *line = goban_log_run ("plan.heft(g)", "a \"b\"");

  g_assert_cmpstr (line, ==, "sim.run(plan.heft(g), { name = \"a \\\"b\\\"\" })");
}

TEST_PROGRAM (log_lines)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/log-lines/ranges/return", test_ranges_return);
  g_test_add_func ("/log-lines/ranges/refused", test_ranges_refused);
  g_test_add_func ("/log-lines/ranges/of-nothing", test_ranges_of_nothing);
  g_test_add_func ("/log-lines/long-name", test_long_name);
  g_test_add_func ("/log-lines/load", test_load);
  g_test_add_func ("/log-lines/run", test_run);
  return g_test_run ();
}
