#include "engine/sim/fusion/contraction.h"

#include "engine/core/error.h"
#include "tests/sim/fusion-toy.h"
#include "tests/sim/random-run.h"
#include "tests/support/test-program.h"

#include <math.h>

/* Gives the nodes of "a+b" one fusion number. */
static void
fuse (GobanPlan *plan, const GobanCostModel *costs, const char *names, gint32 number)
{
  g_auto (GStrv) parts = g_strsplit (names, "+", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    goban_plan_set_fusion (plan, fusion_toy_node (costs, parts[i]), number);
}

/* --- time -------------------------------------------------------------------------------- */

/* Estimated ops move 100 bytes in 100 us, launch in 5 us; a product computes for 300 us. */
static const struct
{
  const char *graph;
  const char *fused;
  double time_us;
} times[] = {
  /* Three ops read and write 100 bytes each, a only writes: 100 + 5, 205, 205. Fused: two launches
   * and four times 100 bytes less, of 5. */
  { "a:Add b:Relu c:Mul | a>b b>c", "a+b+c", 105 },
  /* The same, but a's tensor leaves as well: it is written and read. */
  { "a:Add b:Relu c:Mul d:Mul | a>b b>c a>d", "a+b+c", 305 },
  /* Two readers within: one write and two reads saved, of 100 + 200 + 200. */
  { "a:Add b:Relu c:Mul | a>b a>c", "a+b+c", 205 },
  /* A product hides the traffic: max (300, 400 - 200) + 5. */
  { "x:Mul m:MatMul b:BiasAdd | x>m m>b", "m+b", 305 },
  /* Given times: 10 + 20 + 30, less two launches of 5, less 400 bytes: at least the longest. */
  { "a=10:Add b=20:Relu c=30:Mul | a>b b>c", "a+b+c", 30 },
  /* Long ones: 1000 + 1200 - 5 - 200. */
  { "a=1000:Add b=1200:Relu | a>b", "a+b", 1995 },
  /* A time shorter than a launch saves itself and no more, and what takes none saves none. */
  { "a=1000:Add b=3:Relu c=0:Reshape | b>a b>c", "a+b+c", 1000 },
  { "a=1000:Add b=3:Relu d=0:Reshape c:Assign | a>c b>c d>c", "a+b+d", 1000 },
  { "a=0:Reshape b=0:Reshape | a>b", "a+b", 0 },
  /* Both kinds: 100 bytes of a's stay, of b's 205 us 105, and c's time is as given. */
  { "x:Mul a:Add c=50:Mul | x>a a>c", "a+c", 150 },
  { "x:Mul a:Add c=2:Mul | x>a a>c", "a+c", 105 },
};

static void
test_times (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (times); i++)
    {
      g_autoptr (GobanCostModel) costs = fusion_toy (times[i].graph, 1);
      g_autoptr (GobanPlan) plan = goban_plan_new (goban_cost_model_get_graph (costs), 1);
      g_autoptr (GobanContraction) contraction = goban_contraction_new (costs);
      char first[2] = { times[i].fused[0], '\0' };
      const GobanContracted *ops;

      g_test_message ("%s in %s", times[i].fused, times[i].graph);
      fuse (plan, costs, times[i].fused, 3);
      ops = goban_contraction_fill (contraction, plan);
      g_assert_cmpfloat (ops->time_us[ops->op_of[fusion_toy_node (costs, first)]], ==,
                         times[i].time_us);
    }
}

/* Sum and longest of what a kernel's members take by themselves. */
static void
test_time_bounds (void)
{
  for (guint64 seed = 0; seed < 300; seed++)
    {
      g_auto (RandomRun) run = { NULL };
      g_autoptr (GobanContraction) contraction = NULL;
      const GobanContracted *ops;

      fused_run_init (&run, 20, seed);
      contraction = goban_contraction_new (run.costs);
      ops = goban_contraction_fill (contraction, run.plan);
      for (guint op = 0; op < ops->n_ops; op++)
        {
          double sum_us = 0;
          double longest_given_us = 0;

          for (guint i = ops->first_member[op]; i < ops->first_member[op + 1]; i++)
            {
              GobanNodeId v = ops->member[i];
              double time_us = goban_cost_model_time_us (run.costs, v, ops->device[op]);

              sum_us += time_us;
              if (goban_graph_get_n_kinds (run.graph) > 0
                  && isfinite (goban_graph_get_time_us (run.graph, v, 0)))
                longest_given_us = MAX (longest_given_us, time_us);
            }
          g_assert_cmpfloat (ops->time_us[op], <=, sum_us * (1 + 1e-12));
          g_assert_cmpfloat (ops->time_us[op], >=, longest_given_us);
        }
    }
}

