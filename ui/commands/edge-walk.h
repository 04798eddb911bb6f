/* edge-walk.h: keyboard navigation along edges: the next node for an arrow key. Pure functions of
 * the graph. */
#pragma once

#include "engine/graph/graph.h"

/* The other end of the edge that carries the most bytes, of the first among equals; GOBAN_NO_NODE
 * without an edge. */
GobanNodeId goban_edge_walk_input (GobanGraph *graph, GobanNodeId node);
GobanNodeId goban_edge_walk_output (GobanGraph *graph, GobanNodeId node);

/* The next (1) or the previous (-1) of the nodes that read the same input as @node, in the order of
 * the graph, with wrap-around; if @node has no input, of those that feed the same reader. @node
 * itself if it has no sibling. */
GobanNodeId goban_edge_walk_sibling (GobanGraph *graph, GobanNodeId node, int direction);

/* The producers of @node's inputs, then its readers, each once. (transfer full) (array length=n) */
GobanNodeId *goban_edge_walk_neighbours (GobanGraph *graph, GobanNodeId node,
                                         guint *n) G_GNUC_WARN_UNUSED_RESULT;
