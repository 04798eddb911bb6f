#include "engine/study/analysis/node-list.h"

#include "engine/core/key-sort.h"
#include "engine/core/quantity.h"

#include <math.h>
#include <string.h>

/* --- order ---------------------------------------------------------------------------------- */

static GobanNodeId *
copy_nodes (GobanGraph *graph, GobanSelection *nodes, guint *n)
{
  GobanNodeId *ids;

  if (nodes != NULL)
    {
      const GobanNodeId *chosen = goban_selection_get_ids (nodes, n);

      ids = g_new (GobanNodeId, *n + 1);
      if (*n > 0)
        memcpy (ids, chosen, *n * sizeof *ids);
      return ids;
    }

  *n = goban_graph_get_n_nodes (graph);
  ids = g_new (GobanNodeId, *n + 1);
  for (GobanNodeId v = 0; v < *n; v++)
    ids[v] = v;
  return ids;
}

/* Compares two runs of digits as numbers: -1, 0 or 1. Skips leading zeroes; more digits are a
 * larger number. Moves both pointers behind the digits. */
static int
compare_digits (const char **a, const char **b)
{
  gsize n_a, n_b;
  int order;

  *a += strspn (*a, "0");
  *b += strspn (*b, "0");
  n_a = strspn (*a, "0123456789");
  n_b = strspn (*b, "0123456789");
  order = n_a != n_b ? (n_a < n_b ? -1 : 1) : strncmp (*a, *b, n_a);
  *a += n_a;
  *b += n_b;
  return order;
}

static int
compare_texts (const char *a, const char *b)
{
  while (*a != '\0' && *b != '\0')
    {
      int order;

      if (g_ascii_isdigit (*a) && g_ascii_isdigit (*b))
        {
          order = compare_digits (&a, &b);
        }
      else
        {
          order = (guchar) g_ascii_tolower (*a) - (guchar) g_ascii_tolower (*b);
          a++;
          b++;
        }
      if (order != 0)
        return order;
    }

  return (guchar) *a - (guchar) *b;
}

typedef struct
{
  const char **texts; /* by node */
  int sign;
} TextOrder;

static int
compare_nodes (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const TextOrder *order = user_data;
  GobanNodeId v = *(const GobanNodeId *) a;
  GobanNodeId w = *(const GobanNodeId *) b;
  int result;

  /* Most texts of ops and devices are one and the same. */
  result = order->texts[v] == order->texts[w]
               ? 0
               : compare_texts (order->texts[v], order->texts[w]) * order->sign;
  return result != 0 ? result : v < w ? -1 : v > w;
}

/* Moves unknown values behind the first @n_known, keeping the order. */
static guint
put_known_first (GobanNodeId *ids, guint n, const guint8 *is_known)
{
  g_autofree GobanNodeId *unknown = g_new (GobanNodeId, n + 1);
  guint n_known = 0;
  guint n_unknown = 0;

  for (guint i = 0; i < n; i++)
    if (is_known[ids[i]])
      ids[n_known++] = ids[i];
    else
      unknown[n_unknown++] = ids[i];
  if (n_unknown > 0)
    memcpy (ids + n_known, unknown, n_unknown * sizeof *ids);
  return n_known;
}

static void
sort_by_number (const GobanNodeContext *context, const GobanNodeField *field, gboolean descending,
                GobanNodeId *ids, guint n)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (context->costs));
  g_autofree double *keys = g_new (double, n_nodes + 1);
  g_autofree guint8 *is_known = g_new (guint8, n_nodes + 1);

  for (guint i = 0; i < n; i++)
    {
      double number = field->number (context, ids[i]);

      is_known[ids[i]] = !isnan (number);
      keys[ids[i]] = isnan (number) ? 0 : descending ? -number : number;
    }
  goban_key_sort (ids, keys, put_known_first (ids, n, is_known));
}

