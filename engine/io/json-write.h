/* json-write.h: writes the graph files that json.c reads and describes. */
#pragma once

#include "engine/graph/graph.h"

G_BEGIN_DECLS

/* A node a line; reading it back gives a graph of equal hash. (transfer full) */
char *goban_json_write (const GobanGraph *graph, gsize *size, GError **error);

G_END_DECLS
