#include "engine/learn/rl/moves/joint-search-private.h"
#include "engine/learn/rl/moves/move-step.h"

#include <math.h>
#include <string.h>

/* Number of evaluations for which a failed move is not tried again. */
#define FAILURE_LASTS 150

/* Number of fusion moves that are compared before an evaluation: this many nodes in total, within
 * these limits. */
#define FUSION_NODES 200000
#define LEAST_FUSIONS 3
#define MOST_FUSIONS 24

/* Largest random shift, as a share of the range of keys; most are smaller. */
#define MOST_SHIFT 0.3

GobanPlan *
goban_joint_search_new_plan (GobanJointSearch *self, const GobanJointChoices *choices)
{
  const GobanPlan *here = self->improver->plan;
  g_autoptr (GobanPlan) plan = goban_plan_copy (here);
  gsize size = (gsize) goban_joint_search_get_n_nodes (self) * sizeof (gint32);

  goban_joint_executor_apply (self->executor, choices, plan);
  if (goban_plan_get_order (plan) == goban_plan_get_order (here)
      && (size == 0
          || (memcmp (goban_plan_get_fusions (plan), goban_plan_get_fusions (here), size) == 0
              && (goban_plan_get_order (plan) == GOBAN_ORDER_FIFO
                  || memcmp (goban_plan_get_priorities (plan), goban_plan_get_priorities (here),
                             size)
                         == 0))))
    return NULL;
  return g_steal_pointer (&plan);
}

void
goban_joint_search_find_order_moves (GobanJointSearch *self)
{
  g_autofree double *keys = NULL;

  if (self->has_order_moves)
    return;
  keys = g_new (double, goban_joint_search_get_n_nodes (self) + 1);
  self->has_own_keys
      = goban_joint_executor_get_keys (self->executor, self->choices, self->improver->plan, keys);
  goban_order_moves_read (self->orders, self->trace, self->has_own_keys ? keys : NULL);
  self->has_order_moves = TRUE;
}

/* --- moves of order ------------------------------------------------------------------------- */

/* Returns choices with keys; an order without keys gets those of the run. */
static GobanJointChoices *
new_keyed_choices (const GobanJointSearch *self)
{
  guint n_nodes = goban_joint_search_get_n_nodes (self);
  GobanJointChoices *choices = goban_joint_choices_copy (self->choices, n_nodes);

  if (self->has_own_keys)
    return choices;
  choices->order = GOBAN_JOINT_KEYS;
  memcpy (choices->keys, self->orders->keys, n_nodes * sizeof *choices->keys);
  memset (choices->shifts, 0, n_nodes * sizeof *choices->shifts);
  return choices;
}

static guint64
mix (guint64 hash, guint64 value)
{
  return goban_rng_mix (hash ^ goban_rng_mix (value));
}

static guint64
mix_fusions (const GobanPlan *plan)
{
  const gint32 *fusions = goban_plan_get_fusions (plan);
  guint64 hash = GOBAN_TASK_FUSION;

  for (guint v = 0; v < goban_plan_get_n_nodes (plan); v++)
    hash = hash * 0x100000001b3u ^ (guint32) fusions[v];
  return mix (hash, 0);
}

static gboolean
has_failed (const GobanJointSearch *self, guint64 hash)
{
  const guint64 *when = g_hash_table_lookup (self->failed, &hash);

  return when != NULL && self->n_steps < *when + FAILURE_LASTS;
}

void
goban_joint_search_note_failure (GobanJointSearch *self, guint64 hash)
{
  g_hash_table_insert (self->failed, g_memdup2 (&hash, sizeof hash),
                       g_memdup2 (&self->n_steps, sizeof self->n_steps));
}

/* The score of the move that is proposed, for a record. */
static void
note_score (GobanJointSearch *self, const GobanScoredMove *move)
{
  if (self->improver->step != NULL)
    self->improver->step->scores[0] = move->score;
}

