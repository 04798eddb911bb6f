#include "engine/learn/rl/moves/improver-private.h"

#include "engine/learn/nn/vector.h"
#include "engine/sim/evaluator.h"

#include <math.h>
#include <string.h>

/* The largest group, as a share of the units. */
#define LARGEST_SHARE 8

/* Factors of the group size after a failure and a gain: the size is stable if 1 of 20 moves
 * succeeds. */
#define SHRINK 0.985
#define GROW 1.3

/* Penalty in makespans for missing a device's whole memory. */
#define OVERFLOW_WEIGHT 10

/* Initial temperature of annealing, as a share of the makespan. It falls in proportion to the size
 * of larger graphs, where a move changes less. */
#define HEAT 0.01
#define HEAT_UNITS 1000.0

/* Weight of the last move in a proposer's success. */
#define NEWEST_SHARE 0.02

/* Gain and number of evaluations after which the other orders are tried. */
#define GAIN_FOR_ORDERS 0.98
#define STEPS_FOR_ORDERS 12

GobanImproverSettings
goban_improver_settings_default (void)
{
  return (GobanImproverSettings){
    .n_groups = 64,
    .uniform = 0.05,
    .heat = -1,
    .has_orders = TRUE,
  };
}

/* --- construction and disposal -------------------------------------------------------------- */

GobanImprover *
goban_improver_new (const GobanUnits *units, const GobanCells *cells, const GobanCellRows *rows,
                    guint64 seed)
{
  GobanImprover *self = g_new0 (GobanImprover, 1);

  self->units = units;
  self->costs = goban_cost_model_ref ((GobanCostModel *) units->costs);
  self->orders = goban_static_orders_new (units);
  self->simulator = goban_simulator_new (self->costs);
  self->profile = goban_plan_profile_new (units);
  self->features = goban_move_features_new (self->profile);
  self->groups = goban_move_groups_new (units, cells, rows);
  self->settings = goban_improver_settings_default ();
  goban_rng_init (&self->rng, seed);
  self->least_memory_bytes = INFINITY;
  for (guint d = 0; d < units->n_devices; d++)
    self->least_memory_bytes
        = MIN (self->least_memory_bytes,
               goban_cluster_get_device (units->cluster, (GobanDeviceId) d)->memory_bytes);
  self->least_memory_bytes = MAX (self->least_memory_bytes, 1);
  self->most = MAX (units->n_units / LARGEST_SHARE, GOBAN_IMPROVER_LEAST_GROUP);
  self->tried = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->drawn = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->x = g_new (float, (gsize) units->n_devices *GOBAN_MOVE_N_FEATURES);
  self->can = g_new (guint8, units->n_devices);
  self->failed = goban_failed_moves_new (units->n_units);
  self->candidates = g_array_new (FALSE, FALSE, sizeof (GobanMoveCandidate));
  return self;
}

void
goban_improver_free (GobanImprover *self)
{
  g_clear_pointer (&self->plan, goban_plan_unref);
  goban_move_groups_free (self->groups);
  goban_move_features_free (self->features);
  goban_plan_profile_free (self->profile);
  goban_simulator_free (self->simulator);
  goban_static_orders_free (self->orders);
  goban_cost_model_unref (self->costs);
  g_hash_table_unref (self->tried);
  g_array_unref (self->drawn);
  g_free (self->x);
  g_free (self->can);
  goban_failed_moves_free (self->failed);
  g_array_unref (self->candidates);
  g_free (self);
}

/* --- the current plan ----------------------------------------------------------------------- */

double
goban_improver_score_us (const GobanImprover *self, GobanOutcome outcome)
{
  double share = outcome.overflow_bytes > 0 ? outcome.overflow_bytes / self->least_memory_bytes : 0;

  return outcome.makespan_us * (1 + OVERFLOW_WEIGHT * share);
}

