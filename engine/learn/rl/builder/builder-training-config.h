/* builder-training-config.h: configuration of a training of plan builders, and its text form. */
#pragma once

#include "engine/learn/policy/row-encoder.h"

G_BEGIN_DECLS

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

G_END_DECLS
