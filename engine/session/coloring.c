#include "engine/session/coloring.h"

#include "engine/base/error.h"

/* The values of so many nodes are made in no time. */
#define FEW_NODES 2000

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
  goban_set_error (error, GOBAN_ERROR_INVALID, "there is no colouring “%s”; there are: %s", color,
                   known->str);
  return FALSE;
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

GobanNodeValues *
goban_session_dup_color_values (GobanSession *session)
{
  GobanView *view = goban_session_get_view (session);
  GobanGraph *graph = goban_session_get_graph (session);
  GobanNodeValues *script = goban_view_get_script_values (view);
  GobanNodeContext context
      = { goban_session_get_costs (session), goban_session_get_shown_run (session) };

  if (graph == NULL)
    return NULL;
  if (!g_str_equal (goban_view_get_color (view), "script"))
    return goban_color_get_values (goban_view_get_color (view), &context);
  if (script == NULL || script->n_nodes != goban_graph_get_n_nodes (graph))
    return NULL;

  return goban_node_values_ref (script);
}

gboolean
goban_session_has_color_values (GobanSession *session)
{
  const char *color = goban_view_get_color (goban_session_get_view (session));
  const GobanNodeField *field = goban_node_field_find (color, NULL); /* or none: op, script */
  GobanGraph *graph = goban_session_get_graph (session);
  GobanRun *run = goban_session_get_shown_run (session);

  return graph == NULL || run == NULL || goban_graph_get_n_nodes (graph) <= FEW_NODES
         || field == NULL || field->kind == GOBAN_FIELD_TEXT
         || goban_node_values_are_kept (field, run);
}
