/* test-drift.c: thousands of updates move no logit without bound: neither all together nor those of
 * one of two equal devices. */
#include "engine/core/parallel.h"
#include "engine/learn/rl/go/learner.h"
#include "tests/support/rounds.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>

typedef struct
{
  GobanGraph *graph;
  GobanCostModel *costs;
  GobanProblem *problem;
  GobanLearner *learner;
  GobanBaseline baseline, drawn;
  GobanIncumbent incumbent;
} Case;

static void
case_clear (Case *self)
{
  goban_incumbent_clear (&self->incumbent);
  goban_learner_free (self->learner);
  goban_problem_free (self->problem);
  goban_cost_model_unref (self->costs);
  goban_graph_unref (self->graph);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

/* The best plan is found soon: from then on nearly every change is worse, and rollouts with more
 * changes are worse than those with fewer. Placement is on four equal devices. */
static Case
new_case (const char *net, GobanTask task)
{
  gboolean is_placing = task == GOBAN_TASK_PLACEMENT;
  GobanTasks decisions = 1u << task;
  g_autofree char *text
      = g_strdup_printf ("width=16,heads=2,sage=1,ffn=16,attention=1,segment=16%s", net);
  GobanProblemOptions options = { .decisions = decisions, .ranks_alike = TRUE };
  GobanPpoConfig ppo = goban_ppo_config_goban ();
  Case self = { .graph = is_placing ? toy_two_chains (8) : toy_mixed (40, 3) };
  g_autoptr (GError) error = NULL;
  GobanNetConfig config;
  GobanRng rng;

  ppo.n_rollouts = 8;
  self.costs = toy_costs (self.graph, is_placing ? "p100x4" : TOY_MIXED_CLUSTER);
  self.problem = goban_problem_new (self.costs, &options, NULL, &error);
  g_assert_no_error (error);
  goban_net_config_parse (text, &config, &error);
  g_assert_no_error (error);
  config.decisions = decisions;
  goban_rng_init (&rng, 1);
  self.learner = goban_learner_new (goban_net_new (&config, &rng), &ppo, 2);
  goban_incumbent_begin (&self.incumbent, self.problem, GOBAN_START_NOTHING, NULL, &error);
  g_assert_no_error (error);
  return self;
}

static void
improve (Case *self, guint n_updates)
{
  goban_parallel_set_max_threads (1);
  for (guint i = 0; i < n_updates; i++)
    {
      g_autoptr (GError) error = NULL;
      GobanUpdate update;

      goban_learner_improve (self->learner, self->problem, &self->incumbent, &self->baseline, NULL,
                             0, &update, &error);
      g_assert_no_error (error);
    }
  goban_parallel_set_max_threads (0);
}

/* Whole plans, of which nothing is kept. */
static void
draw (Case *self, guint n_updates)
{
  goban_parallel_set_max_threads (1);
  for (guint i = 0; i < n_updates; i++)
    {
      g_autoptr (GError) error = NULL;
      GobanUpdate update;

      goban_learner_update (self->learner, self->problem, &self->drawn, NULL, 0, &update, &error);
      g_assert_no_error (error);
    }
  goban_parallel_set_max_threads (0);
}

/* Mean over rows of what the network makes of each action. (transfer full) */
static double *
get_mean_logits (Case *self, const GobanBoard *board, GobanTask task)
{
  GobanNet *net = goban_learner_get_net (self->learner);
  g_autoptr (GobanPass) pass = goban_pass_new (goban_net_get_config (net), board);
  guint A = goban_board_get_n_actions (board, task);
  double *means = g_new0 (double, A);

  goban_pass_embed (pass, net);
  goban_pass_decide (pass, net, NULL, NULL);
  for (guint n = 0; n < board->n_rows; n++)
    for (guint a = 0; a < A; a++)
      means[a] += (double) goban_pass_get_logits (pass, 0, task)[n * A + a]
                  * (0.5 * ((double) board->weights[n] + 1.0 / board->n_rows));
  return means;
}

/* What all logits of changes have in common. */
static double
get_shift (Case *self, GobanTask task)
{
  g_autoptr (GobanBoard) board = NULL;
  g_autofree double *means = NULL;
  double shift = 0;
  guint A;

  goban_incumbent_look (&self->incumbent, self->problem, NULL);
  board = goban_refiner_new_board (goban_problem_get_refiner (self->problem),
                                   &self->incumbent.choices, 16,
                                   goban_learner_get_rng (self->learner));
  A = goban_board_get_n_actions (board, task);
  means = get_mean_logits (self, board, task);
  for (guint a = 0; a < A; a++)
    shift += means[a] / A;
  return shift;
}

/* Changes do not depend on it: nothing may push it. Biases of levels are free numbers, which drift
 * by Adam's rate at most; those of devices drift faster and faster. Weights of pairs of rows and
 * devices may move it, too. */
static void
test_changes (gconstpointer data)
{
  static const double most[GOBAN_N_TASKS] = { 0.1, 25, 0.1 };
  GobanTask task = (GobanTask) GPOINTER_TO_UINT (data);
  g_auto (Case) self = new_case ("", task);
  double before = get_shift (&self, task), after;

  improve (&self, test_rounds (2000));
  after = get_shift (&self, task);
  g_test_message ("%s: all logits from %g to %g", goban_task_get_name (task), before, after);
  g_assert_cmpfloat (fabs (after - before), <, most[task]);
}

/* Nothing makes one of equal devices better for all rows, whether plans are drawn or changed. */
static void
test_equal_devices (gconstpointer data)
{
  g_auto (Case) self = new_case (data, GOBAN_TASK_PLACEMENT);
  const GobanBoard *board = goban_problem_get_board (self.problem);

  for (guint i = 0; i < 10; i++)
    {
      g_autofree double *means = NULL;

      draw (&self, test_rounds (500));
      improve (&self, test_rounds (500));
      means = get_mean_logits (&self, board, GOBAN_TASK_PLACEMENT);
      g_test_message ("mean logits of equal devices: %g, %g, %g, %g", means[0], means[1], means[2],
                      means[3]);
      for (guint d = 1; d < 4; d++)
        g_assert_cmpfloat (fabs (means[d] - means[0]), <, 1);
    }
}

TEST_PROGRAM (drift)
{
  g_test_init (&argc, &argv, NULL);
  for (guint task = 0; task < GOBAN_N_TASKS; task++)
    {
      g_autofree char *path = g_strdup_printf ("/rl/drift/changes/%s", goban_task_get_name (task));

      g_test_add_data_func (path, GUINT_TO_POINTER (task), test_changes);
    }
  g_test_add_data_func ("/rl/drift/equal-devices/one-head", ",two-heads=0", test_equal_devices);
  g_test_add_data_func ("/rl/drift/equal-devices/two-heads", ",two-heads=1", test_equal_devices);
  return g_test_run ();
}
