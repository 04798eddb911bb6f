/* train-builder-rollouts.c: rollouts and lessons of the plan builder's training, as a trainer's
 * owner has them (engine/learn/rl/builder/builder-training.h).
 */
#include "engine/core/error.h"
#include "engine/learn/rl/builder/builder-training.h"
#include "engine/study/training/train-builder.h"
#include "engine/study/training/trainer.h"

#include <math.h>

static gboolean
roll_out (gpointer run, GArray *rollouts, const GobanProgress *progress, GError **error)
{
  guint n_groups = goban_builder_training_get_n_groups (run);

  if (!goban_builder_training_roll_out (run, progress, error))
    return FALSE;
  for (guint k = 0; k < n_groups; k++)
    for (guint i = 0; i < goban_builder_training_get_n_rollouts (run); i++)
      {
        GobanBuilderRollout from = goban_builder_training_get_rollout (run, k, i);
        GobanTrainerRollout rollout = { .lesson = g_strdup (from.lesson),
                                        .time_us = from.score_us,
                                        .reference_us = from.reference_us,
                                        .reward = from.reward,
                                        .entropy = from.entropy,
                                        .top_share = from.top_share };

        g_array_append_val (rollouts, rollout);
      }
  return TRUE;
}

/* %FALSE with an error set if there are not so many rollouts. */
static gboolean
check_rollouts (gpointer run, guint n, GError **error)
{
  guint n_all
      = goban_builder_training_get_n_groups (run) * goban_builder_training_get_n_rollouts (run);

  if (n <= n_all)
    return TRUE;
  goban_set_error (error, GOBAN_ERROR_INVALID,
                   "there is no rollout %u of the next update: ask for its rollouts first", n);
  return FALSE;
}

static GobanPlan *
dup_plan (gpointer run, guint index, GobanCostModel **costs, GError **error)
{
  guint n = goban_builder_training_get_n_rollouts (run);

  if (!check_rollouts (run, index + 1, error))
    return NULL;
  *costs
      = goban_cost_model_ref (goban_builder_training_get_rollout (run, index / n, index % n).costs);
  return goban_builder_training_dup_plan (run, index / n, index % n);
}

static gboolean
set_rewards (gpointer run, const double *rewards, guint n, GError **error)
{
  guint n_rollouts = goban_builder_training_get_n_rollouts (run);

  if (!check_rollouts (run, n, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    goban_builder_training_set_reward (run, i / n_rollouts, i % n_rollouts, rewards[i]);
  return TRUE;
}

static guint
get_n_lessons (gpointer run)
{
  return goban_builder_training_get_n_groups (run);
}

static gboolean
teach (gpointer run, GobanCostModel *const *costs, guint n, GError **error)
{
  return goban_builder_training_teach (run, costs, n, error);
}

static gboolean
set_validation (gpointer run, GobanCostModel *const *costs, guint n, GError **error)
{
  return goban_builder_training_set_validation (run, costs, n, error);
}

static gboolean
measure (gpointer run, GobanTrainingPoint *point, const GobanProgress *progress, GError **error)
{
  GobanBuilderPoint measured = { .valid_greedy = NAN, .valid_best = NAN };

  if (!goban_builder_training_measure (run, &measured, progress, error))
    return FALSE;
  measured.update = goban_builder_training_get_n_done (run);
  *point = goban_builder_trial_new (&measured);
  return TRUE;
}

const GobanTrainingRollouts goban_training_builder_rollouts = {
  .roll_out = roll_out,
  .dup_plan = dup_plan,
  .set_rewards = set_rewards,
  .get_n_lessons = get_n_lessons,
  .teach = teach,
  .set_validation = set_validation,
  .measure = measure,
};
