#include "engine/rl/improver.h"

#include "engine/nn/vector.h"
#include "engine/sim/evaluator.h"

#include <math.h>
#include <string.h>

/* The largest group, as a share of the units. */
#define LARGEST_SHARE 8
#define LEAST_GROUP 4

/* Groups shrink with every failure and grow with every gain: they keep their size if 1 in 20 succeeds. */
#define SHRINK 0.985
#define GROW 1.3

/* Memory missing costs as if a device's whole memory were worth that many makespans. */
#define OVERFLOW_WEIGHT 10

/* Of annealing at first, as a share of the makespan. Moves of larger graphs change less of it: these are annealed at less
 * heat, in proportion. */
#define HEAT 0.01
#define HEAT_UNITS 1000.0

/* Gains, and evaluations, after which other orders are worth an evaluation each. */
#define GAIN_FOR_ORDERS 0.98
#define STEPS_FOR_ORDERS 12

/* Draws until one leads to a plan that has not been tried. */
#define N_DRAWS 20

/* Groups that are drawn however large they are. */
#define LEAST_GROUPS 8
/* No more are begun if all together have so many units: scoring takes no longer than simulating. */
#define LEAST_UNITS 1000
#define SHARE_OF_UNITS 4

/* More than these are cut down to the best. */
#define MOST_CANDIDATES 4096
#define MOST_RENEWED 32

/* How much of the score of a move that failed moves of the same units to the same device lose. */
#define PENALTY 1.0f

/* A gain that counts for who proposed it. */
#define LEAST_SUCCESS 1e-6

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

/* --- life --------------------------------------------------------------------------------------- */

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
  self->most = MAX (units->n_units / LARGEST_SHARE, LEAST_GROUP);
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
  g_clear_pointer (&self->learner, goban_move_learner_free);
  g_array_unref (self->candidates);
  g_free (self);
}

/* --- standing on a plan ------------------------------------------------------------------------- */

double
goban_improver_score_us (const GobanImprover *self, GobanOutcome outcome)
{
  double share = outcome.overflow_bytes > 0 ? outcome.overflow_bytes / self->least_memory_bytes : 0;

  return outcome.makespan_us * (1 + OVERFLOW_WEIGHT * share);
}

static GobanDeviceId
device_of (const GobanImprover *self, guint32 unit)
{
  return goban_plan_get_device (self->plan, self->units->nodes[self->units->offsets[unit]]);
}

