#include "engine/graph/quotient.h"

#include "engine/core/disjoint.h"
#include "engine/graph/collectives.h"
#include "engine/graph/components.h"
#include "engine/graph/graph-builder.h"

#include <string.h>

#define NO_HOLDER G_MAXUINT32

/* --- cycles ----------------------------------------------------------------------------------- */

/* Edges between groups, sorted by tail: group g's heads are heads[offsets[g]] .. */
typedef struct
{
  guint n;
  guint32 *offsets;
  guint32 *heads;
} Adjacency;

static Adjacency
make_adjacency (const GobanGraph *graph, const guint32 *groups, guint n_groups)
{
  guint n_edges = goban_graph_get_n_edges (graph);
  Adjacency adjacency
      = { n_groups, g_new0 (guint32, n_groups + 1), g_new (guint32, MAX (n_edges, 1)) };
  g_autofree guint32 *next = NULL;

  for (GobanEdgeId e = 0; e < n_edges; e++)
    adjacency.offsets[groups[goban_graph_get_edge (graph, e)->tail] + 1]++;
  for (guint g = 0; g < n_groups; g++)
    adjacency.offsets[g + 1] += adjacency.offsets[g];
  next = g_memdup2 (adjacency.offsets, n_groups * sizeof *next);
  for (GobanEdgeId e = 0; e < n_edges; e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, e);

      adjacency.heads[next[groups[edge->tail]]++] = groups[edge->head];
    }
  return adjacency;
}

/* component (n_groups): equal for groups on one cycle. Returns: how many there are. */
static guint
find_components (const GobanGraph *graph, const GobanQuotient *quotient, guint32 *component)
{
  guint n = quotient->n_groups;
  Adjacency adjacency = make_adjacency (graph, quotient->groups, n);
  guint n_components
      = goban_find_components (n, adjacency.offsets, adjacency.heads, NULL, component);

  g_free (adjacency.offsets);
  g_free (adjacency.heads);
  return n_components;
}

/* --- names ------------------------------------------------------------------------------------ */

static gboolean
is_inside (const char *name, const char *scope)
{
  return g_str_has_prefix (name, scope) && name[strlen (scope)] == '/';
}

/* "scope/a" and "scope/b" become "scope/a+b"; a scope stands for everything inside it. */
static char *
join_names (const char *name, const char *more)
{
  gsize scope = 0;

  if (is_inside (more, name))
    return g_strdup (name);
  if (is_inside (name, more))
    return g_strdup (more);
  for (gsize i = 0; name[i] != '\0' && name[i] == more[i]; i++)
    if (name[i] == '/')
      scope = i + 1;
  return g_strconcat (name, "+", more + scope, NULL);
}

/* names (n_components), the names of members in the order of groups. */
static char **
name_components (const GobanQuotient *quotient, const guint32 *component, guint n_components)
{
  char **names = g_new0 (char *, n_components + 1);

  for (guint g = 0; g < quotient->n_groups; g++)
    {
      char **name = &names[component[g]];
      char *joined
          = *name != NULL ? join_names (*name, quotient->names[g]) : g_strdup (quotient->names[g]);

      g_free (*name);
      *name = joined;
    }
  return names;
}

/* --- nodes ------------------------------------------------------------------------------------ */

typedef struct
{
  const GobanGraph *graph;
  GobanGraphBuilder *builder;
  guint32 *part_of; /* (n_nodes): the builder's node that each went into */
  guint32 *cost_of; /* (n_nodes): the one that has its costs */
} Contraction;

