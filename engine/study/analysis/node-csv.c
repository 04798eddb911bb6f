#include "engine/study/analysis/node-csv.h"

#include "engine/core/csv-text.h"
#include "engine/core/quantity.h"

#include <math.h>

gboolean
goban_node_csv_is_path (const char *path)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);

  return g_str_has_suffix (lower, ".csv");
}

/* Unknown values are empty. */
static void
append_value (GString *csv, const GobanNodeField *field, const GobanNodeContext *context,
              GobanNodeId node)
{
  char number[GOBAN_QUANTITY_LEN];
  double value;

  if (field->kind == GOBAN_FIELD_TEXT)
    {
      const char *text = field->text (context, node);

      goban_csv_append_text (csv, text != NULL ? text : "");
      return;
    }
  value = field->number (context, node);
  if (isfinite (value))
    g_string_append (csv, goban_format_double (number, value));
}

/* (transfer container) (element-type GobanNodeField) */
static GPtrArray *
find_fields (const GobanNodeContext *context)
{
  GPtrArray *known = g_ptr_array_new ();
  gsize n;
  const GobanNodeField *all = goban_node_field_table (&n);

  for (gsize i = 0; i < n; i++)
    if (goban_node_field_is_known (&all[i], context)
        && !(all[i].is_rank && g_str_equal (all[i].name, "priority"))) /* prio has another name */
      g_ptr_array_add (known, (gpointer) &all[i]);
  return known;
}

char *
goban_node_csv_to_text (const GobanNodeContext *context, const GobanNodeId *nodes, guint n)
{
  g_autoptr (GPtrArray) fields = find_fields (context);
  GString *csv = g_string_new (NULL);

  if (nodes == NULL)
    n = goban_graph_get_n_nodes (goban_cost_model_get_graph (context->costs));
  for (guint f = 0; f < fields->len; f++)
    {
      if (f > 0)
        g_string_append_c (csv, ',');
      goban_node_field_append_heading (fields->pdata[f], csv);
    }
  g_string_append (csv, "\r\n");
  for (guint i = 0; i < n; i++)
    {
      for (guint f = 0; f < fields->len; f++)
        {
          if (f > 0)
            g_string_append_c (csv, ',');
          append_value (csv, fields->pdata[f], context, nodes != NULL ? nodes[i] : i);
        }
      g_string_append (csv, "\r\n");
    }
  return g_string_free (csv, FALSE);
}
