/* The plan a person writes by hand: the model's layers in a row, cut into one run per GPU.
 *
 * How the row is cut is the published habit of each family; see `about`. Backward ops stay
 * with their forward op and the optimiser with its variable. CPUs only get what no GPU can run,
 * unless there is nothing else.
 */
#include <string.h>

#include "engine/core/i18n.h"
#include "engine/placers/forward-ops.h"
#include "engine/placers/policies.h"
#include "engine/placers/stages/stages.h"

/* --- chains --------------------------------------------------------------- */

/* A block is a layer, a module or a cell, read from the scopes of the names, or one op if names
 * have no scopes. Backward and update ops belong to the block of their forward op. Made once per
 * placement, read-only after that. */

typedef enum
{
  GOBAN_CHAIN_RECURRENT,   /* RNNLM, GNMT: a block is layer_K of encoder and decoder together */
  GOBAN_CHAIN_TRANSFORMER, /* a block is layer_K */
  GOBAN_CHAIN_WAVENET,     /* a block is stack_S/layer_K */
  GOBAN_CHAIN_MODULES,     /* Inception-v3, AmoebaNet: a block is a scope of the top level */
  GOBAN_CHAIN_OPS,         /* anything else: a block is a unit of forward ops */
} GobanChainKind;

typedef struct
{
  GobanChainKind kind;
  guint n_blocks;
  guint *block_of; /* (n_units) */
  guint *stack_of; /* (n_blocks) of a WaveNet, ascending; else 0 */
  guint n_stacks;  /* at least 1 */
} GobanExpertChain;

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

static GobanExpertChain *
expert_chain_new (const GobanUnits *units)
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

static void
expert_chain_free (GobanExpertChain *self)
{
  g_free (self->block_of);
  g_free (self->stack_of);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanExpertChain, expert_chain_free)

/* --- the policy ----------------------------------------------------------- */

/* Halvings of the interval of the balanced cut: as many as a double has bits. */
#define N_HALVINGS 60

typedef struct
{
  const GobanUnits *units;
  const GobanExpertChain *chain;
  GobanDeviceId *used; /* (n_used) */
  guint n_used;
  guint *part_of; /* (n_blocks) an index into used */
} Expert;

/* --- the rules ----------------------------------------------------------- */

/* One layer per GPU; as many layers on each as it takes where there are fewer GPUs. */
static void
cut_by_layer (Expert *self)
{
  guint per_device = (self->chain->n_blocks + self->n_used - 1) / self->n_used;

  for (guint b = 0; b < self->chain->n_blocks; b++)
    self->part_of[b] = b / per_device;
}

/* Blocks of equal count, a layer at least. */
static void
cut_evenly (Expert *self)
{
  guint n_parts = MIN (self->n_used, self->chain->n_blocks);

  for (guint b = 0; b < self->chain->n_blocks; b++)
    self->part_of[b] = (guint) ((guint64) b * n_parts / self->chain->n_blocks);
}

/* One stack per GPU, half a stack where GPUs suffice, several where they are few. */
static void
cut_by_stack (Expert *self)
{
  const GobanExpertChain *chain = self->chain;
  guint per_device = (chain->n_stacks + self->n_used - 1) / self->n_used;
  gboolean in_halves = self->n_used >= 2 * chain->n_stacks;

  for (guint first = 0, end; first < chain->n_blocks; first = end)
    {
      guint stack = chain->stack_of[first];

      for (end = first; end < chain->n_blocks && chain->stack_of[end] == stack; end++)
        ;
      for (guint b = first; b < end; b++)
        self->part_of[b]
            = in_halves ? 2 * stack + (2 * (b - first) >= end - first) : stack / per_device;
    }
}

/* The time of each block on the GPUs, backward and update included. */
static double *
weigh_blocks (const Expert *self)
{
  double *weights = g_new0 (double, self->chain->n_blocks);

  for (guint u = 0; u < self->units->n_units; u++)
    for (guint i = 0; i < self->n_used; i++)
      if (goban_units_can_run (self->units, u, self->used[i]))
        {
          weights[self->chain->block_of[u]] += goban_units_time_us (self->units, u, self->used[i]);
          break;
        }
  return weights;
}

/* Fills part after part up to the cap; returns whether the parts there are suffice. */
static gboolean
fill_parts (Expert *self, const double *weights, double cap_us)
{
  double filled_us = 0;
  guint part = 0;

  for (guint b = 0; b < self->chain->n_blocks; b++)
    {
      if (filled_us + weights[b] > cap_us && filled_us > 0)
        {
          filled_us = 0;
          if (++part == self->n_used)
            return FALSE;
        }
      filled_us += weights[b];
      self->part_of[b] = part;
    }
  return TRUE;
}

