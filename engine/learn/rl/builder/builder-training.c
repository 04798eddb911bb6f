#include "engine/learn/rl/builder/builder-training.h"

#include "engine/core/arrays.h"
#include "engine/core/i18n.h"
#include "engine/learn/nn/vector.h"
#include "engine/learn/rl/collapse.h"

#include <math.h>
#include <string.h>

#define BETA2 0.99

#define N_SAMPLES (GOBAN_BUILDER_N_SPLITS - 1)
#define TRY_TEMPERATURE 2

/* Trials and updates before a warning. */
#define N_WORSE 3
#define N_FLAT 10

/* Added to the deviation of rewards, so that negligible differences are not amplified. */
#define LEAST_DEVIATION 0.02

/* Rewards that differ less teach nothing: it is negligible beside the above. */
#define LEAST_DIFFERENCE 1e-6

/* The bonus of entropy is raised by at most this factor. */
#define MOST_RAISED 20

#define MAX_KNOWN 64 /* lessons of the caller's that are kept prepared */

/* --- configuration -------------------------------------------------------------------------- */

static const GobanBuilderTrainingConfig usual = {
  .base = { .n_updates = 9000,
            .n_lessons = 800,
            .n_validation = 64,
            .every = 300,
            .rate = 4e-3,
            .last_rate = 0.1,
            .average = 0.995 },
  .n_problems = 4,
  .n_rollouts = 8,
  .n_imitations = 60,
  .n_labels = 100,
  .entropy = 0.012,
  .risk = 1.5,
  .temperature = 1,
  .embedding = TRUE,
  .attention = TRUE,
  .modulation = TRUE,
  .devices = TRUE,
  .actions = TRUE,
  .encoder_rate = 0.25,
};

#define FIELD(kind, ...) GOBAN_SETTING_FIELD (kind, GobanBuilderTrainingConfig, __VA_ARGS__)

/* clang-format off */
static const GobanSettingField fields[] = {
  FIELD (SEED, "seed", base.seed, 0, 0, "of all chance"),
  FIELD (COUNT, "updates", base.n_updates, 1, 1e9, "steps of training"),
  FIELD (COUNT, "lessons", base.n_lessons, 1, 1e5,
         "random problems that are drawn before the first step"),
  FIELD (COUNT, "problems", n_problems, 1, 64, "of a step"),
  FIELD (COUNT, "rollouts", n_rollouts, 2, 256,
         "plans of a problem in a step, compared with each other"),
  FIELD (COUNT, "imitations", n_imitations, 0, 1e9, "steps at first that follow annealed plans"),
  FIELD (COUNT, "labels", n_labels, 0, 1e6, "evaluations of each of these plans"),
  FIELD (COUNT, "validation", base.n_validation, 1, 1e4,
         "problems that the best network is chosen by"),
  FIELD (COUNT, "every", base.every, 1, 1e9, "steps between trials on them"),
  FIELD (NUMBER, "rate", base.rate, 0, 1, "of Adam at first"),
  FIELD (NUMBER, "last-rate", base.last_rate, 0, 1, "the last rate, as a share of the first"),
  FIELD (NUMBER, "entropy", entropy, 0, 10, "weight of the bonus for undecided rows"),
  FIELD (NUMBER, "risk", risk, 0, 20,
         "how much more the best plans of a problem weigh; 0: as they are"),
  FIELD (NUMBER, "temperature", temperature, 0.01, 100, "of the draws of plans"),
  FIELD (NUMBER, "average", base.average, 0, 0.999999,
         "share that the moving average of the weights keeps in a step"),
  FIELD (NUMBER, "entropy-floor", entropy_floor, 0, 10,
         "nats of a decision below which the bonus is raised; 0: never"),
  FIELD (COUNT, "structures", structures, 0, 1,
         "1: lessons are layers, branches and the like, too"),
  FIELD (COUNT, "families", families, 0, 1,
         "1: every fourth lesson is of a model family that is not left out"),
  FIELD (COUNT, "embedding", embedding, 0, 1, "0: the network has no embedding of the graph"),
  FIELD (COUNT, "attention", attention, 0, 1, "0: it has no attention"),
  FIELD (COUNT, "modulation", modulation, 0, 1, "0: it has no modulation by the graph"),
  FIELD (COUNT, "devices", devices, 0, 1, "0: it does not see the other devices of a row"),
  FIELD (COUNT, "actions", actions, 0, 1, "0: it does not see what was decided before"),
  FIELD (NUMBER, "encoder-rate", encoder_rate, 0, 1,
         "of Adam for the embedding, as a share of the others"),
};
/* clang-format on */

GobanBuilderTrainingConfig
goban_builder_training_config_default (void)
{
  return usual;
}

GobanDecoderParts
goban_builder_training_config_get_parts (const GobanBuilderTrainingConfig *self)
{
  return (self->embedding ? GOBAN_PART_EMBEDDING : 0) | (self->attention ? GOBAN_PART_ATTENTION : 0)
         | (self->modulation ? GOBAN_PART_MODULATION : 0) | (self->devices ? GOBAN_PART_DEVICES : 0)
         | (self->actions ? GOBAN_PART_ACTIONS : 0);
}

