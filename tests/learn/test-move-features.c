/* test-move-features.c: transfers against a count of all of them, timing worked out by hand,
 * exchangeable devices. */
#include "engine/learn/policy/move-features.h"

#include "engine/graph/workloads/workload.h"
#include "engine/learn/policy/move-groups.h"
#include "engine/sim/fusion/fusion.h"
#include "engine/sim/simulator.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

typedef struct
{
  GobanCostModel *costs;
  GobanUnits *units;
  GobanPlan *plan;
  GobanPlanProfile *profile;
  GobanMoveFeatures *features;
  float *x;
  guint8 *can;
} Case;

/* costs: (transfer full) */
static Case
new_case (GobanCostModel *costs)
{
  Case self = { .costs = costs };
  g_autoptr (GError) error = NULL;

  self.units = goban_units_new (costs, &error);
  g_assert_no_error (error);
  self.plan = goban_plan_new (self.units->graph, self.units->n_devices);
  self.profile = goban_plan_profile_new (self.units);
  self.features = goban_move_features_new (self.profile);
  self.x = g_new0 (float, self.units->n_devices *GOBAN_MOVE_N_FEATURES);
  self.can = g_new0 (guint8, self.units->n_devices);
  return self;
}

static void
case_clear (Case *self)
{
  g_free (self->x);
  g_free (self->can);
  goban_move_features_free (self->features);
  goban_plan_profile_free (self->profile);
  goban_plan_unref (self->plan);
  goban_units_free (self->units);
  goban_cost_model_unref (self->costs);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static void
set_unit (Case *self, guint32 unit, GobanDeviceId device)
{
  for (guint32 k = self->units->offsets[unit]; k < self->units->offsets[unit + 1]; k++)
    goban_plan_set_device (self->plan, self->units->nodes[k], device);
}

/* Places every unit at random where it can run, with distinct priorities. */
static void
place_randomly (Case *self, GobanRng *rng)
{
  g_autofree double *keys = g_new (double, goban_graph_get_n_nodes (self->units->graph));

  for (guint32 u = 0; u < self->units->n_units; u++)
    {
      GobanDeviceId device;

      do
        device = (GobanDeviceId) goban_rng_below (rng, self->units->n_devices);
      while (!goban_units_can_run (self->units, u, device));
      set_unit (self, u, device);
    }
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->units->graph); v++)
    keys[v] = goban_rng_uniform (rng);
  goban_plan_set_order (self->plan, GOBAN_ORDER_PRIORITY);
  goban_plan_set_priorities_by_key (self->plan, keys);
}

static void
run (Case *self)
{
  g_autoptr (GobanTrace) trace = goban_simulate (self->costs, self->plan);

  g_assert_nonnull (goban_trace_get_ops (trace));
  goban_plan_profile_read (self->profile, trace);
}

static double
get (const Case *self, guint device, GobanMoveFeature feature)
{
  return (double) self->x[device * GOBAN_MOVE_N_FEATURES + feature];
}

/* What a squeezed time is of the makespan. */
static double
unsqueeze (double x)
{
  return copysign ((exp (fabs (x) * log (1001)) - 1) / 1000, x);
}

/* Draws a connected group. */
static const GArray *
draw_group (Case *self, GobanUnitSet *set, GobanRng *rng)
{
  goban_unit_set_start (set);
  goban_unit_set_grow (set, rng, self->plan, goban_rng_below (rng, self->units->n_units),
                       1 + goban_rng_below (rng, 6));
  return set->members;
}

/* --- transfers ------------------------------------------------------------------------------ */

/* Time of all transfers of a placement: each tensor once to each device that reads it. */
static double
count_transfers_us (const Case *self, const GobanPlan *plan)
{
  const GobanGraph *graph = self->units->graph;
  double sum_us = 0;

  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (graph); t++)
    {
      GobanEdgeSpan edges = goban_graph_get_tensor_edges (graph, t);
      GobanDeviceId from
          = goban_plan_get_device (plan, goban_graph_get_tensor (graph, t)->producer);

      for (GobanDeviceId d = 0; d < self->units->n_devices; d++)
        {
          gboolean is_read = FALSE;

          for (guint i = 0; i < edges.n; i++)
            is_read
                |= goban_plan_get_device (plan, goban_graph_get_edge (graph, edges.ids[i])->head)
                   == d;
          if (is_read && d != from)
            sum_us += goban_cost_model_transfer_us (self->costs, t, from, d);
        }
    }
  return sum_us;
}

