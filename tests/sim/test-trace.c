#include "engine/sim/trace-json.h"
#include "tests/sim/scenario.h"
#include "tests/support/test-program.h"

#include <string.h>

/* Devices as simple as can be: 1 byte a microsecond from each to each, 2 microseconds on the
 * way. */
#define DEVICES(n, memory)                                                                         \
  "{\"name\": \"plain\", \"devices\": [{\"name\": \"gpu\", \"count\": " n                          \
  ", \"kind\": \"gpu\", \"tflops\": 1, \"memory_bandwidth\": 1, \"memory\": " memory               \
  "}], \"all_pairs\": {\"bandwidth\": 1000000, \"latency\": 2}}"

/*           a 10
 *        30/    \30       left here, right on the other device
 *   left 40      right 20
 *        10\    /50
 *         sink 5
 */
static const Scenario diamond = {
  .cluster = DEVICES ("2", "1000"),
  .order = GOBAN_ORDER_FIFO,
  .nodes = { { "a", 10, 0, 0, 100 },
             { "left", 40, 0, 0, 0 },
             { "right", 20, 1, 0, 7 },
             { "sink", 5, 0, 0, 0 } },
  .edges
  = { { "a", "left", 30 }, { "a", "right", 30 }, { "left", "sink", 10 }, { "right", "sink", 50 } },
};

/* x, y and z on three devices finish at 10 and each send 20 bytes to gpu:3, whose one receive
 * channel takes them in turn: by priority of the consumers, or in order of tensor; u sends
 * one past them to gpu:0 meanwhile.
 *
 *   x 10 --20--> cx 5      y 10 --20--> cy 5      z 10 --20--> cz 5      x 10 --8--> u (gpu:1)
 */
static const Scenario channel = {
  .cluster = DEVICES ("4", "1000"),
  .order = GOBAN_ORDER_PRIORITY,
  .nodes = { { "x", 10, 0, 0, 0 },
             { "y", 10, 1, 0, 0 },
             { "z", 10, 2, 0, 0 },
             { "cx", 5, 3, 1, 0 },
             { "cy", 5, 3, 2, 0 },
             { "cz", 5, 3, 3, 0 },
             { "u", 1, 1, 0, 0 } },
  .edges = { { "x", "cx", 20 }, { "y", "cy", 20 }, { "z", "cz", 20 }, { "x", "u", 8 } },
};

/* Two pairs of devices with a trunk between their switches that one transfer holds at a time.
 *
 *   a (gpu:0) --10--> c (gpu:2)       b (gpu:1) --10--> d (gpu:3)
 */
static const Scenario trunk = {
  .cluster
  = "{\"name\": \"trunk\", \"devices\": [{\"name\": \"gpu\", \"count\": 4, \"kind\": \"gpu\","
    " \"tflops\": 1, \"memory_bandwidth\": 1, \"memory\": \"unlimited\"}],"
    " \"switches\": [\"left\", \"right\"], \"links\": ["
    "{\"from\": \"gpu:0\", \"to\": \"left\", \"bandwidth\": 1e6},"
    "{\"from\": \"gpu:1\", \"to\": \"left\", \"bandwidth\": 1e6},"
    "{\"from\": \"left\", \"to\": \"right\", \"bandwidth\": 1e6, \"latency\": 1},"
    "{\"from\": \"gpu:2\", \"to\": \"right\", \"bandwidth\": 1e6},"
    "{\"from\": \"gpu:3\", \"to\": \"right\", \"bandwidth\": 1e6}]}",
  .order = GOBAN_ORDER_FIFO,
  .nodes = { { "a", 3, 0, 0, 0 }, { "b", 2, 1, 0, 0 }, { "c", 1, 2, 0, 0 }, { "d", 1, 3, 0, 0 } },
  .edges = { { "a", "c", 10 }, { "b", "d", 10 } },
};

/* keep lives until the end; big does not fit beside it and the parameters.
 *
 *   keep 10 --40--> big 10 --60--> end 10
 *        \____________________________/
 */
