/* link-pair.h: the links between two devices, there and back, whose numbers change together.
 *
 * The links are chosen once: the direct ones, or those of the routes if there are none. A link that
 * becomes slow stays in the way, though tensors may then take another route.
 */
#pragma once

#include "engine/machine/cluster/cluster.h"

typedef struct
{
  GobanDeviceId from;
  GobanDeviceId to;
  guint n_forward;
  guint n;
  guint32 links[]; /* (n) the first n_forward lead there, the others back */
} GobanLinkPair;

/* Between two different devices. To be freed with g_free(); (transfer full). */
GobanLinkPair *goban_link_pair_new (const GobanCluster *cluster, GobanDeviceId from,
                                    GobanDeviceId to) G_GNUC_WARN_UNUSED_RESULT;

/* The sum of the latencies there, and the least bandwidth. */
double goban_link_pair_get_latency_us (const GobanLinkPair *self, const GobanCluster *cluster);
double goban_link_pair_get_bytes_per_us (const GobanLinkPair *self, const GobanCluster *cluster);

/* A copy of the cluster with this number on all links, there and back; field is "bytes_per_us", or
 * "latency_us", of which each link there gets the same part. (transfer full) (nullable) */
GobanCluster *goban_link_pair_set (const GobanLinkPair *self, GobanCluster *cluster,
                                   const char *field, double value,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
