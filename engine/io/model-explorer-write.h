/* model-explorer-write.h: writes graphs as the JSON that model-explorer.c reads and describes. */
#pragma once

#include "engine/graph/graph.h"

G_BEGIN_DECLS

/* A node a line. (transfer full) */
char *goban_model_explorer_write (const GobanGraph *graph, gsize *size, GError **error);

G_END_DECLS
