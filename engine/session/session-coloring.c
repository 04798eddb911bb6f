#include "engine/session/session-coloring.h"

#include "engine/study/analysis/coloring.h"

/* The values of so few nodes are computed at once. */
#define FEW_NODES 2000

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
