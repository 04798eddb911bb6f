/* Totals of spans against sums over every unit of time, on random runs of whole-numbered times. */
#include "engine/study/analysis/span-totals.h"
#include "engine/study/analysis/time-shares.h"

#include "engine/study/run/run.h"
#include "tests/sim/random-run.h"
#include "tests/sim/scenario.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

#define N_ROUNDS 120

static GobanRun *
run_at_random (guint64 seed)
{
  g_auto (RandomRun) random;

  if (seed % 3 == 0)
    fused_run_init (&random, 2 + seed % 14, seed);
  else
    random_run_init (&random, 2 + seed % 14, seed);
  return goban_run_new (random.costs, random.plan, NULL);
}

/* --- the slow twin ---------------------------------------------------------------------------- */

static double
shared (double from, double to, double start, double finish)
{
  double low = from > start ? from : start;
  double high = to < finish ? to : finish;

  return high > low ? high - low : 0;
}

/* Intervals that are open to the right; an instant is in the span that begins with it, or in the
 * last. */
static gboolean
is_in (const GobanSpanTotals *totals, double start, double finish, double end)
{
  if (start < finish)
    return shared (totals->from_us, totals->to_us, start, finish) > 0;
  return (totals->from_us <= start && start < totals->to_us)
         || (start == totals->to_us && totals->to_us == end);
}

static void
assert_equals_twin (GobanRun *run, const GobanSpanTotals *totals, guint d)
{
  GobanTrace *trace = goban_run_get_trace (run);
  GobanGraph *graph = goban_run_get_graph (run);
  const GobanOpSpan *spans = goban_trace_get_ops (trace);
  const GobanDeviceTotals *device = &totals->devices[d];
  double end = goban_trace_get_makespan (trace);
  double busy = 0, sent = 0, received = 0, sending = 0;
  guint n_ops = 0, n;
  const GobanTransfer *transfers = goban_trace_get_transfers (trace, &n);

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    if (goban_plan_get_device (goban_run_get_plan (run), v) == d
        && goban_trace_get_kernel (trace, v) == v)
      {
        busy += shared (totals->from_us, totals->to_us, spans[v].start_us, spans[v].finish_us);
        n_ops += is_in (totals, spans[v].start_us, spans[v].finish_us, end);
      }
  for (guint i = 0; i < n; i++)
    {
      const GobanTransfer *t = &transfers[i];
      double part = shared (totals->from_us, totals->to_us, t->start_us, t->finish_us);
      double share = t->finish_us > t->start_us ? part / (t->finish_us - t->start_us)
                                                : is_in (totals, t->start_us, t->finish_us, end);
      double bytes = share * goban_graph_get_tensor (graph, t->tensor)->size_bytes;

      sent += t->from == d ? bytes : 0;
      sending += t->from == d ? part : 0;
      received += t->to == d ? bytes : 0;
    }
  g_assert_cmpfloat_with_epsilon (device->busy_us, busy, 1e-6);
  g_assert_cmpfloat_with_epsilon (device->busy_us + device->idle_us,
                                  fmax (totals->to_us - totals->from_us, busy), 1e-6);
  g_assert_cmpuint (device->n_ops, ==, n_ops);
  g_assert_cmpfloat_with_epsilon (device->sent_bytes, sent, 1e-6 * (1 + sent));
  g_assert_cmpfloat_with_epsilon (device->received_bytes, received, 1e-6 * (1 + received));
  g_assert_cmpfloat_with_epsilon (device->sending_us, sending, 1e-6);
}

static void
assert_top_is_sorted (const GobanSpanTotals *totals)
{
  for (guint i = 1; i < totals->n_top; i++)
    {
      g_assert_cmpfloat (totals->top[i - 1].busy_us, >=, totals->top[i].busy_us);
      if (totals->top[i - 1].busy_us == totals->top[i].busy_us)
        g_assert_cmpuint (totals->top[i - 1].node, <, totals->top[i].node);
    }
}

static void
test_twin (void)
{
  guint n_checked = 0;

  for (guint64 seed = 1; seed <= N_ROUNDS; seed++)
    {
      g_autoptr (GobanRun) run = run_at_random (seed);
      GobanTrace *trace = goban_run_get_trace (run);
      double end = goban_trace_get_makespan (trace);

      if (goban_trace_get_ops (trace) == NULL || !isfinite (end))
        continue;
      for (guint k = 0; k < 8; k++)
        {
          double from = floor (g_test_rand_double_range (-0.1, 1) * end);
          double to = k == 0 ? end : ceil (g_test_rand_double_range (0, 1.1) * end);
          g_autoptr (GobanSpanTotals) totals = goban_span_totals_new (trace, from, to, NULL);

          for (guint d = 0; d < totals->n_devices; d++)
            assert_equals_twin (run, totals, d);
          assert_top_is_sorted (totals);
          n_checked++;
        }
    }
  g_assert_cmpuint (n_checked, >, 300);
}

