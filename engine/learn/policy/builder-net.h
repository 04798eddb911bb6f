/* builder-net.h: the parameters of the network that builds plans row by row
 * (engine/learn/policy/plan-builder.h).
 *
 * One decoder (engine/learn/policy/decoder.h) serves all devices, rows, graphs and clusters. The
 * linear part of a new network is an earliest-start rule with a preference for near devices; the
 * weights of the hidden layers are small at first. A file says which parts its network has
 * (engine/learn/policy/decoder.h).
 */
#pragma once

#include "engine/learn/policy/decoder.h"
#include "engine/learn/policy/scorer-net.h"

/* Kind of network in the header of its files, with the names of its parts, as
 * "builder+embedding". */
#define GOBAN_BUILDER_NET_KIND "builder"

typedef GobanScorerNet GobanBuilderNet;

GobanBuilderNet *goban_builder_net_new (GobanDecoderParts parts,
                                        GobanRng *rng) G_GNUC_WARN_UNUSED_RESULT;
/* (nullable): %NULL without parts. Borrowed. */
const GobanRowEncoder *goban_builder_net_get_encoder (const GobanBuilderNet *net);
/* Its weights, and the gradients of them: borrowed. */
GobanDecoder goban_builder_net_get_decoder (const GobanBuilderNet *net);
GobanDecoder goban_builder_net_get_gradients (GobanBuilderNet *net);
/* (transfer full) (nullable): %NULL with %GOBAN_ERROR_IO or PARSE set, which names the path */
GobanBuilderNet *goban_builder_net_load (const char *path,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Other functions are those of any scorer. */
#define goban_builder_net_free goban_scorer_net_free
#define goban_builder_net_copy goban_scorer_net_copy
#define goban_builder_net_adopt goban_scorer_net_adopt
#define goban_builder_net_average goban_scorer_net_average
#define goban_builder_net_save goban_scorer_net_save

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanBuilderNet, goban_scorer_net_free)
