/* builder-training.h: the training of the network that builds plans: imitation, then REINFORCE,
 * checkpoints by validation.
 *
 * An update takes some problems and builds several plans (rollouts) of each with the same network.
 * The rewards of the rollouts of one problem are compared with each other:
 *
 *   z = (reward - mean) / (deviation + 0.02)
 *   advantage = n e^(risk z) / sum of e^(risk z) - 1, scaled to the mean square of z; z if risk = 0
 *
 * Adam maximises the mean of advantage x log-likelihood + entropy. A policy is used for the best of
 * several plans, so the best rollouts weigh more than the worst (Petersen et al., Deep symbolic
 * regression, ICLR 2021, section 3.3). The first updates imitate annealed plans instead. The moving
 * average of the weights is measured regularly on validation problems, which are not learned from;
 * the result of a run is the average with the best validation score.
 *
 * A run can be saved between two updates; a resumed run gives the same bytes as one that was not
 * interrupted, on whatever number of ranks. One thread at a time.
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/core/ranks/ranks.h"
#include "engine/core/ranks/scaling.h"
#include "engine/learn/policy/row-encoder.h"
#include "engine/learn/rl/builder/builder-lessons.h"

typedef struct
{
  guint64 seed;
  guint n_updates;
  guint n_lessons;      /* that are drawn before the first update */
  guint n_problems;     /* of an update */
  guint n_rollouts;     /* of a problem */
  guint n_imitations;   /* updates at first that follow annealed plans */
  guint n_labels;       /* evaluations of each of these plans */
  guint n_validation;   /* problems to choose the network by */
  guint every;          /* updates between trials of them */
  double rate;          /* of Adam at first */
  double last_rate;     /* as a share of it */
  double entropy;       /* weight of the bonus */
  double entropy_floor; /* nats of a decision below which the bonus is raised; 0: never */
  double risk;          /* how much more the best rollouts of a problem weigh; 0: as they are */
  double temperature;   /* of rollouts */
  double average;       /* share that the moving average keeps in an update */
  guint structures;     /* 1: lessons and validation have them (builder-lessons.h) */
  gboolean families;    /* every fourth lesson is of a model family that is not left out */
  /* parts of the network (engine/learn/policy/row-encoder.h): 0 or 1 */
  guint embedding, attention, modulation, devices, actions;
  double encoder_rate; /* of Adam for its parameters, as a share of the others' */
} GobanBuilderTrainingConfig;

GobanBuilderTrainingConfig goban_builder_training_config_default (void);
/* All fields as "KEY=VALUE,...", read back as the same bytes. (transfer full) */
char *goban_builder_training_config_to_text (const GobanBuilderTrainingConfig *self)
    G_GNUC_WARN_UNUSED_RESULT;
/* The settings by default, a line each: key, tab, value, tab, meaning. (transfer full) */
char *goban_builder_training_config_describe (void) G_GNUC_WARN_UNUSED_RESULT;
/* Changes what @text names. FALSE with %GOBAN_ERROR_INVALID set. */
gboolean goban_builder_training_config_parse (const char *text, GobanBuilderTrainingConfig *config,
                                              GError **error);

GobanDecoderParts goban_builder_training_config_get_parts (const GobanBuilderTrainingConfig *self);

/* One update, as the curve has it. NAN for what was not measured. */
typedef struct
{
  guint update; /* from 1 */
  gboolean imitates;
  double reward;     /* mean of all rollouts */
  double entropy;    /* nats of a decision */
  double top_share;  /* of the work on the device with most, mean over rollouts */
  double even_share; /* the top share if all devices had equal work */
  double gradient_norm;
  double valid_greedy; /* geometric mean of the likeliest plan's score over the control's */
  double valid_best;   /* the same for the best of 17 plans */
} GobanBuilderPoint;

typedef struct _GobanBuilderTraining GobanBuilderTraining;

/**
 * goban_builder_training_new:
 * @left_out: (nullable): names of families without lessons, NULL-terminated
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set
 */
