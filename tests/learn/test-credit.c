/* Who is to blame for a makespan: small runs by hand, and what holds of any run. */
#include "engine/learn/rl/go/rollouts.h"

#include "engine/sim/simulator.h"
#include "tests/sim/random-run.h"
#include "tests/sim/scenario.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>

/* A byte takes a microsecond. */
#define DEVICES(count)                                                                             \
  "{\"name\": \"slow\", \"devices\": [{\"name\": \"gpu\", \"count\": " count ", \"kind\": "        \
  "\"gpu\", \"tflops\": 1, \"memory_bandwidth\": 1, \"memory\": \"unlimited\"}], "                 \
  "\"all_pairs\": {\"bandwidth\": 1000000}}"

static double
get_blame (const GobanTrace *trace, GobanTask decision, const char *name)
{
  GobanGraph *graph = goban_cost_model_get_graph (goban_trace_get_costs (trace));
  g_autofree double *blame_us = g_new0 (double, goban_graph_get_n_nodes (graph));

  goban_credit_blame (trace, decision, blame_us);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    if (g_strcmp0 (goban_graph_get_node (graph, v)->name, name) == 0)
      return blame_us[v];
  g_assert_not_reached ();
}

/* names: (NULL-terminated), with what each is blamed for; all others for nothing. */
typedef struct
{
  const char *name;
  double blame_us;
} Blame;

static void
check (const GobanTrace *trace, GobanTask decision, const Blame *blames)
{
  GobanGraph *graph = goban_cost_model_get_graph (goban_trace_get_costs (trace));

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const char *name = goban_graph_get_node (graph, v)->name;
      double wanted_us = 0;

      for (const Blame *blame = blames; blame->name != NULL; blame++)
        if (g_str_equal (blame->name, name))
          wanted_us = blame->blame_us;
      g_assert_cmpfloat_with_epsilon (get_blame (trace, decision, name), wanted_us, 1e-9);
    }
}

static const Blame nobody[] = { { NULL, 0 } };

/*   a 10 (gpu:0) --20--> b 5 (gpu:1), and idle beside them */
static void
test_transfer (void)
{
  static const Scenario scenario = {
    .cluster = DEVICES ("2"),
    .order = GOBAN_ORDER_FIFO,
    .nodes = { { "a", 10, 0, 0, 0 }, { "b", 5, 1, 0, 0 }, { "idle", 3, 1, 0, 0 } },
    .edges = { { "a", "b", 20 } },
  };
  static const Blame halves[] = { { "a", 10 }, { "b", 10 }, { NULL, 0 } };
  g_autoptr (GobanTrace) trace = scenario_run (&scenario);

  g_assert_cmpfloat (goban_trace_get_makespan (trace), ==, 35);
  check (trace, GOBAN_TASK_PLACEMENT, halves);
  check (trace, GOBAN_TASK_SCHEDULING, nobody);
}

/* The critical path differs from the order on the device: a wait within b's own chain is not
 * blamed. */
static void
test_chain (void)
{
  static const Scenario scenario = {
    .cluster = DEVICES ("2"),
    .order = GOBAN_ORDER_FIFO,
    .nodes = { { "a", 10, 0, 0, 0 }, { "b", 5, 0, 0, 0 }, { "c", 7, 0, 0, 0 } },
    .edges = { { "a", "b", 20 }, { "b", "c", 4 } },
  };
  g_autoptr (GobanTrace) trace = scenario_run (&scenario);

  check (trace, GOBAN_TASK_PLACEMENT, nobody);
  check (trace, GOBAN_TASK_SCHEDULING, nobody);
}

/* y waits for x on one device: all 30 us where both are ready at once, 20 of them where y was ready
 * at 10. */
static void
test_busy (void)
{
  static const Scenario whole = {
    .cluster = DEVICES ("2"),
    .order = GOBAN_ORDER_FIFO,
    .nodes = { { "x", 30, 0, 0, 0 }, { "y", 20, 0, 0, 0 } },
    .edges = { { "x", NULL, 1 } },
  };
  static const Scenario part = {
    .cluster = DEVICES ("2"),
    .order = GOBAN_ORDER_FIFO,
    .nodes = { { "r", 10, 1, 0, 0 }, { "x", 30, 0, 0, 0 }, { "y", 20, 0, 0, 0 } },
    .edges = { { "r", "y", -1 } },
  };
  static const Blame of_whole[] = { { "x", 15 }, { "y", 15 }, { NULL, 0 } };
  static const Blame of_part[] = { { "x", 10 }, { "y", 10 }, { NULL, 0 } };
  g_autoptr (GobanTrace) first = scenario_run (&whole);
  g_autoptr (GobanTrace) second = scenario_run (&part);

  check (first, GOBAN_TASK_PLACEMENT, of_whole);
  check (first, GOBAN_TASK_SCHEDULING, of_whole);
  check (second, GOBAN_TASK_PLACEMENT, of_part);
  check (second, GOBAN_TASK_SCHEDULING, of_part);
}

/* Two producers send 20 bytes each to gpu:2, whose channel takes one after the other:
 *
 *   a 10 (gpu:0) --20--> b 1        e (gpu:1) --20--> c 5
 *
 * a's goes first, 10 .. 30, and e's waits from when e has finished; then c runs. */
