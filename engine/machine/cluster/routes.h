/* routes.h: the path between every two devices of a cluster.
 *
 * Private to engine/machine/cluster. Vertices 0..n_devices-1 are devices, the rest switches.
 * The order of paths is the one that cluster.h promises.
 *
 * Decision E6 (engine/NOTES.md).
 */
#pragma once

#include "engine/machine/cluster/cluster.h"

typedef struct
{
  const GobanDevice *devices;
  guint n_devices;
  guint n_vertices;
  const GobanLink *links;
  guint32 *out_starts; /* (n_vertices + 1) into out_links */
  guint32 *out_links;  /* by vertex, then ascending */
  double *lengths_us;  /* (n_links) */
  double shortest_us;  /* of all links */
  GobanRoute **rows;   /* (n_devices) atomic; NULL: not asked for; else (n_devices) routes */
} GobanRoutes;

/* The length of a link for the shortest path, in microseconds. */
double goban_link_length_us (const GobanLink *link);

/**
 * goban_routes_init:
 * @devices: (n_devices) whose bus_efficiency counts; kept, as @links are
 *
 * O(n_vertices + n_links) if there are paths.
 *
 * Returns: %FALSE with @pair, the first two devices without a path, if there are such. Then, too,
 *   goban_routes_clear() frees @self.
 */
gboolean goban_routes_init (GobanRoutes *self, const GobanDevice *devices, guint n_devices,
                            guint n_vertices, const GobanLink *links, guint n_links, guint pair[2]);
void goban_routes_clear (GobanRoutes *self);

/* Empty from a device to itself. The first call for @from finds the paths to all devices, in
 * O((n_vertices + n_links) log n_links), or less if it reaches every other directly over links of
 * similar length. Thread-safe. */
const GobanRoute *goban_routes_get (GobanRoutes *self, guint from, guint to);