/* --- arrays ------------------------------------------------------------------------------ */

/*   a -> b -> d      b and c are one op; a's tensor is read twice by it; c's leaves, b's stays.
 *    \-> c -/  \     The ops are a, b+c, d, e.
 *        c -----> e
 */
static void
test_arrays (void)
{
  g_autoptr (GobanCostModel) costs
      = fusion_toy ("a:Add b:Relu c:Mul d:Add e:Add | a>b a>c b>c c>d c>e", 1);
  g_autoptr (GobanPlan) plan = goban_plan_new (goban_cost_model_get_graph (costs), 1);
  g_autoptr (GobanContraction) contraction = goban_contraction_new (costs);
  const GobanContracted *ops;
  guint32 order[5];

  fuse (plan, costs, "b+c", 2000000000);
  goban_plan_set_priority (plan, 1, -4);
  goban_plan_set_priority (plan, 2, 9);
  ops = goban_contraction_fill (contraction, plan);
  g_assert_cmpuint (ops->n_ops, ==, 4);
  g_assert_cmpuint (ops->op_of[1], ==, 1);
  g_assert_cmpuint (ops->op_of[2], ==, 1);
  g_assert_cmpuint (ops->op_of[4], ==, 3);
  g_assert_cmpint (ops->priority[1], ==, 9);
  g_assert_cmpuint (ops->n_tensors, ==, 4);
  g_assert_cmpuint (ops->tensor[1], ==, 2);
  g_assert_cmpuint (ops->n_edges, ==, 4);
  g_assert_cmpuint (ops->first_input[2] - ops->first_input[1], ==, 2);
  g_assert_cmpfloat (ops->saved_bytes, ==, 200);
  g_assert_true (goban_contraction_sort (contraction, order, NULL));
  g_assert_cmpuint (order[0], ==, 0);
  g_assert_cmpuint (order[1], ==, 1);

  /* And back: nothing fused is the graph itself. */
  for (guint v = 0; v < 5; v++)
    goban_plan_set_fusion (plan, v, GOBAN_NO_FUSION);
  ops = goban_contraction_fill (contraction, plan);
  g_assert_cmpuint (ops->n_ops, ==, 5);
  g_assert_cmpuint (ops->n_edges, ==, 5);
  g_assert_cmpfloat (ops->saved_bytes, ==, 0);
}

/* --- refusals ---------------------------------------------------------------------------- */

static const struct
{
  const char *graph;
  const char *fused;
  const char *why; /* NULL: legal */
} cases[] = {
  { "a:Add b:Relu c:Mul | a>b b>c", "a+b+c", NULL },
  /* They need not be neighbours. */
  { "a:Add b:Relu c:Mul | a>b", "a+c", NULL },
  /* An opaque op alone is as good as unfused. */
  { "a:Assign b:Relu | a>b", "a", NULL },
  { "a:Assign b:Relu | a>b", "a+b",
    "node “a” is fused with “b”, but its op “Assign” cannot be fused" },
  { "m:MatMul b:Relu n:Conv | m>b b>n", "m+b+n",
    "nodes “m” and “n” are fused, but a kernel has at most one heavy op" },
  { "r:Sum b:Relu s:Softmax | r>b b>s", "r+b+s",
    "nodes “r” and “s” are fused, but a kernel has at most one reduction op" },
  { "m:MatMul s:Softmax | m>s", "m+s", NULL },
  /* a -> b and a -> c -> b. */
  { "a:Add c:Relu b:Mul | a>b a>c c>b", "a+b",
    "the nodes fused with “a” wait for themselves: “a” comes before “c”, which comes before “b”" },
  { "a:Add c:Relu d:Relu b:Mul | a>b a>c c>d d>b", "a+b",
    "the nodes fused with “a” wait for themselves: “a” comes before “c”, which comes before “b”" },
};

