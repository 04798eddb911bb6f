/* Node states at a time, checked against edges and transfers on random runs. */
#include "engine/study/analysis/playback-state.h"

#include "tests/sim/random-run.h"
#include "tests/sim/scenario.h"
#include "tests/support/test-program.h"

#include <string.h>

#define N_ROUNDS 60

/* --- the slow twin: from edges and transfers ------------------------------------------------ */

/* Whether what an edge carries is on the device of its head. */
static gboolean
is_there (GobanRun *run, const GobanEdge *edge, double time_us)
{
  GobanTrace *trace = goban_run_get_trace (run);
  GobanPlan *plan = goban_run_get_plan (run);
  GobanDeviceId to = goban_plan_get_device (plan, edge->head);
  guint n;
  const GobanTransfer *transfers = goban_trace_get_transfers (trace, &n);

  if (goban_plan_get_device (plan, edge->tail) == to)
    return goban_trace_get_ops (trace)[edge->tail].finish_us <= time_us;

  for (guint i = 0; i < n; i++)
    if (transfers[i].tensor == edge->tensor && transfers[i].to == to)
      return transfers[i].finish_us <= time_us;
  g_assert_not_reached ();
}

static GobanNodeState
twin_state (GobanRun *run, GobanNodeId node, double time_us)
{
  GobanGraph *graph = goban_run_get_graph (run);
  const GobanOpSpan *span = &goban_trace_get_ops (goban_run_get_trace (run))[node];
  GobanEdgeSpan in = goban_graph_get_in_edges (graph, node);

  if (time_us < 0)
    return GOBAN_NODE_WAITING;
  for (guint i = 0; i < in.n; i++)
    if (!is_there (run, goban_graph_get_edge (graph, in.ids[i]), time_us))
      return GOBAN_NODE_WAITING;
  if (span->finish_us <= time_us)
    return GOBAN_NODE_DONE;
  return span->start_us <= time_us ? GOBAN_NODE_RUNNING : GOBAN_NODE_READY;
}

/* Every instant at which something happens, between each two, and before and after all. */
static GArray *
list_times (GobanRun *run)
{
  GArray *times = g_array_new (FALSE, FALSE, sizeof (double));
  guint n_nodes = goban_graph_get_n_nodes (goban_run_get_graph (run));
  const GobanOpSpan *spans = goban_trace_get_ops (goban_run_get_trace (run));
  double before_us = -1;

  g_array_append_val (times, before_us);
  for (GobanNodeId v = 0; spans != NULL && v < n_nodes; v++)
    {
      double some[] = { spans[v].ready_us,
                        spans[v].start_us,
                        spans[v].finish_us,
                        (spans[v].ready_us + spans[v].start_us) / 2,
                        (spans[v].start_us + spans[v].finish_us) / 2,
                        spans[v].finish_us + 0.5 };

      g_array_append_vals (times, some, G_N_ELEMENTS (some));
    }
  return times;
}

static GobanRun *
run_at_random (guint64 seed, gboolean is_fused)
{
  g_auto (RandomRun) random;
  guint n_nodes = 2 + seed % 12;

  if (is_fused)
    fused_run_init (&random, n_nodes, seed);
  else
    random_run_init (&random, n_nodes, seed);
  return goban_run_new (random.costs, random.plan, NULL);
}

static void
test_twin (void)
{
  guint n_checked = 0;

  for (guint round = 0; round < N_ROUNDS; round++)
    {
      g_autoptr (GobanRun) run = run_at_random ((guint64) g_test_rand_int (), FALSE);
      guint n_nodes = goban_graph_get_n_nodes (goban_run_get_graph (run));
      g_autoptr (GArray) times = list_times (run);
      g_autofree guint8 *states = g_new (guint8, n_nodes);

      if (goban_trace_get_ops (goban_run_get_trace (run)) == NULL)
        continue;
      for (guint i = 0; i < times->len; i++)
        {
          double time_us = g_array_index (times, double, i);

          goban_playback_state_compute (run, time_us, states, NULL);
          for (GobanNodeId v = 0; v < n_nodes; v++)
            g_assert_cmpuint (states[v], ==, twin_state (run, v, time_us));
          n_checked++;
        }
    }
  g_assert_cmpuint (n_checked, >, 100);
}

/* --- what must hold ------------------------------------------------------------------------- */

