/* bench-search.c: cost of placing a large graph, and of a search move on it.
 *
 * Prints lines of "name value unit", the least of several runs, since the machine may be shared:
 * each quick policy, and what recording its decisions makes of that, then moves; or the policies
 * whose names are arguments. The graph is GNMT of eight layers, 84,464 nodes, on 8 devices.
 *
 * "small-move" simulates moves of at most 1 % of the nodes of the expert's plan, one after another;
 * "afresh" the same, laid out from scratch; "within" those that stop once they are longer than the
 * plan. "annealing" is a move of 1000 on one thread, "whole" the same with all runs to their ends,
 * which gives the same plan.
 */
#include "engine/core/jobs/malloc-tuning.h"
#include "engine/graph/workloads/workload.h"
#include "engine/learn/roster.h"
#include "engine/placers/policies.h"
#include "engine/placers/search/trials.h"
#include "engine/sim/simulator-private.h"
#include "tests/bench/bench-clock.h"

#include <math.h>
#include <stdio.h>

#define N_PAIRS 5
#define N_MORE_PAIRS 31 /* of policies that are named */
#define N_SMALL_MOVES 200

/* In pairs, without a record of decisions and with one, so that other programs slow down both: the
 * ratio is the median of the pairs'. */
static void
measure_policy (const GobanPlacer *placer, GobanCostModel *costs, guint n_pairs)
{
  g_autofree double *ratios = g_new (double, n_pairs);
  double least_ms = G_MAXDOUBLE;

  for (guint i = 0; i < n_pairs; i++)
    {
      double times_ms[2];

      for (guint k = 0; k < 2; k++)
        {
          gboolean is_recorded = (i + k) % 2 == 1;
          GobanDecisionsWriter *writer
              = is_recorded ? goban_decisions_writer_new (&(GobanDecisionsOptions){
                    .n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (costs)),
                    .n_devices
                    = goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs)) })
                            : NULL;
          GobanPlacerOptions options = { .decisions = writer };
          double start_ms = cpu_ms ();
          g_autoptr (GobanPlan) plan = goban_placer_place (placer, costs, &options, NULL, NULL);

          g_assert_nonnull (plan); /* all fits */
          times_ms[is_recorded] = cpu_ms () - start_ms;
          if (writer != NULL)
            goban_decisions_unref (goban_decisions_writer_end (writer));
        }
      least_ms = MIN (least_ms, times_ms[FALSE]);
      ratios[i] = times_ms[TRUE] / times_ms[FALSE];
    }
  printf ("%s-80k %.1f ms\n%s-80k-recorded %.3f ratio\n", placer->name, least_ms, placer->name,
          median_ms (ratios, n_pairs));
}

static void
bench_policies (GobanCostModel *costs)
{
  gsize n_placers;
  const GobanPlacer *const *placers = goban_roster (&n_placers);

  for (gsize p = 0; p < n_placers; p++)
    if (placers[p]->effort == GOBAN_EFFORT_QUICK)
      measure_policy (placers[p], costs, N_PAIRS);
}

/* As annealing draws them early on, large groups and all. */
static const double weights[GOBAN_N_MOVE_KINDS] = {
  [GOBAN_MOVE_UNIT] = 1,     [GOBAN_MOVE_GROUP] = 1,    [GOBAN_MOVE_PATH] = 1,
  [GOBAN_MOVE_SCOPE] = 1,    [GOBAN_MOVE_WINDOW] = 1,   [GOBAN_MOVE_SWAP] = 1,
  [GOBAN_MOVE_CRITICAL] = 1, [GOBAN_MOVE_PRIORITY] = 1,
};

typedef enum
{
  AFRESH,
  SMALL,
  WITHIN,
  N_WAYS,
} Way;

static double
simulate (GobanSimulator *simulator, const GobanPlan *plan, Way way, double limit_us)
{
  if (way != AFRESH)
    return goban_simulator_evaluate_within (simulator, plan, limit_us).makespan_us;
  sim_layout_plan (simulator, plan, FALSE);
  simulator->limit_us = SIM_NEVER_US;
  return sim_loop_run (simulator);
}

/* Moves are tried one after another from the same plan. times_ms, makespans_us (N_SMALL_MOVES) */
static void
try_small_moves (GobanCostModel *costs, GobanMoves *moves, GobanPlan *plan, Way way,
                 double limit_us, double *times_ms, double *makespans_us)
{
  g_autoptr (GobanSimulator) simulator = goban_simulator_new (costs);
  g_auto (GobanMove) move = { 0 };

  goban_move_init (&move);
  simulate (simulator, plan, way, HUGE_VAL);
  for (guint i = 0; i < N_SMALL_MOVES; i++)
    {
      double start_ms;

      do
        goban_moves_draw (moves, plan, weights, &move);
      while (move.changes->len > goban_plan_get_n_nodes (plan) / 100);
      goban_move_apply (&move, plan);
      start_ms = cpu_ms ();
      makespans_us[i] = simulate (simulator, plan, way, limit_us);
      times_ms[i] = cpu_ms () - start_ms;
      goban_move_undo (&move, plan);
    }
}

