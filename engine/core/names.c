#include "engine/core/names.h"

#include <stdlib.h>
#include <string.h>

/* One block: 28,000 paths of groups are copied and freed each time one of them is opened. */
struct _GobanNames
{
  gatomicrefcount refs;
  guint n;
  gsize n_bytes; /* of the texts */
  char *texts;   /* one behind the other, behind names */
  const char *names[];
};

static int
compare_names (const void *a, const void *b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static gboolean
is_ascending (const char *const *names, guint n)
{
  for (guint i = 1; i < n; i++)
    if (strcmp (names[i - 1], names[i]) >= 0)
      return FALSE;
  return TRUE;
}

/* @names ascend, each once. */
static GobanNames *
copy_sorted (const char *const *names, guint n)
{
  gsize n_bytes = 0;
  GobanNames *self;
  char *at;

  for (guint i = 0; i < n; i++)
    n_bytes += strlen (names[i]) + 1;
  self = g_malloc (sizeof *self + ((gsize) n + 1) * sizeof *self->names + n_bytes);
  g_atomic_ref_count_init (&self->refs);
  self->n = n;
  self->n_bytes = n_bytes;
  self->texts = at = (char *) (self->names + n + 1);
  for (guint i = 0; i < n; i++)
    {
      self->names[i] = at;
      at = stpcpy (at, names[i]) + 1;
    }
  self->names[n] = NULL;
  return self;
}

GobanNames *
goban_names_new (const char *const *names)
{
  guint n = g_strv_length ((char **) names);
  guint n_kept = 0;
  g_autofree const char **sorted = NULL;

  if (is_ascending (names, n))
    return copy_sorted (names, n);

  sorted = g_new (const char *, n);
  memcpy (sorted, names, n * sizeof *sorted);
  qsort (sorted, n, sizeof *sorted, compare_names);
  for (guint i = 0; i < n; i++)
    if (n_kept == 0 || !g_str_equal (sorted[n_kept - 1], sorted[i]))
      sorted[n_kept++] = sorted[i];
  return copy_sorted (sorted, n_kept);
}

GobanNames *
goban_names_with (const GobanNames *self, const char *name)
{
  g_autofree const char **names = g_new (const char *, self->n + 1);
  guint at = 0;

  while (at < self->n && strcmp (self->names[at], name) < 0)
    at++;
  if (at < self->n && g_str_equal (self->names[at], name))
    return copy_sorted (self->names, self->n);
  memcpy (names, self->names, at * sizeof *names);
  names[at] = name;
  memcpy (names + at + 1, self->names + at, (self->n - at) * sizeof *names);
  return copy_sorted (names, self->n + 1);
}

GobanNames *
goban_names_without (const GobanNames *self, const char *name)
{
  g_autofree const char **names = g_new (const char *, self->n + 1);
  guint n = 0;

  for (guint i = 0; i < self->n; i++)
    if (!g_str_equal (self->names[i], name))
      names[n++] = self->names[i];
  return copy_sorted (names, n);
}

GobanNames *
goban_names_ref (GobanNames *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
goban_names_unref (GobanNames *self)
{
  if (g_atomic_ref_count_dec (&self->refs))
    g_free (self);
}

const char *const *
goban_names_get (const GobanNames *self)
{
  return self->names;
}

guint
goban_names_get_n (const GobanNames *self)
{
  return self->n;
}

gboolean
goban_names_contain (const GobanNames *self, const char *name)
{
  return bsearch (&name, self->names, self->n, sizeof *self->names, compare_names) != NULL;
}

gboolean
goban_names_equal (const GobanNames *a, const GobanNames *b)
{
  return a == b
         || (a->n == b->n && a->n_bytes == b->n_bytes
             && memcmp (a->texts, b->texts, a->n_bytes) == 0);
}
