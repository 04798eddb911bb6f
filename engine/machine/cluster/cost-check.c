/* cost-check.c: checks of a graph's own times against a cluster, and the cluster that the graph
 * names. */
#include "engine/core/error.h"
#include "engine/machine/cluster/cluster-draft.h"
#include "engine/machine/cluster/cost-model-private.h"

#include <math.h>
#include <string.h>

/* Longer lists of kinds end in a count. */
#define MAX_KINDS_NAMED 6

/* --- the graph's own cluster ---------------------------------------------- */

gboolean
goban_cluster_is_description (const char *spec)
{
  static const char *const prefixes[] = { "equal:", "msr:", "devices:", "lanes:" };
  const char *const *presets = goban_cluster_presets ();

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (spec, prefixes[i]))
      return TRUE;
  for (guint i = 0; presets[i] != NULL; i += 2)
    if (strcmp (presets[i], spec) == 0)
      return TRUE;
  return FALSE;
}

GobanCluster *
goban_cluster_new_for_graph (const GobanGraph *graph, GError **error)
{
  const char *spec = goban_graph_get_cluster_spec (graph);

  if (*spec == '\0')
    return NULL;
  /* A file may describe a cluster, and not make us read another file. */
  if (goban_cluster_is_description (spec))
    return goban_cluster_new_from_spec (spec, error);
  goban_refuse (
      error, GOBAN_ERROR_INVALID,
      "“%s” does not describe a cluster; say a preset's name, equal:N, msr:N or devices:KIND,…",
      spec);
  return NULL;
}

/* --- kinds ---------------------------------------------------------------- */

static void
append_name (GString *list, guint *n_named, const char *name)
{
  if (*n_named < MAX_KINDS_NAMED)
    g_string_append_printf (list, "%s“%s”", list->len > 0 ? ", " : "", name);
  else if (*n_named == MAX_KINDS_NAMED)
    g_string_append (list, ", …");
  (*n_named)++;
}

static char *
list_graph_kinds (const GobanGraph *graph)
{
  GString *list = g_string_new (NULL);
  guint n_named = 0;

  for (guint k = 0; k < goban_graph_get_n_kinds (graph); k++)
    append_name (list, &n_named, goban_graph_get_kind (graph, k));
  return g_string_free (list, FALSE);
}

/* The kinds of devices that the graph has no times for; NULL if there are none of them. */
static char *
list_unknown_kinds (const GobanGraph *graph, const GobanCluster *cluster)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  GString *list = g_string_new (NULL);
  guint n_named = 0;

  for (guint d = 0; d < goban_cluster_get_n_devices (cluster); d++)
    {
      const char *kind = goban_cluster_get_device (cluster, (GobanDeviceId) d)->kind;

      if (goban_graph_find_kind (graph, kind) == GOBAN_NO_KIND
          && g_hash_table_add (seen, (gpointer) kind))
        append_name (list, &n_named, kind);
    }
  return g_string_free (list, list->len == 0);
}

/* Advice to the user: the end of every message. */
static char *
make_advice (const GobanGraph *graph)
{
  g_autofree char *kinds = list_graph_kinds (graph);
  const char *own = goban_graph_get_cluster_spec (graph);

  if (*own != '\0')
    return g_strdup_printf ("choose its own cluster, %s, or one with devices of the kinds %s", own,
                            kinds);
  return g_strdup_printf ("choose a cluster with devices of the kinds %s, such as devices:%s, or a "
                          "JSON file",
                          kinds, goban_graph_get_kind (graph, 0));
}

/* Nodes whose times on a device of an unknown kind are scaled, and those that cannot be. */
static void
count_estimates (const GobanGraph *graph, const GobanCluster *cluster, guint *n_scaled,
                 guint *n_unknown)
{
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      double least_us;
      guint kind = goban_graph_least_kind (graph, v, &least_us);

      if (kind == GOBAN_NO_KIND || least_us == 0)
        continue;
      if (goban_kind_peak (cluster, goban_graph_get_kind (graph, kind)) > 0)
        (*n_scaled)++;
      else
        (*n_unknown)++;
    }
}

/* --- transfers ------------------------------------------------------------ */

/* (n_kinds + 1)^2 flags: pairs of the graph's kinds between which devices of @cluster send; the
 * last stands for kinds the graph does not know. */
