#include "engine/session/compare-set-graphs.h"

#include "engine/session/compare-set-difference.h"
#include "engine/session/compare-set-private.h"

GListModel *
goban_compare_set_get_others (GobanCompareSet *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self), NULL);

  return G_LIST_MODEL (self->others);
}

const char *
goban_compare_row_get_graph (GobanRunRow *row)
{
  return g_object_get_data (G_OBJECT (row), "goban-graph");
}

void
goban_compare_set_keep_other (GobanCompareSet *self, GobanRun *run, GobanGraph *graph)
{
  GListModel *others = G_LIST_MODEL (self->others);
  gboolean is_kept = run != NULL && goban_run_get_graph (run) != graph;
  guint n_nodes = 0;

  if (is_kept && !goban_run_list_find (others, run, NULL))
    {
      g_autoptr (GobanRunRow) row = goban_run_row_new (run);

      g_object_set_data_full (G_OBJECT (row), "goban-graph",
                              g_strdup (goban_graph_get_name (goban_run_get_graph (run))), g_free);
      g_list_store_insert (self->others, 0, row);
    }
  for (guint i = 0; i < g_list_model_get_n_items (others);)
    {
      GobanGraph *other = goban_run_get_graph (goban_run_list_get (others, i));

      n_nodes += goban_graph_get_n_nodes (other);
      if (other == graph || i >= GOBAN_COMPARE_OTHERS
          || (i > 0 && n_nodes > GOBAN_COMPARE_OTHER_NODES))
        g_list_store_remove (self->others, i);
      else
        i++;
    }
}

gboolean
goban_compare_set_has_two_graphs (GobanCompareSet *self)
{
  GobanRun *before = goban_compare_set_peek_pair (self, FALSE);
  GobanRun *after = goban_compare_set_peek_pair (self, TRUE);

  return before != NULL && goban_run_get_graph (before) != goban_run_get_graph (after);
}

GobanGraphMatching *
goban_compare_set_get_graph_matching (GobanCompareSet *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self), NULL);

  if (goban_compare_set_has_two_graphs (self))
    goban_compare_set_get_difference (self); /* asks for it */
  return self->graphs;
}
