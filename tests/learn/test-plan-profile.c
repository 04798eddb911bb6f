/* test-plan-profile.c: of runs with kernels: members share their kernel's time, so that sums over
 * ops are the device's. */
#include "engine/learn/policy/plan-profile.h"

#include "engine/sim/simulator.h"
#include "tests/sim/random-run.h"
#include "tests/support/test-program.h"

#include <math.h>

static void
check_profile (const GobanPlanProfile *profile, const GobanTrace *trace)
{
  const GobanGraph *graph = profile->units->graph;
  const GobanDeviceUse *uses = goban_trace_get_uses (trace);
  g_autofree double *busy_us = g_new0 (double, profile->n_devices);

  for (GobanNodeId v = 0; v < profile->n_nodes; v++)
    {
      const GobanOpSpan *span = &goban_trace_get_ops (trace)[v];

      busy_us[profile->device_of[v]] += profile->finish_us[v] - profile->start_us[v];
      g_assert_cmpfloat (profile->start_us[v], >=, span->start_us);
      g_assert_cmpfloat (profile->finish_us[v], <=, span->finish_us * (1 + 1e-12) + 1e-9);
      g_assert_cmpfloat (profile->latest_us[v], >=, profile->start_us[v]);
    }
  for (guint d = 0; d < profile->n_devices; d++)
    {
      g_assert_cmpfloat_with_epsilon (busy_us[d], uses[d].busy_us, 1e-6 + uses[d].busy_us * 1e-9);
      g_assert_cmpfloat_with_epsilon (profile->devices[d].busy_us[profile->devices[d].n_ops],
                                      uses[d].busy_us, 1e-6 + uses[d].busy_us * 1e-9);
    }
  for (guint e = 0; e < goban_graph_get_n_edges (graph); e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, e);

      g_assert_cmpfloat (profile->start_us[edge->head], >=,
                         profile->finish_us[edge->tail] * (1 - 1e-12) - 1e-9);
      g_assert_cmpuint (profile->place_of[edge->tail], <, profile->place_of[edge->head]);
    }
}

static void
test_fused (void)
{
  guint n_fused = 0;

  for (guint64 seed = 0; seed < 80; seed++)
    {
      RandomRun run;
      g_autoptr (GobanTrace) trace = NULL;
      g_autoptr (GobanUnits) units = NULL;
      g_autoptr (GobanPlanProfile) profile = NULL;
      g_autoptr (GError) error = NULL;

      fused_run_init (&run, 40, seed);
      trace = goban_simulate (run.costs, run.plan);
      g_assert_nonnull (goban_trace_get_ops (trace));
      units = goban_units_new (run.costs, &error);
      g_assert_no_error (error);
      profile = goban_plan_profile_new (units);
      goban_plan_profile_read (profile, trace);
      check_profile (profile, trace);
      n_fused += goban_trace_is_fused (trace);
      random_run_clear (&run);
    }
  g_assert_cmpuint (n_fused, >, 40);
}

TEST_PROGRAM (plan_profile)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/policy/plan-profile/fused", test_fused);
  return g_test_run ();
}
