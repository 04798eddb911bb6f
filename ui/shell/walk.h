/* walk.h: keyboard navigation along edges: the next node for an arrow key. Pure functions of the
 * graph. */
#pragma once

#include "engine/graph/graph.h"

G_BEGIN_DECLS

/* The other end of the edge that carries most, of the first where several do; GOBAN_NO_NODE without one. */
GobanNodeId goban_walk_input (GobanGraph *graph, GobanNodeId node);
GobanNodeId goban_walk_output (GobanGraph *graph, GobanNodeId node);

/* The next (1) or the one before (-1) of the nodes that read what @node reads, in the order of the
 * graph, round and round; where it reads nothing, of those that feed what it feeds. @node if it has
 * none beside it. */
GobanNodeId goban_walk_sibling (GobanGraph *graph, GobanNodeId node, int direction);

/* What feeds @node, then what reads it, each once. (transfer full) (array length=n) */
GobanNodeId *goban_walk_neighbours (GobanGraph *graph, GobanNodeId node,
                                    guint *n) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