static void
test_check (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GobanCostModel) costs = fusion_toy (cases[i].graph, 1);
      g_autoptr (GobanPlan) plan = goban_plan_new (goban_cost_model_get_graph (costs), 1);
      g_autoptr (GError) error = NULL;

      g_test_message ("%s in %s", cases[i].fused, cases[i].graph);
      fuse (plan, costs, cases[i].fused, 0);
      g_assert_cmpint (goban_fusion_check (plan, costs, &error), ==, cases[i].why == NULL);
      if (cases[i].why == NULL)
        continue;
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
      g_assert_cmpstr (error->message, ==, cases[i].why);
    }
}

/* a+d and b+c: a before b, c before d. Each is fine without the other. */
static void
test_check_two_clusters (void)
{
  g_autoptr (GobanCostModel) costs = fusion_toy ("a:Add b:Relu c:Mul d:Mul | a>b c>d", 1);
  g_autoptr (GobanPlan) plan = goban_plan_new (goban_cost_model_get_graph (costs), 1);
  g_autoptr (GError) error = NULL;

  fuse (plan, costs, "a+d", 0);
  g_assert_true (goban_fusion_check (plan, costs, &error));
  fuse (plan, costs, "b+c", 1);
  g_assert_false (goban_fusion_check (plan, costs, &error));
  g_assert_cmpstr (error->message, ==,
                   "the nodes fused with “a” wait for themselves: “a” comes before “b”, which "
                   "comes before “d”");
}

static void
test_devices (void)
{
  g_autoptr (GobanCostModel) costs = fusion_toy ("a:Add b:Relu c:Mul d:Mul | a>b b>c c>d", 2);
  g_autoptr (GobanPlan) plan = goban_plan_new (goban_cost_model_get_graph (costs), 2);
  g_autofree char *left = NULL;
  g_autoptr (GError) error = NULL;

  fuse (plan, costs, "a+b", 0);
  fuse (plan, costs, "c+d", 7);
  g_assert_cmpuint (goban_fusion_dissolve_split (plan), ==, 0);
  goban_plan_set_device (plan, fusion_toy_node (costs, "b"), 1);
  g_assert_false (goban_fusion_check (plan, costs, &error));
  g_assert_cmpstr (error->message, ==, "nodes “a” and “b” are fused but on gpu:0 and gpu:1");
  g_assert_cmpuint (goban_fusion_dissolve_split (plan), ==, 2);
  left = fusion_toy_clusters (costs, plan);
  g_assert_cmpstr (left, ==, "c+d");
}

static void
test_limit (void)
{
  g_autoptr (GString) text = g_string_new ("n0:Relu");
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 1; i < 65; i++)
    g_string_append_printf (text, " n%u:Relu", i);
  costs = fusion_toy (text->str, 1);
  plan = goban_plan_new (goban_cost_model_get_graph (costs), 1);
  for (guint v = 0; v < 64; v++)
    goban_plan_set_fusion (plan, v, 5);
  g_assert_true (goban_fusion_check (plan, costs, &error));
  goban_plan_set_fusion (plan, 64, 5);
  g_assert_false (goban_fusion_check (plan, costs, &error));
  g_assert_cmpstr (error->message, ==, "65 nodes are fused with “n0”, but a kernel has at most 64");
}

TEST_PROGRAM (contraction)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fusion/contraction/times", test_times);
  g_test_add_func ("/fusion/contraction/time-bounds", test_time_bounds);
  g_test_add_func ("/fusion/contraction/arrays", test_arrays);
  g_test_add_func ("/fusion/check/by-hand", test_check);
  g_test_add_func ("/fusion/check/two-clusters", test_check_two_clusters);
  g_test_add_func ("/fusion/check/devices", test_devices);
  g_test_add_func ("/fusion/check/limit", test_limit);
  return g_test_run ();
}
