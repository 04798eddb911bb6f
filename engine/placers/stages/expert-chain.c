#include "engine/placers/stages/expert-chain.h"

#include "engine/placers/forward-ops.h"

#include <string.h>

#define NO_BLOCK G_MAXUINT
#define NO_NUMBER G_MAXUINT

/* Layers and stacks beyond these are no model but a name that looks like one. */
#define MAX_NUMBER 4096

typedef struct
{
  const GobanUnits *units;
  const GobanGraph *graph;
  GobanExpertChain *chain;
  guint n_nodes;
  guint *blocks; /* (n_nodes) NO_BLOCK until known */
} Reading;

/* --- names --------------------------------------------------------------- */

static gsize
part_length (const char *part)
{
  return strcspn (part, "/");
}

/* The part after this one, or NULL. */
static const char *
next_part (const char *part)
{
  const char *slash = strchr (part, '/');

  return slash != NULL ? slash + 1 : NULL;
}

/* K if the part reads @stem followed by K alone, whatever the case. */
static guint
part_number (const char *part, const char *stem)
{
  gsize n_stem = strlen (stem);
  gsize length = part_length (part);
  guint number = 0;

  if (length <= n_stem || g_ascii_strncasecmp (part, stem, n_stem) != 0)
    return NO_NUMBER;
  for (gsize i = n_stem; i < length; i++)
    {
      if (!g_ascii_isdigit (part[i]))
        return NO_NUMBER;
      number = number * 10 + (guint) g_ascii_digit_value (part[i]);
      if (number > MAX_NUMBER)
        return NO_NUMBER;
    }
  return number;
}

static guint
find_number (const char *name, const char *stem)
{
  for (const char *part = name; part != NULL; part = next_part (part))
    {
      guint number = part_number (part, stem);

      if (number != NO_NUMBER)
        return number;
    }
  return NO_NUMBER;
}

/* Stack and layer as one ascending number if one part follows the other, or NO_NUMBER. An op may be
 * called "stack_1" as well. */
static guint
stack_and_layer (const char *name)
{
  for (const char *part = name; part != NULL; part = next_part (part))
    {
      guint stack = part_number (part, "stack_");
      const char *next = next_part (part);
      guint layer = next != NULL ? part_number (next, "layer_") : NO_NUMBER;

      if (stack != NO_NUMBER && layer != NO_NUMBER)
        return stack * (MAX_NUMBER + 1) + layer;
    }
  return NO_NUMBER;
}

