#include "engine/machine/parallel/micro-batches.h"

#include <string.h>

#include "engine/core/error.h"
#include "engine/machine/parallel/collective.h"
#include "engine/machine/parallel/graph-copy.h"
#include "engine/machine/parallel/pass-parts.h"
#include "engine/machine/parallel/schedule-private.h"

/* Facts about one of the builder's nodes. */
typedef struct
{
  GobanNodeId origin;
  guint rank;
  double key;
} GobanCopyFacts;

typedef struct
{
  const GobanGraph *graph;
  const GobanMicroBatchOptions *options;
  guint n_batches;
  const guint *n_copies; /* (n_stages) (nullable) of each stage; NULL: no stage has several */
  guint *first_ranks;    /* (n_stages) of the first copy, if stages have copies */
  gboolean *is_update;   /* (n_nodes) updates, also in an asynchronous schedule */
  GHashTable *sums;      /* (tensor, round) -> those of each copy */
  double share;          /* of the batch that an op of a micro-batch computes */
  GobanParts parts;
  GobanGraphBuilder *builder;
  guint32 *nodes; /* (n_nodes x n_batches) the builder's; of nodes that are there once, the same */
  guint32 *weights; /* the same of second halves; else those of nodes */
  guint32 *tensors; /* (n_tensors x n_batches) */
  GArray *facts;    /* of GobanCopyFacts, by the builder's node */
} GobanRepetition;

static inline gsize
goban_repetition_index (const GobanRepetition *self, guint32 id, guint batch)
{
  return (gsize) id * self->n_batches + batch;
}

static inline GobanCopyFacts *
goban_repetition_facts (const GobanRepetition *self, guint32 copy)
{
  return &g_array_index (self->facts, GobanCopyFacts, copy);
}

/* Number of copies of the node's stage. */
static inline guint
goban_repetition_n_copies (const GobanRepetition *self, GobanNodeId v)
{
  return self->n_copies != NULL ? self->n_copies[self->options->stages[v]] : 1;
}

/* Rank of the copy of the node's stage that has the micro-batch; G_MAXUINT: there are no ranks. */
static inline guint
goban_repetition_rank (const GobanRepetition *self, GobanNodeId v, guint batch)
{
  if (self->n_copies != NULL)
    return self->first_ranks[self->options->stages[v]]
           + batch % goban_repetition_n_copies (self, v);
  return self->options->schedule != NULL
             ? goban_schedule_get_rank (self->options->schedule, self->options->stages[v])
             : G_MAXUINT;
}

/* Priority of a step of an all-reduce among the passes of a schedule: other ranks wait for it. */
#define GOBAN_SUM_KEY 2.0

/* --- sums over the copies of a stage -------------------------------------- */

/* Each copy adds up the gradients of its micro-batches, and a ring of the copies all-reduces the
 * sums, of each gradient by itself.
 *
 * A round is what is reduced together: the last micro-batch of each copy, which has its sum, or in
 * an asynchronous schedule a micro-batch of each. */

/* The tensors that are each copy's result of one all-reduce. */
typedef struct
{
  guint n_copies;
  GArray *of_copy[]; /* (n_copies) of guint32 */
} Sums;

static void
sums_free (gpointer data)
{
  Sums *self = data;

  for (guint c = 0; c < self->n_copies; c++)
    g_array_unref (self->of_copy[c]);
  g_free (self);
}

static gboolean
is_asynchronous (const GobanRepetition *self)
{
  return self->options->schedule != NULL
         && goban_schedule_is_asynchronous (self->options->schedule);
}

static guint
count_readers (const GobanRepetition *self, GobanTensorId t, gboolean updates)
{
  GobanEdgeSpan readers = goban_graph_get_tensor_edges (self->graph, t);
  guint n = 0;

  for (guint i = 0; i < readers.n; i++)
    n += self->is_update[goban_graph_get_edge (self->graph, readers.ids[i])->head] == updates;
  return n;
}

static GobanNodeId
get_producer (const GobanRepetition *self, GobanTensorId t)
{
  return goban_graph_get_tensor (self->graph, t)->producer;
}

/* TRUE if the tensor is a gradient that several copies of its stage compute. */
static gboolean
repetition_is_reduced (const GobanRepetition *self, GobanTensorId t)
{
  GobanNodeId v = get_producer (self, t);

  return goban_repetition_n_copies (self, v) > 1 && !self->is_update[v]
         && !goban_graph_get_tensor (self->graph, t)->is_control
         && (self->parts.of_tensor[t] & GOBAN_PART_HALVES) != 0
         && count_readers (self, t, TRUE) > 0;
}

