#include "engine/placers/forward-ops.h"

#include <string.h>

#define GRADIENT_SUFFIX "_grad/"

const char *
goban_forward_name (const char *name)
{
  static const char *const prefixes[] = { "gradients/", "optimizer/", "grad/", "update/" };
  gboolean again = TRUE;

  while (again)
    {
      again = FALSE;
      for (gsize i = 0; i < G_N_ELEMENTS (prefixes); i++)
        if (g_str_has_prefix (name, prefixes[i]))
          {
            name += strlen (prefixes[i]);
            again = TRUE;
          }
    }
  return name;
}

/* The forward node whose name @name begins with, before "_grad/" or as a whole; or none. */
static GobanNodeId
find_namesake (const GobanGraph *graph, const char *name, GString *scratch)
{
  const char *forward = goban_forward_name (name);
  const char *end = g_strrstr (forward, GRADIENT_SUFFIX);

  if (forward == name)
    return GOBAN_NO_NODE;
  g_string_assign (scratch, forward);
  if (end != NULL)
    g_string_truncate (scratch, (gsize) (end - forward));
  return goban_graph_find_node (graph, scratch->str);
}

GobanNodeId *
goban_forward_ops (const GobanGraph *graph)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  GobanNodeId *owners = g_new (GobanNodeId, n_nodes);
  g_autoptr (GString) scratch = g_string_new (NULL);

  /* Ids are topological, so a node's inputs know already where they belong. */
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);
      GobanEdgeSpan in = goban_graph_get_in_edges (graph, v);
      GobanNodeId namesake;

      owners[v] = v;
      if (node->phase == GOBAN_PHASE_FORWARD)
        continue;
      namesake = find_namesake (graph, node->name, scratch);
      if (namesake != GOBAN_NO_NODE
          && goban_graph_get_node (graph, namesake)->phase == GOBAN_PHASE_FORWARD)
        owners[v] = namesake;
      else if (in.n > 0)
        owners[v] = owners[goban_graph_get_edge (graph, in.ids[0])->tail];
    }
  return owners;
}
