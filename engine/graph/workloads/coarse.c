#include "engine/graph/workloads/coarse.h"

#include <string.h>

#include "engine/graph/collectives.h"
#include "engine/graph/quotient.h"

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

/* --- layers --------------------------------------------------------------- */

/* FLOPs a byte from which on a product is taken to be bound by arithmetic, as it is on accelerators
 * of 16-bit numbers. */
#define RIDGE 200.0

#define NO_LEVEL G_MAXUINT32

/* Parts of a segment, which is what one layer and phase does between two collectives; none leads to
 * an earlier one. */
enum
{
  PART_FIRST,  /* products that nothing elementwise leads to */
  PART_MOVING, /* what moves memory, up to the next product */
  PART_REST,
};

typedef struct
{
  const GobanGraph *graph;
  GHashTable *numbers;    /* char * to a number and 1 */
  GPtrArray *names;       /* (element-type utf8): of groups */
  gboolean *is_weight;    /* (n_nodes): makes gradients of weights alone */
  guint32 *scopes;        /* (n_nodes): equal for a layer and phase, or a collective's own */
  guint32 *levels;        /* (n_nodes): how many other scopes lie before it */
  guint32 *segments;      /* (n_nodes) */
  guint8 *parts;          /* (n_nodes) */
  guint32 *groups;        /* (n_nodes) */
  guint32 *cost_groups;   /* (n_nodes) */
  gboolean *has_products; /* (n_segments): in their first part */
} Layers;

static guint32
number_of (GHashTable *numbers, const char *name)
{
  guint32 number = GPOINTER_TO_UINT (g_hash_table_lookup (numbers, name));

  if (number == 0)
    {
      number = g_hash_table_size (numbers) + 1;
      g_hash_table_insert (numbers, g_strdup (name), GUINT_TO_POINTER (number));
    }
  return number - 1;
}

static const GobanNode *
get_node (const Layers *self, GobanNodeId v)
{
  return goban_graph_get_node (self->graph, v);
}

static gboolean
is_collective (const Layers *self, GobanNodeId v)
{
  return goban_graph_find_collective (self->graph, v) != NULL;
}

static gboolean
is_product (const GobanNode *node)
{
  return node->macs > 0 && node->flops >= RIDGE * (node->read_bytes + node->written_bytes);
}

/* "layer_3", "gradients/layer_3", "optimizer/layer_3": a phase and a layer. */
static char *
name_scope (const GobanNode *node)
{
  const char *slash = strchr (node->name, '/');

  if (node->phase != GOBAN_PHASE_FORWARD)
    slash = strchr (slash + 1, '/');
  return g_strndup (node->name, (gsize) (slash - node->name));
}

/* --- segments --------------------------------------------------------------------------------- */

/* Nodes whose readers are updates, or add such gradients up. */
static void
find_weight_gradients (Layers *self)
{
  for (GobanNodeId v = goban_graph_get_n_nodes (self->graph); v-- > 0;)
    {
      GobanEdgeSpan out = goban_graph_get_out_edges (self->graph, v);

      self->is_weight[v] = get_node (self, v)->phase == GOBAN_PHASE_BACKWARD && out.n > 0
                           && !is_collective (self, v);
      for (guint i = 0; i < out.n; i++)
        {
          GobanNodeId head = goban_graph_get_edge (self->graph, out.ids[i])->head;

          self->is_weight[v]
              &= get_node (self, head)->phase == GOBAN_PHASE_UPDATE
                 || (self->is_weight[head] && strcmp (get_node (self, head)->op, "AddN") == 0);
        }
    }
}

/* Edges between scopes lead to higher levels: two of one scope and level are on no cycle with
 * others. Weights and constants, which nothing leads to, are on that of the first of their readers.
 * Gradients of weights and updates need no levels, for no way leads back from them. */
static void
find_levels (Layers *self)
{
  guint n_edges = goban_graph_get_n_edges (self->graph);
  g_autoptr (GHashTable) numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    {
      const GobanNode *node = get_node (self, v);
      g_autofree char *scope = is_collective (self, v) ? g_strdup (node->name) : name_scope (node);
      GobanEdgeSpan in = goban_graph_get_in_edges (self->graph, v);
      guint32 level = node->written_bytes > 0 ? n_edges : NO_LEVEL;

      self->scopes[v] = number_of (numbers, scope);
      for (guint i = 0; i < in.n; i++)
        {
          GobanNodeId tail = goban_graph_get_edge (self->graph, in.ids[i])->tail;
          guint32 next = self->levels[tail] + (self->scopes[tail] != self->scopes[v]);

          if (self->levels[tail] != NO_LEVEL)
            level = level == NO_LEVEL ? next : MAX (level, next);
        }
      self->levels[v] = level;
    }
  for (GobanNodeId v = goban_graph_get_n_nodes (self->graph); v-- > 0;)
    {
      GobanEdgeSpan out = goban_graph_get_out_edges (self->graph, v);
      gboolean is_source = self->levels[v] == NO_LEVEL;

      for (guint i = 0; i < out.n && is_source; i++)
        {
          GobanNodeId head = goban_graph_get_edge (self->graph, out.ids[i])->head;

          self->levels[v]
              = MIN (self->levels[v], self->levels[head] - (self->scopes[head] != self->scopes[v]));
        }
    }
}

