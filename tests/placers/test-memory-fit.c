/* Policies that respect memory limits do, on problems with an easily found plan that fits. */
#include "engine/placers/memory-fit.h"

#include "engine/io/io.h"
#include "engine/learn/roster.h"
#include "engine/placers/policies.h"
#include "tests/support/graph-gen.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <math.h>

#define N_GRAPHS 60
/* Without a second plan heft, cpop, etf and critical-path each miss one of the graphs or two. Of
 * what the easy plan needs on its fullest device. */
#define SLACK 1.35

/* Equal GPUs of that much memory, joined by ordinary links. */
static GobanCluster *
make_cluster (guint n_devices, double memory_bytes, gboolean contention_free)
{
  g_autofree char *json
      = g_strdup_printf ("{\"contention_free\": %s, \"devices\": [{\"name\": \"gpu\", \"count\": "
                         "%u, \"kind\": \"gpu\", "
                         "\"flops_per_us\": 1, \"memory_bytes_per_us\": 1, \"memory\": %.0f}], "
                         "\"all_pairs\": {\"bytes_per_us\": 8, \"latency\": 0}}",
                         contention_free ? "true" : "false", n_devices, memory_bytes);
  g_autoptr (GError) error = NULL;
  GobanCluster *cluster = goban_cluster_new_from_json (json, -1, "test", &error);

  g_assert_no_error (error);
  return cluster;
}

/* What everything spread evenly, by a plan that nobody thought about, takes on its fullest
 * device. */
static double
measure_easy_plan (GobanGraph *graph, guint n_devices, gboolean contention_free)
{
  g_autoptr (GobanCluster) roomy = make_cluster (n_devices, 1e15, contention_free);
  g_autoptr (GobanCostModel) costs = goban_cost_model_new (graph, roomy, GOBAN_EXECUTION_EVENTS);
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanPlan) plan
      = goban_placer_place (goban_roster_find ("round-robin", &error), costs, NULL, NULL, &error);
  g_autoptr (GobanTrace) trace = goban_simulate (costs, plan);
  double peak_bytes = 0;

  g_assert_no_error (error);
  for (guint d = 0; d < n_devices; d++)
    peak_bytes = MAX (peak_bytes, goban_trace_get_uses (trace)[d].peak_bytes);
  return peak_bytes;
}

static gboolean
fits (const char *policy, GobanCostModel *costs)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanSimulator) simulator = goban_simulator_new (costs);
  g_autoptr (GobanPlan) plan
      = goban_placer_place (goban_roster_find (policy, &error), costs, NULL, NULL, &error);

  g_assert_no_error (error);
  return goban_simulator_evaluate (simulator, plan).overflow_bytes == 0;
}

static void
test_within_memory (gconstpointer data)
{
  const char *policy = data;
  guint n_missed = 0;

  for (guint i = 0; i < N_GRAPHS; i++)
    {
      GraphGen gen = graph_gen_small (20 + i);
      gboolean contention_free = i % 2;
      guint n_devices = 2 + i % 3;
      g_autoptr (GobanGraph) graph = NULL;
      g_autoptr (GobanCluster) cluster = NULL;
      g_autoptr (GobanCostModel) costs = NULL;
      double needed_bytes;

      gen.group_share = 0;
      graph = graph_gen_new (&gen, i);
      needed_bytes = measure_easy_plan (graph, n_devices, contention_free);
      cluster = make_cluster (n_devices, ceil (SLACK * needed_bytes), contention_free);
      costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
      if (!fits (policy, costs))
        {
          n_missed++;
          g_test_message ("graph %u on %u devices of %.0f bytes overflows", i, n_devices,
                          ceil (SLACK * needed_bytes));
        }
    }
  if (n_missed > 0)
    g_test_fail ();
}

/* Where memory does not bind the policy is the textbook's: its plan is its first schedule. */
static void
test_textbook (void)
{
  for (guint i = 0; i < N_GRAPHS; i++)
    {
      const GraphGen gen = graph_gen_small (20 + i);
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanGraph) graph = graph_gen_new (&gen, i);
      g_autoptr (GobanCluster) cluster = make_cluster (3, 1e6, TRUE);
      g_autoptr (GobanCostModel) costs
          = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
      g_autoptr (GobanUnits) units = goban_units_new (costs, &error);
      const GobanPlacerOptions options = { 0 };
      g_autoptr (GobanListSchedule) schedule = goban_heft_schedule (units, &options, &error);
      g_autoptr (GobanPlan) wanted = goban_list_schedule_new_plan (schedule);
      guint64 evaluations = 0;
      g_autoptr (GobanPlan) plan = goban_placer_place (goban_roster_find ("heft", &error), costs,
                                                       NULL, &evaluations, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (evaluations, ==, 0);
      for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
        {
          g_assert_cmpuint (goban_plan_get_device (plan, v), ==, goban_plan_get_device (wanted, v));
          g_assert_cmpint (goban_plan_get_priority (plan, v), ==,
                           goban_plan_get_priority (wanted, v));
        }
    }
}

/* Six accelerators of 17.2 GB for 23.3 GB of parameters: HEFT's first plan needs 17.33 GB on
 * one. */
static void
test_bert (void)
{
  g_autofree char *path = shared_data_path ("msr/throughput-op-bert_l-12_training.json");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCluster) cluster = NULL;
  g_autoptr (GobanCostModel) costs = NULL;

  if (path == NULL)
    return;
  graph = goban_graph_load (path, "msr", NULL, &error);
  g_assert_no_error (error);
  cluster = goban_cluster_new_for_graph (graph, &error);
  g_assert_no_error (error);
  costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  g_assert_true (fits ("heft", costs));
  g_assert_true (fits ("cpop", costs));
}

TEST_PROGRAM (memory_fit)
{
  /* Those whose description says that memory is minded. */
  static const char *const policies[]
      = { "heft", "cpop", "etf", "critical-path", "m-etf", "m-sct", "m-topo" };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (policies); i++)
    {
      g_autofree char *path = g_strdup_printf ("/placers/fitting/within-memory/%s", policies[i]);

      g_test_add_data_func (path, policies[i], test_within_memory);
    }
  g_test_add_func ("/placers/fitting/textbook", test_textbook);
  g_test_add_func ("/placers/fitting/bert-12", test_bert);
  return g_test_run ();
}
