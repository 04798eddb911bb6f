/* The order of a schedule as control edges.
 *
 * A pass is the copies of the nodes of one stage and part with one micro-batch. Those that no
 * other node of the pass precedes wait for the end of the rank's pass before.
 */
#include "engine/machine/parallel/micro-batches-private.h"

#include "engine/machine/parallel/schedule-private.h"

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

void
goban_repetition_add_passes (GobanRepetition *r)
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