static const Scenario memory = {
  .cluster = DEVICES ("1", "120"),
  .order = GOBAN_ORDER_FIFO,
  .nodes = { { "keep", 10, 0, 0, 30 }, { "big", 10, 0, 0, 0 }, { "end", 10, 0, 0, 5 } },
  .edges = { { "keep", "big", 40 }, { "keep", "end", 40 }, { "big", "end", 60 } },
};

/* Ops that take no time and control edges, one of them across devices: it takes the latency.
 *
 *   a 0 ~~> b 0 ~~> c 5 ~~> d 0 (gpu:1) ~~> e 0 (gpu:1), a also has an output nobody reads
 */
static const Scenario instants = {
  .cluster = DEVICES ("2", "1000"),
  .order = GOBAN_ORDER_PRIORITY,
  .nodes = { { "a", 0, 0, 0, 0 },
             { "b", 0, 0, 1, 0 },
             { "c", 5, 0, 2, 0 },
             { "d", 0, 1, 0, 0 },
             { "e", 0, 1, 0, 0 } },
  .edges
  = { { "a", NULL, 64 }, { "a", "b", -1 }, { "b", "c", -1 }, { "c", "d", -1 }, { "d", "e", -1 } },
};

/* a, b and c are one kernel. It waits for x, which only c reads; a's tensor leaves and is written,
 * b's does not: 20 + 30 + 25, less two launches of 2, less 8 bytes written and read, makes 55 us.
 *
 *   a 20 -10--> b 30 --8--> c 25 --12--> d 5 (gpu:1) \___________10__________|__________/
 *   x 10 (gpu:1) ------6------/
 */
static const Scenario fused = {
  .cluster = "{\"name\": \"launching\", \"devices\": [{\"name\": \"gpu\", \"count\": 2,"
             " \"kind\": \"gpu\", \"tflops\": 1, \"memory_bandwidth\": 1000000, \"launch\": 2,"
             " \"memory\": 1000}], \"all_pairs\": {\"bandwidth\": 1000000, \"latency\": 2}}",
  .order = GOBAN_ORDER_PRIORITY,
  .nodes = { { "a", 20, 0, 0, 100, "Add", 7 },
             { "b", 30, 0, 3, 0, "Relu", 7 },
             { "x", 10, 1, 0, 0, NULL, 0 },
             { "c", 25, 0, 0, 11, "Mul", 7 },
             { "e", 15, 0, 1, 0, NULL, 0 },
             { "d", 5, 1, 0, 0, NULL, 0 } },
  .edges
  = { { "a", "b", 10 }, { "a", "d", 10 }, { "b", "c", 8 }, { "x", "c", 6 }, { "c", "d", 12 } },
};

static void
test_golden (void)
{
  static const struct
  {
    const char *name;
    const Scenario *scenario;
  } cases[] = {
    { "trace-diamond.txt", &diamond },   { "trace-channel.txt", &channel },
    { "trace-trunk.txt", &trunk },       { "trace-memory.txt", &memory },
    { "trace-instants.txt", &instants }, { "trace-fused.txt", &fused },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GobanTrace) trace = scenario_run (cases[i].scenario);
      g_autofree char *text = scenario_dump (trace);

      golden_assert (cases[i].name, text);
    }
}

static void
test_golden_json (void)
{
  g_autoptr (GobanTrace) trace = scenario_run (&diamond);
  gsize length;
  g_autofree char *json = goban_trace_to_json (trace, &length);

  g_assert_cmpuint (length, ==, strlen (json));
  golden_assert ("trace-diamond.json", json);
}

/* By hand: a 0-10, left 10-50; a's tensor leaves at 10 and takes 2 + 30: right 42-62; its 50
 * bytes take 52: sink 114-119. */
