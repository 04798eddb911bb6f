#include "engine/graph/workloads/workload.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

typedef struct
{
  double params;
  double param_bytes;
  double flops[3]; /* by phase */
  double macs[3];
} Totals;

static GobanGraph *
generate (const char *spec)
{
  g_autoptr (GError) error = NULL;
  GobanGraph *graph = goban_workload_generate (spec, &error);

  g_assert_no_error (error);
  return graph;
}

static Totals
add_up (const GobanGraph *graph)
{
  Totals totals = { 0 };

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);

      totals.params += node->param_count;
      totals.param_bytes += node->param_bytes;
      totals.flops[node->phase] += node->flops;
      totals.macs[node->phase] += node->macs;
    }
  return totals;
}

static Totals
total_of (const char *spec)
{
  g_autoptr (GobanGraph) graph = generate (spec);

  return add_up (graph);
}

static void
assert_near (double value, double published, double tolerance)
{
  g_assert_cmpfloat_with_epsilon (value / published, 1, tolerance);
}

/* Mirhoseini et al. 2018, "A hierarchical model for device placement", table 1. */
static void
test_node_counts (void)
{
  static const struct
  {
    const char *spec;
    guint n_nodes;
  } rows[] = {
    { "rnnlm", 9021 },
    { "gnmt:layers=2", 28044 },
    { "gnmt:layers=4", 46600 },
    { "gnmt:layers=8", 83712 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GobanGraph) graph = generate (rows[i].spec);

      assert_near (goban_graph_get_n_nodes (graph), rows[i].n_nodes, 0.05);
    }
}

static void
test_published_parameters (void)
{
  /* Zaremba et al. 2014, the large model on the Penn Treebank: 66 M. */
  assert_near (total_of ("rnnlm:width=1500,vocabulary=10000,steps=2").params, 66e6, 0.01);
  /* Shazeer et al. 2017, "Outrageously large neural networks", of GNMT: 278 M. */
  assert_near (total_of ("gnmt:layers=8,steps=2").params, 278e6, 0.02);
  /* Dai et al. 2019: enwik8 with 12 layers 41 M, with 24 layers 277 M; WikiText-103, 16 layers of
   * the standard model, 151 M. */
  assert_near (total_of ("transformer-xl:layers=12,segments=1").params, 41e6, 0.01);
  assert_near (
      total_of ("transformer-xl:layers=24,segments=1,width=1024,head-width=128,inner=3072").params,
      277e6, 0.01);
  assert_near (total_of ("transformer-xl:layers=16,segments=1,width=410,heads=10,head-width=41,"
                         "inner=2100,steps=150,memory=150,vocabulary=267735")
                   .params,
               151e6, 0.01);
}

/* Weights, slots and products by the formulas, to the last one. */
static void
test_rnnlm_formulas (void)
{
  double h = 96, v = 500, l = 3, t = 4, b = 8;
  Totals totals = total_of ("rnnlm:width=96,vocabulary=500,layers=3,steps=4,batch=8");
  double params = v * h + l * 4 * h * (h + h + 1) + h * v + v;
  double macs = t * b * (l * 4 * h * (h + h) + h * v);

  g_assert_cmpfloat (totals.params, ==, params);
  g_assert_cmpfloat (totals.param_bytes, ==, 2 * 4 * params); /* Adagrad keeps one slot */
  g_assert_cmpfloat (totals.macs[GOBAN_PHASE_FORWARD], ==, macs);
  g_assert_cmpfloat (totals.macs[GOBAN_PHASE_BACKWARD], ==, 2 * macs);
  g_assert_cmpfloat (totals.macs[GOBAN_PHASE_UPDATE], ==, 0);
}

static void
test_gnmt_formulas (void)
{
  double h = 64, v = 300, t = 5, b = 4;
  Totals totals = total_of ("gnmt:width=64,vocabulary=300,layers=4,steps=5,batch=4");
  double both_ways = 2 * 4 * h * (h + h), second = 4 * h * (2 * h + h), plain = 4 * h * (h + h);
  double encoder = both_ways + second + 2 * plain;
  double decoder = 4 * 4 * h * (2 * h + h);
  double biases = (5 + 4) * 4 * h;
  double attention = 2 * h * h; /* of the memory, of the query */
  double others = 2 * h + 1;    /* v, bias and g of the attention */

  g_assert_cmpfloat (totals.params, ==,
                     2 * v * h + encoder + decoder + biases + attention + others + h * v + v);
  g_assert_cmpfloat (totals.param_bytes, ==, 3 * 4 * totals.params); /* Adam keeps two slots */
  g_assert_cmpfloat (totals.macs[GOBAN_PHASE_FORWARD], ==,
                     t * b * (encoder + decoder + attention + h * v + t * h));
}