static gboolean *
find_pairs (const GobanGraph *graph, const GobanCluster *cluster)
{
  guint n_devices = goban_cluster_get_n_devices (cluster);
  guint side = goban_graph_get_n_kinds (graph) + 1;
  g_autofree guint *n_of_kind = g_new0 (guint, side);
  gboolean *pairs = g_new0 (gboolean, (gsize) side * side);

  for (guint d = 0; d < n_devices; d++)
    n_of_kind[MIN (
        goban_graph_find_kind (graph, goban_cluster_get_device (cluster, (GobanDeviceId) d)->kind),
        side - 1)]++;
  for (guint a = 0; a < side; a++)
    for (guint b = 0; b < side; b++)
      pairs[a * side + b] = n_of_kind[a] > (a == b ? 1u : 0u) && n_of_kind[b] > 0;
  return pairs;
}

/* Whether the graph says that moving @tensor takes time between some kinds, and nothing of a pair
 * that @pairs has. */
static gboolean
is_free_somewhere (const GobanGraph *graph, GobanTensorId tensor, const gboolean *pairs)
{
  guint n = goban_graph_get_n_kinds (graph);
  guint any = goban_graph_find_kind (graph, GOBAN_ANY_KIND);
  gboolean costs_somewhere = FALSE;
  gboolean lacks_some = FALSE;

  for (guint a = 0; a < n; a++)
    for (guint b = 0; b < n; b++)
      costs_somewhere |= goban_graph_get_transfer_us (graph, tensor, a, b) > 0;
  for (guint a = 0; costs_somewhere && a <= n; a++)
    for (guint b = 0; b <= n; b++)
      if (pairs[a * (n + 1) + b])
        {
          guint from = a < n ? a : any, to = b < n ? b : any;

          lacks_some |= isnan (goban_graph_get_transfer_us (graph, tensor, from, to))
                        && isnan (goban_graph_get_transfer_us (graph, tensor, from, any))
                        && isnan (goban_graph_get_transfer_us (graph, tensor, any, to))
                        && isnan (goban_graph_get_transfer_us (graph, tensor, any, any));
        }
  return lacks_some;
}

/* Tensors of no known size whose given times are for other devices: they would move for nothing. */
static guint
count_free_tensors (const GobanGraph *graph, const GobanCluster *cluster)
{
  g_autofree gboolean *pairs = find_pairs (graph, cluster);
  guint n_free = 0;

  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (graph); t++)
    {
      const GobanTensor *tensor = goban_graph_get_tensor (graph, t);

      if (tensor->size_bytes == 0 && !tensor->is_control
          && goban_graph_get_tensor_edges (graph, t).n > 0 && is_free_somewhere (graph, t, pairs))
        n_free++;
    }
  return n_free;
}

/* --- the check ------------------------------------------------------------ */

gboolean
goban_cluster_check_times (const GobanCluster *cluster, const GobanGraph *graph, char **warning,
                           GError **error)
{
  const char *name = goban_cluster_get_name (cluster);
  g_autofree char *unknown = NULL;
  g_autofree char *known = NULL;
  g_autofree char *advice = NULL;
  GString *text;
  guint n_scaled = 0, n_unknown = 0, n_free;

  *warning = NULL;
  if (goban_graph_get_n_kinds (graph) == 0)
    return TRUE;

  unknown = list_unknown_kinds (graph, cluster);
  known = list_graph_kinds (graph);
  advice = make_advice (graph);
  if (unknown != NULL)
    count_estimates (graph, cluster, &n_scaled, &n_unknown);
  if (n_unknown > 0)
    return goban_refuse (
        error, GOBAN_ERROR_INVALID,
        "%s: the graph has times for devices of the kinds %s; %s has devices of the "
        "kind %s, for which the times of %u nodes cannot be estimated; %s",
        goban_graph_get_name (graph), known, name, unknown, n_unknown, advice);

  n_free = count_free_tensors (graph, cluster);
  if (n_scaled == 0 && n_free == 0)
    return TRUE;
  text = g_string_new (goban_graph_get_name (graph));
  g_string_append (text, ": ");
  if (n_scaled > 0)
    g_string_append_printf (text,
                            "the graph has times for devices of the kinds %s; on the kind %s of %s "
                            "the times of %u nodes are estimated from those by speed; ",
                            known, unknown, name, n_scaled);
  if (n_free > 0)
    g_string_append_printf (
        text,
        "%u outputs have given times to be moved, but not between all devices of "
        "%s, and no size: they move there without cost; ",
        n_free, name);
  g_string_append (text, advice);
  *warning = g_string_free (text, FALSE);
  return TRUE;
}
