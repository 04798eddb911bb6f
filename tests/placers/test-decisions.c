/* The records of decisions of all policies: checked, without influence, and forced. */
#include "engine/decisions/replay.h"
#include "engine/graph/workloads/workload.h"
#include "engine/learn/rl/learned-options.h"
#include "engine/learn/roster.h"
#include "engine/machine/cluster/cost-model.h"
#include "engine/placers/policies.h"
#include "engine/sim/simulator.h"
#include "tests/support/decisions-check.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <time.h>

#define FEW_EVALUATIONS 60
#define N_GRAPHS 12
#define N_FORCED 6

/* Policies that take what is forced while they make their plan. */
static const char *const inside[]
    = { "heft",       "cpop",   "etf",    "critical-path", "m-etf",       "m-sct",   "m-topo",
        "tf-default", "expert", "single", "random",        "round-robin", "pipeline" };

static GobanDecisionsWriter *
new_writer (GobanCostModel *costs, GobanDecisions *expected, GobanMoment moment, guint32 option)
{
  return goban_decisions_writer_new (&(GobanDecisionsOptions){
      .n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (costs)),
      .n_devices = goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs)),
      .moment = moment,
      .option = option,
      .expected = expected });
}

/* (nullable): an expert knows only some graphs. */
static GobanPlan *
place (GobanCostModel *costs, const GobanPlacer *placer, guint64 seed,
       GobanDecisionsWriter *decisions)
{
  const GobanLearnedOptions learned = { 0 };
  const GobanPlacerOptions options = { .seed = seed,
                                       .max_evaluations = FEW_EVALUATIONS,
                                       .decisions = decisions,
                                       .learned = &learned,
                                       .n_threads = 1 };
  guint64 evaluations = 0;

  return goban_placer_place (placer, costs, &options, &evaluations, NULL);
}

static GobanPlan *
place_inside (GobanCostModel *costs, guint k, GobanDecisionsWriter *writer)
{
  return place (costs, goban_roster_find (inside[k], NULL), 7 * k, writer);
}

static gboolean
is_same_plan (const GobanPlan *a, const GobanPlan *b)
{
  return goban_settling_digest_plan (a) == goban_settling_digest_plan (b);
}

static void
test_inside (void)
{
  for (guint i = 0; i < N_GRAPHS; i++)
    {
      g_autoptr (GobanCostModel) costs = toy_various_costs (i);

      for (guint k = 0; k < G_N_ELEMENTS (inside); k++)
        {
          GobanDecisionsWriter *writer = new_writer (costs, NULL, 0, 0);
          g_autoptr (GobanPlan) plan = place_inside (costs, k, writer);
          g_autoptr (GobanPlan) without = place_inside (costs, k, NULL);
          g_autoptr (GobanDecisions) decisions = goban_decisions_writer_end (writer);

          g_assert_true ((plan == NULL) == (without == NULL));
          if (plan == NULL)
            continue;
          g_assert_true (is_same_plan (plan, without));
          check_decisions (costs, plan, decisions);
        }
    }
}

/* Forces the option at a moment; the record of the run that follows. */
static GobanDecisions *
force (GobanCostModel *costs, guint k, GobanDecisions *expected, GobanMoment moment, guint32 option,
       GobanPlan **plan)
{
  GobanDecisionsWriter *writer = new_writer (costs, expected, moment, option);

  *plan = place_inside (costs, k, writer);
  g_assert_cmpstr (goban_decisions_writer_get_problem (writer), ==, NULL);
  g_assert_nonnull (*plan);
  return goban_decisions_writer_end (writer);
}

/* The chosen option reproduces the plan; another one is the first difference, and holds. */
static void
force_each_option (GobanCostModel *costs, guint k, GobanDecisions *decisions, GobanPlan *final,
                   GobanMoment moment)
{
  GobanDecisionRoom room = { 0 };
  GobanDecision decision;

  g_assert_true (goban_decisions_get (decisions, moment, &room, &decision));
  for (guint32 option = 0; option < decision.n_options; option++)
    {
      const guint never = GOBAN_REFUSAL_CANNOT_RUN | GOBAN_REFUSAL_GROUP;
      g_autoptr (GobanPlan) plan = NULL;
      g_autoptr (GobanDecisions) forced = NULL;
      GobanDecision there;

      if (decision.refusals != NULL && (decision.refusals[option] & never) != 0)
        continue;
      forced = force (costs, k, decisions, moment, option, &plan);
      check_decisions (costs, plan, forced);
      g_assert_true (goban_decisions_get (forced, moment, NULL, &there));
      g_assert_cmpuint (there.chosen, ==, option);
      if (option == decision.chosen)
        {
          g_assert_true (is_same_plan (plan, final));
          g_assert_cmpuint (goban_decisions_get_n_moments (forced), ==,
                            goban_decisions_get_n_moments (decisions));
        }
      /* An attempt is made again with more memory kept free, as the policy likes. */
      else if (goban_decisions_get_n_spans (forced) == 1)
        for (guint n = 0; n < there.n_nodes; n++)
          g_assert_cmpuint (goban_plan_get_device (plan, there.nodes[n]), ==, option);
    }
  goban_decision_room_clear (&room);
}

