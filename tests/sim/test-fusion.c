#include "engine/sim/fusion/fusion.h"

#include "engine/graph/graph-builder.h"
#include "engine/sim/fusion/contraction.h"
#include "engine/sim/simulator.h"
#include "tests/sim/fusion-toy.h"
#include "tests/sim/random-run.h"
#include "tests/support/test-program.h"
#include "tests/support/trace-check.h"

/* --- the baseline ------------------------------------------------------------------------ */

/* What the baseline makes of a graph on one device. */
static const struct
{
  const char *graph;
  const char *clusters;
} by_default[] = {
  /* A chain. */
  { "a:Add b:Relu c:Mul | a>b b>c", "a+b+c" },
  /* a has two readers that nobody joins: to fuse it is to run it twice. */
  { "a:Add b:Relu c:Mul | a>b a>c", "" },
  /* They are joined: b and c are in, so a may be. */
  { "a:Add b:Relu c:Mul d:Add | a>b a>c b>d c>d", "a+b+c+d" },
  /* Even where a is read by all of it. */
  { "a:Add b:Relu d:Add | a>b a>d b>d", "a+b+d" },
  /* A variable is never fused, and a path through one neither. */
  { "v:VariableV2 a:Add b:Relu | v>a a>b", "a+b" },
  { "a:Add v:Assign b:Mul | a>v v>b a>b", "" },
  /* The bias goes with its product, whatever made the product's input. */
  { "a:Relu m:MatMul b:BiasAdd | a>m m>b", "a+m+b" },
  /* One product only: the second comes too late for the kernel of the first. */
  { "m:MatMul n:MatMul b:Add | m>b n>b", "m+b" },
  { "m:MatMul n:MatMul | m>n", "" },
  /* A broadcast reads the product many times. */
  { "m:MatMul t:Tile | m>t", "" },
  { "a:Add t:Tile | a>t", "a+t" },
  /* A kernel ends with a reduction. */
  { "a:Exp s:Sum d:Sub | a>s s>d", "a+s" },
  { "r:Sum s:Sum | r>s", "" },
  /* Whoever waits for a by a control edge reads it, too. */
  { "a:Add b:Relu c:Mul | a>b a~>c", "" },
};

static void
test_default (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (by_default); i++)
    {
      g_autoptr (GobanCostModel) costs = fusion_toy (by_default[i].graph, 1);
      g_autoptr (GobanPlan) plan = goban_plan_new (goban_cost_model_get_graph (costs), 1);
      g_autofree char *clusters = NULL;

      g_test_message ("%s", by_default[i].graph);
      goban_fusion_default (costs, plan);
      clusters = fusion_toy_clusters (costs, plan);
      g_assert_cmpstr (clusters, ==, by_default[i].clusters);
    }
}

/* --- by priority ------------------------------------------------------------------------- */

static const struct
{
  const char *graph;
  const char *levels; /* a digit per node */
  const char *clusters;
} by_priority[] = {
  { "a:Add b:Relu c:Mul | a>b b>c", "111", "a+b+c" },
  /* Level 0 is left alone, and takes nothing in. */
  { "a:Add b:Relu c:Mul | a>b b>c", "110", "a+b" },
  { "a:Add b:Relu c:Mul | a>b b>c", "101", "" },
  { "a:Add b:Relu c:Mul | a>b b>c", "000", "" },
  /* All consumers or none: v cannot be fused, so b is not either. */
  { "a:Add b:Relu v:Assign | a>b a>v", "111", "" },
  { "a:Add b:Relu c:Mul | a>b a>c", "111", "a+b+c" },
  /* a>b and a>c>b: to fuse a with b and c is fine, but not around c: it is of level 0 ... */
  { "a:Add c:Relu b:Mul | a>b a>c c>b", "111", "a+c+b" },
  /* ... or is not read from a, only waits for it: then the kernel a+b would wait for itself. */
  { "a:Add c:Assign b:Mul | a>b a~>c c>b", "111", "" },
  /* A longer way round, through what is fused already: c+d stand between a and b. */
  { "a:Add c:Relu d:Relu b:Mul | a>b a~>c c>d d~>b", "1911", "c+d" },
  /* Who comes first gets the only place for a product. */
  { "m:MatMul n:MatMul b:Add | m>b n>b", "191", "n+b" },
  { "m:MatMul n:MatMul b:Add | m>b n>b", "911", "m+b" },
  { "m:MatMul n:MatMul b:Add | m>b n>b", "111", "m+b" },
  /* Unlike the baseline's, a kernel goes on after a reduction. */
  { "a:Exp s:Sum d:Sub | a>s s>d", "111", "a+s+d" },
  { "r:Sum a:Relu s:Sum | r>a a>s", "111", "r+a" },
};

