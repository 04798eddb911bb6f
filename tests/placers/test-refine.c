#include "engine/placers/search/refine.h"

#include "engine/sim/fusion/contraction.h"
#include "engine/sim/fusion/fusion.h"
#include "engine/sim/simulator.h"
#include "tests/sim/fusion-toy.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#define PLACEMENT (1u << GOBAN_TASK_PLACEMENT)
#define SCHEDULING (1u << GOBAN_TASK_SCHEDULING)

typedef struct
{
  GobanCostModel *costs; /* borrowed */
  GobanTasks decisions;
  guint64 seed;
  guint64 max_evaluations;
  GobanOutcome before;
  GobanOutcome after;
} Refined;

/* (transfer full): the best of a search that starts at @plan */
static GobanPlan *
refine (Refined *self, GobanPlan *plan)
{
  GobanPlacerOptions options = { .max_evaluations = self->max_evaluations };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanUnits) units = goban_units_new (self->costs, &error);
  g_autoptr (GobanEvaluator) evaluator = goban_search_new_evaluator (self->costs);
  g_auto (GobanSearch) search = { NULL };
  GobanRefining refining = { .search = &search,
                             .units = units,
                             .costs = self->costs,
                             .evaluator = evaluator,
                             .decisions = self->decisions,
                             .seed = self->seed };
  guint64 evaluations = 0;

  g_assert_no_error (error);
  goban_search_begin (&search, &options, 1000);
  goban_evaluator_evaluate (evaluator, &plan, 1, &self->before);
  goban_search_offer (&search, plan, self->before);
  g_assert_true (goban_refine (&refining, plan, self->before, &error));
  g_assert_no_error (error);
  self->after = search.outcome;
  g_assert_cmpuint (search.n_evaluations, <=, search.max_evaluations);
  return goban_search_end (&search, &evaluations);
}

static GobanCostModel *
new_costs (guint64 seed, guint n_nodes)
{
  static const char *const specs[] = { "equal:3,bandwidth=4e6", "p100x2", "p100x4", "cpu+gpu" };

  return toy_small_costs (n_nodes, seed, specs[seed % G_N_ELEMENTS (specs)]);
}

static void
test_never_worse (void)
{
  static const char *const starts[] = { "random", "single", "heft", "round-robin" };
  guint n_better = 0;

  for (guint i = 0; i < 24; i++)
    {
      g_autoptr (GobanCostModel) costs = new_costs (i, 20);
      g_autoptr (GobanPlan) start = toy_place (costs, starts[i % G_N_ELEMENTS (starts)], i);
      Refined refined = { .costs = costs,
                          .decisions = i % 2 == 0 ? PLACEMENT : PLACEMENT | SCHEDULING,
                          .max_evaluations = 1 + 20 * i };
      g_autoptr (GobanPlan) plan = refine (&refined, start);
      g_autoptr (GobanSimulator) simulator = goban_simulator_new (costs);
      GobanOutcome again = goban_simulator_evaluate (simulator, plan);

      g_assert_true (goban_plan_check (plan, costs, NULL));
      g_assert_cmpfloat (again.makespan_us, ==, refined.after.makespan_us);
      g_assert_cmpint (goban_outcome_compare (&refined.after, &refined.before), <=, 0);
      n_better += goban_outcome_compare (&refined.after, &refined.before) < 0;
    }
  g_assert_cmpuint (n_better, >, 12);
}

/* Whoever may place alone leaves the order and every priority as they were. */
static void
test_keeps_order (void)
{
  static const char *const starts[] = { "random", "heft" };

  for (guint i = 0; i < 16; i++)
    {
      g_autoptr (GobanCostModel) costs = new_costs (i, 5 + 3 * i);
      g_autoptr (GobanPlan) start = toy_place (costs, starts[i % 2], i);
      Refined refined = { .costs = costs, .decisions = PLACEMENT, .max_evaluations = 300 };
      g_autoptr (GobanPlan) plan = NULL;

      goban_plan_set_order (start, i % 4 < 2 ? GOBAN_ORDER_FIFO : GOBAN_ORDER_PRIORITY);
      plan = refine (&refined, start);
      g_assert_cmpint (goban_plan_get_order (plan), ==, goban_plan_get_order (start));
      g_assert_cmpmem (goban_plan_get_priorities (plan), goban_plan_get_n_nodes (plan) * 4,
                       goban_plan_get_priorities (start), goban_plan_get_n_nodes (start) * 4);
    }
}

/* A FIFO plan gets priorities where they may be decided, if that pays. */
static void
test_gives_order (void)
{
  guint n_ordered = 0;

  for (guint i = 0; i < 16; i++)
    {
      g_autoptr (GobanCostModel) costs = new_costs (i, 20);
      g_autoptr (GobanPlan) start = toy_place (costs, "random", i);
      Refined refined
          = { .costs = costs, .decisions = PLACEMENT | SCHEDULING, .max_evaluations = 400 };
      g_autoptr (GobanPlan) plan = NULL;

      goban_plan_set_order (start, GOBAN_ORDER_FIFO);
      plan = refine (&refined, start);
      n_ordered += goban_plan_get_order (plan) == GOBAN_ORDER_PRIORITY;
    }
  g_assert_cmpuint (n_ordered, >, 8);
}

