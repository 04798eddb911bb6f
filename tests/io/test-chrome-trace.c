#include "engine/io/traces/chrome-trace.h"
#include "engine/learn/roster.h"
#include "engine/sim/simulator.h"
#include "tests/io/io-support.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"
#include "tests/support/trace-check.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* Of the corpus for fuzzing. */
static GobanGraph *
read_file (const char *name)
{
  g_autofree char *path = project_path (name);
  g_autoptr (GError) error = NULL;
  GobanGraph *graph = goban_graph_load (path, NULL, NULL, &error);

  g_assert_no_error (error);
  return graph;
}

/* A thread launches two kernels, [25 fill 70] and [72 gemm 85], in its add, [0
 * 40], at 25 and at 35, and waits for the second from 50 on; the call returns
 * at 90. */
#define TWO_KERNELS "tests/fuzz/corpus/chrome-trace/two-kernels.json"

/* --- simulation of the recorded plan
 * ---------------------------------------------------------- */

static GobanTrace *
replay (GobanGraph *graph)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCluster) cluster = goban_cluster_new_for_graph (graph, &error);
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  const GobanPlacer *placer;

  g_assert_no_error (error);
  costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  placer = goban_roster_find ("recorded", &error);
  g_assert_no_error (error);
  plan = goban_placer_place (placer, costs, NULL, NULL, &error);
  g_assert_no_error (error);
  return goban_simulate (costs, plan);
}

static void
assert_span (GobanTrace *trace, const char *name, double start_us, double finish_us)
{
  const GobanGraph *graph = goban_cost_model_get_graph (goban_trace_get_costs (trace));
  GobanNodeId node = goban_graph_find_node (graph, name);

  g_assert_cmpuint (node, !=, GOBAN_NO_NODE);
  assert_near (goban_trace_get_ops (trace)[node].start_us, start_us, 1e-6);
  assert_near (goban_trace_get_ops (trace)[node].finish_us, finish_us, 1e-6);
}

static const char *
device_of (GobanTrace *trace, const char *name)
{
  const GobanCostModel *costs = goban_trace_get_costs (trace);
  GobanNodeId node = goban_graph_find_node (goban_cost_model_get_graph (costs), name);

  return goban_cluster_get_device (goban_cost_model_get_cluster (costs),
                                   goban_plan_get_device (goban_trace_get_plan (trace), node))
      ->name;
}

/* --- PyTorch
 * ---------------------------------------------------------------------------------
 */

static void
test_kernels (void)
{
  g_autoptr (GobanGraph) graph = read_file (TWO_KERNELS);
  g_autoptr (GobanTrace) trace = replay (graph);
  g_autoptr (GError) error = NULL;

  g_assert_cmpstr (goban_graph_get_cluster_spec (graph), ==,
                   "lanes:main  a b=cpu,gpu:0 stream 7=gpu,delays=delays");
  g_assert_cmpfloat (goban_trace_get_makespan (trace), ==, 90);
  goban_trace_check (trace, &error);
  g_assert_no_error (error);
  assert_span (trace, "aten::add/cudaLaunchKernel", 0, 25);
  assert_span (trace, "aten::add/at::fill", 25, 70);
  assert_span (trace, "aten::add/gemm", 72, 85);
  /* It waits from 50 to 85 and then returns. */
  assert_span (trace, "cudaDeviceSynchronize", 35, 50);
  assert_span (trace, "cudaDeviceSynchronize_1", 85, 90);
  g_assert_cmpstr (device_of (trace, "aten::add/gemm"), ==, "gpu:0 stream 7");
  g_assert_cmpstr (
      goban_graph_get_node (graph, goban_graph_find_node (graph, "aten::add/gemm"))->op, ==,
      "gemm");
}

/* A launch explains a start on a free stream, the kernel before it one on a
 * busy stream. */
