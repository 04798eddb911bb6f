/* routes.h: the path between every two devices of a cluster.
 *
 * Private to engine/machine/cluster. Vertices 0..n_devices-1 are devices, the rest switches.
 * The order of paths is the one that cluster.h promises.
 *
 * Decision E6 (engine/NOTES.md).
 */
#pragma once

#include "engine/machine/cluster/cluster.h"

G_BEGIN_DECLS

typedef struct
{
  GobanRoute *routes; /* (n_devices x n_devices), from row to column; empty on the diagonal */
  guint32 *links;     /* link ids of all routes */
} GobanRoutes;

/* The length of a link for the shortest path, in microseconds. */
double goban_link_length_us (const GobanLink *link);

/**
 * goban_routes_find:
 *
 * O(n_devices (V + n_links) log n_links), less if every device reaches every other directly over
 * links of similar length.
 *
 * Returns: %TRUE with @routes filled; %FALSE with @pair, the first two devices without a path
 */
gboolean goban_routes_find (GobanRoutes *routes, guint n_devices, guint n_vertices,
                            const GobanLink *links, guint n_links, guint pair[2]);
void goban_routes_clear (GobanRoutes *routes);

G_END_DECLS
