#include "engine/study/analysis/coloring.h"

#include "engine/core/error.h"

gboolean
goban_color_check (const char *color, GError **error)
{
  static const char *const plain[] = { "device", "op", "script", NULL };
  const GobanNodeField *fields;
  g_autoptr (GString) known = NULL;
  gsize n;

  if (g_strv_contains (plain, color))
    return TRUE;

  fields = goban_node_field_table (&n);
  known = g_string_new ("device, op");
  for (gsize i = 0; i < n; i++)
    {
      if (fields[i].kind == GOBAN_FIELD_TEXT)
        continue;
      if (g_str_equal (fields[i].name, color))
        return TRUE;
      g_string_append_printf (known, ", %s", fields[i].name);
    }
  return goban_refuse (error, GOBAN_ERROR_INVALID, "there is no colouring “%s”; there are: %s",
                       color, known->str);
}

GobanNodeValues *
goban_color_get_values (const char *color, const GobanNodeContext *context)
{
  const GobanNodeField *field = goban_node_field_find (color, NULL); /* or none: op, script */

  if (field == NULL || field->kind == GOBAN_FIELD_TEXT
      || !goban_node_field_is_known (field, context))
    return NULL;

  return goban_node_values_get (field, context);
}

gboolean
goban_color_find_values (const char *color, const GobanNodeContext *context,
                         GobanNodeValues **values, GError **error)
{
  const GobanNodeField *field = goban_node_field_find (color, NULL); /* or none: op, script */

  *values = goban_color_get_values (color, context);
  if (*values != NULL || field == NULL || field->kind == GOBAN_FIELD_TEXT || field->is_rank)
    return TRUE;

  if (field->needs_run && context->run == NULL)
    goban_set_error (error, GOBAN_ERROR_INVALID, "%s requires a plan", color);
  else
    goban_set_error (error, GOBAN_ERROR_INVALID, "%s is unknown for all nodes", color);
  return FALSE;
}