GobanBuilderTraining *goban_builder_training_new (const GobanBuilderTrainingConfig *config,
                                                  const char *const *left_out,
                                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_builder_training_free (GobanBuilderTraining *self);

/* Begins with the weights of a network, which may lack some of the parts: these begin without
 * influence. Before the first step. */
void goban_builder_training_begin_with (GobanBuilderTraining *self, const GobanBuilderNet *net);

const GobanBuilderTrainingConfig *
goban_builder_training_get_config (const GobanBuilderTraining *self);
guint goban_builder_training_get_n_done (const GobanBuilderTraining *self);
gboolean goban_builder_training_is_done (const GobanBuilderTraining *self);
/* Changes the number of updates, to train longer. */
void goban_builder_training_set_end (GobanBuilderTraining *self, guint n_updates);
/* Shares updates and validations with the other ranks, which make the same calls. (nullable):
 * alone. Borrowed. */
void goban_builder_training_set_ranks (GobanBuilderTraining *self, GobanRanks *ranks);
/* What its updates have taken, without validations. Borrowed. */
const GobanScaling *goban_builder_training_get_scaling (const GobanBuilderTraining *self);
/* (element-type GobanBuilderPoint) borrowed. */
const GArray *goban_builder_training_get_points (const GobanBuilderTraining *self);

/* The network with the best validation score, which may be the initial one; before the first
 * validation, the average. It is the average, too, if the run learns from lessons or rewards of the
 * caller's and has no validation problems of theirs. Borrowed. */
GobanBuilderNet *goban_builder_training_get_net (GobanBuilderTraining *self);
/* The validation score of that network: the geometric mean of valid_greedy and valid_best; NAN
 * before the first validation. */
double goban_builder_training_get_score (const GobanBuilderTraining *self);
/* The average of the weights as it is now. Borrowed. */
GobanBuilderNet *goban_builder_training_get_average (GobanBuilderTraining *self);
/* The update after which that network was as it is. */
guint goban_builder_training_get_kept_step (const GobanBuilderTraining *self);

/* The validation figures of the initial network. */
const GobanBuilderPoint *goban_builder_training_get_first (const GobanBuilderTraining *self);

/* A warning if the last updates have collapsed (all rollouts on one device, or no entropy left) or
 * had no rewards that differ, or if the last trials were worse than the first.
 * (nullable) static */
const char *goban_builder_training_get_warning (const GobanBuilderTraining *self);

/**
 * goban_builder_training_step:
 *
 * Makes one update, and a validation if one is due. The run must not be done.
 *
 * Returns: %FALSE with an error set that names the lesson: %GOBAN_ERROR_INVALID if a number is not
 *   finite, or %GOBAN_ERROR_CANCELLED; the run is unchanged then
 */
gboolean goban_builder_training_step (GobanBuilderTraining *self, const GobanProgress *progress,
                                      GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanBuilderTraining, goban_builder_training_free)

/* --- files, from which a run is resumed ------------------------------------------------------- */

gboolean goban_builder_training_save (GobanBuilderTraining *self, const char *path, GError **error);
/* (transfer full) (nullable): %NULL with %GOBAN_ERROR_IO or PARSE set, which names the path */
GobanBuilderTraining *goban_builder_training_load (const char *path,
                                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
GByteArray *goban_builder_training_write (GobanBuilderTraining *self) G_GNUC_WARN_UNUSED_RESULT;
GobanBuilderTraining *goban_builder_training_read (const guint8 *data, gsize size,
                                                   const char *origin,
                                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The rollouts of one update of a training of plan builders, between their
 * simulation and the learning.
 *
 * goban_builder_training_step() makes the rollouts and learns from them at once. A caller with
 * rewards or lessons of its own makes them first, changes rewards, and then calls the step, which
 * learns from what there is. Without changes the run's bytes are the same. Rollouts are not saved
 * with a run: a resumed run makes the same ones again.
 *
 * One thread at a time.
 */

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