static void
check_transfers (GobanCostModel *costs, guint64 seed)
{
  g_auto (Case) self = new_case (costs);
  g_autoptr (GobanUnitSet) set = goban_unit_set_new (self.units);
  GobanRng rng;
  double before_us;

  goban_rng_init (&rng, seed);
  place_randomly (&self, &rng);
  run (&self);
  before_us = count_transfers_us (&self, self.plan);
  for (guint i = 0; i < 20; i++)
    {
      const GArray *group = draw_group (&self, set, &rng);
      const guint32 *units = (const guint32 *) (const void *) group->data;

      goban_move_features_look (self.features, units, group->len, self.x, self.can);
      for (GobanDeviceId d = 0; d < self.units->n_devices; d++)
        {
          g_autoptr (GobanPlan) old = goban_plan_copy (self.plan);
          double expected_us;

          if (!self.can[d])
            continue;
          for (guint k = 0; k < group->len; k++)
            set_unit (&self, units[k], d);
          expected_us = count_transfers_us (&self, self.plan) - before_us;
          g_assert_cmpfloat_with_epsilon (unsqueeze (get (&self, d, GOBAN_MOVE_TRANSFERS))
                                              * self.profile->makespan_us,
                                          expected_us, 1e-3 * (1 + fabs (expected_us)));
          goban_plan_unref (self.plan);
          self.plan = g_steal_pointer (&old);
        }
    }
}

static void
test_transfers (void)
{
  for (guint64 seed = 0; seed < 30; seed++)
    {
      check_transfers (toy_small_costs (40, seed, "p100x4"), seed);
      check_transfers (toy_small_costs (25, seed, "cpu+gpu"), seed);
      {
        g_autoptr (GobanGraph) graph = toy_mixed (60, seed);

        check_transfers (toy_costs (graph, TOY_MIXED_CLUSTER), seed);
      }
    }
}

/* --- by hand -------------------------------------------------------------------------------- */

/* source (10 us) to left and right (100 us each, 1000 bytes) to sink (10 us), all on one device:
 * 220 us. */
static void
test_by_hand (void)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_auto (Case) self = new_case (toy_costs (graph, "equal:2,bandwidth=1e9"));
  guint32 right = 2;
  double M;

  run (&self);
  M = self.profile->makespan_us;
  g_assert_cmpfloat (M, ==, 220);
  /* nothing can be later: the device always works */
  for (GobanNodeId v = 0; v < 4; v++)
    g_assert_cmpfloat_with_epsilon (self.profile->latest_us[v], self.profile->start_us[v], 1e-9);
  g_assert_cmpfloat (goban_device_profile_fill (&self.profile->devices[0], 50, 30), ==, 250);
  g_assert_cmpfloat (goban_device_profile_fill (&self.profile->devices[1], 50, 30), ==, 80);
  g_assert_cmpfloat (goban_device_profile_sum (&self.profile->devices[0],
                                               self.profile->devices[0].busy_us, 5, 115),
                     ==, 200);

  goban_move_features_look (self.features, &right, 1, self.x, self.can);
  g_assert_cmpuint (self.can[0], ==, 0);
  g_assert_cmpuint (self.can[1], ==, 1);
  g_assert_cmpfloat_with_epsilon (unsqueeze (get (&self, 1, GOBAN_MOVE_WORK)) * M, 100, 1e-2);
  g_assert_cmpfloat_with_epsilon (get (&self, 1, GOBAN_MOVE_WORK_CHANGE), 0, 1e-6);
  g_assert_cmpfloat_with_epsilon (get (&self, 1, GOBAN_MOVE_LOAD_HERE), 0.5, 1e-6);
  g_assert_cmpfloat_with_epsilon (get (&self, 1, GOBAN_MOVE_LOAD_THERE), -0.5, 1e-6);
  g_assert_cmpfloat (get (&self, 1, GOBAN_MOVE_BUSY_THERE), ==, 0);
  g_assert_cmpfloat_with_epsilon (get (&self, 1, GOBAN_MOVE_NEAR_HERE), 1, 1e-6);
  /* its input arrives after a transfer, and the sink may start after another */
  {
    double in_us = goban_cost_model_transfer_us (self.costs, 0, 0, 1);
    double out_us = goban_cost_model_transfer_us (self.costs, 2, 1, 0);
    double finish_us = 10 + in_us + 100;

    g_assert_cmpfloat_with_epsilon (unsqueeze (get (&self, 1, GOBAN_MOVE_TRANSFERS)) * M,
                                    in_us + out_us, 1e-2);
    g_assert_cmpfloat_with_epsilon (unsqueeze (get (&self, 1, GOBAN_MOVE_LAST_SHIFT)) * M,
                                    finish_us - self.profile->finish_us[2], 1e-2);
    g_assert_cmpfloat_with_epsilon (unsqueeze (get (&self, 1, GOBAN_MOVE_LATE_MOST)) * M,
                                    finish_us + out_us - 210, 1e-2);
  }
}

