/* Defining properties of the simple policies: single, tf-default, random, round-robin and
 * m-topo. */
#include "engine/core/error.h"
#include "engine/graph/file-devices.h"
#include "engine/learn/roster.h"
#include "engine/machine/plan/plan-diff.h"
#include "engine/placers/coplacement.h"
#include "engine/placers/placer.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

/* "0 1 1": the devices of all nodes in order. */
static void
assert_devices (const GobanPlan *plan, const char *expected)
{
  g_autoptr (GString) actual = g_string_new (NULL);

  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
    g_string_append_printf (actual, v > 0 ? " %u" : "%u", goban_plan_get_device (plan, v));
  g_assert_cmpstr (actual->str, ==, expected);
}

#define CPU(name, memory) TOY_DEVICE (name, "cpu", memory)
#define GPU(name, memory) TOY_DEVICE (name, "gpu", memory)
#define CLUSTER(devices)                                                                           \
  "{ \"devices\": [" devices "], \"all_pairs\": { \"bandwidth\": \"1 GB/s\" } }"

/* --- single ------------------------------------------------------------------------- */

typedef struct
{
  double gpu_us;
  double cpu_us;
  double param_bytes;
} Task;

static GobanGraph *
new_tasks (const Task *tasks, guint n_tasks)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("tasks", "test");

  for (guint v = 0; v < n_tasks; v++)
    {
      goban_graph_builder_add_node (builder, "", "Task");
      goban_graph_builder_get_node (builder, v)->param_bytes = tasks[v].param_bytes;
      goban_graph_builder_set_time (builder, v, "gpu", tasks[v].gpu_us, GOBAN_SOURCE_GIVEN);
      goban_graph_builder_set_time (builder, v, "cpu", tasks[v].cpu_us, GOBAN_SOURCE_GIVEN);
    }
  return toy_finish (builder);
}

static void
test_single (void)
{
  static const Task fast_gpu[] = { { 1, 9, 50 }, { 9, 1, 50 }, { 1, 9, 50 } };
  static const Task no_gpu[] = { { 1, 9, 50 }, { (double) INFINITY, 1, 50 }, { 1, 9, 50 } };
  static const Task split[]
      = { { 1, (double) INFINITY, 1 }, { (double) INFINITY, 1, 1 }, { 1, 5, 1 } };
  static const char roomy[]
      = CLUSTER (CPU ("c", "1000") "," GPU ("a", "1000") "," GPU ("b", "1000"));
  static const char small_first[] = CLUSTER (GPU ("a", "100") "," CPU ("c", "1000"));
  static const char tight[] = CLUSTER (CPU ("c", "1000") "," GPU ("a", "100") "," GPU ("b", "149"));
  static const struct
  {
    const Task *tasks;
    const char *cluster;
    const char *devices;
  } cases[] = {
    { fast_gpu, roomy, "1 1 1" }, /* 11 us against 19 */
    { fast_gpu, tight, "0 0 0" }, /* no GPU holds 150 bytes */
    { fast_gpu, small_first, "1 1 1" },
    { no_gpu, roomy, "0 0 0" }, /* only the CPU runs everything */
    { split, roomy, "1 0 1" },  /* nobody does: 3 us against 7 */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GobanGraph) graph = new_tasks (cases[i].tasks, 3);
      g_autoptr (GobanCostModel) costs = toy_costs (graph, cases[i].cluster);
      g_autoptr (GobanPlan) plan = toy_place (costs, "single", 0);

      assert_devices (plan, cases[i].devices);
      g_assert_cmpint (goban_plan_get_order (plan), ==, GOBAN_ORDER_FIFO);
    }
}

/* A chain of two whose parameters fit where their outputs do not. */
static void
test_single_counts_outputs (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("outputs", "test");
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanPlan) plan = NULL;

  for (guint v = 0; v < 2; v++)
    {
      goban_graph_builder_add_node (builder, "", "Task");
      goban_graph_builder_get_node (builder, v)->param_bytes = 40;
      goban_graph_builder_set_time (builder, v, "gpu", 1, GOBAN_SOURCE_GIVEN);
      goban_graph_builder_set_time (builder, v, "cpu", 9, GOBAN_SOURCE_GIVEN);
    }
  goban_graph_builder_add_edge (builder, goban_graph_builder_add_tensor (builder, 0, 30), 1);
  graph = toy_finish (builder);
  costs = toy_costs (graph, CLUSTER (GPU ("a", "100") "," CPU ("c", "1000")));
  plan = toy_place (costs, "single", 0);
  assert_devices (plan, "1 1");
}

/* --- tf-default ------------------------------------------------------------------------ */

static guint32
add_op (GobanGraphBuilder *builder, const char *op, gboolean on_gpu, gboolean on_cpu)
{
  guint32 node = goban_graph_builder_add_node (builder, "", op);

  goban_graph_builder_set_time (builder, node, "gpu", on_gpu ? 1 : (double) INFINITY,
                                GOBAN_SOURCE_GIVEN);
  goban_graph_builder_set_time (builder, node, "cpu", on_cpu ? 1 : (double) INFINITY,
                                GOBAN_SOURCE_GIVEN);
  return node;
}

