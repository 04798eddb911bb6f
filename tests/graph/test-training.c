#include "engine/graph/training.h"

#include "engine/core/error.h"
#include "engine/core/rng.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

static GobanGraph *
train (const GobanGraph *graph, GobanTrainingCosts costs)
{
  g_autoptr (GError) error = NULL;
  GobanGraph *training = goban_graph_new_training (graph, &costs, &error);

  g_assert_no_error (error);
  return training;
}

static guint32
add_layer (GobanGraphBuilder *builder, const char *name, const char *op, double n_params,
           double macs)
{
  guint32 id = goban_graph_builder_add_node (builder, name, op);
  GobanNode *node = goban_graph_builder_get_node (builder, id);

  node->macs = macs;
  node->flops = 2 * macs;
  node->read_bytes = 100 + 4 * n_params;
  node->written_bytes = 40;
  node->param_bytes = 4 * n_params;
  node->param_count = n_params;
  node->size_source = GOBAN_SOURCE_GIVEN;
  return id;
}

/* data -> conv -> relu -> fc (params 5) -> loss; relu is read by fc and by skip, which feeds loss;
 * loss waits for "log" by a control edge. conv has 10 parameters. */
static GobanGraph *
new_toy (void)
{
  g_autoptr (GobanGraphBuilder) b = goban_graph_builder_new ("toy", "toy");
  guint32 data = add_layer (b, "data", "Input", 0, 0);
  guint32 conv = add_layer (b, "conv", "Conv", 10, 1000);
  guint32 relu = add_layer (b, "relu", "Relu", 0, 0);
  guint32 fc = add_layer (b, "fc", "Gemm", 5, 50);
  guint32 skip = add_layer (b, "skip", "Identity", 0, 0);
  guint32 loss = add_layer (b, "loss", "Loss", 0, 0);
  guint32 logger = add_layer (b, "log", "Print", 0, 0);
  const gint64 dims[] = { 2, 8 };
  guint32 from_data = goban_graph_builder_add_tensor (b, data, 400);
  guint32 from_conv = goban_graph_builder_add_tensor (b, conv, 800);
  guint32 from_relu = goban_graph_builder_add_tensor (b, relu, 64);
  guint32 from_fc = goban_graph_builder_add_tensor (b, fc, 16);
  guint32 from_skip = goban_graph_builder_add_tensor (b, skip, 32);

  goban_graph_builder_set_tensor_shape (b, from_relu, "f32", dims, 2);
  goban_graph_builder_add_tensor (b, loss, 4);
  goban_graph_builder_add_edge (b, from_data, conv);
  goban_graph_builder_add_edge (b, from_conv, relu);
  goban_graph_builder_add_edge (b, from_relu, fc);
  goban_graph_builder_add_edge (b, from_relu, skip);
  goban_graph_builder_add_edge (b, from_fc, loss);
  goban_graph_builder_add_edge (b, from_skip, loss);
  goban_graph_builder_add_control_edge (b, logger, loss);
  goban_graph_builder_set_time (b, conv, "gpu", 30, GOBAN_SOURCE_MEASURED);
  goban_graph_builder_set_time (b, conv, "cpu", INFINITY, GOBAN_SOURCE_MEASURED);
  goban_graph_builder_set_time (b, relu, "gpu", 7, GOBAN_SOURCE_MEASURED);
  goban_graph_builder_set_transfer (b, from_conv, "gpu", "cpu", 99);
  goban_graph_builder_set_group (b, conv, 4711);
  goban_graph_builder_set_group (b, fc, 4711);
  return toy_finish (b);
}

static GobanNodeId
id_of (const GobanGraph *graph, const char *name)
{
  GobanNodeId id = goban_graph_find_node (graph, name);

  g_assert_cmpuint (id, !=, GOBAN_NO_NODE);
  return id;
}

static const GobanNode *
node_of (const GobanGraph *graph, const char *name)
{
  return goban_graph_get_node (graph, id_of (graph, name));
}

