/* move-net.h: hand-set weights that score moves of a plan by their expected gain.
 *
 * The linear part of one scorer (engine/learn/nn/scorer.h) for all moves, states, graphs and
 * clusters: features of move-features.h, and as the context the facts of plan-profile.h. A trained
 * network in their place gained nothing after the decoder (data/policies/README.md).
 */
#pragma once

#include "engine/learn/policy/move-features.h"
#include "engine/learn/policy/scorer-net.h"

G_BEGIN_DECLS

/* Save transfers, speed up the critical path, delay no consumer, even out loads, respect memory. */
GobanScorerNet *goban_move_net_new_by_hand (void) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
