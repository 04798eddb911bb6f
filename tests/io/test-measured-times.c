/* Profiles of ONNX Runtime: as recorded runs, and as times for a model's nodes. */
#include "engine/core/error.h"
#include "engine/graph/graph-builder.h"
#include "engine/io/traces/measured-times.h"
#include "tests/io/io-support.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define TWO_RUNS "tests/fuzz/corpus/ort-profile/two-runs.json"

static const char *const cpu_only[] = { "cpu", NULL };
static const char *const both[] = { "cpu", "gpu", NULL };

/* A chain of nodes, "name op name op ...". */
static GobanGraph *
make_chain (const char *const *names)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("chain", "test");
  GobanGraph *graph;

  for (guint i = 0; names[2 * i] != NULL; i++)
    {
      guint32 node = goban_graph_builder_add_node (builder, names[2 * i], names[2 * i + 1]);

      goban_graph_builder_add_tensor (builder, node, 8);
      if (i > 0)
        goban_graph_builder_add_edge (builder, i - 1, node);
    }
  graph = goban_graph_builder_finish (builder, NULL, NULL);
  g_assert_nonnull (graph);
  return graph;
}

static GobanGraph *
measure (GobanGraph *graph, const char *const *kinds, GobanTimesJoin *join, GError **error)
{
  g_autofree char *path = project_path (TWO_RUNS);

  return goban_graph_measure (graph, path, kinds, join, NULL, error);
}

/* An op of each run, a lane for each provider, and one thread in which they follow each other. */
static void
test_recorded (void)
{
  g_autofree char *path = project_path (TWO_RUNS);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_graph_load (path, NULL, NULL, &error);
  GobanNodeId relu;

  g_assert_no_error (error);
  g_assert_cmpstr (goban_graph_get_format (graph), ==, "ort-profile");
  g_assert_cmpstr (goban_graph_get_cluster_spec (graph), ==,
                   "lanes:gpu thread 1=gpu,cpu thread 1=cpu,delays=delays");
  g_assert_cmpfloat (time_of (graph, "run 1/conv", "gpu"), ==, 10);
  g_assert_cmpfloat (time_of (graph, "run 2/n1", "cpu"), ==, 6);
  relu = goban_graph_find_node (graph, "run 1/n1");
  g_assert_cmpstr (goban_graph_get_node (graph, relu)->op, ==, "Relu");
  g_assert_cmpuint (goban_graph_get_node (graph, relu)->lane, ==, 1);
  /* After the one before it on its thread, though on another lane, and a delay of 2 us. */
  g_assert_cmpuint (goban_graph_get_in_edges (graph, relu).n, ==, 2);
}

