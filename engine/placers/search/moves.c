#include "engine/placers/search/moves.h"

#include <math.h>
#include <string.h>

#include "engine/placers/search/unit-groups.h"
#include "engine/placers/search/unit-set.h"

/* --- critical ops --------------------------------------------------------- */

/* A transfer on the path blames its producer, which should be where the consumer is, and its
 * consumer, which should be where the producer is; a wait for a device blames the waiting op and
 * the one that it waited for; every op is blamed a little for the time it takes. Drawn in
 * proportion to the time. */

typedef struct
{
  guint32 unit;
  GobanDeviceId device; /* where it should be, or GOBAN_NO_DEVICE: anywhere else */
  double until_us;      /* running sum of the blame */
} GobanCriticalOp;

typedef struct _GobanCriticalOps GobanCriticalOps;

struct _GobanCriticalOps
{
  const GobanUnits *units;
  GArray *all; /* GobanCriticalOp */
};

/* @units must outlive it. */
static GobanCriticalOps *
critical_ops_new (const GobanUnits *units)
{
  GobanCriticalOps *self = g_new0 (GobanCriticalOps, 1);

  self->units = units;
  self->all = g_array_new (FALSE, FALSE, sizeof (GobanCriticalOp));
  return self;
}

static void
critical_ops_free (GobanCriticalOps *self)
{
  g_array_unref (self->all);
  g_free (self);
}

static void
blame (GobanCriticalOps *self, GobanNodeId node, GobanDeviceId device, double time_us)
{
  GobanCriticalOp op = { self->units->unit_of[node], device, time_us };

  if (time_us <= 0)
    return;
  if (self->all->len > 0)
    op.until_us += g_array_index (self->all, GobanCriticalOp, self->all->len - 1).until_us;
  g_array_append_val (self->all, op);
}

/* The transfer's time: its producer should be there, or its consumer here. */
static void
blame_transfer (GobanCriticalOps *self, const GobanTrace *trace, const GobanStep *step,
                const GobanStep *next)
{
  guint n;
  const GobanTransfer *transfer = &goban_trace_get_transfers (trace, &n)[step->index];
  double time_us = transfer->finish_us - transfer->start_us;
  GobanNodeId producer = goban_graph_get_tensor (self->units->graph, transfer->tensor)->producer;

  blame (self, producer, transfer->to, time_us + step->waited_us);
  if (next != NULL && !next->is_transfer)
    blame (self, next->index, transfer->from, time_us + step->waited_us);
}

/* Resets the learned weights. */
static void
critical_ops_learn (GobanCriticalOps *self, const GobanTrace *trace)
{
  const GobanOpSpan *ops = goban_trace_get_ops (trace);
  guint n_steps;
  const GobanStep *steps = goban_trace_get_critical_path (trace, &n_steps);

  g_array_set_size (self->all, 0);
  for (guint i = 0; ops != NULL && i < n_steps; i++)
    {
      const GobanStep *step = &steps[i];
      double time_us;

      if (step->is_transfer)
        {
          blame_transfer (self, trace, step, i + 1 < n_steps ? &steps[i + 1] : NULL);
          continue;
        }
      /* The node that waited for its device, and the one it waited for. */
      time_us = ops[step->index].finish_us - ops[step->index].start_us;
      if (step->wait == GOBAN_WAIT_DEVICE)
        {
          blame (self, step->index, GOBAN_NO_DEVICE, step->waited_us);
          if (i > 0 && !steps[i - 1].is_transfer)
            blame (self, steps[i - 1].index, GOBAN_NO_DEVICE, step->waited_us);
        }
      blame (self, step->index, GOBAN_NO_DEVICE, time_us / 4);
    }
}

/* (nullable) borrowed until the next trace; %NULL if no node is to blame. */
static const GobanCriticalOp *
critical_ops_draw (const GobanCriticalOps *self, GobanRng *rng)
{
  const GobanCriticalOp *ops = (const GobanCriticalOp *) (const void *) self->all->data;
  guint low = 0;
  guint high = self->all->len;
  double at_us;

  if (high == 0)
    return NULL;
  at_us = goban_rng_uniform (rng) * ops[high - 1].until_us;
  while (low + 1 < high)
    {
      guint middle = (low + high) / 2;

      if (ops[middle - 1].until_us <= at_us)
        low = middle;
      else
        high = middle;
    }
  return &ops[low];
}

