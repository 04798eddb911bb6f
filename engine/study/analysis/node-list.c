#include "engine/study/analysis/node-list.h"

#include "engine/core/csv-text.h"
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
  for (; *value != '\0'; value++)
    g_string_append_c (text, strchr ("\t\n\r", *value) != NULL ? ' ' : *value);
}

/* "cost_us", "memory_bytes" */
static void
append_heading (GString *text, const GobanNodeField *field)
{
  g_string_append (text, field->name);
  if (field->kind == GOBAN_FIELD_TIME)
    g_string_append (text, "_us");
  else if (field->kind == GOBAN_FIELD_BYTES && !g_str_has_suffix (field->name, "bytes"))
    g_string_append (text, "_bytes");
}

/* Unknown values are empty. */
static void
append_value (GString *text, const GobanNodeContext *context, const GobanNodeField *field,
              GobanNodeId node, void (*append) (GString *, const char *))
{
  char buffer[GOBAN_QUANTITY_LEN];
  const char *word = field->kind == GOBAN_FIELD_TEXT ? field->text (context, node) : NULL;
  double number = field->kind == GOBAN_FIELD_TEXT ? (double) NAN : field->number (context, node);

  if (field->kind == GOBAN_FIELD_TEXT)
    append (text, word != NULL ? word : "");
  else if (isfinite (number))
    g_string_append (text, goban_format_double (buffer, number));
}

/* A heading and a line per node. @nodes: (nullable): all. @append: quotes a text. */
static char *
to_text (const GobanNodeContext *context, const GPtrArray *fields, const GobanNodeId *nodes,
         guint n, char separator, const char *end, void (*append) (GString *, const char *))
{
  GString *text = g_string_new (NULL);

  for (guint r = 0; r <= n; r++)
    {
      for (guint f = 0; f < fields->len; f++)
        {
          if (f > 0)
            g_string_append_c (text, separator);
          if (r == 0)
            append_heading (text, fields->pdata[f]);
          else
            append_value (text, context, fields->pdata[f], nodes != NULL ? nodes[r - 1] : r - 1,
                          append);
        }
      g_string_append (text, end);
    }
  return g_string_free (text, FALSE);
}

char *
goban_node_list_to_tsv (const GobanNodeContext *context, const char *const *fields,
                        const GobanNodeId *nodes, guint n)
{
  g_autoptr (GPtrArray) columns = g_ptr_array_new ();

  for (guint i = 0; fields[i] != NULL; i++)
    {
      const GobanNodeField *field
          = goban_node_field_find (fields[i], NULL); /* callers pass valid names */

      g_return_val_if_fail (field != NULL, NULL);
      g_ptr_array_add (columns, (gpointer) field);
    }
  return to_text (context, columns, nodes, n, '\t', "\n", append_text);
}

/* --- CSV -------------------------------------------------------------------------------------- */

gboolean
goban_node_csv_is_path (const char *path)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);

  return g_str_has_suffix (lower, ".csv");
}

char *
goban_node_csv_to_text (const GobanNodeContext *context, const GobanNodeId *nodes, guint n)
{
  g_autoptr (GPtrArray) known = g_ptr_array_new ();
  gsize n_fields;
  const GobanNodeField *all = goban_node_field_table (&n_fields);

  for (gsize i = 0; i < n_fields; i++)
    if (goban_node_field_is_known (&all[i], context)
        && !(all[i].is_rank && g_str_equal (all[i].name, "priority"))) /* prio has another name */
      g_ptr_array_add (known, (gpointer) &all[i]);
  if (nodes == NULL)
    n = goban_graph_get_n_nodes (goban_cost_model_get_graph (context->costs));
  return to_text (context, known, nodes, n, ',', "\r\n", goban_csv_append_text);
}