/* Of one unit on one device; the hash of a placement is the sum of them. */
static guint64
hash_unit (guint32 unit, GobanDeviceId device)
{
  guint64 z = ((guint64) unit << 16 | device) + 0x9e3779b97f4a7c15u;

  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* TRUE if it has not been tried before. */
static gboolean
note_tried (GobanImprover *self, guint64 hash)
{
  return g_hash_table_add (self->tried, g_memdup2 (&hash, sizeof hash));
}

/* Learns what the plan's run waits for. */
static void
look (GobanImprover *self)
{
  g_autoptr (GobanTrace) trace = goban_simulator_run (self->simulator, self->plan);

  self->outcome = goban_outcome_of_trace (trace);
  self->score_us = goban_improver_score_us (self, self->outcome);
  if (goban_trace_get_ops (trace) != NULL)
    goban_plan_profile_read (self->profile, trace);
}

static void
stand_on (GobanImprover *self, const GobanPlan *plan, guint order)
{
  GobanPlan *old = self->plan;

  /* What has been tried under another order may be better under this one. */
  if (order != self->order)
    g_hash_table_remove_all (self->tried);
  self->plan = goban_plan_copy (plan);
  self->order = order;
  g_clear_pointer (&old, goban_plan_unref);
  self->hash = 0;
  for (guint32 u = 0; u < self->units->n_units; u++)
    self->hash += hash_unit (u, device_of (self, u));
  note_tried (self, self->hash);
  self->is_moved = TRUE;
  look (self);
}

void
goban_improver_go_to (GobanImprover *self, const GobanPlan *plan, guint order)
{
  g_hash_table_remove_all (self->tried);
  self->reach = 1;
  self->ordered_us = INFINITY;
  self->n_since_orders = 0;
  self->is_pool = FALSE;
  goban_failed_moves_forget (self->failed);
  g_clear_pointer (&self->learner, goban_move_learner_free);
  if (self->settings.learn > 0)
    self->learner = goban_move_learner_new (self->settings.learn);
  stand_on (self, plan, order);
}

/* --- moves -------------------------------------------------------------------------------------- */

static guint
get_largest (const GobanImprover *self)
{
  return (guint) MAX (self->most * self->reach, LEAST_GROUP);
}

static void
clear_drawn (GobanImprover *self)
{
  g_array_set_size (self->drawn, 0);
  g_array_set_size (self->candidates, 0);
}

/* Every device where the group can go makes a candidate. */
static void
add_group (GobanImprover *self, const guint32 *units, guint n)
{
  guint D = self->units->n_devices;
  GobanMoveCandidate candidate = { .first = self->drawn->len, .n = n };

  g_array_append_vals (self->drawn, units, n);
  goban_move_features_look (self->features, units, n, self->x, self->can);
  for (candidate.device = 0; candidate.device < D; candidate.device++)
    {
      if (!self->can[candidate.device])
        continue;
      memcpy (candidate.features, self->x + (gsize) candidate.device * GOBAN_MOVE_N_FEATURES,
              sizeof candidate.features);
      g_array_append_val (self->candidates, candidate);
    }
}

/* Fewer if they are large. */
static void
add_drawn_groups (GobanImprover *self, guint n_groups)
{
  guint first = self->drawn->len;
  guint n_most = MAX (LEAST_UNITS, self->units->n_units / SHARE_OF_UNITS);

  for (guint i = 0; i < n_groups; i++)
    {
      if (i >= LEAST_GROUPS && self->drawn->len - first >= n_most)
        break;

      const GArray *group
          = goban_move_groups_draw (self->groups, &self->rng, self->plan, get_largest (self));

      add_group (self, (const guint32 *) (const void *) group->data, group->len);
    }
}

void
goban_improver_draw (GobanImprover *self, guint n_groups)
{
  clear_drawn (self);
  self->is_pool = FALSE;
  add_drawn_groups (self, n_groups);
}

static void
look_at_candidate (GobanImprover *self, GobanMoveCandidate *candidate, const guint32 *units)
{
  goban_move_features_look (self->features, units, candidate->n, self->x, self->can);
  memcpy (candidate->features, self->x + (gsize) candidate->device * GOBAN_MOVE_N_FEATURES,
          sizeof candidate->features);
}

/* One group to one device, with features only if something is learned from them. */
static void
draw_uniformly (GobanImprover *self)
{
  const GArray *group
      = goban_move_groups_draw (self->groups, &self->rng, self->plan, get_largest (self));
  const guint32 *units = (const guint32 *) (const void *) group->data;
  GobanMoveCandidate candidate = { .first = self->drawn->len, .n = group->len };
  GobanDeviceId here = device_of (self, units[0]);

  g_array_append_vals (self->drawn, group->data, group->len);
  candidate.device = (GobanDeviceId) goban_rng_below (&self->rng, self->units->n_devices);
  candidate.score = INFINITY; /* before all others */
  if (candidate.device == here)
    return;
  for (guint i = 0; i < group->len; i++)
    if (!goban_units_can_run (self->units, units[i], candidate.device))
      return;
  if (self->learner != NULL)
    look_at_candidate (self, &candidate, units);
  g_array_append_val (self->candidates, candidate);
}

/* --- the pool ----------------------------------------------------------------------------------- */

static GobanUnitMove
move_of (const GobanImprover *self, const GobanMoveCandidate *candidate)
{
  return (GobanUnitMove){ &g_array_index (self->drawn, guint32, candidate->first), candidate->n,
                          candidate->device };
}

/* @net: (nullable): scores nothing */
static void
score (GobanImprover *self, const GobanScorerNet *net, guint first)
{
  for (guint i = first; i < self->candidates->len; i++)
    {
      GobanMoveCandidate *candidate = &g_array_index (self->candidates, GobanMoveCandidate, i);
      GobanUnitMove own = move_of (self, candidate);

      if (net != NULL)
        goban_scorer_forward (goban_scorer_net_get_scorer (net), &candidate->of_net,
                              candidate->features, self->profile->facts, 1);
      candidate->penalty = PENALTY * goban_failed_moves_get_penalty (self->failed, &own);
      candidate->score = candidate->of_net - candidate->penalty;
    }
}

/* All candidates anew by whose turn it is; what is learned has changed since. */
static void
score_by_turn (GobanImprover *self)
{
  for (guint i = 0; i < self->candidates->len; i++)
    {
      GobanMoveCandidate *candidate = &g_array_index (self->candidates, GobanMoveCandidate, i);
      double score = self->is_learners_turn
                         ? goban_move_learner_score (self->learner, candidate->features)
                         : (double) candidate->of_net;

      candidate->score = (float) score - candidate->penalty;
    }
}

int
goban_move_candidate_compare (const void *a, const void *b)
{
  const GobanMoveCandidate *x = a;
  const GobanMoveCandidate *y = b;

  if (x->score != y->score)
    return x->score > y->score ? -1 : 1;
  return x->first != y->first ? (x->first < y->first ? -1 : 1)
                              : (x->device > y->device) - (x->device < y->device);
}

static gboolean
is_of_one_device (const GobanImprover *self, const guint32 *units, guint n)
{
  for (guint i = 1; i < n; i++)
    if (device_of (self, units[i]) != device_of (self, units[0]))
      return FALSE;
  return TRUE;
}

/* The best groups so far are looked at anew from another plan, or alone if there have been too many. */
static void
renew_pool (GobanImprover *self)
{
  g_autoptr (GArray) old = self->candidates;
  g_autoptr (GArray) drawn = self->drawn;
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  g_array_sort (old, goban_move_candidate_compare);
  self->candidates = g_array_new (FALSE, FALSE, sizeof (GobanMoveCandidate));
  self->drawn = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint i = 0; i < old->len && g_hash_table_size (seen) < MOST_RENEWED; i++)
    {
      const GobanMoveCandidate *candidate = &g_array_index (old, GobanMoveCandidate, i);
      const guint32 *units = &g_array_index (drawn, guint32, candidate->first);

      if (!candidate->is_tried && g_hash_table_add (seen, GUINT_TO_POINTER (candidate->first + 1))
          && is_of_one_device (self, units, candidate->n))
        add_group (self, units, candidate->n);
    }
}