/* --- words of names ------------------------------------------------------- */

/* A node named "decoder/layer_2/step_7/MatMul" is under the words "decoder", "layer_2" and
 * "step_7", at any position in the name. So a word gathers a layer over all steps, or a step over
 * all layers. The last part of a name is the op's own. Read-only once made. */

typedef struct
{
  guint n_words;
  guint32 *word_offsets; /* (n_words + 1) into units */
  guint32 *units;        /* under each word, ascending */
  guint32 *unit_offsets; /* (n_units + 1) into words */
  guint32 *words;        /* of each unit; words are numbered as they are met */
} GobanNameWords;

/* The number of a word, counted from 0; new ones get the next. */
static guint32
number_word (GHashTable *numbers, GStringChunk *strings, const char *word, gsize length)
{
  char *copy = g_string_chunk_insert_len (strings, word, (gssize) length);
  gpointer number;

  if (g_hash_table_lookup_extended (numbers, copy, NULL, &number))
    return GPOINTER_TO_UINT (number);
  number = GUINT_TO_POINTER (g_hash_table_size (numbers));
  g_hash_table_insert (numbers, copy, number);
  return GPOINTER_TO_UINT (number);
}

static gboolean
is_listed (const GArray *words, guint first, guint32 word)
{
  for (guint i = first; i < words->len; i++)
    if (g_array_index (words, guint32, i) == word)
      return TRUE;
  return FALSE;
}

/* Units of very many nodes, which hold a whole layer's parameters, stop at this many words: a move
 * draws one of them. */
#define MAX_WORDS 64

static guint
list_words (GobanNameWords *self, const GobanUnits *units, GArray *words)
{
  g_autoptr (GHashTable) numbers = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GStringChunk) strings = g_string_chunk_new (1 << 16);

  self->unit_offsets = g_new (guint32, units->n_units + 1);
  for (guint u = 0; u < units->n_units; u++)
    {
      guint first = self->unit_offsets[u] = words->len;

      for (guint i = units->offsets[u]; i < units->offsets[u + 1]; i++)
        {
          const char *part = goban_graph_get_node (units->graph, units->nodes[i])->name;
          const char *end;

          while (words->len - first < MAX_WORDS && (end = strchr (part, '/')) != NULL)
            {
              guint32 word = number_word (numbers, strings, part, (gsize) (end - part));

              if (end > part && !is_listed (words, first, word))
                g_array_append_val (words, word);
              part = end + 1;
            }
        }
    }
  self->unit_offsets[units->n_units] = words->len;
  return g_hash_table_size (numbers);
}

/* O(length of all names). */
static GobanNameWords *
name_words_new (const GobanUnits *units)
{
  GobanNameWords *self = g_new0 (GobanNameWords, 1);
  GArray *words = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree guint32 *next = NULL;
  guint n_entries;

  self->n_words = list_words (self, units, words);
  n_entries = words->len;
  self->words = (guint32 *) (void *) g_array_free (words, FALSE);

  self->word_offsets = g_new0 (guint32, self->n_words + 1);
  self->units = g_new (guint32, n_entries);
  for (guint i = 0; i < n_entries; i++)
    self->word_offsets[self->words[i] + 1]++;
  for (guint w = 0; w < self->n_words; w++)
    self->word_offsets[w + 1] += self->word_offsets[w];
  next = g_memdup2 (self->word_offsets, (self->n_words + 1) * sizeof *next);
  for (guint u = 0; u < units->n_units; u++)
    for (guint i = self->unit_offsets[u]; i < self->unit_offsets[u + 1]; i++)
      self->units[next[self->words[i]]++] = u;
  return self;
}

static void
name_words_free (GobanNameWords *self)
{
  g_free (self->word_offsets);
  g_free (self->units);
  g_free (self->unit_offsets);
  g_free (self->words);
  g_free (self);
}

/* Into how many groups the units are matched, from coarse to fine. */
static const guint cluster_counts[] = { 24, 64, 160, 400 };

#define N_CLUSTERINGS G_N_ELEMENTS (cluster_counts)

