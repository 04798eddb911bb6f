/* test-partial-schedule.c: a schedule worked out by hand, and features against slow twins. */
#include "engine/learn/policy/plan-builder.h"

#include "engine/core/rng.h"
#include "engine/graph/graph-builder.h"
#include "engine/graph/workloads/workload.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>
#include <string.h>

typedef struct
{
  GobanCostModel *costs;
  GobanUnits *units;
  GobanRows *rows;
  GobanPartialSchedule *schedule;
  float *x;
  float c[GOBAN_CONTEXT_N];
  guint8 can[8];
} Case;

/* graph: (transfer full). Every unit is a row, or @n_rows runs of units. */
static Case
new_case (GobanGraph *graph, const char *cluster, guint n_rows)
{
  Case self = { .costs = toy_costs (graph, cluster) };
  g_autoptr (GError) error = NULL;
  g_autofree guint32 *row_of = g_new (guint32, goban_graph_get_n_nodes (graph));

  self.units = goban_units_new (self.costs, &error);
  g_assert_no_error (error);
  n_rows = n_rows > 0 ? n_rows : self.units->n_units;
  for (guint v = 0; v < goban_graph_get_n_nodes (graph); v++)
    row_of[v] = (guint32) ((guint64) self.units->unit_of[v] * n_rows / self.units->n_units);
  self.rows = goban_rows_new (self.units, row_of, n_rows, NULL);
  self.schedule = goban_partial_schedule_new (self.rows);
  self.x = g_new (float, (gsize) self.units->n_devices *GOBAN_CHOICE_N);
  goban_graph_unref (graph);
  return self;
}

static void
case_clear (Case *self)
{
  g_free (self->x);
  goban_partial_schedule_free (self->schedule);
  goban_rows_free (self->rows);
  goban_units_free (self->units);
  goban_cost_model_unref (self->costs);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static void
look (Case *self, guint row)
{
  goban_partial_schedule_look (self->schedule, row, self->x, self->c, self->can);
}

static double
get (const Case *self, guint device, GobanChoiceFeature feature)
{
  return (double) self->x[device * GOBAN_CHOICE_N + feature];
}

/* --- by hand -------------------------------------------------------------------------------- */

/* source (10 us), left and right (100 us each, 1000 bytes), sink (10 us). */
static void
test_by_hand (void)
{
  g_auto (Case) self = new_case (toy_diamond (), "equal:2,bandwidth=1e8", 0);
  const GobanNodeId *order = self.rows->order;
  double transfer_us;

  /* source on 0 */
  goban_partial_schedule_place (self.schedule, self.rows->row_of[order[0]], 0);
  goban_partial_schedule_append (self.schedule, order[0], NULL);
  g_assert_cmpfloat (self.schedule->end_us, ==, 10);

  /* left on 0: starts at once; right on 1: when its input has arrived */
  goban_partial_schedule_place (self.schedule, self.rows->row_of[order[1]], 0);
  goban_partial_schedule_append (self.schedule, order[1], NULL);
  g_assert_cmpfloat (self.schedule->end_us, ==, 110);
  transfer_us = goban_cost_model_transfer_us (
      self.costs, goban_graph_get_node_tensors (self.units->graph, order[0], &(guint){ 0 }), 0, 1);
  g_assert_cmpfloat (transfer_us, >, 0);

  /* what the other op sees: 0 is busy until 110, 1 has the input after a transfer */
  look (&self, self.rows->row_of[order[2]]);
  g_assert_cmpfloat (get (&self, 0, GOBAN_CHOICE_INPUTS_HERE), >, 0.99);
  g_assert_cmpfloat (get (&self, 1, GOBAN_CHOICE_INPUTS_HERE), ==, 0);
  g_assert_cmpfloat (get (&self, 0, GOBAN_CHOICE_MOVING), ==, 0);
  g_assert_cmpfloat (get (&self, 1, GOBAN_CHOICE_MOVING), >, 0);
  g_assert_cmpfloat (get (&self, 1, GOBAN_CHOICE_UNUSED), ==, 1);
  g_assert_cmpfloat (get (&self, 0, GOBAN_CHOICE_LAST), ==, 1);
  if (10 + transfer_us < 110)
    g_assert_cmpfloat (get (&self, 0, GOBAN_CHOICE_LATE_START), >, 0);
  goban_partial_schedule_place (self.schedule, self.rows->row_of[order[2]], 1);
  goban_partial_schedule_append (self.schedule, order[2], NULL);
  g_assert_cmpfloat_with_epsilon (self.schedule->end_us, MAX (110, 10 + transfer_us + 100), 1e-9);
}

/* Two ops of 600 KiB on devices of 1 MiB: the second one does not fit beside the first. */
static void
test_memory_with_the_row (void)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("pair", "test");
  g_autoptr (GError) error = NULL;
  GobanGraph *graph;

  for (guint v = 0; v < 2; v++)
    {
      goban_graph_builder_add_node (builder, "", "Op");
      goban_graph_builder_get_node (builder, v)->param_bytes = 600 << 10;
      goban_graph_builder_set_time (builder, v, GOBAN_ANY_KIND, 10, GOBAN_SOURCE_GIVEN);
    }
  goban_graph_builder_add_edge (builder, goban_graph_builder_add_tensor (builder, 0, 8), 1);
  graph = goban_graph_builder_finish (builder, NULL, &error);
  g_assert_no_error (error);

  g_auto (Case) self = new_case (graph, "msr:2,memory=1MiB", 0);
  const GobanNodeId *order = self.rows->order;

  goban_partial_schedule_place (self.schedule, self.rows->row_of[order[0]], 0);
  goban_partial_schedule_append (self.schedule, order[0], NULL);
  look (&self, self.rows->row_of[order[1]]);
  g_assert_cmpfloat_with_epsilon (get (&self, 1, GOBAN_CHOICE_MEMORY), 600.0 / 1024, 1e-3);
  g_assert_cmpfloat_with_epsilon (get (&self, 0, GOBAN_CHOICE_MEMORY), 1200.0 / 1024, 1e-3);
  g_assert_false (self.can[0]);
  g_assert_true (self.can[1]);
}