/* --- the gradient of an update ---------------------------------------------------------------- */

/* A sum over the items of an update, each computed by one rank. The gradient of an item is computed
 * by itself, from zero, and the items are added in a fixed order (engine/core/ranks/ranks.h), so
 * that the sum does not depend on who computed what. */
typedef struct
{
  GobanRanks *ranks;   /* (nullable) borrowed */
  GobanParams *params; /* borrowed */
  guint n_items;
  guint first, end; /* items of this rank */
  float *items;     /* (end - first, total) */
} SharedGradient;

/* Clears the gradients of @params. */
static void
shared_gradient_init (SharedGradient *self, GobanRanks *ranks, GobanParams *params, guint n_items)
{
  *self = (SharedGradient){ .ranks = ranks, .params = params, .n_items = n_items };
  goban_ranks_share_own (ranks, n_items, &self->first, &self->end);
  self->items = g_new (float, (self->end - self->first) * goban_params_get_total (params));
  goban_params_zero_grad (params);
}

/* Moves the gradients of @params to @item, one of this rank. Every one of them must be kept. */
static void
shared_gradient_keep (SharedGradient *self, guint item)
{
  float *to = self->items + (item - self->first) * goban_params_get_total (self->params);

  g_assert (item >= self->first && item < self->end);
  for (guint t = 0; t < self->params->tensors->len; t++)
    {
      gsize n = goban_params_get_size (self->params, t);

      memcpy (to, goban_params_grad (self->params, t), n * sizeof *to);
      to += n;
    }
  goban_params_zero_grad (self->params);
}

/* Sets the gradients of @params to the sum over all items. %FALSE with @error set as
 * goban_ranks_meet() does. */
static gboolean
shared_gradient_sum (const SharedGradient *self, GError **error)
{
  gsize total = goban_params_get_total (self->params);
  g_autofree float *sum = g_new (float, total);
  const float *from = sum;

  if (!goban_ranks_sum (self->ranks, self->items, self->n_items, total, sum, error))
    return FALSE;
  for (guint t = 0; t < self->params->tensors->len; t++)
    {
      gsize n = goban_params_get_size (self->params, t);

      memcpy (goban_params_grad (self->params, t), from, n * sizeof *from);
      from += n;
    }
  return TRUE;
}

static GobanSharedMoment
shared_moment_now (GobanRanks *ranks)
{
  return (GobanSharedMoment){ g_get_monotonic_time (), goban_ranks_get_traffic (ranks) };
}

/* Counts an update that began at @begun; @own_us was for items of this rank. */
static void
shared_gradient_measure (const SharedGradient *self, GobanSharedMoment begun, gint64 own_us,
                         GobanScaling *scaling)
{
  GobanSharedMoment now = shared_moment_now (self->ranks);

  scaling->n_updates++;
  scaling->n_items += self->n_items;
  scaling->n_own_items += self->end - self->first;
  scaling->own_seconds += (double) own_us / G_USEC_PER_SEC;
  scaling->seconds += (double) (now.time_us - begun.time_us) / G_USEC_PER_SEC;
  scaling->exchange_seconds += now.traffic.seconds - begun.traffic.seconds;
  scaling->n_exchanges += 2; /* of measures, and of gradients */
  scaling->n_sums++;
  scaling->vector_bytes = goban_params_get_total (self->params) * sizeof (float);
}

/* --- problems and their rollouts ------------------------------------------------------------ */

static void
taught_free (gpointer data)
{
  GobanBuilderTaught *self = data;

  g_clear_pointer (&self->problem, goban_builder_problem_free);
  g_free (self->name);
  g_free (self);
}

/* @problems: (n), of which some may be missing */
static void
free_problems (GobanBuilderProblem **problems, guint n)
{
  for (guint i = 0; i < n; i++)
    g_clear_pointer (&problems[i], goban_builder_problem_free);
  g_free (problems);
}

static void
rollouts_init (GobanBuilderTraining *self)
{
  const GobanBuilderTrainingConfig *config = &self->config;

  self->lessons = goban_own (&self->base, GobanBuilderProblem *, config->base.n_lessons);
  self->names = goban_own (&self->base, char *, config->base.n_lessons);
  self->labels = goban_own (&self->base, guint32 *, config->base.n_lessons);
  self->validation = g_new0 (GobanBuilderProblem *, config->base.n_validation);
  self->known = g_ptr_array_new_with_free_func (taught_free);
  self->groups = goban_own (&self->base, GobanBuilderGroup, config->n_problems);
  for (guint k = 0; k < config->n_problems; k++)
    {
      GobanBuilderGroup *group = &self->groups[k];

      group->scores_us = goban_own (&self->base, double, config->n_rollouts);
      group->rewards = goban_own (&self->base, double, config->n_rollouts);
      group->entropies = goban_own (&self->base, double, config->n_rollouts);
      group->top_shares = goban_own (&self->base, double, config->n_rollouts);
      group->records = goban_own (&self->base, GobanBuildRecord *, config->n_rollouts);
      for (guint i = 0; i < config->n_rollouts; i++)
        group->records[i] = goban_build_record_new ();
    }
}

