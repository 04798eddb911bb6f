/* way.h: the links between two devices, there and back, as one thing whose numbers can change.
 *
 * The links are chosen once: the direct ones, or those of the routes if there are none. A link that
 * becomes slow stays in the way, though tensors may then take another route.
 */
#pragma once

#include "engine/cluster/cluster.h"

G_BEGIN_DECLS

typedef struct
{
  GobanDeviceId from;
  GobanDeviceId to;
  guint n_forward;
  guint n;
  guint32 links[]; /* (n) the first n_forward lead there, the others back */
} GobanWay;

/* Between two different devices. To be freed with g_free(); (transfer full). */
GobanWay *goban_way_new (const GobanCluster *cluster, GobanDeviceId from,
                         GobanDeviceId to) G_GNUC_WARN_UNUSED_RESULT;

/* The sum of the latencies there, and the least bandwidth. */
double goban_way_get_latency_us (const GobanWay *self, const GobanCluster *cluster);
double goban_way_get_bytes_per_us (const GobanWay *self, const GobanCluster *cluster);

/* A copy of the cluster with this number on all links, there and back; field is "bytes_per_us", or
 * "latency_us", of which each link there gets the same part. (transfer full) (nullable) */
GobanCluster *goban_way_set (const GobanWay *self, GobanCluster *cluster, const char *field,
                             double value, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