static void
test_forced (void)
{
  guint n_forced = 0;

  for (guint i = 0; i < N_GRAPHS; i++)
    {
      g_autoptr (GobanCostModel) costs = toy_various_costs (i);

      for (guint k = 0; k < G_N_ELEMENTS (inside); k++)
        {
          GobanDecisionsWriter *writer = new_writer (costs, NULL, 0, 0);
          g_autoptr (GobanPlan) plan = place_inside (costs, k, writer);
          g_autoptr (GobanDecisions) decisions = goban_decisions_writer_end (writer);
          guint n = goban_decisions_get_n_moments (decisions);

          for (guint f = 0; plan != NULL && f < N_FORCED; f++)
            {
              GobanMoment moment = 1 + f * (n - 1) / (N_FORCED - 1);
              GobanDecision decision;

              g_assert_true (goban_decisions_get (decisions, moment, NULL, &decision));
              if ((decision.flags & GOBAN_DECISION_CARRIED) != 0)
                continue;
              force_each_option (costs, k, decisions, plan, moment);
              n_forced++;
            }
        }
    }
  g_assert_cmpuint (n_forced, >, N_GRAPHS * N_FORCED);
}

static double
get_cpu_s (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

static double
time_policy (GobanCostModel *costs, const char *policy, GobanDecisionsWriter *writer)
{
  double started_s = get_cpu_s ();
  g_autoptr (GobanPlan) plan = place (costs, goban_roster_find (policy, NULL), 1, writer);

  g_assert_nonnull (plan);
  return get_cpu_s () - started_s;
}

/* 24 MiB at 84,464 nodes and 8 devices, and every score is there; with -m perf: the time. */
static void
test_cost (void)
{
  static const char *const policies[] = { "heft", "critical-path", "m-topo", "random" };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCostModel) costs = NULL;

  if (!g_test_perf ())
    {
      g_test_skip ("only with -m perf");
      return;
    }
  graph = goban_workload_generate ("gnmt:layers=8", &error);
  g_assert_no_error (error);
  costs = toy_costs (graph, "p100x8");
  for (guint k = 0; k < G_N_ELEMENTS (policies); k++)
    {
      double with_s = INFINITY, without_s = INFINITY;
      guint scores, moments, n_moments = 0, n_spans = 0;
      gsize n_bytes = 0;

      for (guint i = 0; i < 7; i++)
        {
          GobanDecisionsWriter *writer = new_writer (costs, NULL, 0, 0);
          g_autoptr (GobanDecisions) decisions = NULL;
          double alone_s = time_policy (costs, policies[k], NULL);
          double both_s = time_policy (costs, policies[k], writer);

          without_s = MIN (without_s, alone_s);
          with_s = MIN (with_s, both_s);
          decisions = goban_decisions_writer_end (writer);
          n_bytes = goban_decisions_get_n_bytes (decisions);
          goban_decisions_count_left_out (decisions, &scores, &moments);
          n_moments = goban_decisions_get_n_moments (decisions);
          n_spans = goban_decisions_get_n_spans (decisions);
        }
      g_test_message (
          "%u nodes: %s %.3f s, recorded %.3f s (%.3f), %u moments in %u spans, %.2f MiB",
          goban_graph_get_n_nodes (graph), policies[k], without_s, with_s, with_s / without_s,
          n_moments, n_spans, (double) n_bytes / (1 << 20));
      g_assert_cmpuint (n_bytes, <=, GOBAN_DECISIONS_MAX_BYTES);
      g_assert_cmpuint (scores + moments, ==, 0);
    }
}

TEST_PROGRAM (decisions)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/placers/decisions/inside", test_inside);
  g_test_add_func ("/placers/decisions/forced", test_forced);
  g_test_add_func ("/placers/decisions/cost", test_cost);
  return g_test_run ();
}
