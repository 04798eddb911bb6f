/* dot-graph.h: nodes, edges and attributes of a cgraph graph, as dot-names.h lists them. */
#pragma once

#include "engine/graph/graph-builder.h"
#include "engine/io/io.h"

#include <graphviz/cgraph.h>

/* Adds @dot to the builder. Under the lock of dot-lock.h. %FALSE with an error that names a node or
 * an edge. */
gboolean goban_dot_read_graph (Agraph_t *dot, const char *path, const GobanReadOptions *options,
                               GobanGraphBuilder *builder, GError **error);
