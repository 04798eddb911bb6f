/* dot-write.h: writes graphs as DOT, with the attributes of dot-names.h. */
#pragma once

#include "engine/graph/graph.h"

G_BEGIN_DECLS

/* Keeps nodes, edges, tensors, times and bytes; shapes are left out. (transfer full) */
char *goban_dot_write (const GobanGraph *graph, gsize *size, GError **error);

G_END_DECLS