static void
test_by_priority (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (by_priority); i++)
    {
      g_autoptr (GobanCostModel) costs = fusion_toy (by_priority[i].graph, 1);
      g_autoptr (GobanPlan) plan = goban_plan_new (goban_cost_model_get_graph (costs), 1);
      g_autofree char *clusters = NULL;
      gint32 levels[8];

      g_test_message ("%s by %s", by_priority[i].graph, by_priority[i].levels);
      for (guint v = 0; by_priority[i].levels[v] != '\0'; v++)
        levels[v] = by_priority[i].levels[v] - '0';
      goban_fusion_by_priority (costs, plan, levels);
      clusters = fusion_toy_clusters (costs, plan);
      g_assert_cmpstr (clusters, ==, by_priority[i].clusters);
    }
}

/* The second pass: with some of the consumers where all may not be, in the order of the levels. */
static const struct
{
  const char *graph;
  const char *levels;
  const char *clusters;
} by_pairs[] = {
  { "a:Add b:Relu v:Assign | a>b a>v", "111", "a+b" },
  { "a:Add b:Relu c:Mul | a>b b>c", "111", "a+b+c" },
  { "a:Add b:Relu c:Mul | a>b b>c", "110", "a+b" },
  { "a:Add c:Assign b:Mul | a>b a~>c c>b", "111", "" },
  { "m:MatMul n:MatMul b:Add c:Relu | m>n m>b n>c", "1111", "m+b n+c" },
  { "a:Add b:Sum c:Sum | a>b a>c", "111", "a+b" },
};

static void
test_pairs (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (by_pairs); i++)
    {
      g_autoptr (GobanCostModel) costs = fusion_toy (by_pairs[i].graph, 1);
      g_autoptr (GobanPlan) plan = goban_plan_new (goban_cost_model_get_graph (costs), 1);
      g_autoptr (GobanFuser) fuser = goban_fuser_new (costs);
      g_autofree char *clusters = NULL;
      gint32 levels[8];

      g_test_message ("%s by %s", by_pairs[i].graph, by_pairs[i].levels);
      for (guint v = 0; by_pairs[i].levels[v] != '\0'; v++)
        levels[v] = by_pairs[i].levels[v] - '0';
      goban_fuser_set_pairs (fuser, TRUE);
      goban_fuser_fuse_by_priority (fuser, plan, levels);
      clusters = fusion_toy_clusters (costs, plan);
      g_assert_cmpstr (clusters, ==, by_pairs[i].clusters);
    }
}

/* a's readers are on two devices: it is fused with the one on its own, and sent to the other. */
static void
test_other_devices (void)
{
  g_autoptr (GobanCostModel) costs = fusion_toy ("a:Add b:Relu c:Mul d:Mul | a>b a>c c>d", 2);
  g_autoptr (GobanPlan) plan = goban_plan_new (goban_cost_model_get_graph (costs), 2);
  static const gint32 levels[] = { 1, 1, 1, 1 };
  g_autofree char *one = NULL;
  g_autofree char *other = NULL;

  goban_plan_set_device (plan, fusion_toy_node (costs, "c"), 1);
  goban_plan_set_device (plan, fusion_toy_node (costs, "d"), 1);
  g_assert_cmpuint (goban_fusion_by_priority (costs, plan, levels), ==, 2);
  one = fusion_toy_clusters (costs, plan);
  g_assert_cmpstr (one, ==, "a+b c+d");
  /* The baseline would have to run a twice. */
  g_assert_cmpuint (goban_fusion_default (costs, plan), ==, 1);
  other = fusion_toy_clusters (costs, plan);
  g_assert_cmpstr (other, ==, "c+d");
}