/* TRUE if the all-reduce's chunks stand for the tensor of this micro-batch. */
static gboolean
repetition_is_chunked (const GobanRepetition *self, GobanTensorId t, guint batch)
{
  guint n_copies = goban_repetition_n_copies (self, get_producer (self, t));

  return (is_asynchronous (self) || batch + n_copies >= self->n_batches)
         && repetition_is_reduced (self, t) && count_readers (self, t, FALSE) == 0;
}

/* Steps of all the all-reduces. */
static gsize
repetition_count_steps (const GobanRepetition *self)
{
  gsize n_steps = 0;

  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (self->graph); t++)
    if (repetition_is_reduced (self, t))
      {
        gsize n = goban_repetition_n_copies (self, get_producer (self, t));

        n_steps += 2 * n * (n - 1) * (is_asynchronous (self) ? self->n_batches / n : 1);
      }
  return n_steps;
}

/* The last micro-batch of each copy, or that of the round. */
static guint
get_batch (const GobanRepetition *self, guint n_copies, guint copy, guint round)
{
  return is_asynchronous (self) ? round * n_copies + copy
                                : copy + (self->n_batches - 1 - copy) / n_copies * n_copies;
}

static void
add_step (GobanRepetition *self, GobanNodeId v, const GobanCollectiveStep *step, guint round)
{
  guint n_copies = goban_repetition_n_copies (self, v);
  GobanNode *node = goban_graph_builder_get_node (self->builder, step->node);
  GobanCopyFacts facts = { v, goban_repetition_rank (self, v, step->rank), GOBAN_SUM_KEY };

  node->phase = GOBAN_PHASE_BACKWARD;
  if (is_asynchronous (self))
    node->micro_batch = get_batch (self, n_copies, step->rank, round);
  g_array_append_val (self->facts, facts);
}

static Sums *
reduce (GobanRepetition *self, GobanTensorId t, guint round)
{
  GobanNodeId v = get_producer (self, t);
  guint n_copies = goban_repetition_n_copies (self, v);
  GobanCollective collective = { GOBAN_COLLECTIVE_ALL_REDUCE, FALSE, n_copies,
                                 goban_graph_get_tensor (self->graph, t)->size_bytes };
  g_autofree guint32 *producers = g_new (guint32, n_copies);
  g_autofree char *scope = g_strdup_printf ("all-reduce/%u", g_hash_table_size (self->sums));
  g_autoptr (GArray) steps = NULL;
  Sums *sums = g_malloc (sizeof *sums + n_copies * sizeof (GArray *));

  sums->n_copies = n_copies;
  for (guint c = 0; c < n_copies; c++)
    {
      producers[c]
          = self->nodes[goban_repetition_index (self, v, get_batch (self, n_copies, c, round))];
      sums->of_copy[c] = g_array_new (FALSE, FALSE, sizeof (guint32));
    }
  steps = goban_collective_add (self->builder, &collective, producers, scope, sums->of_copy);
  for (guint i = 0; i < steps->len; i++)
    add_step (self, v, &g_array_index (steps, GobanCollectiveStep, i), round);
  return sums;
}

/* Reduced at the first question. */
static const Sums *
get_sums (GobanRepetition *self, GobanTensorId t, guint round)
{
  gint64 key = (gint64) t * self->n_batches + round;
  Sums *sums;

  if (self->sums == NULL)
    self->sums = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, sums_free);
  sums = g_hash_table_lookup (self->sums, &key);
  if (sums == NULL)
    {
      sums = reduce (self, t, round);
      g_hash_table_insert (self->sums, g_memdup2 (&key, sizeof key), sums);
    }
  return sums;
}

static void
read_sums (GobanRepetition *self, const Sums *sums, guint copy, guint32 reader)
{
  const GArray *tensors = sums->of_copy[copy];

  for (guint i = 0; i < tensors->len; i++)
    goban_graph_builder_add_edge (self->builder, g_array_index (tensors, guint32, i), reader);
}

/* Adds the edges by which an update reads a reduced gradient, and at the first of them the
 * all-reduces. */
