/* builder-training.h: the training of the network that builds plans: imitation, then REINFORCE, checkpoints by validation.
 *
 * An update is some problems, each built several times with the same network. The rewards of the rollouts of a problem
 * are compared with each other:
 *
 *   z = (reward - mean) / (deviation + 0.02)                Williams, REINFORCE, 1992, with fellows as the baseline
 *   advantage = n e^(risk z) / sum of e^(risk z) - 1, as large as z in the mean of squares; z where risk is 0
 *
 * and Adam climbs the mean of advantage x log-likelihood + entropy. What counts is the best of several plans, so the best
 * rollouts weigh more than the worst: after Petersen et al., Deep symbolic regression, ICLR 2021, section 3.3. The first updates imitate annealed plans instead.
 * What is used is the moving average of the weights. Now and then it is tried on problems that nothing is learned from, and
 * the best so far is what a run results in: never by the reward in training.
 *
 * A run is a value that can be written down whole between two updates: stopped and gone on with, it makes the same bytes.
 * One thread at a time.
 */
#pragma once

#include "engine/base/progress.h"
#include "engine/rl/builder-lessons.h"
#include "engine/rl/builder-training-config.h"

G_BEGIN_DECLS

/* One update, as the curve has it. NAN for what was not measured. */
typedef struct
{
  guint update; /* from 1 */
  gboolean imitates;
  double reward;     /* mean of all rollouts */
  double entropy;    /* nats of a decision */
  double top_share;  /* of the work on the device with most, mean over rollouts */
  double even_share; /* what that would be were all devices used alike */
  double gradient_norm;
  double valid_greedy; /* geometric mean of the likeliest plan over the control's */
  double valid_best;   /* of the best of 17 plans */
} GobanBuilderPoint;

typedef struct _GobanBuilderTraining GobanBuilderTraining;

/**
 * goban_builder_training_new:
 * @left_out: (nullable): families of which no lesson is, NULL-terminated
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set
 */
GobanBuilderTraining *goban_builder_training_new (const GobanBuilderTrainingConfig *config,
                                                  const char *const *left_out,
                                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_builder_training_free (GobanBuilderTraining *self);

const GobanBuilderTrainingConfig *
goban_builder_training_get_config (const GobanBuilderTraining *self);
guint goban_builder_training_get_n_done (const GobanBuilderTraining *self);
gboolean goban_builder_training_is_done (const GobanBuilderTraining *self);
/* A later end than the one it was begun with. */
void goban_builder_training_set_end (GobanBuilderTraining *self, guint n_updates);
/* (element-type GobanBuilderPoint) borrowed. */
const GArray *goban_builder_training_get_points (const GobanBuilderTraining *self);

/* The best by validation, the average itself before the first trial. Borrowed. */
GobanBuilderNet *goban_builder_training_get_net (GobanBuilderTraining *self);
/* Its score: the geometric mean of valid_greedy and valid_best; NAN before the first trial. */
double goban_builder_training_get_score (const GobanBuilderTraining *self);
/* Those of the network that it began with. */
const GobanBuilderPoint *goban_builder_training_get_first (const GobanBuilderTraining *self);

/* In words, what is wrong with the last updates: every rollout on one device, or no chance left. (nullable) static */
const char *goban_builder_training_get_warning (const GobanBuilderTraining *self);

/**
 * goban_builder_training_step:
 *
 * One update, and a trial where one is due. It must not be done.
 *
 * Returns: %FALSE with an error set that names the lesson: %GOBAN_ERROR_INVALID where something is not finite,
 *   or %GOBAN_ERROR_CANCELLED; the run is as it was then
 */
gboolean goban_builder_training_step (GobanBuilderTraining *self, const GobanProgress *progress,
                                      GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanBuilderTraining, goban_builder_training_free)

G_END_DECLS
