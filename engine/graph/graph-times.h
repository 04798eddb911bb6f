/* graph-times.h: copy of a graph with other times.
 *
 * Nodes, tensors and edges keep their ids.
 */
#pragma once

#include "engine/graph/graph.h"

/* One measured time. */
typedef struct
{
  GobanNodeId node;
  const char *kind; /* of device; GOBAN_ANY_KIND for all */
  double time_us;
} GobanNodeTime;

/**
 * goban_graph_new_with_times:
 * @times: (array length=n): replace those that the nodes have for these kinds
 * @warning: (nullable): added to the graph's
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID_GRAPH set for a negative or
 *   endless time
 */
GobanGraph *goban_graph_new_with_times (const GobanGraph *graph, const GobanNodeTime *times,
                                        guint n, const char *warning,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
