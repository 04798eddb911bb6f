/* move-training.h: the training of the network that proposes moves: regression on the exact gains of moves.
 *
 * A step is one search from a random start on a problem drawn by lot, by the network as it is, by hand-set weights or by chance.
 * At some states of it moves are simulated, each alone: drawn by chance, and those that the network thinks best. What is taught is
 *
 *   max (0, gain) / best gain of the state
 *
 * and not whether a move improves: most that do gain next to nothing. So states that the network's own searches reach are
 * labelled (Ross, Gordon and Bagnell, DAgger, 2011). The last states are kept, and each step descends the squared error of
 * some of them drawn at random.
 *
 * What is used is the moving average of the weights. Now and then it is tried on problems that nothing is learned from, beside
 * uniform moves, and the best so far is what a run results in.
 *
 * A run is a value that can be written down whole between two steps: stopped and gone on with, it makes the same bytes.
 * One thread at a time.
 */
#pragma once

#include "engine/base/progress.h"
#include "engine/rl/builder-lessons.h"
#include "engine/rl/move-problem.h"
#include "engine/rl/move-training-config.h"

G_BEGIN_DECLS
/* All fields as "KEY=VALUE,...", read back as the same bytes. (transfer full) */
char *
goban_move_training_config_to_text (const GobanMoveTrainingConfig *self) G_GNUC_WARN_UNUSED_RESULT;

/* Budgets of a trial. */
#define GOBAN_MOVE_N_TRIED 2 /* 17 and 64 evaluations after the start */

/* One update, as the curve has it. NAN for what was not measured. */
typedef struct
{
  guint update;          /* from 1 */
  double error;          /* mean square */
  double constant_error; /* what the mean of each state's targets would have */
  double improving;      /* share of the labels that improve */
  double best_gain;      /* mean over the states, share of the makespan */
  double gradient_norm;
  double valid[GOBAN_MOVE_N_TRIED]; /* geometric mean over uniform moves' */
} GobanMovePoint;

typedef struct _GobanMoveTraining GobanMoveTraining;

GobanMoveTraining *
goban_move_training_new (const GobanMoveTrainingConfig *config) G_GNUC_WARN_UNUSED_RESULT;
void goban_move_training_free (GobanMoveTraining *self);

const GobanMoveTrainingConfig *goban_move_training_get_config (const GobanMoveTraining *self);
guint goban_move_training_get_n_done (const GobanMoveTraining *self);
gboolean goban_move_training_is_done (const GobanMoveTraining *self);
/* A later end than the one it was begun with. */
void goban_move_training_set_end (GobanMoveTraining *self, guint n_updates);
/* (element-type GobanMovePoint) borrowed. */
const GArray *goban_move_training_get_points (const GobanMoveTraining *self);

/* The best by validation, the average itself before the first trial. Borrowed. */
GobanScorerNet *goban_move_training_get_net (GobanMoveTraining *self);
/* Its score: the geometric mean of both budgets; NAN before the first trial. */
double goban_move_training_get_score (const GobanMoveTraining *self);
/* Moves labelled so far. */
guint64 goban_move_training_get_n_labels (const GobanMoveTraining *self);

/**
 * goban_move_training_step:
 *
 * One update, and a trial if one is due. It must not be done.
 *
 * Returns: %FALSE with an error set that names the problem: %GOBAN_ERROR_INVALID if something is not finite,
 *   or %GOBAN_ERROR_CANCELLED; the run is as it was then
 */
gboolean goban_move_training_step (GobanMoveTraining *self, const GobanProgress *progress,
                                   GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanMoveTraining, goban_move_training_free)

G_END_DECLS