/* A chain of 200: kernels of 64. */
static void
test_limit (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  g_autofree gint32 *levels = g_new (gint32, 200);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 200; i++)
    {
      g_string_append_printf (text, "%sn%u:Relu", i > 0 ? " " : "", i);
      levels[i] = 1;
    }
  g_string_append (text, " |");
  for (guint i = 1; i < 200; i++)
    g_string_append_printf (text, " n%u>n%u", i - 1, i);
  costs = fusion_toy (text->str, 1);
  plan = goban_plan_new (goban_cost_model_get_graph (costs), 1);
  g_assert_cmpuint (goban_fusion_default (costs, plan), ==, 4);
  g_assert_true (goban_fusion_check (plan, costs, &error));
  g_assert_cmpuint (goban_fusion_by_priority (costs, plan, levels), ==, 4);
  g_assert_true (goban_fusion_check (plan, costs, &error));
}

/* --- properties -------------------------------------------------------------------------- */

static double
sum_work (GobanCostModel *costs, const GobanPlan *plan)
{
  g_autoptr (GobanContraction) contraction = goban_contraction_new (costs);
  const GobanContracted *ops = goban_contraction_fill (contraction, plan);
  double sum_us = 0;

  for (guint op = 0; op < ops->n_ops; op++)
    sum_us += ops->time_us[op];
  return sum_us;
}

/* The plan's clusters are legal, and no run of them takes more work than one without. */
static void
assert_sound (GobanCostModel *costs, const GobanPlan *plan)
{
  g_autoptr (GobanPlan) unfused = goban_plan_copy (plan);
  g_autoptr (GError) error = NULL;

  g_assert_true (goban_fusion_check (plan, costs, &error));
  g_assert_no_error (error);
  for (guint v = 0; v < goban_plan_get_n_nodes (plan); v++)
    goban_plan_set_fusion (unfused, v, GOBAN_NO_FUSION);
  g_assert_cmpfloat (sum_work (costs, plan), <=, sum_work (costs, unfused) * (1 + 1e-12));
}

static void
test_random_graphs (void)
{
  guint n_clusters = 0;

  for (guint64 seed = 0; seed < 300; seed++)
    {
      g_auto (RandomRun) run = { NULL };
      g_autoptr (GobanFuser) fuser = NULL;
      g_autofree gint32 *levels = NULL;
      guint n_nodes = 1 + seed % 97;
      GobanRng rng;

      fused_run_init (&run, n_nodes, seed);
      goban_rng_init (&rng, seed);
      levels = g_new (gint32, n_nodes);
      fuser = goban_fuser_new (run.costs);
      n_clusters += goban_fuser_fuse_default (fuser, run.plan);
      assert_sound (run.costs, run.plan);
      for (guint i = 0; i < 3; i++)
        {
          g_autoptr (GobanPlan) again = goban_plan_copy (run.plan);

          for (guint v = 0; v < n_nodes; v++)
            levels[v] = (gint32) goban_rng_below (&rng, 4) - (i == 0);
          n_clusters += goban_fuser_fuse_by_priority (fuser, run.plan, levels);
          assert_sound (run.costs, run.plan);
          /* A fuser that was used before decides as a new one does. */
          goban_fusion_by_priority (run.costs, again, levels);
          for (guint v = 0; v < n_nodes; v++)
            g_assert_cmpint (goban_plan_get_fusions (run.plan)[v], ==,
                             goban_plan_get_fusions (again)[v]);
        }
    }
  g_assert_cmpuint (n_clusters, >, 300);
}

