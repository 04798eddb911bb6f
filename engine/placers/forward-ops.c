#include "engine/placers/forward-ops.h"

#include <string.h>

#define GRADIENT_SUFFIX "_grad/"

const char *
goban_forward_name (const char *name)
{
  static const char *const prefixes[] = { "gradients/", "optimizer/", "grad/", "update/" };
  gboolean again = TRUE;

  while (again)
    {
      again = FALSE;
      for (gsize i = 0; i < G_N_ELEMENTS (prefixes); i++)
        if (g_str_has_prefix (name, prefixes[i]))
          {
            name += strlen (prefixes[i]);
            again = TRUE;
          }
    }
  return name;
}

GobanNodeId
goban_forward_namesake (const GobanGraph *graph, GobanNodeId node)
{
  const GobanNode *gradient = goban_graph_get_node (graph, node);
  const char *forward = goban_forward_name (gradient->name);
  const char *end = strstr (forward, GRADIENT_SUFFIX);
  g_autofree char *name = NULL;
  GobanNodeId namesake;

  if (gradient->phase != GOBAN_PHASE_BACKWARD || forward == gradient->name)
    return GOBAN_NO_NODE;
  if (end == NULL && g_str_has_prefix (gradient->name, "gradients/"))
    return GOBAN_NO_NODE;

  name = end != NULL ? g_strndup (forward, (gsize) (end - forward)) : g_strdup (forward);
  namesake = goban_graph_find_node (graph, name);
  if (namesake != GOBAN_NO_NODE
      && goban_graph_get_node (graph, namesake)->phase != GOBAN_PHASE_FORWARD)
    return GOBAN_NO_NODE;
  return namesake;
}