struct _GobanMoves
{
  const GobanUnits *units;
  GobanNameWords *scopes;
  GobanUnitGroups *clusters[N_CLUSTERINGS];
  GobanRng rng;
  double reach;

  GobanCriticalOps *critical_ops;
  GobanUnitSet *set; /* the units gathered for the move at hand */
};

/* --- moves --------------------------------------------------------------------------- */

void
goban_move_init (GobanMove *self)
{
  *self = (GobanMove){ .changes = g_array_new (FALSE, FALSE, sizeof (GobanChange)) };
}

void
goban_move_clear (GobanMove *self)
{
  g_clear_pointer (&self->changes, g_array_unref);
}

void
goban_move_apply (const GobanMove *self, GobanPlan *plan)
{
  for (guint i = 0; i < self->changes->len; i++)
    {
      const GobanChange *change = &g_array_index (self->changes, GobanChange, i);

      goban_plan_set_device (plan, change->node, change->new_device);
      goban_plan_set_priority (plan, change->node, change->new_priority);
    }
}

void
goban_move_undo (const GobanMove *self, GobanPlan *plan)
{
  for (guint i = 0; i < self->changes->len; i++)
    {
      const GobanChange *change = &g_array_index (self->changes, GobanChange, i);

      goban_plan_set_device (plan, change->node, change->old_device);
      goban_plan_set_priority (plan, change->node, change->old_priority);
    }
}

/* --- construction and disposal ------------------------------------------------------- */

GobanMoves *
goban_moves_new (const GobanUnits *units, guint64 seed)
{
  GobanMoves *self = g_new0 (GobanMoves, 1);

  self->units = units;
  self->scopes = name_words_new (units);
  for (guint level = 0; level < N_CLUSTERINGS; level++)
    self->clusters[level] = goban_unit_groups_new (units, cluster_counts[level]);
  self->reach = 1;
  self->critical_ops = critical_ops_new (units);
  self->set = goban_unit_set_new (units);
  goban_rng_init (&self->rng, seed);
  return self;
}

void
goban_moves_free (GobanMoves *self)
{
  name_words_free (self->scopes);
  for (guint level = 0; level < N_CLUSTERINGS; level++)
    goban_unit_groups_free (self->clusters[level]);
  critical_ops_free (self->critical_ops);
  goban_unit_set_free (self->set);
  g_free (self);
}

GobanRng *
goban_moves_get_rng (GobanMoves *self)
{
  return &self->rng;
}

void
goban_moves_set_reach (GobanMoves *self, double reach)
{
  self->reach = reach;
}

/* --- chance -------------------------------------------------------------------------- */

static GobanDeviceId
device_of (const GobanMoves *self, const GobanPlan *plan, guint32 unit)
{
  return goban_plan_get_devices (plan)[self->units->nodes[self->units->offsets[unit]]];
}

/* 1..n, small numbers as likely as large ones of the same ratio. */
static guint
draw_size (GobanMoves *self, guint n)
{
  double size = exp (goban_rng_uniform (&self->rng) * log ((double) n + 1));

  return CLAMP ((guint) size, 1, n);
}

static guint
largest_group (const GobanMoves *self)
{
  double n = self->reach * self->units->n_units / self->units->n_devices;

  return MAX ((guint) n, 1);
}

static guint32
draw_unit (GobanMoves *self)
{
  return goban_rng_below (&self->rng, self->units->n_units);
}

/* Any device but @from. */
static GobanDeviceId
draw_other_device (GobanMoves *self, GobanDeviceId from)
{
  guint n = self->units->n_devices;

  if (n < 2)
    return from;
  return (GobanDeviceId) ((from + 1 + goban_rng_below (&self->rng, n - 1)) % n);
}

/* With probability 1/2 the device of a unit that the set exchanges tensors with, if that is another
 * one. */
static GobanDeviceId
draw_target (GobanMoves *self, const GobanPlan *plan, GobanDeviceId from)
{
  guint32 unit = g_array_index (self->set->members, guint32,
                                goban_rng_below (&self->rng, self->set->members->len));
  guint32 first = self->set->graph->offsets[unit];
  guint32 n = self->set->graph->offsets[unit + 1] - first;

  if (n > 0 && goban_rng_below (&self->rng, 2) == 0)
    {
      guint32 neighbour = self->set->graph->links[first + goban_rng_below (&self->rng, n)].unit;
      GobanDeviceId device = device_of (self, plan, neighbour);

      if (device != from)
        return device;
    }
  return draw_other_device (self, from);
}

