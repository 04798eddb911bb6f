/* bench-search.c: what a search pays for a move on a large graph.
 *
 * Prints lines of "name value unit", the least of several runs, since the machine may be shared: one annealing
 * move with its simulation on one thread; drawing, applying and undoing one alone; a trace;
 * ranking all nodes anew; and the tables that are made once. The graph is GNMT of eight
 * layers, 83,700 nodes or so, on 8 devices.
 */
#include "engine/placers/starts.h"
#include "engine/placers/trials.h"
#include "engine/workloads/workload.h"
#include "tests/bench/bench-clock.h"

#include <math.h>
#include <stdio.h>

#define N_RUNS 5
#define N_MOVES 20

static double since_ms;
static double least_ms;

static void
start (gboolean is_first)
{
  if (is_first)
    least_ms = G_MAXDOUBLE;
  since_ms = cpu_ms ();
}

static void
stop (guint n)
{
  least_ms = MIN (least_ms, (cpu_ms () - since_ms) / n);
}

static void
print (const char *name)
{
  printf ("%s-80k %.3f ms\n", name, least_ms);
}

/* As annealing draws them early on, large groups and all. */
static const double weights[GOBAN_N_MOVE_KINDS] = {
  [GOBAN_MOVE_UNIT] = 1,     [GOBAN_MOVE_GROUP] = 1,    [GOBAN_MOVE_PATH] = 1,
  [GOBAN_MOVE_SCOPE] = 1,    [GOBAN_MOVE_WINDOW] = 1,   [GOBAN_MOVE_SWAP] = 1,
  [GOBAN_MOVE_CRITICAL] = 1, [GOBAN_MOVE_PRIORITY] = 1,
};

static void
bench_moves (GobanMoves *moves, GobanPlan *plan)
{
  static const double ranks[GOBAN_N_MOVE_KINDS] = { [GOBAN_MOVE_RANKS] = 1 };
  g_auto (GobanMove) move = { 0 };

  goban_move_init (&move);
  for (guint run = 0; run < N_RUNS; run++)
    {
      start (run == 0);
      for (guint i = 0; i < N_MOVES; i++)
        {
          goban_moves_draw (moves, plan, weights, &move);
          goban_move_apply (&move, plan);
          goban_move_undo (&move, plan);
        }
      stop (N_MOVES);
    }
  print ("move");
  for (guint run = 0; run < N_RUNS; run++)
    {
      start (run == 0);
      goban_moves_draw (moves, plan, ranks, &move);
      stop (1);
    }
  print ("rank-move");
}

static void
bench_annealing (GobanCostModel *costs, GobanMoves *moves, const GobanPlan *plan)
{
  GobanPlacerOptions options = { .seed = 1 };
  g_autoptr (GobanEvaluator) evaluator = goban_evaluator_new (costs, 1);
  g_auto (GobanSearch) search = { NULL };
  g_auto (GobanTrials) trials = { 0 };

  goban_search_begin (&search, &options, 1 << 20);
  goban_trials_init (&trials, evaluator, moves, plan, (GobanOutcome){ INFINITY, 0 });
  for (guint run = 0; run < N_RUNS; run++)
    {
      start (run == 0);
      goban_trials_learn (&trials, costs, &search);
      stop (1);
    }
  print ("trace");
  for (guint run = 0; run < N_RUNS; run++)
    {
      start (run == 0);
      for (guint i = 0; i < N_MOVES; i++)
        {
          goban_trials_try (&trials, weights, 1, &search);
          goban_trials_settle (&trials, i % 4 == 0 ? 0 : GOBAN_TAKE_NONE);
        }
      stop (N_MOVES);
    }
  print ("anneal-move");
}

int
main (void)
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
  costs = goban_cost_model_new (graph, cluster, FALSE);
  units = goban_units_new (costs, &error);
  g_assert_no_error (error);
  start (TRUE);
  moves = goban_moves_new (units, 1);
  stop (1);
  print ("move-tables");

  plan = goban_starts_new_cut (units);
  ranks_us = g_new (double, goban_plan_get_n_nodes (plan));
  goban_placed_ranks (units, plan, ranks_us);
  goban_plan_spread_priorities (plan, ranks_us);
  goban_plan_set_order (plan, GOBAN_ORDER_PRIORITY);
  bench_annealing (costs, moves, plan);
  bench_moves (moves, plan);
  return 0;
}
