#include "engine/learn/rl/moves/joint-search.h"

#include "engine/learn/rl/moves/joint-moves.h"

#include <math.h>
#include <string.h>

static inline guint
goban_joint_search_get_n_nodes (const GobanJointSearch *self)
{
  return goban_graph_get_n_nodes (self->improver->units->graph);
}

/* Number of evaluations for which a failed move is not tried again. */
#define FAILURE_LASTS 150

/* Number of fusion moves that are compared before an evaluation: this many nodes in total, within
 * these limits. */
#define FUSION_NODES 200000
#define LEAST_FUSIONS 3
#define MOST_FUSIONS 24

/* Largest random shift, as a share of the range of keys; most are smaller. */
#define MOST_SHIFT 0.3

/* Applies other choices to the improver's current plan. (transfer full) (nullable): %NULL if that
 * gives the same plan */
static GobanPlan *
new_plan (GobanJointSearch *self, const GobanJointChoices *choices)
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

/* Finds moves of the order from the run of the current plan, once per plan. */
static void
find_order_moves (GobanJointSearch *self)
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

/* Records a failure; the move is not proposed again for a while. */
static void
note_failure (GobanJointSearch *self, guint64 hash)
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

static void
find_moves (GobanJointSearch *self, GobanTask task)
{
  if (task == GOBAN_TASK_SCHEDULING)
    find_order_moves (self);
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

/* @is_scored: %FALSE: draw the move uniformly
 * @hash: (out): for note_failure(); 0 for uniform moves
 *
 * Moves must have been found. Returns: (transfer full) (nullable): the choices after a move */
static GobanJointChoices *
propose (GobanJointSearch *self, GobanTask task, gboolean is_scored, guint64 *hash)
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

/* Initial estimate of a task's gain per evaluation. */
#define FIRST_MEAN 1e-3

/* Gain and number of evaluations after which rules are tried again. */
#define GAIN_FOR_RULES 0.98
#define STEPS_FOR_RULES 24

/* Most draws to find a move to another plan. */
#define N_DRAWS 30

/* Share of the search after which work does not count; its weight falls until then. */
#define WORK_COUNTS 0.8
/* How much longer than the best a plan that saves work may be. */
#define MOST_LONGER 0.01

/* Least share of the evaluations of each task. */
#define LEAST_SHARE 0.05
/* Weight of the last evaluation in a task's mean gain. */
#define MEMORY 0.15

static gboolean
decides (const GobanJointSearch *self, GobanTask decision)
{
  return goban_tasks_have (self->decisions, decision);
}

/* --- construction and disposal -------------------------------------------------------------- */

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
goban_joint_search_new (GobanImprover *improver, GobanTasks decisions)
{
  GobanJointSearch *self = g_new0 (GobanJointSearch, 1);

  self->improver = improver;
  self->decisions = decisions;
  self->least_share = LEAST_SHARE;
  self->executor = goban_joint_executor_new (improver->units, improver->orders);
  self->choices = goban_joint_choices_new (goban_joint_search_get_n_nodes (self));
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

/* --- trying other choices ------------------------------------------------------------------- */

static guint
get_order_mark (const GobanJointSearch *self)
{
  return GOBAN_ORDER_AS_IT_IS + self->n_rules;
}

/* Records the result of an evaluation for a task. */
static void
note (GobanJointSearch *self, GobanTaskRecord *record, double score_us)
{
  double gain = score_us < self->best_us ? 1 - score_us / self->best_us : 0;

  self->n_steps++;
  self->best_us = MIN (self->best_us, score_us);
  record->n_evaluations++;
  record->mean += MEMORY * (gain - record->mean);
}

/* Takes @choices. */
static void
go_on_from (GobanJointSearch *self, GobanJointChoices *choices)
{
  goban_joint_choices_free (self->choices);
  self->choices = choices;
}

/* Fusion on a device that no op waits for does not shorten the run, until placement gives that
 * device more work. So plans that differ in fusion are compared by makespan and mean device work,
 * except at the end of the search. */
static gboolean
saves_work (GobanJointSearch *self, const GobanPlan *plan, GobanOutcome outcome, double fraction)
{
  const GobanImprover *improver = self->improver;
  double score_us = goban_improver_score_us (improver, outcome);
  double weight = MAX (1 - fraction / WORK_COUNTS, 0);
  double saved_us;

  if (weight <= 0 || score_us > self->best_us * (1 + MOST_LONGER))
    return FALSE;
  saved_us = goban_joint_executor_get_work_us (self->executor, improver->plan)
             - goban_joint_executor_get_work_us (self->executor, plan);
  return score_us - improver->score_us < weight * saved_us / improver->units->n_devices;
}

/* Lists the ops that a step of order or fusion changes, for a record. */
static void
list_nodes (GobanJointSearch *self, GobanTask task, const GobanJointChoices *choices,
            const GobanPlan *plan)
{
  const GobanPlan *here = self->improver->plan;
  GobanMoveStep *step = self->improver->step;

  for (GobanNodeId v = 0; step != NULL && v < goban_joint_search_get_n_nodes (self); v++)
    {
      guint32 device = goban_plan_get_device (here, v);
      double shift = self->has_own_keys ? self->choices->shifts[v] : 0;

      if (task == GOBAN_TASK_FUSION
              ? goban_plan_get_fusions (plan)[v] != goban_plan_get_fusions (here)[v]
              : choices->shifts[v] != shift)
        goban_move_step_add_node (step, v, device, device);
    }
}

/* Simulates the plan of @choices (transfer full), and continues from it if the improver accepts it.
 * Returns whether it does. */
static gboolean
try_choices (GobanJointSearch *self, GobanJointChoices *choices, const GobanPlan *plan,
             GobanTaskRecord *record, GobanSearch *search)
{
  GobanOutcome outcome = goban_simulator_evaluate (self->improver->simulator, plan);
  double fraction = goban_search_get_fraction (search);
  gboolean is_taken = goban_improver_would_take (self->improver, outcome, fraction);

  note (self, record, goban_improver_score_us (self->improver, outcome));
  if (record == &self->records[GOBAN_TASK_FUSION])
    is_taken = is_taken || saves_work (self, plan, outcome, fraction);
  goban_move_step_offer (self->improver->step, search, plan, outcome, is_taken);
  if (!is_taken)
    {
      goban_joint_choices_free (choices);
      return FALSE;
    }
  go_on_from (self, choices);
  goban_improver_take (self->improver, plan, get_order_mark (self));
  return TRUE;
}

/* --- rules ---------------------------------------------------------------------------------- */

G_STATIC_ASSERT ((guint) GOBAN_N_FUSION_RULES <= (guint) GOBAN_JOINT_N_ORDERS);

/* The choices by a rule. (transfer full) */
static GobanJointChoices *
new_ruled_choices (GobanJointSearch *self, GobanTask task, guint rule)
{
  GobanJointChoices *choices
      = goban_joint_choices_copy (self->choices, goban_joint_search_get_n_nodes (self));

  if (task == GOBAN_TASK_FUSION)
    choices->fusion = (GobanFusionRule) rule;
  else
    {
      gsize size = (gsize) goban_joint_search_get_n_nodes (self) * sizeof (double);

      choices->order = rule;
      memset (choices->shifts, 0, size);
      if (rule == GOBAN_JOINT_KEYS)
        goban_order_moves_fill_latest (self->orders, choices->keys);
    }
  return choices;
}

static GobanPlan *
new_fused (gpointer data, guint rule)
{
  g_autoptr (GobanJointChoices) choices = new_ruled_choices (data, GOBAN_TASK_FUSION, rule);

  return new_plan (data, choices);
}

static GobanPlan *
new_ordered (gpointer data, guint rule)
{
  g_autoptr (GobanJointChoices) choices = new_ruled_choices (data, GOBAN_TASK_SCHEDULING, rule);

  return new_plan (data, choices);
}

static void
note_rule (gpointer data, double score_us)
{
  GobanJointSearch *self = data;

  note (self, &self->rules, score_us);
}

/* Tries all rules of one task, and continues from the best if it is better than the current plan.
 * FALSE if the budget is spent. */
static gboolean
try_rules (GobanJointSearch *self, GobanTask task, GobanSearch *search, GError **error)
{
  gboolean fuses = task == GOBAN_TASK_FUSION;
  guint n_rules = fuses ? (guint) GOBAN_N_FUSION_RULES : (guint) GOBAN_JOINT_N_ORDERS;
  g_auto (GobanRuleTrials) trials = { .task = task,
                                      .names = fuses ? GOBAN_FUSION_RULE_NAMES ", as it is"
                                                     : GOBAN_JOINT_ORDER_NAMES ", as it is",
                                      .n_rules = n_rules,
                                      .here = n_rules,
                                      .new_plan = fuses ? new_fused : new_ordered,
                                      .note = note_rule,
                                      .data = self };

  find_order_moves (self);
  if (!goban_improver_try_rules (self->improver, &trials, search, "trying rules", error))
    return FALSE;
  if (trials.plan != NULL)
    {
      self->n_rules++;
      go_on_from (self, new_ruled_choices (self, task, trials.best));
      goban_improver_take (self->improver, trials.plan, get_order_mark (self));
    }
  return TRUE;
}

static gboolean
try_all_rules (GobanJointSearch *self, GobanSearch *search, GError **error)
{
  if (decides (self, GOBAN_TASK_FUSION) && !try_rules (self, GOBAN_TASK_FUSION, search, error))
    return FALSE;
  if (decides (self, GOBAN_TASK_SCHEDULING)
      && !try_rules (self, GOBAN_TASK_SCHEDULING, search, error))
    return FALSE;
  self->ruled_us = self->improver->score_us;
  self->ruled_step = self->n_steps;
  return TRUE;
}

/* --- steps ---------------------------------------------------------------------------------- */

static gboolean
step_placement (GobanJointSearch *self, const GobanScorerNet *net, GobanSearch *search)
{
  g_autoptr (GobanPlan) tried = NULL;
  GobanOutcome outcome;

  if (!goban_improver_step (self->improver, net, goban_search_get_fraction (search), &tried,
                            &outcome))
    return FALSE;
  goban_move_step_offer (self->improver->step, search, tried, outcome, self->improver->is_taken);
  note (self, &self->records[GOBAN_TASK_PLACEMENT],
        goban_improver_score_us (self->improver, outcome));
  return TRUE;
}

/* Makes one step of order or fusion. FALSE if no draw leads to another plan. */
static gboolean
step_choices (GobanJointSearch *self, GobanTask task, gboolean has_net, GobanSearch *search)
{
  gboolean is_scored
      = has_net && goban_rng_uniform (&self->improver->rng) >= self->improver->settings.uniform;

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
      list_nodes (self, task, choices, plan);
      if (!try_choices (self, g_steal_pointer (&choices), plan, &self->records[task], search)
          && hash != 0)
        note_failure (self, hash);
      return TRUE;
    }
  return FALSE;
}

/* Expected gain per evaluation after a long time without gains. On random networks, moves of single
 * ops in the order gain least. */
static const double least_means[GOBAN_N_TASKS] = {
  [GOBAN_TASK_FUSION] = 2e-4,
  [GOBAN_TASK_PLACEMENT] = 2e-4,
  [GOBAN_TASK_SCHEDULING] = 2e-5,
};

/* Makes a step for the drawn task, or for another one that has moves left. FALSE if none has. */
static gboolean
step (GobanJointSearch *self, const GobanScorerNet *net, GobanSearch *search)
{
  /* Draws a task in proportion to its recent gain, at least with the least share. */
  double total = 0;
  guint n = 0;
  double at = goban_rng_uniform (&self->improver->rng);
  GobanTask drawn = GOBAN_TASK_PLACEMENT;

  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    if (decides (self, (GobanTask) k))
      {
        total += MAX (self->records[k].mean, least_means[k]);
        n++;
      }
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    {
      double free = 1 - self->least_share * n;

      if (!decides (self, (GobanTask) k))
        continue;
      drawn = (GobanTask) k;
      at -= self->least_share + free * MAX (self->records[k].mean, least_means[k]) / total;
      if (at < 0)
        break;
    }

  for (guint i = 0; i < GOBAN_N_TASKS; i++)
    {
      GobanTask task = (GobanTask) ((drawn + i) % GOBAN_N_TASKS);

      if (!decides (self, task))
        continue;
      if (task == GOBAN_TASK_PLACEMENT ? step_placement (self, net, search)
                                       : step_choices (self, task, net != NULL, search))
        return TRUE;
    }
  return FALSE;
}

/* --- search --------------------------------------------------------------------------------- */

/* Returns the rule that gives the plan's kernels, or GOBAN_FUSES_AS_IT_IS. */
static GobanFusionRule
find_fusion_rule (GobanJointSearch *self, const GobanPlan *plan)
{
  gsize size = (gsize) goban_joint_search_get_n_nodes (self) * sizeof (gint32);
  g_autoptr (GobanJointChoices) choices
      = goban_joint_choices_new (goban_joint_search_get_n_nodes (self));

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
  guint n_nodes = goban_joint_search_get_n_nodes (self);
  guint order = goban_static_orders_find (self->improver->orders, plan);

  go_on_from (self, goban_joint_choices_new (n_nodes));
  if (decides (self, GOBAN_TASK_FUSION))
    self->choices->fusion = find_fusion_rule (self, plan);
  if (!decides (self, GOBAN_TASK_SCHEDULING))
    return;
  self->choices->order = order < GOBAN_N_STATIC_ORDERS ? order : (guint) GOBAN_JOINT_KEYS;
  for (guint v = 0; v < n_nodes; v++)
    self->choices->keys[v] = goban_plan_get_priorities (plan)[v];
}

gboolean
goban_joint_search_run (GobanJointSearch *self, const GobanScorerNet *net, const GobanPlan *plan,
                        GobanSearch *search, GError **error)
{
  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    self->records[k] = (GobanTaskRecord){ .mean = FIRST_MEAN };
  self->rules = (GobanTaskRecord){ 0 };
  g_hash_table_remove_all (self->failed);
  self->n_steps = 0;
  self->n_rules = 0;
  read_start (self, plan);
  goban_improver_go_to (self->improver, plan, get_order_mark (self));
  if (self->improver->step != NULL)
    goban_move_step_start (self->improver->step, plan, self->improver->outcome);
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