static void
repetition_add_reduced (GobanRepetition *self, const GobanEdge *edge)
{
  guint n_copies = goban_repetition_n_copies (self, edge->tail);
  guint n_updates = goban_repetition_n_copies (self, edge->head);

  if (is_asynchronous (self))
    {
      for (guint b = 0; b < self->n_batches; b++)
        read_sums (self, get_sums (self, edge->tensor, b / n_copies), b % n_copies,
                   self->nodes[goban_repetition_index (self, edge->head, b)]);
      return;
    }

  /* Each backward pass of a copy adds its gradient to the sum of those before it. */
  for (guint b = 0; b + n_copies < self->n_batches; b++)
    goban_graph_builder_add_edge (
        self->builder, self->tensors[goban_repetition_index (self, edge->tensor, b)],
        self->nodes[goban_repetition_index (self, edge->tail, b + n_copies)]);

  for (guint c = 0; c < n_updates; c++)
    read_sums (self, get_sums (self, edge->tensor, 0), c % n_copies,
               self->nodes[goban_repetition_index (self, edge->head, c)]);
}

/* --- passes --------------------------------------------------------------- */

/* A pass is the copies of the nodes of one stage and part with one micro-batch. Those that no
 * other node of the pass precedes wait for the end of the rank's pass before. */

/* A node of a stage's pass of some kind. */
typedef struct
{
  GobanNodeId node;
  guint8 part;
  gboolean is_first; /* nothing of its pass precedes it */
  gboolean is_last;  /* nothing of its pass follows it */
} Member;

typedef struct
{
  GobanRepetition *repetition;
  GArray **members; /* (n_stages x GOBAN_N_COMPUTATIONS) of Member */
} Passes;

static guint8
get_parts (GobanPassKind kind)
{
  static const guint8 parts[GOBAN_N_COMPUTATIONS]
      = { GOBAN_PART_FORWARD, GOBAN_PART_HALVES, GOBAN_PART_INPUT, GOBAN_PART_WEIGHT };

  return parts[kind];
}

static GArray *
get_members (const Passes *self, guint stage, GobanPassKind kind)
{
  return self->members[stage * GOBAN_N_COMPUTATIONS + kind];
}

/* TRUE for an update that no pass waits for, because it waits for other copies. */
static gboolean
is_beside (const GobanRepetition *self, GobanNodeId v)
{
  return self->n_copies != NULL && self->is_update[v] && self->parts.of_node[v] != GOBAN_PART_ONCE;
}

