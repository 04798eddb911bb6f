#include "engine/io/apply/device-names.h"

#include "engine/core/error.h"
#include "engine/machine/cluster/device-number.h"

const char *
goban_apply_node_name (const GobanApplyWork *work, GobanNodeId node)
{
  return goban_graph_get_node (work->graph, node)->name;
}

const char *
goban_apply_device_name (const GobanApplyWork *work, GobanNodeId node)
{
  return goban_cluster_get_device (work->cluster, goban_plan_get_device (work->plan, node))->name;
}

gboolean
goban_apply_check_forward (const GobanApplyWork *work, const char *framework, GError **error)
{
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (work->graph); v++)
    if (goban_graph_get_node (work->graph, v)->phase != GOBAN_PHASE_FORWARD)
      return goban_refuse (
          error, GOBAN_ERROR_UNSUPPORTED,
          "%s runs the forward pass: node “%s” is of the training; place the graph "
          "without it",
          framework, goban_apply_node_name (work, v));
  return TRUE;
}

static void
set_kind_error (const GobanApplyWork *work, const GobanDeviceWord *words, const char *framework,
                GobanNodeId node, GError **error)
{
  GobanDeviceId device = goban_plan_get_device (work->plan, node);
  g_autoptr (GString) known = g_string_new (words[0].kind);

  for (guint i = 1; words[i].kind != NULL; i++)
    g_string_append_printf (known, ", %s", words[i].kind);
  goban_set_error (error, GOBAN_ERROR_UNSUPPORTED,
                   "node “%s” is on %s, which is of the kind “%s”; %s places ops on: %s",
                   goban_apply_node_name (work, node), goban_apply_device_name (work, node),
                   goban_cluster_get_device (work->cluster, device)->kind, framework, known->str);
}

/* The word of @node's device, the first node there; NULL with @error set. @firsts: by word, the
 * node that used it first. */
static char *
dup_word (const GobanApplyWork *work, const GobanDeviceWord *words, const char *framework,
          GHashTable *firsts, GobanNodeId node, GError **error)
{
  GobanDeviceId device = goban_plan_get_device (work->plan, node);
  const char *kind = goban_cluster_get_device (work->cluster, device)->kind;
  gpointer first;

  while (words->kind != NULL && !g_str_equal (words->kind, kind))
    words++;
  if (words->kind == NULL)
    return NULL;
  if (words->is_numbered)
    return g_strdup_printf ("%s%u", words->word, goban_device_get_number (work->cluster, device));
  if (!g_hash_table_lookup_extended (firsts, words->word, NULL, &first))
    {
      g_hash_table_insert (firsts, (gpointer) words->word, GUINT_TO_POINTER (node));
      return g_strdup (words->word);
    }
  goban_set_error (error, GOBAN_ERROR_UNSUPPORTED,
                   "%s uses one %s at a time: node “%s” is on %s, node “%s” on %s", framework, kind,
                   goban_apply_node_name (work, GPOINTER_TO_UINT (first)),
                   goban_apply_device_name (work, GPOINTER_TO_UINT (first)),
                   goban_apply_node_name (work, node), goban_apply_device_name (work, node));
  return NULL;
}

char **
goban_device_names_new (const GobanApplyWork *work, const GobanDeviceWord *words,
                        const char *framework, GError **error)
{
  guint n = goban_cluster_get_n_devices (work->cluster);
  g_auto (GStrv) names = g_new0 (char *, n + 1);
  g_autoptr (GHashTable) firsts = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint d = 0; d < n; d++)
    names[d] = g_strdup ("");
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (work->graph); v++)
    {
      char **name = &names[goban_plan_get_device (work->plan, v)];
      g_autoptr (GError) local = NULL;

      if (**name != '\0')
        continue;
      g_free (*name);
      *name = dup_word (work, words, framework, firsts, v, &local);
      if (*name != NULL)
        continue;
      *name = g_strdup ("");
      if (local != NULL)
        g_propagate_error (error, g_steal_pointer (&local));
      else
        set_kind_error (work, words, framework, v, error);
      return NULL;
    }
  return g_steal_pointer (&names);
}
