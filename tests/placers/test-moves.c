#include "engine/graph/graph-builder.h"
#include "engine/graph/levels.h"
#include "engine/placers/search/moves.h"
#include "engine/placers/search/unit-groups.h"
#include "engine/sim/simulator.h"
#include "tests/support/graph-gen.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

static GobanUnits *
new_units (const GobanCostModel *costs)
{
  g_autoptr (GError) error = NULL;
  GobanUnits *units = goban_units_new (costs, &error);

  g_assert_no_error (error);
  return units;
}

static GobanPlan *
new_start (const GobanUnits *units)
{
  g_autofree GobanDeviceId *devices = g_new (GobanDeviceId, units->n_units);
  GobanPlan *plan;

  for (guint u = 0; u < units->n_units; u++)
    devices[u] = (GobanDeviceId) (u * units->n_devices / units->n_units);
  plan = goban_units_new_plan (units, devices);
  goban_plan_set_order (plan, GOBAN_ORDER_PRIORITY);
  return plan;
}

/* Chains of fully scoped names: layers down, steps across. */
static GobanGraph *
new_grid (guint n_layers, guint n_steps)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("grid", "test");
  g_autoptr (GError) error = NULL;
  GobanGraph *graph;

  for (guint step = 0; step < n_steps; step++)
    for (guint layer = 0; layer < n_layers; layer++)
      {
        g_autofree char *name = g_strdup_printf ("model/layer_%u/step_%u/cell", layer, step);
        guint32 node = goban_graph_builder_add_node (builder, name, "Cell");

        goban_graph_builder_set_time (builder, node, GOBAN_ANY_KIND, 5, GOBAN_SOURCE_GIVEN);
        goban_graph_builder_add_tensor (builder, node, 1000 * (layer + 1));
        if (layer > 0)
          goban_graph_builder_add_edge (builder, node - 1, node);
        if (step > 0)
          goban_graph_builder_add_edge (builder, node - n_layers, node);
      }
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  return graph;
}

/* --- every kind of move ---------------------------------------------------------------- */

/* A plan stays a plan under every move, and undoing goes back exactly. */
static void
test_apply_and_undo (void)
{
  for (guint i = 0; i < 20; i++)
    {
      GraphGen gen = graph_gen_small (40);
      g_autoptr (GobanGraph) graph = i % 2 == 0 ? graph_gen_new (&gen, i) : new_grid (4, 10);
      g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x4");
      g_autoptr (GobanUnits) units = new_units (costs);
      g_autoptr (GobanMoves) moves = goban_moves_new (units, i);
      g_autoptr (GobanPlan) plan = new_start (units);
      g_autoptr (GobanTrace) trace = goban_simulate (costs, plan);
      g_auto (GobanMove) move = { 0 };

      goban_move_init (&move);
      goban_moves_learn (moves, trace);
      for (guint kind = 0; kind < GOBAN_N_MOVE_KINDS; kind++)
        for (guint j = 0; j < 20; j++)
          {
            double weights[GOBAN_N_MOVE_KINDS] = { 0 };
            g_autoptr (GobanPlan) other = goban_plan_copy (plan);
            g_autoptr (GError) error = NULL;

            weights[kind] = 1;
            goban_moves_draw (moves, plan, weights, &move);
            g_assert_true (toy_plans_are_same (other, plan)); /* drawn, not made */
            goban_move_apply (&move, other);
            g_assert_true (toy_plans_are_same (other, plan) == (move.changes->len == 0));
            goban_plan_check (other, costs, &error);
            g_assert_no_error (error);
            goban_move_undo (&move, other);
            g_assert_true (toy_plans_are_same (other, plan));
          }
    }
}

