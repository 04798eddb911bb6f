/* The rule of each family, on small graphs with the names its generator gives. */
#include "engine/graph/graph-builder.h"
#include "engine/graph/training.h"
#include "engine/graph/workloads/workload.h"
#include "engine/placers/policies.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

/* Ops in a row; '@' marks backward ops, '!' updates. All take 1 us but for those said below. */
static GobanGraph *
new_row (const char *const *names)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("row", "test");
  g_autoptr (GError) error = NULL;
  guint32 tensor = 0;
  GobanGraph *graph;

  for (guint v = 0; names[v] != NULL; v++)
    {
      GobanPhase phase = GOBAN_PHASE_FORWARD;
      const char *name = names[v];

      if (name[0] == '@' || name[0] == '!')
        phase = *name++ == '@' ? GOBAN_PHASE_BACKWARD : GOBAN_PHASE_UPDATE;
      goban_graph_builder_add_node (builder, name, "Op");
      goban_graph_builder_get_node (builder, v)->phase = phase;
      goban_graph_builder_set_time (builder, v, GOBAN_ANY_KIND, 1, GOBAN_SOURCE_GIVEN);
      if (v > 0)
        goban_graph_builder_add_edge (builder, tensor, v);
      tensor = goban_graph_builder_add_tensor (builder, v, 1);
    }
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  return graph;
}

/* The devices of all nodes, a digit each. */
static char *
place_row (const char *const *names, const char *cluster)
{
  g_autoptr (GobanGraph) graph = new_row (names);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, cluster);
  g_autoptr (GobanPlan) plan = toy_place (costs, "expert", 0);
  GString *devices = g_string_new (NULL);

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    g_string_append_printf (devices, "%u", goban_plan_get_device (plan, v));
  return g_string_free (devices, FALSE);
}

typedef struct
{
  const char *what;
  const char *cluster;
  const char *devices;
  const char *names[20];
} Case;

static const Case cases[] = {
  { "rnnlm",
    "equal:2",
    "00110010",
    { "embedding/Gather", "layer_0/step_0/MatMul", "layer_1/step_0/MatMul", "softmax/MatMul",
      "@gradients/layer_0/step_0/MatMul_grad/MatMul", "@gradients/embedding/Gather_grad",
      "!optimizer/softmax/weights/Assign", "!optimizer/layer_0/kernel/Assign" } },
  { "rnnlm-counted-from-one",
    "equal:2",
    "0011",
    { "embedding/Gather", "layer_1/step_1/Add", "layer_2/step_1/Add", "loss/Sum" } },
  { "rnnlm-idle-gpus",
    "equal:4",
    "0011",
    { "embedding/Gather", "layer_0/step_0/Add", "layer_1/step_0/Add", "loss/Sum" } },
  { "rnnlm-two-layers-each",
    "equal:2",
    "00011",
    { "embedding/G", "layer_0/step_0/A", "layer_1/step_0/A", "layer_2/step_0/A",
      "layer_3/step_0/A" } },
  { "rnnlm-five-layers-on-three",
    "equal:3",
    "00112",
    { "layer_0/step_0/A", "layer_1/step_0/A", "layer_2/step_0/A", "layer_3/step_0/A",
      "layer_4/step_0/A" } },
  { "gnmt",
    "equal:2",
    "00101111",
    { "encoder/embedding/G", "encoder/layer_0/step_0/A", "encoder/layer_1/step_0/A",
      "decoder/layer_0/step_0/A", "decoder/attention/step_0/MatMul",
      "decoder/layer_0/step_0/attention/MatMul", "decoder/layer_1/step_0/A", "softmax/MatMul" } },
  { "transformer-xl",
    "equal:2",
    "0001101",
    { "embedding/G", "layer_0/attention/MatMul", "layer_1/ff/MatMul", "layer_2/attention/MatMul",
      "layer_3/ff/MatMul", "@gradients/layer_1/ff/MatMul_grad/MatMul", "softmax/MatMul" } },
  { "transformer-xl-with-ops-named-stack",
    "equal:2",
    "001",
    { "transformer/layer_1/segment_1/stack_1", "transformer/layer_1/stack_2/split",
      "transformer/layer_2/segment_1/stack_1" } },
  { "transformer-xl-three-layers",
    "equal:2",
    "001",
    { "layer_0/ff/A", "layer_1/ff/A", "layer_2/ff/A" } },
  { "wavenet",
    "equal:2",
    "0001110",
    { "causal/Conv2D", "stack_0/layer_0/A", "stack_0/layer_1/A", "stack_1/layer_0/A",
      "stack_1/layer_1/A", "post/Conv2D", "@gradients/stack_0/layer_1/A_grad/Mul" } },
  { "wavenet-halves",
    "equal:4",
    "00012233",
    { "causal/Conv2D", "stack_0/layer_0/A", "stack_0/layer_1/A", "stack_0/layer_2/A",
      "stack_1/layer_0/A", "stack_1/layer_1/A", "stack_1/layer_2/A", "post/Conv2D" } },
  { "wavenet-three-gpus",
    "equal:3",
    "0011",
    { "stack_0/layer_0/A", "stack_0/layer_1/A", "stack_1/layer_0/A", "stack_1/layer_1/A" } },
  { "wavenet-many-stacks",
    "equal:2",
    "0011",
    { "stack_0/layer_0/A", "stack_1/layer_0/A", "stack_2/layer_0/A", "stack_3/layer_0/A" } },
  { "inception",
    "equal:2",
    "0001110",
    { "conv_1a/A", "mixed_5b/branch_0/A", "mixed_5b/branch_1/A", "mixed_5c/branch_0/A", "logits/A",
      "@gradients/logits/A_grad/A", "@gradients/mixed_5b/branch_0/A_grad/A" } },
  { "amoebanet", "equal:2", "0011", { "stem/A", "cell_0/A", "cell_1/A", "!optimizer/cell_1/A" } },
  { "training-of-a-file",
    "equal:2",
    "001110",
    { "a", "b", "c", "@grad/c", "@grad/b/part", "@grad/a" } },
  { "unknown", "equal:3", "001122", { "a", "b", "c", "d", "e", "f" } },
  { "nothing-to-cut", "equal:3", "0", { "a" } },
};