static void
test_waits (void)
{
  g_autoptr (GobanGraph) graph = read_file (TWO_KERNELS);
  g_autoptr (GobanTrace) trace = replay (graph);
  GobanNodeId fill = goban_graph_find_node (graph, "aten::add/at::fill");
  GobanNodeId gemm = goban_graph_find_node (graph, "aten::add/gemm");
  GobanNodeId after = goban_graph_find_node (graph, "cudaDeviceSynchronize_1");
  GobanStep step = goban_trace_get_step (trace, FALSE, fill);
  GobanStep cause;
  guint n;
  const GobanTransfer *transfers = goban_trace_get_transfers (trace, &n);

  g_assert_cmpint (step.wait, ==, GOBAN_WAIT_ARRIVAL);
  g_assert_true (goban_trace_get_cause (trace, &step, &cause));
  g_assert_cmpstr (
      goban_graph_get_node (graph,
                            goban_graph_get_tensor (graph, transfers[cause.index].tensor)->producer)
          ->name,
      ==, "aten::add/cudaLaunchKernel");
  step = goban_trace_get_step (trace, FALSE, gemm);
  g_assert_true (goban_trace_get_cause (trace, &step, &cause));
  g_assert_cmpstr (
      goban_graph_get_node (graph,
                            goban_graph_get_tensor (graph, transfers[cause.index].tensor)->producer)
          ->op,
      ==, "delay");
  step = goban_trace_get_step (trace, FALSE, after);
  g_assert_true (goban_trace_get_cause (trace, &step, &cause));
  g_assert_cmpuint (goban_graph_get_tensor (graph, transfers[cause.index].tensor)->producer, ==,
                    gemm);
}

/* --- other programs -------------------------------------------------------------------------- */

/* Pairs of B and E nest, an arrow leads to another thread, and two operations
 * of one thread that overlap get a lane each. */
static void
test_nested (void)
{
  g_autoptr (GobanGraph) graph = read_file ("tests/fuzz/corpus/chrome-trace/nested.json");
  g_autoptr (GobanTrace) trace = replay (graph);
  GobanNodeId left = goban_graph_find_node (graph, "left");
  GobanStep step = goban_trace_get_step (trace, FALSE, left);
  GobanStep cause;

  assert_span (trace, "outer", 0, 10);
  assert_span (trace, "outer/inner", 10, 30);
  assert_span (trace, "outer_1", 30, 50);
  assert_span (trace, "left", 35, 55);
  assert_span (trace, "right", 45, 65);
  g_assert_cmpstr (device_of (trace, "left"), ==, "thread b");
  g_assert_cmpstr (device_of (trace, "right"), ==, "thread b (2)");
  g_assert_true (goban_trace_get_cause (trace, &step, &cause));
  g_assert_true (cause.is_transfer);
  g_assert_cmpstr (goban_graph_get_warnings (graph)[0], ==,
                   "1 operations do not end, or end before they begin: they are left out");
}

/* Kernels of a stream that overlap by the rounding of their times follow each
 * other. */
static void
test_rounding (void)
{
  g_autoptr (GobanGraph) graph
      = read_text ("chrome-trace", "[{\"ph\": \"X\", \"cat\": \"kernel\", "
                                   "\"name\": \"a\", \"pid\": 0, \"tid\": 7, "
                                   "\"ts\": 0, \"dur\": 10},\n"
                                   "{\"ph\": \"X\", \"cat\": \"kernel\", "
                                   "\"name\": \"b\", \"pid\": 0, \"tid\": 7, "
                                   "\"ts\": 9.5, \"dur\": 10}]");
  g_autoptr (GobanTrace) trace = replay (graph);

  assert_span (trace, "b", 10, 20);
  g_assert_cmpuint (goban_plan_get_n_devices (goban_trace_get_plan (trace)), ==, 2);
}

