/* propagate.h: numbers of nodes carried along the edges of a graph, in topological order. O(N + E).
 */
#pragma once

#include "engine/core/numbers.h"
#include "engine/graph/graph.h"

/**
 * goban_propagate:
 * @how: MAX, MIN or SUM of what comes over the edges of a node; 0 of none
 * @is_backward: from heads to tails, else from tails to heads
 * @out: (n_nodes): the number of a node and what comes to it; not @values
 * @values: (n_nodes)
 * @along: (nullable) (n_edges): added on the way over an edge; edges are counted by their heads, in
 *   the order of the inputs of each
 */
void goban_propagate (const GobanGraph *graph, GobanNumbersFold how, gboolean is_backward,
                      double *out, const double *values, const double *along);
