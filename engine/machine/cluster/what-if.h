/* what-if.h: a cluster with one number changed, in the names and units of scripts.
 *
 * Of devices those of ratings.h: "flops" (FLOP/s), "f16_flops", "bandwidth" (of their own memory,
 * bytes/s), "memory" (bytes), "launch" (s), "compute_efficiency" and so on; of links "bandwidth"
 * (bytes/s) and "latency" (s). Values are in these units, so that a line of the log with the same
 * number gives the same cluster to the last bit. "speed" of a device is how many times faster it is
 * than in the cluster all changes began with, its origin.
 * Thread-safe.
 */
#pragma once

#include "engine/machine/cluster/cluster.h"

/* A copy in which the peaks and the memory's bandwidth of a device are @speed times those of @like.
 * (transfer full) (nullable) */
GobanCluster *goban_what_if_speed (const GobanCluster *cluster, GobanDeviceId device,
                                   const GobanDevice *like, double speed,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The same change of the connection of two vertices, in both directions: all links between them or,
 * for two devices without a link, the links of their routes, which share the latency. */
GobanCluster *goban_what_if_link (const GobanCluster *cluster, guint from, guint to,
                                  const char *what, double value,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

typedef struct
{
  gboolean is_link;
  guint from; /* the device, or a vertex */
  guint to;
  gboolean is_alike; /* also change all devices, or links, that were equal to it in the origin */
  const char *what;  /* a static string */
  double value;
} GobanWhatIf;

/* Applies any of these changes. @origin: has the same devices and links. (transfer full)
 * (nullable): %NULL with an error set */
GobanCluster *goban_what_if (const GobanCluster *cluster, const GobanCluster *origin,
                             const GobanWhatIf *change, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* "give gpu:1 and its like 9.5 TFLOP/s". (transfer full) */
char *goban_what_if_name (const GobanCluster *cluster,
                          const GobanWhatIf *change) G_GNUC_WARN_UNUSED_RESULT;
/* The present value of the changed quantity: "flops" and the like; for "speed", relative to
 * @origin. */
double goban_what_if_get (const GobanCluster *cluster, const GobanCluster *origin,
                          const GobanWhatIf *change);

/* Whether two devices, or two links, have equal parameters. */
gboolean goban_what_if_devices_alike (const GobanCluster *cluster, GobanDeviceId a,
                                      GobanDeviceId b);
gboolean goban_what_if_links_alike (const GobanCluster *cluster, guint a, guint b);
/* Whether two clusters are identical or equal in every number. */
gboolean goban_what_if_is_same (const GobanCluster *a, const GobanCluster *b);
/* Whether two clusters have the same devices and links by name, whatever their numbers. */
gboolean goban_what_if_have_same_shape (const GobanCluster *a, const GobanCluster *b);
/* The preset with the cluster's name if it has the same devices and links, else the cluster itself:
 * the likely origin of a cluster from a file. (transfer full) */
GobanCluster *goban_what_if_guess_origin (GobanCluster *cluster) G_GNUC_WARN_UNUSED_RESULT;

/* A vertex by its name; G_MAXUINT with an error set whose message lists the names. */
guint goban_what_if_find_vertex (const GobanCluster *cluster, const char *name, GError **error);
