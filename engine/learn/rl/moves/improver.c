#include "engine/learn/rl/moves/improver.h"

#include "engine/learn/nn/vector.h"
#include "engine/sim/evaluator.h"

#include <math.h>
#include <string.h>

#define N_KEPT 64

typedef struct
{
  guint n; /* units; 0: none */
  GobanDeviceId device;
  float score;
} Failed;

struct _GobanFailedMoves
{
  guint n_units;
  Failed kept[N_KEPT];
  guint n;       /* number of recorded moves; the next is stored at this modulo N_KEPT */
  guint64 *sets; /* (n_units) bit i: in the group of kept[i] */
};

GobanFailedMoves *
goban_failed_moves_new (guint n_units)
{
  GobanFailedMoves *self = g_new0 (GobanFailedMoves, 1);

  self->n_units = n_units;
  self->sets = g_new0 (guint64, n_units + 1);
  return self;
}

void
goban_failed_moves_free (GobanFailedMoves *self)
{
  g_free (self->sets);
  g_free (self);
}

void
goban_failed_moves_forget (GobanFailedMoves *self)
{
  memset (self->kept, 0, sizeof self->kept);
  memset (self->sets, 0, self->n_units * sizeof *self->sets);
  self->n = 0;
}

void
goban_failed_moves_add (GobanFailedMoves *self, const GobanUnitMove *move, float score)
{
  guint slot = self->n++ % N_KEPT;
  guint64 bit = (guint64) 1 << slot;

  if (self->kept[slot].n > 0)
    for (guint u = 0; u < self->n_units; u++)
      self->sets[u] &= ~bit;
  for (guint i = 0; i < move->n; i++)
    self->sets[move->units[i]] |= bit;
  self->kept[slot] = (Failed){ move->n, move->device, score };
}

static float
find_penalty (const Failed *failed, const GobanUnitMove *move, guint n_both)
{
  if (n_both == 0 || failed->device != move->device)
    return 0;
  return failed->score * ((float) n_both / (float) (move->n + failed->n - n_both));
}

float
goban_failed_moves_get_penalty (const GobanFailedMoves *self, const GobanUnitMove *move)
{
  guint n_both[N_KEPT] = { 0 };
  float penalty = 0;

  for (guint i = 0; i < move->n; i++)
    for (guint64 sets = self->sets[move->units[i]]; sets != 0; sets &= sets - 1)
      n_both[__builtin_ctzll (sets)]++;
  for (guint k = 0; k < N_KEPT; k++)
    {
      float own = find_penalty (&self->kept[k], move, n_both[k]);

      penalty = own > penalty ? own : penalty;
    }
  return penalty;
}

float
goban_failed_moves_get_last_penalty (const GobanFailedMoves *self, const GobanUnitMove *move)
{
  guint slot = (self->n + N_KEPT - 1) % N_KEPT;
  guint n_both = 0;

  if (self->kept[slot].device != move->device)
    return 0;
  for (guint i = 0; i < move->n; i++)
    n_both += self->sets[move->units[i]] >> slot & 1;
  return self->n > 0 ? find_penalty (&self->kept[slot], move, n_both) : 0;
}

#define GOBAN_IMPROVER_LEAST_GROUP 4

/* Added to the successes of proposers, so that none stops. */
#define LEAST_SUCCESS 0.02

/* Most draws to find a plan that has not been tried. */
#define N_DRAWS 20

/* Least number of drawn groups, whatever their size. */
#define LEAST_GROUPS 8
/* No more groups are drawn if they have this many units together, so that scoring does not take
 * longer than simulating. */
#define LEAST_UNITS 1000
#define SHARE_OF_UNITS 4

/* Share of the groups that are extended to whole kernels, if the plan is fused. */
#define WHOLE_KERNELS 0.5

/* Larger pools are cut down to the best candidates. */
#define MOST_CANDIDATES 4096
#define MOST_RENEWED 32

/* Penalty for a move of the same units to the same device as a failed one, as a share of its
 * score. */
#define PENALTY 1.0f

/* The device of a unit in the plan. */
static GobanDeviceId
device_of (const GobanImprover *self, guint32 unit)
{
  return goban_plan_get_device (self->plan, self->units->nodes[self->units->offsets[unit]]);
}

/* Hash of one unit on one device; the hash of a placement is the sum over units. */
static guint64
hash_unit (guint32 unit, GobanDeviceId device)
{
  return goban_rng_mix ((guint64) unit << 16 | device);
}

