/* test-drift.c: thousands of updates of the one-shot network move no logit of one of two equal
 * devices without bound. */
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
  GobanBaseline drawn;
} Case;

static void
case_clear (Case *self)
{
  goban_learner_free (self->learner);
  goban_problem_free (self->problem);
  goban_cost_model_unref (self->costs);
  goban_graph_unref (self->graph);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

/* Placement is on four equal devices. */
static Case
new_case (void)
{
  GobanTasks decisions = GOBAN_TASKS_DEFAULT;
  GobanProblemOptions options = { .decisions = decisions, .ranks_alike = TRUE };
  GobanPpoConfig ppo = goban_ppo_config_goban ();
  Case self = { .graph = toy_two_chains (8) };
  g_autoptr (GError) error = NULL;
  GobanNetConfig config = goban_net_config_goban ();
  GobanRng rng;

  ppo.n_rollouts = 8;
  self.costs = toy_costs (self.graph, "p100x4");
  self.problem = goban_problem_new (self.costs, &options, NULL, &error);
  g_assert_no_error (error);
  goban_net_config_parse ("width=16,heads=2,sage=1,ffn=16,attention=1,segment=16", &config, &error);
  g_assert_no_error (error);
  config.decisions = decisions;
  goban_rng_init (&rng, 1);
  self.learner = goban_learner_new (goban_net_new (&config, &rng), &ppo, 2);
  return self;
}

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
  GobanNet *net = self->learner->net;
  g_autoptr (GobanPass) pass = goban_pass_new (&net->config, board);
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

/* Nothing makes one of equal devices better for all rows. */
static void
test_equal_devices (void)
{
  g_auto (Case) self = new_case ();
  const GobanBoard *board = self.problem->board;

  for (guint i = 0; i < 10; i++)
    {
      g_autofree double *means = NULL;

      draw (&self, test_rounds (1000));
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
  g_test_add_func ("/rl/drift/equal-devices", test_equal_devices);
  return g_test_run ();
}
