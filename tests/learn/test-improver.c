/* test-improver.c: a search by moves repeats itself, is never worse, keeps orders, tries no plan
 * twice, and treats devices alike. */
#include "engine/learn/rl/moves/improver.h"

#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

/* graph: (transfer full) */
static GobanMoveProblem *
new_problem (GobanGraph *graph, const char *cluster)
{
  g_autoptr (GobanCostModel) costs = toy_costs (graph, cluster);
  g_autoptr (GError) error = NULL;
  GobanMoveProblem *self = goban_move_problem_new (costs, &error);

  g_assert_no_error (error);
  goban_graph_unref (graph);
  return self;
}

static GobanMoveProblem *
new_synthetic (guint seed, const char *cluster)
{
  g_autofree char *spec = g_strdup_printf ("synthetic:seed=%u,nodes=400", seed);

  return new_problem (toy_generate (spec), cluster);
}

/* Searches from a split, and writes the best score after counts[i] steps (ascending) to best_us
 * (n). @net: (nullable) */
static void
search (GobanMoveProblem *self, const GobanScorerNet *net, guint64 seed, const guint *counts,
        guint n, double *best_us)
{
  GobanImprover *improver = self->improver;
  GobanPlacerOptions none = { .max_evaluations = 1000 };
  GobanSearch unused;
  guint order;
  g_autoptr (GobanPlan) start = NULL;
  double least_us;
  guint n_done = 0;

  goban_search_begin (&unused, &none, 0);
  start = goban_move_problem_start (self, &unused, 5, &order, NULL);
  goban_search_clear (&unused);
  goban_rng_init (&improver->rng, seed);
  goban_improver_go_to (improver, start, order);
  least_us = improver->score_us;
  for (guint i = 0; i < n; i++)
    {
      for (gboolean goes_on = TRUE; n_done < counts[i] && goes_on; n_done++)
        {
          g_autoptr (GobanPlan) tried = NULL;
          GobanOutcome outcome;

          goes_on = goban_improver_step (improver, net, (double) n_done / counts[n - 1], &tried,
                                         &outcome);
          if (goes_on)
            least_us = MIN (least_us, goban_improver_score_us (improver, outcome));
        }
      best_us[i] = least_us;
    }
}

/* --- searches ------------------------------------------------------------------------------- */

/* Every plan that is tried can run, differs from the others, and counts. */
static void
check_search (GobanMoveProblem *problem, const GobanScorerNet *net, guint order)
{
  GobanImprover *improver = problem->improver;
  GobanPlacerOptions options = { .max_evaluations = 40 };
  g_autoptr (GobanPlan) start = goban_plan_new (problem->units->graph, problem->units->n_devices);
  g_autoptr (GobanPlan) best = NULL;
  g_autoptr (GError) error = NULL;
  GobanSearch search;
  guint64 evaluations = 0;
  GobanOutcome first;

  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (start); v++)
    goban_plan_set_device (start, v,
                           goban_units_fastest_device (problem->units, problem->units->unit_of[v]));
  if (order < GOBAN_N_STATIC_ORDERS)
    goban_static_orders_apply (improver->orders, (GobanStaticOrder) order, start);
  goban_search_begin (&search, &options, 0);
  first = goban_simulator_evaluate (improver->simulator, start);
  goban_search_offer (&search, start, first);
  g_assert_true (goban_improve (improver, net, start, order, &search, &error));
  g_assert_no_error (error);
  g_assert_cmpint (goban_outcome_compare (&search.outcome, &first), <=, 0);
  best = goban_search_end (&search, &evaluations);
  g_assert_cmpuint (evaluations, <=, 40);
  g_assert_true (goban_plan_check (best, problem->costs, &error));
  g_assert_no_error (error);
}

static void
test_searches (void)
{
  g_autoptr (GobanScorerNet) hand = goban_move_net_new_by_hand ();

  for (guint seed = 0; seed < 8; seed++)
    {
      g_autoptr (GobanMoveProblem) mixed = new_problem (toy_mixed (40, seed), TOY_MIXED_CLUSTER);
      g_autoptr (GobanMoveProblem) chain = new_problem (toy_chain (), "p100x2");
      g_autoptr (GobanMoveProblem) alone = new_problem (toy_diamond (), "equal:1");

      check_search (mixed, seed % 2 ? hand : NULL, seed % (GOBAN_N_STATIC_ORDERS + 1));
      check_search (chain, seed % 2 ? hand : NULL, seed % (GOBAN_N_STATIC_ORDERS + 1));
      check_search (alone, seed % 2 ? hand : NULL, seed % (GOBAN_N_STATIC_ORDERS + 1));
    }
}

/* Two chains on one of two devices: all proposers move one chain to the other device. */
static void
test_obvious (void)
{
  g_autoptr (GobanScorerNet) hand = goban_move_net_new_by_hand ();
  const guint counts[] = { 200 };

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GobanMoveProblem) problem
          = new_problem (toy_two_chains (8), "equal:2,bandwidth=1e6");
      double best_us;

      search (problem, i == 0 ? hand : NULL, 1, counts, 1, &best_us);
      g_assert_cmpfloat (best_us, ==, 80);
    }
}

