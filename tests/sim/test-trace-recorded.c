/* Traces of measured runs: transfers, causes and critical path that explain the measured times. */
#include "engine/sim/trace-recorded.h"

#include "engine/core/error.h"
#include "engine/graph/graph-builder.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

/* Of toy_diamond(): source and left and sink on one device, right on the other, and when they ran:
 * right began 15 us after its input was made, sink waited for right. */
enum
{
  SOURCE,
  LEFT,
  RIGHT,
  SINK,
  N_NODES
};

static const double start_us[N_NODES] = { 0, 10, 25, 150 };
static const double finish_us[N_NODES] = { 10, 120, 140, 160 };

static GobanTrace *
make_trace (const double *start, const double *finish, GError **error)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:2,latency=5e-6");
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 2);

  goban_plan_set_device (plan, RIGHT, 1);
  return goban_trace_new_recorded (costs, plan, start, finish, error);
}

static void
test_explains (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanTrace) trace = make_trace (start_us, finish_us, &error);
  const GobanTransfer *transfers;
  const GobanStep *path;
  guint n;

  g_assert_no_error (error);
  g_assert_true (goban_trace_is_valid (trace));
  g_assert_cmpfloat (goban_trace_get_makespan (trace), ==, 160);
  for (GobanNodeId v = 0; v < N_NODES; v++)
    {
      g_assert_cmpfloat (goban_trace_get_ops (trace)[v].start_us, ==, start_us[v]);
      g_assert_cmpfloat (goban_trace_get_ops (trace)[v].finish_us, ==, finish_us[v]);
    }
  transfers = goban_trace_get_transfers (trace, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpfloat (transfers[0].start_us, ==, 10);
  g_assert_cmpfloat (transfers[0].finish_us, ==, 25);
  g_assert_cmpfloat (transfers[1].start_us, ==, 140);
  g_assert_cmpfloat (transfers[1].finish_us, ==, 150);
  path = goban_trace_get_critical_path (trace, &n);
  g_assert_cmpuint (n, ==, 5);
  g_assert_cmpuint (path[0].index, ==, SOURCE);
  g_assert_cmpuint (path[2].index, ==, RIGHT);
  g_assert_cmpint (path[2].wait, ==, GOBAN_WAIT_ARRIVAL);
  g_assert_cmpuint (path[4].index, ==, SINK);
  g_assert_cmpfloat (goban_trace_get_uses (trace)[0].busy_us, ==, 130);
}

/* An input that came while the device was busy took the time of the costs; the op waited for the
 * device. */
static void
test_busy_device (void)
{
  const double start[N_NODES] = { 0, 10, 15, 200 }, finish[N_NODES] = { 10, 200, 115, 210 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanTrace) trace = make_trace (start, finish, &error);
  const GobanTransfer *transfers;
  GobanStep step;
  guint n;

  g_assert_no_error (error);
  transfers = goban_trace_get_transfers (trace, &n);
  g_assert_cmpfloat (transfers[1].finish_us, ==, 120);
  step = goban_trace_get_step (trace, FALSE, SINK);
  g_assert_cmpint (step.wait, ==, GOBAN_WAIT_INPUT);
  g_assert_true (goban_trace_get_cause (trace, &step, &step));
  g_assert_cmpuint (step.index, ==, LEFT);
}

/* An op that reads two inputs from elsewhere waited for the one that was made last.
 *
 *   a 10 (gpu:0) ----> sink (gpu:1, from 100)
 *   b 30 (gpu:0) ----->/
 */
static void
test_latest_input (void)
{
  const double start[] = { 0, 10, 100 }, finish[] = { 10, 40, 110 };
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("join", "test");
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanPlan) plan = NULL;
  g_autoptr (GobanTrace) trace = NULL;
  g_autoptr (GError) error = NULL;
  const GobanTransfer *transfers;
  guint n;

  for (guint v = 0; v < 3; v++)
    {
      goban_graph_builder_add_node (builder, "", "Op");
      goban_graph_builder_set_time (builder, v, GOBAN_ANY_KIND, 10, GOBAN_SOURCE_GIVEN);
    }
  for (guint v = 0; v < 2; v++)
    goban_graph_builder_add_edge (builder, goban_graph_builder_add_tensor (builder, v, 8), 2);
  graph = goban_graph_builder_finish (builder, NULL, NULL);
  costs = toy_costs (graph, "equal:2,latency=5e-6");
  plan = goban_plan_new (graph, 2);
  goban_plan_set_device (plan, 2, 1);
  trace = goban_trace_new_recorded (costs, plan, start, finish, &error);
  g_assert_no_error (error);
  transfers = goban_trace_get_transfers (trace, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpfloat (transfers[0].start_us, ==, 10);
  g_assert_cmpfloat (transfers[0].finish_us, <, 40);
  g_assert_cmpfloat (transfers[1].start_us, ==, 40);
  g_assert_cmpfloat (transfers[1].finish_us, ==, 100);
}

static void
test_refused (void)
{
  static const struct
  {
    GobanNodeId node;
    double start_us, finish_us;
    const char *part;
  } cases[] = {
    { LEFT, 5, 120, "starts before its input" },
    { SINK, 145, 130, "no valid time" },
    { SINK, 150, (double) NAN, "no valid time" },
    { LEFT, 10, 155, "starts before its input" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      double start[N_NODES], finish[N_NODES];

      memcpy (start, start_us, sizeof start);
      memcpy (finish, finish_us, sizeof finish);
      start[cases[i].node] = cases[i].start_us;
      finish[cases[i].node] = cases[i].finish_us;
      g_assert_null (make_trace (start, finish, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
      g_assert_nonnull (strstr (error->message, cases[i].part));
    }
}

TEST_PROGRAM (trace_recorded)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/trace-recorded/explains", test_explains);
  g_test_add_func ("/sim/trace-recorded/busy-device", test_busy_device);
  g_test_add_func ("/sim/trace-recorded/latest-input", test_latest_input);
  g_test_add_func ("/sim/trace-recorded/refused", test_refused);
  return g_test_run ();
}