static void
stand_on (GobanImprover *self, const GobanPlan *plan, guint order)
{
  GobanPlan *old = self->plan;

  /* Placements tried under another order may be better under this one. */
  if (order != self->order)
    g_hash_table_remove_all (self->tried);
  self->plan = goban_plan_copy (plan);
  self->order = order;
  g_clear_pointer (&old, goban_plan_unref);
  self->hash = 0;
  for (guint32 u = 0; u < self->units->n_units; u++)
    self->hash += goban_improver_hash_unit (u, goban_improver_device_of (self, u));
  goban_improver_note_tried (self, self->hash);
  self->is_moved = TRUE;

  /* Reads the trace of the current plan. */
  g_autoptr (GobanTrace) trace = goban_simulator_run (self->simulator, self->plan);

  self->outcome = goban_outcome_of_trace (trace);
  self->score_us = goban_improver_score_us (self, self->outcome);
  if (goban_trace_get_ops (trace) != NULL)
    goban_plan_profile_read (self->profile, trace);
  if (self->hook.read != NULL)
    self->hook.read (self->hook.data, trace);
}

void
goban_improver_go_to (GobanImprover *self, const GobanPlan *plan, guint order)
{
  g_hash_table_remove_all (self->tried);
  self->reach = 1;
  self->ordered_us = INFINITY;
  self->n_since_orders = 0;
  self->is_pool = FALSE;
  self->successes[0] = self->successes[1] = 0;
  goban_failed_moves_forget (self->failed);
  stand_on (self, plan, order);
}

/* --- steps ---------------------------------------------------------------------------------- */

static gboolean
is_taken (GobanImprover *self, double score_us, double fraction)
{
  double usual = HEAT * MIN (1, HEAT_UNITS / self->units->n_units);
  double first = self->settings.heat >= 0 ? self->settings.heat : usual;
  double heat = first * MAX (1 - fraction, 0);
  double loss = score_us / self->score_us - 1;

  if (loss <= 0)
    return TRUE;
  return heat > 0
         && goban_rng_uniform (&self->rng) < (double) goban_exp ((float) MAX (-loss / heat, -80));
}

gboolean
goban_improver_step (GobanImprover *self, const GobanScorerNet *net, double fraction,
                     GobanPlan **tried, GobanOutcome *outcome)
{
  const GobanMoveCandidate *candidate = goban_improver_propose (self, net);
  double score_us;

  *tried = NULL;
  if (candidate == NULL)
    return FALSE;
  *tried = goban_improver_new_plan (self, candidate);
  *outcome = goban_simulator_evaluate (self->simulator, *tried);
  score_us = goban_improver_score_us (self, *outcome);
  self->reach = CLAMP (self->reach * (score_us < self->score_us ? GROW : SHRINK), 1e-6, 1);
  self->n_since_orders++;
  if (self->is_scored)
    self->successes[self->turn]
        += NEWEST_SHARE * ((score_us < self->score_us) - self->successes[self->turn]);
  if (score_us >= self->score_us)
    goban_improver_note_failure (self, candidate);
  self->is_taken
      = is_taken (self, score_us, fraction) || (self->step != NULL && self->step->is_forced);
  if (self->is_taken)
    stand_on (self, *tried, self->order);
  else
    goban_improver_lower_alike (self);
  return TRUE;
}

gboolean
goban_improver_would_take (GobanImprover *self, GobanOutcome outcome, double fraction)
{
  return is_taken (self, goban_improver_score_us (self, outcome), fraction);
}

void
goban_improver_take (GobanImprover *self, const GobanPlan *plan, guint order)
{
  stand_on (self, plan, order);
}

/* Orders that were tried on the current plan. */
typedef struct
{
  double scores_us[GOBAN_N_STATIC_ORDERS + 1]; /* the last one: as it is, NAN if that is a rule */
  guint order;                                 /* the best */
  GobanPlan *best;                             /* (nullable): NULL if none is better */
  GobanOutcome outcome;
  guint64 evaluation;
} OrderTrials;

