#include "engine/study/analysis/scopes.h"

#include <string.h>

/* In place of a depth: the op's type is the group. */
#define BY_OP 0

gsize
goban_scopes_get_prefix_length (const char *name, guint depth)
{
  const char *end = name;

  while (depth > 0 && *end != '\0')
    {
      const char *slash = strchr (*end == '/' ? end + 1 : end, '/');

      end = slash != NULL ? slash : end + strlen (end);
      depth--;
    }
  return end - name;
}

static guint
count_parts (const char *name)
{
  guint n = 1;

  for (; *name != '\0'; name++)
    n += *name == '/';
  return n;
}

/* Sorts the nodes into groups; gives up, with FALSE, beyond @n_max of them. */
static gboolean
sort_into (GobanScopes *self, GobanGraph *graph, const GobanNodeId *ids, guint n, guint depth,
           guint n_max)
{
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < n; i++)
    {
      const GobanNode *node = goban_graph_get_node (graph, ids[i]);
      g_autofree char *label
          = depth == BY_OP
                ? g_strdup (node->op)
                : g_strndup (node->name, goban_scopes_get_prefix_length (node->name, depth));
      gpointer place;
      guint none = 0;

      if (!g_hash_table_lookup_extended (places, label, NULL, &place))
        {
          if (names->len == n_max)
            return FALSE;
          place = GUINT_TO_POINTER (names->len);
          g_ptr_array_add (names, g_strdup (label));
          g_array_append_val (sizes, none);
          g_hash_table_insert (places, g_steal_pointer (&label), place);
        }
      self->of[i] = GPOINTER_TO_UINT (place);
      g_array_index (sizes, guint, self->of[i])++;
    }

  g_strfreev (self->names);
  g_free (self->sizes);
  self->n_scopes = names->len;
  g_ptr_array_add (names, NULL);
  self->names = (char **) g_ptr_array_free (g_steal_pointer (&names), FALSE);
  self->sizes = (guint *) (void *) g_array_free (g_steal_pointer (&sizes), FALSE);
  return TRUE;
}

/* More parts never give fewer groups, so the first depth with enough is the one, if any is. */
static void
choose_depth (GobanScopes *self, GobanGraph *graph, const GobanNodeId *ids, guint n)
{
  guint deepest = 1;

  for (guint i = 0; i < n; i++)
    deepest = MAX (deepest, count_parts (goban_graph_get_node (graph, ids[i])->name));

  for (guint depth = 1; depth <= deepest; depth++)
    {
      if (!sort_into (self, graph, ids, n, depth, GOBAN_SCOPES_MANY))
        {
          sort_into (self, graph, ids, n, BY_OP, n);
          return;
        }
      if (self->n_scopes >= GOBAN_SCOPES_FEW)
        return;
    }
}

GobanScopes *
goban_scopes_new (GobanGraph *graph, const GobanNodeId *ids, guint n, guint depth)
{
  GobanScopes *self = g_new0 (GobanScopes, 1);

  self->of = g_new0 (guint, n + 1);
  if (depth > 0)
    sort_into (self, graph, ids, n, depth, n);
  else
    choose_depth (self, graph, ids, n);
  return self;
}

void
goban_scopes_free (GobanScopes *self)
{
  g_strfreev (self->names);
  g_free (self->sizes);
  g_free (self->of);
  g_free (self);
}
