/* Rollouts: what came of them is what the simulator says, in every way of execution, whether or not the critical
 * paths are asked for. */
#include "engine/rl/rollouts.h"
#include "engine/workloads/workload.h"

#include <math.h>

#define N_ROLLOUTS 24

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

/* An accelerator runs one block: what is drawn by row is more, which no op's outputs show. */
static void
test_credit_knows_what_lacks (void)
{
  g_assert_cmpuint (check_same ("msr:2,memory=16GiB", GOBAN_EXECUTION_BLOCKS), >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/rollouts/credit-changes-no-outcome", test_credit_changes_no_outcome);
  g_test_add_func ("/rl/rollouts/credit-knows-what-lacks", test_credit_knows_what_lacks);
  return g_test_run ();
}