/* Runs whose longest is as short as it can be, found by halving between one block and all. */
static void
cut_by_compute (Expert *self)
{
  g_autofree double *weights = weigh_blocks (self);
  double low_us = 0;
  double high_us = 0;

  for (guint b = 0; b < self->chain->n_blocks; b++)
    {
      low_us = MAX (low_us, weights[b]);
      high_us += weights[b];
    }
  if (!fill_parts (self, weights, low_us))
    {
      for (guint i = 0; i < N_HALVINGS; i++)
        {
          double middle_us = low_us + (high_us - low_us) / 2;

          if (fill_parts (self, weights, middle_us))
            high_us = middle_us;
          else
            low_us = middle_us;
        }
      fill_parts (self, weights, high_us);
    }
}

static void
cut (Expert *self)
{
  switch (self->chain->kind)
    {
    case GOBAN_CHAIN_RECURRENT:
      cut_by_layer (self);
      break;
    case GOBAN_CHAIN_TRANSFORMER:
      cut_evenly (self);
      break;
    case GOBAN_CHAIN_WAVENET:
      cut_by_stack (self);
      break;
    case GOBAN_CHAIN_MODULES:
    case GOBAN_CHAIN_OPS:
      cut_by_compute (self);
      break;
    }
}

/* --- the policy ---------------------------------------------------------- */

/* Nothing is compared: the rule is the cut. */
static const GobanChoiceWords words = { NULL, GOBAN_SCORE_NONE, FALSE, NULL };

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  g_autoptr (GobanUnits) units = goban_units_new (costs, error);
  g_autoptr (GobanExpertChain) chain = NULL;
  g_autofree GobanDeviceId *used = NULL;
  g_autofree GobanDeviceId *devices = NULL;
  GobanUnitDecisions decisions;
  GobanPlan *plan;
  g_autofree guint *part_of = NULL;
  guint n_used;
  Expert self;

  if (units == NULL)
    return NULL;

  chain = expert_chain_new (units);
  used = goban_stages_find_devices (units->cluster, &n_used);
  part_of = g_new0 (guint, chain->n_blocks);
  self = (Expert){ units, chain, used, n_used, part_of };
  cut (&self);

  devices = g_new (GobanDeviceId, units->n_units);
  decisions = goban_unit_decisions_begin (options, units, &words, 0);
  for (guint u = 0; u < units->n_units; u++)
    {
      GobanDeviceId wanted = used[part_of[chain->block_of[u]]];

      if (!goban_policy_go_on (options, u, units->n_units, error))
        return NULL;
      devices[u]
          = goban_units_can_run (units, u, wanted) ? wanted : goban_units_fastest_device (units, u);
      devices[u] = goban_unit_decisions_make (
          &decisions, u, devices[u], devices[u] == wanted ? NULL : "cannot run in its part");
    }
  plan = goban_units_new_plan (units, devices);
  goban_unit_decisions_end (&decisions, plan, NULL, TRUE);
  return plan;
}

const GobanPlacer goban_placer_expert = {
  .name = "expert",
  .blurb = N_ ("what a person would write: the layers in a row, a run of them per GPU"),
  .about = N_ (
      "The human expert's plans that the papers compare with, by the rules they publish. RNNLM and "
      "GNMT: one LSTM layer per GPU, encoder layer and decoder layer of the same number together, "
      "the embedding with the first, attention and softmax with the last; where there are more "
      "layers than GPUs, each takes the same number of neighbours, and a GPU beyond the last layer "
      "stays idle. Transformer-XL: neighbouring layers in equal number. WaveNet: a stack per GPU, "
      "or half a stack where there are two GPUs for each. Inception-v3 and AmoebaNet: the row of "
      "modules or cells cut so that the longest run is as short as it can be, as if GPUs were "
      "alike; at small batches a person may well keep all on one GPU, which is the policy single. "
      "Families are known by the scopes in names (layer_K with or without step_T, "
      "stack_S/layer_K, mixed_*, cell_K). Any other graph, and that is our choice, is cut like "
      "Inception-v3, op by op in topological order, each backward op with the forward op it is "
      "named after or reads. Backward ops are with their forward op, the optimiser with its "
      "variable; memory is not looked at."),
  .source = "Mirhoseini et al., Device Placement Optimization with Reinforcement Learning, ICML "
            "2017; Zhou et al., Transferable Graph Optimizers for ML Compilers, NeurIPS 2020",
  .forcing = GOBAN_FORCING_INSIDE,
  .place = place,
};
