#include "engine/session/cell-names.h"

/* Bytes beyond ASCII belong to letters of other scripts. */
static gboolean
has_letter (const char *name)
{
  for (; *name != '\0'; name++)
    if (g_ascii_isalpha (*name) || ((guchar) *name & 0x80) != 0)
      return TRUE;
  return FALSE;
}

static char *
dup_name (const GobanGraph *graph, const GobanCells *cells, guint32 param, gboolean is_shared)
{
  const char *name = goban_graph_get_node (graph, cells->holder_of[param])->name;
  const char *op = goban_graph_get_node (graph, cells->user_of[param])->op;

  if (!has_letter (name))
    return g_strdup_printf ("parameter %u", param + 1);
  return is_shared ? g_strdup_printf ("%s (%s)", name, op) : g_strdup (name);
}

/* Takes @name. */
static char *
make_unlike (GHashTable *taken, char *name)
{
  g_autofree char *base = name;
  char *unlike = g_strdup (base);

  for (guint k = 2; g_hash_table_contains (taken, unlike); k++)
    {
      g_free (unlike);
      unlike = g_strdup_printf ("%s (%u)", base, k);
    }
  g_hash_table_add (taken, unlike);
  return unlike;
}

char **
goban_cell_names_new (const GobanGraph *graph, const GobanCells *cells)
{
  char **names = g_new0 (char *, (gsize) cells->n_params + 1);
  g_autofree guint32 *n_params_of = g_new0 (guint32, MAX (cells->n_nodes, 1));
  g_autoptr (GHashTable) taken = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint32 p = 0; p < cells->n_params; p++)
    n_params_of[cells->holder_of[p]]++;
  for (guint32 p = 0; p < cells->n_params; p++)
    names[p]
        = make_unlike (taken, dup_name (graph, cells, p, n_params_of[cells->holder_of[p]] > 1));
  return names;
}

char *
goban_cell_dup_use_name (guint use)
{
  return g_strdup_printf ("use %u", use + 1);
}