/* The parts of a run add up to the whole, wherever it is cut. */
static void
test_parts_add_up (void)
{
  for (guint64 seed = 1; seed <= N_ROUNDS; seed++)
    {
      g_autoptr (GobanRun) run = run_at_random (seed);
      GobanTrace *trace = goban_run_get_trace (run);
      double end = goban_trace_get_makespan (trace);
      double cut = floor (end / 3);
      g_autoptr (GobanSpanTotals) whole = NULL;
      g_autoptr (GobanSpanTotals) a = NULL;
      g_autoptr (GobanSpanTotals) b = NULL;

      if (goban_trace_get_ops (trace) == NULL || !isfinite (end) || cut <= 0)
        continue;
      whole = goban_span_totals_new (trace, 0, end, NULL);
      a = goban_span_totals_new (trace, 0, cut, NULL);
      b = goban_span_totals_new (trace, cut, end, NULL);
      g_assert_cmpfloat_with_epsilon (whole->all.busy_us, a->all.busy_us + b->all.busy_us, 1e-6);
      g_assert_cmpfloat_with_epsilon (whole->all.sent_bytes, a->all.sent_bytes + b->all.sent_bytes,
                                      1e-6 * (1 + whole->all.sent_bytes));
      g_assert_cmpfloat_with_epsilon (whole->all.sent_bytes,
                                      goban_trace_get_transferred_bytes (trace),
                                      1e-6 * (1 + whole->all.sent_bytes));
    }
}

/* a on gpu:0 from 0 to 10, what it sends, b on gpu:1 after it, c on gpu:0 from 10 to 16. */
static const Scenario pair = {
  .cluster = "p100x2",
  .nodes
  = { { "a", 10, 0, 0, 0, NULL, 0 }, { "c", 6, 0, 0, 0, NULL, 0 }, { "b", 4, 1, 0, 0, NULL, 0 } },
  .edges = { { "a", "b", 1000 }, { "a", "c", 8 } },
};

static void
test_devices_and_words (void)
{
  g_autoptr (GobanTrace) trace = scenario_run (&pair);
  const guint8 first[] = { TRUE, FALSE };
  g_autoptr (GobanSpanTotals) totals = goban_span_totals_new (trace, 5, 12, first);
  g_autofree char *text = goban_span_totals_describe (totals, trace);

  g_assert_true (totals->devices[0].is_in);
  g_assert_false (totals->devices[1].is_in);
  g_assert_cmpfloat (totals->devices[0].busy_us, ==, 7);
  g_assert_cmpfloat (totals->devices[0].idle_us, ==, 0);
  g_assert_cmpfloat (totals->devices[1].busy_us, ==, 0);
  g_assert_cmpfloat (totals->devices[1].received_bytes, ==, 0);
  g_assert_cmpuint (totals->n_top, ==, 2);
  g_assert_cmpfloat (totals->top[0].busy_us, ==, 5);
  g_assert_nonnull (strstr (text, "5 µs to 12 µs, 7 µs long\ngpu:0: 2 ops, busy 7 µs (100 %)"));
  g_assert_nonnull (strstr (text, "longest:\n  5 µs  a\n  2 µs  c\n"));
  g_assert_null (strstr (text, "gpu:1"));
}

static void
test_nothing (void)
{
  g_autoptr (GobanTrace) trace = scenario_run (&pair);
  g_autoptr (GobanSpanTotals) totals = goban_span_totals_new (trace, 1e9, 2e9, NULL);
  g_autofree char *text = goban_span_totals_describe (totals, trace);

  g_assert_cmpfloat (totals->to_us, ==, goban_trace_get_makespan (trace));
  g_assert_cmpfloat (totals->all.busy_us, ==, 0);
  g_assert_nonnull (strstr (text, "idle: gpu:0, gpu:1\n"));
}

/* --- shares ----------------------------------------------------------------------------------- */

/* gpu:2 runs z until 1 and waits for cx until 54: w goes before x on gpu:0 until 5, x computes
 * until 15, its tensor waits for y's until 32, and is sent until 54. */
static const Scenario queue = {
  .cluster
  = "{\"name\": \"plain\", \"devices\": [{\"name\": \"gpu\", \"count\": 3, \"kind\": \"gpu\","
    " \"tflops\": 1, \"memory_bandwidth\": 1, \"memory\": 1000}],"
    " \"all_pairs\": {\"bandwidth\": 1000000, \"latency\": 2}}",
  .order = GOBAN_ORDER_FIFO,
  .nodes = { { "w", 5, 0, 0, 0 },
             { "x", 10, 0, 0, 0 },
             { "y", 10, 1, 0, 0 },
             { "z", 1, 2, 0, 0 },
             { "cx", 5, 2, 0, 0 },
             { "cy", 5, 2, 0, 0 } },
  .edges = { { "x", "cx", 20 }, { "y", "cy", 20 }, { "cx", "cy", 8 } },
};