static void
test_repeatable (void)
{
  g_autoptr (GobanScorerNet) hand = goban_move_net_new_by_hand ();
  const guint counts[] = { 5, 30, 60 };

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GobanMoveProblem) one = new_synthetic (51, "p100x4");
      g_autoptr (GobanMoveProblem) two = new_synthetic (51, "p100x4");
      const GobanScorerNet *net = i == 0 ? hand : NULL;
      double a[3], b[3];

      search (one, net, 9, counts, 3, a);
      search (two, net, 8, counts, 3, b);
      search (two, net, 9, counts, 3, b);
      g_assert_cmpmem (a, sizeof a, b, sizeof b);
      g_assert_cmpfloat (a[1], <=, a[0]);
      g_assert_cmpfloat (a[2], <=, a[1]);
    }
}

/* --- plans tried ---------------------------------------------------------------------------- */

/* Moves keep priorities, or renew ranks that depend on the placement; no placement is tried
 * twice. */
static void
test_steps (void)
{
  g_autoptr (GobanScorerNet) hand = goban_move_net_new_by_hand ();
  g_autoptr (GobanMoveProblem) problem = new_synthetic (52, "p100x4");
  GobanImprover *improver = problem->improver;

  for (guint order = 0; order < GOBAN_N_STATIC_ORDERS; order++)
    {
      g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      g_autoptr (GobanPlan) start = goban_plan_new (problem->units->graph, 4);
      gsize n = goban_plan_get_n_nodes (start);

      for (GobanNodeId v = 0; v < n; v++)
        goban_plan_set_device (start, v, (GobanDeviceId) (problem->units->unit_of[v] / 40 % 4));
      goban_static_orders_apply (improver->orders, (GobanStaticOrder) order, start);
      g_assert_cmpuint (goban_static_orders_find (improver->orders, start), ==, order);
      goban_improver_go_to (improver, start, order);
      for (guint i = 0; i < 40; i++)
        {
          g_autoptr (GobanPlan) tried = NULL;
          g_autofree char *devices = NULL;
          GobanOutcome outcome;

          g_assert_true (
              goban_improver_step (improver, i % 2 ? hand : NULL, 0.5, &tried, &outcome));
          g_assert_cmpuint (goban_static_orders_find (improver->orders, tried), ==, order);
          devices = g_base64_encode ((const guchar *) goban_plan_get_devices (tried),
                                     n * sizeof (GobanDeviceId));
          g_assert_true (g_hash_table_add (seen, g_steal_pointer (&devices)));
        }
    }
}

/* --- exchangeable devices ------------------------------------------------------------------- */

/* Devices renumbered: every group's scores are renumbered and nothing else, to the bit. */
static void
test_exchange (void)
{
  static const GobanDeviceId renumbered[] = { 3, 1, 0, 2 };
  g_autoptr (GobanMoveProblem) one = new_synthetic (53, "p100x4");
  g_autoptr (GobanMoveProblem) two = new_synthetic (53, "p100x4");
  g_autoptr (GobanScorerNet) net = goban_move_net_new_by_hand ();
  g_autofree float *x = g_new (float, 4 * GOBAN_MOVE_N_FEATURES);
  g_autofree float *y = g_new (float, 4 * GOBAN_MOVE_N_FEATURES);
  GobanRng rng;
  g_autoptr (GPtrArray) cuts = goban_cell_splits_all (one->splits, G_MAXUINT);
  g_autoptr (GobanPlan) plan = goban_plan_new (one->units->graph, 4);
  g_autoptr (GobanPlan) other = NULL;

  goban_rng_init (&rng, 4);
  goban_cell_splits_place (one->splits, cuts->pdata[goban_rng_below (&rng, cuts->len)], plan);
  goban_static_orders_apply (one->improver->orders, GOBAN_STATIC_INDEX, plan);
  other = goban_plan_copy (plan);
  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
    goban_plan_set_device (other, v, renumbered[goban_plan_get_device (plan, v)]);
  goban_improver_go_to (one->improver, plan, GOBAN_STATIC_INDEX);
  goban_improver_go_to (two->improver, other, GOBAN_STATIC_INDEX);
  g_assert_cmpfloat (one->improver->score_us, ==, two->improver->score_us);
  for (guint i = 0; i < 50; i++)
    {
      const GArray *group
          = goban_move_groups_draw (one->improver->groups, &rng, plan, one->improver->most);
      const guint32 *units = (const guint32 *) (const void *) group->data;
      guint8 can[4];
      float a[4], b[4];

      goban_move_features_look (one->improver->features, units, group->len, x, can);
      goban_move_features_look (two->improver->features, units, group->len, y, can);
      goban_scorer_forward (&net->scorer, a, x, one->improver->profile->facts, 4);
      goban_scorer_forward (&net->scorer, b, y, two->improver->profile->facts, 4);
      for (guint d = 0; d < 4; d++)
        g_assert_cmpmem (&a[d], sizeof (float), &b[renumbered[d]], sizeof (float));
    }
}

TEST_PROGRAM (improver)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/improver/searches", test_searches);
  g_test_add_func ("/rl/improver/obvious", test_obvious);
  g_test_add_func ("/rl/improver/repeatable", test_repeatable);
  g_test_add_func ("/rl/improver/steps", test_steps);
  g_test_add_func ("/rl/improver/exchange", test_exchange);
  return g_test_run ();
}
