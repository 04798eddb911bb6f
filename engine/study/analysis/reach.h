/* reach.h: neighbourhoods in a graph: all nodes within some edges of given ones. */
#pragma once

#include "engine/study/run/selection.h"

/**
 * goban_reach_new:
 * @ids: (array length=n): the nodes to start from
 * @n_steps: at most so many edges away
 * @is_upstream: against the edges' direction: the nodes that @ids depend on
 *
 * The given nodes are not in the answer. Takes O(N + E), whatever @n_steps.
 *
 * Returns: (transfer full)
 */
GobanSelection *goban_reach_new (GobanGraph *graph, const GobanNodeId *ids, guint n, gint64 n_steps,
                                 gboolean is_upstream) G_GNUC_WARN_UNUSED_RESULT;