/* Whether an edge into (or out of) the node comes from (or leads to) the same pass. */
static gboolean
is_preceded (const Passes *self, GobanNodeId v, guint8 parts)
{
  const GobanRepetition *r = self->repetition;
  GobanEdgeSpan in = goban_graph_get_in_edges (r->graph, v);

  for (guint i = 0; i < in.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (r->graph, in.ids[i]);

      if (r->options->stages[edge->tail] == r->options->stages[v] && !is_beside (r, edge->tail)
          && (r->parts.of_tensor[edge->tensor] & parts) != 0)
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_followed (const Passes *self, GobanNodeId v, guint8 part, guint8 parts)
{
  const GobanRepetition *r = self->repetition;
  GobanEdgeSpan out = goban_graph_get_out_edges (r->graph, v);

  for (guint i = 0; i < out.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (r->graph, out.ids[i]);

      if (r->options->stages[edge->head] == r->options->stages[v] && !is_beside (r, edge->head)
          && r->parts.of_tensor[edge->tensor] == part
          && (r->parts.of_node[edge->head] & parts) != 0)
        return TRUE;
    }
  return FALSE;
}

static void
find_members (const Passes *self)
{
  const GobanRepetition *r = self->repetition;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (r->graph); v++)
    for (guint8 part = GOBAN_PART_FORWARD; part <= GOBAN_PART_WEIGHT && !is_beside (r, v);
         part <<= 1)
      for (GobanPassKind kind = 0; kind < GOBAN_N_COMPUTATIONS; kind++)
        if ((r->parts.of_node[v] & part & get_parts (kind)) != 0)
          {
            guint8 parts = get_parts (kind);
            Member member = {
              .node = v,
              .part = part,
              .is_first = !is_preceded (self, v, parts),
              .is_last = !is_followed (self, v, part, parts),
            };

            g_array_append_val (get_members (self, self->repetition->options->stages[v], kind),
                                member);
          }
}

static guint32
get_copy (const GobanRepetition *r, const Member *member, guint batch)
{
  gsize i = goban_repetition_index (r, member->node, batch);

  return member->part == GOBAN_PART_WEIGHT ? r->weights[i] : r->nodes[i];
}

/* Returns the builder's node that ends the pass, or @before if it has no nodes. */
static guint32
add_pass (const Passes *self, const GobanStagePass *pass, guint position, guint32 before)
{
  GobanRepetition *r = self->repetition;
  const GArray *members = get_members (self, pass->stage, pass->kind);
  guint rank = goban_schedule_get_batch_rank (r->options->schedule, pass->stage, pass->batch);
  GobanCopyFacts facts = { GOBAN_NO_NODE, rank, -(double) position };
  g_autofree char *word = goban_stage_pass_dup_name (pass, TRUE);
  g_autofree char *name = g_strconcat ("passes/", word, NULL);
  guint32 end;

  if (members->len == 0)
    return before;
  end = goban_graph_builder_add_node (r->builder, name, "Pass");
  goban_graph_builder_get_node (r->builder, end)->micro_batch = pass->batch;
  goban_graph_builder_get_node (r->builder, end)->phase
      = pass->kind == GOBAN_PASS_FORWARD ? GOBAN_PHASE_FORWARD : GOBAN_PHASE_BACKWARD;
  g_array_append_val (r->facts, facts);
  for (guint i = 0; i < members->len; i++)
    {
      const Member *member = &g_array_index (members, Member, i);
      guint32 copy = get_copy (r, member, pass->batch);

      goban_repetition_facts (r, copy)->key = facts.key;
      if (member->is_first && before != GOBAN_NO_NODE)
        goban_graph_builder_add_control_edge (r->builder, before, copy);
      if (member->is_last)
        goban_graph_builder_add_control_edge (r->builder, copy, end);
    }
  return end;
}

static guint32
add_rank (const Passes *self, guint rank)
{
  guint n;
  const GobanStagePass *passes
      = goban_schedule_get_passes (self->repetition->options->schedule, rank, &n);
  guint32 before = GOBAN_NO_NODE;

  for (guint i = 0; i < n; i++)
    if (passes[i].kind < GOBAN_N_COMPUTATIONS)
      before = add_pass (self, &passes[i], i, before);
  return before;
}

/* Variables are read before, and updates made after all passes of a rank, or as soon as they can
 * be, where no pass waits for them. */
static void
add_updates (const Passes *self, const guint32 *ends)
{
  GobanRepetition *r = self->repetition;

  for (guint32 i = 0; i < r->facts->len; i++)
    {
      GobanCopyFacts *facts = goban_repetition_facts (r, i);

      if (facts->origin != GOBAN_NO_NODE)
        {
          if (r->parts.of_node[facts->origin] == GOBAN_PART_SHARED)
            facts->key = 1;
          if (is_beside (r, facts->origin))
            facts->key = GOBAN_SUM_KEY;
          if (r->parts.of_node[facts->origin] == GOBAN_PART_ONCE)
            {
              facts->key = -G_MAXINT;
              if (ends[facts->rank] != GOBAN_NO_NODE)
                goban_graph_builder_add_control_edge (r->builder, ends[facts->rank], i);
            }
        }
      goban_graph_builder_set_group (r->builder, i, facts->rank);
    }
}

/* Adds the nodes that end passes, the control edges of the schedule, the ranks and the keys. */
static void
repetition_add_passes (GobanRepetition *r)
{
  GobanScheduleShape shape = goban_schedule_get_shape (r->options->schedule);
  guint n = shape.n_stages * GOBAN_N_COMPUTATIONS;
  g_autofree GArray **members = g_new (GArray *, n);
  g_autofree guint32 *ends = g_new (guint32, shape.n_ranks);
  Passes self = { r, members };

  for (guint i = 0; i < n; i++)
    members[i] = g_array_new (FALSE, FALSE, sizeof (Member));
  find_members (&self);
  for (guint rank = 0; rank < shape.n_ranks; rank++)
    ends[rank] = add_rank (&self, rank);
  add_updates (&self, ends);
  for (guint i = 0; i < n; i++)
    g_array_unref (members[i]);
}

/* --- micro-batches -------------------------------------------------------- */

#define MOST_COPIES 4000000
#define BYTES_PER_PARAMETER 4.0
#define NODES_BETWEEN_STEPS 4096
#define IS_ONCE (GOBAN_PART_SHARED | GOBAN_PART_ONCE)

/* --- nodes and tensors ---------------------------------------------------------------------- */

static guint32
add_node (GobanRepetition *self, GobanNodeId v, const char *name, double share, guint batch,
          guint rank)
{
  GobanCopyFacts facts = { v, rank, 0 };
  guint32 copy = goban_copy_node (self->builder, self->graph, v, name, share);

  goban_graph_builder_get_node (self->builder, copy)->micro_batch = batch;
  g_array_append_val (self->facts, facts);
  return copy;
}

/* Versions of weights beyond the one that the node has; the state of an optimiser has one. */
static void
add_versions (GobanRepetition *self, GobanNodeId v, guint32 copy)
{
  GobanNode *node = goban_graph_builder_get_node (self->builder, copy);
  double bytes = node->param_count > 0
                     ? MIN (node->param_bytes, node->param_count * BYTES_PER_PARAMETER)
                     : node->param_bytes;

  if (self->options->schedule != NULL && node->phase == GOBAN_PHASE_FORWARD)
    node->param_bytes
        += bytes
           * (goban_schedule_get_n_versions (self->options->schedule, self->options->stages[v])
              - 1);
}

static void
add_copies (GobanRepetition *self, GobanNodeId v)
{
  const GobanNode *node = goban_graph_get_node (self->graph, v);
  gboolean is_cut = self->parts.of_node[v] == GOBAN_PART_HALVES;
  guint n_copies = goban_repetition_n_copies (self, v);

  for (guint b = 0; b < self->n_batches; b++)
    {
      gsize i = goban_repetition_index (self, v, b);
      guint rank = goban_repetition_rank (self, v, b);
      double share = node->phase == GOBAN_PHASE_UPDATE ? 1 : self->share;
      g_autofree char *name = g_strdup_printf ("mb%u/%s", b, node->name);
      g_autofree char *weights = g_strconcat (name, "/weights", NULL);

      self->nodes[i] = add_node (self, v, name, share * (is_cut ? 0.5 : 1), b, rank);
      self->weights[i]
          = is_cut ? add_node (self, v, weights, share * 0.5, b, rank) : self->nodes[i];
      if (b < n_copies)
        add_versions (self, v, self->nodes[i]);
      else
        goban_copy_drop_params (self->builder, self->nodes[i]);
      if (is_cut)
        goban_copy_drop_params (self->builder, self->weights[i]);
    }
}

/* Once for each copy of the stage. */
static void
add_once (GobanRepetition *self, GobanNodeId v)
{
  const char *name = goban_graph_get_node (self->graph, v)->name;
  guint n_copies = goban_repetition_n_copies (self, v);

  for (guint b = 0; b < self->n_batches; b++)
    {
      gsize i = goban_repetition_index (self, v, b);
      g_autofree char *copy_name
          = n_copies > 1 && b < n_copies ? g_strdup_printf ("copy%u/%s", b, name) : NULL;

      if (b < n_copies)
        {
          self->nodes[i] = add_node (self, v, copy_name != NULL ? copy_name : name, 1,
                                     GOBAN_NO_BATCH, goban_repetition_rank (self, v, b));
          add_versions (self, v, self->nodes[i]);
        }
      else
        self->nodes[i] = self->nodes[i - n_copies];
      self->weights[i] = self->nodes[i];
    }
}

/* TRUE if an update reads it: as large for a part of the batch as for the whole. */
static gboolean
is_gradient (const GobanRepetition *self, GobanTensorId t)
{
  GobanEdgeSpan readers = goban_graph_get_tensor_edges (self->graph, t);

  if ((self->parts.of_tensor[t] & GOBAN_PART_HALVES) == 0)
    return FALSE;
  for (guint r = 0; r < readers.n; r++)
    {
      GobanNodeId head = goban_graph_get_edge (self->graph, readers.ids[r])->head;

      if (self->parts.of_node[head] == GOBAN_PART_ONCE
          || goban_graph_get_node (self->graph, head)->phase == GOBAN_PHASE_UPDATE)
        return TRUE;
    }
  return FALSE;
}

static void
add_tensors (GobanRepetition *self)
{
  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (self->graph); t++)
    {
      GobanNodeId v = goban_graph_get_tensor (self->graph, t)->producer;
      guint8 part = self->parts.of_tensor[t];
      guint n_copies = goban_repetition_n_copies (self, v);
      double share = is_gradient (self, t) || part == GOBAN_PART_WEIGHT ? 1 : self->share;

      for (guint b = 0; b < self->n_batches; b++)
        {
          gsize i = goban_repetition_index (self, t, b);
          gsize producer = goban_repetition_index (self, v, b);

          if ((part & IS_ONCE) != 0 && b >= n_copies)
            self->tensors[i] = self->tensors[i - n_copies];
          else if (repetition_is_chunked (self, t, b))
            self->tensors[i] = GOBAN_NO_TENSOR;
          else
            self->tensors[i] = goban_copy_tensor (
                self->builder, self->graph, t,
                part == GOBAN_PART_WEIGHT ? self->weights[producer] : self->nodes[producer],
                (part & IS_ONCE) != 0 ? 1 : share);
        }
    }
}