static void
test_mistakes (void)
{
  static const BadText cases[] = {
    { "{\"traceEvents\": []}", "test.txt: " },
    { "{\"events\": []}", "traceEvents is missing" },
    { "{\"traceEvents\": [\n{\"ph\": \"X\", \"name\": \"a\", \"ts\": 1}]}",
      "test.txt:2: traceEvents[0].dur is missing" },
    { "[{\"ph\": \"X\", \"name\": \"a\", \"ts\": 1,\n\"dur\": \"b\"}]",
      "test.txt:2: [0].dur is “b”: a number" },
    { "[{\"ph\": \"X\", \"name\": \"a\", \"ts\": true, \"dur\": 1}]", "[0].ts is true" },
    { "[{\"ph\": \"X\", \"name\": \"a\", \"ts\": 1e300, \"dur\": 1}]",
      "none of its 1 operations has times that can be true" },
    { "[{\"ph\": \"B\", \"name\": \"a\", \"ts\": 5}, {\"ph\": \"E\", \"ts\": "
      "4}]",
      "none of its 1 operations" },
    { "[{\"ph\": \"X\", \"name\": \"a\", \"ts\": 1, \"dur\": 1} {}]", "“,” or “]”" },
    { "[{\"ph\": \"X\", \"name\": \"a\", \"ts\": nan, \"dur\": 1}]", "unexpected “n”" },
    { "[1]", "[0] is 1" },
    { "7", "an object is needed" },
  };

  check_bad_texts ("chrome-trace", cases, G_N_ELEMENTS (cases));
}

/* --- gzip
 * ------------------------------------------------------------------------------------
 */

static GBytes *
pack (const char *text)
{
  g_autoptr (GZlibCompressor) packer = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, -1);
  g_autoptr (GOutputStream) memory = g_memory_output_stream_new_resizable ();
  g_autoptr (GOutputStream) stream = g_converter_output_stream_new (memory, G_CONVERTER (packer));

  g_assert_true (g_output_stream_write_all (stream, text, strlen (text), NULL, NULL, NULL));
  g_assert_true (g_output_stream_close (stream, NULL, NULL));
  return g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (memory));
}

static void
save (const char *path, GBytes *bytes, gsize size)
{
  g_assert_true (g_file_set_contents (path, g_bytes_get_data (bytes, NULL), (gssize) size, NULL));
}

/* A packed file is known by its content, and one that is cut off or damaged is
 * refused. */
static void
test_gzip (void)
{
  g_autofree char *folder = g_dir_make_tmp ("goban-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "run.json.gz", NULL);
  g_autofree char *plain = project_path (TWO_KERNELS);
  g_autofree char *text = NULL;
  g_autoptr (GBytes) packed = NULL;
  g_autoptr (GBytes) twice = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanGraph) cut = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GByteArray) both = g_byte_array_new ();

  g_assert_true (g_file_get_contents (plain, &text, NULL, NULL));
  packed = pack (text);
  save (path, packed, g_bytes_get_size (packed));
  graph = goban_graph_load (path, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (goban_graph_get_name (graph), ==, "run");
  g_assert_cmpstr (goban_graph_get_format (graph), ==, "chrome-trace");

  save (path, packed, g_bytes_get_size (packed) - 9);
  cut = goban_graph_load (path, NULL, NULL, &error);
  g_assert_null (cut);
  g_assert_nonnull (strstr (error->message, "run.json.gz: the gzip data ends too early"));
  g_clear_error (&error);

  g_byte_array_append (both, g_bytes_get_data (packed, NULL), (guint) g_bytes_get_size (packed));
  memset (both->data + 20, 0xee, 20);
  twice = g_byte_array_free_to_bytes (g_steal_pointer (&both));
  save (path, twice, g_bytes_get_size (twice));
  cut = goban_graph_load (path, NULL, NULL, &error);
  g_assert_null (cut);
  g_assert_nonnull (strstr (error->message, "run.json.gz: the gzip data is damaged"));
  g_remove (path);
  g_rmdir (folder);
}

/* --- shared data
 * -----------------------------------------------------------------------------
 */

typedef struct
{
  const char *name;
  guint n_kernels;
  double kernels_us;
  double span_us;
} Recording;