/* --- twins ---------------------------------------------------------------------------------- */

/* Places some rows at random, in any order. */
static void
place_some (Case *self, GobanRng *rng)
{
  for (guint r = 0; r < self->rows->n_rows; r++)
    if (goban_rng_below (rng, 2) == 0)
      goban_partial_schedule_place (self->schedule, r,
                                    goban_rng_below (rng, self->units->n_devices));
}

/* Loads and reached shares, summed anew from what is placed where. */
static void
test_twins (void)
{
  g_autoptr (GError) error = NULL;
  g_auto (Case) self
      = new_case (goban_workload_generate ("synthetic:seed=31", &error), "p100x4", 30);
  const GobanRows *rows = self.rows;
  const guint32 *devices = self.schedule->device_of;
  gsize R = rows->n_rows;
  GobanRng rng;

  goban_rng_init (&rng, 6);
  place_some (&self, &rng);
  for (guint r = 0; r < R; r++)
    {
      if (devices[r] != GOBAN_NOT_PLACED)
        continue;
      look (&self, r);
      for (guint d = 0; d < 4; d++)
        {
          double load = 0, reached = 0, reached_all = 1e-6;

          for (guint p = 0; p < R; p++)
            {
              double walk = (double) rows->walks[1][p * R + r];

              load += devices[p] == d ? rows->row_times_us[p * 4 + d] : 0;
              reached += devices[p] == d ? walk : 0;
              reached_all += devices[p] != GOBAN_NOT_PLACED ? walk : 0;
            }
          g_assert_cmpfloat_with_epsilon (get (&self, d, GOBAN_CHOICE_LOAD),
                                          MIN (load / rows->ideal_us, 3), 1e-4);
          g_assert_cmpfloat_with_epsilon (get (&self, d, GOBAN_CHOICE_WALKS + 1),
                                          reached / reached_all, 1e-3);
        }
    }
}

/* After a reset, everything is as it was at first. */
static void
test_reset (void)
{
  g_autoptr (GError) error = NULL;
  g_auto (Case) self
      = new_case (goban_workload_generate ("synthetic:seed=32", &error), "p100x4", 30);
  gsize size = 4 * GOBAN_CHOICE_N * sizeof (float);
  g_autofree float *before = NULL;
  GobanRng rng;

  look (&self, 3);
  before = g_memdup2 (self.x, size);
  goban_rng_init (&rng, 6);
  place_some (&self, &rng);
  goban_partial_schedule_reset (self.schedule, 1);
  look (&self, 3);
  g_assert_cmpmem (before, size, self.x, size);
}

/* All columns are finite and of about unit size. */
static void
test_columns (void)
{
  g_autoptr (GError) error = NULL;
  g_auto (Case) self
      = new_case (goban_workload_generate ("synthetic:seed=33", &error), "cpu+gpu", 30);
  GobanRng rng;

  goban_rng_init (&rng, 6);
  place_some (&self, &rng);
  for (guint r = 0; r < self.rows->n_rows; r++)
    {
      look (&self, r);
      for (guint i = 0; i < self.units->n_devices * GOBAN_CHOICE_N; i++)
        g_assert_cmpfloat (fabs ((double) self.x[i]), <, 20);
      for (guint i = 0; i < GOBAN_CONTEXT_N; i++)
        g_assert_cmpfloat (fabs ((double) self.c[i]), <, 20);
    }
}

/* --- shares --------------------------------------------------------------------------------- */

/* Rows whose nodes take a quarter of their own times, because they are fused. */
static void
test_shares (void)
{
  g_autoptr (GError) error = NULL;
  g_auto (Case) self
      = new_case (goban_workload_generate ("synthetic:seed=33", &error), "cpu+gpu", 20);
  g_autofree double *shares = g_new (double, self.rows->n_nodes);
  g_autoptr (GobanRows) fused = NULL;

  for (GobanNodeId v = 0; v < self.rows->n_nodes; v++)
    shares[v] = 0.25;
  fused = goban_rows_new (self.units, self.rows->row_of, self.rows->n_rows, shares);
  for (guint i = 0; i < self.rows->n_nodes * self.rows->n_devices; i++)
    g_assert_true (isinf (fused->times_us[i])
                   || fused->times_us[i] == 0.25 * self.rows->times_us[i]);
  for (guint r = 0; r < self.rows->n_rows; r++)
    {
      g_assert_cmpfloat_with_epsilon (fused->row_work_us[r], 0.25 * self.rows->row_work_us[r],
                                      1e-9 * self.rows->total_us);
      g_assert_cmpfloat_with_epsilon (fused->row_times_us[r * 2 + 1],
                                      0.25 * self.rows->row_times_us[r * 2 + 1],
                                      1e-9 * self.rows->total_us);
    }
}

TEST_PROGRAM (partial_schedule)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/policy/partial-schedule/by-hand", test_by_hand);
  g_test_add_func ("/policy/partial-schedule/memory-with-the-row", test_memory_with_the_row);
  g_test_add_func ("/policy/partial-schedule/twins", test_twins);
  g_test_add_func ("/policy/partial-schedule/reset", test_reset);
  g_test_add_func ("/policy/partial-schedule/columns", test_columns);
  g_test_add_func ("/policy/partial-schedule/shares", test_shares);
  return g_test_run ();
}
