/* critical-path.c: causes of the start times of ops and transfers, and the critical path along
 * them. */
#include "engine/sim/trace-build.h"

/* Ops of the run are kernels; the cause is stored for all nodes of a kernel, by its lowest. */
static guint32 *
spread_previous (const GobanSimulator *sim, const SimRecord *record)
{
  const GobanContracted *ops = sim->fused.ops;
  guint n_nodes = sim->own.n_nodes;
  guint32 *previous;

  if (ops == NULL)
    return g_memdup2 (record->previous_op, n_nodes * sizeof *record->previous_op);

  previous = g_new (guint32, n_nodes);
  for (guint v = 0; v < n_nodes; v++)
    {
      guint32 op = record->previous_op[ops->op_of[v]];

      previous[v] = op == SIM_NONE ? SIM_NONE : ops->member[ops->first_member[op]];
    }
  return previous;
}

void
goban_trace_keep_causes (GobanTrace *self, const GobanSimulator *sim, const SimRecord *record,
                         const TracePlaces *places)
{
  const guint32 *index = places->index;

  self->previous_op = spread_previous (sim, record);
  self->blocker = g_new (guint32, record->n_moves + 1);
  self->by_tensor = g_new (guint32, record->n_moves + 1);
  for (guint32 m = 0; m < record->n_moves; m++)
    {
      gboolean is_blocked = record->moves[m].start_us > record->moves[m].ready_us;

      self->by_tensor[places->rank[m]] = index[m];
      self->blocker[index[m]] = is_blocked ? index[record->blocker[m]] : SIM_NONE;
    }
}

/* Each tensor goes once to each device, and by_tensor ascends by the two. */
guint32
goban_trace_find_transfer (const GobanTrace *self, GobanTensorId tensor, GobanDeviceId to)
{
  guint32 first = 0, end = self->n_transfers;

  while (first < end)
    {
      guint32 middle = first + (end - first) / 2;
      const GobanTransfer *transfer = &self->transfers[self->by_tensor[middle]];

      if (transfer->tensor == tensor && transfer->to == to)
        return self->by_tensor[middle];
      if (transfer->tensor < tensor || (transfer->tensor == tensor && transfer->to < to))
        first = middle + 1;
      else
        end = middle;
    }
  return SIM_NONE;
}

/* The first of the node's inputs, but from its own kernel, that came last. */
static GobanWait
find_last_input_of (const GobanTrace *self, GobanNodeId v, guint32 *cause)
{
  const GobanGraph *graph = goban_cost_model_get_graph (self->costs);
  GobanDeviceId device = goban_plan_get_device (self->plan, v);
  GobanEdgeSpan inputs = goban_graph_get_in_edges (graph, v);
  GobanNodeId kernel = goban_trace_get_kernel (self, v);

  for (guint i = 0; i < inputs.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, inputs.ids[i]);
      GobanNodeId tail = goban_trace_get_kernel (self, edge->tail);
      gboolean is_near = goban_plan_get_device (self->plan, tail) == device;
      guint32 index = is_near ? tail : goban_trace_find_transfer (self, edge->tensor, device);

      if (tail != kernel
          && (is_near ? self->ops[index].finish_us : self->transfers[index].finish_us)
                 == self->ops[v].ready_us)
        {
          *cause = index;
          return is_near ? GOBAN_WAIT_INPUT : GOBAN_WAIT_ARRIVAL;
        }
    }
  return GOBAN_WAIT_NONE;
}

/* Why it started when it did. The cause finished at that time and in an earlier round, so
 * the walk cannot go in circles even among ops that take no time. */
static GobanWait
find_cause (const GobanTrace *self, gboolean is_transfer, guint32 index, guint32 *cause)
{
  if (is_transfer)
    {
      const GobanTransfer *transfer = &self->transfers[index];
      const GobanGraph *graph = goban_cost_model_get_graph (self->costs);

      if (transfer->start_us > transfer->ready_us)
        {
          *cause = self->blocker[index];
          return GOBAN_WAIT_CHANNEL;
        }
      *cause = goban_trace_get_kernel (self,
                                       goban_graph_get_tensor (graph, transfer->tensor)->producer);
      return GOBAN_WAIT_PRODUCER;
    }
  if (self->ops[index].start_us > self->ops[index].ready_us)
    {
      *cause = self->previous_op[index];
      return GOBAN_WAIT_DEVICE;
    }

  GobanNodeId node = index;
  GobanNodeId v = goban_trace_get_kernel (self, node);

  for (; v != GOBAN_NO_NODE; v = goban_trace_get_next_fused (self, v))
    {
      GobanWait wait = find_last_input_of (self, v, cause);

      if (wait != GOBAN_WAIT_NONE)
        return wait;
    }
  return GOBAN_WAIT_NONE;
}

GobanStep
goban_trace_get_step (const GobanTrace *self, gboolean is_transfer, guint32 index)
{
  guint32 cause = index;
  GobanStep step = { .is_transfer = is_transfer, .index = index };

  step.wait = find_cause (self, is_transfer, index, &cause);
  step.waited_us = is_transfer ? self->transfers[index].start_us - self->transfers[index].ready_us
                               : self->ops[index].start_us - self->ops[index].ready_us;
  return step;
}

gboolean
goban_trace_get_cause (const GobanTrace *self, const GobanStep *step, GobanStep *cause)
{
  guint32 index = step->index;
  GobanWait wait = find_cause (self, step->is_transfer, step->index, &index);

  if (wait == GOBAN_WAIT_NONE)
    return FALSE;

  *cause = goban_trace_get_step (self, wait == GOBAN_WAIT_ARRIVAL || wait == GOBAN_WAIT_CHANNEL,
                                 index);
  return TRUE;
}

GobanStep *
goban_trace_find_path (const GobanTrace *self, guint *n)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (self->costs));
  GArray *steps = g_array_new (FALSE, FALSE, sizeof (GobanStep));
  GobanNodeId last = 0;
  GobanStep step;
  gboolean is_caused = n_nodes > 0;

  /* Begin with the highest id of several ops that finish last, since others may have led to it in
   * no time. */
  for (guint v = 1; v < n_nodes; v++)
    if (self->ops[v].finish_us >= self->ops[last].finish_us)
      last = goban_trace_get_kernel (self, v);

  for (step = is_caused ? goban_trace_get_step (self, FALSE, last) : (GobanStep){ 0 }; is_caused;
       is_caused = goban_trace_get_cause (self, &step, &step))
    g_array_append_val (steps, step);

  for (guint i = 0; i < steps->len / 2; i++)
    {
      GobanStep *a = &g_array_index (steps, GobanStep, i);
      GobanStep *b = &g_array_index (steps, GobanStep, steps->len - 1 - i);
      GobanStep kept = *a;

      *a = *b;
      *b = kept;
    }

  *n = steps->len;
  return (GobanStep *) (void *) g_array_free (steps, FALSE);
}