/* Adds nodes in the order of their first members. */
static void
add_nodes (Contraction *self, const GobanQuotient *quotient, const guint32 *component, char **names)
{
  const guint32 *groups = quotient->groups;
  const guint32 *cost_groups
      = quotient->cost_groups != NULL ? quotient->cost_groups : quotient->groups;

  guint n_nodes = goban_graph_get_n_nodes (self->graph);
  guint n_components = g_strv_length (names);
  g_autofree guint32 *id_of = g_new (guint32, n_components);
  g_autofree GobanNodeId *heaviest = g_new (GobanNodeId, n_components);
  g_autofree GobanNodeId *first = g_new (GobanNodeId, n_components);
  guint n_added = 0;

  for (guint c = 0; c < n_components; c++)
    first[c] = GOBAN_NO_NODE;
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      guint32 c = component[groups[v]];

      if (first[c] == GOBAN_NO_NODE)
        first[c] = heaviest[c] = v;
      else if (goban_graph_get_node (self->graph, v)->flops
               > goban_graph_get_node (self->graph, heaviest[c])->flops)
        heaviest[c] = v;
    }
  for (GobanNodeId v = 0; v < n_nodes && n_added < n_components; v++)
    {
      guint32 c = component[groups[v]];

      if (first[c] != v)
        continue;
      id_of[c] = goban_graph_builder_add_node (self->builder, names[c],
                                               goban_graph_get_node (self->graph, heaviest[c])->op);
      goban_graph_builder_get_node (self->builder, id_of[c])->phase
          = goban_graph_get_node (self->graph, v)->phase;
      n_added++;
    }
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      self->part_of[v] = id_of[component[groups[v]]];
      self->cost_of[v] = id_of[component[cost_groups[v]]];
    }
}

/* Nodes that hold members of one colocation group are colocated. */
static void
colocate (Contraction *self)
{
  guint n = goban_graph_builder_get_n_nodes (self->builder);
  guint n_groups = goban_graph_get_n_groups (self->graph);
  g_autofree guint32 *parent = goban_disjoint_new (n);
  g_autofree guint32 *holder = g_new (guint32, MAX (n_groups, 1));
  g_autofree guint *n_members = g_new0 (guint, n);

  for (guint g = 0; g < n_groups; g++)
    holder[g] = NO_HOLDER;
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    {
      guint32 group = goban_graph_get_node (self->graph, v)->group;
      guint32 root = goban_disjoint_find (parent, self->part_of[v]);

      if (group == GOBAN_NO_GROUP)
        continue;
      if (holder[group] != NO_HOLDER)
        parent[root] = goban_disjoint_find (parent, holder[group]);
      holder[group] = root;
    }
  for (guint32 v = 0; v < n; v++)
    n_members[goban_disjoint_find (parent, v)]++;
  for (guint32 v = 0; v < n; v++)
    if (n_members[goban_disjoint_find (parent, v)] > 1)
      goban_graph_builder_set_group (self->builder, v, goban_disjoint_find (parent, v));
}

/* --- tensors -------------------------------------------------------------------------------- */

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  guint32 x = *(const guint32 *) a;
  guint32 y = *(const guint32 *) b;

  return (x > y) - (x < y);
}

/* key: the producer, then its readers in order, each once; empty if it is not read outside. */
static void
list_readers (Contraction *self, GobanTensorId t, GArray *key)
{
  guint32 producer = self->part_of[goban_graph_get_tensor (self->graph, t)->producer];
  GobanEdgeSpan edges = goban_graph_get_tensor_edges (self->graph, t);
  guint n = 1;

  g_array_set_size (key, 0);
  g_array_append_val (key, producer);
  for (guint i = 0; i < edges.n; i++)
    {
      guint32 head = self->part_of[goban_graph_get_edge (self->graph, edges.ids[i])->head];

      if (head != producer)
        g_array_append_val (key, head);
    }
  if (key->len == 1)
    {
      g_array_set_size (key, 0);
      return;
    }
  qsort (&g_array_index (key, guint32, 1), key->len - 1, sizeof (guint32), compare_ids);
  for (guint i = 1; i < key->len; i++)
    if (i == 1 || g_array_index (key, guint32, i) != g_array_index (key, guint32, i - 1))
      g_array_index (key, guint32, n++) = g_array_index (key, guint32, i);
  g_array_set_size (key, n);
}

