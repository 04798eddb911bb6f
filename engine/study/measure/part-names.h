/* part-names.h: names of nodes in parts of a model: their numbers in the graph.
 *
 * Names in files may be missing, equal, or changed by a runtime.
 */
#pragma once

#include "engine/graph/graph.h"

G_BEGIN_DECLS

/* "goban-node-17" for node 17. (transfer full) */
char *goban_part_dup_node_name (GobanNodeId node) G_GNUC_WARN_UNUSED_RESULT;

/* The node of such a name, or GOBAN_NO_NODE. */
GobanNodeId goban_part_find_node (const GobanGraph *graph, const char *name);

/* @text with such names replaced by those of the nodes in the graph: for messages of the runtime
 * about a part. (transfer full) */
char *goban_part_rename_nodes (const GobanGraph *graph, const char *text) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
