/* test-row-schedule.c: the schedule of a finished placement: exact where nothing waits, near to the
 * simulator where something does, and refinement that never lengthens it. */
#include "engine/learn/policy/row-schedule.h"

#include "engine/learn/policy/plan-builder.h"
#include "engine/placers/search/static-orders.h"
#include "engine/sim/simulator.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"

#include <math.h>

#define N_ROWS 60
#define N_SEEDS 6
#define LENGTH 12

typedef struct
{
  GobanGraph *graph;
  GobanCostModel *costs;
  GobanUnits *units;
  GobanRows *rows;
  GobanRowSchedule *schedule;
} Case;

/* graph: (transfer full). Rows are connected groups. */
static Case
new_case (GobanGraph *graph, const char *cluster)
{
  g_autoptr (GError) error = NULL;
  Case self = { .graph = graph, .costs = toy_costs (graph, cluster) };

  self.units = goban_units_new (self.costs, &error);
  g_assert_no_error (error);
  self.rows = goban_rows_new_connected (self.units, N_ROWS, NULL);
  self.schedule = goban_row_schedule_new (self.rows);
  return self;
}

static Case
new_generated (guint seed, const char *cluster)
{
  g_autofree char *spec = g_strdup_printf ("synthetic:seed=%u,nodes=600", seed);

  return new_case (toy_generate (spec), cluster);
}