/* What has been drawn from this plan stays in the pool. */
static void
fill_pool (GobanImprover *self, const GobanScorerNet *net)
{
  guint first = self->candidates->len;

  if (!self->is_pool)
    clear_drawn (self);
  else if (self->is_moved || self->candidates->len > MOST_CANDIDATES)
    renew_pool (self);
  if (!self->is_pool || self->is_moved || first > MOST_CANDIDATES)
    first = 0;
  self->is_pool = TRUE;
  self->is_moved = FALSE;
  add_drawn_groups (self, self->settings.n_groups);
  score (self, net, first);
}

static guint64
hash_after (const GobanImprover *self, const GobanMoveCandidate *candidate)
{
  guint64 hash = self->hash;

  for (guint i = 0; i < candidate->n; i++)
    {
      guint32 unit = g_array_index (self->drawn, guint32, candidate->first + i);

      hash += hash_unit (unit, candidate->device) - hash_unit (unit, device_of (self, unit));
    }
  return hash;
}

/* (nullable): the best that has not been tried; it will not be chosen again. */
static const GobanMoveCandidate *
choose (GobanImprover *self)
{
  for (;;)
    {
      GobanMoveCandidate *best = NULL;

      for (guint i = 0; i < self->candidates->len; i++)
        {
          GobanMoveCandidate *candidate = &g_array_index (self->candidates, GobanMoveCandidate, i);

          if (!candidate->is_tried && (best == NULL || candidate->score > best->score))
            best = candidate;
        }
      if (best == NULL)
        return NULL;
      best->is_tried = TRUE;
      if (note_tried (self, hash_after (self, best)))
        return best;
    }
}

/* Whether the next move is the best-scored one: by the network, or by what is learned if it is its turn. */
static gboolean
draw_turn (GobanImprover *self, const GobanScorerNet *net)
{
  gboolean is_scored = net != NULL || self->learner != NULL;

  is_scored = is_scored && goban_rng_uniform (&self->rng) >= self->settings.uniform;
  self->is_learners_turn = is_scored && self->learner != NULL
                           && goban_move_learner_draw_turn (self->learner, &self->rng);
  return is_scored && (net != NULL || self->is_learners_turn);
}

static const GobanMoveCandidate *
propose (GobanImprover *self, const GobanScorerNet *net)
{
  gboolean is_scored = draw_turn (self, net);

  for (guint i = 0; i < N_DRAWS; i++)
    {
      const GobanMoveCandidate *candidate;

      if (is_scored)
        fill_pool (self, net);
      else
        {
          if (!self->is_pool)
            clear_drawn (self);
          draw_uniformly (self);
        }
      if (is_scored && self->learner != NULL)
        score_by_turn (self);
      candidate = choose (self);
      if (candidate != NULL)
        return candidate;
    }
  return NULL;
}

