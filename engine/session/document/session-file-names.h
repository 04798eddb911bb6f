/* session-file-names.h: node names in session files, to match nodes if the graph's file has
 * changed.
 *
 * Only of graphs that come from a file: graphs of a spec or of the session itself are made the same
 * again.
 */
#pragma once

#include "engine/session/document/session-reader.h"
#include "engine/session/document/session-writer.h"

G_BEGIN_DECLS

/* Writes one name per line, in the order of the node numbers. */
void goban_session_write_names (GobanWriter *self, const GobanGraph *graph);

/* If the nodes have changed: *@old becomes a graph of only the @n_nodes nodes that the file's
 * numbers refer to, in their order; (transfer full) (nullable): %NULL if the file has no names.
 * @graph: the "graph" object of the file */
gboolean goban_session_read_names (GobanJsonValue graph, guint64 n_nodes, GobanGraph **old,
                                   GError **error);

G_END_DECLS