/* The tensor of the edge from one node to another; the edge must be there. */
static const GobanTensor *
tensor_between (const GobanGraph *graph, const char *tail, const char *head)
{
  GobanEdgeSpan in = goban_graph_get_in_edges (graph, id_of (graph, head));
  GobanNodeId from = id_of (graph, tail);

  for (guint i = 0; i < in.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, in.ids[i]);

      if (edge->tail == from)
        return goban_graph_get_tensor (graph, edge->tensor);
    }
  g_error ("no edge from %s to %s", tail, head);
}

static void
test_toy_structure (void)
{
  g_autoptr (GobanGraph) graph = new_toy ();
  g_autoptr (GobanGraph) training = train (graph, goban_training_costs_default ());

  /* 7 forward; no gradient of data and log, which are sources; 2 updates. */
  g_assert_cmpuint (goban_graph_get_n_nodes (training), ==, 7 + 5 + 2);
  /* 7 forward; 6 activations and the loss itself into backward nodes; 5 gradients, 2 of
   * parameters. */
  g_assert_cmpuint (goban_graph_get_n_edges (training), ==, 7 + 6 + 1 + 5 + 2);
  g_assert_cmpuint (goban_graph_find_node (training, "grad/data"), ==, GOBAN_NO_NODE);
  g_assert_cmpuint (goban_graph_find_node (training, "update/relu"), ==, GOBAN_NO_NODE);

  g_assert_cmpfloat (tensor_between (training, "relu", "grad/fc")->size_bytes, ==, 64);
  g_assert_cmpfloat (tensor_between (training, "grad/fc", "grad/relu")->size_bytes, ==, 64);
  g_assert_cmpuint (tensor_between (training, "grad/fc", "grad/relu")->n_dims, ==, 2);
  g_assert_cmpfloat (tensor_between (training, "grad/skip", "grad/relu")->size_bytes, ==, 64);
  g_assert_cmpfloat (tensor_between (training, "grad/loss", "grad/fc")->size_bytes, ==, 16);
  g_assert_cmpfloat (tensor_between (training, "grad/fc", "update/fc")->size_bytes, ==, 20);
  g_assert_cmpfloat (tensor_between (training, "loss", "grad/loss")->size_bytes, ==, 4);
  g_assert_true (tensor_between (training, "log", "loss")->is_control);
}

static void
test_toy_costs (void)
{
  GobanTrainingCosts costs = { .with_params = 2, .without_params = 1, .state_bytes_ratio = 2 };
  g_autoptr (GobanGraph) graph = new_toy ();
  g_autoptr (GobanGraph) training = train (graph, costs);
  const GobanNode *conv = node_of (training, "grad/conv");
  const GobanNode *relu = node_of (training, "grad/relu");
  const GobanNode *update = node_of (training, "update/conv");
  guint gpu = goban_graph_find_kind (training, "gpu");
  guint cpu = goban_graph_find_kind (training, "cpu");

  g_assert_cmpfloat (conv->macs, ==, 2000);
  g_assert_cmpfloat (conv->flops, ==, 4000);
  g_assert_cmpfloat (conv->read_bytes, ==, 2 * 140);
  g_assert_cmpfloat (conv->param_bytes, ==, 0);
  g_assert_cmpint (conv->phase, ==, GOBAN_PHASE_BACKWARD);
  g_assert_cmpstr (conv->op, ==, "ConvGrad");

  /* Two gradients of 2 x 8 elements, 64 bytes, are added. */
  g_assert_cmpfloat (relu->flops, ==, 16);
  g_assert_cmpfloat (relu->read_bytes, ==, 100 + 64);

  g_assert_cmpfloat (update->param_bytes, ==, 80);
  g_assert_cmpfloat (update->param_count, ==, 0);
  g_assert_cmpfloat (update->flops, ==, 100);
  g_assert_cmpfloat (update->read_bytes, ==, 4 * 40);
  g_assert_cmpfloat (update->written_bytes, ==, 3 * 40);
  g_assert_cmpint (update->phase, ==, GOBAN_PHASE_UPDATE);

  g_assert_cmpfloat (goban_graph_get_time_us (training, id_of (training, "grad/conv"), gpu), ==,
                     60);
  g_assert_true (isinf (goban_graph_get_time_us (training, id_of (training, "grad/conv"), cpu)));
  g_assert_cmpfloat (goban_graph_get_time_us (training, id_of (training, "grad/relu"), gpu), ==, 7);
  g_assert_true (isnan (goban_graph_get_time_us (training, id_of (training, "grad/fc"), gpu)));
}

