/* builder-rollouts.h: the rollouts of one update of a training of plan builders, between their
 * simulation and the learning.
 *
 * goban_builder_training_step() makes the rollouts and learns from them at once. A caller with
 * rewards or lessons of its own makes them first, changes rewards, and then calls the step, which
 * learns from what there is. Without changes the run's bytes are the same. Rollouts are not saved
 * with a run: a resumed run makes the same ones again.
 *
 * One thread at a time.
 */
#pragma once

#include "engine/learn/rl/builder/builder-training.h"

G_BEGIN_DECLS

typedef struct
{
  const char *lesson; /* borrowed */
  GobanCostModel *costs;
  double score_us;     /* makespan, longer if memory lacks */
  double reference_us; /* of the best contiguous split of the lesson */
  double reward;
  double entropy;   /* nats of a decision */
  double top_share; /* of the work on the device with most */
} GobanBuilderRollout;

/* Makes the rollouts of the next update, unless they are there already. %FALSE with an error set as
 * by goban_builder_training_step(); the run is unchanged then. */
gboolean goban_builder_training_roll_out (GobanBuilderTraining *self, const GobanProgress *progress,
                                          GError **error);

/* Problems of the update, and rollouts of one: the same number of each. */
guint goban_builder_training_get_n_groups (const GobanBuilderTraining *self);
guint goban_builder_training_get_n_rollouts (const GobanBuilderTraining *self);
GobanBuilderRollout goban_builder_training_get_rollout (const GobanBuilderTraining *self,
                                                        guint group, guint rollout);
/* The plan of a rollout. (transfer full) */
GobanPlan *goban_builder_training_dup_plan (GobanBuilderTraining *self, guint group,
                                            guint rollout) G_GNUC_WARN_UNUSED_RESULT;
/* @reward: finite. Updates that imitate ignore it. */
void goban_builder_training_set_reward (GobanBuilderTraining *self, guint group, guint rollout,
                                        double reward);

/**
 * goban_builder_training_teach:
 * @costs: (array length=n): the lessons of the next update, in place of drawn ones
 * @n: number of them, as many as the configuration has problems; 0: they are drawn again
 *
 * Drops rollouts. Such updates do not imitate. The last 64 lessons are kept prepared.
 *
 * Returns: %FALSE with %GOBAN_ERROR_INFEASIBLE set; the lessons are unchanged then
 */
gboolean goban_builder_training_teach (GobanBuilderTraining *self, GobanCostModel *const *costs,
                                       guint n, GError **error);

/* Validates on these problems from now on, in place of drawn ones; @n: from 1. %FALSE with
 * %GOBAN_ERROR_INFEASIBLE set; nothing has changed then. */
gboolean goban_builder_training_set_validation (GobanBuilderTraining *self,
                                                GobanCostModel *const *costs, guint n,
                                                GError **error);

/* Measures the average of the weights on the validation problems, without influence on the run. */
gboolean goban_builder_training_measure (GobanBuilderTraining *self, GobanBuilderPoint *point,
                                         const GobanProgress *progress, GError **error);

G_END_DECLS
