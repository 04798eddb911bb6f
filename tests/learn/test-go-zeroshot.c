/* test-go-zeroshot.c: what the network that builds plans is asked for: valid plans, within the
 * budget, and nothing else. */
#include "engine/core/error.h"
#include "engine/learn/policy/builder-net.h"
#include "engine/learn/policy/row-schedule.h"
#include "engine/learn/rl/builder/builder-lessons.h"
#include "engine/learn/rl/learned-options.h"
#include "engine/learn/rl/policies.h"
#include "engine/machine/plan/plan-diff.h"
#include "engine/placers/policies.h"
#include "engine/placers/search/static-orders.h"
#include "engine/placers/units.h"
#include "engine/sim/simulator.h"
#include "tests/support/rounds.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

typedef struct
{
  char *network;
  GobanGraph *graph;
  GobanCostModel *costs;
} Case;

static Case
new_case (GobanGraph *graph, const char *cluster)
{
  g_autoptr (GError) error = NULL;
  Case self = { .network = g_build_filename (g_get_tmp_dir (), "goban-zeroshot-XXXXXX", NULL) };
  g_autoptr (GobanBuilderNet) net = NULL;
  GobanRng rng;
  int file = g_mkstemp (self.network);

  g_assert_cmpint (file, >=, 0);
  g_close (file, &error);
  goban_rng_init (&rng, 2);
  net = goban_builder_net_new (GOBAN_ALL_PARTS, &rng);
  g_assert_true (goban_builder_net_save (net, self.network, &error));
  self.graph = graph;
  self.costs = toy_costs (graph, cluster);
  return self;
}

static void
case_clear (Case *self)
{
  g_unlink (self->network);
  g_free (self->network);
  goban_cost_model_unref (self->costs);
  goban_graph_unref (self->graph);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static GobanPlan *
place (const Case *self, GobanPlacerOptions options, guint64 *evaluations)
{
  GobanLearnedOptions learned = *goban_learned_options (&options);
  g_autoptr (GError) error = NULL;
  GobanPlan *plan;

  *evaluations = 0;
  if (learned.network == NULL)
    learned.network = self->network;
  options.learned = &learned;
  plan = goban_placer_place (&goban_placer_go_zeroshot, self->costs, &options, evaluations, &error);
  g_assert_no_error (error);
  goban_plan_check (plan, self->costs, &error);
  g_assert_no_error (error);
  return plan;
}

static double
simulate_us (const Case *self, const GobanPlan *plan)
{
  g_autoptr (GobanSimulator) simulator = goban_simulator_new (self->costs);

  return goban_simulator_evaluate (simulator, plan).makespan_us;
}

/* Exactly as many evaluations as there may be, 17 by default; more are never worse. */
static void
test_budget (void)
{
  g_auto (Case) self = new_case (
      toy_generate (TEST_IS_SANITIZED ? "synthetic:seed=21,nodes=200" : "synthetic:seed=21"),
      "p100x4");
  static const guint64 budgets[] = { 1, 2, 3, 5, 9, 12, 17, 40 };
  guint64 evaluations;
  g_autoptr (GobanPlan) usual = place (&self, (GobanPlacerOptions){ 0 }, &evaluations);

  g_assert_cmpuint (evaluations, ==, 17);
  for (gsize i = 0; i < G_N_ELEMENTS (budgets); i++)
    {
      GobanPlacerOptions options = { .max_evaluations = budgets[i] };
      g_autoptr (GobanPlan) plan = place (&self, options, &evaluations);

      g_assert_cmpuint (evaluations, ==, budgets[i]);
    }
}

/* The likeliest plan of a size; expected_us (out): when its schedule ends. (transfer full) */
static GobanPlan *
try_size (const Case *self, const GobanBuilderRows *size, double *expected_us)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanBuilderNet) net = goban_builder_net_load (self->network, &error);
  g_autoptr (GobanBuilderProblem) problem = goban_builder_problem_new (self->costs, size, &error);
  g_autoptr (GobanRowSchedule) schedule = goban_row_schedule_new (problem->rows);
  g_autofree guint32 *devices = g_new (guint32, problem->rows->n_rows);

  goban_plan_builder_build (problem->builder, net, &(GobanBuildOptions){ 0 }, devices);
  *expected_us = goban_row_schedule_find_end_us (schedule, devices, NULL, 1);
  goban_rows_place (problem->rows, devices, problem->plan);
  return goban_plan_ref (problem->plan);
}

