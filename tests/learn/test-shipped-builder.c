/* test-shipped-builder.c: the network of go-zeroshot that comes with the program gives the plans of
 * its published table and its validation figures, on any processor, and has not collapsed; the
 * command that made it still begins as it did. */
#include "engine/core/data-file.h"
#include "engine/graph/workloads/workload.h"
#include "engine/learn/rl/builder/builder-training.h"
#include "engine/learn/rl/policies.h"
#include "engine/placers/policies.h"
#include "engine/study/bench/suite.h"
#include "tests/support/rounds.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>

#define N_GRAPHS 14
#define N_SAMPLES 16
#define TEMPERATURE 4

/* Time of a step of the likeliest plan as it is built, in ms. Made by
 * goban-cli bench go14 -p go-zeroshot --evals 1 --set drafts=1,refine=0. */
static const double greedy_ms[N_GRAPHS] = {
  214.2, 216.3, 217.3, 425.6, 367.4, 368.3, 110.7, 112.7, 221.8, 184.0, 373.8, 280.1, 595.7, 1255.6,
};

/* The shipped network began with a scorer of this seed's training without parts, and is of the
 * second seed's. */
#define SCORER_SEED 7
#define SEED 6
#define N_VALIDATION 128

/* Mean entropy and share of the busiest device in the first updates of the scorer's training, and
 * the validation figures of the shipped network when it was chosen: from the curves that goban-cli
 * train builder writes. */
#define N_FIRST 4
static const double first_entropies[N_FIRST] = { 0.238691, 0.484040, 0.607003, 0.308932 };
static const double first_shares[N_FIRST] = { 0.563773, 0.597812, 0.638914, 0.577731 };
static const double valid_greedy = 0.9594, valid_best = 0.8798;

static GobanSuite *
load_suite (void)
{
  g_autoptr (GError) error = NULL;
  GobanSuite *suite = goban_suite_load ("go14", &error);

  g_assert_no_error (error);
  g_assert_cmpuint (suite->graphs->len, ==, N_GRAPHS);
  return suite;
}

/* (transfer full) */
static GobanCostModel *
load_costs (const GobanSuite *suite, guint i)
{
  const GobanSuiteGraph *entry = goban_suite_get_graph (suite, i);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_workload_generate (entry->graph, &error);

  g_assert_no_error (error);
  return toy_costs (graph, entry->clusters[GOBAN_SUITE_TASK_PLACEMENT]);
}

static double
place_ms (GobanCostModel *costs, guint64 n_evaluations, const char *settings, GobanOutcome *outcome)
{
  GobanPlacerOptions options = { .max_evaluations = n_evaluations, .settings = settings };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanPlan) plan
      = goban_placer_place (&goban_placer_go_zeroshot, costs, &options, NULL, &error);
  g_autoptr (GobanSimulator) simulator = goban_simulator_new (costs);

  g_assert_no_error (error);
  *outcome = goban_simulator_evaluate (simulator, plan);
  return outcome->makespan_us / 1e3;
}

/* Within 1 %: processors without fused products round otherwise. */
static void
test_likeliest_plans (void)
{
  g_autoptr (GobanSuite) suite = load_suite ();

  for (guint i = 0; i < test_rounds (N_GRAPHS); i++)
    {
      g_autoptr (GobanCostModel) costs = load_costs (suite, i);
      GobanOutcome outcome;
      double ms = place_ms (costs, 1, "drafts=1,refine=0", &outcome);

      g_test_message ("%s: %.2f ms", goban_suite_get_graph (suite, i)->name, ms);
      g_assert_cmpfloat_with_epsilon (ms, greedy_ms[i], 0.01 * greedy_ms[i]);
      place_ms (costs, 0, NULL, &outcome);
      g_assert_cmpfloat (outcome.overflow_bytes, <=, 0);
    }
}

/* How many of the samples take times of their own. most (out): share of the work on one device, of
 * the best. */
static guint
sample (GobanBuilderProblem *problem, const GobanBuilderNet *net, double *most)
{
  g_autofree guint32 *devices = g_new (guint32, problem->rows->n_rows);
  double seen_us[N_SAMPLES];
  guint n_distinct = 0;
  double best_us = INFINITY;
  GobanRng rng;

  goban_rng_init (&rng, 1);
  for (guint i = 0; i < N_SAMPLES; i++)
    {
      GobanBuildOptions options = { .temperature = TEMPERATURE, .rng = &rng };
      guint k = 0;

      goban_plan_builder_build (problem->builder, net, &options, devices);
      seen_us[i] = goban_builder_score_us (
          problem->units->cluster,
          goban_builder_problem_evaluate (problem, devices, GOBAN_STATIC_TRANSFERS));
      while (seen_us[k] != seen_us[i])
        k++;
      n_distinct += k == i;
      if (seen_us[i] < best_us)
        {
          best_us = seen_us[i];
          *most = goban_builder_problem_get_top_share (problem, devices);
        }
    }
  return n_distinct;
}

