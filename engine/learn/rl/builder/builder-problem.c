#include "engine/learn/rl/builder/builder-problem.h"

#include "engine/learn/nn/vector.h"

#include <math.h>

/* Initial temperature of annealing, as a share of the makespan. */
#define HEAT 0.02

#define LEAST_REWARD (-3.0)
#define MOST_REWARD 2.0

/* Seed of the samples of goban_builder_problem_try(), equal for all networks. */
#define TRY_SEED 20

/* --- the reference -------------------------------------------------------------------------- */

/* Writes to devices (R) the device on which the plan has most work of each row. */
static void
project (const GobanBuilderProblem *self, const GobanPlan *plan, guint32 *devices)
{
  guint D = self->rows->n_devices;
  g_autofree double *work_us = g_new0 (double, (gsize) self->rows->n_rows *D);

  for (GobanNodeId v = 0; v < self->rows->n_nodes; v++)
    {
      guint32 device = goban_plan_get_device (plan, v);
      double time_us = self->rows->times_us[(gsize) v * D + device];

      work_us[(gsize) self->rows->row_of[v] * D + device] += isfinite (time_us) ? time_us : 0;
    }
  for (guint r = 0; r < self->rows->n_rows; r++)
    {
      const double *shares = work_us + (gsize) r * D;

      devices[r] = GOBAN_NOT_PLACED;
      for (guint32 d = 0; d < D; d++)
        if (self->rows->allowed[(gsize) r * D + d]
            && (devices[r] == GOBAN_NOT_PLACED || shares[d] > shares[devices[r]]))
          devices[r] = d;
    }
}

static void
find_reference (GobanBuilderProblem *self)
{
  g_autoptr (GPtrArray) cuts = goban_cell_splits_all (self->splits, GOBAN_BUILDER_N_SPLITS);

  self->reference_us = INFINITY;
  self->reference = g_new0 (guint32, self->rows->n_rows + 1);
  for (guint i = 0; i < cuts->len; i++)
    {
      double score_us;

      goban_cell_splits_place (self->splits, cuts->pdata[i], self->plan);
      goban_static_orders_apply (self->orders, GOBAN_STATIC_TRANSFERS, self->plan);
      score_us = goban_builder_score_us (self->units->cluster,
                                         goban_simulator_evaluate (self->simulator, self->plan));
      if (score_us >= self->reference_us)
        continue;
      self->reference_us = score_us;
      project (self, self->plan, self->reference);
    }
}

/* --- construction and disposal -------------------------------------------------------------- */

GobanBuilderProblem *
goban_builder_problem_new (GobanCostModel *costs, const GobanBuilderRows *sizes, GError **error)
{
  g_autoptr (GobanBuilderProblem) self = g_new0 (GobanBuilderProblem, 1);

  self->costs = goban_cost_model_ref (costs);
  self->units = goban_units_new (costs, error);
  if (self->units == NULL)
    return NULL;
  self->splits = goban_cell_splits_new (self->units);
  if (sizes != NULL && sizes->n_connected > 0)
    self->rows = goban_rows_new_connected (self->units, sizes->n_connected, NULL);
  else
    {
      guint n_groups, n_slots;

      goban_cells_choose (self->splits->cells, self->units->n_devices, &n_groups, &n_slots);
      if (sizes != NULL)
        {
          n_groups = MAX (1, (guint) (n_groups * sizes->groups));
          n_slots = MAX (1, (guint) (n_slots * sizes->slots));
        }
      self->cells = goban_cell_rows_new (self->splits->cells, n_groups, n_slots);
      self->rows = goban_rows_new (self->units, self->cells->row_of, self->cells->n_rows, NULL);
    }
  self->builder = goban_plan_builder_new (self->rows);
  self->orders = goban_static_orders_new (self->units);
  self->simulator = goban_simulator_new (costs);
  self->plan = goban_plan_new (self->units->graph, self->units->n_devices);
  find_reference (self);
  return g_steal_pointer (&self);
}

void
goban_builder_problem_free (GobanBuilderProblem *self)
{
  g_clear_pointer (&self->plan, goban_plan_unref);
  g_clear_pointer (&self->simulator, goban_simulator_free);
  g_clear_pointer (&self->orders, goban_static_orders_free);
  g_clear_pointer (&self->builder, goban_plan_builder_free);
  g_clear_pointer (&self->rows, goban_rows_free);
  g_clear_pointer (&self->cells, goban_cell_rows_free);
  g_clear_pointer (&self->splits, goban_cell_splits_free);
  g_clear_pointer (&self->units, goban_units_free);
  g_clear_pointer (&self->costs, goban_cost_model_unref);
  g_free (self->reference);
  g_free (self);
}

/* --- scores --------------------------------------------------------------------------------- */

GobanOutcome
goban_builder_problem_evaluate (GobanBuilderProblem *self, const guint32 *devices,
                                GobanStaticOrder order)
{
  goban_rows_place (self->rows, devices, self->plan);
  goban_static_orders_apply (self->orders, order, self->plan);
  return goban_simulator_evaluate (self->simulator, self->plan);
}

