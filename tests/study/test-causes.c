/* Chains of causes, on a run drawn here and on random ones, where each link is proved. */
#include "engine/study/analysis/causes.h"

#include "tests/sim/random-run.h"
#include "tests/sim/scenario.h"
#include "tests/support/test-program.h"

#include <string.h>

/* x and y on gpu:0 and gpu:1 finish at 10 and each send 20 bytes to gpu:2, one after the other
 * (2 us and 1 byte/us: 22 us); before x, gpu:0 is held by w, which takes 5.
 *
 *   gpu:0   w 5 | x 10 --20--> cx 5 (gpu:2)
 *   gpu:1   y 10 --20--> cy 5 (gpu:2)
 */
static const Scenario queue = {
  .cluster
  = "{\"name\": \"plain\", \"devices\": [{\"name\": \"gpu\", \"count\": 3, \"kind\": \"gpu\","
    " \"tflops\": 1, \"memory_bandwidth\": 1, \"memory\": 1000}],"
    " \"all_pairs\": {\"bandwidth\": 1000000, \"latency\": 2}}",
  .order = GOBAN_ORDER_FIFO,
  .nodes = { { "w", 5, 0, 0, 0 },
             { "x", 10, 0, 0, 0 },
             { "y", 10, 1, 0, 0 },
             { "cx", 5, 2, 0, 0 },
             { "cy", 5, 2, 0, 0 } },
  .edges = { { "x", "cx", 20 }, { "y", "cy", 20 } },
};

static char *
describe_all (GobanCauses *causes)
{
  GString *text = g_string_new (NULL);
  guint n;

  goban_causes_get (causes, &n);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *line = goban_causes_describe (causes, i);

      g_string_append_printf (text, "%s\n", line);
    }
  return g_string_free (text, FALSE);
}

static void
assert_why (GobanTrace *trace, GobanDeviceId device, double time_us, const char *expected)
{
  g_autoptr (GobanCauses) causes = goban_causes_new_for_device (trace, device, time_us);
  g_autofree char *text = describe_all (causes);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_device (void)
{
  g_autoptr (GobanTrace) trace = scenario_run (&queue);

  /* y arrives at 32, x waits for the channel until then and arrives at 54. */
  assert_why (trace, 2, 20,
              "gpu:2 waits 32 µs for “y” from gpu:1, which “cy” needs\n"
              "“y” from gpu:1 to gpu:2: leaves as soon as it is made by “y”, then travels 22 µs\n"
              "“y” on gpu:1: starts the run, then runs 10 µs\n");
  assert_why (
      trace, 2, 40,
      "gpu:2 waits 17 µs for “x” from gpu:0, which “cx” needs\n"
      "“x” to gpu:2: under way from 32 µs to 54 µs, waited 17 µs for a channel, busy with y "
      "from gpu:1 to gpu:2\n");
  assert_why (trace, 0, 7,
              "gpu:0 runs “x” from 5 µs to 15 µs: waited 5 µs for gpu:0, busy with w\n"
              "“w” on gpu:0: starts the run, then runs 5 µs\n");
  assert_why (trace, 0, 15, "gpu:0 has nothing to do from 15 µs on\n");
  assert_why (trace, 2, 1e9, "gpu:2 has nothing to do from 59 µs on\n");
}

static void
test_never (void)
{
  g_autoptr (GobanTrace) fine = scenario_run (&queue);
  GobanGraph *graph = goban_cost_model_get_graph (goban_trace_get_costs (fine));
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 7);
  g_autoptr (GobanTrace) trace = goban_simulate (goban_trace_get_costs (fine), plan);
  g_autoptr (GobanCauses) causes = goban_causes_new_for_device (trace, 0, 1);
  g_autofree char *text = goban_causes_describe (causes, 0);
  guint n;

  g_assert_cmpint (goban_causes_get (causes, &n)->kind, ==, GOBAN_CAUSE_NEVER);
  g_assert_cmpuint (n, ==, 1);
  g_assert_nonnull (strstr (text, goban_trace_get_why (trace)));
}

/* Each cause ends when what it explains begins; the last has nothing to wait for. */
static void
assert_chain (GobanTrace *trace, const GobanCauses *causes)
{
  guint n;
  const GobanCause *all = goban_causes_get (causes, &n);
  GobanStep beyond;

  for (guint i = 1; i < n; i++)
    {
      double begins_us
          = all[i - 1].kind == GOBAN_CAUSE_IDLE ? all[i - 1].finish_us : all[i - 1].start_us;

      g_assert_true (all[i].finish_us == begins_us);
    }
  if (all[n - 1].kind == GOBAN_CAUSE_STEP)
    {
      g_assert_false (goban_trace_get_cause (trace, &all[n - 1].step, &beyond));
      g_assert_true (all[n - 1].start_us == 0);
    }
}

static void
assert_node_chains (GobanTrace *trace, guint n_nodes)
{
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      g_autoptr (GobanCauses) causes = goban_causes_new_for_node (trace, v);

      assert_chain (trace, causes);
    }
}

/* What ends the run explains itself by the critical path, backwards. */
static void
assert_is_critical_path (GobanTrace *trace)
{
  guint n, n_path;
  const GobanStep *path = goban_trace_get_critical_path (trace, &n_path);
  g_autoptr (GobanCauses) causes = goban_causes_new_for_node (trace, path[n_path - 1].index);
  const GobanCause *all = goban_causes_get (causes, &n);

  g_assert_cmpuint (n, ==, n_path);
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpuint (all[i].step.index, ==, path[n - 1 - i].index);
      g_assert_cmpint (all[i].step.wait, ==, path[n - 1 - i].wait);
    }
}

static void
test_random_chains (void)
{
  for (guint64 seed = 0; seed < 60; seed++)
    {
      g_auto (RandomRun) run = { NULL };
      g_autoptr (GobanTrace) trace = NULL;
      guint n_devices, n_transfers;

      random_run_init (&run, 25, seed);
      trace = goban_simulate (run.costs, run.plan);
      assert_node_chains (trace, 25);
      assert_is_critical_path (trace);

      goban_trace_get_transfers (trace, &n_transfers);
      for (guint i = 0; i < n_transfers; i++)
        {
          g_autoptr (GobanCauses) causes = goban_causes_new_for_transfer (trace, i);

          assert_chain (trace, causes);
        }
      n_devices = goban_cluster_get_n_devices (run.cluster);
      for (guint i = 0; i < 20 * n_devices; i++)
        {
          double time_us = goban_trace_get_makespan (trace) * (i / n_devices) / 19;
          g_autoptr (GobanCauses) causes
              = goban_causes_new_for_device (trace, i % n_devices, time_us);
          g_autofree char *text = describe_all (causes);

          assert_chain (trace, causes);
          g_assert_true (g_utf8_validate (text, -1, NULL));
        }
    }
}

TEST_PROGRAM (causes)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/causes/device", test_device);
  g_test_add_func ("/analysis/causes/never", test_never);
  g_test_add_func ("/analysis/causes/random-chains", test_random_chains);
  return g_test_run ();
}