/* On all of the 14 graphs good plans use several devices. */
static void
test_not_collapsed (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = goban_data_file_find ("policies", "builder.net");
  g_autoptr (GobanBuilderNet) net = goban_builder_net_load (path, &error);
  g_autoptr (GobanSuite) suite = load_suite ();
  guint n_graphs = test_rounds (N_GRAPHS);
  guint n_varied = 0;

  g_assert_no_error (error);
  for (guint i = 0; i < n_graphs; i++)
    {
      g_autoptr (GobanCostModel) costs = load_costs (suite, i);
      GobanBuilderRows rows = { 0.5, 1, 0 };
      g_autoptr (GobanBuilderProblem) problem = goban_builder_problem_new (costs, &rows, &error);
      double most = 1;
      guint n_distinct;

      g_assert_no_error (error);
      n_distinct = sample (problem, net, &most);
      g_test_message ("%s: %u distinct times of %d, %.2f of the work on one device",
                      goban_suite_get_graph (suite, i)->name, n_distinct, N_SAMPLES, most);
      g_assert_cmpfloat (most, <=, 0.8);
      n_varied += n_distinct >= 12;
    }
  g_assert_cmpuint (n_varied + 2, >=, n_graphs);
}

/* --- the training that made it -------------------------------------------------------------- */

static GobanBuilderTraining *
begin_training (const char *settings)
{
  GobanBuilderTrainingConfig config = goban_builder_training_config_default ();
  g_autoptr (GError) error = NULL;
  GobanBuilderTraining *run;

  g_assert_true (
      goban_setting_table_parse (&goban_builder_training_kind.settings, settings, &config, &error));
  g_assert_no_error (error);
  run = goban_builder_training_new (&config, NULL, &error);
  g_assert_no_error (error);
  return run;
}

/* The first updates imitate, without chance that rounding could turn. A whole training takes
 * minutes; if its first updates differ, the command of data/policies/README.md makes another
 * network, and it is to be trained, measured and shipped anew. */
static void
test_command_begins_alike (void)
{
  g_autofree char *settings = g_strdup_printf (
      "seed=%d,validation=1,embedding=0,attention=0,modulation=0,devices=0,actions=0", SCORER_SEED);
  g_autoptr (GobanBuilderTraining) run = begin_training (settings);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < N_FIRST; i++)
    {
      const GobanBuilderPoint *point;

      g_assert_true (goban_learning_run_step (&run->base, NULL, &error));
      g_assert_no_error (error);
      point = &g_array_index (run->base.points, GobanBuilderPoint, i);
      g_test_message ("update %u: %.6f nats, %.6f of the work", i + 1, point->entropy,
                      point->top_share);
      g_assert_true (point->imitates);
      g_assert_cmpfloat_with_epsilon (point->entropy, first_entropies[i], 1e-3);
      g_assert_cmpfloat_with_epsilon (point->top_share, first_shares[i], 1e-3);
    }
}

/* The shipped network is the one that the curve's trial is about. */
static void
test_validation (void)
{
  g_autofree char *settings
      = g_strdup_printf ("seed=%d,structures=1,validation=%d", SEED, N_VALIDATION);
  g_autoptr (GobanBuilderTraining) run = begin_training (settings);
  g_autofree char *path = goban_data_file_find ("policies", "builder.net");
  GobanBuilderPoint point = { 0 };
  g_autoptr (GError) error = NULL;

  if (TEST_IS_SANITIZED)
    {
      g_test_skip ("a fifth of the problems has another mean");
      return;
    }
  goban_builder_net_free (run->base.average);
  run->base.average = goban_builder_net_load (path, &error);
  g_assert_no_error (error);
  g_assert_true (goban_builder_training_measure (run, &point, NULL, &error));
  g_assert_no_error (error);
  g_test_message ("likeliest plan %.4f, best of 17 %.4f", point.valid_greedy, point.valid_best);
  g_assert_cmpfloat_with_epsilon (point.valid_greedy, valid_greedy, 0.01);
  g_assert_cmpfloat_with_epsilon (point.valid_best, valid_best, 0.01);
}

TEST_PROGRAM (shipped_builder)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/shipped-builder/likeliest-plans", test_likeliest_plans);
  g_test_add_func ("/rl/shipped-builder/not-collapsed", test_not_collapsed);
  g_test_add_func ("/rl/shipped-builder/command-begins-alike", test_command_begins_alike);
  g_test_add_func ("/rl/shipped-builder/validation", test_validation);
  return g_test_run ();
}