static void
group_empty (GobanBuilderGroup *group)
{
  g_clear_pointer (&group->encoding, goban_row_encoding_free);
  g_clear_pointer (&group->devices, g_free);
}

static void
rollouts_clear (GobanBuilderTraining *self)
{
  for (guint k = 0; k < self->config.n_problems; k++)
    {
      GobanBuilderGroup *group = &self->groups[k];

      group_empty (group);
      for (guint i = 0; i < self->config.n_rollouts; i++)
        goban_build_record_free (group->records[i]);
    }
  for (guint i = 0; i < self->config.base.n_lessons; i++)
    {
      g_clear_pointer (&self->lessons[i], goban_builder_problem_free);
      g_free (self->names[i]);
      g_free (self->labels[i]);
    }
  free_problems (self->validation, self->config.base.n_validation);
  g_free (self->taught);
  g_ptr_array_unref (self->known);
}

/* --- drawn lessons -------------------------------------------------------------------------- */

/* A drawn problem; @index: a lesson from 0, or -1 - number of a validation problem. (nullable)
 * borrowed */
static GobanBuilderProblem *
get_problem (GobanBuilderTraining *self, gint index, GError **error)
{
  GobanBuilderProblem **problem = index < 0 ? &self->validation[-1 - index] : &self->lessons[index];
  g_autoptr (GobanBuilderLesson) lesson = NULL;
  g_autofree char *name = NULL;
  GobanBuilderLessonKinds kinds = { 0 };

  if (*problem != NULL)
    return *problem;
  kinds.structures = self->config.structures != 0;
  if (index >= 0 && self->config.families)
    kinds.families = self->families;
  lesson = goban_builder_lesson_draw (self->config.base.seed, index, &kinds);
  name = goban_builder_lesson_to_text (lesson);
  *problem = goban_builder_lesson_load (lesson, error);
  if (*problem == NULL)
    g_prefix_error (error, "lesson %s: ", name);
  else if (index >= 0)
    self->names[index] = g_steal_pointer (&name);
  return *problem;
}

/* Anneals with a random number generator of its own, so the result does not depend on the time of
 * the call. */
static const guint32 *
get_label (GobanBuilderTraining *self, guint index)
{
  GobanBuilderProblem *problem = self->lessons[index];
  GobanRng rng;

  if (self->labels[index] != NULL)
    return self->labels[index];
  goban_rng_init (&rng, self->config.base.seed + index);
  self->labels[index] = g_new (guint32, problem->rows->n_rows);
  goban_builder_problem_anneal (problem, self->config.n_labels, &rng, self->labels[index]);
  return self->labels[index];
}

/* --- lessons of the caller's ---------------------------------------------------------------- */

/* (nullable): the prepared lesson of a graph on a cluster. */
static GobanBuilderTaught *
find_known (const GobanBuilderTraining *self, GobanCostModel *costs)
{
  for (guint i = 0; i < self->known->len; i++)
    {
      GobanBuilderTaught *known = g_ptr_array_index (self->known, i);
      GobanCostModel *own = known->problem->costs;

      if (goban_cost_model_get_graph (own) == goban_cost_model_get_graph (costs)
          && goban_cost_model_get_cluster (own) == goban_cost_model_get_cluster (costs))
        return known;
    }
  return NULL;
}

static char *
name_lesson (GobanCostModel *costs)
{
  return g_strdup_printf ("%s on %s", goban_graph_get_name (goban_cost_model_get_graph (costs)),
                          goban_cluster_get_name (goban_cost_model_get_cluster (costs)));
}

/* (nullable) borrowed: at the end of the known ones, so that it is dropped last. */
static GobanBuilderTaught *
prepare (GobanBuilderTraining *self, GobanCostModel *costs, GError **error)
{
  GobanBuilderTaught *known = find_known (self, costs);
  GobanBuilderProblem *problem;

  if (known != NULL)
    {
      guint at = 0;

      g_ptr_array_find (self->known, known, &at);
      g_ptr_array_add (self->known, g_ptr_array_steal_index (self->known, at));
      return known;
    }
  problem = goban_builder_problem_new (costs, NULL, error);
  if (problem == NULL)
    return NULL;
  known = g_new (GobanBuilderTaught, 1);
  *known = (GobanBuilderTaught){ problem, name_lesson (costs) };
  g_ptr_array_add (self->known, known);
  return known;
}

/* Random networks do not say how good a network is at lessons or rewards of the caller's. */
static void
note_goal (GobanBuilderTraining *self, gboolean is_own)
{
  self->has_own_goal = self->has_own_goal || is_own;
  self->base.keeps_present = self->has_own_goal && !self->has_own_validation;
}

/* The next rollouts are the same again. */
static void
drop_rollouts (GobanBuilderTraining *self)
{
  if (!self->has_rollouts)
    return;
  for (guint k = 0; k < self->config.n_problems; k++)
    group_empty (&self->groups[k]);
  self->base.rng = self->earlier;
  self->has_rollouts = FALSE;
}