static void
case_clear (Case *self)
{
  goban_row_schedule_free (self->schedule);
  goban_rows_free (self->rows);
  goban_units_free (self->units);
  goban_cost_model_unref (self->costs);
  goban_graph_unref (self->graph);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

/* (R) a random device that each row can run on. (transfer full) */
static guint32 *
draw (const Case *self, GobanRng *rng)
{
  guint D = self->rows->n_devices;
  guint32 *devices = g_new (guint32, self->rows->n_rows);

  for (guint r = 0; r < self->rows->n_rows; r++)
    do
      devices[r] = goban_rng_below (rng, D);
    while (!self->rows->allowed[(gsize) r * D + devices[r]]);
  return devices;
}

/* One device is never idle, and a placement that does not fit counts twice. */
static void
test_one_device (void)
{
  g_auto (Case) self = new_generated (1, "equal:2");
  g_autofree guint32 *devices = g_new0 (guint32, self.rows->n_rows);
  double work_us = self.rows->total_us;

  self.rows->capacity_bytes[0] = INFINITY;
  g_assert_cmpfloat_with_epsilon (goban_row_schedule_find_end_us (self.schedule, devices, NULL, 1),
                                  work_us, 1e-6 * work_us);
  self.rows->capacity_bytes[0] = 1;
  g_assert_cmpfloat_with_epsilon (goban_row_schedule_find_end_us (self.schedule, devices, NULL, 1),
                                  2 * work_us, 1e-6 * work_us);
}

/* Of random placements its end is nearer to the simulated one than that of the schedule that has no
 * gaps. */
static void
test_near_the_simulator (void)
{
  double far = 0, near = 0;

  for (guint seed = 0; seed < N_SEEDS; seed++)
    {
      g_auto (Case) self = new_generated (seed, "p100x4");
      g_autoptr (GobanStaticOrders) orders = goban_static_orders_new (self.units);
      g_autoptr (GobanSimulator) simulator = goban_simulator_new (self.costs);
      g_autoptr (GobanPlan) plan = goban_plan_new (self.graph, self.units->n_devices);
      g_autoptr (GobanPlanBuilder) builder = goban_plan_builder_new (self.rows);
      g_autoptr (GobanBuilderNet) net = NULL;
      g_autofree guint32 *devices = NULL;
      g_autoptr (GobanBuildRecord) record = goban_build_record_new ();
      g_autofree guint32 *same = g_new (guint32, self.rows->n_rows);
      GobanRng rng;
      double simulated_us;

      goban_rng_init (&rng, seed);
      net = goban_builder_net_new (0, &rng);
      devices = draw (&self, &rng);
      goban_rows_place (self.rows, devices, plan);
      goban_static_orders_apply (orders, GOBAN_STATIC_TRANSFERS, plan);
      simulated_us = goban_simulator_evaluate (simulator, plan).makespan_us;
      goban_plan_builder_build (builder, net,
                                &(GobanBuildOptions){ .wanted = devices, .record = record }, same);
      far += fabs (log (record->end_us / simulated_us));
      near += fabs (
          log (goban_row_schedule_find_end_us (self.schedule, devices, NULL, 1) / simulated_us));
    }
  g_test_message ("%.3f, %.3f", near / N_SEEDS, far / N_SEEDS);
  g_assert_cmpfloat (near, <, 0.5 * far);
}

/* No change is kept that lengthens the schedule or that a row may not make; most placements get
 * shorter; the same numbers make the same placement. */
static void
test_refine (void)
{
  guint n_shorter = 0;

  for (guint seed = 0; seed < N_SEEDS; seed++)
    {
      g_auto (Case) self = new_case (toy_mixed (40 + 10 * seed, seed), TOY_MIXED_CLUSTER);
      guint D = self.rows->n_devices;
      GobanRng rng;
      g_autofree guint32 *devices = NULL;
      g_autofree guint32 *again = NULL;
      double first_us, end_us;

      goban_rng_init (&rng, seed);
      devices = draw (&self, &rng);
      again = g_memdup2 (devices, self.rows->n_rows * sizeof *devices);
      first_us = goban_row_schedule_find_end_us (self.schedule, devices, NULL, 1);
      goban_rng_init (&rng, seed);
      end_us = goban_row_schedule_refine (self.schedule, 0, 100, NULL, 1, &rng, devices, NULL);
      g_assert_cmpfloat (end_us, <=, first_us);
      g_assert_cmpfloat (end_us, ==,
                         goban_row_schedule_find_end_us (self.schedule, devices, NULL, 1));
      n_shorter += end_us < first_us;
      for (guint r = 0; r < self.rows->n_rows; r++)
        g_assert_true (self.rows->allowed[(gsize) r * D + devices[r]]);
      goban_rng_init (&rng, seed);
      goban_row_schedule_refine (self.schedule, 0, 100, NULL, 1, &rng, again, NULL);
      g_assert_cmpmem (again, self.rows->n_rows * sizeof *again, devices,
                       self.rows->n_rows * sizeof *devices);
    }
  g_assert_cmpuint (n_shorter, >, N_SEEDS / 2);
}

/* Two chains, both cut in the middle by a slow link. A change of one row moves a cut and gains
 * nothing; only one device takes all of it away. */
static void
test_merge (void)
{
  g_autoptr (GobanGraph) graph = toy_two_chains (LENGTH);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "equal:2,bandwidth=1e4");
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanUnits) units = goban_units_new (costs, &error);
  g_autoptr (GobanRows) rows = NULL;
  g_autoptr (GobanRowSchedule) schedule = NULL;
  guint32 devices[2 * LENGTH];

  g_assert_no_error (error);
  rows = goban_rows_new_of_units (units, NULL);
  schedule = goban_row_schedule_new (rows);
  g_assert_cmpuint (rows->n_rows, ==, 2 * LENGTH);
  for (guint seed = 0; seed < 20; seed++)
    {
      GobanRng rng;

      for (guint u = 0; u < 2 * LENGTH; u++)
        devices[u] = units->nodes[units->offsets[u]] % LENGTH >= LENGTH / 2;
      g_assert_cmpfloat (goban_row_schedule_find_end_us (schedule, devices, NULL, 1), >, 1e5);
      goban_rng_init (&rng, seed);
      g_assert_cmpfloat (goban_row_schedule_refine (schedule, 0, 600, NULL, 1, &rng, devices, NULL),
                         <=, 2 * LENGTH * 10);
    }
}

