#include "engine/sim/trace-json.h"

#include "engine/core/error.h"
#include "engine/graph/graph-builder.h"
#include "engine/sim/simulator.h"
#include "tests/sim/random-run.h"
#include "tests/support/test-program.h"

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

typedef struct
{
  gint64 pid;
  gint64 tid;
  double start_us;
  double end_us;
} Slice;

static JsonParser *
parse (const char *json)
{
  JsonParser *parser = json_parser_new ();
  g_autoptr (GError) error = NULL;

  json_parser_load_from_data (parser, json, -1, &error);
  g_assert_no_error (error);
  return parser;
}

static int
compare_slices (const void *a, const void *b)
{
  const Slice *x = a;
  const Slice *y = b;

  if (x->pid != y->pid)
    return x->pid < y->pid ? -1 : 1;
  if (x->tid != y->tid)
    return x->tid < y->tid ? -1 : 1;
  if (x->start_us != y->start_us)
    return x->start_us < y->start_us ? -1 : 1;
  return (x->end_us > y->end_us) - (x->end_us < y->end_us);
}

/* Spans of a thread follow each other; the format forbids that they overlap in part. */
static void
assert_slices_apart (GArray *slices)
{
  g_array_sort (slices, compare_slices);
  for (guint i = 1; i < slices->len; i++)
    {
      const Slice *a = &g_array_index (slices, Slice, i - 1);
      const Slice *b = &g_array_index (slices, Slice, i);

      if (a->pid == b->pid && a->tid == b->tid)
        g_assert_cmpfloat (a->end_us, <=, b->start_us);
    }
}

typedef struct
{
  guint n_ops;
  guint n_sends;
  guint n_receives;
  guint n_flow_starts;
  guint n_flow_ends;
  guint n_counters;
  guint n_processes;
} Counts;

static void
count_slice (JsonObject *event, Counts *counts, GArray *slices)
{
  const char *category = json_object_get_string_member (event, "cat");
  Slice slice
      = { json_object_get_int_member (event, "pid"), json_object_get_int_member (event, "tid"),
          json_object_get_double_member (event, "ts"), 0 };

  slice.end_us = slice.start_us + json_object_get_double_member (event, "dur");
  g_array_append_val (slices, slice);
  counts->n_ops += strcmp (category, "op") == 0;
  counts->n_sends += strcmp (category, "send") == 0;
  counts->n_receives += strcmp (category, "receive") == 0;
  g_assert_true (json_object_has_member (json_object_get_object_member (event, "args"), "wait_us"));
}

static Counts
count_events (JsonParser *parser)
{
  JsonObject *root = json_node_get_object (json_parser_get_root (parser));
  JsonArray *events = json_object_get_array_member (root, "traceEvents");
  g_autoptr (GArray) slices = g_array_new (FALSE, FALSE, sizeof (Slice));
  Counts counts = { 0 };

  g_assert_cmpstr (json_object_get_string_member (root, "displayTimeUnit"), ==, "ms");
  for (guint i = 0; i < json_array_get_length (events); i++)
    {
      JsonObject *event = json_array_get_object_element (events, i);
      const char *phase = json_object_get_string_member (event, "ph");

      g_assert_cmpint (json_object_get_int_member (event, "pid"), >, 0);
      g_assert_nonnull (json_object_get_string_member (event, "name"));
      if (strcmp (phase, "X") == 0)
        count_slice (event, &counts, slices);
      counts.n_flow_starts += strcmp (phase, "s") == 0;
      counts.n_flow_ends += strcmp (phase, "f") == 0;
      counts.n_counters += strcmp (phase, "C") == 0;
      counts.n_processes
          += strcmp (json_object_get_string_member (event, "name"), "process_name") == 0;
    }
  assert_slices_apart (slices);
  return counts;
}

static void
test_events (void)
{
  for (guint64 seed = 0; seed < 60; seed++)
    {
      g_auto (RandomRun) run = { NULL };
      g_autoptr (GobanTrace) trace = NULL;
      g_autofree char *json = NULL;
      g_autoptr (JsonParser) parser = NULL;
      guint n_transfers;
      Counts counts;

      random_run_init (&run, 40, seed);
      trace = goban_simulate (run.costs, run.plan);
      json = goban_trace_to_json (trace, NULL);
      parser = parse (json);
      counts = count_events (parser);
      goban_trace_get_transfers (trace, &n_transfers);
      g_assert_cmpuint (counts.n_ops, ==, 40);
      g_assert_cmpuint (counts.n_sends, ==, n_transfers);
      g_assert_cmpuint (counts.n_receives, ==, n_transfers);
      g_assert_cmpuint (counts.n_flow_starts, ==, n_transfers);
      g_assert_cmpuint (counts.n_flow_ends, ==, n_transfers);
      g_assert_cmpuint (counts.n_counters, >=, goban_cluster_get_n_devices (run.cluster));
      g_assert_cmpuint (counts.n_processes, ==, goban_cluster_get_n_devices (run.cluster));
    }
}

