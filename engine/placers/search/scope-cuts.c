#include "engine/placers/search/scope-cuts.h"

#include <stdlib.h>
#include <string.h>

/* A unit under "layer_2" has number 2 among those that "layer_" counts. */
typedef struct
{
  guint64 number;
  guint32 unit;
} Numbered;

typedef struct
{
  GArray *units;   /* Numbered, each unit once */
  guint index;     /* in the order in which words are met */
  gboolean counts; /* there are two numbers or more */
} Word;

static void
free_word (gpointer data)
{
  Word *word = data;

  g_array_unref (word->units);
  g_free (word);
}

static void
add_number (GPtrArray *words, GHashTable *by_text, const char *part, gsize length, guint32 unit)
{
  gsize n_letters = length;
  g_autofree char *text = NULL;
  Numbered numbered = { 0, unit };
  Word *word;

  while (n_letters > 0 && g_ascii_isdigit (part[n_letters - 1]))
    n_letters--;
  if (n_letters == length || length - n_letters > 9)
    return;
  numbered.number = g_ascii_strtoull (part + n_letters, NULL, 10);
  text = g_strndup (part, n_letters);
  word = g_hash_table_lookup (by_text, text);
  if (word == NULL)
    {
      word = g_new0 (Word, 1);
      word->units = g_array_new (FALSE, FALSE, sizeof (Numbered));
      word->index = words->len;
      g_ptr_array_add (words, word);
      g_hash_table_insert (by_text, g_steal_pointer (&text), word);
    }
  if (word->units->len > 0)
    {
      const Numbered *last = &g_array_index (word->units, Numbered, word->units->len - 1);

      if (last->unit == unit)
        return;
      word->counts |= last->number != numbered.number;
    }
  g_array_append_val (word->units, numbered);
}

static int
compare_words (gconstpointer a, gconstpointer b)
{
  const Word *x = *(Word *const *) a;
  const Word *y = *(Word *const *) b;

  if (x->counts != y->counts)
    return x->counts ? -1 : 1;
  if (x->units->len != y->units->len)
    return x->units->len > y->units->len ? -1 : 1;
  return (x->index > y->index) - (x->index < y->index);
}

static int
compare_numbered (const void *a, const void *b)
{
  const Numbered *x = a;
  const Numbered *y = b;

  if (x->number != y->number)
    return x->number < y->number ? -1 : 1;
  return (x->unit > y->unit) - (x->unit < y->unit);
}

/* The remaining ones, from the first to the last and back, join the group that they exchange most
 * bytes with. */
static void
fill_in (const GobanUnits *units, const GobanUnitGraph *graph, GobanDeviceId *devices)
{
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < units->n_units; i++)
      {
        guint u = pass == 0 ? i : units->n_units - 1 - i;

        for (guint l = graph->offsets[u];
             l < graph->offsets[u + 1] && devices[u] == GOBAN_NO_DEVICE; l++)
          devices[u] = devices[graph->links[l].unit];
      }
  for (guint u = 0; u < units->n_units; u++)
    {
      if (devices[u] == GOBAN_NO_DEVICE)
        devices[u] = 0;
      if (!goban_units_can_run (units, u, devices[u]))
        devices[u] = goban_units_fastest_device (units, u);
    }
}

/* A number stays whole: all of its units go to the part of its middle. */
static GobanDeviceId *
cut (const GobanUnits *units, const GobanUnitGraph *graph, const double *times_us, Word *word)
{
  GobanDeviceId *devices = g_new (GobanDeviceId, units->n_units);
  Numbered *all = (Numbered *) (void *) word->units->data;
  guint n = word->units->len;
  double total_us = 0;
  double before_us = 0;
  guint end;

  qsort (all, n, sizeof *all, compare_numbered);
  for (guint u = 0; u < units->n_units; u++)
    devices[u] = GOBAN_NO_DEVICE;
  for (guint i = 0; i < n; i++)
    total_us += times_us[all[i].unit];

  for (guint first = 0; first < n; first = end)
    {
      double own_us = 0;
      double middle;
      guint d;

      for (end = first; end < n && all[end].number == all[first].number; end++)
        own_us += times_us[all[end].unit];
      middle = total_us > 0 ? (before_us + own_us / 2) / total_us : 0;
      d = MIN ((guint) (middle * units->n_devices), units->n_devices - 1);
      for (guint i = first; i < end; i++)
        devices[all[i].unit] = (GobanDeviceId) d;
      before_us += own_us;
    }
  fill_in (units, graph, devices);
  return devices;
}

GPtrArray *
goban_scope_cuts_new (const GobanUnits *units, guint n_most)
{
  GPtrArray *cuts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (free_word);
  g_autoptr (GHashTable) by_text = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GobanUnitGraph) graph = NULL;
  g_autofree double *times_us = g_new (double, units->n_units);

  for (guint u = 0; u < units->n_units; u++)
    {
      GobanNodeId first = units->nodes[units->offsets[u]];
      const char *part = goban_graph_get_node (units->graph, first)->name;
      const char *end;

      for (; (end = strchr (part, '/')) != NULL; part = end + 1)
        add_number (words, by_text, part, (gsize) (end - part), u);
    }
  g_ptr_array_sort (words, compare_words);
  if (words->len == 0)
    return cuts;

  graph = goban_unit_graph_new (units);
  goban_units_mean_times (units, times_us);
  for (guint i = 0; i < words->len && cuts->len < n_most; i++)
    {
      Word *word = words->pdata[i];

      if (word->counts)
        g_ptr_array_add (cuts, cut (units, graph, times_us, word));
    }
  return cuts;
}