/* --- latest starts -------------------------------------------------------------------------- */

/* Every op may start as late as it is said to: then its consumers and successors may, too. */
static void
test_latest_starts (void)
{
  for (guint64 seed = 0; seed < 20; seed++)
    {
      g_auto (Case) self = new_case (toy_small_costs (40, seed, "p100x4"));
      const GobanPlanProfile *profile = self.profile;
      guint n_tight = 0;
      GobanRng rng;

      goban_rng_init (&rng, seed);
      place_randomly (&self, &rng);
      run (&self);
      for (GobanNodeId v = 0; v < profile->n_nodes; v++)
        {
          GobanEdgeSpan out = goban_graph_get_out_edges (self.units->graph, v);
          double end_us = profile->latest_us[v] + profile->finish_us[v] - profile->start_us[v];

          g_assert_cmpfloat (profile->latest_us[v], >=, profile->start_us[v]);
          g_assert_cmpfloat (end_us, <=, profile->makespan_us * (1 + 1e-9));
          n_tight += profile->latest_us[v] - profile->start_us[v] < 1e-9 * profile->makespan_us;
          for (guint i = 0; i < out.n; i++)
            {
              const GobanEdge *edge = goban_graph_get_edge (self.units->graph, out.ids[i]);

              g_assert_cmpfloat (end_us, <=, profile->latest_us[edge->head] * (1 + 1e-9) + 1e-9);
            }
        }
      g_assert_cmpuint (n_tight, >, 0);
    }
}

/* --- kernels -------------------------------------------------------------------------------- */

/* The units of a kernel; FALSE if they have other nodes. (element-type guint32) */
static gboolean
collect_kernel (const Case *self, GobanNodeId kernel, GArray *units)
{
  g_array_set_size (units, 0);
  for (GobanNodeId v = kernel; v != GOBAN_NO_NODE; v = self->profile->next_fused[v])
    {
      guint32 unit = self->units->unit_of[v];

      if (self->units->offsets[unit + 1] - self->units->offsets[unit] > 1)
        return FALSE;
      g_array_append_val (units, unit);
    }
  return TRUE;
}

/* A kernel takes the same time on an equal device; its first member alone takes longer there than
 * its part of the kernel, by one of the n - 1 savings. */
static void
check_kernel (Case *self, GobanNodeId kernel, const GArray *units)
{
  double share = self->profile->kernel_shares[kernel];
  double kept = share + (1 - share) / (units->len - 1);
  const guint32 *all = (const guint32 *) (const void *) units->data;

  g_assert_cmpuint (self->profile->kernel_sizes[kernel], ==, units->len);
  goban_move_features_look (self->features, all, units->len, self->x, self->can);
  g_assert_cmpfloat_with_epsilon (get (self, 1, GOBAN_MOVE_SLOWNESS), 0, 1e-5);
  g_assert_cmpfloat_with_epsilon (get (self, 1, GOBAN_MOVE_WORK_CHANGE), 0, 1e-5);
  goban_move_features_look (self->features, all, 1, self->x, self->can);
  g_assert_cmpfloat_with_epsilon (get (self, 1, GOBAN_MOVE_SLOWNESS), log (kept / share), 1e-4);
}

static void
test_kernels (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_workload_generate ("synthetic:seed=33", &error);
  g_auto (Case) self = new_case (toy_costs (graph, "p100x2"));
  g_autoptr (GArray) units = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint n_checked = 0;

  goban_fusion_default (self.costs, self.plan);
  run (&self);
  for (GobanNodeId v = 0; v < self.profile->n_nodes; v++)
    if (self.profile->kernel_of[v] == v && self.profile->next_fused[v] != GOBAN_NO_NODE
        && self.profile->finish_us[v] > self.profile->start_us[v]
        && collect_kernel (&self, v, units))
      {
        check_kernel (&self, v, units);
        n_checked++;
      }
  g_assert_cmpuint (n_checked, >, 10);
}