static const Recording recordings[] = {
  { "kineto/benchmark_simple_add_trace.json.gz", 4, 16, NAN },
  { "kineto/sampled_rank-0.json.gz", 1154, 606519, 1223503 },
  { "kineto/control.json.gz", 8568, 446813, 465275 },
};

static void
test_shared (gconstpointer data)
{
  const Recording *recording = data;
  g_autoptr (GobanGraph) graph = load_shared (recording->name, "chrome-trace");
  g_autoptr (GobanTrace) trace = NULL;
  double sum_us = 0;
  guint n_kernels = 0;

  if (graph == NULL)
    return;
  trace = replay (graph);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      double time_us = goban_graph_get_time_us (graph, v, goban_graph_find_kind (graph, "gpu"));

      if (!isfinite (time_us) || g_str_has_prefix (goban_graph_get_node (graph, v)->op, "Mem"))
        continue;
      n_kernels++;
      sum_us += time_us;
    }
  g_assert_cmpuint (n_kernels, ==, recording->n_kernels);
  g_assert_cmpfloat (sum_us, ==, recording->kernels_us);
  if (!isnan (recording->span_us))
    assert_near (goban_trace_get_makespan (trace), recording->span_us, 1e-3);
}

#define EVENT(phase, thread, name, time)                                                           \
  "{\"ph\": \"" phase "\", \"tid\": " thread ", \"name\": \"" name "\", \"ts\": " time "}"

/* Operations within each other, on two threads at once: each end is that of the
 * last beginning of its thread. One has no end, and one end no beginning. */
static void
test_ends (void)
{
  static const char *const events[] = { EVENT ("B", "2", "open", "0"),
                                        EVENT ("B", "1", "a", "0"),
                                        EVENT ("B", "2", "x", "1"),
                                        EVENT ("B", "1", "b", "2"),
                                        EVENT ("E", "3", "", "2"),
                                        EVENT ("E", "1", "", "3"),
                                        EVENT ("B", "1", "c", "4"),
                                        EVENT ("E", "1", "", "6"),
                                        EVENT ("E", "2", "", "7"),
                                        EVENT ("E", "1", "", "10"),
                                        NULL };
  static const struct
  {
    const char *name;
    double finish_us;
  } expected[] = { { "a", 10 }, { "x", 7 }, { "b", 3 }, { "c", 6 } };
  g_autofree char *list = g_strjoinv (",", (char **) events);
  g_autofree char *text = g_strdup_printf ("[%s]", list);
  GobanReadOptions options = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanTraceEvents) read
      = goban_chrome_trace_read (text, strlen (text), "x", &options, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (read->events->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < read->events->len; i++)
    {
      g_assert_cmpstr (goban_trace_event (read, i)->name, ==, expected[i].name);
      g_assert_cmpfloat (goban_trace_event (read, i)->finish_us, ==, expected[i].finish_us);
    }
  g_assert_cmpuint (read->warnings->len, ==, 1);
}

/* --- files that programs leave behind
 * -------------------------------------------------------- */

/* @start and @span as the file has them. */
#define TIMED(head, name, start, span)                                                             \
  "{\"ph\": \"X\", " head ", \"name\": \"" name "\", \"ts\": " start ", \"dur\": " span "}"
#define SPAN(name, start, span)                                                                    \
  TIMED ("\"cat\": \"cpu_op\", \"pid\": 1, \"tid\": 1", name, start, span)
#define KERNEL(name, start, span)                                                                  \
  TIMED ("\"cat\": \"kernel\", \"pid\": 0, \"tid\": 7", name, start, span)

static GobanTraceEvents *
read_all (const char *text)
{
  GobanReadOptions options = { 0 };
  g_autoptr (GError) error = NULL;
  GobanTraceEvents *events = goban_chrome_trace_read (text, strlen (text), "x", &options, &error);

  g_assert_no_error (error);
  return events;
}

static gboolean
has_warning (const GobanTraceEvents *events, const char *part)
{
  for (guint i = 0; i < events->warnings->len; i++)
    if (strstr (g_ptr_array_index (events->warnings, i), part) != NULL)
      return TRUE;
  return FALSE;
}