/* The only evaluation is spent on the plan that is expected to be the shortest. */
static void
test_most_promising_first (void)
{
  static const GobanBuilderRows sizes[]
      = { { 0.5, 1, 0 }, { 0.5, 0, 0 }, { 1, 1, 0 }, { 0.25, 1, 0 }, { 0, 0, 256 } };
  guint n_others = 0;

  for (guint seed = 21; seed < 25; seed++)
    {
      g_autofree char *spec = g_strdup_printf ("synthetic:seed=%u,nodes=300", seed);
      g_auto (Case) self = new_case (toy_generate (spec), "p100x4");
      GobanPlacerOptions options = { .max_evaluations = 1, .settings = "drafts=1,refine=0" };
      gsize n_bytes = goban_graph_get_n_nodes (self.graph) * sizeof (GobanDeviceId);
      g_autoptr (GobanPlan) wanted = NULL;
      double least_us = INFINITY;
      guint64 evaluations;
      g_autoptr (GobanPlan) plan = place (&self, options, &evaluations);

      for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
        {
          double expected_us;
          g_autoptr (GobanPlan) of_size = try_size (&self, &sizes[i], &expected_us);

          if (expected_us >= least_us)
            continue;
          n_others += i > 0;
          least_us = expected_us;
          g_clear_pointer (&wanted, goban_plan_unref);
          wanted = g_steal_pointer (&of_size);
        }
      g_assert_cmpmem (goban_plan_get_devices (plan), n_bytes, goban_plan_get_devices (wanted),
                       n_bytes);
    }
  g_assert_cmpuint (n_others, >, 0);
}

/* The order is chosen for the plan: sometimes another one than the usual one, by which that very
 * placement is longer. Never longer on the mean. */
static void
test_order (void)
{
  guint n_shorter = 0;
  double sum = 0;

  for (guint seed = 21; seed < 33; seed++)
    {
      g_autofree char *spec = g_strdup_printf ("synthetic:seed=%u,nodes=300", seed);
      g_auto (Case) self = new_case (toy_generate (spec), "p100x4");
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanUnits) units = goban_units_new (self.costs, &error);
      g_autoptr (GobanStaticOrders) orders = goban_static_orders_new (units);
      GobanPlacerOptions options = { .max_evaluations = 1, .settings = "drafts=1,refine=0" };
      guint64 evaluations;
      g_autoptr (GobanPlan) plan = place (&self, options, &evaluations);
      g_autoptr (GobanPlan) usual = goban_plan_copy (plan);
      double chosen_us = simulate_us (&self, plan);
      double usual_us;

      goban_static_orders_apply (orders, GOBAN_STATIC_TRANSFERS, usual);
      usual_us = simulate_us (&self, usual);
      g_test_message ("%u: %.0f us, by transfers %.0f", seed, chosen_us, usual_us);
      n_shorter += chosen_us < usual_us;
      sum += log (chosen_us / usual_us);
    }
  g_assert_cmpfloat (sum, <, 0);
  g_assert_cmpuint (n_shorter, >, 0);
}

/* Of several samples the one that is simulated is the most promising, also where the first plan is
 * all there is. The rule of the network is reversed, so its likeliest plans are poor. */
