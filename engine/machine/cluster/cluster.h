/* cluster.h: devices, the links between them, and how tensors are routed.
 *
 * Immutable and reference-counted. Devices are 0..n_devices-1, "gpu:0", "cpu:0",
 * by name unique. A link goes one way; vertices of links are devices and switches
 * (which route and compute nothing), so any topology can be said. The route of a
 * pair of devices is the path with the least sum over its links of latency +
 * 1 MiB / bandwidth, ties by fewer links, then by the lower number of the last link;
 * it may lead through other devices.
 *
 * A transfer takes the sum of its route's latencies plus bytes / (lowest bandwidth
 * on the route x the sender's bus_efficiency), and holds the sender's one send channel, the
 * receiver's one receive channel and every link of the route meanwhile, unless the cluster is
 * contention-free: then transfers never wait for each other.
 *
 * A switch that links lead to and none from is a group: a device's link to it has the figures of
 * collective operations in the group of that name (collective-time.h), and nothing else uses it.
 */
#pragma once

#include "engine/machine/cluster/ratings.h"

typedef guint16 GobanDeviceId;

#define GOBAN_NO_DEVICE ((GobanDeviceId) G_MAXUINT16)
#define GOBAN_MAX_DEVICES 1024

typedef struct _GobanCluster GobanCluster;

typedef struct
{
  const guint32 *links; /* in travelling order */
  guint n_links;
  double latency_us;   /* sum */
  double bytes_per_us; /* minimum, times the sender's bus_efficiency */
} GobanRoute;

GobanCluster *goban_cluster_ref (GobanCluster *self);
void goban_cluster_unref (GobanCluster *self);

/**
 * goban_cluster_new_from_spec:
 * @spec: a preset's name (p100x2, p100x4, p100x8, v100x2, v100x4, v100x8, cpu+gpu), "KINDxN[*M]"
 *   with KIND a100, a100-40gb, h100, h200, b200, mi300, l40s or 4090, N (1 to 8) devices in each of
 *   M nodes, and optional ",nic=B/s", the bandwidth of a NIC, which ",each" device has or ",shared"
 *   ones have together, ",compute=SHARE", ",memory=SHARE" and ",bus=SHARE", the efficiencies of
 *   GobanDevice, and ",launch=s"; "equal:N" with
 *   optional ",bandwidth=B/s" and ",latency=s" (N equal devices of unlimited memory with
 *   free concurrent links; defaults: infinite bandwidth, no latency), "msr:N" with optional
 *   ",memory=BYTES" (N accelerators of kind "gpu" and CPUs of unlimited memory, "cpu:0", joined as
 *   freely), "devices:KIND[=BYTES],..." (a device of each kind, named like it, with that much
 *   memory or an unlimited one; links of infinite bandwidth, so that only transfer times of the
 *   graph count, and channels as everywhere), "lanes:NAME=KIND,..." (the lanes of a recorded run:
 *   devices of unlimited memory with free concurrent links of infinite bandwidth), or the path of a
 *   JSON file
 *
 * Returns: (transfer full) (nullable): a cluster, or %NULL with %GOBAN_ERROR_INVALID set (which
 *   lists the presets), %GOBAN_ERROR_IO or %GOBAN_ERROR_PARSE
 */
GobanCluster *goban_cluster_new_from_spec (const char *spec,
                                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The same for a spec from a file: a path must be that of a regular file. */
GobanCluster *goban_cluster_new_from_inner_spec (const char *spec,
                                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* @origin names the text in messages: a path. */
GobanCluster *goban_cluster_new_from_json (const char *json, gssize length, const char *origin,
                                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* JSON that goban_cluster_new_from_json() reads back; (transfer full). */
char *goban_cluster_to_json (const GobanCluster *self) G_GNUC_WARN_UNUSED_RESULT;

/* Names and one-line descriptions of the presets, in pairs, NULL-terminated. */
const char *const *goban_cluster_presets (void);

const char *goban_cluster_get_name (const GobanCluster *self);
guint goban_cluster_get_n_devices (const GobanCluster *self);
const GobanDevice *goban_cluster_get_device (const GobanCluster *self, GobanDeviceId device);
GobanDeviceId goban_cluster_find_device (const GobanCluster *self, const char *name);

/* The devices of collective operations, which are those that are not CPUs, in their order.
 * (transfer full) */
GobanDeviceId *goban_cluster_get_ranks (const GobanCluster *self, guint *n_ranks);

guint goban_cluster_get_n_links (const GobanCluster *self);
const GobanLink *goban_cluster_get_link (const GobanCluster *self, guint link);
/* "gpu:0", or the switch's name. */
const char *goban_cluster_get_vertex_name (const GobanCluster *self, guint vertex);

/* (nullable): the device's link to the group of that name, if the cluster has both. */
const GobanLink *goban_cluster_get_group_link (const GobanCluster *self, GobanDeviceId device,
                                               const char *group);

/* TRUE if transfers never wait for each other. */
gboolean goban_cluster_is_contention_free (const GobanCluster *self);

/* The route between two different devices; every pair has one, or the cluster would not load. Those
 * from a device are found when the first is asked for. Thread-safe. */
const GobanRoute *goban_cluster_get_route (const GobanCluster *self, GobanDeviceId from,
                                           GobanDeviceId to);

/* Devices with equal times for every op share a class: 0..n_classes-1, in order of first device. */
guint goban_cluster_get_n_classes (const GobanCluster *self);
guint goban_cluster_get_class (const GobanCluster *self, GobanDeviceId device);

/* A copy in which every device is a class of its own, for costs that differ between equal devices.
 * (transfer full) */
GobanCluster *goban_cluster_split_classes (const GobanCluster *self) G_GNUC_WARN_UNUSED_RESULT;

/* A copy with one number changed, for what-if questions; field is that of a member of GobanDevice:
 * "flops_per_us" (ratings.h). (transfer full) (nullable) */
GobanCluster *goban_cluster_with_device (const GobanCluster *self, GobanDeviceId device,
                                         const char *field, double value,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The same of all devices of a kind. (transfer full) (nullable) */
GobanCluster *goban_cluster_with_kind (const GobanCluster *self, const char *kind,
                                       const char *field, double value,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The same for a link: field is "latency_us" or "bytes_per_us". */
GobanCluster *goban_cluster_with_link (const GobanCluster *self, guint link, const char *field,
                                       double value, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanCluster, goban_cluster_unref)
