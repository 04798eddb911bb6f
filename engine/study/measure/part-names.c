#include "engine/study/measure/part-names.h"

#include <string.h>

/* Not that of any node in a body, whose times are in the profile, too. */
#define NODE_PREFIX "goban-node-"

char *
goban_part_dup_node_name (GobanNodeId node)
{
  return g_strdup_printf (NODE_PREFIX "%u", node);
}

char *
goban_part_rename_nodes (const GobanGraph *graph, const char *text)
{
  GString *result = g_string_new (NULL);
  const char *found;

  while ((found = strstr (text, NODE_PREFIX)) != NULL)
    {
      const char *end = found + strlen (NODE_PREFIX);
      g_autofree char *name = NULL;
      GobanNodeId node;

      end += strspn (end, "0123456789");
      name = g_strndup (found, (gsize) (end - found));
      node = goban_part_find_node (graph, name);
      g_string_append_len (result, text, found - text);
      g_string_append (result,
                       node != GOBAN_NO_NODE ? goban_graph_get_node (graph, node)->name : name);
      text = end;
    }
  g_string_append (result, text);
  return g_string_free (result, FALSE);
}

GobanNodeId
goban_part_find_node (const GobanGraph *graph, const char *name)
{
  guint64 number;

  if (!g_str_has_prefix (name, NODE_PREFIX)
      || !g_ascii_string_to_unsigned (name + strlen (NODE_PREFIX), 10, 0, G_MAXUINT32 - 1, &number,
                                      NULL)
      || number >= goban_graph_get_n_nodes (graph))
    return GOBAN_NO_NODE;
  return (GobanNodeId) number;
}