static void
test_transformer_xl_formulas (void)
{
  double d = 32, f = 80, v = 50, t = 6, m = 10, b = 3, n = 2, l = 3;
  Totals totals = total_of ("transformer-xl:layers=3,segments=2,batch=3,steps=6,memory=10,width=32,"
                            "heads=4,head-width=8,inner=80,vocabulary=50");
  double layer = 5 * d * d + 2 * d + 2 * d * f + f + d + 4 * d;
  double macs = b * (m + t) * 3 * d * d   /* queries, keys, values */
                + (m + t) * d * d         /* positions */
                + b * t * d * d           /* the heads' output */
                + 3 * b * t * (m + t) * d /* by content, by position, values */
                + 2 * b * t * d * f;

  g_assert_cmpfloat (totals.params, ==, v * d + l * layer + v);
  g_assert_cmpfloat (totals.macs[GOBAN_PHASE_FORWARD], ==, n * (l * macs + b * t * d * v));
}

/* A product has two gradients of its own size, unless nothing that is learned is behind an
 * operand. */
static void
test_backward_is_twice_forward (void)
{
  static const char *const specs[] = { "rnnlm", "gnmt", "transformer-xl" };

  for (gsize i = 0; i < G_N_ELEMENTS (specs); i++)
    {
      Totals totals = total_of (specs[i]);

      assert_near (totals.macs[GOBAN_PHASE_BACKWARD], 2 * totals.macs[GOBAN_PHASE_FORWARD], 0.03);
      assert_near (totals.flops[GOBAN_PHASE_BACKWARD], 2 * totals.flops[GOBAN_PHASE_FORWARD], 0.05);
    }
}

/* --- the whole of a graph ------------------------------------------------------------------- */

static const char *const small_specs[] = {
  "rnnlm:layers=2,steps=3,width=16,vocabulary=50,batch=4",
  "gnmt:layers=4,steps=3,width=16,vocabulary=50,batch=4",
  "transformer-xl:layers=2,segments=2,steps=4,memory=4,width=16,heads=2,head-width=8,inner=32",
};

static gboolean
is_apply (const GobanNode *node)
{
  return g_str_has_prefix (node->op, "ResourceApply")
         || g_str_has_prefix (node->op, "ResourceSparse");
}

/* The largest input of an Apply is its gradient: of the shape of the variable's value, or rows of
 * it. */
static void
check_apply (const GobanGraph *graph, GobanNodeId variable, GobanNodeId apply)
{
  GobanEdgeSpan in = goban_graph_get_in_edges (graph, apply);
  gboolean is_sparse = strstr (goban_graph_get_node (graph, apply)->op, "Sparse") != NULL;
  guint last = in.n - (is_sparse ? 2 : 1);
  const GobanTensor *gradient
      = goban_graph_get_tensor (graph, goban_graph_get_edge (graph, in.ids[last])->tensor);
  double count = 1;

  for (guint i = is_sparse ? 1 : 0; i < gradient->n_dims; i++)
    count *= (double) gradient->dims[i];
  if (is_sparse)
    g_assert_cmpfloat (fmod (goban_graph_get_node (graph, variable)->param_count, count), ==, 0);
  else
    g_assert_cmpfloat (goban_graph_get_node (graph, variable)->param_count, ==, count);
}

static void
check_variables (const GobanGraph *graph)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  guint n_variables = 0, n_applies = 0;

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      const GobanNode *variable = goban_graph_get_node (graph, v);
      guint n = 0;

      if (variable->param_count == 0)
        continue;
      n_variables++;
      for (GobanNodeId w = 0; w < n_nodes; w++)
        if (is_apply (goban_graph_get_node (graph, w))
            && goban_graph_get_node (graph, w)->group == variable->group)
          {
            g_autofree char *scope = g_strconcat ("optimizer/", variable->name, "/", NULL);

            g_assert_true (g_str_has_prefix (goban_graph_get_node (graph, w)->name, scope));
            check_apply (graph, v, w);
            n++;
          }
      g_assert_cmpuint (n, ==, 1);
      n_applies += n;
    }
  g_assert_cmpuint (n_variables, >, 0);
  g_assert_cmpuint (n_variables, ==, n_applies);
  g_assert_cmpuint (goban_graph_get_n_groups (graph), ==, n_variables);
}

/* What nobody needs: neither for an update nor for the loss. */
static void
check_nothing_dangles (const GobanGraph *graph)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autofree gboolean *is_needed = g_new0 (gboolean, n_nodes);

  for (GobanNodeId v = n_nodes; v-- > 0;)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);
      GobanEdgeSpan out = goban_graph_get_out_edges (graph, v);
      gboolean is_end = is_apply (node) || g_str_has_prefix (node->name, "loss/");

      /* What a segment leaves for the next step to look back at is an output of the model. */
      if (out.n == 0 && strstr (node->name, "/segment_2/strided_slice") != NULL)
        is_end = TRUE;
      is_needed[v] = is_end;
      for (guint i = 0; i < out.n; i++)
        is_needed[v] |= is_needed[goban_graph_get_edge (graph, out.ids[i])->head];
      if (!is_needed[v])
        g_error ("%s: nobody needs node “%s”", goban_graph_get_name (graph), node->name);
    }
}