static void
test_rule (gconstpointer data)
{
  const Case *row = data;
  g_autofree char *devices = place_row (row->names, row->cluster);

  g_assert_cmpstr (devices, ==, row->devices);
}

/* GPUs before the CPU takes part; the CPU alone where there is nothing else. */
static void
test_cpu_stays_out (void)
{
  static const char *const names[] = { "a", "b", "c", "d", NULL };
  static const char cpu_first[]
      = "{ \"devices\": [ { \"name\": \"c\", \"kind\": \"cpu\", \"tflops\": 1,"
        " \"memory_bandwidth\": \"1 GB/s\", \"memory\": \"1 GB\" },"
        " { \"name\": \"g\", \"kind\": \"gpu\", \"tflops\": 1,"
        " \"memory_bandwidth\": \"1 GB/s\", \"memory\": \"1 GB\" },"
        " { \"name\": \"h\", \"kind\": \"gpu\", \"tflops\": 1,"
        " \"memory_bandwidth\": \"1 GB/s\", \"memory\": \"1 GB\" } ],"
        " \"all_pairs\": { \"bandwidth\": \"1 GB/s\" } }";
  static const char cpu_only[]
      = "{ \"devices\": [ { \"name\": \"c\", \"kind\": \"cpu\", \"tflops\": 1,"
        " \"memory_bandwidth\": \"1 GB/s\", \"memory\": \"1 GB\" },"
        " { \"name\": \"d\", \"kind\": \"cpu\", \"tflops\": 1,"
        " \"memory_bandwidth\": \"1 GB/s\", \"memory\": \"1 GB\" } ],"
        " \"all_pairs\": { \"bandwidth\": \"1 GB/s\" } }";
  g_autofree char *with_gpus = place_row (names, cpu_first);
  g_autofree char *without = place_row (names, cpu_only);

  g_assert_cmpstr (with_gpus, ==, "1122");
  g_assert_cmpstr (without, ==, "0011");
}

/* A source stays with its first reader, however early its number: weights with their layer. */
static void
test_sources_follow_readers (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("weights", "test");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  static const char *const names[] = { "w0", "w1", "w2", "w3", "a0", "a1", "a2", "a3" };
  static const guint edges[][2]
      = { { 0, 4 }, { 1, 5 }, { 2, 6 }, { 3, 7 }, { 4, 5 }, { 5, 6 }, { 6, 7 } };

  for (guint v = 0; v < G_N_ELEMENTS (names); v++)
    {
      goban_graph_builder_add_node (builder, names[v], "Op");
      goban_graph_builder_set_time (builder, v, GOBAN_ANY_KIND, v < 4 ? 0 : 1, GOBAN_SOURCE_GIVEN);
      goban_graph_builder_add_tensor (builder, v, 1);
    }
  for (guint i = 0; i < G_N_ELEMENTS (edges); i++)
    goban_graph_builder_add_edge (builder, edges[i][0], edges[i][1]);
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);

  costs = toy_costs (graph, "equal:2");
  plan = toy_place (costs, "expert", 0);
  for (guint i = 0; i < 4; i++)
    {
      char weight[] = { 'w', (char) ('0' + i), '\0' };
      char op[] = { 'a', (char) ('0' + i), '\0' };

      g_assert_cmpuint (goban_plan_get_device (plan, goban_graph_find_node (graph, op)), ==, i / 2);
      g_assert_cmpuint (goban_plan_get_device (plan, goban_graph_find_node (graph, weight)), ==,
                        i / 2);
    }
}

