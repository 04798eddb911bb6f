/* move-training.h: the training of the network that proposes moves: regression on the exact gains
 * of moves.
 *
 * An update runs one search from a random start on a random problem, with the present network, with
 * hand-set weights or with uniform moves. At some states of the search moves are simulated, each
 * alone: random ones, and those with the network's best scores. The target of a move is
 *
 *   max (0, gain) / best gain of the state
 *
 * and not whether the move improves the plan, because most improvements are tiny. So the labelled
 * states are those that the network's own searches reach (Ross, Gordon and Bagnell, DAgger, 2011).
 * The last states are kept, and each update reduces the squared error on a random sample of them.
 *
 * The moving average of the weights is measured regularly on validation problems, compared with
 * uniform moves; the result of a run is the average with the best validation score.
 *
 * A run can be saved between two updates; a resumed run gives the same bytes as one that was not
 * interrupted. One thread at a time.
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/learn/rl/builder/builder-lessons.h"
#include "engine/learn/rl/moves/improver.h"

#include <glib.h>

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

/* All fields as "KEY=VALUE,...", read back as the same bytes. (transfer full) */
char *
goban_move_training_config_to_text (const GobanMoveTrainingConfig *self) G_GNUC_WARN_UNUSED_RESULT;

/* Number of budgets in a validation. */
#define GOBAN_MOVE_N_TRIED 2 /* 17 and 64 evaluations after the start */

/* A point of the learning curve: one update. NAN: not measured. */
typedef struct
{
  guint update;          /* from 1 */
  double error;          /* mean squared error */
  double constant_error; /* error of predicting the mean target of each state */
  double improving;      /* share of the labelled moves that improve the plan */
  double best_gain;      /* mean over the states, as a share of the makespan */
  double gradient_norm;
  double valid[GOBAN_MOVE_N_TRIED]; /* geometric mean of the score over that of uniform moves */
} GobanMovePoint;

typedef struct _GobanMoveTraining GobanMoveTraining;

GobanMoveTraining *
goban_move_training_new (const GobanMoveTrainingConfig *config) G_GNUC_WARN_UNUSED_RESULT;
void goban_move_training_free (GobanMoveTraining *self);

const GobanMoveTrainingConfig *goban_move_training_get_config (const GobanMoveTraining *self);
guint goban_move_training_get_n_done (const GobanMoveTraining *self);
gboolean goban_move_training_is_done (const GobanMoveTraining *self);
/* Changes the number of updates, to train longer. */
void goban_move_training_set_end (GobanMoveTraining *self, guint n_updates);
/* (element-type GobanMovePoint) borrowed. */
const GArray *goban_move_training_get_points (const GobanMoveTraining *self);

/* The network with the best validation score, which may be the initial one; before the first
 * validation, the average. Borrowed. */
GobanScorerNet *goban_move_training_get_net (GobanMoveTraining *self);
/* The average of the weights as it is now. Borrowed. */
GobanScorerNet *goban_move_training_get_average (GobanMoveTraining *self);
/* The validation score of the best network: the geometric mean over both budgets; NAN before the
 * first validation. */
double goban_move_training_get_score (const GobanMoveTraining *self);
/* The same of the initial network; NAN before the first step, and for runs of earlier versions. */
double goban_move_training_get_first_score (const GobanMoveTraining *self);
/* The update after which the network that get_net() returns was as it is; 0: the initial one. */
guint goban_move_training_get_kept_step (const GobanMoveTraining *self);
/* Number of labelled moves so far. */
guint64 goban_move_training_get_n_labels (const GobanMoveTraining *self);

/**
 * goban_move_training_step:
 *
 * Makes one update, and a validation if one is due. The run must not be done.
 *
 * Returns: %FALSE with an error set that names the problem: %GOBAN_ERROR_INVALID if something is
 *   not finite, or %GOBAN_ERROR_CANCELLED; the run is unchanged then
 */
gboolean goban_move_training_step (GobanMoveTraining *self, const GobanProgress *progress,
                                   GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanMoveTraining, goban_move_training_free)

/* --- files, from which a run is resumed ------------------------------------------------------- */

gboolean goban_move_training_save (GobanMoveTraining *self, const char *path, GError **error);
/* (transfer full) (nullable): %NULL with %GOBAN_ERROR_IO or PARSE set, which names the path */
GobanMoveTraining *goban_move_training_load (const char *path,
                                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
GByteArray *goban_move_training_write (GobanMoveTraining *self) G_GNUC_WARN_UNUSED_RESULT;
GobanMoveTraining *goban_move_training_read (const guint8 *data, gsize size, const char *origin,
                                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