/* On one device nothing but work counts, so fusion never slows a plan down. */
static void
test_one_device (void)
{
  for (guint64 seed = 0; seed < 100; seed++)
    {
      g_auto (RandomRun) run = { NULL };
      g_autoptr (GobanCluster) cluster
          = random_cluster (&(GobanRng){ .s = { seed + 1, 2, 3, 4 } }, 1);
      g_autoptr (GobanCostModel) costs = NULL;
      g_autoptr (GobanPlan) plan = NULL;
      g_autoptr (GobanTrace) before = NULL;
      g_autoptr (GobanTrace) after = NULL;
      g_autoptr (GError) error = NULL;

      fused_run_init (&run, 60, seed);
      costs = goban_cost_model_new (run.graph, cluster, GOBAN_EXECUTION_EVENTS);
      plan = goban_plan_new (run.graph, 1);
      before = goban_simulate (costs, plan);
      goban_fusion_default (costs, plan);
      after = goban_simulate (costs, plan);
      g_assert_true (goban_trace_check (after, &error));
      g_assert_no_error (error);
      g_assert_cmpfloat (goban_trace_get_makespan (after), <=,
                         goban_trace_get_makespan (before) * (1 + 1e-12));
    }
}

/* Nobody is ready to give up: a merge that was refused is illegal, unless the search was cut short,
 * which on a graph this small it never is. */
static void
test_refusals (void)
{
  for (guint64 seed = 0; seed < 200; seed++)
    {
      g_auto (RandomRun) run = { NULL };
      g_autofree gint32 *levels = g_new0 (gint32, 12);
      g_autoptr (GobanPlan) plan = NULL;
      GobanEdgeSpan out;
      GobanNodeId node = seed % 11;

      fused_run_init (&run, 12, seed);
      out = goban_graph_get_out_edges (run.graph, node);
      plan = goban_plan_new (run.graph, goban_plan_get_n_devices (run.plan));
      for (guint v = 0; v < 12; v++)
        {
          levels[v] = v == node ? 1 : 0;
          goban_plan_set_device (plan, v, goban_plan_get_device (run.plan, v));
        }
      for (guint i = 0; i < out.n; i++)
        levels[goban_graph_get_edge (run.graph, out.ids[i])->head] = 1;
      goban_fusion_by_priority (run.costs, plan, levels);
      if (goban_plan_get_fusions (plan)[node] != GOBAN_NO_FUSION)
        continue;

      /* By hand, and refused by the rules, unless there was nothing to fuse with. */
      goban_plan_set_fusion (plan, node, 1);
      for (guint v = 0; v < 12; v++)
        goban_plan_set_fusion (plan, v, v == node ? 1 : GOBAN_NO_FUSION);
      for (guint i = 0; i < out.n; i++)
        {
          const GobanEdge *edge = goban_graph_get_edge (run.graph, out.ids[i]);

          if (!goban_graph_get_tensor (run.graph, edge->tensor)->is_control
              && goban_plan_get_device (plan, edge->head) == goban_plan_get_device (plan, node))
            goban_plan_set_fusion (plan, edge->head, 1);
        }
      for (guint v = 0; v < 12; v++)
        if (v != node && goban_plan_get_fusions (plan)[v] == 1)
          {
            g_assert_false (goban_fusion_check (plan, run.costs, NULL));
            break;
          }
    }
}

TEST_PROGRAM (fusion)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fusion/default/by-hand", test_default);
  g_test_add_func ("/fusion/by-priority/by-hand", test_by_priority);
  g_test_add_func ("/fusion/by-priority/pairs", test_pairs);
  g_test_add_func ("/fusion/devices/never-across", test_other_devices);
  g_test_add_func ("/fusion/limit/64-ops", test_limit);
  g_test_add_func ("/fusion/random/legal-and-no-more-work", test_random_graphs);
  g_test_add_func ("/fusion/random/never-slower-on-one-device", test_one_device);
  g_test_add_func ("/fusion/random/refused-is-illegal", test_refusals);
  return g_test_run ();
}