/* (transfer full) (nullable): the choices after the best move; *hash is the move's */
static GobanJointChoices *
new_best_order (GobanJointSearch *self, guint64 *hash)
{
  for (;;)
    {
      const GobanScoredMove *move = goban_scored_moves_choose (self->orders->moves);
      GobanJointChoices *choices;

      if (move == NULL)
        return NULL;
      *hash = GOBAN_TASK_SCHEDULING;
      for (guint i = 0; i < move->n; i++)
        {
          const GobanKeyShift *shift
              = &g_array_index (self->orders->shifts, GobanKeyShift, move->first + i);

          *hash = mix (*hash, (guint64) shift->node << 1 | (shift->by > 0));
        }
      if (has_failed (self, *hash))
        continue;
      note_score (self, move);
      choices = new_keyed_choices (self);
      for (guint i = 0; i < move->n; i++)
        {
          const GobanKeyShift *shift
              = &g_array_index (self->orders->shifts, GobanKeyShift, move->first + i);

          choices->shifts[shift->node] += shift->by;
        }
      return choices;
    }
}

/* Shifts a random group earlier or later. (transfer full) */
static GobanJointChoices *
new_chance_order (GobanJointSearch *self)
{
  GobanImprover *improver = self->improver;
  const GobanUnits *units = improver->units;
  GobanJointChoices *choices = new_keyed_choices (self);
  const GArray *group = goban_improver_draw_group (improver);
  double size = goban_rng_uniform (&improver->rng);
  double by = size * size * size * MOST_SHIFT * self->orders->range;

  if (goban_rng_below (&improver->rng, 2) == 0)
    by = -by;
  for (guint i = 0; i < group->len; i++)
    {
      guint32 unit = g_array_index (group, guint32, i);

      for (guint32 k = units->offsets[unit]; k < units->offsets[unit + 1]; k++)
        choices->shifts[units->nodes[k]] += by;
    }
  return choices;
}

/* --- moves of fusion ------------------------------------------------------------------------ */

/* Returns choices with levels that fuse as the rule does. (transfer full) */
static GobanJointChoices *
new_levelled_choices (GobanJointSearch *self)
{
  GobanJointChoices *choices
      = goban_joint_choices_copy (self->choices, goban_joint_search_get_n_nodes (self));
  const gint32 *fusions = goban_plan_get_fusions (self->improver->plan);

  if (choices->fusion == GOBAN_FUSES_LEVELS)
    return choices;
  if (choices->fusion == GOBAN_FUSES_AS_IT_IS)
    for (guint v = 0; v < goban_joint_search_get_n_nodes (self); v++)
      choices->levels[v] = fusions[v] != GOBAN_NO_FUSION ? GOBAN_MIDDLE_LEVEL : 0;
  else
    goban_joint_executor_get_levels (self->executor, choices->fusion, self->improver->plan,
                                     choices->levels);
  choices->fusion = GOBAN_FUSES_LEVELS;
  return choices;
}

/* A level above all levels in use or set by a rule. */
static gint32
get_top_level (const GobanJointSearch *self, const GobanJointChoices *choices)
{
  gint32 top = (gint32) goban_joint_search_get_n_nodes (self);

  for (guint v = 0; v < goban_joint_search_get_n_nodes (self); v++)
    top = MAX (top, choices->levels[v]);
  return MIN (top, G_MAXINT32 - 2) + 1;
}

static GobanJointChoices *
new_best_fusion (GobanJointSearch *self, guint64 *hash)
{
  for (;;)
    {
      const GobanScoredMove *move = goban_scored_moves_choose (self->fusions->moves);
      GobanJointChoices *choices;
      gint32 level;

      if (move == NULL)
        return NULL;
      *hash = mix (GOBAN_TASK_FUSION, move->joins);
      for (guint i = 0; i < move->n; i++)
        *hash = mix (*hash, g_array_index (self->fusions->nodes, guint32, move->first + i));
      if (has_failed (self, *hash))
        continue;
      note_score (self, move);
      choices = new_levelled_choices (self);
      level = move->joins ? get_top_level (self, choices) : 0;
      for (guint i = 0; i < move->n; i++)
        choices->levels[g_array_index (self->fusions->nodes, guint32, move->first + i)] = level;
      return choices;
    }
}

/* Sets a random group, or all ops of a kind, to be fused first, last, in between, or not at all.
 * (transfer full) */
