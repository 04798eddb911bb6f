/* Steps through time against the trace: each start and each finish is visited exactly once. */
#include "engine/study/analysis/time-events.h"

#include "engine/study/run/graph-source.h"
#include "engine/study/run/policy-run.h"
#include "tests/sim/random-run.h"
#include "tests/sim/scenario.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <math.h>

#define N_ROUNDS 80

/* --- the slow twin: all events of the trace --------------------------------------------------- */

typedef struct
{
  double time_us;
  GobanTimeEvent event;
  GobanDeviceId at;    /* where the op runs, or what the transfer leaves */
  GobanDeviceId other; /* where it goes */
} Twin;

static void
add_twins (GArray *twins, Twin twin, double start_us, double finish_us)
{
  twin.time_us = start_us;
  g_array_append_val (twins, twin);
  twin.time_us = finish_us;
  twin.event.is_finish = TRUE;
  g_array_append_val (twins, twin);
}

/* Of a kernel, whose nodes have one span, the lowest node counts: no node before it has its fusion
 * number. */
static gboolean
is_lowest (GobanPlan *plan, GobanNodeId node)
{
  const gint32 *fusions = goban_plan_get_fusions (plan);

  for (GobanNodeId v = 0; fusions != NULL && fusions[node] >= 0 && v < node; v++)
    if (fusions[v] == fusions[node])
      return FALSE;
  return TRUE;
}

static GArray *
list_twins (GobanRun *run)
{
  GArray *twins = g_array_new (FALSE, FALSE, sizeof (Twin));
  GobanTrace *trace = goban_run_get_trace (run);
  GobanPlan *plan = goban_run_get_plan (run);
  const GobanOpSpan *ops = goban_trace_get_ops (trace);
  guint n;
  const GobanTransfer *transfers = goban_trace_get_transfers (trace, &n);

  for (GobanNodeId v = 0; ops != NULL && v < goban_plan_get_n_nodes (plan); v++)
    if (is_lowest (plan, v))
      add_twins (twins,
                 (Twin){ 0,
                         { FALSE, FALSE, v },
                         goban_plan_get_device (plan, v),
                         goban_plan_get_device (plan, v) },
                 ops[v].start_us, ops[v].finish_us);
  for (guint i = 0; i < n; i++)
    add_twins (twins, (Twin){ 0, { FALSE, TRUE, i }, transfers[i].from, transfers[i].to },
               transfers[i].start_us, transfers[i].finish_us);
  return twins;
}

/* --- stepping --------------------------------------------------------------------------------- */

/* Takes what happens at that moment from the twins, each of which must be there once. */
static void
take_events (GobanRun *run, double time_us, const gboolean *devices, GArray *twins)
{
  g_autoptr (GArray) events = goban_time_events_list (run, time_us, devices);

  g_assert_cmpuint (events->len, >, 0);
  for (guint i = 0; i < events->len; i++)
    {
      const GobanTimeEvent *event = &g_array_index (events, GobanTimeEvent, i);
      guint at = 0;

      for (; at < twins->len; at++)
        {
          const Twin *twin = &g_array_index (twins, Twin, at);

          if (twin->time_us == time_us && twin->event.is_finish == event->is_finish
              && twin->event.is_transfer == event->is_transfer && twin->event.index == event->index)
            break;
        }
      g_assert_cmpuint (at, <, twins->len);
      g_array_remove_index_fast (twins, at);
    }
}

/* Steps from one end to the other; no event of the devices is left. Returns the number of
 * moments. */
static guint
step_through (GobanRun *run, int direction, const gboolean *devices)
{
  g_autoptr (GArray) twins = list_twins (run);
  double time_us = (double) NAN, next_us;
  guint n_moments = 0;

  while (!isnan (next_us = goban_time_events_find (run, time_us, direction, devices)))
    {
      g_assert_true (isnan (time_us) || (direction > 0 ? next_us > time_us : next_us < time_us));
      time_us = next_us;
      take_events (run, time_us, devices, twins);
      n_moments++;
    }
  for (guint i = 0; i < twins->len; i++)
    {
      const Twin *twin = &g_array_index (twins, Twin, i);

      g_assert_false (devices == NULL || devices[twin->at] || devices[twin->other]);
    }
  return n_moments;
}

