/* levels.h: longest paths through a weighted graph, and its levels in a row.
 *
 * Weights are arrays of the caller's: w (n_nodes) microseconds a node, c
 * (n_tensors) microseconds a tensor, or NULL for free transfers. All O(N + E).
 */
#pragma once

#include "engine/graph/graph.h"

/* t-level, out (n_nodes): the longest path that ends just before a node starts. */
void goban_graph_top_levels (const GobanGraph *graph, double *top_us, const double *w,
                             const double *c);

/* b-level or upward rank, out (n_nodes): the longest path from a node's start to the end. */
void goban_graph_bottom_levels (const GobanGraph *graph, double *bottom_us, const double *w,
                                const double *c);

/* The longest of all paths. */
double goban_graph_longest_path (const GobanGraph *graph, const double *w, const double *c);

/* rank, out (n_nodes): the length in nodes of the longest path to a node, sources 0. Returns the
 * largest. */
guint goban_graph_depths (const GobanGraph *graph, guint32 *depth);

/* order, out (n_nodes): the nodes as Kahn's algorithm (1962) finds them with a queue: first those
 * without producers, then each after its last producer; nodes with the same last producer in the
 * order in which its edges were added. Unlike ids, it depends on the order of edges in the file. */
void goban_graph_kahn_order (const GobanGraph *graph, GobanNodeId *order);
