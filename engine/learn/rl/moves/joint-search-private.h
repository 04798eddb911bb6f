/* joint-search-private.h: shared functions of joint-moves.c, which proposes moves of order and
 * fusion, and joint-search.c, which tries them. */
#pragma once

#include "engine/learn/rl/moves/joint-search.h"

G_BEGIN_DECLS

static inline guint
goban_joint_search_get_n_nodes (const GobanJointSearch *self)
{
  return goban_graph_get_n_nodes (self->improver->units->graph);
}

/* Applies other choices to the improver's current plan. (transfer full) (nullable): %NULL if that
 * gives the same plan */
GobanPlan *goban_joint_search_new_plan (GobanJointSearch *self,
                                        const GobanJointChoices *choices) G_GNUC_WARN_UNUSED_RESULT;

/* Finds moves of the order from the run of the current plan, once per plan. */
void goban_joint_search_find_order_moves (GobanJointSearch *self);
void goban_joint_search_find_moves (GobanJointSearch *self, GobanTask task);

/**
 * goban_joint_search_propose:
 * @is_scored: %FALSE: draw the move uniformly
 * @hash: (out): for goban_joint_search_note_failure(); 0 for uniform moves
 *
 * Moves must have been found. Returns: (transfer full) (nullable): the choices after a move
 */
GobanJointChoices *goban_joint_search_propose (GobanJointSearch *self, GobanTask task,
                                               gboolean is_scored,
                                               guint64 *hash) G_GNUC_WARN_UNUSED_RESULT;

/* Records a failure; the move is not proposed again for a while. */
void goban_joint_search_note_failure (GobanJointSearch *self, guint64 hash);

G_END_DECLS