gboolean
goban_builder_training_teach (GobanBuilderTraining *self, GobanCostModel *const *costs, guint n,
                              GError **error)
{
  g_autofree GobanBuilderTaught **taught = n > 0 ? g_new (GobanBuilderTaught *, n) : NULL;

  g_return_val_if_fail (n == 0 || n == self->config.n_problems, FALSE);

  for (guint k = 0; k < n; k++)
    {
      taught[k] = prepare (self, costs[k], error);
      if (taught[k] == NULL)
        return FALSE;
    }
  drop_rollouts (self);
  g_free (self->taught);
  self->taught = g_steal_pointer (&taught);
  note_goal (self, n > 0);
  if (self->known->len > MAX (MAX_KNOWN, n))
    g_ptr_array_remove_range (self->known, 0, self->known->len - MAX (MAX_KNOWN, n));
  return TRUE;
}

gboolean
goban_builder_training_set_validation (GobanBuilderTraining *self, GobanCostModel *const *costs,
                                       guint n, GError **error)
{
  GobanBuilderProblem **problems = g_new0 (GobanBuilderProblem *, n);

  for (guint i = 0; i < n; i++)
    {
      problems[i] = goban_builder_problem_new (costs[i], NULL, error);
      if (problems[i] != NULL)
        continue;
      free_problems (problems, i);
      return FALSE;
    }
  free_problems (self->validation, self->config.base.n_validation);
  self->validation = problems;
  self->config.base.n_validation = n;
  self->has_own_validation = TRUE;
  note_goal (self, FALSE);
  return TRUE;
}

/* --- rollouts ------------------------------------------------------------------------------- */

static gboolean
imitates (const GobanBuilderTraining *self)
{
  return self->taught == NULL && self->base.n_done < self->config.n_imitations;
}

static gboolean
draw_lesson (GobanBuilderTraining *self, GobanBuilderGroup *group, guint k, GError **error)
{
  guint drawn;

  if (self->taught != NULL)
    {
      group->problem = self->taught[k]->problem;
      group->name = self->taught[k]->name;
      group->imitates = FALSE;
      return TRUE;
    }
  drawn = goban_rng_below (&self->base.rng, self->config.base.n_lessons);
  group->problem = get_problem (self, (gint) drawn, error);
  if (group->problem == NULL)
    return FALSE;
  group->name = self->names[drawn];
  group->lesson = drawn;
  group->imitates = imitates (self);
  return TRUE;
}

static guint32 *
get_devices (const GobanBuilderGroup *group, guint rollout)
{
  return group->devices + (gsize) rollout * group->problem->rows->n_rows;
}

/* --- items ---------------------------------------------------------------------------------- */

/* Rollouts are divided among the ranks as items: item part x n_problems + k is a part of the
 * rollouts of problem k. Neighbouring items, which one rank has, are of different problems, which
 * differ in size. With an encoder of rows, whose gradient is computed once for a problem, an item
 * is a whole problem. */
typedef struct
{
  guint n_parts;    /* of a problem's rollouts */
  guint n_rollouts; /* of a part */
  guint n_items;
  guint first, end; /* of this rank */
} Items;

/* @n: rollouts of a problem */
static Items
divide (const GobanBuilderTraining *self, guint n)
{
  gboolean is_encoded = goban_builder_net_get_encoder (self->base.net) != NULL;
  Items items = { .n_parts = is_encoded ? 1 : n, .n_rollouts = is_encoded ? n : 1 };

  items.n_items = items.n_parts * self->config.n_problems;
  goban_ranks_share_own (self->ranks, items.n_items, &items.first, &items.end);
  return items;
}

/* What the other ranks do not know of a rollout. */
typedef struct
{
  double score_us;
  double reward;
  double entropy;
  double top_share;
} Measures;

static void
build (GobanBuilderTraining *self, GobanBuilderGroup *group, guint i, guint64 seed)
{
  GobanBuilderProblem *problem = group->problem;
  guint32 *devices = get_devices (group, i);
  GobanRng rng;
  GobanBuildOptions options = { .temperature = group->imitates ? 0 : self->config.temperature,
                                .rng = group->imitates ? NULL : &rng,
                                .wanted = group->imitates ? get_label (self, group->lesson) : NULL,
                                .encoding = group->encoding,
                                .record = group->records[i] };

  goban_rng_init (&rng, seed);
  goban_plan_builder_build (problem->builder, self->base.net, &options, devices);
  group->scores_us[i] = goban_builder_score_us (
      problem->units->cluster,
      goban_builder_problem_evaluate (problem, devices, GOBAN_STATIC_TRANSFERS));
  group->rewards[i] = goban_builder_problem_reward (problem, group->scores_us[i]);
  group->entropies[i] = goban_build_record_get_entropy (group->records[i]);
  group->top_shares[i] = goban_builder_problem_get_top_share (problem, devices);
}

/* Builds this rank's plans. Each has random numbers of its own, so whoever builds it builds the
 * same. @seeds: (n_rollouts, n_problems); @own: of Measures */