/* The longest run of the cut is as short as any contiguous cut's, found by trying them all. */
static void
test_cut_is_balanced (void)
{
  for (guint trial = 0; trial < 200; trial++)
    {
      g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("row", "test");
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanGraph) graph = NULL;
      g_autoptr (GobanCostModel) costs = NULL;
      g_autoptr (GobanPlan) plan = NULL;
      double times_us[9];
      double sums_us[3] = { 0 };
      double best_us = (double) INFINITY;
      guint n = (guint) g_test_rand_int_range (3, 10);

      for (guint v = 0; v < n; v++)
        {
          g_autofree char *name = g_strdup_printf ("mixed_%c/A", 'a' + v);

          times_us[v] = g_test_rand_int_range (0, 20);
          goban_graph_builder_add_node (builder, name, "Op");
          goban_graph_builder_set_time (builder, v, GOBAN_ANY_KIND, times_us[v],
                                        GOBAN_SOURCE_GIVEN);
          goban_graph_builder_add_tensor (builder, v, 1);
          if (v > 0)
            goban_graph_builder_add_edge (builder, v - 1, v);
        }
      graph = goban_graph_builder_finish (builder, NULL, &error);
      g_assert_no_error (error);
      costs = toy_costs (graph, "equal:3");
      plan = toy_place (costs, "expert", 0);

      for (guint v = 0; v < n; v++)
        {
          sums_us[goban_plan_get_device (plan, v)] += times_us[v];
          g_assert_true (v == 0
                         || goban_plan_get_device (plan, v) >= goban_plan_get_device (plan, v - 1));
        }
      for (guint i = 0; i <= n; i++)
        for (guint j = i; j <= n; j++)
          {
            double parts_us[3] = { 0 };

            for (guint v = 0; v < n; v++)
              parts_us[v < i ? 0 : v < j ? 1 : 2] += times_us[v];
            best_us = MIN (best_us, MAX (parts_us[0], MAX (parts_us[1], parts_us[2])));
          }
      g_assert_cmpfloat (MAX (sums_us[0], MAX (sums_us[1], sums_us[2])), ==, best_us);
    }
}

/* What goban_graph_new_training() makes: each grad/ and update/ with its forward op. */
static void
test_backward_with_forward (void)
{
  static const char *const names[] = { "a", "b", "c", "d", "e", NULL };
  g_autoptr (GobanGraph) forward = new_row (names);
  g_autoptr (GError) error = NULL;
  GobanTrainingCosts ratios = goban_training_costs_default ();
  g_autoptr (GobanGraph) graph = goban_graph_new_training (forward, &ratios, &error);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:2");
  g_autoptr (GobanPlan) plan = toy_place (costs, "expert", 0);

  g_assert_no_error (error);
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *grad = g_strconcat ("grad/", names[i], NULL);
      GobanDeviceId device = goban_plan_get_device (plan, goban_graph_find_node (graph, names[i]));
      GobanNodeId backward = goban_graph_find_node (graph, grad);

      /* A row's first op has no input, so nothing to differentiate. */
      g_assert_true (i == 0 || backward != GOBAN_NO_NODE);
      g_assert_cmpuint (device, ==, i < 3 ? 0 : 1);
      if (backward != GOBAN_NO_NODE)
        g_assert_cmpuint (goban_plan_get_device (plan, backward), ==, device);
    }
}

/* --- generated graphs ---------------------------------------------------- */

typedef struct
{
  const char *spec;
  const char *cluster;
  const char *stem; /* of the scope that names a device's layer: layer K is on GPU K - 1 */
  double balance;   /* the busiest GPU over the mean, at most */
} Workload;

