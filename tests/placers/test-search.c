#include "engine/core/error.h"
#include "engine/placers/policies.h"
#include "engine/placers/search.h"
#include "engine/placers/search/starts.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

static void
test_budget (void)
{
  GobanPlacerOptions unlimited = { .seed = 0 };
  GobanPlacerOptions some = { .max_evaluations = 7 };
  GobanPlacerOptions seconds = { .max_seconds = 1000 };
  g_auto (GobanSearch) search = { NULL };

  goban_search_begin (&search, &unlimited, 100);
  g_assert_cmpuint (search.max_evaluations, ==, 100);
  goban_search_begin (&search, &some, 100);
  g_assert_cmpuint (search.max_evaluations, ==, 7);
  g_assert_cmpuint (goban_search_clip (&search, 5), ==, 5);
  g_assert_cmpuint (goban_search_clip (&search, 9), ==, 7);
  /* Seconds alone take the place of the default. */
  goban_search_begin (&search, &seconds, 100);
  g_assert_cmpuint (search.max_evaluations, ==, 0);
  g_assert_cmpuint (goban_search_clip (&search, 9), ==, 9);
  g_assert_cmpfloat (goban_search_get_fraction (&search), <, 0.01);
}

static void
test_offer_keeps_best (void)
{
  static const GobanOutcome outcomes[] = { { 9, 5 }, { 8, 6 }, { 20, 0 }, { 10, 0 }, { 10, 0 } };
  static const gboolean is_best[] = { TRUE, FALSE, TRUE, TRUE, FALSE };
  GobanPlacerOptions options = { .max_evaluations = 5 };
  g_autoptr (GobanGraph) graph = toy_chain ();
  g_auto (GobanSearch) search = { NULL };
  g_autoptr (GobanPlan) best = NULL;
  guint64 evaluations = 3;

  goban_search_begin (&search, &options, 100);
  for (guint i = 0; i < G_N_ELEMENTS (outcomes); i++)
    {
      g_autoptr (GobanPlan) plan = goban_plan_new (graph, 2);
      g_autoptr (GError) error = NULL;

      g_assert_true (goban_search_go_on (&search, "testing", &error));
      goban_plan_set_priority (plan, 0, (gint32) i);
      g_assert_true (goban_search_offer (&search, plan, outcomes[i]) == is_best[i]);
      goban_plan_set_priority (plan, 0, 99); /* the best is a copy */
    }
  g_assert_false (goban_search_go_on (&search, "testing", NULL)); /* spent: not an error */
  g_assert_cmpuint (search.best_evaluation, ==, 4);
  best = goban_search_end (&search, &evaluations);
  g_assert_cmpint (goban_plan_get_priority (best, 0), ==, 3);
  g_assert_cmpuint (evaluations, ==, 8);
}

/* The learning curve has each shorter valid plan, and nothing that lacks memory. */
static void
test_improvements (void)
{
  static const GobanOutcome outcomes[]
      = { { 9, 5 }, { 20, 0 }, { 20, 0 }, { 8, 5 }, { 12, 0 }, { 13, 0 } };
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (GobanImprovement));
  GobanPlacerOptions options = { .improvements = steps };
  g_autoptr (GobanGraph) graph = toy_chain ();
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 2);
  g_auto (GobanSearch) search = { NULL };

  goban_search_begin (&search, &options, 100);
  for (guint i = 0; i < G_N_ELEMENTS (outcomes); i++)
    goban_search_offer (&search, plan, outcomes[i]);
  g_assert_cmpuint (steps->len, ==, 2);
  g_assert_cmpuint (g_array_index (steps, GobanImprovement, 0).evaluation, ==, 2);
  g_assert_cmpfloat (g_array_index (steps, GobanImprovement, 0).makespan_us, ==, 20);
  g_assert_cmpuint (g_array_index (steps, GobanImprovement, 1).evaluation, ==, 5);
  g_assert_cmpfloat (g_array_index (steps, GobanImprovement, 1).makespan_us, ==, 12);
}

/* Curves of searches fall, within what they spent, and end with the plan that is returned; exact's
 * begins with that of the search it starts from. */
