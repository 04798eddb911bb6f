#include "tests/draw/outlines.h"

#include "tests/support/scoped-graph.h"

char **
outlines_open_some (const GobanHierarchy *hierarchy, guint open_percent)
{
  GStrvBuilder *builder = g_strv_builder_new ();
  char **paths;

  for (guint g = 1; g < goban_hierarchy_get_n_groups (hierarchy); g++)
    if ((guint) g_test_rand_int_range (0, 100) < open_percent)
      g_strv_builder_add (builder, goban_hierarchy_get_group (hierarchy, g)->path);
  paths = g_strv_builder_end (builder);
  g_strv_builder_unref (builder);
  return paths;
}

GobanSelection *
outlines_hide_some (guint n_nodes, guint percent)
{
  g_autofree GobanNodeId *ids = g_new (GobanNodeId, n_nodes + 1);
  guint n = 0;

  for (guint v = 0; v < n_nodes; v++)
    if ((guint) g_test_rand_int_range (0, 100) < percent)
      ids[n++] = v;
  return goban_selection_new (ids, n);
}

GobanOutline *
outlines_new_any (guint n_nodes, guint open_percent, guint hidden_percent)
{
  g_autoptr (GobanGraph) graph = scoped_graph_new (n_nodes, (guint64) g_test_rand_int ());
  g_autoptr (GobanHierarchy) hierarchy = goban_hierarchy_new (graph, GOBAN_GROUPING_SCOPE, NULL);
  g_auto (GStrv) open = outlines_open_some (hierarchy, open_percent);
  g_autoptr (GobanSelection) hidden = NULL;

  hidden = outlines_hide_some (n_nodes, hidden_percent);
  return goban_outline_new (graph, hierarchy, (const char *const *) open, hidden);
}

GobanLayout *
outlines_lay_out_graph (GobanGraph *graph, const GobanLayoutOptions *options, GError **error)
{
  g_autoptr (GobanOutline) outline = goban_outline_new (graph, NULL, NULL, NULL);

  return goban_layout_new_for_outline (outline, options, error);
}