static gboolean
build_own (GobanBuilderTraining *self, const Items *items, const guint64 *seeds, GArray *own,
           const GobanProgress *progress, GError **error)
{
  guint n_problems = self->config.n_problems;

  for (guint item = items->first; item < items->end; item++)
    {
      GobanBuilderGroup *group = &self->groups[item % n_problems];
      guint first = item / n_problems * items->n_rollouts;

      if (!goban_progress_check (progress, error))
        return FALSE;
      if (items->n_parts == 1)
        group->encoding = goban_row_encoding_new (self->base.net, group->problem->rows);
      for (guint i = first; i < first + items->n_rollouts; i++)
        {
          Measures measures;

          build (self, group, i, seeds[i * n_problems + item % n_problems]);
          measures = (Measures){ group->scores_us[i], group->rewards[i], group->entropies[i],
                                 group->top_shares[i] };
          g_array_append_val (own, measures);
        }
    }
  return TRUE;
}

/* Builds the plans of all problems, and has their rewards. */
static gboolean
roll_out (GobanBuilderTraining *self, const GobanProgress *progress, GError **error)
{
  guint n_rollouts = imitates (self) ? 1 : self->config.n_rollouts;
  Items items = divide (self, n_rollouts);
  g_autofree guint64 *seeds = g_new (guint64, (gsize) n_rollouts * self->config.n_problems);
  g_autoptr (GArray) own = g_array_new (FALSE, FALSE, sizeof (Measures));

  for (guint k = 0; k < self->config.n_problems; k++)
    {
      GobanBuilderGroup *group = &self->groups[k];

      group->n_rollouts = n_rollouts;
      group->devices = g_new0 (guint32, (gsize) n_rollouts * group->problem->rows->n_rows);
    }
  for (guint i = 0; i < n_rollouts * self->config.n_problems; i++)
    seeds[i] = goban_rng_next (&self->base.rng);
  self->own_us = -g_get_monotonic_time ();
  if (!build_own (self, &items, seeds, own, progress, error))
    return FALSE;
  self->own_us += g_get_monotonic_time ();

  /* Gives every rank the measures of all rollouts. */
  guint n_problems = self->config.n_problems;

  g_autoptr (GByteArray) all = g_byte_array_new ();
  const Measures *measures;

  if (!goban_ranks_gather (self->ranks, own->data, own->len * sizeof *measures, all, error))
    return FALSE;
  measures = (const Measures *) (const void *) all->data;
  for (guint item = 0; item < items.n_items; item++)
    for (guint n = 0; n < items.n_rollouts; n++, measures++)
      {
        GobanBuilderGroup *group = &self->groups[item % n_problems];
        guint i = item / n_problems * items.n_rollouts + n;

        group->scores_us[i] = measures->score_us;
        group->rewards[i] = measures->reward;
        group->entropies[i] = measures->entropy;
        group->top_shares[i] = measures->top_share;
      }
  return TRUE;
}

static gboolean
draw_lessons (GobanBuilderTraining *self, GError **error)
{
  for (guint k = 0; k < self->config.n_problems; k++)
    if (!draw_lesson (self, &self->groups[k], k, error))
      return FALSE;
  return TRUE;
}

gboolean
goban_builder_training_roll_out (GobanBuilderTraining *self, const GobanProgress *progress,
                                 GError **error)
{
  if (self->has_rollouts)
    return TRUE;
  self->earlier = self->base.rng;
  self->has_rollouts = TRUE;
  self->begun = shared_moment_now (self->ranks);
  if (draw_lessons (self, error) && roll_out (self, progress, error))
    return TRUE;
  drop_rollouts (self);
  return FALSE;
}

/* --- as the caller has them ----------------------------------------------------------------- */

GobanPlan *
goban_builder_training_dup_plan (GobanBuilderTraining *self, guint group, guint rollout)
{
  const GobanBuilderGroup *from = &self->groups[group];

  goban_builder_problem_evaluate (from->problem, get_devices (from, rollout),
                                  GOBAN_STATIC_TRANSFERS);
  return goban_plan_copy (from->problem->plan);
}

void
goban_builder_training_set_reward (GobanBuilderTraining *self, guint group, guint rollout,
                                   double reward)
{
  g_return_if_fail (isfinite (reward));

  note_goal (self, reward != self->groups[group].rewards[rollout]);
  self->groups[group].rewards[rollout] = reward;
}

/* --- learning ------------------------------------------------------------------------------- */

void
goban_builder_training_weigh (double *rewards, guint n, double risk)
{
  double mean = 0, variance = 0, squares = 0, sum = 0;
  double deviation;

  for (guint i = 0; i < n; i++)
    mean += rewards[i] / n;
  for (guint i = 0; i < n; i++)
    variance += (rewards[i] - mean) * (rewards[i] - mean) / n;
  deviation = sqrt (variance);
  for (guint i = 0; i < n; i++)
    rewards[i] = (rewards[i] - mean) / (deviation + LEAST_DEVIATION);
  if (risk <= 0)
    return;
  for (guint i = 0; i < n; i++)
    sum += rewards[i] = (double) goban_exp ((float) (risk * rewards[i]));
  for (guint i = 0; i < n; i++)
    {
      rewards[i] = n * rewards[i] / sum - 1;
      squares += rewards[i] * rewards[i] / n;
    }
  for (guint i = 0; i < n && squares > 0; i++)
    rewards[i] *= deviation / (deviation + LEAST_DEVIATION) / sqrt (squares);
}