/* --- edges ---------------------------------------------------------------------------------- */

/* Micro-batches in the order in which the stage computes the part: (n_batches) of @order. */
static void
find_order (const GobanRepetition *self, GobanNodeId v, guint8 part, guint *order)
{
  const GobanSchedule *schedule = self->options->schedule;
  guint stage = schedule != NULL ? self->options->stages[v] : 0;
  guint n_passes = 0, n = 0;
  const GobanStagePass *passes = schedule != NULL ? goban_schedule_get_passes (
                                     schedule, goban_schedule_get_rank (schedule, stage), &n_passes)
                                                  : NULL;

  for (guint i = 0; i < n_passes; i++)
    if (passes[i].stage == stage
        && (passes[i].kind == GOBAN_PASS_BACKWARD
            || passes[i].kind
                   == (part == GOBAN_PART_WEIGHT ? GOBAN_PASS_WEIGHT : GOBAN_PASS_INPUT)))
      order[n++] = passes[i].batch;
  for (guint b = 0; schedule == NULL && b < self->n_batches; b++)
    order[n++] = b;
  g_assert (n == self->n_batches);
}

/* Each backward pass adds its gradient to the sum of those before it; the update reads the last. */
static void
add_sum (GobanRepetition *self, const GobanEdge *edge)
{
  g_autofree guint *order = g_new (guint, self->n_batches);
  guint8 part = self->parts.of_tensor[edge->tensor];
  const guint32 *producers = part == GOBAN_PART_WEIGHT ? self->weights : self->nodes;
  guint n_updates = goban_repetition_n_copies (self, edge->head);

  find_order (self, edge->tail, part, order);
  for (guint i = 0; i < self->n_batches; i++)
    {
      guint32 sum = self->tensors[goban_repetition_index (self, edge->tensor, order[i])];

      if (i + 1 < self->n_batches)
        goban_graph_builder_add_edge (
            self->builder, sum, producers[goban_repetition_index (self, edge->tail, order[i + 1])]);
      for (guint c = 0; c < n_updates && i + 1 == self->n_batches; c++)
        goban_graph_builder_add_edge (self->builder, sum,
                                      self->nodes[goban_repetition_index (self, edge->head, c)]);
    }
}

