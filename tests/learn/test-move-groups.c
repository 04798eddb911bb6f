/* test-move-groups.c: groups are of one device, no larger than asked for, of all kinds, the
 * same for a seed, and can be extended to whole kernels. */
#include "engine/learn/policy/move-groups.h"

#include "engine/graph/workloads/workload.h"
#include "engine/learn/policy/plan-profile.h"
#include "engine/placers/search/cell-splits.h"
#include "engine/sim/fusion/fusion.h"
#include "engine/sim/simulator.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#define MOST 40

typedef struct
{
  GobanCostModel *costs;
  GobanUnits *units;
  GobanCellSplits *splits;
  GobanMoveGroups *groups;
  GobanPlan *plan;
} Case;

static Case
new_case (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_workload_generate ("synthetic:seed=41", &error);
  Case self = { 0 };

  g_assert_no_error (error);
  self.costs = toy_costs (graph, "p100x4");
  self.units = goban_units_new (self.costs, &error);
  self.splits = goban_cell_splits_new (self.units);
  self.groups = goban_move_groups_new (self.units, self.splits->cells, self.splits->rows);
  self.plan = goban_plan_new (graph, 4);
  for (guint u = 0; u < self.units->n_units; u++)
    for (guint32 k = self.units->offsets[u]; k < self.units->offsets[u + 1]; k++)
      goban_plan_set_device (self.plan, self.units->nodes[k], (GobanDeviceId) (u / 50 % 4));
  return self;
}

static void
case_clear (Case *self)
{
  goban_plan_unref (self->plan);
  goban_move_groups_free (self->groups);
  goban_cell_splits_free (self->splits);
  goban_units_free (self->units);
  goban_cost_model_unref (self->costs);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static GobanDeviceId
device_of (const Case *self, guint32 unit)
{
  return goban_plan_get_device (self->plan, self->units->nodes[self->units->offsets[unit]]);
}

static void
test_groups (void)
{
  g_auto (Case) self = new_case ();
  g_autofree guint *seen = g_new0 (guint, self.units->n_units);
  guint n_single = 0, n_large = 0;
  GobanRng rng;

  goban_rng_init (&rng, 3);
  for (guint i = 1; i <= 2000; i++)
    {
      const GArray *group = goban_move_groups_draw (self.groups, &rng, self.plan, MOST);
      const guint32 *units = (const guint32 *) (const void *) group->data;

      g_assert_cmpuint (group->len, >=, 1);
      g_assert_cmpuint (group->len, <=, MOST);
      for (guint k = 0; k < group->len; k++)
        {
          g_assert_cmpuint (seen[units[k]], !=, i);
          seen[units[k]] = i;
          g_assert_cmpuint (device_of (&self, units[k]), ==, device_of (&self, units[0]));
        }
      n_single += group->len == 1;
      n_large += group->len > MOST / 2;
    }
  /* log-uniform: neither end is rare */
  g_assert_cmpuint (n_single, >, 200);
  g_assert_cmpuint (n_large, >, 100);
  /* and every unit is in some of them */
  for (guint u = 0; u < self.units->n_units; u++)
    g_assert_cmpuint (seen[u], >, 0);
}

static void
test_repeatable (void)
{
  g_auto (Case) one = new_case ();
  g_auto (Case) two = new_case ();
  GobanRng a, b;

  goban_rng_init (&a, 5);
  goban_rng_init (&b, 5);
  for (guint i = 0; i < 200; i++)
    {
      const GArray *x = goban_move_groups_draw (one.groups, &a, one.plan, MOST);
      const GArray *y = goban_move_groups_draw (two.groups, &b, two.plan, MOST);

      g_assert_cmpmem (x->data, x->len * sizeof (guint32), y->data, y->len * sizeof (guint32));
    }
}

/* A closed group has all units of the kernels that the drawn one cuts, and no others. */
static void
test_close (void)
{
  g_auto (Case) self = new_case ();
  g_autoptr (GobanPlanProfile) profile = goban_plan_profile_new (self.units);
  g_autoptr (GobanTrace) trace = NULL;
  guint n_closed = 0;
  GobanRng rng;

  g_assert_cmpuint (goban_fusion_default (self.costs, self.plan), >, 10);
  trace = goban_simulate (self.costs, self.plan);
  goban_plan_profile_read (profile, trace);
  goban_rng_init (&rng, 7);
  for (guint i = 0; i < 300; i++)
    {
      const gint32 *fusions = goban_plan_get_fusions (self.plan);
      const GArray *group = goban_move_groups_draw (self.groups, &rng, self.plan, MOST);
      guint n_drawn = group->len;
      g_autofree guint8 *wanted = g_new0 (guint8, self.units->n_units);
      guint n_wanted = 0;

      for (guint k = 0; k < n_drawn; k++)
        {
          guint32 unit = g_array_index (group, guint32, k);

          wanted[unit] = 1;
          for (guint32 j = self.units->offsets[unit]; j < self.units->offsets[unit + 1]; j++)
            for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (self.plan); v++)
              if (fusions[v] != GOBAN_NO_FUSION && fusions[v] == fusions[self.units->nodes[j]])
                wanted[self.units->unit_of[v]] = 1;
        }
      for (guint u = 0; u < self.units->n_units; u++)
        n_wanted += wanted[u];
      goban_move_groups_close (self.groups, profile->kernel_of, profile->next_fused);
      g_assert_cmpuint (group->len, ==, n_wanted);
      for (guint k = 0; k < group->len; k++)
        g_assert_cmpuint (wanted[g_array_index (group, guint32, k)], ==, 1);
      n_closed += n_wanted > n_drawn;
    }
  g_assert_cmpuint (n_closed, >, 30);
}

TEST_PROGRAM (move_groups)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/policy/move-groups/groups", test_groups);
  g_test_add_func ("/policy/move-groups/repeatable", test_repeatable);
  g_test_add_func ("/policy/move-groups/close", test_close);
  return g_test_run ();
}
