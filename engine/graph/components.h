/* components.h: strongly connected components of a directed graph in compressed rows. */
#pragma once

#include <glib.h>

/**
 * goban_find_components:
 * @offsets: (n + 1): the heads of vertex v are heads[offsets[v]] .. heads[offsets[v + 1] - 1]
 * @is_root: (nullable): (n) vertices from which the search begins; %NULL: all
 * @components: (out caller-allocates): (n) equal for vertices on one cycle; %G_MAXUINT32 if no root
 *   reaches the vertex
 *
 * Tarjan's algorithm (1972) without recursion, O(n + heads). Components are numbered in reverse
 * topological order.
 *
 * Returns: their number
 */
guint goban_find_components (guint n, const guint32 *offsets, const guint32 *heads,
                             const gboolean *is_root, guint32 *components);