static guint32
connect (GobanGraphBuilder *builder, guint32 tail, guint32 head)
{
  guint32 tensor = goban_graph_builder_add_tensor (builder, tail, 1);

  goban_graph_builder_add_edge (builder, tensor, head);
  return tensor;
}

/* Devices: 0 a CPU, 1 and 2 GPUs. */
static void
test_tf_default (void)
{
  g_autoptr (GobanGraphBuilder) b = goban_graph_builder_new ("tf", "test");
  guint32 constant = add_op (b, "Const", TRUE, TRUE);      /* 0: only the decoder reads it */
  guint32 shared = add_op (b, "Const", TRUE, TRUE);        /* 1: decoder and product read it */
  guint32 decoder = add_op (b, "DecodeJpeg", FALSE, TRUE); /* 2 */
  guint32 shape = add_op (b, "Shape", TRUE, TRUE);         /* 3: of the decoder's output */
  guint32 product = add_op (b, "MatMul", TRUE, TRUE);      /* 4 */
  guint32 size = add_op (b, "Size", FALSE, TRUE);          /* 5: cannot stay with its input */
  guint32 left = add_op (b, "Add", TRUE, TRUE);            /* 6: in a group with the next */
  guint32 right = add_op (b, "Print", FALSE, TRUE);        /* 7 */
  guint32 from_shared;
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanPlan) plan = NULL;

  connect (b, constant, decoder);
  from_shared = connect (b, shared, decoder);
  goban_graph_builder_add_edge (b, from_shared, product);
  connect (b, decoder, shape);
  connect (b, decoder, product);
  connect (b, product, size);
  connect (b, product, left);
  connect (b, left, right);
  goban_graph_builder_set_group (b, left, 1);
  goban_graph_builder_set_group (b, right, 1);
  graph = toy_finish (b);
  costs
      = toy_costs (graph, CLUSTER (CPU ("c", "1000") "," GPU ("a", "1000") "," GPU ("b", "1000")));

  plan = toy_place (costs, "tf-default", 0);
  assert_devices (plan, "0 1 0 0 1 0 0 0");
  g_assert_cmpint (goban_plan_get_order (plan), ==, GOBAN_ORDER_FIFO);
}

/* A device of the file is kept, and its group follows; what cannot be kept is an error. */
static void
test_tf_default_keeps (void)
{
  static const char cluster[]
      = CLUSTER (CPU ("c", "1000") "," GPU ("a", "1000") "," GPU ("b", "1000"));
  static const struct
  {
    const char *first, *second; /* of the file */
    const char *devices;        /* or NULL */
    const char *message;
  } cases[] = {
    { "gpu:1", "", "2 2 1", NULL },
    { "", "GPU:1", "2 2 1", NULL },
    { "gpu:1", "gpu:1", "2 2 1", NULL },
    { "", "", "1 1 1", NULL },
    { "gpu:1", "gpu:0", NULL, "another one of its colocation group on b" },
    { "gpu:2", "", NULL, "node “node” on gpu:2, which the cluster" },
    { "/job:ps", "", NULL, "on /job:ps, which the cluster" },
    { "cpu:0", "", NULL, "on cpu:0, which cannot run it or its group" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GobanGraphBuilder) b = goban_graph_builder_new ("tf", "test");
      g_autoptr (GobanGraph) graph = NULL;
      g_autoptr (GobanCostModel) costs = NULL;
      g_autoptr (GobanPlan) plan = NULL;
      g_autoptr (GError) error = NULL;

      for (guint v = 0; v < 3; v++)
        add_op (b, "MatMul", TRUE, v == 2);
      goban_graph_builder_set_group (b, 0, 1);
      goban_graph_builder_set_group (b, 1, 1);
      if (*cases[i].first != '\0')
        goban_graph_builder_set_file_device (b, 0, cases[i].first);
      if (*cases[i].second != '\0')
        goban_graph_builder_set_file_device (b, 1, cases[i].second);
      graph = toy_finish (b);
      costs = toy_costs (graph, cluster);
      plan = goban_placer_place (goban_roster_find ("tf-default", NULL), costs, NULL, NULL, &error);
      g_assert_true ((plan != NULL) == (cases[i].devices != NULL));
      if (plan != NULL)
        assert_devices (plan, cases[i].devices);
      else
        {
          g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
          g_assert_nonnull (strstr (error->message, cases[i].message));
        }
    }
}

/* --- random and round-robin ----------------------------------------------------------- */

static GobanGraph *
new_free_nodes (guint n_nodes)
{
  GraphGen gen = graph_gen_small (n_nodes);

  gen.group_share = 0;
  return graph_gen_new (&gen, 1);
}

