#include "engine/rl/joint-search.h"

#include <math.h>
#include <string.h>

/* What a task is expected to gain at first by an evaluation. */
#define FIRST_MEAN 1e-3

/* Gain, and evaluations, after which rules are tried again. */
#define GAIN_FOR_RULES 0.98
#define STEPS_FOR_RULES 24

/* A move that failed is not tried again for so many evaluations. */
#define FAILURE_LASTS 150

/* Draws until one leads to another plan. */
#define N_DRAWS 30

/* Work counts for less as the search goes on, and for nothing after that share of it. */
#define WORK_COUNTS 0.8
/* A plan that saves work is at most so much longer than the best. */
#define MOST_LONGER 0.01

/* Of moves of fusion that are compared for an evaluation: so many nodes in all, within these limits. */
#define FUSION_NODES 200000
#define LEAST_FUSIONS 3
#define MOST_FUSIONS 24

/* Shifts by chance are up to that share of the range of keys, mostly less. */
#define MOST_SHIFT 0.3

GobanJointSettings
goban_joint_settings_default (void)
{
  return (GobanJointSettings){ .least_share = 0.05, .memory = 0.15, .work = 1 };
}

/* --- life --------------------------------------------------------------------------------------- */

static gboolean
decides (const GobanJointSearch *self, GobanDecision decision)
{
  return goban_decisions_have (self->decisions, decision);
}

static guint
get_n_nodes (const GobanJointSearch *self)
{
  return goban_graph_get_n_nodes (self->improver->units->graph);
}

static void
complete (gpointer data, GobanPlan *plan)
{
  GobanJointSearch *self = data;

  goban_joint_executor_apply (self->executor, self->choices, plan);
}

static void
read_run (gpointer data, const GobanTrace *trace)
{
  GobanJointSearch *self = data;

  g_clear_pointer (&self->trace, goban_trace_unref);
  self->trace = goban_trace_ref ((GobanTrace *) trace);
  self->has_order_moves = self->has_fusion_moves = FALSE;
}

GobanJointSearch *
goban_joint_search_new (GobanImprover *improver, GobanDecisions decisions)
{
  GobanJointSearch *self = g_new0 (GobanJointSearch, 1);

  self->improver = improver;
  self->decisions = decisions;
  self->settings = goban_joint_settings_default ();
  self->executor = goban_joint_executor_new (improver->units, improver->orders);
  self->choices = goban_joint_choices_new (get_n_nodes (self));
  self->orders = goban_order_moves_new (improver->profile);
  self->fusions = goban_fusion_moves_new (improver->profile);
  self->failed = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  improver->hook = (GobanImproverHook){ complete, read_run, self };
  return self;
}

void
goban_joint_search_free (GobanJointSearch *self)
{
  if (self == NULL)
    return;
  self->improver->hook = (GobanImproverHook){ 0 };
  g_clear_pointer (&self->trace, goban_trace_unref);
  goban_fusion_moves_free (self->fusions);
  goban_order_moves_free (self->orders);
  goban_joint_choices_free (self->choices);
  goban_joint_executor_free (self->executor);
  g_hash_table_unref (self->failed);
  g_free (self);
}

/* --- trying other choices ----------------------------------------------------------------------- */

static guint
get_order_mark (const GobanJointSearch *self)
{
  return GOBAN_ORDER_AS_IT_IS + self->n_rules;
}

