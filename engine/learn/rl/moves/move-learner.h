/* move-learner.h: learning on the graph at hand from every move that a search simulates.
 *
 * Ridge regression (engine/learn/nn/least-squares.h) on the features of move-features.h. The target
 * is
 *
 *   sqrt (max (0, gain) / best),   best: the largest recent gain, decayed by 1 % per move
 *
 * so all losing moves have the target 0; a regression of the mean gain would prefer moves that
 * change nothing. The root keeps the few large gains from outweighing the many small ones.
 *
 * For every proposal the weights are drawn from their posterior (Thompson, 1933), so that uncertain
 * kinds of moves are tried too. The learner and the trained network propose moves in turn, each in
 * proportion to the success of its proposals.
 *
 * The same moves in the same order give the same bytes.
 *
 * Decision G14 (engine/NOTES.md).
 */
#pragma once

#include "engine/core/rng.h"
#include "engine/learn/policy/move-features.h"

G_BEGIN_DECLS

typedef struct _GobanMoveLearner GobanMoveLearner;

/* @variance: prior variance of the weights, above 0. */
GobanMoveLearner *goban_move_learner_new (double variance) G_GNUC_WARN_UNUSED_RESULT;
void goban_move_learner_free (GobanMoveLearner *self);

/* Learns from a move. x (GOBAN_MOVE_N_FEATURES); @gain: share of the makespan, negative for a
 * loss. */
void goban_move_learner_add (GobanMoveLearner *self, const float *x, double gain);

/* Square error of the prediction of a move that is not learned from yet. */
double goban_move_learner_get_error (const GobanMoveLearner *self, const float *x, double gain);

/* Number of moves learned from. */
guint goban_move_learner_get_n (const GobanMoveLearner *self);

/* The score of a move by the last drawn weights; 0 before the first draw. */
double goban_move_learner_score (const GobanMoveLearner *self, const float *x);

/* Draws whether the learner, and not the network, proposes the next move. */
gboolean goban_move_learner_draw_turn (const GobanMoveLearner *self, GobanRng *rng);
/* Draws weights for goban_move_learner_score(). */
void goban_move_learner_draw_weights (GobanMoveLearner *self, GobanRng *rng);
/* Uses the posterior mean as the weights instead of drawing them. */
void goban_move_learner_use_means (GobanMoveLearner *self);
/* Records the success of a proposal. @is_own: the learner made it. */
void goban_move_learner_note_turn (GobanMoveLearner *self, gboolean is_own, gboolean improves);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanMoveLearner, goban_move_learner_free)

G_END_DECLS