/* Whether all rewards of a problem are the same, of each: then no advantage differs from 0. */
static gboolean
is_flat (const GobanBuilderTraining *self)
{
  for (guint k = 0; k < self->config.n_problems; k++)
    for (guint i = 1; i < self->groups[k].n_rollouts; i++)
      if (fabs (self->groups[k].rewards[i] - self->groups[k].rewards[0]) > LEAST_DIFFERENCE)
        return FALSE;
  return TRUE;
}

static void
imitate (GobanBuilderTraining *self, GobanBuilderGroup *group)
{
  GobanBuildLesson lesson
      = { .advantage = GOBAN_BUILDER_GRADIENT_SCALE / (double) self->config.n_problems,
          .classes = group->problem->units->classes };

  goban_build_records_learn (group->records, &lesson, 1, self->base.net, group->encoding);
}

double
goban_builder_training_raise_entropy (double entropy, double entropy_floor)
{
  return CLAMP (entropy_floor / MAX (entropy, 1e-9), 1, MOST_RAISED);
}

/* @group: with advantages in place of rewards */
static void
reinforce (GobanBuilderTraining *self, GobanBuilderGroup *group, guint first, guint n)
{
  double scale
      = GOBAN_BUILDER_GRADIENT_SCALE / (double) (group->n_rollouts * self->config.n_problems);
  g_autofree GobanBuildLesson *lessons = g_new0 (GobanBuildLesson, n);
  double entropy = 0, raised;

  for (guint i = 0; i < group->n_rollouts; i++)
    entropy += group->entropies[i] / group->n_rollouts;
  raised = goban_builder_training_raise_entropy (entropy, self->config.entropy_floor);
  for (guint i = 0; i < n; i++)
    {
      lessons[i].advantage = scale * group->rewards[first + i];
      lessons[i].entropy = scale * self->config.entropy * raised;
    }
  goban_build_records_learn (group->records + first, lessons, n, self->base.net, group->encoding);
}

/* Sets the network's gradient to that of the rollouts, fills what @point has of them, and drops
 * them. %FALSE with @error set as goban_ranks_meet() does. */
static gboolean
learn (GobanBuilderTraining *self, GobanBuilderPoint *point, GError **error)
{
  Items items = divide (self, self->groups[0].n_rollouts);

  SharedGradient sum;
  gboolean is_done;

  point->imitates = imitates (self);

  /* Means over all rollouts. */
  guint n_rollouts = self->groups[0].n_rollouts;
  guint n = self->config.n_problems * n_rollouts;
  double even_share = 0;

  point->reward = point->entropy = point->top_share = 0;
  for (guint k = 0; k < self->config.n_problems; k++)
    for (guint i = 0; i < n_rollouts; i++)
      {
        point->reward += self->groups[k].rewards[i];
        point->entropy += self->groups[k].entropies[i];
        point->top_share += self->groups[k].top_shares[i];
        even_share += 1.0 / self->groups[k].problem->rows->n_devices;
      }
  point->reward /= n;
  point->entropy /= n;
  point->top_share /= n;
  point->even_share = even_share / n;

  shared_gradient_init (&sum, self->ranks, self->base.net->params, items.n_items);
  self->own_us -= g_get_monotonic_time ();
  self->n_flat = !point->imitates && is_flat (self) ? self->n_flat + 1 : 0;
  for (guint k = 0; k < self->config.n_problems && !point->imitates; k++)
    goban_builder_training_weigh (self->groups[k].rewards, self->groups[k].n_rollouts,
                                  self->config.risk);
  for (guint item = items.first; item < items.end; item++)
    {
      GobanBuilderGroup *group = &self->groups[item % self->config.n_problems];

      if (group->imitates)
        imitate (self, group);
      else
        reinforce (self, group, item / self->config.n_problems * items.n_rollouts,
                   items.n_rollouts);
      if (group->encoding != NULL)
        goban_row_encoding_backward (group->encoding, self->base.net);
      shared_gradient_keep (&sum, item);
    }

  self->own_us += g_get_monotonic_time ();
  is_done = shared_gradient_sum (&sum, error);
  if (is_done)
    shared_gradient_measure (&sum, self->begun, self->own_us, &self->scaling);
  g_free (sum.items);
  for (guint k = 0; k < self->config.n_problems; k++)
    group_empty (&self->groups[k]);
  self->has_rollouts = FALSE;
  return is_done;
}

/* --- construction and disposal -------------------------------------------------------------- */

/* Without networks and points. (nullable): as goban_builder_training_new(). */
static GobanBuilderTraining *
new_empty (const GobanBuilderTrainingConfig *config, const char *const *left_out, GError **error)
{
  g_autoptr (GobanCurriculum) families = goban_curriculum_new (left_out, error);
  GobanBuilderTraining *self;

  if (families == NULL)
    return NULL;
  self = g_new0 (GobanBuilderTraining, 1);
  self->config = *config;
  goban_learning_run_init (&self->base, &goban_builder_training_kind, &self->config.base,
                           sizeof (GobanBuilderPoint));
  self->families = g_steal_pointer (&families);
  self->first = (GobanBuilderPoint){ .valid_greedy = NAN, .valid_best = NAN };
  rollouts_init (self);
  return self;
}