static GobanJointChoices *
new_chance_fusion (GobanJointSearch *self)
{
  GobanImprover *improver = self->improver;
  const GobanUnits *units = improver->units;
  GobanJointChoices *choices = new_levelled_choices (self);
  gint32 top = get_top_level (self, choices);
  gint32 levels[] = { 0, 1, top, 1 + (gint32) goban_rng_below (&improver->rng, (guint32) top) };
  gint32 level = levels[goban_rng_below (&improver->rng, G_N_ELEMENTS (levels))];
  const GArray *group;

  if (goban_rng_below (&improver->rng, 2) == 0)
    {
      guint node = goban_rng_below (&improver->rng, goban_joint_search_get_n_nodes (self));

      guint32 kind = self->fusions->kind_of[node];

      for (guint v = 0; v < goban_joint_search_get_n_nodes (self); v++)
        if (self->fusions->kind_of[v] == kind)
          choices->levels[v] = level;

      return choices;
    }
  group = goban_improver_draw_group (improver);
  for (guint i = 0; i < group->len; i++)
    {
      guint32 unit = g_array_index (group, guint32, i);

      for (guint32 k = units->offsets[unit]; k < units->offsets[unit + 1]; k++)
        choices->levels[units->nodes[k]] = level;
    }
  return choices;
}

/* Returns the one of several moves that saves most work, because making kernels is cheaper than
 * simulating. (transfer full) (nullable) */
static GobanJointChoices *
new_saving_fusion (GobanJointSearch *self, guint64 *hash)
{
  guint n_draws = CLAMP (FUSION_NODES / MAX (goban_joint_search_get_n_nodes (self), 1),
                         LEAST_FUSIONS, MOST_FUSIONS);
  g_autoptr (GobanJointChoices) best = NULL;
  double least_us = INFINITY;

  *hash = 0;
  for (guint i = 0; i < n_draws; i++)
    {
      guint64 own = 0;
      g_autoptr (GobanJointChoices) choices = i % 2 == 0 ? new_best_fusion (self, &own) : NULL;
      g_autoptr (GobanPlan) plan = NULL;
      double work_us;

      if (choices == NULL)
        choices = new_chance_fusion (self);
      plan = goban_joint_search_new_plan (self, choices);
      if (plan == NULL)
        continue;
      own = mix_fusions (plan);
      if (has_failed (self, own))
        continue;
      work_us = goban_joint_executor_get_work_us (self->executor, plan);
      if (work_us >= least_us)
        continue;
      least_us = work_us;
      *hash = own;
      g_clear_pointer (&best, goban_joint_choices_free);
      best = g_steal_pointer (&choices);
    }
  return g_steal_pointer (&best);
}

void
goban_joint_search_find_moves (GobanJointSearch *self, GobanTask task)
{
  if (task == GOBAN_TASK_SCHEDULING)
    goban_joint_search_find_order_moves (self);
  else if (!self->has_fusion_moves)
    {
      goban_fusion_moves_read (self->fusions, self->trace);
      self->has_fusion_moves = TRUE;
    }
}

/* Begins the step in a record. */
static void
begin_step (GobanJointSearch *self, GobanTask task, const char *proposer)
{
  GobanMoveStep *step = self->improver->step;

  if (step == NULL)
    return;
  goban_move_step_begin (step, task, proposer, self->improver->outcome.makespan_us);
  goban_move_step_choose (step, 1);
  step->is_scored = strcmp (proposer, "estimate") == 0;
  step->is_drawn = strcmp (proposer, "chance") == 0;
}

GobanJointChoices *
goban_joint_search_propose (GobanJointSearch *self, GobanTask task, gboolean is_scored,
                            guint64 *hash)
{
  GobanJointChoices *choices = NULL;
  gboolean is_order = task == GOBAN_TASK_SCHEDULING;
  const char *proposer = "estimate";

  *hash = 0;
  if (is_scored && is_order)
    choices = new_best_order (self, hash);
  else if (is_scored && goban_rng_below (&self->improver->rng, 2) == 0)
    choices = new_best_fusion (self, hash);
  else if (is_scored)
    {
      choices = new_saving_fusion (self, hash);
      proposer = "saved work";
    }
  if (choices == NULL)
    {
      *hash = 0;
      choices = is_order ? new_chance_order (self) : new_chance_fusion (self);
      proposer = "chance";
    }
  begin_step (self, task, proposer);
  return choices;
}
