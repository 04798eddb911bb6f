/* session-file-names.h: node names in session files, to match nodes if the graph's file has
 * changed.
 *
 * Only of graphs that come from a file: what a spec or the session itself makes is the same another
 * time.
 */
#pragma once

#include "engine/session/session-reader.h"
#include "engine/session/session-writer.h"

G_BEGIN_DECLS

/* One a line, by their numbers. */
void goban_session_write_names (GobanWriter *self, const GobanGraph *graph);

/* Where nodes are others now: a graph of the @n_nodes nodes alone that numbers meant, in their order. *@old: (transfer
 * full) (nullable): %NULL if the file does not say. @graph: the file's member of that name */
gboolean goban_session_read_names (const GobanReader *self, const GobanReaderPlace *graph,
                                   guint64 n_nodes, GobanGraph **old, GError **error);

G_END_DECLS
