/* joint-search-private.h: the inside of joint-search.c and joint-moves.c: moves of order and fusion
 * are proposed in the one, tried in the other. */
#pragma once

#include "engine/rl/joint-search.h"

G_BEGIN_DECLS

static inline gboolean
goban_joint_search_decides (const GobanJointSearch *self, GobanDecision decision)
{
  return goban_decisions_have (self->decisions, decision);
}

static inline guint
goban_joint_search_get_n_nodes (const GobanJointSearch *self)
{
  return goban_graph_get_n_nodes (self->improver->units->graph);
}

/* The plan that the improver stands on, by other choices. (transfer full) (nullable): %NULL if that
 * is the same plan */
GobanPlan *goban_joint_search_new_plan (GobanJointSearch *self,
                                        const GobanJointChoices *choices) G_GNUC_WARN_UNUSED_RESULT;

/* Reads the run of that plan, once. */
void goban_joint_search_find_order_moves (GobanJointSearch *self);
void goban_joint_search_find_moves (GobanJointSearch *self, GobanDecision task);

/**
 * goban_joint_search_propose:
 * @is_scored: %FALSE: by chance
 * @hash: (out): for goban_joint_search_note_failure(); 0 of moves by chance
 *
 * Moves must have been found. Returns: (transfer full) (nullable): the choices after a move
 */
GobanJointChoices *goban_joint_search_propose (GobanJointSearch *self, GobanDecision task,
                                               gboolean is_scored,
                                               guint64 *hash) G_GNUC_WARN_UNUSED_RESULT;

/* The move is not proposed again for a while. */
void goban_joint_search_note_failure (GobanJointSearch *self, guint64 hash);

G_END_DECLS