static void
test_curves (void)
{
  static const GobanPlacer *const searches[] = { &goban_placer_anneal, &goban_placer_local_search,
                                                 &goban_placer_brkga, &goban_placer_exact };
  GraphGen gen = graph_gen_small (60);
  g_autoptr (GobanGraph) graph = graph_gen_new (&gen, 4);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:3,bandwidth=4e6");
  g_autoptr (GobanSimulator) simulator = goban_simulator_new (costs);

  for (gsize s = 0; s < G_N_ELEMENTS (searches); s++)
    {
      g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (GobanImprovement));
      GobanPlacerOptions options = { .max_evaluations = 600, .improvements = steps };
      g_autoptr (GError) error = NULL;
      guint64 evaluations = 0;
      g_autoptr (GobanPlan) plan
          = goban_placer_place (searches[s], costs, &options, &evaluations, &error);
      const GobanImprovement *last;

      g_assert_no_error (error);
      g_assert_cmpuint (steps->len, >, 1);
      for (guint i = 1; i < steps->len; i++)
        {
          const GobanImprovement *step = &g_array_index (steps, GobanImprovement, i);

          g_assert_cmpuint (step->evaluation, >, step[-1].evaluation);
          g_assert_cmpfloat (step->makespan_us, <, step[-1].makespan_us);
        }
      last = &g_array_index (steps, GobanImprovement, steps->len - 1);
      g_assert_cmpuint (last->evaluation, <=, evaluations);
      g_assert_cmpfloat (last->makespan_us, ==,
                         goban_simulator_evaluate (simulator, plan).makespan_us);
    }
}

/* A plan as short as the bound is as good as it gets, if it fits. */
static void
test_stops_at_bound (void)
{
  GobanPlacerOptions options = { .seed = 0 };
  g_autoptr (GobanGraph) graph = toy_chain ();
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 2);
  g_autoptr (GError) error = NULL;
  g_auto (GobanSearch) search = { NULL };

  goban_search_begin (&search, &options, 100);
  search.bound_us = 40;
  goban_search_offer (&search, plan, (GobanOutcome){ 40, 1 });
  g_assert_true (goban_search_go_on (&search, "testing", &error));
  goban_search_offer (&search, plan, (GobanOutcome){ 41, 0 });
  g_assert_true (goban_search_go_on (&search, "testing", &error));
  goban_search_offer (&search, plan, (GobanOutcome){ 40, 0 });
  g_assert_false (goban_search_go_on (&search, "testing", &error));
  g_assert_no_error (error);
}

static gboolean
stop (gpointer user_data)
{
  (void) user_data;
  return TRUE;
}