static void
sort_by_text (const GobanNodeContext *context, const GobanNodeField *field, gboolean descending,
              GobanNodeId *ids, guint n)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (context->costs));
  g_autofree const char **texts = g_new (const char *, n_nodes + 1);
  g_autofree guint8 *is_known = g_new (guint8, n_nodes + 1);
  TextOrder order = { texts, descending ? -1 : 1 };

  for (guint i = 0; i < n; i++)
    {
      const char *text = field->text (context, ids[i]);

      is_known[ids[i]] = text != NULL && *text != '\0';
      texts[ids[i]] = text != NULL ? text : "";
    }
  g_qsort_with_data (ids, (int) put_known_first (ids, n, is_known), sizeof *ids, compare_nodes,
                     &order);
}

GobanNodeId *
goban_node_list_sort (const GobanNodeContext *context, GobanSelection *nodes,
                      const GobanNodeField *field, gboolean is_descending,
                      const GobanProgress *progress, guint *n, GError **error)
{
  g_autofree GobanNodeId *ids = NULL;

  if (!goban_progress_check (progress, error))
    return NULL;

  ids = copy_nodes (goban_cost_model_get_graph (context->costs), nodes, n);
  if (field != NULL && field->kind == GOBAN_FIELD_TEXT)
    sort_by_text (context, field, is_descending, ids, *n);
  else if (field != NULL)
    sort_by_number (context, field, is_descending, ids, *n);
  return goban_progress_check (progress, error) ? g_steal_pointer (&ids) : NULL;
}

/* --- text ----------------------------------------------------------------------------------- */

char *
goban_node_list_cell (const GobanNodeContext *context, const GobanNodeField *field,
                      GobanNodeId node)
{
  char buffer[GOBAN_QUANTITY_LEN];
  double number;

  if (field->kind == GOBAN_FIELD_TEXT)
    {
      const char *text = field->text (context, node);

      return g_strdup (text != NULL ? text : "");
    }

  number = field->number (context, node);
  if (isnan (number))
    return g_strdup ("");
  switch (field->kind)
    {
    case GOBAN_FIELD_TIME:
      return g_strdup (goban_format_time (buffer, number));
    case GOBAN_FIELD_BYTES:
      return g_strdup (goban_format_bytes (buffer, number));
    default:
      return g_strdup (goban_format_count (buffer, number));
    }
}

/* A name may hold anything; a table's line is one line. */
static void
append_text (GString *text, const char *value)
{
  for (; value != NULL && *value != '\0'; value++)
    g_string_append_c (text, strchr ("\t\n\r", *value) != NULL ? ' ' : *value);
}

static void
append_value (GString *text, const GobanNodeContext *context, const GobanNodeField *field,
              GobanNodeId node)
{
  char buffer[GOBAN_QUANTITY_LEN];
  double number;

  if (field->kind == GOBAN_FIELD_TEXT)
    {
      append_text (text, field->text (context, node));
      return;
    }

  number = field->number (context, node);
  if (isfinite (number))
    g_string_append (text, goban_format_double (buffer, number));
}

char *
goban_node_list_to_tsv (const GobanNodeContext *context, const char *const *fields,
                        const GobanNodeId *nodes, guint n)
{
  g_autoptr (GPtrArray) columns = g_ptr_array_new ();
  GString *text = g_string_new (NULL);

  for (guint i = 0; fields[i] != NULL; i++)
    {
      const GobanNodeField *field
          = goban_node_field_find (fields[i], NULL); /* callers pass valid names */

      g_return_val_if_fail (field != NULL, g_string_free (text, FALSE));
      g_string_append (text, i > 0 ? "\t" : "");
      goban_node_field_append_heading (field, text);
      g_ptr_array_add (columns, (gpointer) field);
    }
  g_string_append_c (text, '\n');
  for (guint r = 0; r < n; r++)
    for (guint i = 0; i < columns->len; i++)
      {
        append_value (text, context, g_ptr_array_index (columns, i), nodes[r]);
        g_string_append_c (text, i + 1 < columns->len ? '\t' : '\n');
      }

  return g_string_free (text, FALSE);
}