double
goban_builder_score_us (const GobanCluster *cluster, GobanOutcome outcome)
{
  double memory = goban_cluster_get_device (cluster, 0)->memory_bytes;

  if (outcome.overflow_bytes <= 0)
    return outcome.makespan_us;
  return outcome.makespan_us * (2 + MIN (2, 2 * outcome.overflow_bytes / MAX (memory, 1)));
}

double
goban_builder_problem_reward (const GobanBuilderProblem *self, double score_us)
{
  return CLAMP (-goban_log (MAX (score_us, 1e-9) / MAX (self->reference_us, 1e-9)), LEAST_REWARD,
                MOST_REWARD);
}

double
goban_builder_problem_get_top_share (const GobanBuilderProblem *self, const guint32 *devices)
{
  g_autofree double *loads_us = g_new0 (double, self->rows->n_devices);
  double most_us = 0;

  for (guint r = 0; r < self->rows->n_rows; r++)
    {
      loads_us[devices[r]] += self->rows->row_work_us[r];
      most_us = MAX (most_us, loads_us[devices[r]]);
    }
  return most_us / self->rows->total_us;
}

/* --- annealing ------------------------------------------------------------------------------ */

static void
move_alike (const GobanBuilderProblem *self, const guint32 *coordinates, guint row, guint32 device,
            guint32 *devices)
{
  for (guint r = 0; r < self->rows->n_rows; r++)
    if (coordinates[r] == coordinates[row]
        && self->rows->allowed[(gsize) r * self->rows->n_devices + device])
      devices[r] = device;
}

static void
move_stretch (const GobanBuilderProblem *self, guint first, guint n, guint32 device,
              guint32 *devices)
{
  for (guint r = first; r < MIN (first + n, self->rows->n_rows); r++)
    if (self->rows->allowed[(gsize) r * self->rows->n_devices + device])
      devices[r] = device;
}

static double
score_us (GobanBuilderProblem *self, const guint32 *devices)
{
  return goban_builder_score_us (
      self->units->cluster, goban_builder_problem_evaluate (self, devices, GOBAN_STATIC_TRANSFERS));
}

double
goban_builder_problem_anneal (GobanBuilderProblem *self, guint n_evaluations, GobanRng *rng,
                              guint32 *devices)
{
  gsize size = self->rows->n_rows * sizeof *devices;
  g_autofree guint32 *here = g_memdup2 (self->reference, size);
  g_autofree guint32 *next = g_malloc (size);
  double here_us = score_us (self, here);
  double best_us = here_us;

  memcpy (devices, here, size);
  for (guint i = 0; i < n_evaluations; i++)
    {
      double heat = HEAT * (1 - (double) i / n_evaluations) + 1e-9;
      double next_us;

      memcpy (next, here, size);

      guint n_rows = self->rows->n_rows;
      guint row = goban_rng_below (rng, n_rows);
      guint32 device = goban_rng_below (rng, self->rows->n_devices);
      double kind = goban_rng_uniform (rng);

      if (kind < 0.25 && self->cells != NULL)
        move_alike (self, self->cells->group_of, row, device, next);
      else if (kind < 0.4 && self->cells != NULL && self->cells->n_slots > 1)
        move_alike (self, self->cells->slot_of, row, device, next);
      else if (kind < 0.6)
        move_stretch (self, row, 1 + goban_rng_below (rng, MAX (2, n_rows / 6)), device, next);
      else
        for (guint n = 1 + goban_rng_below (rng, 3); n > 0; n--)
          {
            guint32 to = goban_rng_below (rng, self->rows->n_devices);

            move_stretch (self, goban_rng_below (rng, n_rows), 1, to, next);
          }

      next_us = score_us (self, next);
      if (next_us < here_us
          || goban_rng_uniform (rng)
                 < (double) goban_exp ((float) (-(next_us / here_us - 1) / heat)))
        {
          memcpy (here, next, size);
          here_us = next_us;
        }
      if (here_us < best_us)
        {
          memcpy (devices, here, size);
          best_us = here_us;
        }
    }
  return best_us;
}

/* --- measuring a network -------------------------------------------------------------------- */

double
goban_builder_problem_try (GobanBuilderProblem *self, const GobanBuilderNet *net, guint n_samples,
                           double temperature, double *greedy_us)
{
  g_autofree guint32 *devices = g_new (guint32, self->rows->n_rows);
  g_autoptr (GobanRowEncoding) encoding = goban_row_encoding_new (net, self->rows);
  GobanBuildOptions likeliest = { .encoding = encoding };
  GobanRng rng;
  double best_us;

  goban_rng_init (&rng, TRY_SEED);
  goban_plan_builder_build (self->builder, net, &likeliest, devices);
  best_us = score_us (self, devices);
  if (greedy_us != NULL)
    *greedy_us = best_us;
  for (guint i = 0; i < n_samples; i++)
    {
      GobanBuildOptions options = { .temperature = temperature, .rng = &rng, .encoding = encoding };
      double sample_us;

      goban_plan_builder_build (self->builder, net, &options, devices);
      sample_us = score_us (self, devices);
      best_us = MIN (best_us, sample_us);
    }
  return best_us;
}
