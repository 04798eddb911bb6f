/* Suites: those that come with the program are GO's; those of others are read with care. */
#include "engine/core/error.h"
#include "engine/graph/workloads/workload.h"
#include "engine/machine/cluster/cluster.h"
#include "engine/study/bench/suite.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <glib/gstdio.h>
#include <string.h>

static char *folder;

/* A file of @text in the test's own folder. (transfer full) */
static char *
write_file (const char *name, const char *text)
{
  g_autoptr (GError) error = NULL;
  char *path = g_build_filename (folder, name, NULL);

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  return path;
}

static guint
count_devices (const char *spec)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec (spec, &error);

  g_assert_no_error (error);
  return goban_cluster_get_n_devices (cluster);
}

/* Method 2.1: the rows of GO's first table, with their device counts. */
static void
test_go14 (void)
{
  static const struct
  {
    const char *name;
    guint n_devices;
  } rows[] = {
    { "2-layer RNNLM", 2 },          { "4-layer RNNLM", 4 },
    { "8-layer RNNLM", 8 },          { "2-layer GNMT", 2 },
    { "4-layer GNMT", 4 },           { "8-layer GNMT", 8 },
    { "2-layer Transformer-XL", 2 }, { "4-layer Transformer-XL", 4 },
    { "8-layer Transformer-XL", 8 }, { "Inception-v3 b32", 2 },
    { "Inception-v3 b64", 2 },       { "AmoebaNet", 4 },
    { "WaveNet 2x18", 2 },           { "WaveNet 4x36", 4 },
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanSuite) suite = goban_suite_load ("go14", &error);

  g_assert_no_error (error);
  g_assert_cmpstr (suite->name, ==, "go14");
  g_assert_cmpuint (suite->graphs->len, ==, G_N_ELEMENTS (rows));
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const GobanSuiteGraph *graph = goban_suite_get_graph (suite, i);

      g_assert_cmpstr (graph->name, ==, rows[i].name);
      g_assert_true (g_str_has_prefix (graph->clusters[GOBAN_SUITE_TASK_PLACEMENT], "p100"));
      g_assert_true (g_str_has_prefix (graph->clusters[GOBAN_SUITE_TASK_JOINT], "v100"));
      for (guint task = 0; task < GOBAN_N_SUITE_TASKS; task++)
        g_assert_cmpuint (count_devices (graph->clusters[task]), ==, rows[i].n_devices);
    }
}

/* Weights and states fit the devices together, and are no trifle for one. */
static void
test_llm (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanSuite) suite = goban_suite_load ("llm", &error);

  g_assert_no_error (error);
  g_assert_cmpuint (suite->graphs->len, ==, 8);
  for (guint i = 0; i < suite->graphs->len; i++)
    {
      const GobanSuiteGraph *entry = goban_suite_get_graph (suite, i);
      const char *spec = entry->clusters[GOBAN_SUITE_TASK_PLACEMENT];
      g_autoptr (GobanGraph) graph = goban_workload_generate (entry->graph, &error);
      g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec (spec, &error);
      double bytes = 0, capacity;

      g_assert_no_error (error);
      g_assert_cmpstr (entry->clusters[GOBAN_SUITE_TASK_JOINT], ==, spec);
      for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
        bytes += goban_graph_get_node (graph, v)->param_bytes;
      capacity = (double) goban_cluster_get_device (cluster, 0)->memory_bytes;
      g_assert_cmpfloat (bytes, <, capacity * goban_cluster_get_n_devices (cluster));
      g_assert_cmpfloat (bytes, >, capacity / 40);
    }
}

/* Every key of every spec is one that its family has; coarse, so that this is quick. */
static void
test_specs_are_understood (void)
{
  static const char *const names[] = { "go14", "llm", "quick" };

  for (guint k = 0; k < G_N_ELEMENTS (names); k++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanSuite) suite = goban_suite_load (names[k], &error);

      g_assert_no_error (error);
      for (guint i = 0; i < suite->graphs->len; i++)
        {
          const char *spec = goban_suite_get_graph (suite, i)->graph;
          gboolean is_coarse = strstr (spec, "granularity=coarse") != NULL;
          g_autofree char *coarse = is_coarse
                                        ? g_strdup (spec)
                                        : g_strdup_printf ("%s%cgranularity=coarse", spec,
                                                           strchr (spec, ':') != NULL ? ',' : ':');
          g_autoptr (GobanGraph) graph = goban_workload_generate (coarse, &error);

          g_assert_no_error (error);
          g_assert_cmpuint (goban_graph_get_n_nodes (graph), >, 4);
        }
    }
}

static void
test_names_are_listed (void)
{
  g_auto (GStrv) names = goban_suite_names ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanSuite) none = goban_suite_load ("go15", &error);

  g_assert_cmpuint (g_strv_length (names), ==, 3);
  g_assert_cmpstr (names[0], ==, "go14");
  g_assert_cmpstr (names[1], ==, "llm");
  g_assert_cmpstr (names[2], ==, "quick");
  g_assert_null (none);
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_cmpstr (error->message, ==,
                   "there is no suite “go15”; there are go14, llm, quick, and files");
}

