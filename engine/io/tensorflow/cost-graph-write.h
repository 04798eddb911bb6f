/* cost-graph-write.h: writers of TensorFlow's CostGraphDef, as text and as bytes. */
#pragma once

#include "engine/graph/graph.h"

G_BEGIN_DECLS

/* Times are those of any kind of device, else of the first, in whole microseconds. (transfer full)
 * (nullable): %NULL with %GOBAN_ERROR_UNSUPPORTED set if a node cannot run there. */
char *goban_cost_graph_write (const GobanGraph *graph, gsize *size, GError **error);
char *goban_cost_graph_write_binary (const GobanGraph *graph, gsize *size, GError **error);

G_END_DECLS