static gboolean
has_part_with_prefix (const char *name, const char *prefix)
{
  for (const char *part = name; part != NULL; part = next_part (part))
    if (g_ascii_strncasecmp (part, prefix, strlen (prefix)) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
is_module (const char *name)
{
  return g_ascii_strncasecmp (name, "mixed_", strlen ("mixed_")) == 0
         || part_number (name, "cell_") != NO_NUMBER;
}

/* Names of ops before the first layer. */
static gboolean
is_before_layers (const char *name)
{
  return has_part_with_prefix (name, "embed") || has_part_with_prefix (name, "input")
         || has_part_with_prefix (name, "position");
}

/* --- kinds of models ----------------------------------------------------- */

static GobanChainKind
recognise (const Reading *self)
{
  gboolean has_layers = FALSE;
  gboolean has_steps = FALSE;

  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    {
      const char *name = goban_forward_name (goban_graph_get_node (self->graph, v)->name);
      gboolean in_layer = find_number (name, "layer_") != NO_NUMBER;

      if (is_module (name))
        return GOBAN_CHAIN_MODULES;
      if (stack_and_layer (name) != NO_NUMBER)
        return GOBAN_CHAIN_WAVENET;
      has_layers |= in_layer;
      has_steps |= in_layer && find_number (name, "step_") != NO_NUMBER;
    }
  if (!has_layers)
    return GOBAN_CHAIN_OPS;
  return has_steps ? GOBAN_CHAIN_RECURRENT : GOBAN_CHAIN_TRANSFORMER;
}

/* --- blocks by name ------------------------------------------------------ */

static void
read_layers (Reading *self)
{
  guint first = NO_NUMBER;
  guint last = 0;

  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    {
      const char *name = goban_forward_name (goban_graph_get_node (self->graph, v)->name);
      guint layer = find_number (name, "layer_");

      /* One attention serves all layers of a GNMT; each layer of a Transformer has its own. */
      if (layer != NO_NUMBER && self->chain->kind == GOBAN_CHAIN_RECURRENT
          && has_part_with_prefix (name, "attention"))
        layer = NO_NUMBER;
      self->blocks[v] = layer;
      if (layer != NO_NUMBER)
        {
          first = MIN (first, layer);
          last = MAX (last, layer);
        }
    }

  self->chain->n_blocks = last - first + 1;
  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    {
      const char *name = goban_forward_name (goban_graph_get_node (self->graph, v)->name);

      if (self->blocks[v] != NO_NUMBER)
        self->blocks[v] -= first;
      else
        self->blocks[v] = is_before_layers (name) ? 0 : last - first;
    }
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint32 x = *(const guint32 *) a;
  guint32 y = *(const guint32 *) b;

  return (x > y) - (x < y);
}

static void
number_stacks (GobanExpertChain *chain, const guint32 *keys, guint n)
{
  chain->n_blocks = n;
  chain->n_stacks = 0;
  chain->stack_of = g_renew (guint, chain->stack_of, n);
  for (guint b = 0; b < n; b++)
    {
      if (b == 0 || keys[b] / (MAX_NUMBER + 1) != keys[b - 1] / (MAX_NUMBER + 1))
        chain->n_stacks++;
      chain->stack_of[b] = chain->n_stacks - 1;
    }
}

static void
read_stacks (Reading *self)
{
  g_autoptr (GHashTable) block_of_key = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) keys = g_array_new (FALSE, FALSE, sizeof (guint32));
  gboolean seen = FALSE;

  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    {
      guint32 key
          = stack_and_layer (goban_forward_name (goban_graph_get_node (self->graph, v)->name));

      self->blocks[v] = key;
      if (key != NO_NUMBER && g_hash_table_add (block_of_key, GUINT_TO_POINTER (key)))
        g_array_append_val (keys, key);
    }
  g_array_sort (keys, compare_numbers);
  for (guint b = 0; b < keys->len; b++)
    g_hash_table_insert (block_of_key, GUINT_TO_POINTER (g_array_index (keys, guint32, b)),
                         GUINT_TO_POINTER (b));
  number_stacks (self->chain, (const guint32 *) (gpointer) keys->data, keys->len);

  /* Nodes before the first layer of the graph go with it, the rest with the last. */
  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    {
      const GobanNode *node = goban_graph_get_node (self->graph, v);
      const char *name = goban_forward_name (node->name);

      if (self->blocks[v] != NO_NUMBER)
        {
          self->blocks[v] = GPOINTER_TO_UINT (
              g_hash_table_lookup (block_of_key, GUINT_TO_POINTER (self->blocks[v])));
          seen = TRUE;
        }
      else if (is_before_layers (name) || has_part_with_prefix (name, "causal"))
        self->blocks[v] = 0;
      else
        self->blocks[v] = !seen && node->phase == GOBAN_PHASE_FORWARD ? 0 : keys->len - 1;
    }
}

/* Blocks in the order in which forward ops first name them. */
static void
read_modules (Reading *self)
{
  g_autoptr (GHashTable) blocks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint pass = 0; pass < 2; pass++)
    for (GobanNodeId v = 0; v < self->n_nodes; v++)
      {
        const GobanNode *node = goban_graph_get_node (self->graph, v);
        const char *name = goban_forward_name (node->name);
        g_autofree char *scope = g_strndup (name, part_length (name));
        gpointer block;

        if (g_hash_table_lookup_extended (blocks, scope, NULL, &block))
          self->blocks[v] = GPOINTER_TO_UINT (block);
        else if (node->phase == GOBAN_PHASE_FORWARD)
          {
            self->blocks[v] = g_hash_table_size (blocks);
            g_hash_table_insert (blocks, g_steal_pointer (&scope),
                                 GUINT_TO_POINTER (self->blocks[v]));
          }
      }
  self->chain->n_blocks = MAX (g_hash_table_size (blocks), 1);
}