static void
test_by_hand (void)
{
  g_autoptr (GobanTrace) trace = scenario_run (&diamond);
  static const GobanWait waits[] = { GOBAN_WAIT_NONE, GOBAN_WAIT_PRODUCER, GOBAN_WAIT_ARRIVAL,
                                     GOBAN_WAIT_PRODUCER, GOBAN_WAIT_ARRIVAL };
  guint n;
  const GobanStep *path = goban_trace_get_critical_path (trace, &n);

  g_assert_cmpfloat (goban_trace_get_makespan (trace), ==, 119);
  g_assert_cmpuint (n, ==, 5);
  for (guint i = 0; i < n; i++)
    g_assert_cmpint (path[i].wait, ==, waits[i]);
  g_assert_cmpfloat (goban_trace_get_uses (trace)[0].busy_us, ==, 55);
  g_assert_cmpfloat (goban_trace_get_transferred_bytes (trace), ==, 80);
}

/* A kernel across devices does not run, and says who is at fault. */
static void
test_split_kernel (void)
{
  g_autoptr (GobanTrace) before = scenario_run (&fused);
  g_autoptr (GobanPlan) plan = goban_plan_copy (goban_trace_get_plan (before));
  g_autoptr (GobanTrace) trace = NULL;

  goban_plan_set_device (plan, 1, 1);
  trace = goban_simulate (goban_trace_get_costs (before), plan);
  g_assert_false (goban_trace_is_valid (trace));
  g_assert_null (goban_trace_get_ops (trace));
  g_assert_cmpstr (goban_trace_get_why (trace), ==,
                   "nodes “a” and “b” are fused but on gpu:0 and gpu:1");
}

/* The same channel, but the plan says in which order tensors go: x before y before z, against
 * the priorities of those who wait for them. */
static void
test_transfer_priorities (void)
{
  g_autoptr (GobanTrace) before = scenario_run (&channel);
  GobanCostModel *costs = goban_trace_get_costs (before);
  g_autoptr (GobanPlan) plan = goban_plan_copy (goban_trace_get_plan (before));
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  static const char *const names[] = { "x", "y", "z" };
  static const double start_before_us[] = { 54, 32, 10 };
  static const double start_us[] = { 10, 32, 54 };
  gint32 priorities[4] = { 0 };
  g_autoptr (GobanTrace) trace = NULL;

  for (guint i = 0; i < 3; i++)
    {
      GobanNodeId v = goban_graph_find_node (graph, names[i]);
      guint n;

      priorities[goban_graph_get_node_tensors (graph, v, &n)] = 9 - (gint32) i;
    }
  goban_plan_set_transfer_priorities (plan, priorities);
  trace = goban_simulate (costs, plan);
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *consumer = g_strconcat ("c", names[i], NULL);
      GobanNodeId v = goban_graph_find_node (graph, consumer);

      g_assert_cmpfloat (goban_trace_get_ops (before)[v].ready_us, ==, start_before_us[i] + 22);
      g_assert_cmpfloat (goban_trace_get_ops (trace)[v].ready_us, ==, start_us[i] + 22);
    }
}

static void
test_out_of_memory (void)
{
  g_autoptr (GobanTrace) trace = scenario_run (&memory);
  const GobanOutOfMemory *oom = goban_trace_get_out_of_memory (trace);

  g_assert_false (goban_trace_is_valid (trace));
  g_assert_cmpstr (
      goban_trace_get_why (trace), ==,
      "gpu:0 runs out of memory at 10 µs: “big” needs 60 B, 75 B of 120 B are in use; "
      "the largest are “keep” 40 B, “keep” 30 B of parameters, “end” 5 B of parameters");
  g_assert_nonnull (oom);
  g_assert_cmpfloat (oom->time_us, ==, 10);
  g_assert_cmpfloat (oom->needed_bytes, ==, 60);
  g_assert_cmpfloat (oom->in_use_bytes, ==, 75);
  g_assert_cmpfloat (goban_trace_get_makespan (trace), ==, 30);
}