static GobanTrace *
run_channel (double time_of_e_us)
{
  Scenario scenario = {
    .cluster = DEVICES ("3"),
    .order = GOBAN_ORDER_FIFO,
    .nodes = { { "a", 10, 0, 0, 0 },
               { "b", 1, 2, 0, 0 },
               { "e", time_of_e_us, 1, 0, 0 },
               { "c", 5, 2, 0, 0 } },
    .edges = { { "a", "b", 20 }, { "e", "c", 20 } },
  };

  return scenario_run (&scenario);
}

static void
test_channel (void)
{
  /* a's transfer, half a's and half e's, who waits; e's own, half e's and half c's. */
  static const Blame placed[] = { { "a", 10 }, { "e", 20 }, { "c", 10 }, { NULL, 0 } };
  static const Blame ordered[] = { { "a", 10 }, { "e", 10 }, { NULL, 0 } };
  /* e is ready at 20 and waits 10 us: the first 10 of a's transfer are a's alone. */
  static const Blame later_placed[] = { { "a", 15 }, { "e", 15 }, { "c", 10 }, { NULL, 0 } };
  static const Blame later_ordered[] = { { "a", 5 }, { "e", 5 }, { NULL, 0 } };
  g_autoptr (GobanTrace) trace = run_channel (10);
  g_autoptr (GobanTrace) later = run_channel (20);

  g_assert_cmpfloat (goban_trace_get_makespan (trace), ==, 55);
  check (trace, GOBAN_TASK_PLACEMENT, placed);
  check (trace, GOBAN_TASK_SCHEDULING, ordered);
  check (later, GOBAN_TASK_PLACEMENT, later_placed);
  check (later, GOBAN_TASK_SCHEDULING, later_ordered);
}

/* These ops do no arithmetic: all their time is launching and fetching. Half of b's is a's, which
 * made its input here; c's input came from elsewhere, and all of it is c's. */
static void
test_fusion (void)
{
  static const Scenario scenario = {
    .cluster = DEVICES ("2"),
    .order = GOBAN_ORDER_FIFO,
    .nodes = { { "a", 10, 0, 0, 0 }, { "b", 6, 0, 0, 0 }, { "c", 4, 1, 0, 0 } },
    .edges = { { "a", "b", 2 }, { "b", "c", 2 } },
  };
  static const Blame blames[] = { { "a", 13 }, { "b", 3 }, { "c", 4 }, { NULL, 0 } };
  g_autoptr (GobanTrace) trace = scenario_run (&scenario);

  check (trace, GOBAN_TASK_FUSION, blames);
}

/* It is added to what stands there. */
static void
test_adds (void)
{
  g_autoptr (GobanTrace) trace = run_channel (10);
  double blame_us[4] = { 1, 2, 3, 4 };
  double total = 0;

  goban_credit_blame (trace, GOBAN_TASK_PLACEMENT, blame_us);
  for (guint v = 0; v < 4; v++)
    total += blame_us[v];
  g_assert_cmpfloat_with_epsilon (total, 10 + 40, 1e-9);
}

/* A kernel across devices cannot run: there are no spans. */
static void
test_no_run (void)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x2");
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 2);
  g_autoptr (GobanTrace) trace = NULL;
  double blame_us[4] = { 0 };

  goban_plan_set_device (plan, 1, 1);
  goban_plan_set_fusion (plan, 0, 0);
  goban_plan_set_fusion (plan, 1, 0);
  trace = goban_simulate (costs, plan);
  g_assert_null (goban_trace_get_ops (trace));
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    goban_credit_blame (trace, k, blame_us);
  for (guint v = 0; v < 4; v++)
    g_assert_cmpfloat (blame_us[v], ==, 0);
}

static void
check_any (const RandomRun *run)
{
  g_autoptr (GobanTrace) trace = goban_simulate (run->costs, run->plan);
  guint n_nodes = goban_graph_get_n_nodes (run->graph);

  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    {
      g_autofree double *blame_us = g_new0 (double, n_nodes);
      double total_us = 0;

      goban_credit_blame (trace, k, blame_us);
      for (GobanNodeId v = 0; v < n_nodes; v++)
        {
          g_assert_true (isfinite (blame_us[v]));
          g_assert_cmpfloat (blame_us[v], >=, 0);
          total_us += blame_us[v];
        }
      g_assert_cmpfloat (total_us, <=, goban_trace_get_makespan (trace) * (1 + 1e-9));
    }
}

static void
test_random (void)
{
  for (guint64 seed = 1; seed <= 300; seed++)
    {
      g_auto (RandomRun) run = { NULL };

      random_run_init (&run, 2 + (guint) (seed % 40), seed);
      check_any (&run);
    }
}

static void
test_random_fused (void)
{
  for (guint64 seed = 1; seed <= 200; seed++)
    {
      g_auto (RandomRun) run = { NULL };

      fused_run_init (&run, 2 + (guint) (seed % 40), seed);
      check_any (&run);
    }
}

TEST_PROGRAM (credit)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rl/credit/transfer", test_transfer);
  g_test_add_func ("/rl/credit/chain", test_chain);
  g_test_add_func ("/rl/credit/busy-device", test_busy);
  g_test_add_func ("/rl/credit/busy-channel", test_channel);
  g_test_add_func ("/rl/credit/fusion", test_fusion);
  g_test_add_func ("/rl/credit/adds", test_adds);
  g_test_add_func ("/rl/credit/no-run", test_no_run);
  g_test_add_func ("/rl/credit/random-runs", test_random);
  g_test_add_func ("/rl/credit/random-fused-runs", test_random_fused);
  return g_test_run ();
}