GobanBuilderTraining *
goban_builder_training_new (const GobanBuilderTrainingConfig *config, const char *const *left_out,
                            GError **error)
{
  GobanBuilderTraining *self = new_empty (config, left_out, error);

  if (self != NULL)
    goban_learning_run_begin (&self->base);
  return self;
}

void
goban_builder_training_begin_with (GobanBuilderTraining *self, const GobanBuilderNet *net)
{
  GobanBuilderNet *own[] = { self->base.net, self->base.average, self->base.best };

  g_return_if_fail (self->base.n_done == 0);

  for (gsize i = 0; i < G_N_ELEMENTS (own); i++)
    goban_builder_net_adopt (own[i], net);
}

static GobanScorerNet *
new_net (const GobanLearningRun *run, GobanRng *rng)
{
  const GobanBuilderTraining *self = (gconstpointer) run;

  return goban_builder_net_new (goban_builder_training_config_get_parts (&self->config), rng);
}

static void
clear (GobanLearningRun *run)
{
  GobanBuilderTraining *self = (gpointer) run;

  rollouts_clear (self);
  goban_curriculum_free (self->families);
}

/* --- scores --------------------------------------------------------------------------------- */

static GobanBuilderPoint *
get_point (const GobanLearningRun *run, int point)
{
  GobanBuilderTraining *self = (gpointer) run;

  return point == GOBAN_LEARNING_FIRST ? &self->first
                                       : &g_array_index (run->points, GobanBuilderPoint, point);
}

static double
get_score (const GobanLearningRun *run, int point)
{
  const GobanBuilderPoint *tried = get_point (run, point);

  return sqrt (tried->valid_greedy * tried->valid_best);
}

/* Whether the last trials were all worse than the first. */
static gboolean
gets_worse (const GobanBuilderTraining *self)
{
  guint n = 0;

  for (int i = (int) self->base.points->len; i > 0 && n < N_WORSE; i--)
    {
      double score = get_score (&self->base, i - 1);

      if (score <= self->base.first_score)
        return FALSE;
      n += !isnan (score);
    }
  return n == N_WORSE;
}

const char *
goban_builder_training_get_warning (const GobanBuilderTraining *self)
{
  GobanCollapseSign signs[GOBAN_COLLAPSE_WINDOW];
  guint n_points = self->base.points->len, n = MIN (n_points, GOBAN_COLLAPSE_WINDOW);
  const char *collapse;

  for (guint i = 0; i < n; i++)
    {
      const GobanBuilderPoint *point = get_point (&self->base, (int) (n_points - n + i));

      signs[i] = (GobanCollapseSign){ point->entropy, point->top_share };
    }
  collapse = goban_collapse_describe (signs, n);
  if (collapse != NULL)
    return collapse;
  if (self->n_flat >= N_FLAT)
    return N_ ("learns nothing: in the last updates all plans of a problem had the same reward");
  return gets_worse (self) ? N_ ("gets worse: in validation the last trials were worse than the "
                                 "network it began with")
                           : NULL;
}

/* --- validation ----------------------------------------------------------------------------- */

/* The logarithms of a validation problem's scores over its reference. */
typedef struct
{
  double greedy;
  double best;
} Score;

/* Tries this rank's share of the problems. @scores: of Score */
static gboolean
try_own (GobanBuilderTraining *self, GArray *scores, const GobanProgress *progress, GError **error)
{
  guint first, end;

  goban_ranks_share_own (self->ranks, self->config.base.n_validation, &first, &end);
  for (guint i = first; i < end; i++)
    {
      GobanBuilderProblem *problem = get_problem (self, -1 - (gint) i, error);
      double greedy_us;
      double best_us;
      Score score;

      if (problem == NULL || !goban_progress_check (progress, error))
        return FALSE;
      best_us = goban_builder_problem_try (problem, self->base.average, N_SAMPLES, TRY_TEMPERATURE,
                                           &greedy_us);
      score = (Score){ goban_log (greedy_us / problem->reference_us),
                       goban_log (best_us / problem->reference_us) };
      g_array_append_val (scores, score);
    }
  return TRUE;
}

gboolean
goban_builder_training_measure (GobanBuilderTraining *self, GobanBuilderPoint *point,
                                const GobanProgress *progress, GError **error)
{
  g_autoptr (GArray) own = g_array_new (FALSE, FALSE, sizeof (Score));
  g_autoptr (GByteArray) all = g_byte_array_new ();
  const Score *scores;
  double greedy = 0;
  double best = 0;

  if (!try_own (self, own, progress, error)
      || !goban_ranks_gather (self->ranks, own->data, own->len * sizeof (Score), all, error))
    return FALSE;
  scores = (const Score *) (const void *) all->data;
  for (guint i = 0; i < self->config.base.n_validation; i++)
    {
      greedy += scores[i].greedy / self->config.base.n_validation;
      best += scores[i].best / self->config.base.n_validation;
    }
  point->valid_greedy = exp (greedy);
  point->valid_best = exp (best);
  return TRUE;
}