static void
test_cancelled (void)
{
  GobanProgress progress = { .should_stop = stop };
  GobanPlacerOptions options = { .progress = &progress };
  g_autoptr (GobanGraph) graph = toy_chain ();
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 2);
  g_autoptr (GError) error = NULL;
  GobanSearch search;
  guint64 evaluations = 0;

  goban_search_begin (&search, &options, 100);
  goban_search_offer (&search, plan, (GobanOutcome){ 1, 0 });
  g_assert_false (goban_search_go_on (&search, "testing", &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
  g_assert_null (goban_search_end (&search, &evaluations));
  g_assert_cmpuint (evaluations, ==, 1);
}

/* Somebody wants the best so far: it comes, but never nothing. */
/* Loops within loops ask on their way out, too: the error of the first time stays. */
static void
test_asked_again (void)
{
  GobanProgress progress = { .should_stop = stop };
  GobanPlacerOptions options = { .progress = &progress };
  g_auto (GobanSearch) search = { NULL };
  g_autoptr (GError) error = NULL;

  goban_search_begin (&search, &options, 100);
  g_assert_false (goban_search_go_on (&search, "searching", &error));
  g_assert_false (goban_search_go_on (&search, "searching", &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED);
}

static void
test_finished_early (void)
{
  gint finish = 1;
  GobanPlacerOptions options = { .finish = &finish };
  g_autoptr (GobanGraph) graph = toy_chain ();
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 2);
  g_autoptr (GobanPlan) best = NULL;
  g_autoptr (GError) error = NULL;
  GobanSearch search;
  guint64 evaluations = 0;

  goban_search_begin (&search, &options, 100);
  g_assert_true (goban_search_go_on (&search, "testing", &error));
  goban_search_offer (&search, plan, (GobanOutcome){ 1, 0 });
  g_assert_false (goban_search_go_on (&search, "testing", &error));
  g_assert_no_error (error);
  best = goban_search_end (&search, &evaluations);
  g_assert_nonnull (best);
}

/* --- start plans ----------------------------------------------------------------------- */

/* The best of all is kept, in whichever order it runs, and the start goes by priorities. */
static void
test_starts (void)
{
  static const GobanPlacer *const policies[]
      = { &goban_placer_heft, &goban_placer_critical_path, &goban_placer_single,
          &goban_placer_m_topo, &goban_placer_metis };

  for (guint i = 0; i < 30; i++)
    {
      GraphGen gen = graph_gen_small (25);
      GobanPlacerOptions options = { .seed = i };
      g_autoptr (GobanGraph) graph = graph_gen_new (&gen, i);
      g_autoptr (GobanCostModel) costs
          = toy_costs (graph, i % 2 == 0 ? "p100x4" : "equal:3,bandwidth=4e6");
      g_autoptr (GobanEvaluator) evaluator = goban_evaluator_new (costs, 1);
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanUnits) units = goban_units_new (costs, &error);
      g_auto (GobanSearch) search = { NULL };
      g_autoptr (GobanPlan) start = NULL;
      GobanOutcome outcome;
      GobanOutcome again;

      goban_search_begin (&search, &options, 100);
      start = goban_starts_offer (&search, units, costs, evaluator, &outcome, &error);
      g_assert_no_error (error);
      g_assert_cmpint (goban_plan_get_order (start), ==, GOBAN_ORDER_PRIORITY);
      goban_plan_check (start, costs, &error);
      g_assert_no_error (error);
      goban_evaluator_evaluate (evaluator, (GobanPlan *const *) &start, 1, &again);
      g_assert_cmpfloat (outcome.makespan_us, ==, again.makespan_us);
      g_assert_cmpint (goban_outcome_compare (&search.outcome, &outcome), <=, 0);

      for (gsize p = 0; p < G_N_ELEMENTS (policies); p++)
        {
          g_autoptr (GobanPlan) plan
              = goban_placer_place (policies[p], costs, &options, NULL, &error);

          g_assert_no_error (error);
          goban_evaluator_evaluate (evaluator, (GobanPlan *const *) &plan, 1, &again);
          g_assert_cmpint (goban_outcome_compare (&search.outcome, &again), <=, 0);
        }
    }
}

/* The searches that start there never end above, however small the budget. */
static void
test_never_worse_than_starts (void)
{
  static const GobanPlacer *const searches[] = { &goban_placer_anneal, &goban_placer_local_search };
  GraphGen gen = graph_gen_small (40);

  for (guint i = 0; i < 10; i++)
    for (gsize s = 0; s < G_N_ELEMENTS (searches); s++)
      {
        GobanPlacerOptions options = { .seed = i, .max_evaluations = 14 + 20 * i };
        g_autoptr (GobanGraph) graph = graph_gen_new (&gen, i);
        g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x4");
        g_autoptr (GError) error = NULL;
        g_autoptr (GobanPlan) plan = NULL;
        g_autoptr (GobanPlan) heft = NULL;
        g_autoptr (GobanSimulator) simulator = goban_simulator_new (costs);
        GobanOutcome found;
        GobanOutcome of_heft;

        plan = goban_placer_place (searches[s], costs, &options, NULL, &error);
        g_assert_no_error (error);
        heft = goban_placer_place (&goban_placer_heft, costs, &options, NULL, &error);
        g_assert_no_error (error);
        found = goban_simulator_evaluate (simulator, plan);
        of_heft = goban_simulator_evaluate (simulator, heft);
        g_assert_cmpint (goban_outcome_compare (&found, &of_heft), <=, 0);
      }
}

TEST_PROGRAM (search)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/search/budget", test_budget);
  g_test_add_func ("/search/offer-keeps-best", test_offer_keeps_best);
  g_test_add_func ("/search/improvements", test_improvements);
  g_test_add_func ("/search/curves", test_curves);
  g_test_add_func ("/search/stops-at-bound", test_stops_at_bound);
  g_test_add_func ("/search/cancelled", test_cancelled);
  g_test_add_func ("/search/asked-again", test_asked_again);
  g_test_add_func ("/search/finished-early", test_finished_early);
  g_test_add_func ("/search/starts", test_starts);
  g_test_add_func ("/search/never-worse-than-starts", test_never_worse_than_starts);
  return g_test_run ();
}