static void
check_run (GobanRun *run)
{
  guint n_devices = goban_plan_get_n_devices (goban_run_get_plan (run));
  g_autofree gboolean *devices = g_new0 (gboolean, n_devices);
  guint n_moments = step_through (run, 1, NULL);

  g_assert_cmpuint (step_through (run, -1, NULL), ==, n_moments);
  for (guint d = 0; d < n_devices; d++)
    {
      devices[d] = TRUE;
      n_moments = step_through (run, 1, devices);
      g_assert_cmpuint (step_through (run, -1, devices), ==, n_moments);
      devices[d] = FALSE;
    }
}

static void
test_random_runs (void)
{
  guint n_started = 0;

  for (guint round = 0; round < N_ROUNDS; round++)
    {
      guint64 seed = (guint64) g_test_rand_int ();
      g_auto (RandomRun) random;
      g_autoptr (GobanRun) run = NULL;

      if (round % 2 == 0)
        fused_run_init (&random, 2 + seed % 14, seed);
      else
        random_run_init (&random, 2 + seed % 14, seed);
      run = goban_run_new (random.costs, random.plan, NULL);
      check_run (run);
      n_started += goban_trace_get_ops (goban_run_get_trace (run)) != NULL;
    }
  g_assert_cmpuint (n_started, >, N_ROUNDS / 2);
}

static void
test_sample (void)
{
  g_autofree char *path = project_path ("samples/toy.dot");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_graph_source_load (path, NULL, &error);
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x2", &error);
  g_autoptr (GobanCostModel) costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  g_autoptr (GobanRun) run = goban_run_new_from_policy (costs, "round-robin", NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (step_through (run, 1, NULL), >, 10);
  check_run (run);
}

/* --- in words --------------------------------------------------------------------------------- */

/* a takes 10 on gpu:0, then c is there; b receives a from 10 to 14. */
static const Scenario pair = {
  .cluster
  = "{\"name\": \"plain\", \"devices\": [{\"name\": \"gpu\", \"count\": 2, \"kind\": \"gpu\","
    " \"tflops\": 1, \"memory_bandwidth\": 1, \"memory\": 1000}],"
    " \"all_pairs\": {\"bandwidth\": 1000000, \"latency\": 2}}",
  .order = GOBAN_ORDER_FIFO,
  .nodes = { { "a", 10, 0, 0, 0 }, { "b", 5, 1, 0, 0 }, { "c", 4, 0, 0, 0 } },
  .edges = { { "a", "b", 2 } },
};

static void
assert_describes (GobanRun *run, double time_us, const gboolean *devices, const char *expected)
{
  g_autofree char *text = goban_time_events_describe (run, time_us, devices);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_words (void)
{
  g_autoptr (GobanTrace) trace = scenario_run (&pair);
  g_autoptr (GobanRun) run
      = goban_run_new (goban_trace_get_costs (trace), goban_trace_get_plan (trace), NULL);
  g_autoptr (GobanSelection) b = goban_selection_new ((GobanNodeId[]){ 1 }, 1);
  gboolean devices[2];

  assert_describes (run, 0, NULL, "a starts on gpu:0");
  assert_describes (run, 10, NULL,
                    "a finishes on gpu:0, c starts on gpu:0, a is sent from gpu:0 to gpu:1");
  assert_describes (run, 14, NULL,
                    "c finishes on gpu:0, a arrives from gpu:0 on gpu:1, b starts on gpu:1");
  assert_describes (run, 11, NULL, "");

  g_assert_cmpuint (goban_time_events_mark_devices (run, b, devices), ==, 1);
  g_assert_true (!devices[0] && devices[1]);
  assert_describes (run, 10, devices, "a is sent from gpu:0 to gpu:1");
  g_assert_cmpfloat (goban_time_events_find (run, 0, 1, devices), ==, 10);
  g_assert_cmpfloat (goban_time_events_find (run, 12, -1, NULL), ==, 10);
  g_assert_true (isnan (goban_time_events_find (run, 19, 1, NULL)));
  g_assert_true (isnan (goban_time_events_find (run, 0, -1, NULL)));
}

TEST_PROGRAM (time_events)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/analysis/time-events/random-runs", test_random_runs);
  g_test_add_func ("/analysis/time-events/sample", test_sample);
  g_test_add_func ("/analysis/time-events/words", test_words);
  return g_test_run ();
}