static void
add_edge (GobanRepetition *self, const GobanEdge *edge)
{
  guint8 head_part = self->parts.of_node[edge->head];
  gboolean is_control = goban_graph_get_tensor (self->graph, edge->tensor)->is_control;
  gboolean is_once
      = (head_part & IS_ONCE) != 0 && (self->parts.of_tensor[edge->tensor] & IS_ONCE) != 0;

  if (self->is_update[edge->head] && repetition_is_reduced (self, edge->tensor))
    {
      repetition_add_reduced (self, edge);
      return;
    }
  if (head_part == GOBAN_PART_ONCE && !is_control
      && (self->parts.of_tensor[edge->tensor] & GOBAN_PART_HALVES) != 0)
    {
      add_sum (self, edge);
      return;
    }
  for (guint b = 0; b < (is_once ? goban_repetition_n_copies (self, edge->head) : self->n_batches);
       b++)
    {
      guint32 tensor = self->tensors[goban_repetition_index (self, edge->tensor, b)];
      gsize head = goban_repetition_index (self, edge->head, b);

      goban_graph_builder_add_edge (self->builder, tensor, self->nodes[head]);
      if (self->weights[head] != self->nodes[head])
        goban_graph_builder_add_edge (self->builder, tensor, self->weights[head]);
    }
}

/* --- groups and keys without a schedule ----------------------------------------------------- */

double
goban_micro_batch_key (GobanPhase phase, guint32 batch, guint n_batches)
{
  if (phase == GOBAN_PHASE_UPDATE)
    return -1;
  if (batch == GOBAN_NO_BATCH)
    return 3.0 * n_batches;
  return (phase == GOBAN_PHASE_FORWARD ? 1.0 : 2.0) * n_batches - batch;
}

static GobanPhase
get_phase (guint8 part)
{
  if (part == GOBAN_PART_ONCE)
    return GOBAN_PHASE_UPDATE;
  return part == GOBAN_PART_FORWARD || part == GOBAN_PART_SHARED ? GOBAN_PHASE_FORWARD
                                                                 : GOBAN_PHASE_BACKWARD;
}

static void
add_keys (GobanRepetition *self)
{
  for (guint32 i = 0; i < self->facts->len; i++)
    {
      GobanCopyFacts *facts = goban_repetition_facts (self, i);
      guint32 batch = goban_graph_builder_get_node (self->builder, i)->micro_batch;

      facts->key = goban_micro_batch_key (get_phase (self->parts.of_node[facts->origin]), batch,
                                          self->n_batches);
    }
}

/* --- the whole ------------------------------------------------------------------------------ */

