/* move-net.h: the parameters of the network that proposes moves of a plan: how much of the best
 * gain each is worth.
 *
 * One scorer (engine/nn/scorer.h) for all moves, states, graphs and clusters: features of
 * move-features.h, and as the context the facts of plan-profile.h. It is taught by exact gains of
 * moves (engine/rl/move-training.h).
 */
#pragma once

#include "engine/policy/move-features.h"
#include "engine/policy/scorer-net.h"

G_BEGIN_DECLS

/* What its files say they are of. */
#define GOBAN_MOVE_NET_KIND "moves"

/* As chance has it: worth nothing before it is taught. */
GobanScorerNet *goban_move_net_new (GobanRng *rng) G_GNUC_WARN_UNUSED_RESULT;
/* Hand-set weights of some features, and nothing else: what a taught network has to beat. */
GobanScorerNet *goban_move_net_new_by_hand (void) G_GNUC_WARN_UNUSED_RESULT;
/* (transfer full) (nullable): %NULL with %GOBAN_ERROR_IO or PARSE set, which names the path */
GobanScorerNet *goban_move_net_load (const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