/* Changes that shake are made whatever they do; with the same numbers, only those are. */
static void
test_shake (void)
{
  guint n_longer = 0;

  for (guint seed = 0; seed < N_SEEDS; seed++)
    {
      g_auto (Case) self = new_case (toy_mixed (60, seed), TOY_MIXED_CLUSTER);
      g_autoptr (GArray) kept = g_array_new (FALSE, FALSE, sizeof (GobanRowChange));
      g_autofree guint32 *devices = NULL;
      GobanRng rng;
      double first_us, last_us;

      goban_rng_init (&rng, seed);
      devices = draw (&self, &rng);
      goban_row_schedule_refine (self.schedule, 0, 200, NULL, 1, &rng, devices, NULL);
      first_us = last_us = goban_row_schedule_find_end_us (self.schedule, devices, NULL, 1);
      n_longer += goban_row_schedule_refine (self.schedule, 4, 0, NULL, 1, &rng, devices, kept)
                  > first_us;
      for (guint i = 0; i < kept->len; i++)
        {
          const GobanRowChange *change = &g_array_index (kept, GobanRowChange, i);

          if (!change->is_with_last)
            {
              g_assert_cmpfloat (change->before_us, ==, last_us);
              last_us = change->after_us;
            }
        }
      g_assert_cmpfloat (last_us, ==,
                         goban_row_schedule_find_end_us (self.schedule, devices, NULL, 1));
    }
  g_assert_cmpuint (n_longer, >, 0);
}

/* The ops in the order in which they begin are a topological order with all ops, whose schedule
 * ends no later than that of the order before; on some graphs earlier. */
static void
test_sort (void)
{
  guint n_earlier = 0;

  for (guint seed = 0; seed < 4 * N_SEEDS; seed++)
    {
      g_auto (Case) self = new_case (toy_mixed (60 + 10 * seed, seed), TOY_MIXED_CLUSTER);
      guint n = self.rows->n_nodes;
      g_autofree GobanNodeId *order = g_memdup2 (self.rows->order, n * sizeof *order);
      g_autofree guint *place = g_new0 (guint, n);
      g_autofree guint32 *devices = NULL;
      GobanRng rng;
      double first_us, end_us;

      goban_rng_init (&rng, seed);
      devices = draw (&self, &rng);
      first_us = goban_row_schedule_find_end_us (self.schedule, devices, NULL, 1);
      end_us = goban_row_schedule_sort (self.schedule, 4, devices, 1, order);
      if (!isfinite (end_us))
        {
          g_assert_cmpmem (order, n * sizeof *order, self.rows->order, n * sizeof *order);
          continue;
        }
      g_assert_cmpfloat (end_us, <=, first_us);
      g_assert_cmpfloat (end_us, ==,
                         goban_row_schedule_find_end_us (self.schedule, devices, order, 1));
      n_earlier += end_us < first_us;
      for (guint i = 0; i < n; i++)
        place[order[i]] = i + 1;
      for (GobanNodeId v = 0; v < n; v++)
        {
          g_assert_cmpuint (place[v], >, 0);
          for (guint k = self.rows->node_offsets[v]; k < self.rows->node_offsets[v + 1]; k++)
            g_assert_cmpuint (place[self.rows->node_inputs[k].producer], <, place[v]);
        }
    }
  g_test_message ("%u of %u end earlier", n_earlier, 4 * N_SEEDS);
  g_assert_cmpuint (n_earlier, >, N_SEEDS / 2);
}

TEST_PROGRAM (row_schedule)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/policy/row-schedule/one-device", test_one_device);
  g_test_add_func ("/policy/row-schedule/near-the-simulator", test_near_the_simulator);
  g_test_add_func ("/policy/row-schedule/refine", test_refine);
  g_test_add_func ("/policy/row-schedule/merge", test_merge);
  g_test_add_func ("/policy/row-schedule/shake", test_shake);
  g_test_add_func ("/policy/row-schedule/sort", test_sort);
  return g_test_run ();
}