static void
test_random_by_seed (void)
{
  g_autoptr (GobanGraph) graph = new_free_nodes (400);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:4");
  g_autoptr (GobanPlan) plan = toy_place (costs, "random", 1);
  g_autoptr (GobanPlan) same = toy_place (costs, "random", 1);
  g_autoptr (GobanPlan) other = toy_place (costs, "random", 2);
  g_autoptr (GobanPlanDiff) none = goban_plan_diff (plan, same);
  g_autoptr (GobanPlanDiff) many = goban_plan_diff (plan, other);
  guint n_on_device[4] = { 0 };

  g_assert_cmpuint (none->n_moved, ==, 0);
  /* Three of four nodes move, give or take. */
  g_assert_cmpuint (many->n_moved, >, 250);
  g_assert_cmpuint (many->n_moved, <, 350);
  for (GobanNodeId v = 0; v < 400; v++)
    n_on_device[goban_plan_get_device (plan, v)]++;
  for (guint d = 0; d < 4; d++)
    {
      g_assert_cmpuint (n_on_device[d], >, 70);
      g_assert_cmpuint (n_on_device[d], <, 130);
    }
}

static void
test_round_robin (void)
{
  static const Task tasks[] = { { 1, 1, 0 }, { 1, 1, 0 }, { (double) INFINITY, 1, 0 },
                                { 1, 1, 0 }, { 1, 1, 0 }, { 1, 1, 0 } };
  g_autoptr (GobanGraph) graph = new_tasks (tasks, G_N_ELEMENTS (tasks));
  g_autoptr (GobanCostModel) costs
      = toy_costs (graph, CLUSTER (CPU ("c", "1") "," GPU ("a", "1") "," GPU ("b", "1")));
  g_autoptr (GobanPlan) plan = toy_place (costs, "round-robin", 0);

  /* The third cannot run on b and takes c's turn. */
  assert_devices (plan, "0 1 0 1 2 0");
}

/* --- m-topo --------------------------------------------------------------------------- */

static double
unit_bytes (const GobanUnits *units, guint32 unit)
{
  return units->param_bytes[unit] + units->output_bytes[unit];
}

static void
test_m_topo_cap (void)
{
  for (guint i = 0; i < 100; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanGraph) graph = new_free_nodes (60 + i);
      g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:5");
      g_autoptr (GobanUnits) units
          = goban_units_new_coplaced (costs, GOBAN_COPLACE_READERS, &error);
      g_autoptr (GobanPlan) plan = toy_place (costs, "m-topo", 0);
      double used_bytes[5] = { 0 };
      double total_bytes = 0;
      double largest_bytes = 0;
      guint last = 0;

      g_assert_no_error (error);
      for (guint32 u = 0; u < units->n_units; u++)
        {
          guint device = goban_plan_get_device (plan, units->nodes[units->offsets[u]]);

          used_bytes[device] += unit_bytes (units, u);
          total_bytes += unit_bytes (units, u);
          largest_bytes = MAX (largest_bytes, unit_bytes (units, u));
          /* Devices are filled one after another, in topological order. */
          g_assert_cmpuint (device, >=, last);
          last = device;
          for (guint k = units->offsets[u]; k < units->offsets[u + 1]; k++)
            g_assert_cmpuint (goban_plan_get_device (plan, units->nodes[k]), ==, device);
        }
      for (guint d = 0; d < 5; d++)
        g_assert_cmpfloat (used_bytes[d], <=, total_bytes / 5 + largest_bytes);
    }
}

static void
test_m_topo_memory (void)
{
  static const Task tasks[]
      = { { 1, 1, 40 }, { 1, 1, 40 }, { 1, 1, 40 }, { 1, 1, 40 }, { 1, 1, 40 }, { 1, 1, 40 } };
  g_autoptr (GobanGraph) graph = new_tasks (tasks, G_N_ELEMENTS (tasks));
  g_autoptr (GobanCostModel) small_first
      = toy_costs (graph, CLUSTER (GPU ("a", "50") "," GPU ("b", "1000") "," GPU ("c", "90")));
  g_autoptr (GobanCostModel) small_last
      = toy_costs (graph, CLUSTER (GPU ("a", "1000") "," GPU ("b", "50") "," GPU ("c", "50")));
  g_autoptr (GobanPlan) first = toy_place (small_first, "m-topo", 0);
  g_autoptr (GobanPlan) last = toy_place (small_last, "m-topo", 0);

  /* The cap is 240 / 3 + 40 = 120. */
  assert_devices (first, "0 1 1 1 2 2");
  /* The last one fits under the cap nowhere: beyond it, but within memory. */
  assert_devices (last, "0 0 0 1 2 0");
}

TEST_PROGRAM (baselines)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/baselines/single", test_single);
  g_test_add_func ("/baselines/single-counts-outputs", test_single_counts_outputs);
  g_test_add_func ("/baselines/tf-default", test_tf_default);
  g_test_add_func ("/baselines/random-by-seed", test_random_by_seed);
  g_test_add_func ("/baselines/tf-default/keeps", test_tf_default_keeps);
  g_test_add_func ("/baselines/round-robin", test_round_robin);
  g_test_add_func ("/baselines/m-topo/cap", test_m_topo_cap);
  g_test_add_func ("/baselines/m-topo/memory", test_m_topo_memory);
  return g_test_run ();
}