/* Records a placement as tried; FALSE if it was tried before. */
static gboolean
note_tried (GobanImprover *self, guint64 hash)
{
  return g_hash_table_add (self->tried, g_memdup2 (&hash, sizeof hash));
}

/* --- moves ---------------------------------------------------------------------------------- */

static guint
get_largest (const GobanImprover *self)
{
  return (guint) MAX (self->most * self->reach, GOBAN_IMPROVER_LEAST_GROUP);
}

static void
clear_drawn (GobanImprover *self)
{
  g_array_set_size (self->drawn, 0);
  g_array_set_size (self->candidates, 0);
}

/* Adds a candidate for each device to which the group can go. */
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

static const GArray *
draw_for_move (GobanImprover *self)
{
  const GArray *group
      = goban_move_groups_draw (self->groups, &self->rng, self->plan, get_largest (self));

  if (self->profile->is_fused && goban_rng_uniform (&self->rng) < WHOLE_KERNELS)
    goban_move_groups_close (self->groups, self->profile->kernel_of, self->profile->next_fused);
  return group;
}

/* Draws groups, fewer if they are large. */
static void
add_drawn_groups (GobanImprover *self, guint n_groups)
{
  guint first = self->drawn->len;
  guint n_most = MAX (LEAST_UNITS, self->units->n_units / SHARE_OF_UNITS);

  for (guint i = 0; i < n_groups; i++)
    {
      if (i >= LEAST_GROUPS && self->drawn->len - first >= n_most)
        break;

      const GArray *group = draw_for_move (self);

      add_group (self, (const guint32 *) (const void *) group->data, group->len);
    }
}

const GArray *
goban_improver_draw_group (GobanImprover *self)
{
  return goban_move_groups_draw (self->groups, &self->rng, self->plan, get_largest (self));
}

void
goban_improver_draw (GobanImprover *self, guint n_groups)
{
  clear_drawn (self);
  self->is_pool = FALSE;
  add_drawn_groups (self, n_groups);
}

/* Draws one group and one device uniformly. */
static void
draw_uniformly (GobanImprover *self)
{
  const GArray *group = draw_for_move (self);
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
  g_array_append_val (self->candidates, candidate);
}

/* --- the pool ------------------------------------------------------------------------------- */

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
        goban_scorer_forward (&net->scorer, &candidate->by[0], candidate->features,
                              self->profile->facts, 1);
      if (self->second != NULL)
        goban_scorer_forward (&self->second->scorer, &candidate->by[1], candidate->features,
                              self->profile->facts, 1);
      candidate->penalty = PENALTY * goban_failed_moves_get_penalty (self->failed, &own);
    }
}

/* All candidates get the scores of the proposer whose turn it is. */
static void
score_by_turn (GobanImprover *self)
{
  for (guint i = 0; i < self->candidates->len; i++)
    {
      GobanMoveCandidate *candidate = &g_array_index (self->candidates, GobanMoveCandidate, i);

      candidate->score = candidate->by[self->turn] - candidate->penalty;
    }
}