/* --- changes ------------------------------------------------------------------------- */

static void
change_unit (GobanMoves *self, const GobanPlan *plan, guint32 unit, GobanDeviceId device,
             GobanMove *move)
{
  const GobanUnits *units = self->units;

  if (device_of (self, plan, unit) == device || !goban_units_can_run (units, unit, device))
    return;
  for (guint i = units->offsets[unit]; i < units->offsets[unit + 1]; i++)
    {
      gint32 priority = goban_plan_get_priorities (plan)[units->nodes[i]];
      GobanChange change = { units->nodes[i], goban_plan_get_devices (plan)[units->nodes[i]],
                             device, priority, priority };

      g_array_append_val (move->changes, change);
    }
}

/* The set from its @first member on. */
static void
change_set (GobanMoves *self, const GobanPlan *plan, guint first, GobanDeviceId device,
            GobanMove *move)
{
  for (guint i = first; i < self->set->members->len; i++)
    change_unit (self, plan, g_array_index (self->set->members, guint32, i), device, move);
}

static void
shift_set (GobanMoves *self, const GobanPlan *plan, gint64 by, GobanMove *move)
{
  const GobanUnits *units = self->units;

  for (guint i = 0; i < self->set->members->len; i++)
    {
      guint32 unit = g_array_index (self->set->members, guint32, i);

      for (guint j = units->offsets[unit]; j < units->offsets[unit + 1]; j++)
        {
          GobanNodeId node = units->nodes[j];
          GobanDeviceId device = goban_plan_get_devices (plan)[node];
          gint32 priority = goban_plan_get_priorities (plan)[node];
          gint64 shifted = CLAMP (priority + by, G_MININT32 / 2, G_MAXINT32 / 2);
          GobanChange change = { node, device, device, priority, (gint32) shifted };

          g_array_append_val (move->changes, change);
        }
    }
}

/* --- the kinds ----------------------------------------------------------------------- */

static void
draw_unit_move (GobanMoves *self, const GobanPlan *plan, GobanMove *move)
{
  guint32 unit = draw_unit (self);

  goban_unit_set_add (self->set, unit);
  change_set (self, plan, 0, draw_target (self, plan, device_of (self, plan, unit)), move);
}

static void
draw_pair_move (GobanMoves *self, const GobanPlan *plan, GobanMove *move)
{
  guint32 one = draw_unit (self);
  guint32 first = self->set->graph->offsets[one];
  guint32 n = self->set->graph->offsets[one + 1] - first;
  guint32 other = draw_unit (self);

  if (n > 0 && goban_rng_below (&self->rng, 2) == 0)
    other = self->set->graph->links[first + goban_rng_below (&self->rng, n)].unit;
  change_unit (self, plan, one, draw_other_device (self, device_of (self, plan, one)), move);
  if (other != one)
    change_unit (self, plan, other, draw_other_device (self, device_of (self, plan, other)), move);
}

static void
draw_group_move (GobanMoves *self, const GobanPlan *plan, GobanMove *move)
{
  guint32 seed = draw_unit (self);

  goban_unit_set_grow (self->set, &self->rng, plan, seed, draw_size (self, largest_group (self)));
  change_set (self, plan, 0, draw_target (self, plan, device_of (self, plan, seed)), move);
}

static void
draw_cluster_move (GobanMoves *self, const GobanPlan *plan, GobanMove *move)
{
  const GobanUnitGroups *clusters = self->clusters[goban_rng_below (&self->rng, N_CLUSTERINGS)];
  guint32 seed = draw_unit (self);
  guint32 group = clusters->group_of[seed];

  for (guint32 i = clusters->offsets[group]; i < clusters->offsets[group + 1]; i++)
    goban_unit_set_add (self->set, clusters->units[i]);
  change_set (self, plan, 0, draw_target (self, plan, device_of (self, plan, seed)), move);
}

