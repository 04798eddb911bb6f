/* Devices at a moment against the trace: what is at the head of a queue is what starts next. */
#include "engine/study/analysis/playback-state.h"

#include "engine/study/analysis/time-events.h"
#include "tests/sim/random-run.h"
#include "tests/sim/scenario.h"
#include "tests/support/test-program.h"

#include <math.h>

#define N_ROUNDS 120
#define ALL G_MAXUINT

static gboolean
is_in (const GobanQueueHead *queue, guint32 item)
{
  for (guint i = 0; i < queue->n; i++)
    if (queue->items[i] == item)
      return TRUE;
  return FALSE;
}

/* --- queues hold what they should ------------------------------------------------------------- */

static void
check_ops (GobanRun *run, GobanDeviceId d, const GobanDeviceMoment *moment, double time_us)
{
  GobanTrace *trace = goban_run_get_trace (run);
  GobanPlan *plan = goban_run_get_plan (run);
  const GobanOpSpan *ops = goban_trace_get_ops (trace);
  guint n_running = 0, n_ready = 0;

  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
    {
      gboolean is_running = ops[v].start_us <= time_us && time_us < ops[v].finish_us;
      gboolean is_ready = ops[v].ready_us <= time_us && time_us < ops[v].start_us;

      if (goban_plan_get_device (plan, v) != d || goban_trace_get_kernel (trace, v) != v)
        continue;
      g_assert_cmpint (is_in (&moment->running, v), ==, is_running);
      g_assert_cmpint (is_in (&moment->ready, v), ==, is_ready);
      n_running += is_running;
      n_ready += is_ready;
    }
  g_assert_cmpuint (moment->running.n_all, ==, n_running);
  g_assert_cmpuint (moment->ready.n_all, ==, n_ready);
}

static void
check_transfers (GobanRun *run, GobanDeviceId d, const GobanDeviceMoment *moment, double time_us)
{
  guint n, n_sending = 0, n_receiving = 0, n_waiting = 0;
  const GobanTransfer *transfers = goban_trace_get_transfers (goban_run_get_trace (run), &n);

  for (guint i = 0; i < n; i++)
    {
      const GobanTransfer *transfer = &transfers[i];
      gboolean is_under_way = transfer->start_us <= time_us && time_us < transfer->finish_us;
      gboolean is_waiting = transfer->ready_us <= time_us && time_us < transfer->start_us;

      g_assert_cmpint (is_in (&moment->sending, i), ==, is_under_way && transfer->from == d);
      g_assert_cmpint (is_in (&moment->receiving, i), ==, is_under_way && transfer->to == d);
      g_assert_cmpint (is_in (&moment->waiting, i), ==, is_waiting && transfer->from == d);
      n_sending += is_under_way && transfer->from == d;
      n_receiving += is_under_way && transfer->to == d;
      n_waiting += is_waiting && transfer->from == d;
    }
  g_assert_cmpuint (moment->sending.n_all, ==, n_sending);
  g_assert_cmpuint (moment->receiving.n_all, ==, n_receiving);
  g_assert_cmpuint (moment->waiting.n_all, ==, n_waiting);
}

/* The staircase, point by point. */
static void
check_memory (GobanRun *run, GobanDeviceId d, const GobanDeviceMoment *moment, double time_us)
{
  guint n;
  g_autofree GobanMemoryPoint *points = goban_trace_get_memory (goban_run_get_trace (run), d, &n);
  double bytes = points[0].bytes;

  for (guint i = 0; i < n && points[i].time_us <= time_us; i++)
    bytes = points[i].bytes;
  g_assert_cmpfloat (moment->memory_bytes, ==, bytes);
}

/* --- and in the order in which they are taken ------------------------------------------------- */

/* At the next event, those of the queue that start then are the first of it: what becomes ready
 * then, too, may go before or between them, but never changes their order. Returns how many start
 * before another. */
static guint
check_ready_order (GobanRun *run, const GobanDeviceMoment *moment, double next_us)
{
  const GobanOpSpan *ops = goban_trace_get_ops (goban_run_get_trace (run));
  guint n_started = 0;

  for (guint i = 0; i < moment->ready.n; i++)
    if (ops[moment->ready.items[i]].start_us == next_us)
      {
        g_assert_cmpuint (i, ==, n_started);
        n_started++;
      }
  return n_started < moment->ready.n ? n_started : 0;
}

/* The same of the transfers to one device, which need the same channels and links. */
static guint
check_waiting_order (GobanRun *run, const GobanDeviceMoment *moment, double next_us)
{
  guint n, n_passed_over = 0;
  const GobanTransfer *transfers = goban_trace_get_transfers (goban_run_get_trace (run), &n);

  for (guint i = 0; i < moment->waiting.n; i++)
    for (guint j = 0; j < i; j++)
      {
        const GobanTransfer *first = &transfers[moment->waiting.items[j]];
        const GobanTransfer *second = &transfers[moment->waiting.items[i]];

        if (first->to != second->to)
          continue;
        g_assert_true (second->start_us != next_us || first->start_us == next_us);
        n_passed_over += first->start_us == next_us && second->start_us > next_us;
      }
  return n_passed_over;
}

