#include "engine/core/error.h"
#include "engine/core/file-read.h"
#include "engine/core/file.h"
#include "engine/core/rng.h"
#include "engine/graph/graph-builder.h"
#include "engine/machine/cluster/given-times.h"
#include "engine/machine/plan/plan-diff.h"
#include "engine/machine/plan/plan.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"

#include <glib/gstdio.h>
#include <string.h>

typedef struct
{
  char *folder;
  char *path;
  GobanGraph *graph; /* n0, n1, n2 */
  GobanCostModel *costs;
} Fixture;

static GobanCostModel *
make_costs (GobanGraph *graph, const char *spec)
{
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec (spec, NULL);

  return goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
}

static void
set_up (Fixture *fixture, gconstpointer user_data)
{
  GraphGen gen = { .n_nodes = 3 };

  fixture->folder = g_dir_make_tmp ("goban-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->folder, "plan.json", NULL);
  fixture->graph = graph_gen_new (&gen, 1);
  fixture->costs = make_costs (fixture->graph, "p100x2");
}

static void
tear_down (Fixture *fixture, gconstpointer user_data)
{
  g_unlink (fixture->path);
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0); /* nothing temporary is left */
  g_free (fixture->folder);
  g_free (fixture->path);
  goban_cost_model_unref (fixture->costs);
  goban_graph_unref (fixture->graph);
}

