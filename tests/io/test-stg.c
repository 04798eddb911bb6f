#include "tests/io/io-support.h"
#include "tests/support/test-program.h"

static void
test_both_headers (void)
{
  static const char *const texts[] = {
    " 1\n 0 0 0\n 1 9 1 0\n 2 0 1 1\n# comment\n",
    " 3\n 0 0 0\n 1 9 1 0 # comment\n\n 2 0 1 1\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      GobanReadOptions options = { .time_unit_us = 1000 };
      g_autoptr (GobanGraph) graph = read_text_with ("stg", texts[i], &options);

      g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 3);
      g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 2);
      g_assert_cmpfloat (time_of (graph, "task1", "gpu"), ==, 9000);
      g_assert_cmpint (goban_graph_get_node (graph, 1)->time_source, ==, GOBAN_SOURCE_GIVEN);
      g_assert_cmpstr (goban_graph_get_node (graph, 1)->op, ==, "task");
    }
}

static void
test_pairs (void)
{
  g_autoptr (GobanGraph) graph
      = read_text ("stg", "2\n0 0 0\n1 4 1 0 2.5\n2 5 1 0 7\n3 0 2 1 3 2 4\n");

  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 4);
  /* Each pair is a tensor of its own. */
  g_assert_cmpuint (goban_graph_get_n_tensors (graph), ==, 4);
  g_assert_cmpfloat (transfer_of (graph, "task0", "*", "*"), ==, 2.5);
  g_assert_cmpfloat (transfer_of (graph, "task2", "*", "*"), ==, 4);
}

static void
test_real (void)
{
  for (guint i = 0; i < 10; i++)
    {
      g_autofree char *name = g_strdup_printf ("stg/rand%04u.stg", i);
      g_autoptr (GobanGraph) graph = load_shared (name, "stg");

      if (graph == NULL)
        return;
      g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 52);
      if (i == 0)
        {
          /* The comments of the file: 96 edges and 23 of the dummies; critical path 55. */
          g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 96 + 23);
          assert_near (sum_ms (graph, "*", GOBAN_PHASE_FORWARD), 0.262, 1e-9);
          assert_near (path_ratio (graph, "*"), 55 / 262.0, 1e-9);
        }
    }
}

static void
test_bad (void)
{
  static const BadText cases[] = {
    { "", "empty" },
    { "0\n", "no nodes" },
    { "# only a comment\n", "claimed" },
    { "2 3\n", "test.txt:1: the first number" },
    { "2\n0 0 0\n", "2 tasks are claimed" },
    { "1e300\n0 0 0\n", "are claimed" },
    { "1\n0 0\n", "test.txt:2: a task is" },
    { "1\n0 -5 0\n", "“-5” is not an amount" },
    { "1\n0 nan 0\n", "“nan” is not an amount" },
    { "1\n0 x 0\n", "“x” is not an amount" },
    { "1\n0 0 4294967296 1\n", "claims 4294967296 predecessors" },
    { "1\n0 0 1.5 1\n", "not a whole number" },
    { "1\n0 0 1 0.5\n", "0.5 is not the id of a task" },
    { "1\n0 0 1 7\n", "test.txt:2: there is no task 7, which is named as a predecessor" },
    { "2\n0 0 0\n0 0 0\n", "test.txt:3: task 0 is here twice" },
    { "3\n0 0 0\n1 1 1 0\n2 1 1 0 4\n", "some tasks" },
    { "2\n0 1 1 1\n1 1 1 0\n", "cycle: task" },
    { "1\n0 \xc3 0\n", "not UTF-8" },
  };

  check_bad_texts ("stg", cases, G_N_ELEMENTS (cases));
}

TEST_PROGRAM (stg)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/stg/reads/both-headers", test_both_headers);
  g_test_add_func ("/io/stg/reads/pairs-with-costs", test_pairs);
  g_test_add_func ("/io/stg/reads/real-graphs", test_real);
  g_test_add_func ("/io/stg/rejects/bad-texts", test_bad);
  return g_test_run ();
}