/* A list may lack its bracket; what lies behind the last whole event is left
 * out, wherever the text ends. */
static void
test_unclosed (void)
{
  static const char *const whole[] = { "", "]", ",", ",\n", ",]", " ,\r\n " };
  static const char *const cut[]
      = { "{\"ph\": \"X\", \"name\": \"c\\ud83d\\ude00 d\", \"ts\": -12.5e1, "
          "\"dur\": 3, \"a\": "
          "[true, null, NaN, -Infinity]",
          "{\"ph\": \"X\", \"name\": \"\xc3\xa4\xf0\x9f\x98\x80" };
  static const char begin[] = "[" SPAN ("a", "0", "1") ",\n" SPAN ("b", "1", "1");

  for (guint is_object = 0; is_object < 2; is_object++)
    {
      const char *head = is_object ? "{\"x\": {\"y\": [1]}, \"traceEvents\": " : "";

      for (guint i = 0; i < G_N_ELEMENTS (whole); i++)
        {
          g_autofree char *text = g_strconcat (head, begin, whole[i], NULL);
          g_autoptr (GobanTraceEvents) events = read_all (text);

          g_assert_cmpuint (events->events->len, ==, 2);
          g_assert_cmpuint (events->warnings->len, ==, 0);
        }
      for (guint i = 0; i < G_N_ELEMENTS (cut); i++)
        for (gsize n = 1; n <= strlen (cut[i]); n++)
          {
            g_autofree char *part = g_strndup (cut[i], n);
            g_autofree char *text = g_strconcat (head, begin, ", ", part, NULL);
            g_autoptr (GobanTraceEvents) events = read_all (text);

            g_assert_cmpuint (events->events->len, ==, 2);
            g_assert_true (has_warning (events, "ends early: what is behind event 2"));
          }
    }
}

/* A double has 0.25 us left for times of this century. */
static void
test_nanoseconds (void)
{
  g_autoptr (GobanGraph) graph
      = read_text ("chrome-trace", "[" KERNEL ("a", "1712169512345693.007", "0.312") "," KERNEL (
                                       "b", "1712169512345693.407", "0.312") "]");
  g_autoptr (GobanTrace) trace = replay (graph);

  assert_span (trace, "a", 0, 0.312);
  assert_span (trace, "b", 0.4, 0.712);
}

/* Python writes numbers that are none; such an argument says nothing of its
 * operation. */
static void
test_not_numbers (void)
{
  g_autoptr (GobanTraceEvents) events
      = read_all ("[{\"ph\": \"X\", \"name\": \"a\", \"ts\": 1, \"dur\": 2, "
                  "\"args\": {\"loss\": NaN, "
                  "\"x\": [Infinity, -Infinity], \"correlation\": NaN}}]");

  g_assert_cmpuint (events->events->len, ==, 1);
  g_assert_cmpint (goban_trace_event (events, 0)->correlation, ==, 0);
  g_assert_cmpuint (events->warnings->len, ==, 1);
  g_assert_true (has_warning (events, "4 values are NaN or infinite"));
}

/* Neither a double nor a signed number holds them. */
static void
test_large_ids (void)
{
  static const char *const ids[]
      = { "9223372036854775809",  "9223372036854775810", "18446744073709551615",
          "18446744073709551616", "\"0x7f01\"",          "7" };
  gint64 seen[G_N_ELEMENTS (ids)];

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      g_autofree char *text
          = g_strdup_printf ("[{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"launch\", "
                             "\"pid\": %s, \"tid\": 2, "
                             "\"ts\": 1, \"dur\": 2, \"args\": {\"correlation\": %s}},"
                             "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"pid\": "
                             "9007199254740993, \"tid\": 1, "
                             "\"ts\": 5, \"dur\": 2, \"args\": {\"correlation\": %s}}]",
                             i == 0 ? "9007199254740992" : "1", ids[i], ids[i]);
      g_autoptr (GobanTraceEvents) events = read_all (text);

      seen[i] = goban_trace_event (events, 0)->correlation;
      g_assert_cmpint (seen[i], !=, 0);
      g_assert_cmpint (seen[i], ==, goban_trace_event (events, 1)->correlation);
      g_assert_cmpuint (events->lanes->len, ==, 2);
      for (guint k = 0; k < i; k++)
        g_assert_cmpint (seen[k], !=, seen[i]);
    }
}

