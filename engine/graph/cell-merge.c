#include "engine/graph/cells-private.h"

#include <math.h>
#include <stdlib.h>

/* Parts in a heap by work, and the bytes between them. Of two that merge, the one with more
 * neighbours keeps its table, so every exchange moves O(log E) times. */
typedef struct
{
  guint n_parts;
  double *work;         /* (n_parts) */
  guint32 *first;       /* (n_parts) its lowest part, which breaks ties */
  GHashTable **traffic; /* (n_parts) of part -> double bytes, NULL for those that are gone */
  GArray *heap;         /* Entry: some are out of date */
} Merge;

typedef struct
{
  double work;
  guint32 first;
  guint32 part;
} Entry;

static gboolean
is_less (const Entry *a, const Entry *b)
{
  return a->work < b->work || (a->work == b->work && a->first < b->first);
}

static void
push (Merge *self, guint32 part)
{
  Entry entry = { self->work[part], self->first[part], part };
  guint i = self->heap->len;
  Entry *h;

  g_array_append_val (self->heap, entry);
  h = (Entry *) (gpointer) self->heap->data;
  for (; i > 0 && is_less (&entry, &h[(i - 1) / 2]); i = (i - 1) / 2)
    h[i] = h[(i - 1) / 2];
  h[i] = entry;
}

/* The part with the least work. */
static guint32
pop (Merge *self)
{
  for (;;)
    {
      Entry *h = (Entry *) (gpointer) self->heap->data;
      Entry entry = h[0];
      Entry last = h[self->heap->len - 1];
      guint n = self->heap->len - 1;
      guint i = 0;

      g_array_set_size (self->heap, n);
      while (2 * i + 1 < n)
        {
          guint child = 2 * i + 1;

          if (child + 1 < n && is_less (&h[child + 1], &h[child]))
            child++;
          if (!is_less (&h[child], &last))
            break;
          h[i] = h[child];
          i = child;
        }
      if (n > 0)
        h[i] = last;

      if (self->traffic[entry.part] != NULL && entry.work == self->work[entry.part]
          && entry.first == self->first[entry.part])
        return entry.part;
    }
}

static void
add_traffic (Merge *self, guint32 from, guint32 to, double bytes)
{
  double *sum = g_hash_table_lookup (self->traffic[from], GUINT_TO_POINTER (to));

  if (sum == NULL)
    {
      sum = g_new0 (double, 1);
      g_hash_table_insert (self->traffic[from], GUINT_TO_POINTER (to), sum);
    }
  *sum += bytes;
}

/* A tensor counts once for every part that reads it. */
static void
gather_traffic (Merge *self, const GobanGraph *graph, const guint32 *parts)
{
  g_autofree guint32 *seen_by = g_new (guint32, self->n_parts);

  for (guint p = 0; p < self->n_parts; p++)
    seen_by[p] = GOBAN_NO_TENSOR;
  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (graph); t++)
    {
      const GobanTensor *tensor = goban_graph_get_tensor (graph, t);
      GobanEdgeSpan edges = goban_graph_get_tensor_edges (graph, t);
      guint32 from = parts[tensor->producer];

      for (guint i = 0; i < edges.n; i++)
        {
          guint32 to = parts[goban_graph_get_edge (graph, edges.ids[i])->head];

          if (to == from || seen_by[to] == t)
            continue;
          seen_by[to] = t;
          add_traffic (self, from, to, tensor->size_bytes + 1);
          add_traffic (self, to, from, tensor->size_bytes + 1);
        }
    }
}

static void
join (Merge *self, guint32 kept, guint32 gone)
{
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, self->traffic[gone]);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      guint32 other = GPOINTER_TO_UINT (key);

      g_hash_table_remove (self->traffic[other], GUINT_TO_POINTER (gone));
      if (other == kept)
        continue;
      add_traffic (self, kept, other, *(double *) value);
      add_traffic (self, other, kept, *(double *) value);
    }
  g_clear_pointer (&self->traffic[gone], g_hash_table_unref);
  self->work[kept] += self->work[gone];
  self->first[kept] = MIN (self->first[kept], self->first[gone]);
}

static void
merge_least (Merge *self, GobanCellJoin *made)
{
  guint32 least = pop (self);

  /* The part with which it exchanges most bytes; of equals, the one with less work. */
  GHashTableIter iter;
  gpointer key, value;
  Entry best = { 0, 0, CELLS_NONE };
  double most = 0;

  g_hash_table_iter_init (&iter, self->traffic[least]);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      guint32 other = GPOINTER_TO_UINT (key);
      double bytes = *(double *) value;
      Entry a = { self->work[other], self->first[other], other };

      if (bytes > most || (bytes == most && is_less (&a, &best)))
        {
          most = bytes;
          best = a;
        }
    }
  guint32 partner = best.part;

  if (partner == CELLS_NONE)
    partner = pop (self);
  if (g_hash_table_size (self->traffic[least]) > g_hash_table_size (self->traffic[partner]))
    *made = (GobanCellJoin){ least, partner };
  else
    *made = (GobanCellJoin){ partner, least };
  join (self, made->kept, made->gone);
  push (self, made->kept);
}

void
cells_merge (const GobanGraph *graph, const guint32 *parts, guint n_parts, const double *work,
             GobanCellJoin *joins)
{
  Merge self = { .n_parts = n_parts };

  self.work = g_new0 (double, n_parts);
  self.first = g_new (guint32, n_parts);
  self.traffic = g_new0 (GHashTable *, n_parts);
  self.heap = g_array_sized_new (FALSE, FALSE, sizeof (Entry), n_parts);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    self.work[parts[v]] += isfinite (work[v]) ? work[v] : 0;
  for (guint p = 0; p < n_parts; p++)
    {
      self.first[p] = p;
      self.traffic[p] = g_hash_table_new_full (NULL, NULL, NULL, g_free);
      push (&self, p);
    }
  gather_traffic (&self, graph, parts);
  for (guint i = 0; i + 1 < n_parts; i++)
    merge_least (&self, &joins[i]);

  for (guint p = 0; p < n_parts; p++)
    g_clear_pointer (&self.traffic[p], g_hash_table_unref);
  g_free (self.work);
  g_free (self.first);
  g_free (self.traffic);
  g_array_unref (self.heap);
}