static void
test_same_seed_same_moves (void)
{
  g_autoptr (GobanGraph) graph = new_grid (4, 10);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x4");
  g_autoptr (GobanUnits) units = new_units (costs);
  g_autoptr (GobanMoves) one = goban_moves_new (units, 5);
  g_autoptr (GobanMoves) other = goban_moves_new (units, 5);
  g_autoptr (GobanPlan) plan = new_start (units);
  g_auto (GobanMove) a = { 0 };
  g_auto (GobanMove) b = { 0 };
  double weights[GOBAN_N_MOVE_KINDS];

  goban_move_init (&a);
  goban_move_init (&b);
  for (guint kind = 0; kind < GOBAN_N_MOVE_KINDS; kind++)
    weights[kind] = 1;
  for (guint i = 0; i < 200; i++)
    {
      goban_moves_draw (one, plan, weights, &a);
      goban_moves_draw (other, plan, weights, &b);
      g_assert_cmpint (a.kind, ==, b.kind);
      g_assert_cmpmem (a.changes->data, a.changes->len * sizeof (GobanChange), b.changes->data,
                       b.changes->len * sizeof (GobanChange));
      goban_move_apply (&a, plan);
    }
}

/* Groups of one device, in which every unit but one has a neighbour. */
static void
test_groups_are_connected (void)
{
  double weights[GOBAN_N_MOVE_KINDS] = { [GOBAN_MOVE_GROUP] = 1 };
  g_autoptr (GobanGraph) graph = new_grid (4, 30);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x4");
  g_autoptr (GobanUnits) units = new_units (costs);
  g_autoptr (GobanUnitGraph) links = goban_unit_graph_new (units);
  g_autoptr (GobanMoves) moves = goban_moves_new (units, 1);
  g_autoptr (GobanPlan) plan = new_start (units);
  g_auto (GobanMove) move = { 0 };
  guint largest = 0;

  goban_move_init (&move);
  for (guint i = 0; i < 200; i++)
    {
      g_autofree guint8 *is_moved = g_new0 (guint8, units->n_units);
      const GobanChange *changes;

      goban_moves_draw (moves, plan, weights, &move);
      changes = (const GobanChange *) (const void *) move.changes->data;
      largest = MAX (largest, move.changes->len);
      for (guint c = 0; c < move.changes->len; c++)
        {
          g_assert_cmpuint (changes[c].old_device, ==, changes[0].old_device);
          g_assert_cmpuint (changes[c].new_device, ==, changes[0].new_device);
          is_moved[units->unit_of[changes[c].node]] = TRUE;
        }
      for (guint c = 0; c < move.changes->len && move.changes->len > 1; c++)
        {
          guint32 u = units->unit_of[changes[c].node];
          gboolean has_neighbour = FALSE;

          for (guint l = links->offsets[u]; l < links->offsets[u + 1]; l++)
            has_neighbour |= is_moved[links->links[l].unit];
          g_assert_true (has_neighbour);
        }
    }
  g_assert_cmpuint (largest, >, 10);
  g_assert_cmpuint (largest, <=, units->n_units / 4);
}

/* Whole layers and whole steps are among the moves by name. */
static void
test_scopes_are_whole (void)
{
  double weights[GOBAN_N_MOVE_KINDS] = { [GOBAN_MOVE_SCOPE] = 1 };
  g_autoptr (GobanGraph) graph = new_grid (3, 8);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x2");
  g_autoptr (GobanUnits) units = new_units (costs);
  g_autoptr (GobanMoves) moves = goban_moves_new (units, 1);
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 2);
  g_auto (GobanMove) move = { 0 };
  guint n_layers = 0;
  guint n_steps = 0;

  goban_move_init (&move);
  for (guint i = 0; i < 200; i++)
    {
      const GobanChange *changes;
      gboolean is_layer = TRUE;
      gboolean is_step = TRUE;

      goban_moves_draw (moves, plan, weights, &move);
      changes = (const GobanChange *) (const void *) move.changes->data;
      for (guint c = 0; c < move.changes->len; c++)
        {
          is_layer &= changes[c].node % 3 == changes[0].node % 3;
          is_step &= changes[c].node / 3 == changes[0].node / 3;
        }
      n_layers += is_layer && move.changes->len == 8;
      n_steps += is_step && move.changes->len == 3;
    }
  g_assert_cmpuint (n_layers, >, 5);
  g_assert_cmpuint (n_steps, >, 5);
}

/* Two stretches on two devices: what the trace blames is the transfer between them, and its
 * ends. */
