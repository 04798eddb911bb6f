#include "engine/io/apply/target.h"

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

/* --- modules -------------------------------------------------------------- */

static void
clear_module (gpointer data)
{
  g_free (((GobanModule *) data)->path);
}

/* The path of the module that the node belongs to: its scopes, joined by dots. */
static char *
dup_path (const GobanNode *node)
{
  const char *slash = strrchr (node->name, '/');
  char *path;

  if (slash == NULL)
    return g_strdup (node->param_bytes > 0 ? node->name : "");
  path = g_strndup (node->name, (gsize) (slash - node->name));
  return g_strdelimit (path, "/", '.');
}

static guint
find_or_add (GobanModules *self, GHashTable *by_path, const char *path, GobanNodeId node)
{
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (by_path, path));
  const char *dot = strrchr (path, '.');
  g_autofree char *outer = NULL;
  GobanModule module = { .first = node, .device = GOBAN_NO_DEVICE };

  if (found > 0)
    return found - 1;
  outer = dot != NULL ? g_strndup (path, (gsize) (dot - path)) : g_strdup ("");
  module.parent = *path != '\0' ? find_or_add (self, by_path, outer, node) : 0;
  module.path = g_strdup (path);
  g_array_append_val (self->modules, module);
  g_hash_table_insert (by_path, module.path, GUINT_TO_POINTER (self->modules->len));
  return self->modules->len - 1;
}

/* Marks a module and all it is part of. */
static void
mark_device (GobanModules *self, guint i, GobanDeviceId device)
{
  GobanModule *module;

  do
    {
      module = &g_array_index (self->modules, GobanModule, i);
      if (module->device == GOBAN_NO_DEVICE)
        module->device = device;
      else if (module->device != device)
        module->device = GOBAN_MODULE_IS_SPLIT;
      if (i == 0)
        return;
      i = module->parent;
    }
  while (TRUE);
}

GobanModules *
goban_modules_new (const GobanApplyWork *work)
{
  GobanModules *self = g_new0 (GobanModules, 1);
  guint n_nodes = goban_graph_get_n_nodes (work->graph);
  g_autoptr (GHashTable) by_path = g_hash_table_new (g_str_hash, g_str_equal);

  self->modules = g_array_new (FALSE, FALSE, sizeof (GobanModule));
  g_array_set_clear_func (self->modules, clear_module);
  self->of_node = g_new (guint, n_nodes + 1);
  find_or_add (self, by_path, "", 0);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      g_autofree char *path = dup_path (goban_graph_get_node (work->graph, v));

      self->of_node[v] = find_or_add (self, by_path, path, v);
      mark_device (self, self->of_node[v], goban_plan_get_device (work->plan, v));
    }
  return self;
}

void
goban_modules_free (GobanModules *self)
{
  g_array_unref (self->modules);
  g_free (self->of_node);
  g_free (self);
}