/* Draws whose turn it is. */
static void
draw_turn (GobanImprover *self)
{
  double second = self->successes[1] + LEAST_SUCCESS;
  double all = second + self->successes[0] + LEAST_SUCCESS;

  self->turn = self->second != NULL && goban_rng_uniform (&self->rng) * all < second;
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

/* Computes the best candidates anew for another plan, or drops all others if there are too many. */
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

/* Writes the move to a record, one of the @n best candidates; returns the one to take. */
static GobanMoveCandidate *
note_step (GobanImprover *self, GobanMoveCandidate *const *best, guint n)
{
  GobanMoveCandidate *chosen;
  GobanMoveStep *step = self->step;

  goban_move_step_begin (step, GOBAN_TASK_PLACEMENT,
                         !self->is_scored ? "chance"
                         : self->turn > 0 ? "hand"
                                          : "network",
                         self->outcome.makespan_us);
  step->is_drawn = !self->is_scored;
  step->is_scored = !step->is_drawn;
  for (guint k = 0; k < n; k++)
    step->scores[k] = best[k]->score;
  chosen = best[goban_move_step_choose (step, step->is_drawn ? 1 : n)];
  if (chosen != best[0])
    {
      chosen->is_tried = TRUE;
      note_tried (self, hash_after (self, chosen));
    }
  for (guint i = 0; i < chosen->n; i++)
    {
      guint32 unit = g_array_index (self->drawn, guint32, chosen->first + i);

      for (guint32 k = self->units->offsets[unit]; k < self->units->offsets[unit + 1]; k++)
        goban_move_step_add_node (step, self->units->nodes[k],
                                  goban_plan_get_device (self->plan, self->units->nodes[k]),
                                  chosen->device);
    }
  return chosen;
}

/* best (n_most): the best untried candidates, in order. Returns their number. */
static guint
find_best (const GobanImprover *self, GobanMoveCandidate **best, guint n_most)
{
  guint n = 0;

  for (guint i = 0; i < self->candidates->len; i++)
    {
      GobanMoveCandidate *candidate = &g_array_index (self->candidates, GobanMoveCandidate, i);
      guint k;

      if (candidate->is_tried || (n == n_most && candidate->score <= best[n - 1]->score))
        continue;
      n = MIN (n + 1, n_most);
      for (k = n - 1; k > 0 && best[k - 1]->score < candidate->score; k--)
        best[k] = best[k - 1];
      best[k] = candidate;
    }
  return n;
}

/* Returns the best untried candidate and marks it as tried. (nullable) */
static const GobanMoveCandidate *
choose (GobanImprover *self)
{
  for (;;)
    {
      GobanMoveCandidate *best[GOBAN_MOVE_STEP_N_OPTIONS];
      guint n = find_best (self, best, self->step != NULL ? G_N_ELEMENTS (best) : 1);

      if (n == 0)
        return NULL;
      best[0]->is_tried = TRUE;
      if (note_tried (self, hash_after (self, best[0])))
        return self->step != NULL ? note_step (self, best, n) : best[0];
    }
}

/* Returns the move to simulate next. (nullable): %NULL if none is left. Borrowed until the next
 * call. */
static const GobanMoveCandidate *
propose (GobanImprover *self, const GobanScorerNet *net)
{
  gboolean is_scored = net != NULL && goban_rng_uniform (&self->rng) >= self->settings.uniform;

  self->is_scored = is_scored;
  if (is_scored)
    draw_turn (self);
  for (guint i = 0; i < N_DRAWS; i++)
    {
      const GobanMoveCandidate *candidate;

      if (is_scored)
        {
          /* Draws groups and adds them to the pool of this plan. */
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
          score_by_turn (self);
        }
      else
        {
          if (!self->is_pool)
            clear_drawn (self);
          draw_uniformly (self);
        }
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
  if (self->hook.complete != NULL)
    self->hook.complete (self->hook.data, plan);
  else if (self->order == GOBAN_STATIC_TRANSFERS)
    goban_static_orders_apply (self->orders, GOBAN_STATIC_TRANSFERS, plan);
  return plan;
}

/* --- failures ------------------------------------------------------------------------------- */

static void
note_failure (GobanImprover *self, const GobanMoveCandidate *failed)
{
  GobanUnitMove move = move_of (self, failed);

  goban_failed_moves_add (self->failed, &move,
                          isfinite (failed->score) ? MAX (failed->score, 0) : 0);
}

/* Lowers the scores of candidates that are similar to the last failed move. */
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

const GobanImproverSettings goban_improver_settings_default
    = { .n_groups = 64, .uniform = 0.05, .heat = -1 };

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
  self->settings = goban_improver_settings_default;
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
    self->hash += hash_unit (u, device_of (self, u));
  note_tried (self, self->hash);
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
  if (self->is_scored)
    self->successes[self->turn]
        += NEWEST_SHARE * ((score_us < self->score_us) - self->successes[self->turn]);
  if (score_us >= self->score_us)
    note_failure (self, candidate);
  self->is_taken
      = is_taken (self, score_us, fraction) || (self->step != NULL && self->step->is_forced);
  if (self->is_taken)
    stand_on (self, *tried, self->order);
  else
    lower_alike (self);
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

/* --- rules ---------------------------------------------------------------------------------- */

/* Writes the choice of a rule; it may be another one than the best. */
static void
write_rules (GobanImprover *self, GobanSearch *search, GobanRuleTrials *trials, gboolean is_taken)
{
  GobanDecisionsWriter *writer;
  guint32 taken;

  if (self->step == NULL)
    return;
  writer = goban_move_step_open_rules (self->step, trials, &taken);
  if (taken != trials->best)
    {
      g_clear_pointer (&trials->plan, goban_plan_unref);
      trials->plan = taken != trials->here ? trials->new_plan (trials->data, taken) : NULL;
      trials->best = taken;
      trials->evaluation = 0;
      if (trials->plan != NULL)
        trials->outcome = goban_simulator_evaluate (self->simulator, trials->plan);
    }
  goban_move_step_close_rules (self->step, writer, trials->plan, trials->outcome,
                               trials->evaluation > 0
                                   && trials->evaluation == search->best_evaluation,
                               is_taken && trials->plan != NULL);
}

gboolean
goban_improver_try_rules (GobanImprover *self, GobanRuleTrials *trials, GobanSearch *search,
                          const char *what, GError **error)
{
  gboolean goes_on = TRUE;

  for (guint rule = 0; rule <= trials->n_rules; rule++)
    trials->scores_us[rule] = (double) NAN;
  trials->best = trials->here;
  trials->scores_us[trials->here] = self->score_us;
  for (guint rule = 0; rule < trials->n_rules; rule++)
    {
      g_autoptr (GobanPlan) plan = NULL;
      GobanOutcome outcome;

      if (rule == trials->here)
        continue;
      goes_on = goban_search_go_on (search, what, error);
      if (!goes_on)
        break;
      plan = trials->new_plan (trials->data, rule);
      if (plan == NULL)
        continue;
      outcome = goban_simulator_evaluate (self->simulator, plan);
      goban_search_consider (search, plan, outcome);
      trials->scores_us[rule] = goban_improver_score_us (self, outcome);
      if (trials->note != NULL)
        trials->note (trials->data, trials->scores_us[rule]);
      if (trials->scores_us[rule] >= trials->scores_us[trials->best])
        continue;
      trials->best = rule;
      trials->outcome = outcome;
      trials->evaluation = search->n_evaluations;
      g_clear_pointer (&trials->plan, goban_plan_unref);
      trials->plan = g_steal_pointer (&plan);
    }
  write_rules (self, search, trials, goes_on);
  return goes_on;
}

static GobanPlan *
new_ordered (gpointer data, guint order)
{
  const GobanImprover *self = data;
  GobanPlan *plan = goban_plan_copy (self->plan);

  goban_static_orders_apply (self->orders, (GobanStaticOrder) order, plan);
  return plan;
}

/* Tries all other static orders and takes the best. FALSE if the budget is spent. */
static gboolean
try_orders (GobanImprover *self, GobanSearch *search, GError **error)
{
  gboolean is_rule = self->order != GOBAN_ORDER_AS_IT_IS;
  g_auto (GobanRuleTrials) trials
      = { .task = GOBAN_TASK_SCHEDULING,
          .names = is_rule ? GOBAN_STATIC_ORDER_NAMES : GOBAN_STATIC_ORDER_NAMES ", as it is",
          .n_rules = GOBAN_N_STATIC_ORDERS,
          .here = self->order,
          .new_plan = new_ordered,
          .data = self };

  if (!goban_improver_try_rules (self, &trials, search, "trying orders", error))
    return FALSE;
  if (trials.plan != NULL)
    stand_on (self, trials.plan, trials.best);
  self->ordered_us = self->score_us;
  self->n_since_orders = 0;
  return TRUE;
}

gboolean
goban_improve (GobanImprover *self, const GobanScorerNet *net, const GobanPlan *plan, guint order,
               GobanSearch *search, GError **error)
{
  double begin = goban_search_get_fraction (search);

  goban_improver_go_to (self, plan, order);
  if (self->step != NULL)
    goban_move_step_start (self->step, self->plan, self->outcome);
  self->ordered_us = self->score_us;
  while (goban_search_go_on (search, "improving", error))
    {
      double fraction = (goban_search_get_fraction (search) - begin) / (1 - begin);
      g_autoptr (GobanPlan) tried = NULL;
      GobanOutcome outcome;

      if (self->n_since_orders >= STEPS_FOR_ORDERS
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

/* Number of splits tried for the start in goban_move_problem_try(). */
#define N_SPLITS 5

/* --- construction and disposal -------------------------------------------------------------- */

GobanMoveProblem *
goban_move_problem_new (GobanCostModel *costs, GError **error)
{
  g_autoptr (GobanMoveProblem) self = g_new0 (GobanMoveProblem, 1);

  self->costs = goban_cost_model_ref (costs);
  self->units = goban_units_new (costs, error);
  if (self->units == NULL)
    return NULL;
  self->splits = goban_cell_splits_new (self->units);
  self->improver = goban_improver_new (self->units, self->splits->cells, self->splits->rows, 0);
  return g_steal_pointer (&self);
}

void
goban_move_problem_free (GobanMoveProblem *self)
{
  g_clear_pointer (&self->improver, goban_improver_free);
  g_clear_pointer (&self->splits, goban_cell_splits_free);
  g_clear_pointer (&self->units, goban_units_free);
  g_clear_pointer (&self->costs, goban_cost_model_unref);
  g_free (self);
}

/* --- starts --------------------------------------------------------------------------------- */

typedef struct
{
  GobanMoveProblem *problem;
  GobanSearch *search; /* (nullable): no budget */
  GobanPlan *best;
  double best_us;
  guint order;
} Start;

/* Simulates and offers a plan, and takes it. FALSE if the budget is spent. */
static gboolean
offer (Start *self, GobanPlan *plan, guint order, GError **error)
{
  GobanImprover *improver = self->problem->improver;
  gboolean goes_on
      = self->search == NULL || goban_search_go_on (self->search, "splitting cells", error);
  GobanOutcome outcome;

  if (goes_on)
    {
      outcome = goban_simulator_evaluate (improver->simulator, plan);
      if (self->search != NULL)
        goban_search_offer (self->search, plan, outcome);
      if (self->best == NULL || goban_improver_score_us (improver, outcome) < self->best_us)
        {
          g_clear_pointer (&self->best, goban_plan_unref);
          self->best = goban_plan_ref (plan);
          self->best_us = goban_improver_score_us (improver, outcome);
          self->order = order;
        }
    }
  goban_plan_unref (plan);
  return goes_on;
}

static GobanPlan *
new_split (const GobanMoveProblem *self, const GobanDeviceId *devices, guint order)
{
  GobanPlan *plan = goban_plan_new (self->units->graph, self->units->n_devices);

  goban_cell_splits_place (self->splits, devices, plan);
  goban_static_orders_apply (self->improver->orders, (GobanStaticOrder) order, plan);
  return plan;
}

static void
find_start (Start *self, guint n_splits, GError **error)
{
  const GobanMoveProblem *problem = self->problem;
  g_autoptr (GPtrArray) cuts = goban_cell_splits_all (problem->splits, n_splits);
  g_autoptr (GobanPlan) placement = NULL;

  for (guint i = 0; i < cuts->len; i++)
    if (!offer (self, new_split (problem, cuts->pdata[i], GOBAN_STATIC_TRANSFERS),
                GOBAN_STATIC_TRANSFERS, error))
      return;
  placement = goban_plan_copy (self->best);
  for (guint order = GOBAN_STATIC_TRANSFERS + 1; order < GOBAN_N_STATIC_ORDERS; order++)
    {
      GobanPlan *plan = goban_plan_copy (placement);

      goban_static_orders_apply (problem->improver->orders, (GobanStaticOrder) order, plan);
      if (!offer (self, plan, order, error))
        return;
    }
}

GobanPlan *
goban_move_problem_start (GobanMoveProblem *self, GobanSearch *search, guint n_splits, guint *order,
                          GError **error)
{
  Start start = { .problem = self, .search = search, .best_us = INFINITY };

  find_start (&start, n_splits, error);
  *order = start.order;
  return start.best;
}

GobanPlan *
goban_move_problem_draw_start (GobanMoveProblem *self, GobanRng *rng, guint *order)
{
  static const GobanStaticOrder orders[]
      = { GOBAN_STATIC_TRANSFERS, GOBAN_STATIC_TRANSFERS, GOBAN_STATIC_TRANSFERS,
          GOBAN_STATIC_DEPTH,     GOBAN_STATIC_TIMES,     GOBAN_STATIC_FIFO };
  g_autoptr (GPtrArray) cuts = goban_cell_splits_all (self->splits, G_MAXUINT);

  *order = orders[goban_rng_below (rng, G_N_ELEMENTS (orders))];
  return new_split (self, cuts->pdata[goban_rng_below (rng, cuts->len)], *order);
}

/* --- measuring a network -------------------------------------------------------------------- */

void
goban_move_problem_try (GobanMoveProblem *self, const GobanScorerNet *net, guint64 seed,
                        const guint *counts, guint n, double *best_us)
{
  GobanImprover *improver = self->improver;
  guint order;
  g_autoptr (GobanPlan) start = goban_move_problem_start (self, NULL, N_SPLITS, &order, NULL);
  double least_us;
  guint n_done = 0;

  goban_rng_init (&improver->rng, seed);
  goban_improver_go_to (improver, start, order);
  least_us = improver->score_us;
  for (guint i = 0; i < n; i++)
    {
      for (gboolean goes_on = TRUE; n_done < counts[i] && goes_on; n_done++)
        {
          g_autoptr (GobanPlan) tried = NULL;
          GobanOutcome outcome;

          goes_on = goban_improver_step (improver, net, (double) n_done / counts[n - 1], &tried,
                                         &outcome);
          if (goes_on)
            least_us = MIN (least_us, goban_improver_score_us (improver, outcome));
        }
      best_us[i] = least_us;
    }
}