/* Down the graph: units are numbered in topological order. */
static void
draw_path_move (GobanMoves *self, const GobanPlan *plan, GobanMove *move)
{
  guint n_wanted = draw_size (self, largest_group (self));
  guint32 unit = draw_unit (self);
  GobanDeviceId from = device_of (self, plan, unit);

  goban_unit_set_add (self->set, unit);
  while (self->set->members->len < n_wanted)
    {
      guint32 first = self->set->graph->offsets[unit];
      guint32 n = self->set->graph->offsets[unit + 1] - first;
      guint32 next = unit;

      for (guint i = 0; i < 4 && n > 0 && next <= unit; i++)
        next = self->set->graph->links[first + goban_rng_below (&self->rng, MIN (n, 4u << i))].unit;
      if (next <= unit)
        break;
      goban_unit_set_add (self->set, next);
      unit = next;
    }
  change_set (self, plan, 0, draw_target (self, plan, from), move);
}

static void
draw_scope_move (GobanMoves *self, const GobanPlan *plan, GobanMove *move)
{
  const GobanNameWords *scopes = self->scopes;
  guint32 seed = draw_unit (self);
  guint32 n_words = scopes->unit_offsets[seed + 1] - scopes->unit_offsets[seed];
  guint32 n_nearest = G_MAXUINT32;
  gboolean only_here = goban_rng_below (&self->rng, 2) == 0;
  GobanDeviceId from = device_of (self, plan, seed);
  guint32 word;

  if (n_words == 0)
    return;
  word = scopes->words[scopes->unit_offsets[seed] + goban_rng_below (&self->rng, n_words)];
  if (goban_rng_below (&self->rng, 2) == 0)
    n_nearest = draw_size (self, self->units->n_units);

  for (guint i = scopes->word_offsets[word]; i < scopes->word_offsets[word + 1]; i++)
    {
      guint32 unit = scopes->units[i];
      guint32 distance = unit > seed ? unit - seed : seed - unit;

      if (distance <= n_nearest && (!only_here || device_of (self, plan, unit) == from))
        goban_unit_set_add (self->set, unit);
    }
  change_set (self, plan, 0, draw_target (self, plan, from), move);
}

static void
draw_window_move (GobanMoves *self, const GobanPlan *plan, GobanMove *move)
{
  guint32 first = draw_unit (self);
  guint n = draw_size (self, largest_group (self));
  GobanDeviceId from = device_of (self, plan, first);

  for (guint32 unit = first; unit < self->units->n_units && self->set->members->len < n; unit++)
    if (device_of (self, plan, unit) == from)
      goban_unit_set_add (self->set, unit);
  change_set (self, plan, 0, draw_target (self, plan, from), move);
}

static void
draw_swap_move (GobanMoves *self, const GobanPlan *plan, GobanMove *move)
{
  guint n = draw_size (self, largest_group (self));
  guint32 one = draw_unit (self);
  GobanDeviceId here = device_of (self, plan, one);
  GobanDeviceId there = here;
  guint32 other = one;
  guint n_ones;

  for (guint i = 0; i < 8 && there == here; i++)
    {
      other = draw_unit (self);
      there = device_of (self, plan, other);
    }
  if (there == here)
    return;

  goban_unit_set_grow (self->set, &self->rng, plan, one, n);
  n_ones = self->set->members->len;
  goban_unit_set_grow (self->set, &self->rng, plan, other, n);
  change_set (self, plan, n_ones, here, move);
  g_array_set_size (self->set->members, n_ones);
  change_set (self, plan, 0, there, move);
}

static void
draw_critical_move (GobanMoves *self, const GobanPlan *plan, GobanMove *move)
{
  const GobanCriticalOp *critical_op = critical_ops_draw (self->critical_ops, &self->rng);
  GobanDeviceId from;
  GobanDeviceId target;

  if (critical_op == NULL)
    return;
  from = device_of (self, plan, critical_op->unit);
  target = critical_op->device;
  goban_unit_set_grow (self->set, &self->rng, plan, critical_op->unit,
                       draw_size (self, largest_group (self)));
  if (target == GOBAN_NO_DEVICE || target == from)
    target = draw_target (self, plan, from);
  change_set (self, plan, 0, target, move);
}

