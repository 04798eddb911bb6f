/* move-net.h: parameters of the network that scores moves of a plan by their expected gain.
 *
 * One scorer (engine/learn/nn/scorer.h) for all moves, states, graphs and clusters: features of
 * move-features.h, and as the context the facts of plan-profile.h. It is trained on exact gains of
 * moves (engine/learn/rl/moves/move-training.h).
 */
#pragma once

#include "engine/learn/policy/move-features.h"
#include "engine/learn/policy/scorer-net.h"

G_BEGIN_DECLS

/* Kind of network in the header of its files. */
#define GOBAN_MOVE_NET_KIND "moves"

/* A network with random weights, which must be trained before use. */
GobanScorerNet *goban_move_net_new (GobanRng *rng) G_GNUC_WARN_UNUSED_RESULT;
/* A network with hand-set weights of some features: the control for trained networks. */
GobanScorerNet *goban_move_net_new_by_hand (void) G_GNUC_WARN_UNUSED_RESULT;
/* (transfer full) (nullable): %NULL with %GOBAN_ERROR_IO or PARSE set, which names the path */
GobanScorerNet *goban_move_net_load (const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Whether a file contains such a network; %FALSE, too, for unreadable files. */
gboolean goban_move_net_is_file (const char *path);

G_END_DECLS
