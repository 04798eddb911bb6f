/* move-learner.h: learning on the graph at hand from every move that a search simulates.
 *
 * Ridge regression (engine/nn/least-squares.h) on the features of move-features.h. Taught is
 *
 *   sqrt (max (0, gain) / best),   best: the largest gain lately, less 1 % for each move since
 *
 * so a move that loses little is worth no more than one that loses much: the mean gain would prefer
 * moves that change nothing. The root keeps the few large gains from outweighing the many small
 * ones.
 *
 * For every proposal the weights are drawn from what is known of them (Thompson, 1933), so that
 * uncertain kinds of moves are tried, too. It proposes moves in turn with a network that was taught
 * beforehand: each as often as its proposals improve plans.
 *
 * The same moves in the same order make the same bytes.
 *
 * Decision G14 (engine/NOTES.md).
 */
#pragma once

#include "engine/base/rng.h"
#include "engine/policy/move-features.h"

G_BEGIN_DECLS

typedef struct _GobanMoveLearner GobanMoveLearner;

/* @variance: above 0: of the weights, before anything is learned. */
GobanMoveLearner *goban_move_learner_new (double variance) G_GNUC_WARN_UNUSED_RESULT;
void goban_move_learner_free (GobanMoveLearner *self);

/* x (GOBAN_MOVE_N_FEATURES); @gain: share of the makespan, negative if it got longer */
void goban_move_learner_add (GobanMoveLearner *self, const float *x, double gain);

/* Moves so far. */
guint goban_move_learner_get_n (const GobanMoveLearner *self);

/* What a move is worth by the weights that were drawn last; 0 before that. */
double goban_move_learner_score (const GobanMoveLearner *self, const float *x);

/* Whether the learner proposes the next move, and not the network. */
gboolean goban_move_learner_draw_turn (const GobanMoveLearner *self, GobanRng *rng);
/* Draws weights for goban_move_learner_score(). */
void goban_move_learner_draw_weights (GobanMoveLearner *self, GobanRng *rng);
/* The same without chance: the likeliest weights. */
void goban_move_learner_use_means (GobanMoveLearner *self);
/* @is_own: the learner proposed the move. */
void goban_move_learner_note_turn (GobanMoveLearner *self, gboolean is_own, gboolean improves);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanMoveLearner, goban_move_learner_free)

G_END_DECLS