static void
test_sources_are_honest (void)
{
  g_autoptr (GobanGraph) graph = new_toy ();
  g_autoptr (GobanGraph) training = train (graph, goban_training_costs_default ());
  const char *const *warnings = goban_graph_get_warnings (training);

  g_assert_cmpint (node_of (training, "conv")->time_source, ==, GOBAN_SOURCE_MEASURED);
  g_assert_cmpint (node_of (training, "conv")->size_source, ==, GOBAN_SOURCE_GIVEN);
  g_assert_cmpint (node_of (training, "grad/conv")->time_source, ==, GOBAN_SOURCE_ESTIMATED);
  g_assert_cmpint (node_of (training, "grad/conv")->size_source, ==, GOBAN_SOURCE_ESTIMATED);
  g_assert_cmpint (node_of (training, "update/fc")->size_source, ==, GOBAN_SOURCE_ESTIMATED);
  g_assert_nonnull (warnings[0]);
  g_assert_nonnull (strstr (warnings[0], "derived"));
}

static void
test_groups (void)
{
  g_autoptr (GobanGraph) graph = new_toy ();
  g_autoptr (GobanGraph) training = train (graph, goban_training_costs_default ());
  guint32 conv = node_of (training, "conv")->group;
  guint32 relu = node_of (training, "relu")->group;

  g_assert_cmpuint (conv, !=, GOBAN_NO_GROUP);
  g_assert_cmpuint (node_of (training, "grad/conv")->group, ==, conv);
  g_assert_cmpuint (node_of (training, "update/conv")->group, ==, conv);
  g_assert_cmpuint (node_of (training, "update/fc")->group, ==, conv);
  g_assert_cmpuint (node_of (training, "grad/relu")->group, ==, relu);
  g_assert_cmpuint (relu, !=, conv);
  g_assert_cmpuint (node_of (training, "data")->group, ==, GOBAN_NO_GROUP);
}

static void
test_transfers_hold_for_gradients (void)
{
  g_autoptr (GobanGraph) graph = new_toy ();
  g_autoptr (GobanGraph) training = train (graph, goban_training_costs_default ());
  guint gpu = goban_graph_find_kind (training, "gpu");
  guint cpu = goban_graph_find_kind (training, "cpu");
  guint n;
  GobanTensorId forward = goban_graph_get_node_tensors (training, id_of (training, "conv"), &n);
  GobanTensorId gradient
      = goban_graph_get_node_tensors (training, id_of (training, "grad/relu"), &n);

  g_assert_cmpfloat (goban_graph_get_transfer_us (training, forward, gpu, cpu), ==, 99);
  g_assert_cmpfloat (goban_graph_get_transfer_us (training, gradient, gpu, cpu), ==, 99);
  g_assert_true (isnan (goban_graph_get_transfer_us (training, gradient, cpu, gpu)));
}

/* The builder refuses cycles, so finishing at all proves that there are none. */
static void
check_random (const GobanGraph *graph, const GobanGraph *training, GobanTrainingCosts costs)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  double macs = 0;
  double expected_macs = 0;
  double param_bytes = 0;
  double expected_param_bytes = 0;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (training); v++)
    {
      macs += goban_graph_get_node (training, v)->macs;
      param_bytes += goban_graph_get_node (training, v)->param_bytes;
    }

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);
      g_autofree char *name = g_strconcat ("grad/", node->name, NULL);
      GobanNodeId backward = goban_graph_find_node (training, name);
      GobanEdgeSpan in = goban_graph_get_in_edges (graph, v);
      double ratio = node->param_bytes > 0 ? costs.with_params : costs.without_params;

      expected_macs += node->macs * (backward != GOBAN_NO_NODE ? 1 + ratio : 1);
      expected_param_bytes += node->param_bytes * (1 + costs.state_bytes_ratio);
      for (guint i = 0; i < in.n; i++)
        {
          const GobanEdge *edge = goban_graph_get_edge (graph, in.ids[i]);
          const char *tail = goban_graph_get_node (graph, edge->tail)->name;

          if (goban_graph_get_tensor (graph, edge->tensor)->is_control)
            continue;
          g_assert_cmpuint (backward, !=, GOBAN_NO_NODE);
          tensor_between (training, tail, name);
        }
      if (backward != GOBAN_NO_NODE)
        g_assert_cmpuint (goban_graph_get_in_edges (training, backward).n, >, 0);
    }
  g_assert_cmpfloat (macs, ==, expected_macs);
  g_assert_cmpfloat (param_bytes, ==, expected_param_bytes);
}