static void
keep_collectives (Contraction *self)
{
  guint n;
  const GobanNodeCollective *collectives = goban_graph_get_collectives (self->graph, &n);
  g_autofree guint *n_members = g_new0 (guint, goban_graph_builder_get_n_nodes (self->builder) + 1);

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graph) && n > 0; v++)
    n_members[self->part_of[v]]++;
  for (guint i = 0; i < n; i++)
    {
      GobanNodeCollective collective = collectives[i];

      collective.node = self->part_of[collective.node];
      if (n_members[collective.node] == 1)
        goban_graph_builder_set_collective (self->builder, collective);
    }
}

/* Types that devices compute faster than the usual f32, which therefore must not be lost. */
static gboolean
is_narrow (const char *dtype)
{
  static const char *const types[] = { "f16", "bf16", "f8", "s8", "u8" };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (g_str_has_prefix (dtype, types[i]))
      return TRUE;
  return FALSE;
}

/* Tensors of one key are one; merged maps a key to the builder's tensor, sizes adds them up. */
static void
add_tensor (Contraction *self, GobanTensorId t, const GArray *key, GHashTable *merged,
            GArray *sizes)
{
  static const gint64 unknown = -1;
  const GobanTensor *tensor = goban_graph_get_tensor (self->graph, t);
  g_autoptr (GBytes) bytes = g_bytes_new (key->data, key->len * sizeof (guint32));
  gpointer found;
  guint32 id;

  if (!g_hash_table_lookup_extended (merged, bytes, NULL, &found))
    {
      double none = 0;

      id = goban_graph_builder_add_tensor (self->builder, g_array_index (key, guint32, 0), 0);
      for (guint i = 1; i < key->len; i++)
        goban_graph_builder_add_edge (self->builder, id, g_array_index (key, guint32, i));
      g_hash_table_insert (merged, g_bytes_ref (bytes), GUINT_TO_POINTER (id));
      g_array_append_val (sizes, none);
      found = GUINT_TO_POINTER (id);
    }
  id = GPOINTER_TO_UINT (found);
  g_array_index (sizes, double, id) += tensor->size_bytes;
  goban_graph_builder_set_tensor_size (self->builder, id, g_array_index (sizes, double, id));
  if (is_narrow (tensor->dtype))
    goban_graph_builder_set_tensor_shape (self->builder, id, tensor->dtype, &unknown, 1);
}

static void
add_tensors (Contraction *self)
{
  g_autoptr (GHashTable) merged
      = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) key = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (self->graph); t++)
    {
      list_readers (self, t, key);
      if (key->len > 0)
        add_tensor (self, t, key, merged, sizes);
    }
}

GobanGraph *
goban_graph_quotient (const GobanGraph *graph, const GobanQuotient *quotient, GError **error)
{
  g_autoptr (GobanGraphBuilder) builder
      = goban_graph_builder_new (quotient->name, goban_graph_get_format (graph));
  g_autofree guint32 *component = g_new (guint32, MAX (quotient->n_groups, 1));
  g_autofree guint32 *part_of = g_new (guint32, MAX (goban_graph_get_n_nodes (graph), 1));
  g_autofree guint32 *cost_of = g_new (guint32, MAX (goban_graph_get_n_nodes (graph), 1));
  guint n_components = find_components (graph, quotient, component);
  g_auto (GStrv) names = name_components (quotient, component, n_components);
  Contraction self = { graph, builder, part_of, cost_of };

  add_nodes (&self, quotient, component, names);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self.graph); v++)
    {
      const GobanNode *node = goban_graph_get_node (self.graph, v);
      GobanNode *sum = goban_graph_builder_get_node (self.builder, cost_of[v]);

      sum->flops += node->flops;
      sum->macs += node->macs;
      sum->read_bytes += node->read_bytes;
      sum->written_bytes += node->written_bytes;
      sum = goban_graph_builder_get_node (self.builder, part_of[v]);
      sum->param_bytes += node->param_bytes;
      sum->param_count += node->param_count;
      sum->size_source = MAX (sum->size_source, node->size_source);
    }

  colocate (&self);
  keep_collectives (&self);
  add_tensors (&self);
  return goban_graph_builder_finish (builder, NULL, error);
}
