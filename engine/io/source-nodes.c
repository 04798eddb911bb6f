#include "engine/io/source-nodes.h"

#include "engine/core/error.h"

void
goban_source_nodes_free (GobanSourceNodes *self)
{
  g_free (self->nodes);
  g_free (self->is_folded);
  g_strfreev (self->names);
  for (gsize i = 0; self->devices != NULL && i < self->n; i++)
    g_free (self->devices[i]);
  g_free (self->devices);
  g_free (self->external);
  g_free (self);
}

GobanNodeId
goban_source_nodes_find (const GobanGraph *graph, const char *name, const char *path,
                         GError **error)
{
  GobanNodeId node = goban_graph_find_node (graph, name);

  if (node == GOBAN_NO_NODE)
    goban_set_error (error, GOBAN_ERROR_UNSUPPORTED,
                     "%s: its node “%s” is not in the graph: the plan is for another file", path,
                     name);
  return node;
}

gboolean
goban_source_nodes_check (const GobanSourceNodes *self, const GobanGraph *graph, const char *path,
                          GError **error)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autofree guint8 *is_found = g_new0 (guint8, n_nodes + 1);

  for (gsize i = 0; i < self->n; i++)
    if (self->nodes[i] != GOBAN_NO_NODE)
      is_found[self->nodes[i]] = TRUE;
  for (GobanNodeId v = 0; v < n_nodes; v++)
    if (!is_found[v])
      return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                           "%s: node “%s” of the graph is not in it; place the graph as the file "
                           "has it",
                           path, goban_graph_get_node (graph, v)->name);
  return TRUE;
}