/* The plan that the improver stands on, by other choices; NULL if that is the same plan. (transfer full) */
static GobanPlan *
new_plan (GobanJointSearch *self, const GobanJointChoices *choices)
{
  const GobanPlan *here = self->improver->plan;
  g_autoptr (GobanPlan) plan = goban_plan_copy (here);
  gsize size = (gsize) get_n_nodes (self) * sizeof (gint32);

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

/* Of an evaluation that a task was given. */
static void
note (GobanJointSearch *self, GobanTaskRecord *record, double score_us)
{
  double gain = score_us < self->best_us ? 1 - score_us / self->best_us : 0;

  self->n_steps++;
  self->best_us = MIN (self->best_us, score_us);
  record->n_evaluations++;
  record->n_gains += gain > 0;
  record->gain += gain;
  record->mean += self->settings.memory * (gain - record->mean);
}

/* Takes @choices. */
static void
go_on_from (GobanJointSearch *self, GobanJointChoices *choices)
{
  goban_joint_choices_free (self->choices);
  self->choices = choices;
}

/* What fusion saves on a device that nobody waits for shortens nothing, until placement gives that device more to do. So
 * plans that differ in fusion are compared by makespan and work of the mean device, until the search is nearly over. */
static gboolean
saves_work (GobanJointSearch *self, const GobanPlan *plan, GobanOutcome outcome, double fraction)
{
  const GobanImprover *improver = self->improver;
  double score_us = goban_improver_score_us (improver, outcome);
  double weight = self->settings.work * MAX (1 - fraction / WORK_COUNTS, 0);
  double saved_us;

  if (weight <= 0 || score_us > self->best_us * (1 + MOST_LONGER))
    return FALSE;
  saved_us = goban_joint_executor_get_work_us (self->executor, improver->plan)
             - goban_joint_executor_get_work_us (self->executor, plan);
  return score_us - improver->score_us < weight * saved_us / improver->units->n_devices;
}

/* Simulates the plan of @choices (transfer full) and goes on from it as the improver says. Returns: whether it does */
static gboolean
try_choices (GobanJointSearch *self, GobanJointChoices *choices, const GobanPlan *plan,
             GobanTaskRecord *record, GobanSearch *search)
{
  GobanOutcome outcome = goban_simulator_evaluate (self->improver->simulator, plan);
  double fraction = goban_search_get_fraction (search);
  gboolean is_taken = goban_improver_would_take (self->improver, outcome, fraction);

  goban_search_offer (search, plan, outcome);
  note (self, record, goban_improver_score_us (self->improver, outcome));
  if (record == &self->records[GOBAN_DECIDE_FUSION])
    is_taken = is_taken || saves_work (self, plan, outcome, fraction);
  if (!is_taken)
    {
      goban_joint_choices_free (choices);
      return FALSE;
    }
  go_on_from (self, choices);
  goban_improver_take (self->improver, plan, get_order_mark (self));
  return TRUE;
}

/* --- rules -------------------------------------------------------------------------------------- */

/* What order of the trying comes next: all but the one that there is. */
static void
set_order_rule (GobanJointSearch *self, GobanJointChoices *choices, guint rule)
{
  gsize size = (gsize) get_n_nodes (self) * sizeof (double);

  choices->order = rule;
  memset (choices->shifts, 0, size);
  if (rule == GOBAN_JOINT_KEYS)
    goban_order_moves_fill_latest (self->orders, choices->keys);
}

static void
find_order_moves (GobanJointSearch *self)
{
  g_autofree double *keys = NULL;

  if (self->has_order_moves)
    return;
  keys = g_new (double, get_n_nodes (self) + 1);
  self->has_own_keys = goban_joint_executor_get_keys (self->executor, self->choices,
                                                      self->improver->plan, keys);
  goban_order_moves_read (self->orders, self->trace, self->has_own_keys ? keys : NULL);
  self->has_order_moves = TRUE;
}

/* A rule for one task; the best of all is taken if it is better than the plan. FALSE if the budget is spent. */
static gboolean
try_rules (GobanJointSearch *self, GobanDecision task, GobanSearch *search, GError **error)
{
  guint n_rules = task == GOBAN_DECIDE_FUSION ? (guint) GOBAN_N_FUSION_RULES : (guint) GOBAN_JOINT_N_ORDERS;
  g_autoptr (GobanJointChoices) best = NULL;
  g_autoptr (GobanPlan) best_plan = NULL;
  double best_us = self->improver->score_us;

  find_order_moves (self);
  for (guint rule = 0; rule < n_rules; rule++)
    {
      g_autoptr (GobanJointChoices) choices
          = goban_joint_choices_copy (self->choices, get_n_nodes (self));
      g_autoptr (GobanPlan) plan = NULL;
      GobanOutcome outcome;
      double score_us;

      if (task == GOBAN_DECIDE_FUSION)
        choices->fusion = (GobanFusionRule) rule;
      else
        set_order_rule (self, choices, rule);
      plan = new_plan (self, choices);
      if (plan == NULL)
        continue;
      if (!goban_search_go_on (search, "trying rules", error))
        return FALSE;
      outcome = goban_simulator_evaluate (self->improver->simulator, plan);
      goban_search_offer (search, plan, outcome);
      score_us = goban_improver_score_us (self->improver, outcome);
      note (self, &self->rules, score_us);
      if (score_us >= best_us)
        continue;
      best_us = score_us;
      g_clear_pointer (&best, goban_joint_choices_free);
      best = g_steal_pointer (&choices);
      g_clear_pointer (&best_plan, goban_plan_unref);
      best_plan = g_steal_pointer (&plan);
    }
  if (best == NULL)
    return TRUE;
  self->n_rules++;
  go_on_from (self, g_steal_pointer (&best));
  goban_improver_take (self->improver, best_plan, get_order_mark (self));
  return TRUE;
}

static gboolean
try_all_rules (GobanJointSearch *self, GobanSearch *search, GError **error)
{
  if (decides (self, GOBAN_DECIDE_FUSION)
      && !try_rules (self, GOBAN_DECIDE_FUSION, search, error))
    return FALSE;
  if (decides (self, GOBAN_DECIDE_SCHEDULING)
      && !try_rules (self, GOBAN_DECIDE_SCHEDULING, search, error))
    return FALSE;
  self->ruled_us = self->improver->score_us;
  self->ruled_step = self->n_steps;
  return TRUE;
}

/* --- moves of order ----------------------------------------------------------------------------- */

/* An order that has no keys gets those of the run. */
static GobanJointChoices *
new_keyed_choices (const GobanJointSearch *self)
{
  guint n_nodes = get_n_nodes (self);
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
  guint64 z = hash ^ (value + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2));

  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  return z ^ (z >> 31);
}