static void
check_next (GobanRun *run, GobanDeviceId d, const GobanDeviceMoment *moment, double time_us)
{
  GobanPlan *plan = goban_run_get_plan (run);
  const GobanOpSpan *ops = goban_trace_get_ops (goban_run_get_trace (run));
  double least_us = (double) INFINITY;

  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
    if (goban_plan_get_device (plan, v) == d && ops[v].start_us > time_us)
      least_us = MIN (least_us, ops[v].start_us);
  if (moment->next == GOBAN_NO_NODE)
    g_assert_true (isinf (least_us));
  else
    {
      g_assert_cmpuint (goban_plan_get_device (plan, moment->next), ==, d);
      g_assert_cmpfloat (ops[moment->next].start_us, ==, least_us);
    }
}

typedef struct
{
  guint n_ops[2];
  guint n_transfers;
  guint n_fused;
} Seen;

static void
check_moment (GobanRun *run, double time_us, double next_us, Seen *seen)
{
  GobanPlan *plan = goban_run_get_plan (run);
  g_autoptr (GobanDeviceMoments) moments = goban_device_moments_new (run, time_us, ALL);

  for (guint d = 0; d < goban_plan_get_n_devices (plan); d++)
    {
      const GobanDeviceMoment *moment = &moments->devices[d];

      check_ops (run, d, moment, time_us);
      check_transfers (run, d, moment, time_us);
      check_memory (run, d, moment, time_us);
      check_next (run, d, moment, time_us);
      seen->n_ops[goban_plan_get_order (plan)] += check_ready_order (run, moment, next_us);
      seen->n_transfers += check_waiting_order (run, moment, next_us);
      seen->n_fused += moment->ready.n > 1 && goban_plan_is_fused (plan);
    }
}

static void
test_random_runs (void)
{
  Seen seen = { .n_fused = 0 };

  for (guint round = 0; round < N_ROUNDS; round++)
    {
      guint64 seed = (guint64) g_test_rand_int ();
      g_auto (RandomRun) random;
      g_autoptr (GobanRun) run = NULL;
      double time_us = (double) NAN, next_us;

      if (round % 2 == 0)
        fused_run_init (&random, 12 + seed % 30, seed);
      else
        random_run_init (&random, 12 + seed % 30, seed);
      run = goban_run_new (random.costs, random.plan, NULL);
      if (goban_trace_get_ops (goban_run_get_trace (run)) == NULL)
        continue;
      time_us = -1;
      while (!isnan (next_us = goban_time_events_find (run, time_us, 1, NULL)))
        {
          /* Between two events is as good as at the first. */
          check_moment (run, round % 3 == 0 ? (time_us + next_us) / 2 : time_us, next_us, &seen);
          time_us = next_us;
        }
    }
  g_assert_cmpuint (seen.n_ops[GOBAN_ORDER_FIFO], >, 50);
  g_assert_cmpuint (seen.n_ops[GOBAN_ORDER_PRIORITY], >, 50);
  g_assert_cmpuint (seen.n_transfers, >, 50);
  g_assert_cmpuint (seen.n_fused, >, 10);
}

/* --- a known moment --------------------------------------------------------------------------- */

/* a runs on gpu:0 until 10; c and d wait for the device, d first by its priority. */
static const Scenario queue = {
  .cluster
  = "{\"name\": \"plain\", \"devices\": [{\"name\": \"gpu\", \"count\": 2, \"kind\": \"gpu\","
    " \"tflops\": 1, \"memory_bandwidth\": 1, \"memory\": 1000}],"
    " \"all_pairs\": {\"bandwidth\": 1000000, \"latency\": 2}}",
  .order = GOBAN_ORDER_PRIORITY,
  .nodes
  = { { "a", 10, 0, 9, 100 }, { "b", 5, 1, 0, 0 }, { "c", 4, 0, 1, 0 }, { "d", 4, 0, 2, 0 } },
  .edges = { { "a", "b", 2 } },
};

static void
assert_describes (GobanRun *run, double time_us, GobanDeviceId device, const char *expected)
{
  g_autoptr (GobanDeviceMoments) moments = goban_device_moments_new (run, time_us, 1);
  g_autofree char *text = goban_device_moments_describe (moments, run, device);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_words (void)
{
  g_autoptr (GobanTrace) trace = scenario_run (&queue);
  g_autoptr (GobanRun) run
      = goban_run_new (goban_trace_get_costs (trace), goban_trace_get_plan (trace), NULL);
  g_autoptr (GobanDeviceMoments) moments = goban_device_moments_new (run, 3, 1);

  /* One of two is kept, both count. */
  g_assert_cmpuint (moments->devices[0].ready.n, ==, 1);
  g_assert_cmpuint (moments->devices[0].ready.n_all, ==, 2);
  g_assert_cmpuint (moments->devices[0].ready.items[0], ==, 3);
  g_assert_cmpint (goban_device_moment_get_priority (run, 3), ==, 2);

  assert_describes (run, 3, 0,
                    "gpu:0 runs a until 10 µs; 2 ready, 0 sent, 0 received, 0 waiting to be sent; "
                    "102 B of 1 kB in use");
  assert_describes (run, 11, 1,
                    "gpu:1 is idle until b starts at 14 µs; 0 ready, 0 sent, 1 received, 0 waiting "
                    "to be sent; 2 B of 1 kB in use");
  assert_describes (run, 30, 1,
                    "gpu:1 has nothing left to run; 0 ready, 0 sent, 0 received, 0 waiting to be "
                    "sent; 0 B of 1 kB in use");
}

TEST_PROGRAM (device_moment)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/analysis/device-moment/random-runs", test_random_runs);
  g_test_add_func ("/analysis/device-moment/words", test_words);
  return g_test_run ();
}
