#include "engine/sim/trace-private.h"

/* Where the walk back through the run stands: an op, or a transfer. */
typedef struct
{
  gboolean is_transfer;
  guint32 id; /* node or move */
} Place;

/* The first of the op's inputs that came last. */
static GobanWait
find_last_input (const GobanSimulator *sim, const SimRecord *record, GobanNodeId v, Place *cause)
{
  for (guint32 i = sim->first_input[v]; i < sim->first_input[v + 1]; i++)
    {
      guint32 holding = sim->input_holding[i];
      gboolean is_moved = holding >= sim->n_tensors;
      guint32 id = is_moved ? holding - sim->n_tensors : sim->tensor_node[holding];
      const GobanOpSpan *span = is_moved ? &record->moves[id] : &record->ops[id];

      if (span->finish_us == record->ops[v].ready_us)
        {
          *cause = (Place){ is_moved, id };
          return is_moved ? GOBAN_WAIT_ARRIVAL : GOBAN_WAIT_INPUT;
        }
    }
  return GOBAN_WAIT_NONE;
}

/* Why it started when it did. The cause finished at that time and in an earlier round, so
 * the walk cannot go in circles even among ops that take no time. */
static GobanWait
find_cause (const GobanSimulator *sim, const SimRecord *record, Place place, Place *cause)
{
  if (place.is_transfer)
    {
      const GobanOpSpan *move = &record->moves[place.id];

      if (move->start_us > move->ready_us)
        {
          *cause = (Place){ TRUE, record->blocker[place.id] };
          return GOBAN_WAIT_CHANNEL;
        }
      *cause = (Place){ FALSE, sim->tensor_node[sim->move_tensor[place.id]] };
      return GOBAN_WAIT_PRODUCER;
    }
  if (record->ops[place.id].start_us > record->ops[place.id].ready_us)
    {
      *cause = (Place){ FALSE, record->previous_op[place.id] };
      return GOBAN_WAIT_DEVICE;
    }
  return find_last_input (sim, record, place.id, cause);
}

static void
reverse (GArray *steps)
{
  for (guint i = 0; i < steps->len / 2; i++)
    {
      GobanStep *a = &g_array_index (steps, GobanStep, i);
      GobanStep *b = &g_array_index (steps, GobanStep, steps->len - 1 - i);
      GobanStep kept = *a;

      *a = *b;
      *b = kept;
    }
}

GobanStep *
goban_trace_find_path (const GobanSimulator *sim, const SimRecord *record,
                       const guint32 *index_of_move, guint *n)
{
  GArray *steps = g_array_new (FALSE, FALSE, sizeof (GobanStep));
  Place place = { FALSE, 0 };
  GobanWait wait = GOBAN_WAIT_INPUT;

  /* Of several that finish last the highest id, since others may have led to it in no time. */
  for (guint v = 1; v < sim->n_nodes; v++)
    if (record->ops[v].finish_us >= record->ops[place.id].finish_us)
      place.id = v;

  while (sim->n_nodes > 0 && wait != GOBAN_WAIT_NONE)
    {
      const GobanOpSpan *span
          = place.is_transfer ? &record->moves[place.id] : &record->ops[place.id];
      Place cause = place;
      GobanStep step;

      wait = find_cause (sim, record, place, &cause);
      step = (GobanStep){ place.is_transfer, place.is_transfer ? index_of_move[place.id] : place.id,
                          wait, span->start_us - span->ready_us };
      g_array_append_val (steps, step);
      place = cause;
    }
  reverse (steps);
  *n = steps->len;
  return (GobanStep *) (void *) g_array_free (steps, FALSE);
}