static guint64
mix_fusions (const GobanPlan *plan)
{
  const gint32 *fusions = goban_plan_get_fusions (plan);
  guint64 hash = GOBAN_DECIDE_FUSION;

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

static void
note_failure (GobanJointSearch *self, guint64 hash)
{
  g_hash_table_insert (self->failed, g_memdup2 (&hash, sizeof hash),
                       g_memdup2 (&self->n_steps, sizeof self->n_steps));
}

/* (transfer full) (nullable): the choices after the best move; *hash is the move's */
static GobanJointChoices *
new_best_order (GobanJointSearch *self, guint64 *hash)
{
  for (;;)
    {
      const GobanOrderMove *move = goban_order_moves_choose (self->orders);
      GobanJointChoices *choices;

      if (move == NULL)
        return NULL;
      *hash = GOBAN_DECIDE_SCHEDULING;
      for (guint i = 0; i < move->n; i++)
        {
          const GobanKeyShift *shift
              = &g_array_index (self->orders->shifts, GobanKeyShift, move->first + i);

          *hash = mix (*hash, (guint64) shift->node << 1 | (shift->by > 0));
        }
      if (has_failed (self, *hash))
        continue;
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

/* A group goes earlier or later. (transfer full) */
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

/* --- moves of fusion ---------------------------------------------------------------------------- */

/* Levels that fuse as the rule does. (transfer full) */
static GobanJointChoices *
new_levelled_choices (GobanJointSearch *self)
{
  GobanJointChoices *choices = goban_joint_choices_copy (self->choices, get_n_nodes (self));
  const gint32 *fusions = goban_plan_get_fusions (self->improver->plan);

  if (choices->fusion == GOBAN_FUSES_LEVELS)
    return choices;
  if (choices->fusion == GOBAN_FUSES_AS_IT_IS)
    for (guint v = 0; v < get_n_nodes (self); v++)
      choices->levels[v] = fusions[v] != GOBAN_NO_FUSION ? GOBAN_MIDDLE_LEVEL : 0;
  else
    goban_joint_executor_get_levels (self->executor, choices->fusion, self->improver->plan,
                                     choices->levels);
  choices->fusion = GOBAN_FUSES_LEVELS;
  return choices;
}

/* Above all others that there are, or were by a rule. */
static gint32
get_top_level (const GobanJointSearch *self, const GobanJointChoices *choices)
{
  gint32 top = (gint32) get_n_nodes (self);

  for (guint v = 0; v < get_n_nodes (self); v++)
    top = MAX (top, choices->levels[v]);
  return MIN (top, G_MAXINT32 - 2) + 1;
}

static GobanJointChoices *
new_best_fusion (GobanJointSearch *self, guint64 *hash)
{
  for (;;)
    {
      const GobanFusionMove *move = goban_fusion_moves_choose (self->fusions);
      GobanJointChoices *choices;
      gint32 level;

      if (move == NULL)
        return NULL;
      *hash = mix (GOBAN_DECIDE_FUSION, move->joins);
      for (guint i = 0; i < move->n; i++)
        *hash = mix (*hash, g_array_index (self->fusions->nodes, guint32, move->first + i));
      if (has_failed (self, *hash))
        continue;
      choices = new_levelled_choices (self);
      level = move->joins ? get_top_level (self, choices) : 0;
      for (guint i = 0; i < move->n; i++)
        choices->levels[g_array_index (self->fusions->nodes, guint32, move->first + i)] = level;
      return choices;
    }
}

static void
set_level (GobanJointSearch *self, GobanJointChoices *choices, guint32 kind, gint32 level)
{
  for (guint v = 0; v < get_n_nodes (self); v++)
    if (self->fusions->kind_of[v] == kind)
      choices->levels[v] = level;
}

/* A group, or all ops of a kind, are fused first, last, in between, or not at all. (transfer full) */
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
      guint node = goban_rng_below (&improver->rng, get_n_nodes (self));

      set_level (self, choices, self->fusions->kind_of[node], level);
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

/* Kernels are cheaper to make than to simulate: of several moves the one that saves most work. (transfer full) (nullable) */
static GobanJointChoices *
new_saving_fusion (GobanJointSearch *self, guint64 *hash)
{
  guint n_draws = CLAMP (FUSION_NODES / MAX (get_n_nodes (self), 1), LEAST_FUSIONS, MOST_FUSIONS);
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
      plan = new_plan (self, choices);
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

/* --- steps -------------------------------------------------------------------------------------- */

static gboolean
step_placement (GobanJointSearch *self, const GobanScorerNet *net, GobanSearch *search)
{
  g_autoptr (GobanPlan) tried = NULL;
  GobanOutcome outcome;

  if (!goban_improver_step (self->improver, net, goban_search_get_fraction (search), &tried,
                            &outcome))
    return FALSE;
  goban_search_offer (search, tried, outcome);
  note (self, &self->records[GOBAN_DECIDE_PLACEMENT],
        goban_improver_score_us (self->improver, outcome));
  return TRUE;
}

static void
find_moves (GobanJointSearch *self, GobanDecision task)
{
  if (task == GOBAN_DECIDE_SCHEDULING)
    find_order_moves (self);
  else if (!self->has_fusion_moves)
    {
      goban_fusion_moves_read (self->fusions, self->trace);
      self->has_fusion_moves = TRUE;
    }
}

/* (transfer full) (nullable) */
static GobanJointChoices *
propose (GobanJointSearch *self, GobanDecision task, gboolean is_scored, guint64 *hash)
{
  GobanJointChoices *choices = NULL;
  gboolean is_order = task == GOBAN_DECIDE_SCHEDULING;

  *hash = 0;
  if (is_scored && is_order)
    choices = new_best_order (self, hash);
  else if (is_scored)
    choices = goban_rng_below (&self->improver->rng, 2) == 0 ? new_best_fusion (self, hash)
                                                             : new_saving_fusion (self, hash);
  if (choices != NULL)
    return choices;
  *hash = 0;
  return is_order ? new_chance_order (self) : new_chance_fusion (self);
}

/* FALSE if no draw led to another plan. */
static gboolean
step_choices (GobanJointSearch *self, GobanDecision task, gboolean has_net, GobanSearch *search)
{
  gboolean is_scored
      = has_net
        && goban_rng_uniform (&self->improver->rng) >= self->improver->settings.uniform;

  find_moves (self, task);
  for (guint i = 0; i < N_DRAWS; i++)
    {
      guint64 hash;
      g_autoptr (GobanJointChoices) choices = propose (self, task, is_scored, &hash);
      g_autoptr (GobanPlan) plan = new_plan (self, choices);

      if (plan == NULL)
        {
          if (hash != 0)
            note_failure (self, hash);
          continue;
        }
      if (!try_choices (self, g_steal_pointer (&choices), plan, &self->records[task], search)
          && hash != 0)
        note_failure (self, hash);
      return TRUE;
    }
  return FALSE;
}

/* What an evaluation of a task is expected to gain if nothing has gained for long: on random networks moves of one op's order
 * gain the least. */
static const double least_means[GOBAN_N_DECISIONS] = {
  [GOBAN_DECIDE_FUSION] = 2e-4,
  [GOBAN_DECIDE_PLACEMENT] = 2e-4,
  [GOBAN_DECIDE_SCHEDULING] = 2e-5,
};

/* By recent gains; every task has the least share. */
static GobanDecision
draw_task (GobanJointSearch *self)
{
  double total = 0;
  guint n = 0;
  double at = goban_rng_uniform (&self->improver->rng);
  GobanDecision last = GOBAN_DECIDE_PLACEMENT;

  for (guint k = 0; k < GOBAN_N_DECISIONS; k++)
    if (decides (self, (GobanDecision) k))
      {
        total += MAX (self->records[k].mean, least_means[k]);
        n++;
      }
  for (guint k = 0; k < GOBAN_N_DECISIONS; k++)
    {
      double free = 1 - self->settings.least_share * n;

      if (!decides (self, (GobanDecision) k))
        continue;
      last = (GobanDecision) k;
      at -= self->settings.least_share
            + free * MAX (self->records[k].mean, least_means[k]) / total;
      if (at < 0)
        break;
    }
  return last;
}

/* The task drawn, or any other that has a move left. FALSE if none has. */
static gboolean
step (GobanJointSearch *self, const GobanScorerNet *net, GobanSearch *search)
{
  GobanDecision drawn = draw_task (self);

  for (guint i = 0; i < GOBAN_N_DECISIONS; i++)
    {
      GobanDecision task = (GobanDecision) ((drawn + i) % GOBAN_N_DECISIONS);

      if (!decides (self, task))
        continue;
      if (task == GOBAN_DECIDE_PLACEMENT ? step_placement (self, net, search)
                                         : step_choices (self, task, net != NULL, search))
        return TRUE;
    }
  return FALSE;
}

/* --- search ------------------------------------------------------------------------------------- */

/* The rule that fuses as the plan does; GOBAN_FUSES_AS_IT_IS if none does. */
static GobanFusionRule
find_fusion_rule (GobanJointSearch *self, const GobanPlan *plan)
{
  gsize size = (gsize) get_n_nodes (self) * sizeof (gint32);
  g_autoptr (GobanJointChoices) choices = goban_joint_choices_new (get_n_nodes (self));

  for (guint rule = 0; rule < GOBAN_N_FUSION_RULES; rule++)
    {
      g_autoptr (GobanPlan) other = goban_plan_copy (plan);

      choices->fusion = (GobanFusionRule) rule;
      goban_joint_executor_apply (self->executor, choices, other);
      if (size == 0
          || memcmp (goban_plan_get_fusions (other), goban_plan_get_fusions (plan), size) == 0)
        return choices->fusion;
    }
  return GOBAN_FUSES_AS_IT_IS;
}

static void
read_start (GobanJointSearch *self, const GobanPlan *plan)
{
  guint n_nodes = get_n_nodes (self);
  guint order = goban_static_orders_find (self->improver->orders, plan);

  go_on_from (self, goban_joint_choices_new (n_nodes));
  if (decides (self, GOBAN_DECIDE_FUSION))
    self->choices->fusion = find_fusion_rule (self, plan);
  if (!decides (self, GOBAN_DECIDE_SCHEDULING))
    return;
  self->choices->order = order < GOBAN_N_STATIC_ORDERS ? order : (guint) GOBAN_JOINT_KEYS;
  for (guint v = 0; v < n_nodes; v++)
    self->choices->keys[v] = goban_plan_get_priorities (plan)[v];
}

gboolean
goban_joint_search_run (GobanJointSearch *self, const GobanScorerNet *net, const GobanPlan *plan,
                        GobanSearch *search, GError **error)
{
  for (guint k = 0; k < GOBAN_N_DECISIONS; k++)
    self->records[k] = (GobanTaskRecord){ .mean = FIRST_MEAN };
  self->rules = (GobanTaskRecord){ 0 };
  g_hash_table_remove_all (self->failed);
  self->n_steps = 0;
  self->n_rules = 0;
  read_start (self, plan);
  goban_improver_go_to (self->improver, plan, get_order_mark (self));
  self->best_us = self->improver->score_us;
  if (goban_trace_get_ops (self->trace) == NULL)
    return TRUE;
  if (!try_all_rules (self, search, error))
    return !search->is_cancelled;
  while (goban_search_go_on (search, "improving", error))
    {
      if (self->n_steps - self->ruled_step >= STEPS_FOR_RULES
          && self->improver->score_us < self->ruled_us * GAIN_FOR_RULES)
        {
          if (!try_all_rules (self, search, error))
            break;
          continue;
        }
      if (!step (self, net, search))
        break;
    }
  return !search->is_cancelled;
}