/* The generator gives no MACs: rebuild its graphs with as many as the node's number. */
static GobanGraph *
with_macs (const GobanGraph *graph)
{
  g_autoptr (GobanGraphBuilder) b = goban_graph_builder_new ("random", "random");

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);
      GobanNode *copy;

      goban_graph_builder_add_node (b, node->name, node->op);
      copy = goban_graph_builder_get_node (b, v);
      copy->param_bytes = node->param_bytes;
      copy->macs = goban_graph_get_in_edges (graph, v).n > 0 ? v : 0;
      if (node->group != GOBAN_NO_GROUP)
        goban_graph_builder_set_group (b, v, node->group);
    }
  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (graph); t++)
    {
      const GobanTensor *tensor = goban_graph_get_tensor (graph, t);
      GobanEdgeSpan edges = goban_graph_get_tensor_edges (graph, t);
      guint32 copy = tensor->is_control
                         ? goban_graph_builder_add_control_tensor (b, tensor->producer)
                         : goban_graph_builder_add_tensor (b, tensor->producer, tensor->size_bytes);

      for (guint i = 0; i < edges.n; i++)
        goban_graph_builder_add_edge (b, copy, goban_graph_get_edge (graph, edges.ids[i])->head);
    }
  return toy_finish (b);
}

static void
test_random_graphs (void)
{
  GobanTrainingCosts costs = { .with_params = 3, .without_params = 1, .state_bytes_ratio = 0.5 };

  for (guint i = 0; i < 200; i++)
    {
      GraphGen gen = graph_gen_small (2 + (guint) g_test_rand_int_range (0, 40));
      g_autoptr (GobanGraph) random = graph_gen_new (&gen, (guint64) g_test_rand_int ());
      g_autoptr (GobanGraph) graph = with_macs (random);
      g_autoptr (GobanGraph) training = train (graph, costs);

      check_random (graph, training, costs);
    }
}

static void
test_rejects_training_graph (void)
{
  GobanTrainingCosts costs = goban_training_costs_default ();
  g_autoptr (GobanGraph) graph = new_toy ();
  g_autoptr (GobanGraph) training = train (graph, costs);
  g_autoptr (GError) error = NULL;

  g_assert_null (goban_graph_new_training (training, &costs, &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "grad/"));
}

static void
test_rejects_bad_ratios (void)
{
  const GobanTrainingCosts bad[] = { { -1, 1, 2 }, { 2, (double) NAN, 2 }, { 2, 1, INFINITY } };
  g_autoptr (GobanGraph) graph = new_toy ();

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (goban_graph_new_training (graph, &bad[i], &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
    }
}

TEST_PROGRAM (training)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/training/toy/structure", test_toy_structure);
  g_test_add_func ("/training/toy/costs", test_toy_costs);
  g_test_add_func ("/training/toy/sources", test_sources_are_honest);
  g_test_add_func ("/training/toy/groups", test_groups);
  g_test_add_func ("/training/toy/transfers", test_transfers_hold_for_gradients);
  g_test_add_func ("/training/random/invariants", test_random_graphs);
  g_test_add_func ("/training/rejects/training-graph", test_rejects_training_graph);
  g_test_add_func ("/training/rejects/bad-ratios", test_rejects_bad_ratios);
  return g_test_run ();
}
