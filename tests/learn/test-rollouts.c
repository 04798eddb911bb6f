/* Rollouts: their outcomes are the simulator's, in every way of execution, with critical paths and
 * without; the recorded probabilities of choices are those that learning takes. */
#include "engine/decisions/decisions-writer.h"
#include "engine/graph/workloads/workload.h"
#include "engine/learn/rl/go/rollouts.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

#define N_ROLLOUTS 24

/* A probability is one of 2^16 in a record of decisions. */
#define ROUNDING (2.0 / G_MAXUINT16)

static GobanNet *
new_net (GobanRng *rng)
{
  g_autoptr (GError) error = NULL;
  GobanNetConfig config = goban_net_config_goban ();

  goban_net_config_parse ("width=16,heads=2,sage=1,ffn=16,attention=1,segment=16", &config, &error);
  g_assert_no_error (error);
  return goban_net_new (&config, rng);
}

/* How many of the rollouts lack memory. */
static guint
check_same (const char *cluster_spec, GobanExecution execution)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph
      = goban_workload_generate ("rnnlm:layers=2,steps=6,granularity=coarse", &error);
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec (cluster_spec, &error);
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanProblem) problem = NULL;
  g_autoptr (GobanRollouts) told = NULL, asked = NULL;
  g_autoptr (GobanNet) net = NULL;
  GobanRng rng, again;
  GobanPass *pass;
  guint n_lacking = 0;

  g_assert_no_error (error);
  costs = goban_cost_model_new (graph, cluster, execution);
  problem = goban_problem_new (costs, &(GobanProblemOptions){ .n_rows = 0 }, NULL, &error);
  g_assert_no_error (error);
  goban_rng_init (&rng, 3);
  net = new_net (&rng);
  again = rng;
  pass = goban_problem_get_pass (problem, &net->config);
  goban_pass_embed (pass, net);
  told = goban_rollouts_new (problem, &net->config, N_ROLLOUTS);
  asked = goban_rollouts_new (problem, &net->config, N_ROLLOUTS);
  goban_rollouts_draw (told, pass, net, &rng);
  goban_rollouts_draw (asked, pass, net, &again);
  goban_rollouts_simulate (told, NULL, FALSE);
  goban_rollouts_simulate (asked, NULL, TRUE);

  for (guint r = 0; r < N_ROLLOUTS; r++)
    {
      g_assert_cmpfloat (asked->outcomes[r].makespan_us, ==, told->outcomes[r].makespan_us);
      g_assert_cmpfloat (asked->outcomes[r].overflow_bytes, ==, told->outcomes[r].overflow_bytes);
      g_assert_cmpfloat (asked->rewards[r], ==, told->rewards[r]);
      n_lacking += told->outcomes[r].overflow_bytes > 0;
    }
  return n_lacking;
}

static void
test_credit_changes_no_outcome (void)
{
  check_same ("p100x2", GOBAN_EXECUTION_EVENTS);
  check_same ("p100x2", GOBAN_EXECUTION_CONTENTION_FREE);
}

/* The accelerators are too small for most plans. */
static void
test_credit_knows_what_lacks (void)
{
  g_assert_cmpuint (check_same ("msr:2,memory=1MiB", GOBAN_EXECUTION_EVENTS), >, 0);
}

/* --- chances -------------------------------------------------------------------------------- */

static GobanDecisions *
write_rollout (GobanRollouts *rollouts, GobanPass *pass, const GobanNet *net, guint r)
{
  const GobanBoard *board = rollouts->board;
  GobanDecisionsWriter *writer = goban_decisions_writer_new (&(GobanDecisionsOptions){
      .n_nodes = goban_graph_get_n_nodes (board->units->graph), .n_devices = board->n_devices });
  GobanDecisionsWriter *span = goban_decisions_writer_open (
      writer, &(GobanSpanHead){ .name = "rollout", .level = GOBAN_LEVEL_PLAN, .has_base = TRUE });

  goban_rollouts_write (rollouts, pass, net, r, TRUE, span);
  goban_decisions_writer_close (span, NULL, TRUE);
  g_assert_cmpstr (goban_decisions_writer_get_problem (writer), ==, NULL);
  return goban_decisions_writer_end (writer);
}

/* The probability of each choice that learning takes is the one that is written. */
static void
check_chances (GobanRollouts *rollouts, GobanPass *pass, const GobanNet *net, guint r)
{
  g_autoptr (GobanDecisions) decisions = write_rollout (rollouts, pass, net, r);
  int last = rollouts->config.n_iterations - 1;
  GobanDecisionRoom room = { 0 };

  g_assert_cmpuint (goban_decisions_get_n_moments (decisions), ==, 2 * rollouts->n_rows);
  for (GobanMoment m = 1; m <= goban_decisions_get_n_moments (decisions); m++)
    {
      GobanDecision decision;
      guint row;

      g_assert_true (goban_decisions_get (decisions, m, &room, &decision));
      row = decision.row - 1;
      g_assert_cmpuint (decision.chosen, ==,
                        rollouts->choices[r]->chosen[last][decision.task][row]);
      g_assert_cmpfloat_with_epsilon (
          (double) decision.scores[decision.chosen],
          exp ((double) rollouts->old[last][decision.task][r * rollouts->n_rows + row]), ROUNDING);
    }
  goban_decision_room_clear (&room);
}

static void
test_chances (gconstpointer data)
{
  gboolean is_sampled = GPOINTER_TO_INT (data);
  GobanProblemOptions how = { .decisions = GOBAN_TASKS_DEFAULT | 1u << GOBAN_TASK_FUSION };
  GraphGen gen = graph_gen_small (40);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = graph_gen_new (&gen, 3);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:3,bandwidth=4e6");
  g_autoptr (GobanProblem) problem = goban_problem_new (costs, &how, NULL, &error);
  GobanNetConfig config = goban_net_config_goban ();
  const GobanBoard *board = problem->board;
  GobanRng rng;

  g_assert_no_error (error);
  goban_rng_init (&rng, 9);
  config.width = 8;
  config.n_heads = 2;
  config.is_sampled = is_sampled;
  config.n_iterations = is_sampled ? 2 : 1;
  config.decisions = GOBAN_TASKS_ALL; /* more than is asked for */

  g_autoptr (GobanNet) net = goban_net_new (&config, &rng);
  g_autoptr (GobanPass) pass = goban_pass_new (&config, board);
  g_autoptr (GobanRollouts) rollouts = goban_rollouts_new (problem, &config, 4);

  goban_pass_embed (pass, net);
  goban_rollouts_draw (rollouts, pass, net, &rng);
  for (guint r = 0; r < 4; r++)
    check_chances (rollouts, pass, net, r);
}

TEST_PROGRAM (rollouts)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/rollouts/credit-changes-no-outcome", test_credit_changes_no_outcome);
  g_test_add_func ("/rl/rollouts/credit-knows-what-lacks", test_credit_knows_what_lacks);
  g_test_add_data_func ("/rl/rollouts/chances/at-once", GINT_TO_POINTER (FALSE), test_chances);
  g_test_add_data_func ("/rl/rollouts/chances/drawn-in-turn", GINT_TO_POINTER (TRUE), test_chances);
  return g_test_run ();
}