static const Workload workloads[] = {
  { "rnnlm:layers=4,steps=4", "p100x4", "rnn/layer_", 4 },
  { "gnmt:layers=4,steps=4", "p100x4", "decoder/layer_", 4 },
  { "transformer-xl:layers=4", "p100x4", "transformer/layer_", 1.2 },
  { "wavenet:stacks=4,layers=36", "p100x4", "stack_", 1.1 },
  { "wavenet", "p100x2", "stack_", 1.1 },
  { "inception-v3", "p100x2", NULL, 1.1 },
  { "inception-v3:batch=64", "p100x4", NULL, 1.25 },
  { "amoebanet", "p100x4", NULL, 1.1 },
};

/* The forward op that a backward op is named after: gradients/NAME_grad/... */
static GobanNodeId
find_forward (const GobanGraph *graph, const char *name)
{
  g_autofree char *forward = NULL;
  const char *end;

  if (!g_str_has_prefix (name, "gradients/"))
    return GOBAN_NO_NODE;
  name += strlen ("gradients/");
  end = g_strrstr (name, "_grad/");
  if (end == NULL)
    return GOBAN_NO_NODE;
  forward = g_strndup (name, (gsize) (end - name));
  return goban_graph_find_node (graph, forward);
}

static void
check_backward (const GobanGraph *graph, const GobanPlan *plan)
{
  guint n_checked = 0;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      GobanNodeId forward = find_forward (graph, goban_graph_get_node (graph, v)->name);

      if (forward == GOBAN_NO_NODE)
        continue;
      n_checked++;
      g_assert_cmpuint (goban_plan_get_device (plan, v), ==, goban_plan_get_device (plan, forward));
    }
  g_assert_cmpuint (n_checked, >, goban_graph_get_n_nodes (graph) / 10);
}

static void
check_layers (const GobanGraph *graph, const GobanPlan *plan, const char *stem)
{
  guint n_checked = 0;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const char *name = goban_graph_get_node (graph, v)->name;

      if (!g_str_has_prefix (name, stem))
        continue;
      n_checked++;
      g_assert_cmpuint (goban_plan_get_device (plan, v), ==,
                        g_ascii_strtoull (name + strlen (stem), NULL, 10) - 1);
    }
  g_assert_cmpuint (n_checked, >, 100);
}

/* A row: along forward edges the device never goes down. */
static void
check_contiguous (const GobanGraph *graph, const GobanPlan *plan)
{
  for (GobanEdgeId e = 0; e < goban_graph_get_n_edges (graph); e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, e);

      if (goban_graph_get_node (graph, edge->tail)->phase == GOBAN_PHASE_FORWARD
          && goban_graph_get_node (graph, edge->head)->phase == GOBAN_PHASE_FORWARD)
        g_assert_cmpuint (goban_plan_get_device (plan, edge->tail), <=,
                          goban_plan_get_device (plan, edge->head));
    }
}

static void
test_workload (gconstpointer data)
{
  const Workload *row = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_workload_generate (row->spec, &error);
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  double busy_us[4] = { 0 };
  double most_us = 0;
  double sum_us = 0;
  guint n_devices;

  g_assert_no_error (error);
  costs = toy_costs (graph, row->cluster);
  plan = toy_place (costs, "expert", 0);
  check_backward (graph, plan);
  if (row->stem != NULL)
    check_layers (graph, plan, row->stem);
  if (!g_str_has_prefix (row->spec, "gnmt"))
    check_contiguous (graph, plan);

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    busy_us[goban_plan_get_device (plan, v)]
        += goban_cost_model_time_us (costs, v, goban_plan_get_device (plan, v));
  n_devices = goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs));
  for (guint d = 0; d < n_devices; d++)
    {
      most_us = MAX (most_us, busy_us[d]);
      sum_us += busy_us[d];
    }
  g_assert_cmpfloat (most_us * n_devices / sum_us, <, row->balance);
}

TEST_PROGRAM (expert)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/placers/expert/", cases[i].what, NULL);

      g_test_add_data_func (path, &cases[i], test_rule);
    }
  for (guint i = 0; i < G_N_ELEMENTS (workloads); i++)
    {
      g_autofree char *path
          = g_strdup_printf ("/placers/expert/on-%s-%s", workloads[i].spec, workloads[i].cluster);

      g_test_add_data_func (path, &workloads[i], test_workload);
    }
  g_test_add_func ("/placers/expert/cpu-stays-out", test_cpu_stays_out);
  g_test_add_func ("/placers/expert/sources-follow-readers", test_sources_follow_readers);
  g_test_add_func ("/placers/expert/cut-is-balanced", test_cut_is_balanced);
  g_test_add_func ("/placers/expert/backward-with-forward", test_backward_with_forward);
  return g_test_run ();
}
