/* attention-arrows.h: arrows over the picture of a graph, from the rows that a decision attended to
 * most to the node that it is about.
 *
 * Arrays of GobanAttentionArrow, the most attended first: of nodes, as a graph view's property
 * "attention" has them, or of the items of a scene.
 */
#pragma once

#include "ui/draw/graph/graph-scene.h"

/* Arrows of the first of @node's cards with attention
 * (engine/study/analysis/moments/moment-card.h). (element-type GobanMomentCard) (nullable).
 * (transfer full) (nullable): %NULL without any. */
GArray *goban_attention_arrows_new (const GPtrArray *cards,
                                    GobanNodeId node) G_GNUC_WARN_UNUSED_RESULT;

/* Maps arrows between nodes (nullable) to the scene's items; nodes within one item have no arrow.
 * (transfer full) */
GArray *goban_attention_arrows_place (const GArray *arrows,
                                      const GobanGraphScene *scene) G_GNUC_WARN_UNUSED_RESULT;