static void
assert_shares (const GobanTimeShares *shares, guint device, const double *expected)
{
  for (guint k = 0; k < GOBAN_N_TIME_KINDS; k++)
    g_assert_cmpfloat (shares->devices_us[device][k], ==, expected[k]);
}

static void
test_shares (void)
{
  static const double whole[][GOBAN_N_TIME_KINDS]
      = { { 15, 0, 0, 0, 49 }, { 10, 0, 0, 0, 54 }, { 11, 32, 17, 4, 0 } };
  static const double part[][GOBAN_N_TIME_KINDS]
      = { { 5, 0, 0, 0, 10 }, { 0, 0, 0, 0, 15 }, { 0, 5, 10, 0, 0 } };
  g_autoptr (GobanTrace) trace = scenario_run (&queue);
  g_autoptr (GobanTimeShares) all = goban_time_shares_new (trace, 0, INFINITY);
  g_autoptr (GobanTimeShares) middle = goban_time_shares_new (trace, 10, 25);
  g_autoptr (GobanTimeShares) bare = goban_time_shares_new_of_devices (trace, 10, 25);
  g_autofree char *text = goban_time_shares_describe_device (all, trace, 2);

  for (guint d = 0; d < 3; d++)
    {
      assert_shares (all, d, whole[d]);
      assert_shares (middle, d, part[d]);
      assert_shares (bare, d, part[d]);
    }
  g_assert_cmpstr (text, ==,
                   "gpu:2: computing 17.2 %, waits for data 50.0 %, waits for a channel 26.6 %, "
                   "waits for an op's turn 6.2 %");
  g_assert_cmpuint (bare->types->len + bare->groups->len + bare->links->len, ==, 0);
  g_assert_cmpuint (all->links->len, ==, 2);
  g_assert_cmpfloat (g_array_index (all->links, GobanTimeRow, 0).busy_us, ==, 22);
  g_assert_cmpfloat (g_array_index (middle->links, GobanTimeRow, 0).bytes, ==, 20 * 15 / 22.0);
}

static double
sum_rows (const GArray *rows)
{
  double sum = 0;

  for (guint i = 0; i < rows->len; i++)
    sum += g_array_index (rows, GobanTimeRow, i).busy_us;
  return sum;
}

/* On every device the kinds sum to the span, and what is computed to the busy time of a table. */
static void
test_shares_sum (void)
{
  for (guint64 seed = 0; seed < N_ROUNDS; seed++)
    {
      g_autoptr (GobanRun) run = run_at_random (seed);
      GobanTrace *trace = goban_run_get_trace (run);
      double end_us = goban_trace_get_makespan (trace);
      double from_us = seed % 2 * end_us / 3, to_us = end_us / (1 + seed % 3);
      g_autoptr (GobanTimeShares) shares = NULL;
      g_autoptr (GobanSpanTotals) totals = NULL;

      if (goban_trace_get_ops (trace) == NULL)
        continue;
      shares = goban_time_shares_new (trace, from_us, to_us);
      totals = goban_span_totals_new (trace, from_us, to_us, NULL);
      for (guint d = 0; d < shares->n_devices; d++)
        {
          double sum = 0;

          for (guint k = 0; k < GOBAN_N_TIME_KINDS; k++)
            {
              g_assert_cmpfloat (shares->devices_us[d][k], >=, 0);
              sum += shares->devices_us[d][k];
            }
          g_assert_cmpfloat_with_epsilon (sum, shares->to_us - shares->from_us,
                                          1e-9 * (1 + end_us));
          g_assert_cmpfloat_with_epsilon (shares->devices_us[d][GOBAN_TIME_COMPUTING],
                                          totals->devices[d].busy_us, 1e-9 * (1 + end_us));
        }
      g_assert_cmpfloat_with_epsilon (sum_rows (shares->types), totals->all.busy_us,
                                      1e-9 * (1 + end_us));
      g_assert_cmpfloat_with_epsilon (sum_rows (shares->groups), totals->all.busy_us,
                                      1e-9 * (1 + end_us));
    }
}

TEST_PROGRAM (span_totals)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/analysis/span-totals/twin", test_twin);
  g_test_add_func ("/analysis/span-totals/parts-add-up", test_parts_add_up);
  g_test_add_func ("/analysis/span-totals/devices-and-words", test_devices_and_words);
  g_test_add_func ("/analysis/span-totals/nothing", test_nothing);
  g_test_add_func ("/analysis/span-totals/shares", test_shares);
  g_test_add_func ("/analysis/span-totals/shares-sum", test_shares_sum);
  return g_test_run ();
}