static gboolean
check_options (const GobanGraph *graph, const GobanMicroBatchOptions *options, guint n_batches,
               GError **error)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);

  if (n_batches < 1 || n_batches > GOBAN_MAX_MICRO_BATCHES)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "a pipeline has 1 to %u micro-batches",
                         GOBAN_MAX_MICRO_BATCHES);
  if ((gsize) n_nodes * n_batches > MOST_COPIES)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "%u nodes with %u micro-batches are more than %u nodes", n_nodes,
                         n_batches, MOST_COPIES);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);

      if (node->micro_batch != GOBAN_NO_BATCH)
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "the graph has micro-batches already: node “%s”", node->name);
      if (options->schedule != NULL && node->phase != GOBAN_PHASE_FORWARD
          && !goban_schedule_get_shape (options->schedule).has_backward)
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "the schedule has no backward passes, but the graph has: node “%s”",
                             node->name);
    }
  return TRUE;
}

static gboolean
check_copies (const GobanMicroBatchOptions *options, guint n_stages, guint n_batches,
              GError **error)
{
  guint n_ranks = 0;

  for (guint s = 0; s < n_stages; s++)
    {
      n_ranks += options->n_copies[s];
      if (options->n_copies[s] < 1 || options->n_copies[s] > n_batches)
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "a stage has 1 to as many copies as there are micro-batches: not %u "
                             "of stage %u with %u",
                             options->n_copies[s], s, n_batches);
    }
  return n_ranks <= GOBAN_MAX_STAGES
         || goban_refuse (error, GOBAN_ERROR_INVALID, "a pipeline has at most %u copies of stages",
                          GOBAN_MAX_STAGES);
}

static gboolean
has_several (const guint *n_copies, guint n_stages)
{
  guint most = 1;

  for (guint s = 0; n_copies != NULL && s < n_stages; s++)
    most = MAX (most, n_copies[s]);
  return most > 1;
}

static void
find_copies (GobanRepetition *self, const guint *n_copies, guint n_stages)
{
  if (!has_several (n_copies, n_stages))
    return;
  self->n_copies = n_copies;
  self->first_ranks = g_new0 (guint, n_stages + 1);
  for (guint s = 0; s < n_stages; s++)
    self->first_ranks[s + 1] = self->first_ranks[s] + n_copies[s];
}

static gboolean
check_size (const GobanRepetition *self, GError **error)
{
  gsize n_steps = repetition_count_steps (self);

  return n_steps <= MOST_COPIES
         || goban_refuse (error, GOBAN_ERROR_INVALID,
                          "the all-reduces of copies of stages have %u steps, more than %u",
                          (guint) MIN (n_steps, G_MAXUINT), MOST_COPIES);
}

