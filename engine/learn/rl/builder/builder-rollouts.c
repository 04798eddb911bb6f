#include "engine/learn/nn/vector.h"
#include "engine/learn/rl/builder/builder-training-private.h"
#include "engine/learn/rl/builder/builder-training.h"

#include <math.h>
#include <string.h>

/* Added to the deviation of rewards, so that negligible differences are not amplified. */
#define LEAST_DEVIATION 0.02

/* Rewards that differ less teach nothing: it is negligible beside the above. */
#define LEAST_DIFFERENCE 1e-6

/* The bonus of entropy is raised by at most this factor. */
#define MOST_RAISED 20

#define MAX_KNOWN 64 /* lessons of the caller's that are kept prepared */

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
  for (guint t = 0; t < goban_params_get_n_tensors (self->params); t++)
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
  for (guint t = 0; t < goban_params_get_n_tensors (self->params); t++)
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

/* --- construction and disposal -------------------------------------------------------------- */

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

void
goban_builder_rollouts_init (GobanBuilderTraining *self)
{
  const GobanBuilderTrainingConfig *config = &self->config;

  self->lessons = g_new0 (GobanBuilderProblem *, config->n_lessons);
  self->names = g_new0 (char *, config->n_lessons);
  self->labels = g_new0 (guint32 *, config->n_lessons);
  self->validation = g_new0 (GobanBuilderProblem *, config->n_validation);
  self->known = g_ptr_array_new_with_free_func (taught_free);
  self->groups = g_new0 (GobanBuilderGroup, config->n_problems);
  for (guint k = 0; k < config->n_problems; k++)
    {
      GobanBuilderGroup *group = &self->groups[k];

      group->scores_us = g_new (double, config->n_rollouts);
      group->rewards = g_new (double, config->n_rollouts);
      group->entropies = g_new (double, config->n_rollouts);
      group->top_shares = g_new (double, config->n_rollouts);
      group->records = g_new (GobanBuildRecord *, config->n_rollouts);
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

void
goban_builder_rollouts_clear (GobanBuilderTraining *self)
{
  for (guint k = 0; k < self->config.n_problems; k++)
    {
      GobanBuilderGroup *group = &self->groups[k];

      group_empty (group);
      for (guint i = 0; i < self->config.n_rollouts; i++)
        goban_build_record_free (group->records[i]);
      g_free (group->records);
      g_free (group->scores_us);
      g_free (group->rewards);
      g_free (group->entropies);
      g_free (group->top_shares);
    }
  for (guint i = 0; i < self->config.n_lessons; i++)
    {
      g_clear_pointer (&self->lessons[i], goban_builder_problem_free);
      g_free (self->names[i]);
      g_free (self->labels[i]);
    }
  g_free (self->groups);
  g_free (self->lessons);
  g_free (self->names);
  g_free (self->labels);
  free_problems (self->validation, self->config.n_validation);
  g_free (self->taught);
  g_ptr_array_unref (self->known);
}

/* --- drawn lessons -------------------------------------------------------------------------- */

GobanBuilderProblem *
goban_builder_training_get_problem (GobanBuilderTraining *self, gint index, GError **error)
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
  lesson = goban_builder_lesson_draw (self->config.seed, index, &kinds);
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
  goban_rng_init (&rng, self->config.seed + index);
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

/* The next rollouts are the same again. */
static void
drop_rollouts (GobanBuilderTraining *self)
{
  if (!self->has_rollouts)
    return;
  for (guint k = 0; k < self->config.n_problems; k++)
    group_empty (&self->groups[k]);
  self->rng = self->earlier;
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
  self->has_own_goal = self->has_own_goal || n > 0;
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
  free_problems (self->validation, self->config.n_validation);
  self->validation = problems;
  self->config.n_validation = n;
  self->has_own_validation = TRUE;
  return TRUE;
}

/* --- rollouts ------------------------------------------------------------------------------- */

static gboolean
imitates (const GobanBuilderTraining *self)
{
  return self->taught == NULL && self->n_done < self->config.n_imitations;
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
  drawn = goban_rng_below (&self->rng, self->config.n_lessons);
  group->problem = goban_builder_training_get_problem (self, (gint) drawn, error);
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
  gboolean is_encoded = goban_builder_net_get_encoder (self->net) != NULL;
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
  goban_plan_builder_build (problem->builder, self->net, &options, devices);
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
        group->encoding = goban_row_encoding_new (self->net, group->problem->rows);
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
    seeds[i] = goban_rng_next (&self->rng);
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
  self->earlier = self->rng;
  self->has_rollouts = TRUE;
  self->begun = shared_moment_now (self->ranks);
  if (draw_lessons (self, error) && roll_out (self, progress, error))
    return TRUE;
  drop_rollouts (self);
  return FALSE;
}

/* --- as the caller has them ----------------------------------------------------------------- */

guint
goban_builder_training_get_n_groups (const GobanBuilderTraining *self)
{
  return self->config.n_problems;
}

guint
goban_builder_training_get_n_rollouts (const GobanBuilderTraining *self)
{
  return self->has_rollouts ? self->groups[0].n_rollouts : 0;
}

GobanBuilderRollout
goban_builder_training_get_rollout (const GobanBuilderTraining *self, guint group, guint rollout)
{
  const GobanBuilderGroup *from = &self->groups[group];

  return (GobanBuilderRollout){
    .lesson = from->name,
    .costs = from->problem->costs,
    .score_us = from->scores_us[rollout],
    .reference_us = from->problem->reference_us,
    .reward = from->rewards[rollout],
    .entropy = from->entropies[rollout],
    .top_share = from->top_shares[rollout],
  };
}

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

  self->has_own_goal = self->has_own_goal || reward != self->groups[group].rewards[rollout];
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

  goban_build_records_learn (group->records, &lesson, 1, self->net, group->encoding);
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
  goban_build_records_learn (group->records + first, lessons, n, self->net, group->encoding);
}

gboolean
goban_builder_training_learn (GobanBuilderTraining *self, GobanBuilderPoint *point, GError **error)
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
        GobanBuilderRollout rollout = goban_builder_training_get_rollout (self, k, i);

        point->reward += rollout.reward;
        point->entropy += rollout.entropy;
        point->top_share += rollout.top_share;
        even_share += 1.0 / self->groups[k].problem->rows->n_devices;
      }
  point->reward /= n;
  point->entropy /= n;
  point->top_share /= n;
  point->even_share = even_share / n;

  shared_gradient_init (&sum, self->ranks, goban_builder_net_get_params (self->net), items.n_items);
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
        goban_row_encoding_backward (group->encoding, self->net);
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
