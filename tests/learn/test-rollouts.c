/* Rollouts: their outcomes are the simulator's, in every way of execution, with critical paths and
 * without; the recorded probabilities of choices are those that learning takes. */
#include "engine/decisions/decisions-writer.h"
#include "engine/graph/workloads/workload.h"
#include "engine/learn/rl/go/rollouts.h"
#include "engine/placers/search/starts.h"
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
  GobanNetConfig config;

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
  pass = goban_problem_get_pass (problem, goban_net_get_config (net));
  goban_pass_embed (pass, net);
  told = goban_rollouts_new (problem, goban_problem_get_board (problem), goban_net_get_config (net),
                             N_ROLLOUTS);
  asked = goban_rollouts_new (problem, goban_problem_get_board (problem),
                              goban_net_get_config (net), N_ROLLOUTS);
  goban_rollouts_draw (told, pass, net, N_ROLLOUTS, &rng);
  goban_rollouts_draw (asked, pass, net, N_ROLLOUTS, &again);
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

/* Rows that a choice changes, of a task or (GOBAN_N_TASKS) of the others. */
static guint
count_changes (const GobanRollouts *rollouts, guint r, guint task, gboolean of_others)
{
  guint n = 0;

  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    for (guint row = 0; (k == task) != of_others && row < rollouts->n_rows; row++)
      n += rollouts->choices[r]->chosen[rollouts->config.n_iterations - 1][k][row]
           != rollouts->board->current[k][row];
  return n;
}

/* The first two are by far the best, and disagree about the first row. */
static void
make_disagree (GobanRollouts *rollouts, const GobanIncumbent *incumbent)
{
  int last = rollouts->config.n_iterations - 1;
  guint32 here = rollouts->board->current[GOBAN_TASK_SCHEDULING][0];

  for (guint r = 0; r < 2; r++)
    {
      rollouts->tasks[r] = GOBAN_TASK_SCHEDULING;
      for (guint k = 0; k < GOBAN_N_TASKS; k++)
        memcpy (rollouts->choices[r]->chosen[last][k], rollouts->board->current[k],
                rollouts->n_rows * sizeof (guint32));
      for (guint row = 0; row <= r; row++)
        rollouts->choices[r]->chosen[last][GOBAN_TASK_SCHEDULING][row]
            = (here + 1 + r) % GOBAN_N_LEVELS;
      rollouts->outcomes[r]
          = (GobanOutcome){ .makespan_us = incumbent->outcome.makespan_us * (0.1 + 0.1 * r) };
    }
}

/* A union holds what the best rollout changes, and nothing that none changes. */
static void
check_union (const GobanRollouts *rollouts, guint r, guint best)
{
  int last = rollouts->config.n_iterations - 1;

  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    for (guint row = 0; row < rollouts->n_rows; row++)
      {
        guint32 chosen = rollouts->choices[r]->chosen[last][k][row];
        guint32 of_best = rollouts->choices[best]->chosen[last][k][row];
        gboolean is_known = chosen == rollouts->board->current[k][row];

        for (guint i = 0; i < rollouts->n; i++)
          is_known |= chosen == rollouts->choices[i]->chosen[last][k][row];
        g_assert_true (is_known);
        if (of_best != rollouts->board->current[k][row])
          g_assert_cmpuint (chosen, ==, of_best);
      }
  g_assert_cmpuint (count_changes (rollouts, r, GOBAN_N_TASKS, TRUE), >,
                    count_changes (rollouts, best, GOBAN_N_TASKS, TRUE));
}

static void
check_unions (GobanRollouts *rollouts, const GobanIncumbent *incumbent)
{
  guint best = 0;

  for (guint r = 0; r < rollouts->n; r++)
    {
      g_assert_cmpuint (count_changes (rollouts, r, rollouts->tasks[r], TRUE), ==, 0);
      if (goban_outcome_compare (&rollouts->outcomes[r], &rollouts->outcomes[best]) < 0)
        best = r;
    }
  goban_rollouts_unite (rollouts, incumbent, NULL);
  for (guint r = rollouts->n; r < rollouts->n + rollouts->n_unions; r++)
    check_union (rollouts, r, best);
}