static void
test_critical_moves_go_for_the_transfer (void)
{
  double weights[GOBAN_N_MOVE_KINDS] = { [GOBAN_MOVE_CRITICAL] = 1 };
  g_autoptr (GobanGraph) graph = toy_chain ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:2,bandwidth=1e6");
  g_autoptr (GobanUnits) units = new_units (costs);
  g_autoptr (GobanMoves) moves = goban_moves_new (units, 1);
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 2);
  g_autoptr (GobanTrace) trace = NULL;
  g_auto (GobanMove) move = { 0 };
  guint n_ends = 0;

  goban_move_init (&move);
  goban_moves_set_reach (moves, 1e-9);
  goban_plan_set_device (plan, 3, 1);
  trace = goban_simulate (costs, plan);
  goban_moves_learn (moves, trace);
  for (guint i = 0; i < 100; i++)
    {
      goban_moves_draw (moves, plan, weights, &move);
      g_assert_cmpuint (move.changes->len, ==, 1);
      n_ends += g_array_index (move.changes, GobanChange, 0).node >= 2;
    }
  g_assert_cmpuint (n_ends, >, 80);
}

/* --- what moves stand on --------------------------------------------------------------- */

/* On one device of one kind it is the longest path by times; each device further adds transfers. */
static void
test_placed_ranks (void)
{
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:2,bandwidth=1e9");
  g_autoptr (GobanUnits) units = new_units (costs);
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 2);
  double together[4];
  double apart[4];
  double expected[4];

  goban_placed_ranks (units, plan, together);
  goban_graph_bottom_levels (graph, expected, (double[]){ 10, 100, 100, 10 }, NULL);
  g_assert_cmpmem (together, sizeof together, expected, sizeof expected);

  /* 1000 bytes there and 1000 bytes back, a microsecond each, by way of the right. */
  goban_plan_set_device (plan, 2, 1);
  goban_placed_ranks (units, plan, apart);
  g_assert_cmpfloat (apart[3], ==, 10);
  g_assert_cmpfloat (apart[1], ==, 110);
  g_assert_cmpfloat (apart[2], ==, 111);
  g_assert_cmpfloat (apart[0], ==, 122);
}

static void
test_unit_graph_is_symmetric (void)
{
  GraphGen gen = graph_gen_small (60);
  g_autoptr (GobanGraph) graph = graph_gen_new (&gen, 4);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x4");
  g_autoptr (GobanUnits) units = new_units (costs);
  g_autoptr (GobanUnitGraph) self = goban_unit_graph_new (units);

  for (guint u = 0; u < self->n_units; u++)
    for (guint i = self->offsets[u]; i < self->offsets[u + 1]; i++)
      {
        guint32 v = self->links[i].unit;
        guint n_back = 0;

        g_assert_cmpuint (v, !=, u);
        if (i > self->offsets[u])
          g_assert_cmpfloat (self->links[i].weight_us, <=, self->links[i - 1].weight_us);
        for (guint j = self->offsets[v]; j < self->offsets[v + 1]; j++)
          if (self->links[j].unit == u)
            {
              n_back++;
              g_assert_cmpfloat (self->links[j].weight_us, ==, self->links[i].weight_us);
            }
        g_assert_cmpuint (n_back, ==, 1);
      }
}

static void
test_unit_groups (void)
{
  static const guint wanted[] = { 1, 2, 7, 40, 120, 500 };
  g_autoptr (GobanGraph) graph = new_grid (4, 30);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x4");
  g_autoptr (GobanUnits) units = new_units (costs);

  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    {
      g_autoptr (GobanUnitGroups) groups = goban_unit_groups_new (units, wanted[i]);
      g_autofree guint *sizes = g_new0 (guint, groups->n_groups);
      guint largest = 0;

      g_assert_cmpuint (groups->n_groups, ==, MIN (wanted[i], 120));
      for (guint u = 0; u < units->n_units; u++)
        sizes[groups->group_of[u]]++;
      for (guint g = 0; g < groups->n_groups; g++)
        {
          g_assert_cmpuint (sizes[g], >, 0);
          largest = MAX (largest, sizes[g]);
        }
      /* Within the limit on shares, doubled at most once where the pairs do not come out even. */
      g_assert_cmpuint (largest, <=, 3 * 120 / groups->n_groups + 1);
    }
}

