/* node-csv.h: export of nodes as CSV: one line per node, every known field.
 *
 * Numbers are in the units of the engine, which the header names: cost_us, memory_bytes. Quoted as
 * RFC 4180 has it; decimal points under every language. Any thread.
 */
#pragma once

#include "engine/study/analysis/node-field.h"

G_BEGIN_DECLS

/* Whether the suffix of a path is that of a CSV file. */
gboolean goban_node_csv_is_path (const char *path);

/* @nodes: (nullable): NULL for all of the graph, in its order. (transfer full) */
char *goban_node_csv_to_text (const GobanNodeContext *context, const GobanNodeId *nodes,
                              guint n) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