static void
check_phases (const GobanGraph *graph)
{
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);
      gboolean is_gradient = g_str_has_prefix (node->name, "gradients/");
      gboolean is_optimizer = g_str_has_prefix (node->name, "optimizer/");

      g_assert_true (is_gradient == (node->phase == GOBAN_PHASE_BACKWARD));
      g_assert_true (is_optimizer == (node->phase == GOBAN_PHASE_UPDATE));
      g_assert_true (strchr (node->name, '/') != NULL);
    }
}

static void
test_whole (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (small_specs); i++)
    {
      g_autoptr (GobanGraph) graph = generate (small_specs[i]);
      g_autoptr (GobanGraph) again = generate (small_specs[i]);

      check_variables (graph);
      check_nothing_dangles (graph);
      check_phases (graph);
      g_assert_cmpuint (goban_graph_get_hash (graph), ==, goban_graph_get_hash (again));
    }
}

static void
test_inference (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (small_specs); i++)
    {
      g_autofree char *spec = g_strconcat (small_specs[i], ",mode=inference", NULL);
      Totals training = total_of (small_specs[i]);
      Totals inference = total_of (spec);

      g_assert_cmpfloat (inference.macs[GOBAN_PHASE_FORWARD], ==,
                         training.macs[GOBAN_PHASE_FORWARD]);
      g_assert_cmpfloat (inference.flops[GOBAN_PHASE_BACKWARD], ==, 0);
      g_assert_cmpfloat (inference.flops[GOBAN_PHASE_UPDATE], ==, 0);
      g_assert_cmpfloat (inference.params, ==, training.params);
      g_assert_cmpfloat (inference.param_bytes, ==, 4 * inference.params);
    }
}

/* Names that expert plans and the window look for. */
static void
test_scopes (void)
{
  static const char *const names[] = {
    "encoder/layer_3/step_2/lstm/MatMul",
    "encoder/layer_3/kernel",
    "encoder/layer_1/step_2/backward/lstm/MatMul",
    "decoder/attention/step_3/Softmax",
    "decoder/embedding/step_1/ResourceGather",
    "softmax/step_3/MatMul",
    "gradients/encoder/layer_3/step_2/lstm/MatMul_grad/MatMul_1",
    "gradients/encoder/layer_3/kernel/L2Loss",
    "optimizer/encoder/layer_3/kernel/ResourceApplyAdam",
  };
  g_autoptr (GobanGraph) graph = generate (small_specs[1]);

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (goban_graph_find_node (graph, names[i]) == GOBAN_NO_NODE)
      g_error ("there is no node “%s”", names[i]);
}

/* 0 unless the layers are parts, with a few nodes for each. */
static guint
count_layers (const GobanFamily *family)
{
  for (gsize k = 0; k < family->n_sized; k++)
    if (g_str_equal (family->knobs[k].name, "layers"))
      return (guint) family->knobs[k].initial;
  return 0;
}

/* Tens of nodes, and nothing lost on the way. */
static void
test_coarse (void)
{
  gsize n;
  const GobanFamily *const *families = goban_families (&n);

  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *spec = g_strconcat (families[i]->name, ":granularity=coarse", NULL);
      g_autoptr (GobanGraph) fine = generate (families[i]->name);
      g_autoptr (GobanGraph) coarse = generate (spec);
      Totals before = add_up (fine), after = add_up (coarse);

      g_assert_cmpuint (goban_graph_get_n_nodes (coarse), >=, 10);
      g_assert_cmpuint (goban_graph_get_n_nodes (coarse), <=,
                        MAX (99, 8 * count_layers (families[i]) + 16));
      g_assert_cmpfloat (before.params, ==, after.params);
      for (guint p = 0; p < 3; p++)
        assert_near (after.flops[p], before.flops[p], 1e-12);
    }
}

TEST_PROGRAM (families)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/workloads/families/node-counts-are-near-hdps", test_node_counts);
  g_test_add_func ("/workloads/families/published-parameters", test_published_parameters);
  g_test_add_func ("/workloads/families/rnnlm-by-formula", test_rnnlm_formulas);
  g_test_add_func ("/workloads/families/gnmt-by-formula", test_gnmt_formulas);
  g_test_add_func ("/workloads/families/transformer-xl-by-formula", test_transformer_xl_formulas);
  g_test_add_func ("/workloads/families/backward-is-twice-forward", test_backward_is_twice_forward);
  g_test_add_func ("/workloads/families/every-variable-is-applied-once", test_whole);
  g_test_add_func ("/workloads/families/inference-is-the-forward-pass", test_inference);
  g_test_add_func ("/workloads/families/scopes-have-their-names", test_scopes);
  g_test_add_func ("/workloads/families/coarse-keeps-the-sums", test_coarse);
  return g_test_run ();
}