static void
order_trials_clear (OrderTrials *self)
{
  g_clear_pointer (&self->best, goban_plan_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (OrderTrials, order_trials_clear)

static GobanPlan *
new_ordered (const GobanImprover *self, guint order)
{
  GobanPlan *plan = goban_plan_copy (self->plan);

  goban_static_orders_apply (self->orders, (GobanStaticOrder) order, plan);
  return plan;
}

/* Writes the choice of an order; it may be another one than the best. */
static void
write_orders (GobanImprover *self, GobanSearch *search, OrderTrials *trials, gboolean is_taken)
{
  gboolean is_rule = self->order != GOBAN_ORDER_AS_IT_IS;
  const GobanRuleTrial trial
      = { .task = GOBAN_TASK_SCHEDULING,
          .names = is_rule ? GOBAN_STATIC_ORDER_NAMES : GOBAN_STATIC_ORDER_NAMES ", as it is",
          .n_options = is_rule ? GOBAN_N_STATIC_ORDERS : GOBAN_N_STATIC_ORDERS + 1,
          .scores_us = trials->scores_us,
          .wanted = trials->order,
          .evaluation = trials->evaluation };
  guint32 taken;
  GobanDecisionsWriter *writer;

  if (self->step == NULL)
    return;
  writer = goban_move_step_open_rules (self->step, &trial, &taken);
  if (taken != trials->order)
    {
      g_clear_pointer (&trials->best, goban_plan_unref);
      trials->best = taken != self->order ? new_ordered (self, taken) : NULL;
      trials->order = taken;
      trials->evaluation = 0;
      if (trials->best != NULL)
        trials->outcome = goban_simulator_evaluate (self->simulator, trials->best);
    }
  goban_move_step_close_rules (self->step, writer, trials->best, trials->outcome,
                               trials->evaluation > 0
                                   && trials->evaluation == search->best_evaluation,
                               is_taken && trials->best != NULL);
}

/* Tries all other static orders and takes the best. FALSE if the budget is spent. */
static gboolean
try_orders (GobanImprover *self, GobanSearch *search, GError **error)
{
  g_auto (OrderTrials) trials = { .order = self->order };
  double best_us = self->score_us;
  gboolean goes_on = TRUE;

  for (guint order = 0; order <= GOBAN_N_STATIC_ORDERS; order++)
    trials.scores_us[order] = order == self->order ? self->score_us : (double) NAN;
  for (guint order = 0; order < GOBAN_N_STATIC_ORDERS; order++)
    {
      g_autoptr (GobanPlan) plan = NULL;
      GobanOutcome outcome;

      if (order == self->order)
        continue;
      goes_on = goban_search_go_on (search, "trying orders", error);
      if (!goes_on)
        break;
      plan = new_ordered (self, order);
      outcome = goban_simulator_evaluate (self->simulator, plan);
      goban_search_consider (search, plan, outcome);
      trials.scores_us[order] = goban_improver_score_us (self, outcome);
      if (trials.scores_us[order] >= best_us)
        continue;
      best_us = trials.scores_us[order];
      trials.order = order;
      trials.outcome = outcome;
      trials.evaluation = search->n_evaluations;
      g_clear_pointer (&trials.best, goban_plan_unref);
      trials.best = g_steal_pointer (&plan);
    }
  write_orders (self, search, &trials, goes_on);
  if (!goes_on)
    return FALSE;
  if (trials.best != NULL)
    stand_on (self, trials.best, trials.order);
  self->ordered_us = self->score_us;
  self->n_since_orders = 0;
  return TRUE;
}

gboolean
goban_improve (GobanImprover *self, const GobanScorerNet *net, const GobanPlan *plan, guint order,
               GobanSearch *search, guint64 n_evaluations, GError **error)
{
  guint64 first = search->n_evaluations;
  double begin = goban_search_get_fraction (search);

  goban_improver_go_to (self, plan, order);
  if (self->step != NULL)
    goban_move_step_start (self->step, self->plan, self->outcome);
  self->ordered_us = self->score_us;
  while (goban_search_go_on (search, "improving", error))
    {
      guint64 n_done = search->n_evaluations - first;
      double fraction = n_evaluations > 0
                            ? (double) n_done / (double) n_evaluations
                            : (goban_search_get_fraction (search) - begin) / (1 - begin);
      g_autoptr (GobanPlan) tried = NULL;
      GobanOutcome outcome;

      if (n_evaluations > 0 && n_done >= n_evaluations)
        break;
      if (self->settings.has_orders && self->n_since_orders >= STEPS_FOR_ORDERS
          && self->score_us < self->ordered_us * GAIN_FOR_ORDERS)
        {
          if (!try_orders (self, search, error))
            break;
          continue;
        }
      if (!goban_improver_step (self, net, fraction, &tried, &outcome))
        break;
      goban_move_step_offer (self->step, search, tried, outcome, self->is_taken);
    }
  return !search->is_cancelled;
}