GobanPlan *
goban_improver_new_plan (const GobanImprover *self, const GobanMoveCandidate *candidate)
{
  GobanPlan *plan = goban_plan_copy (self->plan);
  const GobanUnits *units = self->units;

  for (guint i = 0; i < candidate->n; i++)
    {
      guint32 unit = g_array_index (self->drawn, guint32, candidate->first + i);

      for (guint32 k = units->offsets[unit]; k < units->offsets[unit + 1]; k++)
        goban_plan_set_device (plan, units->nodes[k], candidate->device);
    }
  if (self->order == GOBAN_STATIC_TRANSFERS)
    goban_static_orders_apply (self->orders, GOBAN_STATIC_TRANSFERS, plan);
  return plan;
}

/* --- steps -------------------------------------------------------------------------------------- */

static void
note_failure (GobanImprover *self, const GobanMoveCandidate *failed)
{
  GobanUnitMove move = move_of (self, failed);

  goban_failed_moves_add (self->failed, &move,
                          isfinite (failed->score) ? MAX (failed->score, 0) : 0);
}

/* Those in the pool that are much the same as the last failure are expected less of. */
static void
lower_alike (GobanImprover *self)
{
  for (guint i = 0; i < self->candidates->len; i++)
    {
      GobanMoveCandidate *candidate = &g_array_index (self->candidates, GobanMoveCandidate, i);
      GobanUnitMove move = move_of (self, candidate);

      if (!candidate->is_tried)
        {
          float penalty = PENALTY * goban_failed_moves_get_last_penalty (self->failed, &move);

          candidate->score -= penalty;
          candidate->penalty += penalty;
        }
    }
}

static void
learn (GobanImprover *self, const GobanMoveCandidate *candidate, double score_us)
{
  double gain = 1 - score_us / self->score_us;

  if (isfinite (candidate->score))
    goban_move_learner_note_turn (self->learner, self->is_learners_turn, gain > LEAST_SUCCESS);
  goban_move_learner_add (self->learner, candidate->features, gain);
}

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
  const GobanMoveCandidate *candidate = propose (self, net);
  double score_us;

  *tried = NULL;
  if (candidate == NULL)
    return FALSE;
  *tried = goban_improver_new_plan (self, candidate);
  *outcome = goban_simulator_evaluate (self->simulator, *tried);
  score_us = goban_improver_score_us (self, *outcome);
  self->reach = CLAMP (self->reach * (score_us < self->score_us ? GROW : SHRINK), 1e-6, 1);
  self->n_since_orders++;
  if (self->learner != NULL)
    learn (self, candidate, score_us);
  if (score_us >= self->score_us)
    note_failure (self, candidate);
  if (is_taken (self, score_us, fraction))
    stand_on (self, *tried, self->order);
  else
    lower_alike (self);
  return TRUE;
}

/* All static orders but the one it has; goes to the best. FALSE if the budget is spent. */
static gboolean
try_orders (GobanImprover *self, GobanSearch *search, GError **error)
{
  g_autoptr (GobanPlan) best = NULL;
  double best_us = self->score_us;
  guint best_order = self->order;

  for (guint order = 0; order < GOBAN_N_STATIC_ORDERS; order++)
    {
      g_autoptr (GobanPlan) plan = NULL;
      GobanOutcome outcome;

      if (order == self->order)
        continue;
      if (!goban_search_go_on (search, "trying orders", error))
        return FALSE;
      plan = goban_plan_copy (self->plan);
      goban_static_orders_apply (self->orders, (GobanStaticOrder) order, plan);
      outcome = goban_simulator_evaluate (self->simulator, plan);
      goban_search_offer (search, plan, outcome);
      if (goban_improver_score_us (self, outcome) >= best_us)
        continue;
      best_us = goban_improver_score_us (self, outcome);
      best_order = order;
      g_clear_pointer (&best, goban_plan_unref);
      best = g_steal_pointer (&plan);
    }
  if (best != NULL)
    stand_on (self, best, best_order);
  self->ordered_us = self->score_us;
  self->n_since_orders = 0;
  return TRUE;
}

static gboolean
is_time_for_orders (const GobanImprover *self)
{
  return self->settings.has_orders && self->n_since_orders >= STEPS_FOR_ORDERS
         && self->score_us < self->ordered_us * GAIN_FOR_ORDERS;
}

gboolean
goban_improve (GobanImprover *self, const GobanScorerNet *net, const GobanPlan *plan, guint order,
               GobanSearch *search, guint64 n_evaluations, GError **error)
{
  guint64 first = search->n_evaluations;
  double begin = goban_search_get_fraction (search);

  goban_improver_go_to (self, plan, order);
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
      if (is_time_for_orders (self))
        {
          if (!try_orders (self, search, error))
            break;
          continue;
        }
      if (!goban_improver_step (self, net, fraction, &tried, &outcome))
        break;
      goban_search_offer (search, tried, outcome);
    }
  return !search->is_cancelled;
}