static guint
find_segments (Layers *self)
{
  g_autoptr (GHashTable) numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    {
      gboolean is_end = self->is_weight[v] || get_node (self, v)->phase == GOBAN_PHASE_UPDATE;
      g_autofree char *key = g_strdup_printf ("%u %d %u", self->scopes[v], self->is_weight[v],
                                              is_end ? 0 : self->levels[v]);

      self->segments[v] = number_of (numbers, key);
    }
  return g_hash_table_size (numbers);
}

/* --- parts ------------------------------------------------------------------------------------ */

static void
find_parts (Layers *self)
{
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    {
      const GobanNode *node = get_node (self, v);
      GobanEdgeSpan in = goban_graph_get_in_edges (self->graph, v);

      self->parts[v] = PART_FIRST;
      for (guint i = 0; i < in.n; i++)
        {
          GobanNodeId tail = goban_graph_get_edge (self->graph, in.ids[i])->tail;

          if (self->segments[tail] == self->segments[v])
            self->parts[v] = MAX (self->parts[v], self->parts[tail]);
        }
      if (is_product (node))
        {
          self->has_products[self->segments[v]] |= self->parts[v] == PART_FIRST;
          if (self->parts[v] == PART_MOVING)
            self->parts[v] = PART_REST;
        }
      else if (self->parts[v] == PART_FIRST && node->read_bytes + node->written_bytes > 0)
        self->parts[v] = PART_MOVING;
    }
}

/* --- groups ----------------------------------------------------------------------------------- */

static guint32
number_group (Layers *self, GobanNodeId v, guint8 part)
{
  g_autofree char *scope = name_scope (get_node (self, v));
  g_autofree char *name = NULL;
  g_autofree char *key = NULL;
  guint32 number;

  if (part == PART_FIRST && !self->has_products[self->segments[v]])
    part = PART_MOVING;
  if (is_collective (self, v))
    name = g_strdup (get_node (self, v)->name);
  else
    name = g_strconcat (scope, self->is_weight[v] ? "/weights/" : "/",
                        part == PART_MOVING ? "elementwise" : "products", NULL);
  key = g_strdup_printf ("%u %u", self->segments[v], part);
  number = number_of (self->numbers, key);
  if (number == self->names->len)
    g_ptr_array_add (self->names, g_steal_pointer (&name));
  return number;
}

/* All that moves memory is counted in the part that begins to, wherever it is, so that the times
 * of products, bound by arithmetic, and of the rest add up to those of the ops. */
static void
find_groups (Layers *self)
{
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    {
      self->groups[v] = number_group (self, v, self->parts[v]);
      self->cost_groups[v] = is_product (get_node (self, v)) || self->parts[v] == PART_FIRST
                                 ? self->groups[v]
                                 : number_group (self, v, PART_MOVING);
    }
}

GobanGraph *
workload_coarsen_layers (const GobanGraph *graph, GError **error)
{
  guint n = goban_graph_get_n_nodes (graph);
  g_autoptr (GHashTable) numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree gboolean *is_weight = g_new (gboolean, n);
  g_autofree guint32 *numbers_of_nodes = g_new (guint32, 5 * (gsize) n);
  g_autofree guint8 *parts = g_new (guint8, n);
  g_autofree gboolean *has_products = NULL;
  Layers self = {
    .graph = graph,
    .numbers = numbers,
    .names = names,
    .is_weight = is_weight,
    .scopes = numbers_of_nodes,
    .levels = numbers_of_nodes + n,
    .segments = numbers_of_nodes + 2 * (gsize) n,
    .groups = numbers_of_nodes + 3 * (gsize) n,
    .cost_groups = numbers_of_nodes + 4 * (gsize) n,
    .parts = parts,
  };

  find_weight_gradients (&self);
  find_levels (&self);
  has_products = g_new0 (gboolean, find_segments (&self));
  self.has_products = has_products;
  find_parts (&self);
  find_groups (&self);
  return goban_graph_quotient (graph,
                               &(GobanQuotient){ .name = goban_graph_get_name (graph),
                                                 .groups = self.groups,
                                                 .cost_groups = self.cost_groups,
                                                 .names = (const char *const *) names->pdata,
                                                 .n_groups = names->len },
                               error);
}