static void
test_drafts (gconstpointer data)
{
  guint n_evaluations = GPOINTER_TO_UINT (data);
  g_auto (Case) self = new_case (toy_generate ("synthetic:seed=41,nodes=200"), "p100x4");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanBuilderNet) net = goban_builder_net_load (self.network, &error);
  guint64 evaluations;
  double sum = 0;

  for (guint f = 0; f < GOBAN_CHOICE_N; f++)
    goban_builder_net_get_decoder (net).scorer.linear[f] *= -1;
  g_assert_true (goban_builder_net_save (net, self.network, &error));
  for (guint seed = 0; seed < 4; seed++)
    {
      GobanPlacerOptions options = { .seed = seed, .max_evaluations = n_evaluations };
      g_autoptr (GobanPlan) chosen = NULL;
      g_autoptr (GobanPlan) first = NULL;

      options.settings = "temperature=100,drafts=1,refine=0";
      first = place (&self, options, &evaluations);
      options.settings = "temperature=100,drafts=60,refine=0";
      chosen = place (&self, options, &evaluations);
      sum += simulate_us (&self, chosen) / simulate_us (&self, first);
    }
  g_test_message ("%.3f", sum / 4);
  g_assert_cmpfloat (sum / 4, <, 0.97);
}

/* Refined plans are shorter at the same number of simulations, the first included. The rule of the
 * network is reversed, so its plans are poor. */
static void
test_refined (void)
{
  g_auto (Case) self = new_case (toy_generate ("synthetic:seed=41,nodes=200"), "p100x4");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanBuilderNet) net = goban_builder_net_load (self.network, &error);
  static const guint64 budgets[] = { 1, 17 };

  for (guint f = 0; f < GOBAN_CHOICE_N; f++)
    goban_builder_net_get_decoder (net).scorer.linear[f] *= -1;
  g_assert_true (goban_builder_net_save (net, self.network, &error));
  for (gsize i = 0; i < G_N_ELEMENTS (budgets); i++)
    {
      GobanPlacerOptions options = { .max_evaluations = budgets[i] };
      guint64 evaluations;
      g_autoptr (GobanPlan) refined = place (&self, options, &evaluations);
      g_autoptr (GobanPlan) built = NULL;

      options.settings = "refine=0";
      built = place (&self, options, &evaluations);
      g_assert_cmpfloat (simulate_us (&self, refined), <, 0.97 * simulate_us (&self, built));
    }
}

/* Any graph and cluster, groups and devices that cannot run all ops included; twice the same. */
static void
test_repeatable (void)
{
  for (guint seed = 0; seed < 6; seed++)
    {
      g_auto (Case) self = new_case (toy_mixed (30 + 10 * seed, seed), TOY_MIXED_CLUSTER);
      GobanPlacerOptions options = { .seed = seed };
      guint64 evaluations;
      g_autoptr (GobanPlan) a = place (&self, options, &evaluations);
      g_autoptr (GobanPlan) b = place (&self, options, &evaluations);
      g_autoptr (GobanPlanDiff) diff = goban_plan_diff (a, b);

      g_assert_cmpuint (diff->n_moved + diff->n_reprioritised, ==, 0);
    }
}

/* Two chains and two devices: the rule of an untrained network gives each chain its own device at
 * once. */
static void
test_obvious (void)
{
  g_auto (Case) self = new_case (toy_two_chains (12), "equal:2,bandwidth=1e6");
  guint64 evaluations;
  g_autoptr (GobanPlan) plan = place (&self, (GobanPlacerOptions){ 0 }, &evaluations);

  g_assert_cmpfloat (simulate_us (&self, plan), ==, 120);
}

/* A plan to begin with says the order, and nothing but devices is changed. */
static void
test_start (void)
{
  g_auto (Case) self = new_case (toy_generate ("synthetic:seed=22,nodes=300"), "p100x4");
  g_autoptr (GobanPlan) start = goban_plan_new (self.graph, 4);
  guint64 evaluations;
  g_autoptr (GobanPlan) plan = NULL;

  goban_plan_set_order (start, GOBAN_ORDER_PRIORITY);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self.graph); v++)
    goban_plan_set_priority (start, v, (gint32) (v * 7 % 31));
  plan = place (&self, (GobanPlacerOptions){ .learned = &(GobanLearnedOptions){ .start = start } },
                &evaluations);
  g_assert_cmpmem (
      goban_plan_get_priorities (plan), goban_graph_get_n_nodes (self.graph) * sizeof (gint32),
      goban_plan_get_priorities (start), goban_graph_get_n_nodes (self.graph) * sizeof (gint32));
  g_assert_cmpuint (evaluations, ==, 17);
}