/* One kernel at a time, and nobody ready on a device that does nothing. */
static void
check_devices (GobanRun *run, const guint8 *states)
{
  GobanPlan *plan = goban_run_get_plan (run);
  GobanTrace *trace = goban_run_get_trace (run);
  guint n_nodes = goban_plan_get_n_nodes (plan);

  for (GobanDeviceId d = 0; d < goban_plan_get_n_devices (plan); d++)
    {
      GobanNodeId running = GOBAN_NO_NODE;
      guint n_ready = 0;

      for (GobanNodeId v = 0; v < n_nodes; v++)
        {
          if (goban_plan_get_device (plan, v) != d)
            continue;
          n_ready += states[v] == GOBAN_NODE_READY;
          if (states[v] != GOBAN_NODE_RUNNING)
            continue;
          if (running != GOBAN_NO_NODE)
            g_assert_cmpuint (goban_trace_get_kernel (trace, v), ==,
                              goban_trace_get_kernel (trace, running));
          running = v;
        }
      g_assert_true (n_ready == 0 || running != GOBAN_NO_NODE);
    }
}

static void
check_counts (GobanRun *run, double time_us, const guint8 *states, const guint *counts)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_run_get_graph (run));
  guint sum = 0;

  for (guint s = 0; s < GOBAN_N_NODE_STATES; s++)
    {
      g_autoptr (GobanSelection) nodes
          = goban_playback_state_dup_nodes (run, time_us, (GobanNodeState) s);
      guint n;
      const GobanNodeId *ids = goban_selection_get_ids (nodes, &n);

      g_assert_cmpuint (n, ==, counts[s]);
      for (guint i = 0; i < n; i++)
        g_assert_cmpuint (states[ids[i]], ==, s);
      sum += n;
    }
  g_assert_cmpuint (sum, ==, n_nodes);
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a;
  double y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static void
test_properties (void)
{
  for (guint round = 0; round < N_ROUNDS; round++)
    {
      g_autoptr (GobanRun) run = run_at_random ((guint64) g_test_rand_int (), round % 2 == 0);
      guint n_nodes = goban_graph_get_n_nodes (goban_run_get_graph (run));
      g_autoptr (GArray) times = list_times (run);
      g_autofree guint8 *states = g_new (guint8, n_nodes);
      g_autofree guint8 *before = g_new0 (guint8, n_nodes);

      g_array_sort (times, compare_doubles);
      for (guint i = 0; i < times->len; i++)
        {
          double time_us = g_array_index (times, double, i);
          guint counts[GOBAN_N_NODE_STATES];

          goban_playback_state_compute (run, time_us, states, counts);
          check_counts (run, time_us, states, counts);
          check_devices (run, states);
          for (GobanNodeId v = 0; v < n_nodes; v++)
            g_assert_cmpuint (states[v], >=, before[v]);
          memcpy (before, states, n_nodes);
        }
    }
}

/* --- in words ------------------------------------------------------------------------------- */

/* a takes 10 on gpu:0, c has to wait for it; b hears of a at 14. */
static const Scenario pair = {
  .cluster
  = "{\"name\": \"plain\", \"devices\": [{\"name\": \"gpu\", \"count\": 2, \"kind\": \"gpu\","
    " \"tflops\": 1, \"memory_bandwidth\": 1, \"memory\": 1000}],"
    " \"all_pairs\": {\"bandwidth\": 1000000, \"latency\": 2}}",
  .order = GOBAN_ORDER_FIFO,
  .nodes = { { "a", 10, 0, 0, 0 }, { "b", 5, 1, 0, 0 }, { "c", 5, 0, 0, 0 } },
  .edges = { { "a", "b", 2 } },
};

static void
assert_describes (GobanRun *run, double time_us, const char *expected)
{
  g_autofree char *text = goban_playback_state_describe (run, time_us);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_words (void)
{
  g_autoptr (GobanTrace) trace = scenario_run (&pair);
  g_autoptr (GobanRun) run
      = goban_run_new (goban_trace_get_costs (trace), goban_trace_get_plan (trace), NULL);

  assert_describes (run, 3,
                    "at 3 µs: 1 running, 1 ready, 0 done, 1 waiting\n"
                    "gpu:0: a, 1 ready\n"
                    "gpu:1: idle, 0 ready\n");
  assert_describes (run, 14,
                    "at 14 µs: 2 running, 0 ready, 1 done, 0 waiting\n"
                    "gpu:0: c, 0 ready\n"
                    "gpu:1: b, 0 ready\n");
  assert_describes (run, 19,
                    "at 19 µs: 0 running, 0 ready, 3 done, 0 waiting\n"
                    "gpu:0: idle, 0 ready\n"
                    "gpu:1: idle, 0 ready\n");
  g_assert_cmpstr (goban_node_state_names[GOBAN_NODE_WAITING], ==, "waiting");
  g_assert_cmpstr (goban_node_state_names[GOBAN_NODE_DONE], ==, "done");
}

TEST_PROGRAM (playback_state)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/analysis/playback-state/twin", test_twin);
  g_test_add_func ("/analysis/playback-state/properties", test_properties);
  g_test_add_func ("/analysis/playback-state/words", test_words);
  return g_test_run ();
}
