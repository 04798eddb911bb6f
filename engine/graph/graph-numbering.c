#include "engine/graph/graph-builder-private.h"

#include "engine/core/error.h"

#define MAX_NAMES_IN_CYCLE 8

static gboolean
is_topological (GobanGraphBuilder *self)
{
  for (guint e = 0; e < self->edges->len; e++)
    {
      const BuilderEdge *edge = &g_array_index (self->edges, BuilderEdge, e);

      if (builder_edge_tail (self, edge) >= edge->head)
        return FALSE;
    }
  return TRUE;
}

/* A binary min-heap of node numbers: the lowest ready one comes next, so that the order
 * stays as near to the file's as the edges allow. */
static void
heap_push (GArray *heap, guint32 value)
{
  guint i = heap->len;
  guint32 *h;

  g_array_append_val (heap, value);
  h = (guint32 *) (gpointer) heap->data;
  for (; i > 0 && h[(i - 1) / 2] > value; i = (i - 1) / 2)
    h[i] = h[(i - 1) / 2];
  h[i] = value;
}

static guint32
heap_pop (GArray *heap)
{
  guint32 *h = (guint32 *) (gpointer) heap->data;
  guint32 top = h[0];
  guint32 last = h[heap->len - 1];
  guint n = heap->len - 1;
  guint i = 0;

  g_array_set_size (heap, n);
  while (2 * i + 1 < n)
    {
      guint child = 2 * i + 1;

      if (child + 1 < n && h[child + 1] < h[child])
        child++;
      if (h[child] >= last)
        break;
      h[i] = h[child];
      i = child;
    }
  if (n > 0)
    h[i] = last;
  return top;
}

/* Every node left has a predecessor that is left, so walking backwards must close a cycle. */
static void
report_cycle (GobanGraphBuilder *self, const guint32 *n_waiting, GError **error)
{
  guint n_nodes = self->nodes->len;
  g_autofree guint32 *previous = g_new (guint32, n_nodes);
  g_autofree gboolean *seen = g_new0 (gboolean, n_nodes);
  g_autoptr (GString) names = g_string_new (NULL);
  g_autoptr (GArray) cycle = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 v = 0;

  for (guint e = 0; e < self->edges->len; e++)
    {
      const BuilderEdge *edge = &g_array_index (self->edges, BuilderEdge, e);

      if (n_waiting[builder_edge_tail (self, edge)] > 0)
        previous[edge->head] = builder_edge_tail (self, edge);
    }

  while (n_waiting[v] == 0)
    v++;
  for (; !seen[v]; v = previous[v])
    seen[v] = TRUE;

  for (guint32 u = v; cycle->len == 0 || u != v; u = previous[u])
    g_array_append_val (cycle, u);

  /* The walk went against the edges: name the nodes in their direction. */
  g_string_append (names, builder_node (self, v)->name);
  for (guint i = cycle->len; i-- > 0;)
    {
      if (cycle->len - i > MAX_NAMES_IN_CYCLE)
        {
          g_string_append_printf (names, " → … (%u nodes) → %s", cycle->len,
                                  builder_node (self, v)->name);
          break;
        }
      g_string_append_printf (names, " → %s",
                              builder_node (self, g_array_index (cycle, guint32, i))->name);
    }
  goban_set_error (error, GOBAN_ERROR_INVALID_GRAPH, "the graph has a cycle: %s", names->str);
}

gboolean
goban_graph_builder_number (GobanGraphBuilder *self, guint32 *new_ids, GError **error)
{
  guint n_nodes = self->nodes->len;
  guint n_edges = self->edges->len;
  g_autofree guint32 *offsets = g_new0 (guint32, n_nodes + 1);
  g_autofree guint32 *heads = g_new (guint32, n_edges);
  g_autofree guint32 *n_waiting = g_new0 (guint32, n_nodes);
  g_autoptr (GArray) ready = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint n_numbered = 0;

  if (is_topological (self))
    {
      for (guint v = 0; v < n_nodes; v++)
        new_ids[v] = v;
      return TRUE;
    }

  for (guint e = 0; e < n_edges; e++)
    offsets[builder_edge_tail (self, &g_array_index (self->edges, BuilderEdge, e)) + 1]++;
  for (guint v = 0; v < n_nodes; v++)
    offsets[v + 1] += offsets[v];
  for (guint e = n_edges; e-- > 0;)
    {
      const BuilderEdge *edge = &g_array_index (self->edges, BuilderEdge, e);
      guint32 tail = builder_edge_tail (self, edge);

      heads[--offsets[tail + 1]] = edge->head;
      n_waiting[edge->head]++;
    }
  /* Filling from the back left every offset one place to the left of where it began. */

  for (guint32 v = 0; v < n_nodes; v++)
    if (n_waiting[v] == 0)
      heap_push (ready, v);

  while (ready->len > 0)
    {
      guint32 v = heap_pop (ready);
      guint end = v + 2 <= n_nodes ? offsets[v + 2] : n_edges;

      new_ids[v] = n_numbered++;
      for (guint i = offsets[v + 1]; i < end; i++)
        if (--n_waiting[heads[i]] == 0)
          heap_push (ready, heads[i]);
    }

  if (n_numbered == n_nodes)
    return TRUE;

  report_cycle (self, n_waiting, error);
  return FALSE;
}
