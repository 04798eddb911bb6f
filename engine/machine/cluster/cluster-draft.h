/* cluster-draft.h: builder of clusters: collects devices, switches and links, then finds the
 * routes.
 *
 * Private to engine/machine/cluster: the presets, the JSON reader and the what-if copies all end
 * here. Callers check the numbers (with goban_cluster_check_number()) and that names are unique;
 * only routes are found, or missed, at the end.
 */
#pragma once

#include "engine/machine/cluster/cluster.h"

typedef struct
{
  char *name;
  gboolean contention_free;
  GArray *devices;       /* of GobanDevice */
  GArray *switches;      /* of const char * */
  GArray *links;         /* of GobanLink; ends number devices first, then switches */
  GStringChunk *strings; /* owns every name above */
} GobanClusterDraft;

GobanClusterDraft *goban_cluster_draft_new (const char *name) G_GNUC_WARN_UNUSED_RESULT;
/* (transfer full) */
GobanClusterDraft *
goban_cluster_draft_new_copy (const GobanCluster *self) G_GNUC_WARN_UNUSED_RESULT;
void goban_cluster_draft_free (GobanClusterDraft *self);

/* Copies @figures under another name. All devices and switches come before the first link. */
void goban_cluster_draft_add_device (GobanClusterDraft *self, const char *name,
                                     const GobanDevice *figures);
void goban_cluster_draft_add_switch (GobanClusterDraft *self, const char *name);
/* Copies @link; a NULL name becomes "from>to". */
void goban_cluster_draft_add_link (GobanClusterDraft *self, const GobanLink *link);
/* Adds a link in each direction between every two devices, with the figures of @link. */
void goban_cluster_draft_link_all (GobanClusterDraft *self, const GobanLink *link);

/* goban_cluster_with_device() or goban_cluster_with_link(), on a draft. */
gboolean goban_cluster_draft_change (GobanClusterDraft *self, gboolean is_link, guint index,
                                     const char *field, double value, GError **error);

const char *goban_cluster_draft_get_vertex_name (const GobanClusterDraft *self, guint vertex);

/* Takes the draft. (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID set if two
 * devices have no route. */
GobanCluster *goban_cluster_draft_finish (GobanClusterDraft *self,
                                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* FALSE with @error set if the value is not allowed for that field of a device or a link. */
gboolean goban_cluster_check_number (const char *field, double value, GError **error);

guint goban_cluster_get_n_switches (const GobanCluster *self);

/* presets.c: (transfer full) (nullable), NULL without an error if there is none of that name. */
GobanCluster *goban_cluster_new_preset (const char *name);
/* presets.c: "KINDxN[*M][,nic=B/s]..."; @spec: one that goban_cluster_is_nodes() knows. */
GobanCluster *goban_cluster_new_nodes (const char *spec, GError **error);
gboolean goban_cluster_is_nodes (const char *spec);
/* presets.c: "equal:N[,bandwidth=B/s][,latency=s]". */
GobanCluster *goban_cluster_new_equal (const char *spec, GError **error);
/* presets.c: "msr:N[,memory=BYTES]". */
GobanCluster *goban_cluster_new_msr (const char *spec, GError **error);
/* presets.c: "devices:KIND[=BYTES],..." or "lanes:NAME=KIND,...". */
GobanCluster *goban_cluster_new_devices (const char *spec, GError **error);

/* cluster-json.c: "12 GB/s", "600 MB", "unlimited"; a bare number is bytes per second. */
gboolean goban_parse_bandwidth (const char *text, double *bytes_per_us, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanClusterDraft, goban_cluster_draft_free)