static char *
read_text (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = goban_file_read (path, GOBAN_FILE_PLAN, &error);

  g_assert_no_error (error);
  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

static void
assert_same (const GobanPlan *a, const GobanPlan *b, const GobanCostModel *costs)
{
  g_autoptr (GobanPlanDiff) diff = goban_plan_diff (a, b);

  g_assert_cmpuint (diff->n_moved + diff->n_reprioritised + diff->n_refused, ==, 0);
  g_assert_true (diff->same_order);
  g_assert_true (diff->same_transfers);
  g_assert_cmpfloat (goban_plan_get_proven_bound_us (a, costs), ==,
                     goban_plan_get_proven_bound_us (b, costs));
  g_assert_cmpstr (goban_plan_get_policy (a), ==, goban_plan_get_policy (b));
}

static void
test_writes_a_line_a_node (Fixture *fixture, gconstpointer user_data)
{
  g_autoptr (GobanPlan) plan = goban_plan_new (fixture->graph, 2);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  g_autofree char *wanted = NULL;

  goban_plan_set_device (plan, 1, 1);
  goban_plan_set_priority (plan, 0, 7);
  goban_plan_set_fusion (plan, 2, 4);
  goban_plan_set_policy (plan, "by \"hand\"");
  goban_plan_set_order (plan, GOBAN_ORDER_PRIORITY);
  g_assert_true (goban_plan_save (plan, fixture->costs, fixture->path, &error));
  g_assert_no_error (error);

  text = read_text (fixture->path);
  wanted = g_strdup_printf (
      "{\n  \"goban_plan\": 1,\n  \"graph\": \"random\",\n"
      "  \"graph_hash\": \"%016" G_GINT64_MODIFIER "x\",\n  \"n_nodes\": 3,\n"
      "  \"cluster\": \"p100x2\",\n  \"devices\": [\"gpu:0\", \"gpu:1\"],\n"
      "  \"policy\": \"by \\\"hand\\\"\",\n  \"order\": \"priority\",\n  \"nodes\": [\n"
      "    { \"node\": \"n0\", \"device\": \"gpu:0\", \"priority\": 7 },\n"
      "    { \"node\": \"n1\", \"device\": \"gpu:1\", \"priority\": 0 },\n"
      "    { \"node\": \"n2\", \"device\": \"gpu:0\", \"priority\": 0, \"fusion\": 4 }\n"
      "  ]\n}\n",
      goban_graph_get_hash (fixture->graph));
  g_assert_cmpstr (text, ==, wanted);
}

static void
give_transfers (GobanPlan *plan, GobanRng *rng)
{
  guint n_tensors = goban_plan_get_n_tensors (plan);
  g_autofree gint32 *priorities = g_new (gint32, n_tensors + 1);

  for (guint t = 0; t < n_tensors; t++)
    priorities[t] = (gint32) (guint32) goban_rng_next (rng);
  goban_plan_set_transfer_priorities (plan, priorities);
}

static void
test_writes_transfers_and_proof (Fixture *fixture, gconstpointer user_data)
{
  static const gint32 priorities[] = { 5, -1, 0, 9, 9, 9 };
  g_autoptr (GobanPlan) plan = goban_plan_new (fixture->graph, 2);
  g_autoptr (GobanPlan) again = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_assert_cmpuint (goban_plan_get_n_tensors (plan), <=, G_N_ELEMENTS (priorities));
  goban_plan_set_transfer_priorities (plan, priorities);
  goban_plan_set_proven_bound_us (plan, fixture->costs, 12.5);
  g_assert_true (goban_plan_save (plan, fixture->costs, fixture->path, &error));
  text = read_text (fixture->path);
  g_assert_nonnull (strstr (text, "\"priority\": 0, \"transfers\": [5"));
  g_assert_nonnull (strstr (text, "\"proven_bound_us\": 12.5,"));
  again = goban_plan_load (fixture->path, fixture->costs, &error);
  g_assert_no_error (error);
  assert_same (plan, again, fixture->costs);
  g_assert_cmpfloat (goban_plan_get_proven_bound_us (again, fixture->costs), ==, 12.5);
}

/* What was proven of one cluster, model and times says nothing of another, whether the plan is read
 * from a file or simulated again. */
static void
test_forgets_a_proof_elsewhere (Fixture *fixture, gconstpointer user_data)
{
  static const double times_us[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
  GobanCluster *cluster = goban_cost_model_get_cluster (fixture->costs);
  guint n_nodes = goban_graph_get_n_nodes (fixture->graph);
  g_autoptr (GobanGivenTimes) times = goban_given_times_new ("gpu", times_us, n_nodes);
  g_autoptr (GobanCostModel) faster = make_costs (fixture->graph, "v100x8");
  g_autoptr (GobanCostModel) free_links
      = goban_cost_model_new (fixture->graph, cluster, GOBAN_EXECUTION_CONTENTION_FREE);
  g_autoptr (GobanCostModel) measured
      = goban_cost_model_new_given (fixture->graph, cluster, GOBAN_EXECUTION_EVENTS, times);
  GobanCostModel *const others[] = { faster, free_links, measured };
  g_autoptr (GobanPlan) plan = goban_plan_new (fixture->graph, 2);
  g_autoptr (GobanPlan) copy = NULL;

  g_assert_cmpuint (n_nodes, <=, G_N_ELEMENTS (times_us));
  goban_plan_set_proven_bound_us (plan, fixture->costs, 12.5);
  copy = goban_plan_copy (plan);
  g_assert_true (goban_plan_save (plan, fixture->costs, fixture->path, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanPlan) again = goban_plan_load (fixture->path, others[i], &error);

      g_assert_no_error (error);
      g_assert_cmpfloat (goban_plan_get_proven_bound_us (again, others[i]), ==, 0);
      g_assert_cmpfloat (goban_plan_get_proven_bound_us (copy, others[i]), ==, 0);
    }
  g_assert_cmpfloat (goban_plan_get_proven_bound_us (copy, fixture->costs), ==, 12.5);
  goban_plan_set_proven_bound_us (plan, NULL, 0);
  g_assert_cmpfloat (goban_plan_get_proven_bound_us (plan, fixture->costs), ==, 0);
  g_assert_cmpfloat (goban_plan_get_proven_bound_us (copy, fixture->costs), ==, 12.5);
}

static void
test_round_trips (Fixture *fixture, gconstpointer user_data)
{
  GobanRng rng;

  goban_rng_init (&rng, 8);
  for (guint round = 0; round < 20; round++)
    {
      GraphGen gen = graph_gen_small (goban_rng_below (&rng, 50));
      g_autoptr (GobanGraph) graph = graph_gen_new (&gen, round);
      g_autoptr (GobanCostModel) costs = make_costs (graph, "p100x8");
      g_autoptr (GobanPlan) plan = goban_plan_new (graph, 8);
      g_autoptr (GobanPlan) again = NULL;
      g_autoptr (GError) error = NULL;

      for (GobanNodeId v = 0; v < gen.n_nodes; v++)
        {
          goban_plan_set_device (plan, v, (GobanDeviceId) goban_rng_below (&rng, 8));
          goban_plan_set_priority (plan, v, (gint32) (guint32) goban_rng_next (&rng));
          goban_plan_set_fusion (plan, v, (gint32) goban_rng_below (&rng, 4) - 1);
        }
      if (round % 4 == 1)
        give_transfers (plan, &rng);
      if (round % 5 == 2)
        goban_plan_set_proven_bound_us (plan, costs, round / 3.0);
      goban_plan_set_order (plan, (GobanOrder) (round % 2));
      goban_plan_set_policy (plan, round % 3 == 0 ? "" : "heft");
      g_assert_true (goban_plan_save (plan, costs, fixture->path, &error));
      again = goban_plan_load (fixture->path, costs, &error);
      g_assert_no_error (error);
      assert_same (plan, again, costs);
    }
}

/* The names are the same, the times are not: the plan may be tried. */
static void
test_loads_for_a_like_graph (Fixture *fixture, gconstpointer user_data)
{
  GraphGen gen = { .n_nodes = 3, .max_time_us = 100 };
  g_autoptr (GobanGraph) other = graph_gen_new (&gen, 2);
  g_autoptr (GobanCostModel) costs = make_costs (other, "p100x4");
  g_autoptr (GobanPlan) plan = goban_plan_new (fixture->graph, 2);
  g_autoptr (GobanPlan) again = NULL;
  g_autoptr (GError) error = NULL;

  goban_plan_set_device (plan, 2, 1);
  g_assert_cmpuint (goban_graph_get_hash (other), !=, goban_graph_get_hash (fixture->graph));
  g_assert_true (goban_plan_save (plan, fixture->costs, fixture->path, &error));
  again = goban_plan_load (fixture->path, costs, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (goban_plan_get_graph_hash (again), ==, goban_graph_get_hash (other));
  g_assert_cmpuint (goban_plan_get_n_devices (again), ==, 4);
  g_assert_cmpuint (goban_plan_get_device (again, 2), ==, 1);
  g_assert_true (goban_plan_check (again, costs, &error));
}

#define HEAD "{ \"goban_plan\": 1, \"nodes\": "
#define REST ", { \"node\": \"n1\" }, { \"node\": \"n2\" }] }"

static void
test_refuses_bad_files (Fixture *fixture, gconstpointer user_data)
{
  static const struct
  {
    const char *json;
    GobanError code;
    const char *message; /* behind "path:" */
  } cases[] = {
    { "", GOBAN_ERROR_PARSE, " the file is empty" },
    { "{ \"goban_plan\": 1,\n \"nodes\": [ }", GOBAN_ERROR_PARSE,
      "2:13: unexpected “}”; a value is expected" },
    { "[]", GOBAN_ERROR_PARSE, "1: the top level is a list: an object is needed" },
    { "{}", GOBAN_ERROR_PARSE, "1: this is not a plan: it has no \"goban_plan\": 1" },
    { "{ \"goban_plan\": \"1\" }", GOBAN_ERROR_PARSE,
      "1: goban_plan is “1”: a whole number is needed" },
    { "{ \"goban_plan\": 2 }", GOBAN_ERROR_PARSE,
      "1: this plan is of version 2; only version 1 is known" },
    { "{ \"goban_plan\": 1, \"oder\": 1 }", GOBAN_ERROR_PARSE,
      "1: oder is not known: did you mean order?" },
    { "{ \"goban_plan\": 1, \"size\": 1 }", GOBAN_ERROR_PARSE,
      "1: size is not known; known are goban_plan, graph, graph_hash, n_nodes, cluster, devices, "
      "policy, order, proven_bound_us, proven_for, nodes" },
    { "{ \"goban_plan\": 1, \"order\": \"lifo\", \"nodes\": [] }", GOBAN_ERROR_PARSE,
      "1: order is “lifo”: one of fifo, priority is needed" },
    { "{ \"goban_plan\": 1, \"policy\": 3, \"nodes\": [] }", GOBAN_ERROR_PARSE,
      "1: policy is 3: a text is needed" },
    { "{ \"goban_plan\": 1 }", GOBAN_ERROR_PARSE, "1: nodes is missing" },
    { HEAD "3 }", GOBAN_ERROR_PARSE, "1: nodes is 3: a list is needed" },
    { HEAD "[3] }", GOBAN_ERROR_PARSE, "1: nodes[0] is 3: an object is needed" },
    { HEAD "[{}] }", GOBAN_ERROR_PARSE, "1: nodes[0].node is missing" },
    { HEAD "[{ \"node\": null }] }", GOBAN_ERROR_PARSE, "1: nodes[0].node is missing" },
    { HEAD "[{ \"node\": \"n0\", \"dev\": 1 }] }", GOBAN_ERROR_PARSE,
      "1: nodes[0].dev is not known; known are node, device, priority, fusion, transfers" },
    { HEAD "[{ \"node\": \"n0\", \"device\": 1 }] }", GOBAN_ERROR_PARSE,
      "1: nodes[0].device is 1: a text is needed" },
    { HEAD "[{ \"node\": \"n0\", \"device\": \"gpu:2\" }] }", GOBAN_ERROR_INVALID,
      "1: nodes[0].device: cluster “p100x2” has no device “gpu:2”" },
    { HEAD "[{ \"node\": \"n0\", \"priority\": 1.5 }] }", GOBAN_ERROR_PARSE,
      "1: nodes[0].priority is 1.5: a whole number from -2147483648 to 2147483647 is needed" },
    { HEAD "[{ \"node\": \"n0\", \"priority\": 2147483648 }] }", GOBAN_ERROR_PARSE,
      "1: nodes[0].priority is 2147483648: a whole number from -2147483648 to 2147483647 is "
      "needed" },
    { HEAD "[{ \"node\": \"n0\", \"fusion\": -2 }] }", GOBAN_ERROR_PARSE,
      "1: nodes[0].fusion is -2: a whole number from -1 to 2147483647 is needed" },
    { "{ \"goban_plan\": 1, \"proven_bound_us\": \"12\", \"nodes\": [] }", GOBAN_ERROR_PARSE,
      "1: proven_bound_us is “12”: a number of at least 0 is needed" },
    { "{ \"goban_plan\": 1, \"proven_bound_us\": -1, \"nodes\": [] }", GOBAN_ERROR_PARSE,
      "1: proven_bound_us is -1: a number of at least 0 is needed" },
    { HEAD "[{ \"node\": \"n0\", \"transfers\": 1 }] }", GOBAN_ERROR_PARSE,
      "1: nodes[0].transfers is 1: a list is needed" },
    { HEAD "[{ \"node\": \"n0\", \"transfers\": [] }] }", GOBAN_ERROR_INVALID,
      "1: nodes[0].transfers: 0 priorities are given, but node “n0” has 1 output" },
    { HEAD "[{ \"node\": \"n0\", \"transfers\": [true] }] }", GOBAN_ERROR_PARSE,
      "1: nodes[0].transfers[0] is true: a whole number from -2147483648 to 2147483647 is needed" },
    { HEAD "[{ \"node\": \"n0\", \"transfers\": [-2147483649] }] }", GOBAN_ERROR_PARSE,
      "1: nodes[0].transfers[0] is -2147483649: a whole number from -2147483648 to 2147483647 is "
      "needed" },
    { HEAD "[{ \"node\": \"n0\", \"transfers\": [1] }" REST, GOBAN_ERROR_INVALID,
      " some nodes list priorities of their transfers, but node “n1” does not" },
    { HEAD "[{ \"node\": \"n2\" }" REST, GOBAN_ERROR_PARSE,
      "1: nodes[2]: node “n2” is listed twice" },
    { HEAD "[{ \"node\": \"n2\" }] }", GOBAN_ERROR_INVALID,
      " the plan leaves out 2 of the 3 nodes of graph “random”, the first is “n0”" },
    { HEAD "[{ \"node\": \"x\" }, { \"node\": \"n0\" }, { \"node\": \"y\" }" REST,
      GOBAN_ERROR_INVALID, " graph “random” lacks 2 of the plan's nodes, the first is “x”" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *message = g_strconcat (fixture->path, ":", cases[i].message, NULL);

      g_assert_true (
          goban_file_write (fixture->path, cases[i].json, strlen (cases[i].json), &error));
      g_assert_null (goban_plan_load (fixture->path, fixture->costs, &error));
      g_assert_error (error, GOBAN_ERROR, (int) cases[i].code);
      g_assert_cmpstr (error->message, ==, message);
    }
}

static void
test_refuses_truncated_files (Fixture *fixture, gconstpointer user_data)
{
  g_autoptr (GobanPlan) plan = goban_plan_new (fixture->graph, 2);
  g_autofree char *text = NULL;
  gsize length;

  g_assert_true (goban_plan_save (plan, fixture->costs, fixture->path, NULL));
  text = read_text (fixture->path);
  length = strlen (text) - strlen ("}\n");
  for (gsize n = 0; n <= length; n += 3)
    {
      g_autoptr (GError) error = NULL;

      g_assert_true (g_file_set_contents (fixture->path, text, (gssize) n, NULL));
      g_assert_null (goban_plan_load (fixture->path, fixture->costs, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE);
    }
}

static void
test_refuses_bad_paths (Fixture *fixture, gconstpointer user_data)
{
  g_autoptr (GobanPlan) plan = goban_plan_new (fixture->graph, 2);
  g_autoptr (GError) error = NULL;
  g_autofree char *nowhere = g_build_filename (fixture->folder, "no", "plan.json", NULL);

  g_assert_null (goban_plan_load (nowhere, fixture->costs, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_IO);
  g_clear_error (&error);
  g_assert_false (goban_plan_save (plan, fixture->costs, nowhere, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_IO);
}

/* A plan that has no names to be written by leaves the old file as it was. */
static void
test_failure_keeps_the_old_file (Fixture *fixture, gconstpointer user_data)
{
  GraphGen gen = { .n_nodes = 4 };
  g_autoptr (GobanGraph) other = graph_gen_new (&gen, 1);
  g_autoptr (GobanPlan) plan = goban_plan_new (fixture->graph, 2);
  g_autoptr (GobanPlan) wide = goban_plan_new (fixture->graph, 3);
  g_autoptr (GobanPlan) strange = goban_plan_new (other, 2);
  g_autoptr (GError) error = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autofree char *message = NULL;

  goban_plan_set_device (wide, 1, 2);
  g_assert_true (goban_plan_save (plan, fixture->costs, fixture->path, NULL));
  before = read_text (fixture->path);

  g_assert_false (goban_plan_save (strange, fixture->costs, fixture->path, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_false (goban_plan_save (wide, fixture->costs, fixture->path, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  message = g_strdup_printf (
      "%s: not written: node “n1” is on device 2, but the cluster has only 2", fixture->path);
  g_assert_cmpstr (error->message, ==, message);

  after = read_text (fixture->path);
  g_assert_cmpstr (before, ==, after);
}

static void
test_odd_names (Fixture *fixture, gconstpointer user_data)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("a \"b\"", "test");
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanPlan) again = NULL;
  g_autoptr (GError) error = NULL;

  goban_graph_builder_add_node (builder, "a\\b/\"c\"\n\t\x01\x7f é [", "Op");
  goban_graph_builder_add_node (builder, "// no comment", "Op");
  graph = goban_graph_builder_finish (builder, NULL, &error);
  costs = make_costs (graph, "p100x2");
  plan = goban_plan_new (graph, 2);
  goban_plan_set_device (plan, 0, 1);
  g_assert_true (goban_plan_save (plan, costs, fixture->path, &error));
  again = goban_plan_load (fixture->path, costs, &error);
  g_assert_no_error (error);
  assert_same (plan, again, fixture->costs);
}

static void
add (const char *path, void (*test) (Fixture *fixture, gconstpointer user_data))
{
  g_test_add (path, Fixture, NULL, set_up, test, tear_down);
}

TEST_PROGRAM (plan_file)
{
  g_test_init (&argc, &argv, NULL);
  add ("/plan-file/writes/a-line-a-node", test_writes_a_line_a_node);
  add ("/plan-file/round-trip/random-plans", test_round_trips);
  add ("/plan-file/round-trip/odd-names", test_odd_names);
  add ("/plan-file/writes/transfers-and-proof", test_writes_transfers_and_proof);
  add ("/plan-file/proof/forgotten-elsewhere", test_forgets_a_proof_elsewhere);
  add ("/plan-file/loads/for-a-like-graph", test_loads_for_a_like_graph);
  add ("/plan-file/refuses/bad-files", test_refuses_bad_files);
  add ("/plan-file/refuses/truncated-files", test_refuses_truncated_files);
  add ("/plan-file/refuses/bad-paths", test_refuses_bad_paths);
  add ("/plan-file/failure/keeps-the-old-file", test_failure_keeps_the_old_file);
  return g_test_run ();
}
