#include "engine/graph/workloads/coarse.h"

#include "engine/graph/quotient.h"

#include <string.h>

/* Above this number, a node is a part and not a layer, for readability. */
#define MAX_NODES 99

/* The phases' scopes, as tape.h names them. */
static const char *const phase_scopes[] = { "", "gradients/", "optimizer/" };

/* The part of a name after its phase: the forward scope. */
static const char *
skip_phase (const char *name)
{
  for (gsize i = 1; i < G_N_ELEMENTS (phase_scopes); i++)
    if (g_str_has_prefix (name, phase_scopes[i]))
      return name + strlen (phase_scopes[i]);
  return name;
}

/* "layer_3", "mixed_5b": a scope with a number, and no op's gradient. */
static gboolean
is_layer (const char *text, gsize length)
{
  const char *underscore = memchr (text, '_', length);

  if (length > 5 && strncmp (text + length - 5, "_grad", 5) == 0)
    return FALSE;
  return underscore != NULL && underscore + 1 < text + length && g_ascii_isdigit (underscore[1]);
}

static gboolean
is_repetition (const char *text)
{
  return g_str_has_prefix (text, "step_") || g_str_has_prefix (text, "segment_");
}

/* How much of a forward scope names PART/LAYER: the second component is a layer if it has a number,
 * or is repeated in time. */
static gsize
layer_length (const char *scope, gboolean *is_part_only)
{
  gsize part = strcspn (scope, "/");
  gsize second;

  *is_part_only = TRUE;
  if (scope[part] == '\0' || is_repetition (scope + part + 1))
    return part;
  second = strcspn (scope + part + 1, "/");
  if (scope[part + 1 + second] == '\0')
    return part;
  if (!is_layer (scope + part + 1, second) && !is_repetition (scope + part + 1 + second + 1))
    return part;
  *is_part_only = FALSE;
  return part + 1 + second;
}

/* The existing scopes of two components: so that a layer's nodes outside its steps are in it
 * too. */
static GHashTable *
find_layers (const GobanGraph *graph)
{
  GHashTable *layers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const char *scope = skip_phase (goban_graph_get_node (graph, v)->name);
      gboolean is_part_only;
      gsize length = layer_length (scope, &is_part_only);

      if (!is_part_only)
        g_hash_table_add (layers, g_strndup (scope, length));
    }
  return layers;
}

/* The name of the coarse node that a node goes into. */
static char *
name_group (const GobanNode *node, GHashTable *layers)
{
  const char *scope = skip_phase (node->name);
  gsize part = strcspn (scope, "/");
  gsize both = scope[part] == '/' ? part + 1 + strcspn (scope + part + 1, "/") : part;
  g_autofree char *layer = g_strndup (scope, both);

  return g_strdup_printf ("%s%.*s", phase_scopes[node->phase],
                          (int) (g_hash_table_contains (layers, layer) ? both : part), scope);
}

/* groups (n_nodes): numbered as they are met. Returns: their names. */
static GPtrArray *
number_groups (const GobanGraph *graph, GHashTable *layers, guint32 *groups)
{
  g_autoptr (GHashTable) numbers = g_hash_table_new (g_str_hash, g_str_equal);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      g_autofree char *name = name_group (goban_graph_get_node (graph, v), layers);
      gpointer number;

      if (!g_hash_table_lookup_extended (numbers, name, NULL, &number))
        {
          number = GUINT_TO_POINTER (names->len);
          g_hash_table_insert (numbers, name, number);
          g_ptr_array_add (names, g_steal_pointer (&name));
        }
      groups[v] = GPOINTER_TO_UINT (number);
    }
  return names;
}

GobanGraph *
workload_coarsen (const GobanGraph *graph, GError **error)
{
  g_autoptr (GHashTable) layers = find_layers (graph);
  g_autofree guint32 *groups = g_new (guint32, goban_graph_get_n_nodes (graph));
  g_autoptr (GPtrArray) names = number_groups (graph, layers, groups);

  if (names->len > MAX_NODES)
    {
      g_hash_table_remove_all (layers);
      g_ptr_array_unref (names);
      names = number_groups (graph, layers, groups);
    }
  return goban_graph_quotient (graph,
                               &(GobanQuotient){ .name = goban_graph_get_name (graph),
                                                 .groups = groups,
                                                 .names = (const char *const *) names->pdata,
                                                 .n_groups = names->len },
                               error);
}