/* A kernel is one event, however many nodes are in it. */
static void
test_fused_events (void)
{
  guint n_fused = 0;

  for (guint64 seed = 0; seed < 60; seed++)
    {
      g_auto (RandomRun) run = { NULL };
      g_autoptr (GobanTrace) trace = NULL;
      g_autofree char *json = NULL;
      g_autoptr (JsonParser) parser = NULL;
      guint n_kernels = 0;

      fused_run_init (&run, 25, seed);
      trace = goban_simulate (run.costs, run.plan);
      json = goban_trace_to_json (trace, NULL);
      parser = parse (json);
      for (guint v = 0; v < 25; v++)
        n_kernels += goban_trace_get_kernel (trace, v) == v;
      n_fused += strstr (json, "\"fused\"") != NULL;
      g_assert_cmpint (strstr (json, "\"fused\"") != NULL, ==, n_kernels < 25);
      g_assert_cmpuint (count_events (parser).n_ops, ==, n_kernels);
    }
  g_assert_cmpuint (n_fused, >, 30);
}

/* Times that are no whole numbers: start + duration, rounded, does not pass the finish. */
static void
test_rounding (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("chain", "test");
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x2", NULL);
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanTrace) trace = NULL;
  g_autofree char *json = NULL;
  g_autoptr (JsonParser) parser = NULL;

  for (guint v = 0; v < 500; v++)
    {
      goban_graph_builder_add_node (builder, "", "Op");
      goban_graph_builder_set_time (builder, v, GOBAN_ANY_KIND, 1 / (3.0 + v), GOBAN_SOURCE_GIVEN);
      goban_graph_builder_add_tensor (builder, v, 1000.1 * v);
      if (v > 0)
        goban_graph_builder_add_edge (builder, v - 1, v);
    }
  graph = goban_graph_builder_finish (builder, NULL, NULL);
  costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  plan = goban_plan_new (graph, 2);
  for (guint v = 0; v < 500; v++)
    goban_plan_set_device (plan, v, v / 3 % 2);
  trace = goban_simulate (costs, plan);
  json = goban_trace_to_json (trace, NULL);
  parser = parse (json);
  g_assert_cmpuint (count_events (parser).n_ops, ==, 500);
}

static void
test_awkward_names (void)
{
  static const char name[] = "a \"quoted\\name\"\n\twith\x01 é 棋盘";
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new (name, "test");
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("equal:1", NULL);
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanTrace) trace = NULL;
  g_autofree char *json = NULL;
  g_autoptr (JsonParser) parser = NULL;
  JsonObject *root;
  JsonArray *events;
  gboolean found = FALSE;

  goban_graph_builder_add_node (builder, name, "Op");
  graph = goban_graph_builder_finish (builder, NULL, NULL);
  costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  plan = goban_plan_new (graph, 1);
  goban_plan_set_policy (plan, "by \"hand\"");
  trace = goban_simulate (costs, plan);
  json = goban_trace_to_json (trace, NULL);
  parser = parse (json);
  root = json_node_get_object (json_parser_get_root (parser));
  events = json_object_get_array_member (root, "traceEvents");
  for (guint i = 0; i < json_array_get_length (events); i++)
    found |= strcmp (
                 json_object_get_string_member (json_array_get_object_element (events, i), "name"),
                 name)
             == 0;
  g_assert_true (found);
  g_assert_cmpstr (
      json_object_get_string_member (json_object_get_object_member (root, "otherData"), "policy"),
      ==, "by \"hand\"");
}

/* A run that could not start is still a file that opens, and says why. */
static void
test_not_run (void)
{
  g_auto (RandomRun) run = { NULL };
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanTrace) trace = NULL;
  g_autofree char *json = NULL;
  g_autoptr (JsonParser) parser = NULL;
  JsonObject *other;

  random_run_init (&run, 5, 1);
  plan = goban_plan_new (run.graph, goban_cluster_get_n_devices (run.cluster) + 1);
  trace = goban_simulate (run.costs, plan);
  json = goban_trace_to_json (trace, NULL);
  parser = parse (json);
  g_assert_cmpuint (count_events (parser).n_ops, ==, 0);
  other = json_object_get_object_member (json_node_get_object (json_parser_get_root (parser)),
                                         "otherData");
  g_assert_false (json_object_get_boolean_member (other, "valid"));
  g_assert_cmpstr (json_object_get_string_member (other, "why"), !=, "");
  g_assert_true (json_object_get_null_member (other, "makespan_us"));
}

static void
test_save (void)
{
  g_auto (RandomRun) run = { NULL };
  g_autoptr (GobanTrace) trace = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("goban-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "trace.json", NULL);
  g_autofree char *bad_path = g_build_filename (folder, "no", "trace.json", NULL);
  g_autofree char *json = NULL;
  g_autofree char *text = NULL;

  random_run_init (&run, 5, 1);
  trace = goban_simulate (run.costs, run.plan);
  json = goban_trace_to_json (trace, NULL);
  g_assert_true (goban_trace_save (trace, path, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, json);
  g_assert_false (goban_trace_save (trace, bad_path, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_IO);
  g_unlink (path);
  g_rmdir (folder);
}

TEST_PROGRAM (trace_json)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/trace-json/events", test_events);
  g_test_add_func ("/sim/trace-json/fused-events", test_fused_events);
  g_test_add_func ("/sim/trace-json/rounding", test_rounding);
  g_test_add_func ("/sim/trace-json/awkward-names", test_awkward_names);
  g_test_add_func ("/sim/trace-json/not-run", test_not_run);
  g_test_add_func ("/sim/trace-json/save", test_save);
  return g_test_run ();
}
