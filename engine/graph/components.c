#include "engine/graph/components.h"

#define UNSEEN G_MAXUINT32

typedef struct
{
  const guint32 *offsets;
  const guint32 *heads;
  guint32 *index;     /* (n) in the order of discovery, or UNSEEN */
  guint32 *low;       /* (n) the least index that can be reached */
  guint32 *next;      /* (n) the edge to follow next */
  guint32 *component; /* (n) or UNSEEN while still open */
  GArray *path;       /* guint32: from the root to the present vertex */
  GArray *open;       /* guint32: seen, and not in a component yet */
  guint32 n_seen;
  guint32 n_components;
} Search;

static void
enter (Search *self, guint32 v)
{
  self->index[v] = self->low[v] = self->n_seen++;
  self->next[v] = self->offsets[v];
  g_array_append_val (self->path, v);
  g_array_append_val (self->open, v);
}

/* v has no edges left: it is a component's root, or its parent inherits its low link. */
static void
leave (Search *self, guint32 v)
{
  g_array_set_size (self->path, self->path->len - 1);
  if (self->path->len > 0)
    {
      guint32 parent = g_array_index (self->path, guint32, self->path->len - 1);

      self->low[parent] = MIN (self->low[parent], self->low[v]);
    }
  if (self->low[v] != self->index[v])
    return;

  for (guint32 member = UNSEEN; member != v;)
    {
      member = g_array_index (self->open, guint32, self->open->len - 1);
      self->component[member] = self->n_components;
      g_array_set_size (self->open, self->open->len - 1);
    }
  self->n_components++;
}

static void
search_from (Search *self, guint32 root)
{
  enter (self, root);
  while (self->path->len > 0)
    {
      guint32 v = g_array_index (self->path, guint32, self->path->len - 1);
      guint32 head;

      if (self->next[v] == self->offsets[v + 1])
        {
          leave (self, v);
          continue;
        }
      head = self->heads[self->next[v]++];
      if (self->index[head] == UNSEEN)
        enter (self, head);
      else if (self->component[head] == UNSEEN)
        self->low[v] = MIN (self->low[v], self->index[head]);
    }
}

guint
goban_find_components (guint n, const guint32 *offsets, const guint32 *heads,
                       const gboolean *is_root, guint32 *components)
{
  g_autofree guint32 *index = g_new (guint32, n + 1);
  g_autofree guint32 *low = g_new (guint32, n + 1);
  g_autofree guint32 *next = g_new (guint32, n + 1);
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint32));
  Search search = { offsets, heads, index, low, next, components, path, open, 0, 0 };

  for (guint32 v = 0; v < n; v++)
    index[v] = components[v] = UNSEEN;
  for (guint32 v = 0; v < n; v++)
    if (index[v] == UNSEEN && (is_root == NULL || is_root[v]))
      search_from (&search, v);
  return search.n_components;
}