static gboolean
try (GobanLearningRun *run, int point, const GobanProgress *progress, GError **error)
{
  return goban_builder_training_measure ((gpointer) run, get_point (run, point), progress, error);
}

/* --- updates -------------------------------------------------------------------------------- */

GobanAdam
goban_builder_training_new_adam (double rate, double encoder_rate)
{
  GobanAdam adam = goban_adam_new (rate);

  adam.beta2 = BETA2;
  adam.first_slow = GOBAN_SCORER_NET_N_TENSORS;
  adam.slow_share = encoder_rate;
  return adam;
}

static gboolean
climb (GobanBuilderTraining *self, double *norm, GError **error)
{
  GobanLearningRun *run = &self->base;
  GobanParams *params = run->net->params;
  GobanAdam adam = goban_builder_training_new_adam (goban_learning_run_get_rate (run),
                                                    self->config.encoder_rate);
  double n = run->n_done + 1;

  if (!goban_adam_step (&adam, params, norm, error))
    return FALSE;
  /* The average forgets faster at first, or the initial weights would dominate it for long. */
  goban_builder_net_average (run->average, run->net, MIN (run->settings->average, n / (n + 10)));
  return TRUE;
}

/* On FALSE the generator is as it was before the rollouts. */
static gboolean
update (GobanLearningRun *run, const GobanProgress *progress, GError **error)
{
  GobanBuilderTraining *self = (gpointer) run;
  GobanBuilderPoint point = { .update = run->n_done + 1 };

  point.valid_greedy = point.valid_best = NAN;
  if (!goban_builder_training_roll_out (self, progress, error))
    return FALSE;
  if (!learn (self, &point, error) || !climb (self, &point.gradient_norm, error))
    {
      run->rng = self->earlier;
      return FALSE;
    }
  g_array_append_val (run->points, point);
  return TRUE;
}

/* --- files ---------------------------------------------------------------------------------- */

static void
put_point (GByteArray *out, const GobanBuilderPoint *point)
{
  goban_bytes_put_u32 (out, point->update);
  goban_bytes_put_u32 (out, (guint32) point->imitates);
  goban_learning_run_put_doubles (out, point->values, GOBAN_BUILDER_POINT_N_VALUES);
}

static void
put (const GobanLearningRun *run, GByteArray *out)
{
  const GobanBuilderTraining *self = (gconstpointer) run;
  g_autofree char *left_out = g_strjoinv (",", (char **) self->families->left_out);

  goban_bytes_put_text (out, left_out);
  goban_learning_run_put_rng (out, self->has_rollouts ? &self->earlier : &run->rng);
  goban_bytes_put_u32 (out, run->n_done);
  goban_bytes_put_double (out, run->best_score);
  goban_learning_run_put_nets (run, out);
  put_point (out, &self->first);
  goban_bytes_put_u32 (out, run->points->len);
  for (int i = 0; i < (int) run->points->len; i++)
    put_point (out, get_point (run, i));
}

static GobanBuilderPoint
take_point (GobanByteReader *reader)
{
  GobanBuilderPoint point = { .update = goban_byte_reader_read_u32 (reader) };

  point.imitates = goban_byte_reader_read_u32 (reader) != 0;
  goban_learning_run_read_doubles (reader, point.values, GOBAN_BUILDER_POINT_N_VALUES);
  return point;
}

static GobanLearningRun *
take (GobanByteReader *reader, gconstpointer settings, const char *origin, GError **error)
{
  g_autofree char *names = goban_byte_reader_read_text (reader);
  g_auto (GStrv) left_out = g_strsplit (names, ",", -1);
  g_autoptr (GobanBuilderTraining) self
      = new_empty (settings, (const char *const *) left_out, error);
  guint32 n;

  if (self == NULL)
    return NULL;
  goban_learning_run_read_rng (reader, &self->base.rng);
  self->base.n_done = goban_byte_reader_read_u32 (reader);
  self->base.best_score = goban_byte_reader_read_double (reader);
  if (!goban_learning_run_read_nets (&self->base, reader, origin, error))
    return NULL;
  self->first = take_point (reader);
  self->base.first_score = get_score (&self->base, GOBAN_LEARNING_FIRST);
  n = goban_byte_reader_read_u32 (reader);
  for (guint32 i = 0; i < n && !reader->is_short; i++)
    {
      GobanBuilderPoint point = take_point (reader);

      g_array_append_val (self->base.points, point);
    }
  return reader->is_short ? NULL : &g_steal_pointer (&self)->base;
}

const GobanLearningKind goban_builder_training_kind = {
  .magic = "GOBANBLD",
  .problem = N_ ("this is not a training run of the plan builder"),
  .settings = { fields, G_N_ELEMENTS (fields), sizeof usual, &usual },
  .new_net = new_net,
  .update = update,
  .try = try,
  .get_score = get_score,
  .clear = clear,
  .put = put,
  .take = take,
};
