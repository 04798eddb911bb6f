#include "engine/study/run/reference.h"

GobanReference *
goban_reference_new (GobanGraph *graph, GobanSelection *nodes, GobanRun *run)
{
  GobanReference *self = g_new0 (GobanReference, 1);

  self->graph = graph != NULL ? goban_graph_ref (graph) : NULL;
  self->nodes = nodes != NULL ? goban_selection_ref (nodes) : NULL;
  self->run = run != NULL ? goban_run_ref (run) : NULL;
  return self;
}

void
goban_reference_free (GobanReference *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->graph, goban_graph_unref);
  g_clear_pointer (&self->nodes, goban_selection_unref);
  g_clear_pointer (&self->run, goban_run_unref);
  g_free (self);
}

GPtrArray *
goban_references_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) goban_reference_free);
}

/* The first that is not NULL. */
static const GobanReference *
find_first (const GobanReference *const *references, guint n)
{
  for (guint i = 0; i < n; i++)
    if (references[i] != NULL)
      return references[i];
  return NULL;
}

GobanReference *
goban_reference_new_union (const GobanReference *const *references, guint n)
{
  const GobanReference *first = find_first (references, n);
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  g_autoptr (GobanSelection) nodes = NULL;

  if (first == NULL)
    return NULL;
  for (guint i = 0; i < n && first->nodes != NULL; i++)
    {
      guint n_ids;
      const GobanNodeId *more;

      if (references[i] == NULL || references[i]->graph != first->graph)
        continue;
      more = goban_selection_get_ids (references[i]->nodes, &n_ids);
      g_array_append_vals (ids, more, n_ids);
    }
  if (first->nodes == NULL)
    return goban_reference_new (NULL, NULL, first->run);
  nodes = goban_selection_new ((const GobanNodeId *) (void *) ids->data, ids->len);
  return goban_reference_new (first->graph, nodes, first->run);
}