static void
repetition_clear (GobanRepetition *self)
{
  g_clear_pointer (&self->first_ranks, g_free);
  g_clear_pointer (&self->is_update, g_free);
  g_clear_pointer (&self->sums, g_hash_table_unref);
  goban_parts_clear (&self->parts);
  g_clear_pointer (&self->builder, goban_graph_builder_free);
  g_clear_pointer (&self->nodes, g_free);
  g_clear_pointer (&self->weights, g_free);
  g_clear_pointer (&self->tensors, g_free);
  g_clear_pointer (&self->facts, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanRepetition, repetition_clear)

static void
warn (const GobanRepetition *self, gboolean cuts)
{
  if (self->share < 1)
    goban_graph_builder_warn (self->builder,
                              "micro-batches are derived: each takes 1/%u of the time and the "
                              "activations of the batch",
                              self->n_batches);
  if (cuts)
    goban_graph_builder_warn (self->builder,
                              "gradients of weights are derived where one op computes them with "
                              "those of its inputs: each takes half of its time");
}

static gboolean
goes_on (const GobanRepetition *self, GobanNodeId v, double fraction, GError **error)
{
  if (v % MAX (NODES_BETWEEN_STEPS / self->n_batches, 1) != 0)
    return TRUE;
  goban_progress_step (self->options->progress, fraction, NULL);
  return goban_progress_check (self->options->progress, error);
}

static gboolean
repeat (GobanRepetition *self, GError **error)
{
  gsize n_nodes = goban_graph_get_n_nodes (self->graph);
  gsize n_tensors = goban_graph_get_n_tensors (self->graph);

  self->nodes = g_new (guint32, n_nodes * self->n_batches + 1);
  self->weights = g_new (guint32, n_nodes * self->n_batches + 1);
  self->tensors = g_new (guint32, n_tensors * self->n_batches + 1);
  self->facts = g_array_new (FALSE, FALSE, sizeof (GobanCopyFacts));
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    {
      if (!goes_on (self, v, 0.1 * v / (double) n_nodes, error))
        return FALSE;
      if ((self->parts.of_node[v] & IS_ONCE) != 0)
        add_once (self, v);
      else
        add_copies (self, v);
    }

  add_tensors (self);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    {
      GobanEdgeSpan in = goban_graph_get_in_edges (self->graph, v);

      if (!goes_on (self, v, 0.1 + 0.4 * v / (double) n_nodes, error))
        return FALSE;
      for (guint i = 0; i < in.n; i++)
        add_edge (self, goban_graph_get_edge (self->graph, in.ids[i]));
    }

  if (self->options->schedule != NULL)
    repetition_add_passes (self);
  else
    {
      /* Parameters are with the copies of an op, but for those of other copies of its stage. */
      guint n_groups = goban_graph_get_n_groups (self->graph);
      guint64 n_keys = (guint64) n_groups + goban_graph_get_n_nodes (self->graph);

      for (guint32 i = 0; i < self->facts->len; i++)
        {
          GobanNodeId v = goban_repetition_facts (self, i)->origin;
          guint32 group = goban_graph_get_node (self->graph, v)->group;
          gboolean is_copied = (self->parts.of_node[v] & IS_ONCE) == 0;

          guint64 rank = self->n_copies != NULL ? goban_repetition_facts (self, i)->rank : 0;

          if (group != GOBAN_NO_GROUP || is_copied)
            goban_graph_builder_set_group (
                self->builder, i,
                rank * n_keys + (group != GOBAN_NO_GROUP ? group : (guint64) n_groups + v));
        }

      add_keys (self);
    }
  return TRUE;
}

GobanMicroBatches *
goban_micro_batches_new (const GobanGraph *graph, const GobanMicroBatchOptions *options,
                         GError **error)
{
  const GobanSchedule *schedule = options->schedule;
  guint n_batches
      = schedule != NULL ? goban_schedule_get_shape (schedule).n_batches : options->n_batches;
  guint n_stages
      = schedule != NULL ? goban_schedule_get_shape (schedule).n_stages : options->n_stages;
  gboolean cuts = schedule != NULL && goban_schedule_splits_backward (schedule);
  g_autofree char *name = NULL;
  g_auto (GobanRepetition) self = {
    .graph = graph,
    .options = options,
    .n_batches = n_batches,
    .share = options->splits ? 1.0 / n_batches : 1,
  };

  if (!check_options (graph, options, n_batches, error)
      || (schedule == NULL && options->n_copies != NULL
          && !check_copies (options, n_stages, n_batches, error)))
    return NULL;
  name = g_strdup_printf ("%s, %u micro-batches", goban_graph_get_name (graph), n_batches);
  goban_parts_init (&self.parts, graph, cuts);

  /* Before updates join the passes. */
  guint n_nodes = goban_graph_get_n_nodes (self.graph);

  self.is_update = g_new (gboolean, n_nodes + 1);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    self.is_update[v] = self.parts.of_node[v] == GOBAN_PART_ONCE;

  find_copies (&self,
               schedule != NULL ? goban_schedule_get_shape (schedule).n_copies : options->n_copies,
               n_stages);
  if (schedule != NULL && goban_schedule_is_asynchronous (schedule))
    goban_parts_join_updates (&self.parts, graph);
  if (!check_size (&self, error))
    return NULL;
  self.builder = goban_copy_begin (graph, name);
  warn (&self, cuts);
  if (!repeat (&self, error))
    return NULL;

  g_autofree GobanNodeId *ids = NULL;
  g_autofree GobanMicroBatches *made = g_new0 (GobanMicroBatches, 1);
  guint n = self.facts->len;

  made->graph = goban_graph_builder_finish (self.builder, &ids, error);
  if (made->graph == NULL)
    return NULL;
  made->origins = g_new (GobanNodeId, n + 1);
  made->keys = g_new (double, n + 1);
  if (self.options->schedule != NULL || self.n_copies != NULL)
    made->ranks = g_new (guint, n + 1);
  for (guint32 i = 0; i < n; i++)
    {
      const GobanCopyFacts *facts = goban_repetition_facts (&self, i);

      made->origins[ids[i]] = facts->origin;
      made->keys[ids[i]] = facts->key;
      if (made->ranks != NULL)
        made->ranks[ids[i]] = facts->rank;
    }
  return g_steal_pointer (&made);
}

void
goban_micro_batches_free (GobanMicroBatches *self)
{
  g_clear_pointer (&self->graph, goban_graph_unref);
  g_free (self->origins);
  g_free (self->ranks);
  g_free (self->keys);
  g_free (self);
}
