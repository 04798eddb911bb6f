/* what-if.h: a cluster with one number changed, in the words and units of scripts.
 *
 * Of devices "flops" (FLOP/s), "bandwidth" (of their own memory, bytes/s), "mem" (bytes) and "launch" (s); of links
 * "bandwidth" (bytes/s) and "latency" (s). Values are in these units, so that a line of the log
 * with the same number gives the same cluster to the last bit. Thread-safe.
 */
#pragma once

#include "engine/cluster/cluster.h"

G_BEGIN_DECLS

/* (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set where there is no such word, or the value is none. */
GobanCluster *goban_what_if_device (const GobanCluster *cluster, GobanDeviceId device,
                                    const char *what, double value,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The same for what joins two vertices, both ways, as cables do: all links between them, or of two devices without any
 * those of their routes, which share the latency. */
GobanCluster *goban_what_if_link (const GobanCluster *cluster, guint from, guint to,
                                  const char *what, double value,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A vertex by its name; G_MAXUINT with an error set that lists the names there are. */
guint goban_what_if_find_vertex (const GobanCluster *cluster, const char *name, GError **error);

/* "give gpu:1 9.5 TFLOP/s", "give the link gpu:0–gpu:1 latency 5 us": what people call the change. (transfer full) */
char *goban_what_if_name_device (const GobanCluster *cluster, GobanDeviceId device,
                                 const char *what, double value) G_GNUC_WARN_UNUSED_RESULT;
char *goban_what_if_name_link (const GobanCluster *cluster, guint from, guint to, const char *what,
                               double value) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
