#include "engine/session/document/session-file-names.h"

#include "engine/graph/graph-builder.h"

#include <inttypes.h>
#include <string.h>

void
goban_session_write_names (GobanWriter *self, const GobanGraph *graph)
{
  guint n = goban_graph_get_n_nodes (graph);
  g_autofree const char **names = g_new0 (const char *, n + 1);

  for (GobanNodeId v = 0; v < n; v++)
    names[v] = goban_graph_get_node (graph, v)->name;
  goban_writer_add_texts (self, "nodes", names);
}

/* Without edges every order is topological, so that the one of adding is kept. */
static GobanGraph *
new_of_names (const char *const *names)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("", "");
  g_autoptr (GobanGraph) graph = NULL;

  for (guint i = 0; names[i] != NULL; i++)
    goban_graph_builder_add_node (builder, names[i], "");
  /* Without a graph, plans are left out with a warning. */
  graph = goban_graph_builder_finish (builder, NULL, NULL);
  for (guint i = 0; graph != NULL && names[i] != NULL; i++)
    if (strcmp (goban_graph_get_node (graph, i)->name, names[i]) != 0)
      return NULL;
  return g_steal_pointer (&graph);
}

gboolean
goban_session_read_names (GobanJsonValue graph, guint64 n_nodes, GobanGraph **old, GError **error)
{
  g_autofree const char **names = NULL;

  *old = NULL;
  if (!goban_json_get_texts (graph, "nodes", &names, error))
    return FALSE;
  if (names == NULL || n_nodes == 0)
    return TRUE;
  if (g_strv_length ((char **) names) != n_nodes)
    return goban_json_refuse (goban_json_find (graph, "nodes"), error,
                              "there are %u names for %" PRIu64 " nodes",
                              g_strv_length ((char **) names), n_nodes);
  *old = new_of_names (names);
  return TRUE;
}