/* Files are beside the suite, wherever the program runs; presets and absolute paths are as said. */
static void
test_files_are_beside_it (void)
{
  g_autofree char *cluster = write_file ("lab.json", "{}");
  g_autofree char *graph = g_build_filename (folder, "a.dot", NULL);
  g_autofree char *path = write_file (
      "own.json", "{\"graphs\": ["
                  "{\"name\": \"a\", \"graph\": \"a.dot\", \"placement\": \"lab.json\"},"
                  "{\"name\": \"b\", \"graph\": \"/x/b.onnx\", \"joint\": \"equal:3\"}]}");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanSuite) suite = goban_suite_load (path, &error);
  const GobanSuiteGraph *a, *b;

  g_assert_no_error (error);
  a = goban_suite_get_graph (suite, 0);
  b = goban_suite_get_graph (suite, 1);
  g_assert_cmpstr (suite->name, ==, "own");
  g_assert_cmpstr (suite->about, ==, "");
  g_assert_cmpstr (a->graph, ==, graph);
  g_assert_cmpstr (a->clusters[GOBAN_SUITE_TASK_PLACEMENT], ==, cluster);
  g_assert_null (a->clusters[GOBAN_SUITE_TASK_JOINT]);
  g_assert_cmpstr (b->graph, ==, "/x/b.onnx");
  g_assert_cmpstr (b->clusters[GOBAN_SUITE_TASK_JOINT], ==, "equal:3");
}

static void
test_mistakes_are_named (void)
{
  static const struct
  {
    const char *text;
    const char *says; /* behind the path */
  } cases[] = {
    { "[]", ":1: the top level is a list: an object is needed" },
    { "{}", ":1: graphs is missing" },
    { "{\"graphs\": []}", ":1: graphs: the list is empty" },
    { "{\"graphs\": 3}", ":1: graphs is 3: a list is needed" },
    { "{\"graph\": []}", ":1: graph is not known: did you mean graphs?" },
    { "{\"graphs\": [\n{\"name\": \"a\", \"graph\": \"a.dot\", \"joint\": \"x\"},\n7]}",
      ":3: graphs[1] is 7: an object is needed" },
    { "{\"graphs\": [\n{\"graph\": \"a.dot\"}]}", ":2: graphs[0].name is missing" },
    { "{\"graphs\": [\n{\"name\": \"a\"}]}", ":2: graphs[0].graph is missing" },
    { "{\"graphs\": [\n{\"name\": \"a\", \"graph\": \"\"}]}",
      ":2: graphs[0].graph is “”: a name is needed" },
    { "{\"graphs\": [\n{\"name\": \"a\", \"graph\": \"a.dot\"}]}",
      ":2: graphs[0]: it has no cluster: say placement, joint or both" },
    { "{\"graphs\": [\n{\"name\": \"a\", \"graph\": \"a.dot\", \"placment\": \"x\"}]}",
      ":2: graphs[0].placment is not known: did you mean placement?" },
    { "{\"graphs\": [\n{\"name\": \"a\", \"graph\": \"a.dot\", \"joint\": \"x\"},\n"
      "{\"name\": \"a\", \"graph\": \"b.dot\", \"joint\": \"x\"}]}",
      ":3: graphs[1]: graphs[0] is called “a” too" },
    { "{\"graphs\": [\n{\"name\": 1, \"graph\": \"a.dot\", \"joint\": \"x\"}]}",
      ":2: graphs[0].name is 1: a text is needed" },
    { "{\"graphs\": [", ":1:" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = write_file ("bad.json", cases[i].text);
      g_autofree char *says = g_strconcat (path, cases[i].says, NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanSuite) suite = goban_suite_load (path, &error);

      g_assert_null (suite);
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
      g_test_message ("%s", error->message);
      g_assert_true (g_str_has_prefix (error->message, says));
    }
}

static void
test_tasks_have_names (void)
{
  g_autoptr (GError) error = NULL;
  GobanSuiteTask task = GOBAN_SUITE_TASK_PLACEMENT;

  g_assert_true (goban_suite_task_find ("joint", &task, &error));
  g_assert_cmpint (task, ==, GOBAN_SUITE_TASK_JOINT);
  g_assert_false (goban_suite_task_find ("both", &task, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_cmpint (task, ==, GOBAN_SUITE_TASK_JOINT);
}

TEST_PROGRAM (suite)
{
  g_autoptr (GError) error = NULL;
  static const char *const files[] = { "lab.json", "own.json", "bad.json" };
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("goban-suite-XXXXXX", &error);
  g_assert_no_error (error);
  g_test_add_func ("/bench/suite/go14", test_go14);
  g_test_add_func ("/bench/suite/llm", test_llm);
  g_test_add_func ("/bench/suite/specs-are-understood", test_specs_are_understood);
  g_test_add_func ("/bench/suite/names-are-listed", test_names_are_listed);
  g_test_add_func ("/bench/suite/files-are-beside-it", test_files_are_beside_it);
  g_test_add_func ("/bench/suite/mistakes-are-named", test_mistakes_are_named);
  g_test_add_func ("/bench/suite/tasks-have-names", test_tasks_have_names);
  status = g_test_run ();
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (folder, files[i], NULL);

      g_unlink (path);
    }
  g_rmdir (folder);
  g_free (folder);
  return status;
}