/* --- kernels --------------------------------------------------------------------------------- */

/* Chains side by side of products and what fuses with them. (transfer full) */
static GobanCostModel *
new_chains (guint n_chains, guint n_ops)
{
  static const char *const ops[] = { "MatMul", "BiasAdd", "Relu", "Mul" };
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint c = 0; c < n_chains; c++)
    for (guint i = 0; i < n_ops; i++)
      g_string_append_printf (text, "n%u_%u:%s ", c, i, ops[i % G_N_ELEMENTS (ops)]);
  g_string_append (text, "|");
  for (guint c = 0; c < n_chains; c++)
    for (guint i = 1; i < n_ops; i++)
      g_string_append_printf (text, " n%u_%u>n%u_%u", c, i - 1, c, i);
  return fusion_toy (text->str, 2);
}

static void
test_keeps_kernels (void)
{
  g_autoptr (GobanCostModel) costs = new_chains (4, 12);
  g_autoptr (GobanPlan) start = toy_place (costs, "single", 0);
  Refined refined = { .costs = costs, .decisions = GOBAN_TASKS_ALL };

  g_assert_cmpuint (goban_fusion_default (costs, start), >, 4);
  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (GobanPlan) plan = NULL;
      g_autoptr (GError) error = NULL;

      refined.seed = i;
      refined.max_evaluations = 5 + 30 * i;
      plan = refine (&refined, start);
      goban_fusion_check (plan, costs, &error);
      g_assert_no_error (error);
      g_assert_cmpmem (goban_plan_get_fusions (plan), goban_plan_get_n_nodes (plan) * 4,
                       goban_plan_get_fusions (start), goban_plan_get_n_nodes (start) * 4);
    }
  /* Two devices take two chains each. */
  g_assert_cmpfloat (refined.after.makespan_us, <, 0.51 * refined.before.makespan_us);
}

/* --- optima ---------------------------------------------------------------------------------- */

#define N_TENS 30

/* Ten nodes from a plan by lot, against what `exact` has proven. */
static void
test_finds_optimum_of_ten (void)
{
  GraphGen gen = graph_gen_ten ();
  guint n_found = 0;

  for (guint i = 0; i < N_TENS; i++)
    {
      g_autoptr (GobanGraph) graph = graph_gen_new (&gen, i);
      g_autoptr (GobanCostModel) costs
          = toy_costs (graph, i % 2 == 0 ? "equal:2,bandwidth=4e6" : "equal:3,bandwidth=4e6");
      g_autoptr (GobanPlan) exact = toy_place (costs, "exact", 1);
      g_autoptr (GobanPlan) start = toy_place (costs, "random", i);
      double optimum_us = goban_plan_get_proven_bound_us (exact, costs);
      Refined refined
          = { .costs = costs, .decisions = PLACEMENT | SCHEDULING, .max_evaluations = 4000 };
      g_autoptr (GobanPlan) plan = refine (&refined, start);

      g_assert_cmpfloat (refined.after.makespan_us, >=, optimum_us * (1 - 1e-12));
      n_found += refined.after.makespan_us <= optimum_us * (1 + 1e-12);
    }
  g_test_message ("%u of %u optima found", n_found, N_TENS);
  g_assert_cmpuint (n_found, >=, N_TENS * 9 / 10);
}

static void
test_repeats_itself (void)
{
  g_autoptr (GobanCostModel) costs = new_costs (2, 60);
  g_autoptr (GobanPlan) start = toy_place (costs, "random", 1);
  Refined refined = { .costs = costs, .decisions = PLACEMENT, .max_evaluations = 200, .seed = 5 };
  g_autoptr (GobanPlan) one = refine (&refined, start);
  g_autoptr (GobanPlan) other = refine (&refined, start);

  g_assert_cmpmem (
      goban_plan_get_devices (one), goban_plan_get_n_nodes (one) * sizeof (GobanDeviceId),
      goban_plan_get_devices (other), goban_plan_get_n_nodes (other) * sizeof (GobanDeviceId));
}

TEST_PROGRAM (refine)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/refine/never-worse", test_never_worse);
  g_test_add_func ("/refine/keeps-order", test_keeps_order);
  g_test_add_func ("/refine/gives-order", test_gives_order);
  g_test_add_func ("/refine/keeps-kernels", test_keeps_kernels);
  g_test_add_func ("/refine/finds-optimum-of-ten", test_finds_optimum_of_ten);
  g_test_add_func ("/refine/repeats-itself", test_repeats_itself);
  return g_test_run ();
}
