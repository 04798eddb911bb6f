#include "engine/graph/collectives.h"
#include "engine/graph/quotient.h"
#include "engine/graph/workloads/coarse.h"

#include <string.h>

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