/* Parameters that do not fit are found before anything runs. */
static void
test_out_of_memory_params (void)
{
  Scenario scenario = memory;
  g_autoptr (GobanTrace) trace = NULL;

  scenario.nodes[2].param_bytes = 100;
  trace = scenario_run (&scenario);
  g_assert_cmpstr (goban_trace_get_why (trace), ==,
                   "gpu:0 runs out of memory before the start: the parameters of “end” need 100 B, "
                   "30 B of 120 B are in use; the largest is “keep” 30 B of parameters");
  g_assert_true (goban_trace_get_out_of_memory (trace)->is_parameter);
}

/* The list of parameters is cut where they no longer fit; the sum is not. */
static void
test_out_of_memory_in_all (void)
{
  Scenario scenario = memory;
  g_autoptr (GobanTrace) trace = NULL;

  scenario.nodes[0].param_bytes = 130;
  scenario.nodes[2].param_bytes = 100;
  trace = scenario_run (&scenario);
  g_assert_nonnull (strstr (goban_trace_get_why (trace),
                            " of 120 B are in use, and the parameters of all its ops need "));
}

/* A tensor that arrives takes its room from the start of its transfer. */
static void
test_out_of_memory_transfer (void)
{
  Scenario scenario = diamond;
  g_autoptr (GobanTrace) trace = NULL;

  scenario.cluster = DEVICES ("2", "189");
  scenario.nodes[0].param_bytes = 130;
  trace = scenario_run (&scenario);
  g_assert_cmpstr (
      goban_trace_get_why (trace), ==,
      "gpu:0 runs out of memory at 62 µs: “right” from gpu:1 needs 50 B, 140 B of 189 B "
      "are in use; the largest are “a” 130 B of parameters, “left” 10 B");
}

/* The tensor that b has just read is free when c starts.
 *
 *   a 10 --40--> b 10 --5--> c 10 --80-->
 */
static void
test_out_of_memory_freed (void)
{
  static const Scenario freed = {
    .cluster = DEVICES ("1", "120"),
    .order = GOBAN_ORDER_FIFO,
    .nodes = { { "a", 10, 0, 0, 0 }, { "b", 10, 0, 0, 0 }, { "c", 10, 0, 0, 40 } },
    .edges = { { "a", "b", 40 }, { "b", "c", 5 }, { "c", NULL, 80 } },
  };
  g_autoptr (GobanTrace) trace = scenario_run (&freed);

  g_assert_cmpstr (goban_trace_get_why (trace), ==,
                   "gpu:0 runs out of memory at 20 µs: “c” needs 80 B, 45 B of 120 B are in use; "
                   "the largest are “c” 40 B of parameters, “b” 5 B");
}

/* A copy of a step is described like the step. */
static void
test_describe (void)
{
  g_autoptr (GobanTrace) trace = scenario_run (&channel);
  guint n;
  const GobanStep *path = goban_trace_get_critical_path (trace, &n);

  for (guint i = 0; i < n; i++)
    {
      GobanStep copy = path[i];
      g_autofree char *words = goban_trace_describe_step (trace, &path[i]);
      g_autofree char *same = goban_trace_describe_step (trace, &copy);

      g_assert_cmpstr (words, ==, same);
      g_assert_true (g_utf8_validate (words, -1, NULL));
    }
}

TEST_PROGRAM (trace)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/trace/golden", test_golden);
  g_test_add_func ("/sim/trace/golden-json", test_golden_json);
  g_test_add_func ("/sim/trace/by-hand", test_by_hand);
  g_test_add_func ("/sim/trace/split-kernel", test_split_kernel);
  g_test_add_func ("/sim/trace/transfer-priorities", test_transfer_priorities);
  g_test_add_func ("/sim/trace/out-of-memory", test_out_of_memory);
  g_test_add_func ("/sim/trace/out-of-memory-params", test_out_of_memory_params);
  g_test_add_func ("/sim/trace/out-of-memory-in-all", test_out_of_memory_in_all);
  g_test_add_func ("/sim/trace/out-of-memory-transfer", test_out_of_memory_transfer);
  g_test_add_func ("/sim/trace/out-of-memory-freed", test_out_of_memory_freed);
  g_test_add_func ("/sim/trace/describe", test_describe);
  return g_test_run ();
}
