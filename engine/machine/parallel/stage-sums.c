/* Gradients of a stage with copies: each copy adds up those of its micro-batches, and a ring of the
 * copies all-reduces the sums, of each gradient by itself.
 *
 * A round is what is reduced together: the last micro-batch of each copy, which has its sum, or in
 * an asynchronous schedule a micro-batch of each.
 */
#include "engine/machine/parallel/collective.h"
#include "engine/machine/parallel/micro-batches-private.h"

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

gboolean
goban_repetition_is_reduced (const GobanRepetition *self, GobanTensorId t)
{
  GobanNodeId v = get_producer (self, t);

  return goban_repetition_n_copies (self, v) > 1 && !self->is_update[v]
         && !goban_graph_get_tensor (self->graph, t)->is_control
         && (self->parts.of_tensor[t] & GOBAN_PART_HALVES) != 0
         && count_readers (self, t, TRUE) > 0;
}

gboolean
goban_repetition_is_chunked (const GobanRepetition *self, GobanTensorId t, guint batch)
{
  guint n_copies = goban_repetition_n_copies (self, get_producer (self, t));

  return (is_asynchronous (self) || batch + n_copies >= self->n_batches)
         && goban_repetition_is_reduced (self, t) && count_readers (self, t, FALSE) == 0;
}

gsize
goban_repetition_count_steps (const GobanRepetition *self)
{
  gsize n_steps = 0;

  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (self->graph); t++)
    if (goban_repetition_is_reduced (self, t))
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

void
goban_repetition_add_reduced (GobanRepetition *self, const GobanEdge *edge)
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