/* Medians of the runs, on the kinds they were measured on. */
static void
test_by_name (void)
{
  static const char *const names[] = { "conv", "Conv", "n1", "Relu", "out", "Add", NULL };
  g_autoptr (GobanGraph) graph = make_chain (names);
  g_autoptr (GError) error = NULL;
  GobanTimesJoin join;
  g_autoptr (GobanGraph) measured = measure (graph, both, &join, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (join.n_by_name, ==, 2);
  g_assert_cmpfloat (join.joined_us, ==, join.total_us);
  g_assert_cmpfloat (time_of (measured, "conv", "gpu"), ==, 15);
  g_assert_cmpfloat (time_of (measured, "n1", "cpu"), ==, 5);
  g_assert_false (goban_graph_has_time (measured, goban_graph_find_node (measured, "out")));
  g_assert_cmpint (goban_graph_get_node (measured, 0)->time_source, ==, GOBAN_SOURCE_MEASURED);
  g_assert_cmpuint (goban_graph_get_n_edges (measured), ==, goban_graph_get_n_edges (graph));
}

/* The names are others, but types and indices agree; on a cluster of another kind the times count
 * for every device. */
static void
test_by_index (void)
{
  static const char *const names[] = { "a", "Conv", "b", "Relu", NULL };
  static const char *const tpu[] = { "tpu", NULL };
  g_autoptr (GobanGraph) graph = make_chain (names);
  g_autoptr (GError) error = NULL;
  GobanTimesJoin join;
  g_autoptr (GobanGraph) measured = measure (graph, tpu, &join, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (join.n_by_name, ==, 0);
  g_assert_cmpuint (join.n_by_index, ==, 2);
  g_assert_cmpfloat (time_of (measured, "a", "*"), ==, 15);
  g_assert_nonnull (strstr (goban_graph_get_warnings (measured)[0], "(2 by their index)"));
}

static void
test_not_found (void)
{
  static const char *const some[] = { "conv", "Conv", NULL };
  static const char *const none[] = { "a", "MatMul", NULL };
  g_autoptr (GobanGraph) graph = make_chain (some);
  g_autoptr (GobanGraph) other = make_chain (none);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) measured = measure (graph, cpu_only, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (goban_graph_get_warnings (measured)[0], ==,
                   "measured times: 1 of 2 operations of two-runs.json, with 75.0 % of its time, "
                   "are nodes here; not found: “n1” 25.0 %");
  g_assert_null (measure (other, cpu_only, NULL, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "none of its 2 operations is a node of this graph"));
}

/* Names the longest first, and counts the rest. */
static void
test_not_found_by_time (void)
{
  static const char *const names[] = { "op0", "Add", NULL };
  g_autofree char *folder = g_dir_make_tmp ("goban-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "long.json", NULL);
  g_autoptr (GString) text = g_string_new ("[");
  g_autoptr (GobanGraph) graph = make_chain (names);
  g_autoptr (GobanGraph) measured = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 8; i++)
    g_string_append_printf (text, "%s{\"ph\": \"X\", \"name\": \"op%u\", \"ts\": %u, \"dur\": %u}",
                            i > 0 ? ", " : "", i, 100 * i, i == 0 ? 72 : i);
  g_string_append (text, "]");
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
  measured = goban_graph_measure (graph, path, cpu_only, NULL, NULL, &error);
  g_remove (path);
  g_rmdir (folder);
  g_assert_no_error (error);
  g_assert_cmpstr (goban_graph_get_warnings (measured)[0], ==,
                   "measured times: 1 of 8 operations of long.json, with 72.0 % of its time, are "
                   "nodes here; not found: “op7” 7.0 %, “op6” 6.0 %, “op5” 5.0 %, “op4” 4.0 %, "
                   "“op3” 3.0 % and 2 more");
}

static void
test_mistakes (void)
{
  static const BadText cases[] = {
    { "[]", "test.txt: " },
    { "{}", "a list is needed" },
    { "[{\"cat\": \"Node\", \"name\": \"a_kernel_time\", \"ts\": 1}]", "[0].dur is missing" },
    { "[{},\n{\"cat\": \"Node\", \"name\": \"a_kernel_time\", \"ts\": 1, \"dur\": -2}]",
      "test.txt:2: [1].dur is -2" },
  };

  check_bad_texts ("ort-profile", cases, G_N_ELEMENTS (cases));
}

/* A profile of a program that was stopped: what is complete is read. */
static void
test_cut (void)
{
  static const char whole[]
      = "[{\"cat\": \"Node\", \"name\": \"a_kernel_time\", \"ts\": 1, \"dur\": 4, \"args\": "
        "{\"op_name\": \"Add\"}},\n";
  static const char part[] = "{\"cat\": \"Node\", \"name\": \"b_kernel_time\", \"ts\": 6, ";

  for (gsize n = 0; n < sizeof part; n++)
    {
      g_autofree char *text = g_strdup_printf ("%s%.*s", whole, (int) n, part);
      g_autoptr (GobanGraph) graph = read_text ("ort-profile", text);

      g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 1);
      g_assert_cmpfloat (time_of (graph, "a", "cpu"), ==, 4);
      g_assert_cmpint (warns (graph, "the file ends early: what is behind event 1 is incomplete"),
                       ==, n > 0);
    }
}

typedef struct
{
  const char *model;
  const char *profile;
  guint n_ops;
  guint n_events;
} Pair;

static const Pair pairs[] = {
  { "profile/towers.onnx", "profile/towers.ort-profile.json.gz", 53, 1060 },
  { "onnx/light_inception_v1.onnx", "profile/light_inception_v1.ort-profile.json.gz", 138, 2070 },
};

static void
test_shared (gconstpointer data)
{
  const Pair *pair = data;
  g_autoptr (GobanGraph) model = load_shared (pair->model, "onnx");
  g_autoptr (GobanGraph) recorded = load_shared (pair->profile, "ort-profile");
  g_autofree char *path = NULL;
  g_autoptr (GobanGraph) measured = NULL;
  g_autoptr (GError) error = NULL;
  GobanTimesJoin join;
  guint n_events = 0;

  if (model == NULL || recorded == NULL)
    return;
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (recorded); v++)
    n_events += strcmp (goban_graph_get_node (recorded, v)->op, "delay") != 0;
  g_assert_cmpuint (n_events, ==, pair->n_events);

  path = shared_data_path (pair->profile);
  measured = goban_graph_measure (model, path, cpu_only, &join, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (join.n_ops, ==, pair->n_ops);
  g_assert_cmpfloat (join.joined_us, >=, 0.95 * join.total_us);
}

TEST_PROGRAM (measured_times)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/measured-times/recorded", test_recorded);
  g_test_add_func ("/io/measured-times/by-name", test_by_name);
  g_test_add_func ("/io/measured-times/by-index", test_by_index);
  g_test_add_func ("/io/measured-times/not-found", test_not_found);
  g_test_add_func ("/io/measured-times/not-found-by-time", test_not_found_by_time);
  g_test_add_func ("/io/measured-times/mistakes", test_mistakes);
  g_test_add_func ("/io/measured-times/cut", test_cut);
  g_test_add_data_func ("/io/measured-times/shared/towers", &pairs[0], test_shared);
  g_test_add_data_func ("/io/measured-times/shared/inception", &pairs[1], test_shared);
  return g_test_run ();
}