static void
assert_refused (const Case *self, GobanPlacerOptions options, GobanError code, const char *word)
{
  GobanLearnedOptions learned = *goban_learned_options (&options);
  g_autoptr (GError) error = NULL;
  guint64 evaluations = 0;

  if (learned.network == NULL)
    learned.network = self->network;
  options.learned = &learned;
  g_assert_null (
      goban_placer_place (&goban_placer_go_zeroshot, self->costs, &options, &evaluations, &error));
  g_assert_error (error, GOBAN_ERROR, (gint) code);
  g_assert_nonnull (strstr (error->message, word));
}

static void
test_refused (void)
{
  g_auto (Case) self = new_case (toy_diamond (), "equal:2");

  assert_refused (&self,
                  (GobanPlacerOptions){
                      .learned = &(GobanLearnedOptions){ .decisions = 1u << GOBAN_TASK_FUSION } },
                  GOBAN_ERROR_INVALID, "fusion");
  assert_refused (&self, (GobanPlacerOptions){ .settings = "attention=0" }, GOBAN_ERROR_INVALID,
                  "attention=0");
  assert_refused (&self, (GobanPlacerOptions){ .settings = "temperature=-1" }, GOBAN_ERROR_INVALID,
                  "temperature=-1");
  assert_refused (&self, (GobanPlacerOptions){ .settings = "drafts=0" }, GOBAN_ERROR_INVALID,
                  "drafts=0");
  assert_refused (&self, (GobanPlacerOptions){ .settings = "refine=-1" }, GOBAN_ERROR_INVALID,
                  "refine=-1");
  assert_refused (
      &self,
      (GobanPlacerOptions){ .learned = &(GobanLearnedOptions){ .network = "/nowhere/x.net" } },
      GOBAN_ERROR_IO, "/nowhere/x.net");
}

static gboolean
stop (gpointer user_data)
{
  guint *left = user_data;

  return (*left)-- == 0;
}

static void
test_cancelled (void)
{
  g_auto (Case) self = new_case (toy_generate ("synthetic:seed=24,nodes=200"), "p100x4");

  for (guint after = 0; after < 17; after += 4)
    {
      guint left = after;
      GobanProgress progress = { .should_stop = stop, .user_data = &left };

      assert_refused (&self, (GobanPlacerOptions){ .progress = &progress }, GOBAN_ERROR_CANCELLED,
                      "");
    }
}

TEST_PROGRAM (go_zeroshot)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/go-zeroshot/budget", test_budget);
  g_test_add_func ("/rl/go-zeroshot/most-promising-first", test_most_promising_first);
  g_test_add_func ("/rl/go-zeroshot/order", test_order);
  g_test_add_data_func ("/rl/go-zeroshot/drafts/first", GUINT_TO_POINTER (1), test_drafts);
  g_test_add_data_func ("/rl/go-zeroshot/drafts/samples", GUINT_TO_POINTER (6), test_drafts);
  g_test_add_func ("/rl/go-zeroshot/refined", test_refined);
  g_test_add_func ("/rl/go-zeroshot/repeatable", test_repeatable);
  g_test_add_func ("/rl/go-zeroshot/obvious", test_obvious);
  g_test_add_func ("/rl/go-zeroshot/start", test_start);
  g_test_add_func ("/rl/go-zeroshot/refused", test_refused);
  g_test_add_func ("/rl/go-zeroshot/cancelled", test_cancelled);
  return g_test_run ();
}