/* To just before or after another of the same device, or by any distance. */
static void
draw_priority_move (GobanMoves *self, const GobanPlan *plan, GobanMove *move)
{
  const gint32 *priorities = goban_plan_get_priorities (plan);
  const GobanCriticalOp *critical_op = goban_rng_below (&self->rng, 2) == 0
                                           ? critical_ops_draw (self->critical_ops, &self->rng)
                                           : NULL;
  guint32 seed = critical_op != NULL ? critical_op->unit : draw_unit (self);
  guint32 other = draw_unit (self);
  GobanNodeId first = self->units->nodes[self->units->offsets[seed]];
  gint64 by;

  for (guint i = 0;
       i < 4 && (other == seed || device_of (self, plan, other) != device_of (self, plan, seed));
       i++)
    other = draw_unit (self);
  by = (gint64) priorities[self->units->nodes[self->units->offsets[other]]] - priorities[first];
  by += by > 0 ? 1 : -1;
  if (goban_rng_below (&self->rng, 2) == 0)
    {
      guint most = MIN (goban_plan_get_n_nodes (plan), 1u << 20) * GOBAN_PRIORITY_SPREAD;

      by = draw_size (self, most);
      if (goban_rng_below (&self->rng, 2) > 0)
        by = -by;
    }
  goban_unit_set_grow (self->set, &self->rng, plan, seed, draw_size (self, largest_group (self)));
  shift_set (self, plan, by, move);
}

static void
draw_ranks_move (GobanMoves *self, const GobanPlan *plan, GobanMove *move)
{
  guint n_nodes = goban_plan_get_n_nodes (plan);
  const gint32 *old = goban_plan_get_priorities (plan);
  g_autoptr (GobanPlan) ranked = goban_plan_copy (plan);
  g_autofree double *ranks_us = g_new (double, n_nodes);

  goban_placed_ranks (self->units, plan, ranks_us);
  goban_plan_spread_priorities (ranked, ranks_us);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      GobanDeviceId device = goban_plan_get_devices (plan)[v];
      GobanChange change = { v, device, device, old[v], goban_plan_get_priorities (ranked)[v] };

      if (change.old_priority != change.new_priority)
        g_array_append_val (move->changes, change);
    }
}

static GobanMoveKind
draw_kind (GobanMoves *self, const double *weights)
{
  double sum = 0;
  double at;

  for (guint k = 0; k < GOBAN_N_MOVE_KINDS; k++)
    sum += weights[k];
  at = goban_rng_uniform (&self->rng) * sum;
  for (guint k = 0; k < GOBAN_N_MOVE_KINDS; k++)
    {
      if (at < weights[k])
        return (GobanMoveKind) k;
      at -= weights[k];
    }
  return GOBAN_MOVE_UNIT;
}

void
goban_moves_draw (GobanMoves *self, const GobanPlan *plan, const double *weights, GobanMove *move)
{
  static void (*const draw[GOBAN_N_MOVE_KINDS]) (GobanMoves *, const GobanPlan *, GobanMove *) = {
    [GOBAN_MOVE_CLUSTER] = draw_cluster_move,   [GOBAN_MOVE_UNIT] = draw_unit_move,
    [GOBAN_MOVE_PAIR] = draw_pair_move,         [GOBAN_MOVE_GROUP] = draw_group_move,
    [GOBAN_MOVE_PATH] = draw_path_move,         [GOBAN_MOVE_SCOPE] = draw_scope_move,
    [GOBAN_MOVE_WINDOW] = draw_window_move,     [GOBAN_MOVE_SWAP] = draw_swap_move,
    [GOBAN_MOVE_CRITICAL] = draw_critical_move, [GOBAN_MOVE_PRIORITY] = draw_priority_move,
    [GOBAN_MOVE_RANKS] = draw_ranks_move,
  };

  g_array_set_size (move->changes, 0);
  if (self->units->n_units == 0)
    return;
  move->kind = draw_kind (self, weights);
  goban_unit_set_start (self->set);
  draw[move->kind](self, plan, move);
  for (guint i = 0; i < 4 && move->changes->len == 0; i++)
    {
      move->kind = self->units->n_devices > 1 ? GOBAN_MOVE_UNIT : GOBAN_MOVE_PRIORITY;
      goban_unit_set_start (self->set);
      draw[move->kind](self, plan, move);
    }
}

void
goban_moves_learn (GobanMoves *self, const GobanTrace *trace)
{
  critical_ops_learn (self->critical_ops, trace);
}