/* The values of ../shared/data/README.md. */
static void
test_cases (void)
{
  static const struct
  {
    const char *name;
    double kernels_us;
    double most_us; /* of the replay */
    const char *warning;
  } cases[] = { { "t0_base.json", 80, 1000, NULL },
                { "t1_overflow_duration.json", 72, 1000, "cannot be true" },
                { "t2b_ts_zero_epoch.json", 0, 1000, "cannot be true" },
                { "t3_negative_duration.json", 72, 1000, "negative duration" },
                { "t4_ns_epoch.json", 312, 20000, NULL },
                { "t7_unclosed_array.json", 80, 1000, NULL },
                { "t14_bom.json", 80, 1000, NULL } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strconcat ("cases/", cases[i].name, NULL);
      g_autoptr (GobanGraph) graph = load_shared (name, "chrome-trace");
      g_autoptr (GobanTrace) trace = NULL;
      double sum_us = 0;
      guint gpu;

      if (graph == NULL)
        return;
      g_test_message ("%s", name);
      trace = replay (graph);
      gpu = goban_graph_find_kind (graph, "gpu");
      for (GobanNodeId v = 0; gpu != GOBAN_NO_KIND && v < goban_graph_get_n_nodes (graph); v++)
        if (isfinite (goban_graph_get_time_us (graph, v, gpu)))
          sum_us += goban_graph_get_time_us (graph, v, gpu);
      if (cases[i].kernels_us > 0)
        assert_near (sum_us, cases[i].kernels_us, 1e-6);
      g_assert_cmpfloat (goban_trace_get_makespan (trace), <, cases[i].most_us);
      if (cases[i].warning != NULL)
        g_assert_true (warns (graph, cases[i].warning));
      else
        g_assert_null (goban_graph_get_warnings (graph)[0]);
    }
}

/* An operation without a name is one all the same. */
static void
test_nameless (void)
{
  g_autoptr (GobanGraph) graph
      = read_text ("chrome-trace", "[{\"ph\": \"X\", \"name\": \"\", \"ts\": 1, \"dur\": 2}]");

  g_assert_cmpuint (goban_graph_get_n_nodes (graph), ==, 1);
  node_of (graph, "operation");
}

#define PROCESS(pid, name)                                                                         \
  "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": " #pid ", \"args\": {\"name\": \"" name    \
  "\"}},\n"
#define THREAD(pid, tid, name)                                                                     \
  "{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": " #pid ", \"tid\": " #tid                   \
  ", \"args\": {\"name\": \"" name "\"}},\n"
#define OP(pid, tid, ts, dur, name)                                                                \
  "{\"ph\": \"X\", \"pid\": " #pid ", \"tid\": " #tid ", \"ts\": " #ts ", \"dur\": " #dur          \
  ", \"name\": \"" name "\"},\n"

/* Sum of the times that nodes of a kind have. */
static double
sum_times (const GobanGraph *graph, const char *kind)
{
  double sum = 0;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      double time_us = goban_graph_get_time_us (graph, v, goban_graph_find_kind (graph, kind));

      sum += isfinite (time_us) ? time_us : 0;
    }
  return sum;
}

/* Profiles of JAX and timelines of TensorFlow name a process for each device; what sums up other
 * lanes does not count twice. */
