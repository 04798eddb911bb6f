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
 * interrupted. One thread at a time.
 */
#pragma once

#include "engine/base/progress.h"
#include "engine/rl/builder-lessons.h"

G_BEGIN_DECLS

typedef struct
{
  guint64 seed;
  guint n_updates;
  guint n_lessons;    /* number of lessons, drawn before the first update */
  guint n_problems;   /* problems per update */
  guint n_rollouts;   /* rollouts per problem */
  guint n_imitations; /* number of first updates that imitate annealed plans */
  guint n_labels;     /* evaluations of annealing for each of these plans */
  guint n_validation; /* validation problems */
  guint every;        /* updates between two validations */
  double rate;        /* learning rate of Adam at the start */
  double last_rate;   /* at the end, as a share of rate */
  double entropy;     /* weight of the entropy bonus */
  double risk;        /* how much more the best rollouts of a problem weigh; 0: no more */
  double temperature; /* of rollouts */
  double average;     /* weight of the old value in the moving average */
  gboolean families;  /* every fourth lesson belongs to a model family that is not left out */
} GobanBuilderTrainingConfig;

GobanBuilderTrainingConfig goban_builder_training_config_default (void);
/* All fields as "KEY=VALUE,...", read back as the same bytes. (transfer full) */
char *goban_builder_training_config_to_text (const GobanBuilderTrainingConfig *self)
    G_GNUC_WARN_UNUSED_RESULT;
/* Changes the fields that @text names. FALSE with %GOBAN_ERROR_INVALID set. */
gboolean goban_builder_training_config_parse (const char *text, GobanBuilderTrainingConfig *config,
                                              GError **error);

/* A point of the learning curve: one update. NAN: not measured. */
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

const GobanBuilderTrainingConfig *
goban_builder_training_get_config (const GobanBuilderTraining *self);
guint goban_builder_training_get_n_done (const GobanBuilderTraining *self);
gboolean goban_builder_training_is_done (const GobanBuilderTraining *self);
/* Changes the number of updates, to train longer. */
void goban_builder_training_set_end (GobanBuilderTraining *self, guint n_updates);
/* (element-type GobanBuilderPoint) borrowed. */
const GArray *goban_builder_training_get_points (const GobanBuilderTraining *self);

/* The network with the best validation score; before the first validation, the average.
 * Borrowed. */
GobanBuilderNet *goban_builder_training_get_net (GobanBuilderTraining *self);
/* The validation score of that network: the geometric mean of valid_greedy and valid_best; NAN
 * before the first validation. */
double goban_builder_training_get_score (const GobanBuilderTraining *self);
/* The validation figures of the initial network. */
const GobanBuilderPoint *goban_builder_training_get_first (const GobanBuilderTraining *self);

/* A warning if the last updates have collapsed: all rollouts on one device, or no entropy left.
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

/* The curve as CSV: "update,kind,reward,..." and one line per update. (transfer full) */
char *goban_builder_training_to_csv (const GobanBuilderTraining *self) G_GNUC_WARN_UNUSED_RESULT;

/* --- files: builder-training-file.c --------------------------------------------------------- */

gboolean goban_builder_training_save (GobanBuilderTraining *self, const char *path, GError **error);
/* (transfer full) (nullable): %NULL with %GOBAN_ERROR_IO or PARSE set, which names the path */
GobanBuilderTraining *goban_builder_training_load (const char *path,
                                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
GByteArray *goban_builder_training_write (GobanBuilderTraining *self) G_GNUC_WARN_UNUSED_RESULT;
GobanBuilderTraining *goban_builder_training_read (const guint8 *data, gsize size,
                                                   const char *origin,
                                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanBuilderTraining, goban_builder_training_free)

G_END_DECLS
