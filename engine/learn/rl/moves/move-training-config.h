/* move-training-config.h: configuration of a training of moves, and its text in files. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  guint64 seed;
  guint n_updates;
  guint n_lessons;     /* problems */
  guint n_evaluations; /* of a search, at most; log-uniform */
  guint n_labels;      /* moves labelled in a state */
  guint n_states;      /* that are kept */
  guint n_batches;     /* steps of Adam in an update */
  guint batch;         /* states of each */
  guint n_validation;  /* problems to choose the network by */
  guint every;         /* updates between trials of them */
  double rate;         /* of Adam at first */
  double last_rate;    /* as a share of it */
  double average;      /* share that the moving average keeps in a step of Adam */
} GobanMoveTrainingConfig;

GobanMoveTrainingConfig goban_move_training_config_default (void);
/* The settings by default, a line each: key, tab, value, tab, meaning. (transfer full) */
char *goban_move_training_config_describe (void) G_GNUC_WARN_UNUSED_RESULT;
/* Changes what @text names. FALSE with %GOBAN_ERROR_INVALID set. */
gboolean goban_move_training_config_parse (const char *text, GobanMoveTrainingConfig *config,
                                           GError **error);

G_END_DECLS