/* Every unit with a forward op is a block, but for sources, which go with their readers. */
static void
read_ops (Reading *self)
{
  self->chain->n_blocks = MAX (self->units->n_units, 1);
  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    {
      const GobanNode *node = goban_graph_get_node (self->graph, v);
      const char *name = goban_forward_name (node->name);
      gboolean is_source = goban_graph_get_in_edges (self->graph, v).n == 0
                           && goban_graph_get_out_edges (self->graph, v).n > 0;

      if (node->phase == GOBAN_PHASE_FORWARD)
        self->blocks[v] = is_source ? NO_BLOCK : self->units->unit_of[v];
      else if (name != node->name)
        {
          GobanNodeId forward = goban_graph_find_node (self->graph, name);

          self->blocks[v] = forward != GOBAN_NO_NODE ? self->units->unit_of[forward] : NO_BLOCK;
        }
    }
}

/* --- blocks by neighbours ------------------------------------------------ */

/* A gradient reads inputs or outputs of its forward op: the last block of these is nearest to it.
 * One that reads only gradients belongs to the first block of theirs. */
static guint
block_from_inputs (const Reading *self, GobanNodeId v)
{
  GobanEdgeSpan in = goban_graph_get_in_edges (self->graph, v);
  guint last_forward = NO_BLOCK;
  guint first = NO_BLOCK;

  for (guint i = 0; i < in.n; i++)
    {
      GobanNodeId tail = goban_graph_get_edge (self->graph, in.ids[i])->tail;
      guint block = self->blocks[tail];

      if (block == NO_BLOCK)
        continue;
      first = MIN (first, block);
      if (goban_graph_get_node (self->graph, tail)->phase == GOBAN_PHASE_FORWARD
          && (last_forward == NO_BLOCK || block > last_forward))
        last_forward = block;
    }
  return last_forward != NO_BLOCK ? last_forward : first;
}

static guint
block_from_readers (const Reading *self, GobanNodeId v)
{
  GobanEdgeSpan out = goban_graph_get_out_edges (self->graph, v);
  guint first = NO_BLOCK;

  for (guint i = 0; i < out.n; i++)
    first = MIN (first, self->blocks[goban_graph_get_edge (self->graph, out.ids[i])->head]);
  return first;
}

static void
ask_neighbours (Reading *self)
{
  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    if (self->blocks[v] == NO_BLOCK)
      self->blocks[v] = block_from_inputs (self, v);
  for (GobanNodeId v = self->n_nodes; v-- > 0;)
    if (self->blocks[v] == NO_BLOCK)
      self->blocks[v] = block_from_readers (self, v);
  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    if (self->blocks[v] == NO_BLOCK)
      self->blocks[v] = 0;
}

/* The position of a group is that of its first forward op. */
static guint
block_of_unit (const Reading *self, guint32 unit)
{
  const GobanUnits *units = self->units;

  for (guint32 i = units->offsets[unit]; i < units->offsets[unit + 1]; i++)
    if (goban_graph_get_node (self->graph, units->nodes[i])->phase == GOBAN_PHASE_FORWARD)
      return self->blocks[units->nodes[i]];
  return self->blocks[units->nodes[units->offsets[unit]]];
}

GobanExpertChain *
goban_expert_chain_new (const GobanUnits *units)
{
  GobanExpertChain *chain = g_new0 (GobanExpertChain, 1);
  guint n_nodes = goban_graph_get_n_nodes (units->graph);
  g_autofree guint *blocks = g_new (guint, n_nodes);
  Reading self = { units, units->graph, chain, n_nodes, blocks };

  for (guint v = 0; v < n_nodes; v++)
    blocks[v] = NO_BLOCK;

  chain->n_stacks = 1;
  chain->kind = recognise (&self);
  switch (chain->kind)
    {
    case GOBAN_CHAIN_RECURRENT:
    case GOBAN_CHAIN_TRANSFORMER:
      read_layers (&self);
      break;
    case GOBAN_CHAIN_WAVENET:
      read_stacks (&self);
      break;
    case GOBAN_CHAIN_MODULES:
      read_modules (&self);
      break;
    case GOBAN_CHAIN_OPS:
      read_ops (&self);
      break;
    }
  ask_neighbours (&self);

  if (chain->stack_of == NULL)
    chain->stack_of = g_new0 (guint, chain->n_blocks);
  chain->block_of = g_new (guint, units->n_units);
  for (guint u = 0; u < units->n_units; u++)
    chain->block_of[u] = block_of_unit (&self, u);
  return chain;
}

void
goban_expert_chain_free (GobanExpertChain *self)
{
  g_free (self->block_of);
  g_free (self->stack_of);
  g_free (self);
}
