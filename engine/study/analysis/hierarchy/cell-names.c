#include "engine/study/analysis/hierarchy/cell-names.h"

#include "engine/study/analysis/hierarchy/name-parts.h"

#include <string.h>

/* Bytes beyond ASCII belong to letters of other scripts. */
static gboolean
has_letter (const char *name)
{
  for (; *name != '\0'; name++)
    if (g_ascii_isalpha (*name) || ((guchar) *name & 0x80) != 0)
      return TRUE;
  return FALSE;
}

static gsize
find_stem (const char *name)
{
  gsize length = strlen (name);

  while (length > 0 && g_ascii_isdigit (name[length - 1]))
    length--;
  return length;
}

/* Whether all names are one stem and a number, as readers call nodes without a name. */
static gboolean
only_count (const GobanGraph *graph)
{
  const char *first = goban_graph_get_node (graph, 0)->name;
  gsize stem = find_stem (first);

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const char *name = goban_graph_get_node (graph, v)->name;

      if (strncmp (name, first, stem) != 0 || find_stem (name) != stem || name[stem] == '\0')
        return FALSE;
    }
  return TRUE;
}

/* --- scopes ------------------------------------------------------------------------------ */

/* The end of the next scope after @from, or of the name. */
static gsize
find_end (const char *name, gsize from)
{
  gsize length = strlen (name);
  gsize end = goban_name_scope_end (name, length, from, goban_name_cut (name, length, TRUE));

  return end != 0 ? end : length;
}

/* (element-type utf8 guint): how many parameters each scope holds, and each name. */
static GHashTable *
count_scopes (const GobanGraph *graph, const GobanCells *cells)
{
  GHashTable *counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint32 p = 0; p < cells->n_params; p++)
    {
      const char *name = goban_graph_get_node (graph, cells->holder_of[p])->name;

      for (gsize end = 0; name[end] != '\0';)
        {
          char *scope;
          guint n;

          end = find_end (name, end);
          scope = g_strndup (name, end);
          n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, scope));
          g_hash_table_insert (counts, scope, GUINT_TO_POINTER (n + 1));
        }
    }
  return counts;
}

static char *
dup_scope (GHashTable *counts, const char *name)
{
  for (gsize end = find_end (name, 0); name[end] != '\0'; end = find_end (name, end))
    {
      g_autofree char *scope = g_strndup (name, end);

      if (has_letter (scope) && g_hash_table_lookup (counts, scope) == GUINT_TO_POINTER (1))
        return g_steal_pointer (&scope);
    }
  return g_strdup (name);
}

/* --- names ------------------------------------------------------------------------------- */

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

/* n_of (n_nodes): as how many parameters each node counts. */
static char *
dup_name (const GobanGraph *graph, const GobanCells *cells, guint32 param, const guint32 *n_of,
          GHashTable *counts)
{
  GobanNodeId holder = cells->holder_of[param];
  const char *name = goban_graph_get_node (graph, holder)->name;

  if (!has_letter (name))
    return g_strdup_printf ("parameter %u", param + 1);
  if (n_of[holder] > 1)
    return g_strdup_printf ("%s (%s)", name,
                            goban_graph_get_node (graph, cells->user_of[param])->op);
  return dup_scope (counts, name);
}

char **
goban_cell_names_new (const GobanGraph *graph, const GobanCells *cells)
{
  char **names = g_new0 (char *, (gsize) cells->n_params + 1);
  g_autofree guint32 *n_of = g_new0 (guint32, MAX (cells->n_nodes, 1));
  g_autoptr (GHashTable) counts = count_scopes (graph, cells);
  g_autoptr (GHashTable) taken = g_hash_table_new (g_str_hash, g_str_equal);
  gboolean says_nothing = only_count (graph);

  for (guint32 p = 0; p < cells->n_params; p++)
    n_of[cells->holder_of[p]]++;
  for (guint32 p = 0; p < cells->n_params; p++)
    names[p] = make_unlike (taken, says_nothing ? g_strdup_printf ("parameter %u", p + 1)
                                                : dup_name (graph, cells, p, n_of, counts));
  return names;
}

char *
goban_cell_dup_use_name (guint use)
{
  return g_strdup_printf ("use %u", use + 1);
}
