#include "tests/io/io-support.h"

#include "engine/graph/levels.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

#define HEADER "task,c_task,dir_succ,p0,p1,pc00,pc01,pc10,pc11,mi,m0,m1\n"

static void
test_fields (void)
{
  g_autoptr (GobanGraph) graph
      = read_text ("moirai", "\xef\xbb\xbf" HEADER "0,,1,0,0,,,,,0,14,16\n"
                             "1,\"2,3\",\"4,5\",8,9,\"0,0\",\"1.5,3\",2,0,7,,\n"
                             "4,6,5,1,,0,4,4,0,,,\n"
                             "5,,,0,0,,,,,0,,\n"
                             ",,,,,,,,,,,\n"
                             "a note,,,,,,,,,,,\n");
  GobanNodeId task1 = goban_graph_find_node (graph, "task1");
  GobanTensorId second;
  guint n_tensors;

  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 4);
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 4);
  g_assert_cmpfloat (time_of (graph, "task1", "p0"), ==, 8000);
  g_assert_cmpfloat (time_of (graph, "task1", "p1"), ==, 9000);
  /* A missing time stays missing. */
  g_assert_true (isnan (time_of (graph, "task4", "p1")));
  g_assert_cmpfloat (goban_graph_get_node (graph, task1)->param_bytes, ==, 7);
  /* Two transfer tasks are two tensors; a time alone is for both. */
  g_assert_cmpuint (goban_graph_get_n_tensors (graph), ==, 4);
  g_assert_cmpfloat (transfer_of (graph, "task1", "p0", "p1"), ==, 1500);
  g_assert_cmpfloat (transfer_of (graph, "task1", "p1", "p0"), ==, 2000);
  second = goban_graph_get_node_tensors (graph, task1, &n_tensors) + 1;
  g_assert_cmpuint (n_tensors, ==, 2);
  g_assert_cmpfloat (goban_graph_get_transfer_us (graph, second, 0, 1), ==, 3000);
  g_assert_cmpfloat (goban_graph_get_transfer_us (graph, second, 1, 0), ==, 2000);
  g_assert_cmpfloat (transfer_of (graph, "task0", "p1", "p0"), ==, 0);
  g_assert_nonnull (strstr (goban_graph_get_warnings (graph)[0], "p0 14 B, p1 16 B"));
  g_assert_cmpstr (goban_graph_get_cluster_spec (graph), ==, "devices:p0=14,p1=16");
}

static void
test_example (void)
{
  g_autoptr (GobanGraph) graph = load_shared ("moirai/example-1.csv", "moirai");

  if (graph == NULL)
    return;
  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 14);
  g_assert_cmpfloat (time_of (graph, "task14", "p2"), ==, 4000);
  g_assert_cmpfloat (transfer_of (graph, "task14", "p0", "p1"), ==, 1000);
  g_assert_cmpstr (goban_graph_get_cluster_spec (graph), ==, "devices:p0=14,p1=14,p2=16");
}

/* A device of no stated memory has as much as it likes. */
static void
test_devices (void)
{
  g_autoptr (GobanGraph) graph = read_text ("moirai", HEADER "0,,1,0,0,,,,,0,,16000000000\n"
                                                             "1,,,0,0,,,,,0,,\n");

  g_assert_cmpstr (goban_graph_get_cluster_spec (graph), ==, "devices:p0,p1=16000000000");
}

static void
test_googlenet (void)
{
  static const double sums_ms[] = { 2.34, 5.48, 5.55, 2.88 };
  g_autoptr (GobanGraph) graph = load_shared ("moirai/googlenet.csv", "moirai");
  g_autofree double *best_us = NULL;

  if (graph == NULL)
    return;
  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 141);
  g_assert_cmpuint (goban_graph_get_n_edges (graph), ==, 167);
  best_us = g_new (double, 141);
  for (GobanNodeId v = 0; v < 141; v++)
    {
      best_us[v] = INFINITY;
      for (guint k = 0; k < 4; k++)
        best_us[v] = MIN (best_us[v], goban_graph_get_time_us (graph, v, k));
    }
  for (guint k = 0; k < 4; k++)
    assert_near (sum_ms (graph, goban_graph_get_kind (graph, k), GOBAN_PHASE_FORWARD), sums_ms[k],
                 0.005);
  assert_near (goban_graph_longest_path (graph, best_us, NULL) / 1e3, 0.82, 0.005);
}

static void
test_bad (void)
{
  static const BadText cases[] = {
    { "", "empty" },
    { "\n \r\n", "test.txt:2: the line with the names of columns is missing" },
    { "task,dir_succ\n", "test.txt:1: the columns" },
    { "task,dir_succ,p0,p1,pc01\n", "“pc10” is missing" },
    { HEADER, "no nodes" },
    { HEADER "x,,1,0,0,,,,,0,,\n", "test.txt:2: “x” is not the id of a task" },
    { HEADER "1,,,x,0,,,,,0,,\n", "p0 is “x”" },
    { HEADER "1,,,-1,0,,,,,0,,\n", "p0 is “-1”" },
    { HEADER "1,,,inf,0,,,,,0,,\n", "p0 is “inf”" },
    { HEADER "1,,,0,0,,,,,x,,\n", "mi is “x”" },
    { HEADER "1,,,0,0,,,,,0,lots,\n", "a device's memory is “lots”" },
    { HEADER "1,,2,0,0,,,,,0,,\n",
      "test.txt:2: there is no task 2, which is named as a successor" },
    { HEADER "1,,x,0,0,,,,,0,,\n", "the successor “x” is not the id of a task" },
    { HEADER "1,\"3,4\",2,0,0,,,,,0,,\n", "2 transfer tasks for 1 successors" },
    { HEADER "1,3,2,0,0,0,\"1,2\",1,0,0,,\n", "pc01 lists 2 times for 1" },
    { HEADER "1,3,2,0,0,0,y,1,0,0,,\n", "a transfer time is “y”" },
    { HEADER "1,,,0,0,,,,,0,,\n1,,,0,0,,,,,0,,\n", "test.txt:3: task 1 is here twice" },
    { HEADER "1,,2,0,0,,,,,0,,\n2,,1,0,0,,,,,0,,\n", "cycle" },
    { HEADER "1,\"\xff\",2\n", "test.txt:2: byte" },
  };

  check_bad_texts ("moirai", cases, G_N_ELEMENTS (cases));
}

TEST_PROGRAM (moirai)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/moirai/reads/fields", test_fields);
  g_test_add_func ("/io/moirai/reads/devices", test_devices);
  g_test_add_func ("/io/moirai/reads/example", test_example);
  g_test_add_func ("/io/moirai/reads/googlenet", test_googlenet);
  g_test_add_func ("/io/moirai/rejects/bad-texts", test_bad);
  return g_test_run ();
}
