#include "engine/learn/rl/moves/improver-private.h"

#include <math.h>
#include <string.h>

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

GobanDeviceId
goban_improver_device_of (const GobanImprover *self, guint32 unit)
{
  return goban_plan_get_device (self->plan, self->units->nodes[self->units->offsets[unit]]);
}

guint64
goban_improver_hash_unit (guint32 unit, GobanDeviceId device)
{
  return goban_rng_mix ((guint64) unit << 16 | device);
}

gboolean
goban_improver_note_tried (GobanImprover *self, guint64 hash)
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
  GobanDeviceId here = goban_improver_device_of (self, units[0]);

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
        goban_scorer_forward (goban_scorer_net_get_scorer (net), &candidate->by[0],
                              candidate->features, self->profile->facts, 1);
      if (self->second != NULL)
        goban_scorer_forward (goban_scorer_net_get_scorer (self->second), &candidate->by[1],
                              candidate->features, self->profile->facts, 1);
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
    if (goban_improver_device_of (self, units[i]) != goban_improver_device_of (self, units[0]))
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

      hash += goban_improver_hash_unit (unit, candidate->device)
              - goban_improver_hash_unit (unit, goban_improver_device_of (self, unit));
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
      goban_improver_note_tried (self, hash_after (self, chosen));
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
      if (goban_improver_note_tried (self, hash_after (self, best[0])))
        return self->step != NULL ? note_step (self, best, n) : best[0];
    }
}

const GobanMoveCandidate *
goban_improver_propose (GobanImprover *self, const GobanScorerNet *net)
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

void
goban_improver_note_failure (GobanImprover *self, const GobanMoveCandidate *failed)
{
  GobanUnitMove move = move_of (self, failed);

  goban_failed_moves_add (self->failed, &move,
                          isfinite (failed->score) ? MAX (failed->score, 0) : 0);
}

void
goban_improver_lower_alike (GobanImprover *self)
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