static void
test_unites_what_is_better (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph
      = goban_workload_generate ("rnnlm:layers=2,steps=6,granularity=coarse", &error);
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("v100x2", &error);
  g_autoptr (GobanCostModel) costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  GobanProblemOptions options = { .decisions = GOBAN_TASKS_ALL };
  g_autoptr (GobanProblem) problem = goban_problem_new (costs, &options, NULL, &error);
  g_auto (GobanIncumbent) incumbent = { 0 };
  g_autoptr (GobanBoard) board = NULL;
  g_autoptr (GobanNet) net = NULL;
  g_autoptr (GobanPass) pass = NULL;
  GobanNetConfig config;
  GobanRng rng;
  guint n_unions = 0;

  g_assert_no_error (error);
  goban_rng_init (&rng, 3);
  goban_net_config_parse ("width=16,heads=2,sage=1,ffn=16,attention=1,segment=16", &config, &error);
  config.decisions = GOBAN_TASKS_ALL;
  net = goban_net_new (&config, &rng);
  goban_incumbent_set_plan (&incumbent, problem, NULL, NULL);
  goban_incumbent_look (&incumbent, problem, NULL);
  board
      = goban_refiner_new_board (goban_problem_get_refiner (problem), &incumbent.choices, 16, &rng);
  pass = goban_pass_new (&config, board);
  goban_pass_embed (pass, net);
  for (guint i = 0; i < 8; i++)
    {
      g_autoptr (GobanRollouts) rollouts
          = goban_rollouts_new (problem, board, &config, N_ROLLOUTS + 4);

      for (guint r = 0; r < N_ROLLOUTS; r++)
        rollouts->tasks[r] = r % GOBAN_N_TASKS;
      goban_rollouts_draw (rollouts, pass, net, N_ROLLOUTS, &rng);
      goban_rollouts_simulate (rollouts, NULL, FALSE);
      if (i == 0)
        make_disagree (rollouts, &incumbent);
      check_unions (rollouts, &incumbent);
      n_unions += rollouts->n_unions;
    }
  g_assert_cmpuint (n_unions, >, 0);
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

typedef struct
{
  gboolean is_sampled;
  gboolean has_plan;
} Kind;

static void
test_chances (gconstpointer data)
{
  const Kind *kind = data;
  GobanProblemOptions how = { .decisions = GOBAN_TASKS_DEFAULT | 1u << GOBAN_TASK_FUSION };
  GraphGen gen = graph_gen_small (40);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = graph_gen_new (&gen, 3);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:3,bandwidth=4e6");
  g_autoptr (GobanProblem) problem = goban_problem_new (costs, &how, NULL, &error);
  GobanNetConfig config = goban_net_config_goban ();
  g_auto (GobanIncumbent) incumbent = { 0 };
  g_autoptr (GobanBoard) own = NULL;
  const GobanBoard *board = goban_problem_get_board (problem);
  GobanRng rng;

  g_assert_no_error (error);
  goban_rng_init (&rng, 9);
  config.width = 8;
  config.n_heads = 2;
  config.is_sampled = kind->is_sampled;
  config.n_iterations = kind->is_sampled ? 2 : 1;
  config.decisions = GOBAN_TASKS_ALL; /* more than is asked for */
  if (kind->has_plan)
    {
      g_autoptr (GobanPlan) cut = goban_starts_new_cut (board->units);

      goban_incumbent_set_plan (&incumbent, problem, cut, NULL);
      goban_incumbent_look (&incumbent, problem, NULL);
      own = goban_refiner_new_board (goban_problem_get_refiner (problem), &incumbent.choices, 20,
                                     &rng);
      board = own;
    }

  g_autoptr (GobanNet) net = goban_net_new (&config, &rng);
  g_autoptr (GobanPass) pass = goban_pass_new (&config, board);
  g_autoptr (GobanRollouts) rollouts = goban_rollouts_new (problem, board, &config, 4);

  goban_pass_embed (pass, net);
  goban_rollouts_draw (rollouts, pass, net, 4, &rng);
  for (guint r = 0; r < 4; r++)
    check_chances (rollouts, pass, net, r);
}

TEST_PROGRAM (rollouts)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/rollouts/credit-changes-no-outcome", test_credit_changes_no_outcome);
  g_test_add_func ("/rl/rollouts/credit-knows-what-lacks", test_credit_knows_what_lacks);
  g_test_add_func ("/rl/rollouts/unites-what-is-better", test_unites_what_is_better);
  g_test_add_data_func ("/rl/rollouts/chances/at-once", &(const Kind){ FALSE, FALSE },
                        test_chances);
  g_test_add_data_func ("/rl/rollouts/chances/drawn-in-turn", &(const Kind){ TRUE, FALSE },
                        test_chances);
  g_test_add_data_func ("/rl/rollouts/chances/of-a-plan", &(const Kind){ FALSE, TRUE },
                        test_chances);
  return g_test_run ();
}