static void
test_devices (void)
{
  static const char tpu[]
      = "{\"traceEvents\": [" PROCESS (1, "/device:TPU:0") PROCESS (2, "/host:CPU")
          THREAD (1, 1, "XLA Ops") THREAD (1, 2, "XLA Modules") THREAD (1, 3, "Steps")
              OP (1, 1, 100, 10, "fusion.1") OP (1, 1, 115, 5, "dot.1") OP (1, 2, 100, 20, "jit_f")
                  OP (1, 3, 100, 20, "0") OP (2, 5, 80, 30, "PjitFunction(f)") "{}]}";
  static const char gpu[] = "{\"traceEvents\": [" PROCESS (1, "/device:GPU:0")
      THREAD (1, 1, "XLA Ops") THREAD (1, 7, "Stream #7(Compute)") OP (1, 1, 100, 10, "fusion.1")
          OP (1, 7, 100, 10, "loop_fusion") "{}]}";
  static const char timeline[] = "{\"traceEvents\": [" PROCESS (1, "/job:a/device:GPU:0 Compute")
      PROCESS (2, "/device:GPU:0/stream:all Compute") PROCESS (3, "/device:GPU:0/stream:15 Compute")
          PROCESS (4, "/device:GPU:0/memcpy Compute") OP (1, 0, 10, 3, "MatMul")
              OP (2, 0, 14, 20, "MatMul") OP (3, 0, 14, 20, "MatMul")
                  OP (4, 0, 40, 2, "copy") "{}]}";
  static const char plain[] = "{\"traceEvents\": [" PROCESS (1, "/job:a/device:GPU:0 Compute")
      OP (1, 0, 10, 3, "MatMul") "{}]}";
  g_autoptr (GobanGraph) of_tpu = read_text ("chrome-trace", tpu);
  g_autoptr (GobanGraph) of_gpu = read_text ("chrome-trace", gpu);
  g_autoptr (GobanGraph) of_timeline = read_text ("chrome-trace", timeline);
  g_autoptr (GobanGraph) of_plain = read_text ("chrome-trace", plain);

  assert_near (sum_times (of_tpu, "tpu"), 15, 1e-9);
  assert_near (sum_times (of_tpu, "cpu"), 30, 1e-9);
  g_assert_true (warns (of_tpu, "2 operations of lanes such as “XLA Modules” sum up"));
  assert_near (sum_times (of_gpu, "gpu"), 10, 1e-9);
  assert_near (sum_times (of_timeline, "gpu"), 22, 1e-9);
  assert_near (sum_times (of_timeline, "cpu"), 3, 1e-9);
  assert_near (sum_times (of_plain, "gpu"), 3, 1e-9);
}

TEST_PROGRAM (chrome_trace)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io/chrome-trace/ends", test_ends);
  g_test_add_func ("/io/chrome-trace/kernels", test_kernels);
  g_test_add_func ("/io/chrome-trace/waits", test_waits);
  g_test_add_func ("/io/chrome-trace/nested", test_nested);
  g_test_add_func ("/io/chrome-trace/rounding", test_rounding);
  g_test_add_func ("/io/chrome-trace/mistakes", test_mistakes);
  g_test_add_func ("/io/chrome-trace/gzip", test_gzip);
  g_test_add_func ("/io/chrome-trace/unclosed", test_unclosed);
  g_test_add_func ("/io/chrome-trace/nanoseconds", test_nanoseconds);
  g_test_add_func ("/io/chrome-trace/not-numbers", test_not_numbers);
  g_test_add_func ("/io/chrome-trace/large-ids", test_large_ids);
  g_test_add_func ("/io/chrome-trace/nameless", test_nameless);
  g_test_add_func ("/io/chrome-trace/devices", test_devices);
  g_test_add_func ("/io/chrome-trace/shared/cases", test_cases);
  g_test_add_data_func ("/io/chrome-trace/shared/simple-add", &recordings[0], test_shared);
  g_test_add_data_func ("/io/chrome-trace/shared/sampled", &recordings[1], test_shared);
  g_test_add_data_func ("/io/chrome-trace/shared/control", &recordings[2], test_shared);
  return g_test_run ();
}
