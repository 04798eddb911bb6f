#include "engine/io/apply/modules.h"

#include <string.h>

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
