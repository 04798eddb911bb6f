#include "engine/sim/simulator.h"

#include "engine/sim/simulator-private.h"
#include "engine/sim/trace-private.h"

GobanSimulator *
goban_simulator_new (GobanCostModel *costs)
{
  GobanSimulator *self;

  g_return_val_if_fail (costs != NULL, NULL);

  self = g_new0 (GobanSimulator, 1);
  self->costs = goban_cost_model_ref (costs);
  sim_tables_init (self);
  return self;
}

void
goban_simulator_free (GobanSimulator *self)
{
  if (self == NULL)
    return;
  sim_tables_clear (self);
  goban_cost_model_unref (self->costs);
  g_free (self);
}

static double
find_overflow (const GobanSimulator *self)
{
  double overflow_bytes = 0;

  for (guint d = 0; d < self->n_devices && self->must_account; d++)
    overflow_bytes
        = MAX (overflow_bytes, self->memory[d].peak_bytes - self->memory[d].capacity_bytes);
  return overflow_bytes;
}

/* Runs the plan that is laid out. */
static GobanOutcome
run_plan (GobanSimulator *self, double limit_us, SimRecord *record)
{
  GobanOutcome outcome;

  self->record = record;
  self->limit_us = limit_us;
  outcome.makespan_us = sim_loop_run (self);
  outcome.overflow_bytes = find_overflow (self);
  self->record = NULL;
  return outcome;
}

GobanOutcome
goban_simulator_evaluate (GobanSimulator *self, const GobanPlan *plan)
{
  return goban_simulator_evaluate_within (self, plan, SIM_NEVER_US);
}

GobanOutcome
goban_simulator_evaluate_within (GobanSimulator *self, const GobanPlan *plan, double limit_us)
{
  GobanOutcome outcome = { .makespan_us = SIM_NEVER_US };

  g_return_val_if_fail (goban_plan_get_n_nodes (plan) == self->own.n_nodes, outcome);
  g_return_val_if_fail (goban_plan_get_n_devices (plan) == self->n_devices, outcome);

  if (!sim_slots_use (self, plan))
    sim_layout_plan (self, plan, FALSE);
  return run_plan (self, limit_us, NULL);
}

/* Two kinds of plans, two bounds: fused ones can be faster than any that fuses nothing. Worked out
 * once for all simulations of a cost model: at 80,000 nodes they take half as long as a run. */
const GobanBounds *
goban_kept_bounds (GobanCostModel *costs, gboolean is_fused)
{
  GobanKept slot = is_fused ? GOBAN_KEPT_FUSED_BOUNDS : GOBAN_KEPT_BOUNDS;
  const GobanBounds *kept;
  GobanBounds bounds;

  g_return_val_if_fail (costs != NULL, NULL);

  kept = goban_cost_model_get_kept (costs, slot);
  if (kept != NULL)
    return kept;
  bounds = is_fused ? goban_bounds_when_fused (costs) : goban_bounds (costs);
  return goban_cost_model_keep (costs, slot, g_memdup2 (&bounds, sizeof bounds));
}

static gboolean
check_plan (GobanSimulator *self, const GobanPlan *plan, GError **error)
{
  if (!goban_plan_check (plan, self->costs, error))
    return FALSE;
  return !goban_plan_is_fused (plan)
         || goban_contraction_check (sim_fused_get_contraction (self), plan, error);
}

GobanTrace *
goban_simulator_run (GobanSimulator *self, GobanPlan *plan)
{
  const GobanBounds *bounds = goban_kept_bounds (self->costs, goban_plan_is_fused (plan));
  g_autoptr (GError) error = NULL;
  g_autofree guint32 *previous_op = NULL;
  g_autofree GobanOpSpan *moves = NULL;
  g_autofree guint32 *blocker = NULL;
  g_autofree guint32 *order = NULL;
  g_autoptr (GPtrArray) levels = NULL;
  SimRecord record = { NULL };
  GobanOutcome outcome;

  if (!check_plan (self, plan, &error))
    return goban_trace_new_failed (self->costs, plan, bounds, error->message);

  sim_layout_plan (self, plan, TRUE);
  /* Not NULL even for a graph without nodes: that run did happen. */
  record.ops = g_new0 (GobanOpSpan, self->in.n_nodes + 1);
  record.previous_op = previous_op = g_new (guint32, self->in.n_nodes);
  record.moves = moves = g_new0 (GobanOpSpan, self->n_moves);
  record.blocker = blocker = g_new (guint32, self->n_moves);
  record.order = order = g_new (guint32, self->n_moves);
  levels = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  for (guint d = 0; d < self->n_devices; d++)
    g_ptr_array_add (levels, g_array_new (FALSE, FALSE, sizeof (GobanMemoryPoint)));
  record.levels = (GArray **) levels->pdata;

  outcome = run_plan (self, SIM_NEVER_US, &record);
  if (outcome.makespan_us == SIM_NEVER_US)
    {
      GobanTrace *trace = goban_trace_new_failed (
          self->costs, plan, bounds, "an op or a transfer takes longer than can be counted");

      trace->overflow_bytes = outcome.overflow_bytes;
      g_free (record.ops);
      return trace;
    }
  return goban_trace_new_from_run (self, plan, bounds, &record, outcome);
}

/* The most recently used simulator, cached: making its tables takes a sixth of the time of a run,
 * and the next simulation is mostly on the same costs. */
static struct
{
  GMutex mutex;
  GobanSimulator *simulator; /* (nullable) */
} resting;

/* (transfer full) (nullable): the one that rests; @other takes its place. */
static GobanSimulator *
swap_resting (GobanSimulator *other)
{
  GobanSimulator *simulator;

  g_mutex_lock (&resting.mutex);
  simulator = resting.simulator;
  resting.simulator = other;
  g_mutex_unlock (&resting.mutex);
  return simulator;
}

GobanTrace *
goban_simulate (GobanCostModel *costs, GobanPlan *plan)
{
  g_autoptr (GobanSimulator) self = swap_resting (NULL);
  GobanTrace *trace;

  if (self == NULL || self->costs != costs)
    {
      g_clear_pointer (&self, goban_simulator_free);
      self = goban_simulator_new (costs);
    }
  trace = goban_simulator_run (self, plan);
  self = swap_resting (g_steal_pointer (&self));
  return trace;
}