/* A chain takes all its time before it comes to its parameters, at the end: none of the few groups
 * gets far more of either. */
static void
test_even_unit_groups (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("speckled", "test");
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanUnits) units = NULL;

  for (guint v = 0; v < 400; v++)
    {
      goban_graph_builder_add_node (builder, "", "Task");
      goban_graph_builder_set_time (builder, v, "gpu", v < 360, GOBAN_SOURCE_GIVEN);
      goban_graph_builder_get_node (builder, v)->param_bytes = v < 360 ? 0 : 1000;
      goban_graph_builder_add_tensor (builder, v, 8);
      if (v > 0)
        goban_graph_builder_add_edge (builder, v - 1, v);
    }
  graph = goban_graph_builder_finish (builder, NULL, NULL);
  costs = toy_costs (graph, "p100x4");
  units = new_units (costs);
  for (guint n_wanted = 5; n_wanted <= 20; n_wanted += 5)
    {
      g_autoptr (GobanUnitGroups) groups = goban_unit_groups_new_even (units, n_wanted);

      g_assert_cmpuint (groups->n_groups, ==, n_wanted);
      for (guint g = 0; g < groups->n_groups; g++)
        {
          double time_us = 0, bytes = 0;

          for (guint i = groups->offsets[g]; i < groups->offsets[g + 1]; i++)
            {
              time_us += groups->units[i] < 360;
              bytes += units->param_bytes[groups->units[i]];
            }
          g_assert_cmpfloat (time_us, <=, 4 * 360.0 / n_wanted);
          g_assert_cmpfloat (bytes, <=, 4 * 40e3 / n_wanted);
        }
    }
}

/* Half run on GPUs, half on CPUs: however few groups are wanted, the two stay apart. */
static void
test_unit_groups_respect_devices (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("mixed", "test");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  g_autoptr (GobanCostModel) costs = NULL;
  g_autoptr (GobanUnits) units = NULL;
  g_autoptr (GobanUnitGroups) groups = NULL;

  for (guint v = 0; v < 20; v++)
    {
      goban_graph_builder_add_node (builder, "", "Task");
      goban_graph_builder_set_time (builder, v, "gpu", v % 2 == 0 ? 1 : (double) INFINITY,
                                    GOBAN_SOURCE_GIVEN);
      goban_graph_builder_set_time (builder, v, "cpu", v % 2 == 1 ? 1 : (double) INFINITY,
                                    GOBAN_SOURCE_GIVEN);
      goban_graph_builder_add_tensor (builder, v, 8);
      if (v > 0)
        goban_graph_builder_add_edge (builder, v - 1, v);
    }
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);
  costs = toy_costs (graph, "cpu+gpu");
  units = new_units (costs);
  groups = goban_unit_groups_new (units, 1);
  g_assert_cmpuint (groups->n_groups, >=, 2);
  for (guint u = 0; u < units->n_units; u++)
    for (guint d = 0; d < groups->n_devices; d++)
      if (groups->can_run[(gsize) groups->group_of[u] * groups->n_devices + d])
        g_assert_true (goban_units_can_run (units, u, (GobanDeviceId) d));
}

TEST_PROGRAM (moves)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/moves/apply-and-undo", test_apply_and_undo);
  g_test_add_func ("/moves/same-seed-same-moves", test_same_seed_same_moves);
  g_test_add_func ("/moves/groups-are-connected", test_groups_are_connected);
  g_test_add_func ("/moves/scopes-are-whole", test_scopes_are_whole);
  g_test_add_func ("/moves/critical-moves-go-for-the-transfer",
                   test_critical_moves_go_for_the_transfer);
  g_test_add_func ("/moves/placed-ranks", test_placed_ranks);
  g_test_add_func ("/moves/unit-graph-is-symmetric", test_unit_graph_is_symmetric);
  g_test_add_func ("/moves/unit-groups", test_unit_groups);
  g_test_add_func ("/moves/even-unit-groups", test_even_unit_groups);
  g_test_add_func ("/moves/unit-groups-respect-devices", test_unit_groups_respect_devices);
  return g_test_run ();
}