/* The same moves each way, so that the ratios are of one run. */
static void
bench_small_moves (GobanCostModel *costs, GobanMoves *moves, const GobanPlan *from)
{
  static const char *const names[]
      = { "small-move-afresh-80k", "small-move-80k", "small-move-within-80k" };
  g_autoptr (GobanPlan) plan = goban_plan_copy (from);
  g_autoptr (GobanTrace) trace = goban_simulate (costs, plan);
  double times_ms[N_WAYS][N_SMALL_MOVES], makespans_us[N_WAYS][N_SMALL_MOVES];
  GobanRng rng = *goban_moves_get_rng (moves);

  goban_moves_learn (moves, trace);
  for (guint way = 0; way < N_WAYS; way++)
    {
      double limit_us = way == WITHIN ? goban_trace_get_makespan (trace) : HUGE_VAL;
      double sum_ms = 0;

      *goban_moves_get_rng (moves) = rng;
      try_small_moves (costs, moves, plan, way, limit_us, times_ms[way], makespans_us[way]);
      for (guint i = 0; i < N_SMALL_MOVES; i++)
        {
          g_assert_true (way == WITHIN || makespans_us[way][i] == makespans_us[AFRESH][i]);
          sum_ms += times_ms[way][i];
        }
      printf ("%s-mean %.3f ms\n", names[way], sum_ms / N_SMALL_MOVES);
      median_ms (times_ms[way], N_SMALL_MOVES);
      printf ("%s-least %.3f ms\n", names[way], times_ms[way][0]);
      printf ("%s %.3f ms\n", names[way], times_ms[way][N_SMALL_MOVES / 2]);
      printf ("%s-ratio %.2f times-as-fast\n", names[way],
              times_ms[AFRESH][N_SMALL_MOVES / 2] / times_ms[way][N_SMALL_MOVES / 2]);
    }
}

/* On one thread. */
static double
anneal_ms (GobanCostModel *costs, guint n_evaluations, gboolean ends_runs, GobanOutcome *outcome)
{
  GobanPlacerOptions options
      = { .max_evaluations = n_evaluations, .n_threads = 1, .ends_runs = ends_runs };
  double start_ms = cpu_ms (), end_ms;
  g_autoptr (GobanPlan) plan
      = goban_placer_place (&goban_placer_anneal, costs, &options, NULL, NULL); /* ours */
  g_autoptr (GobanSimulator) simulator = goban_simulator_new (costs);

  end_ms = cpu_ms ();
  *outcome = goban_simulator_evaluate (simulator, plan);
  return end_ms - start_ms;
}

static void
bench_whole_runs (GobanCostModel *costs)
{
  GobanOutcome whole, outcome;
  double starts_ms = anneal_ms (costs, 40, FALSE, &outcome);
  double whole_ms = (anneal_ms (costs, 1040, TRUE, &whole) - starts_ms) / 1000;
  double ms = (anneal_ms (costs, 1040, FALSE, &outcome) - starts_ms) / 1000;

  g_assert_cmpfloat (outcome.makespan_us, ==, whole.makespan_us);
  printf ("annealing-whole-80k %.3f ms/move\nannealing-80k %.3f ms/move\n", whole_ms, ms);
  printf ("annealing-80k-ratio %.2f times-as-fast\n", whole_ms / ms);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x8", &error);
  g_autoptr (GobanGraph) graph = goban_workload_generate ("gnmt:layers=8", &error);
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanUnits) units = NULL;
  g_autoptr (GobanMoves) moves = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  g_autofree double *ranks_us = NULL;

  g_assert_no_error (error);
  /* As in the window: else whether pages are faulted in anew is most of the difference. */
  goban_malloc_tuning_begin ();
  costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  for (int i = 1; i < argc; i++)
    measure_policy (goban_roster_find (argv[i], NULL), costs, N_MORE_PAIRS);
  if (argc > 1)
    return 0;
  units = goban_units_new (costs, &error);
  g_assert_no_error (error);
  moves = goban_moves_new (units, 1);
  plan = goban_placer_place (&goban_placer_expert, costs, NULL, NULL, &error);
  g_assert_no_error (error);
  ranks_us = g_new (double, goban_graph_get_n_nodes (graph));
  goban_placed_ranks (units, plan, ranks_us);
  goban_plan_spread_priorities (plan, ranks_us);
  goban_plan_set_order (plan, GOBAN_ORDER_PRIORITY);
  bench_policies (costs);
  bench_small_moves (costs, moves, plan);
  bench_whole_runs (costs);
  return 0;
}