/* --- exchangeable devices ------------------------------------------------------------------- */

/* Devices renumbered: rows of features are exchanged and nothing else, to the bit. */
static void
check_exchange (guint64 seed)
{
  static const GobanDeviceId renumbered[] = { 2, 0, 3, 1 };
  g_auto (Case) one = new_case (toy_small_costs (60, seed, "p100x4"));
  g_auto (Case) two = new_case (toy_small_costs (60, seed, "p100x4"));
  g_autoptr (GobanUnitSet) set = goban_unit_set_new (one.units);
  GobanRng rng;

  goban_rng_init (&rng, seed);
  place_randomly (&one, &rng);
  goban_plan_unref (two.plan);
  two.plan = goban_plan_copy (one.plan);
  for (GobanNodeId v = 0; v < one.profile->n_nodes; v++)
    goban_plan_set_device (two.plan, v, renumbered[goban_plan_get_device (one.plan, v)]);
  run (&one);
  run (&two);
  g_assert_cmpfloat (one.profile->makespan_us, ==, two.profile->makespan_us);
  g_assert_cmpmem (one.profile->facts, sizeof one.profile->facts, two.profile->facts,
                   sizeof two.profile->facts);
  for (guint i = 0; i < 20; i++)
    {
      const GArray *group = draw_group (&one, set, &rng);
      const guint32 *units = (const guint32 *) (const void *) group->data;

      goban_move_features_look (one.features, units, group->len, one.x, one.can);
      goban_move_features_look (two.features, units, group->len, two.x, two.can);
      for (guint d = 0; d < 4; d++)
        {
          g_assert_cmpuint (one.can[d], ==, two.can[renumbered[d]]);
          g_assert_cmpmem (one.x + d * GOBAN_MOVE_N_FEATURES,
                           GOBAN_MOVE_N_FEATURES * sizeof (float),
                           two.x + renumbered[d] * GOBAN_MOVE_N_FEATURES,
                           GOBAN_MOVE_N_FEATURES * sizeof (float));
        }
    }
}

static void
test_exchange (void)
{
  for (guint64 seed = 0; seed < 20; seed++)
    check_exchange (seed);
}

/* --- columns -------------------------------------------------------------------------------- */

/* All columns are finite and of about unit size, and a second look repeats the first. */
static void
test_columns (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_workload_generate ("synthetic:seed=33", &error);
  g_auto (Case) self = new_case (toy_costs (graph, "cpu+gpu"));
  g_autoptr (GobanUnitSet) set = goban_unit_set_new (self.units);
  gsize size = self.units->n_devices * GOBAN_MOVE_N_FEATURES * sizeof (float);
  GobanRng rng;

  goban_rng_init (&rng, 6);
  place_randomly (&self, &rng);
  run (&self);
  for (guint i = 0; i < 100; i++)
    {
      const GArray *group = draw_group (&self, set, &rng);
      g_autofree float *first = NULL;

      goban_move_features_look (self.features, (const guint32 *) (const void *) group->data,
                                group->len, self.x, self.can);
      for (guint k = 0; k < self.units->n_devices * GOBAN_MOVE_N_FEATURES; k++)
        g_assert_cmpfloat (fabs ((double) self.x[k]), <, 10);
      first = g_memdup2 (self.x, size);
      goban_move_features_look (self.features, &(guint32){ 0 }, 1, self.x, self.can);
      goban_move_features_look (self.features, (const guint32 *) (const void *) group->data,
                                group->len, self.x, self.can);
      g_assert_cmpmem (first, size, self.x, size);
    }
}

TEST_PROGRAM (move_features)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/policy/move-features/transfers", test_transfers);
  g_test_add_func ("/policy/move-features/by-hand", test_by_hand);
  g_test_add_func ("/policy/move-features/latest-starts", test_latest_starts);
  g_test_add_func ("/policy/move-features/kernels", test_kernels);
  g_test_add_func ("/policy/move-features/exchange", test_exchange);
  g_test_add_func ("/policy/move-features/columns", test_columns);
  return g_test_run ();
}
