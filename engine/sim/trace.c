#include "engine/sim/trace-private.h"

#include <string.h>

#include "engine/core/quantity.h"
#include "engine/sim/simulator-private.h"

GobanTrace *
goban_trace_ref (GobanTrace *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
goban_trace_unref (GobanTrace *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  goban_cost_model_unref (self->costs);
  goban_plan_unref (self->plan);
  g_free (self->why);
  g_free (self->ops);
  g_free (self->transfers);
  g_free (self->uses);
  g_free (self->path);
  g_free (self->kernel);
  g_free (self->next);
  g_free (self->previous_op);
  g_free (self->blocker);
  g_free (self->by_tensor);
  g_free (self->levels);
  g_free (self->first_level);
  g_free (self);
}

GobanCostModel *
goban_trace_get_costs (const GobanTrace *self)
{
  return self->costs;
}

GobanPlan *
goban_trace_get_plan (const GobanTrace *self)
{
  return self->plan;
}

double
goban_trace_get_makespan (const GobanTrace *self)
{
  return self->makespan_us;
}

double
goban_trace_get_overflow_bytes (const GobanTrace *self)
{
  return self->overflow_bytes;
}

gboolean
goban_trace_is_valid (const GobanTrace *self)
{
  return self->why[0] == '\0';
}

const char *
goban_trace_get_why (const GobanTrace *self)
{
  return self->why;
}

const GobanOutOfMemory *
goban_trace_get_out_of_memory (const GobanTrace *self)
{
  return self->is_out_of_memory ? &self->out_of_memory : NULL;
}

const GobanOpSpan *
goban_trace_get_ops (const GobanTrace *self)
{
  return self->ops;
}

GobanNodeId
goban_trace_get_kernel (const GobanTrace *self, GobanNodeId node)
{
  return self->kernel != NULL ? self->kernel[node] : node;
}

GobanNodeId
goban_trace_get_next_fused (const GobanTrace *self, GobanNodeId node)
{
  return self->next != NULL ? self->next[node] : GOBAN_NO_NODE;
}

gboolean
goban_trace_is_fused (const GobanTrace *self)
{
  return goban_plan_is_fused (self->plan);
}

/* TRUE if the tensor is read inside the kernel that makes it, and nowhere else. */
static gboolean
trace_is_internal (const GobanTrace *self, GobanTensorId tensor)
{
  const GobanGraph *graph = goban_cost_model_get_graph (self->costs);
  GobanEdgeSpan edges = goban_graph_get_tensor_edges (graph, tensor);
  GobanNodeId producer = goban_graph_get_tensor (graph, tensor)->producer;

  if (self->kernel == NULL || edges.n == 0)
    return FALSE;
  for (guint i = 0; i < edges.n; i++)
    if (self->kernel[goban_graph_get_edge (graph, edges.ids[i])->head] != self->kernel[producer])
      return FALSE;
  return TRUE;
}

const GobanTransfer *
goban_trace_get_transfers (const GobanTrace *self, guint *n)
{
  *n = self->n_transfers;
  return self->transfers;
}

const GobanDeviceUse *
goban_trace_get_uses (const GobanTrace *self)
{
  return self->uses;
}

double
goban_trace_get_transferred_bytes (const GobanTrace *self)
{
  return self->transferred_bytes;
}

const GobanBounds *
goban_trace_get_bounds (const GobanTrace *self)
{
  return &self->bounds;
}

const GobanStep *
goban_trace_get_critical_path (const GobanTrace *self, guint *n)
{
  *n = self->n_path;
  return self->path;
}

/* --- a step in words --------------------------------------------------------------------- */

typedef struct
{
  const GobanTrace *trace;
  const GobanGraph *graph;
  const GobanCluster *cluster;
} Speaker;

static const char *
name_of_device (const Speaker *self, GobanDeviceId device)
{
  return goban_cluster_get_device (self->cluster, device)->name;
}

static const char *
name_of_node (const Speaker *self, GobanNodeId node)
{
  return goban_graph_get_node (self->graph, node)->name;
}

static const char *
name_of_tensor (const Speaker *self, GobanTensorId tensor)
{
  return name_of_node (self, goban_graph_get_tensor (self->graph, tensor)->producer);
}

/* "“enc/concat”", or "“enc/concat” and 2 fused with it". */
static void
append_op (GString *text, const Speaker *self, GobanNodeId node)
{
  GobanNodeId other = goban_trace_get_kernel (self->trace, node);
  guint n_others = 0;

  while ((other = goban_trace_get_next_fused (self->trace, other)) != GOBAN_NO_NODE)
    n_others++;
  g_string_append_printf (text, "“%s”", name_of_node (self, node));
  if (n_others > 0)
    g_string_append_printf (text, " and %u fused with it", n_others);
}

/* As an op, or "“enc/concat” from gpu:0 to gpu:1". */
static void
append_cause (GString *text, const Speaker *self, const GobanStep *cause)
{
  const GobanTransfer *transfer;

  if (!cause->is_transfer)
    {
      append_op (text, self, cause->index);
      return;
    }
  transfer = &self->trace->transfers[cause->index];
  g_string_append_printf (text, "“%s” from %s to %s", name_of_tensor (self, transfer->tensor),
                          name_of_device (self, transfer->from),
                          name_of_device (self, transfer->to));
}

static void
append_wait (GString *text, const Speaker *self, const GobanStep *step)
{
  GobanStep cause;
  gboolean is_caused = goban_trace_get_cause (self->trace, step, &cause);
  char wait[GOBAN_QUANTITY_LEN];

  goban_format_time (wait, step->waited_us);
  switch (step->wait)
    {
    case GOBAN_WAIT_NONE:
      g_string_append (text, "starts the run");
      return;
    case GOBAN_WAIT_INPUT:
      g_string_append (text, "starts when its input is ready, made here by ");
      break;
    case GOBAN_WAIT_ARRIVAL:
      g_string_append (text, "starts when its input arrives, ");
      break;
    case GOBAN_WAIT_DEVICE:
      g_string_append_printf (text, "waits %s for the device, busy with ", wait);
      break;
    case GOBAN_WAIT_PRODUCER:
      g_string_append (text, "leaves as soon as it is made by ");
      break;
    case GOBAN_WAIT_CHANNEL:
      g_string_append_printf (text, "waits %s for a channel, held by ", wait);
      break;
    }
  if (is_caused)
    append_cause (text, self, &cause);
}

char *
goban_trace_describe_step (const GobanTrace *self, const GobanStep *step)
{
  Speaker speaker = { self, goban_cost_model_get_graph (self->costs),
                      goban_cost_model_get_cluster (self->costs) };
  GString *text = g_string_new (NULL);
  char took[GOBAN_QUANTITY_LEN];

  if (step->is_transfer)
    {
      const GobanTransfer *transfer = &self->transfers[step->index];

      goban_format_time (took, transfer->finish_us - transfer->start_us);
      append_cause (text, &speaker, step);
      g_string_append (text, ": ");
      append_wait (text, &speaker, step);
      g_string_append_printf (text, ", then travels %s", took);
    }
  else
    {
      const GobanOpSpan *span = &self->ops[step->index];

      goban_format_time (took, span->finish_us - span->start_us);
      append_op (text, &speaker, step->index);
      g_string_append_printf (
          text,
          " on %s: ", name_of_device (&speaker, goban_plan_get_device (self->plan, step->index)));
      append_wait (text, &speaker, step);
      g_string_append_printf (text, ", then runs %s", took);
    }
  return g_string_free (text, FALSE);
}

/* --- the critical path ---------------------------------------------------- */

/* Index of every move of a run in its trace. */
typedef struct
{
  guint32 *rank;  /* (n_moves) by (tensor, device) of the graph */
  guint32 *index; /* (n_moves) by (start, tensor, device): of the transfer */
} TracePlaces;

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

/* Stores the predecessors of ops and transfers, by the graph's nodes. */
static void
trace_keep_causes (GobanTrace *self, const GobanSimulator *sim, const SimRecord *record,
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

/* --- memory --------------------------------------------------------------- */

/* A tensor in a device's memory, from start to end. */
typedef struct
{
  double start_us;
  double end_us;
  double size_bytes;
  GobanNodeId producer;
  gboolean is_transfer; /* it came from elsewhere */
} Holding;

/* When the last consumer of the tensor on the device has finished, or -1. */
static double
last_use_us (const GobanTrace *self, const GobanGraph *graph, GobanTensorId tensor,
             GobanDeviceId device)
{
  GobanEdgeSpan edges = goban_graph_get_tensor_edges (graph, tensor);
  double last_us = -1;

  for (guint i = 0; i < edges.n; i++)
    {
      GobanNodeId head = goban_graph_get_edge (graph, edges.ids[i])->head;

      if (goban_plan_get_device (self->plan, head) == device)
        last_us = MAX (last_us, self->ops[head].finish_us);
    }
  return last_us;
}

static void
add_holding (GArray *holdings, Holding holding)
{
  if (holding.end_us > holding.start_us && holding.size_bytes > 0)
    g_array_append_val (holdings, holding);
}

/* When the last transfer of each tensor has arrived, 0 without one. (transfer full) */
static double *
find_sent (const GobanTrace *self, guint n_tensors)
{
  double *sent_us = g_new0 (double, MAX (n_tensors, 1));

  for (guint i = 0; i < self->n_transfers; i++)
    {
      const GobanTransfer *transfer = &self->transfers[i];

      sent_us[transfer->tensor] = MAX (sent_us[transfer->tensor], transfer->finish_us);
    }
  return sent_us;
}

/* Everything that takes room on a device for some time: tensors made there in order of id, then
 * transfers in the trace's order. O(N + E + transfers x consumers of a tensor). (transfer full) */
static GArray *
find_holdings (const GobanTrace *self, GobanDeviceId device)
{
  const GobanGraph *graph = goban_cost_model_get_graph (self->costs);
  guint n_tensors = goban_graph_get_n_tensors (graph);
  g_autofree double *sent_us = find_sent (self, n_tensors);
  GArray *holdings = g_array_new (FALSE, FALSE, sizeof (Holding));

  for (guint t = 0; t < n_tensors; t++)
    {
      const GobanTensor *tensor = goban_graph_get_tensor (graph, t);
      const GobanOpSpan *span = &self->ops[tensor->producer];
      double end_us;

      if (goban_plan_get_device (self->plan, tensor->producer) != device
          || trace_is_internal (self, t))
        continue;
      end_us = MAX (span->finish_us, MAX (sent_us[t], last_use_us (self, graph, t, device)));
      add_holding (holdings,
                   (Holding){ span->start_us, end_us, sim_whole_bytes (tensor->size_bytes),
                              tensor->producer, FALSE });
    }
  for (guint i = 0; i < self->n_transfers; i++)
    {
      const GobanTransfer *transfer = &self->transfers[i];
      const GobanTensor *tensor = goban_graph_get_tensor (graph, transfer->tensor);

      if (transfer->to == device)
        add_holding (holdings,
                     (Holding){ transfer->start_us,
                                last_use_us (self, graph, transfer->tensor, device),
                                sim_whole_bytes (tensor->size_bytes), tensor->producer, TRUE });
    }
  return holdings;
}

/* --- the staircase ----------------------------------------------------------------------- */

/* Stores the memory levels of the devices. */
static void
trace_keep_levels (GobanTrace *self, GArray *const *levels, guint n_devices)
{
  guint n = 0;

  self->first_level = g_new (guint, n_devices + 1);
  for (guint d = 0; d < n_devices; d++)
    {
      self->first_level[d] = n;
      n += levels[d]->len;
    }
  self->first_level[n_devices] = n;
  self->levels = g_new (GobanMemoryPoint, n);
  for (guint d = 0; d < n_devices; d++)
    if (levels[d]->len > 0)
      memcpy (self->levels + self->first_level[d], levels[d]->data,
              levels[d]->len * sizeof *self->levels);
}

/* A recorded run has no measured tensors: only parameters are counted. (transfer full) */
static GobanMemoryPoint *
keep_params (const GobanTrace *self, GobanDeviceId device, guint *n)
{
  GobanMemoryPoint *points = g_new0 (GobanMemoryPoint, 1);

  for (guint v = 0; v < goban_plan_get_n_nodes (self->plan); v++)
    if (goban_plan_get_device (self->plan, v) == device)
      points->bytes += sim_whole_bytes (goban_cost_model_param_bytes (self->costs, v));
  *n = 1;
  return points;
}

GobanMemoryPoint *
goban_trace_get_memory (const GobanTrace *self, GobanDeviceId device, guint *n)
{
  *n = 0;
  g_return_val_if_fail (device < goban_plan_get_n_devices (self->plan), NULL);

  if (self->ops == NULL)
    return NULL;
  if (self->levels == NULL)
    return keep_params (self, device, n);

  *n = self->first_level[device + 1] - self->first_level[device];
  return g_memdup2 (self->levels + self->first_level[device], *n * sizeof *self->levels);
}

/* --- out of memory ----------------------------------------------------------------------- */

typedef struct
{
  double size_bytes;
  GobanNodeId node;
  gboolean is_parameter;
} Holder;

#define N_LARGEST 3

/* Keeps the largest, the earlier of equals first. */
static void
note_holder (Holder *largest, guint *n, Holder holder)
{
  guint i = *n;

  if (holder.size_bytes <= 0)
    return;
  while (i > 0 && largest[i - 1].size_bytes < holder.size_bytes)
    i--;
  if (i == N_LARGEST)
    return;
  if (*n < N_LARGEST)
    (*n)++;
  for (guint j = *n - 1; j > i; j--)
    largest[j] = largest[j - 1];
  largest[i] = holder;
}

static void
say (GobanTrace *self, const Holder *largest, guint n_largest)
{
  const GobanOutOfMemory *oom = &self->out_of_memory;
  const GobanGraph *graph = goban_cost_model_get_graph (self->costs);
  const GobanCluster *cluster = goban_cost_model_get_cluster (self->costs);
  const char *name = goban_graph_get_node (graph, oom->node)->name;
  GobanDeviceId home = goban_plan_get_device (self->plan, oom->node);
  GString *text = g_string_new (goban_cluster_get_device (cluster, oom->device)->name);
  char when[GOBAN_QUANTITY_LEN];
  char needed[GOBAN_QUANTITY_LEN];
  char in_use[GOBAN_QUANTITY_LEN];
  char capacity[GOBAN_QUANTITY_LEN];
  double all_bytes = 0; /* parameters */

  for (guint v = 0; oom->is_parameter && v < goban_plan_get_n_nodes (self->plan); v++)
    if (goban_plan_get_device (self->plan, v) == oom->device)
      all_bytes += sim_whole_bytes (goban_cost_model_param_bytes (self->costs, v));
  goban_format_time (when, oom->time_us);
  goban_format_bytes (needed, oom->needed_bytes);
  goban_format_bytes (in_use, oom->in_use_bytes);
  goban_format_bytes (capacity, oom->capacity_bytes);
  if (oom->is_parameter)
    g_string_append_printf (
        text, " runs out of memory before the start: the parameters of “%s” need %s", name, needed);
  else if (oom->is_transfer)
    g_string_append_printf (text, " runs out of memory at %s: “%s” from %s needs %s", when, name,
                            goban_cluster_get_device (cluster, home)->name, needed);
  else
    g_string_append_printf (text, " runs out of memory at %s: “%s” needs %s", when, name, needed);
  g_string_append_printf (text, ", %s of %s are in use", in_use, capacity);
  if (oom->is_parameter && all_bytes > oom->in_use_bytes + oom->needed_bytes)
    g_string_append_printf (text, ", and the parameters of all its ops need %s",
                            goban_format_bytes (needed, all_bytes));

  for (guint i = 0; i < n_largest; i++)
    {
      goban_format_bytes (needed, largest[i].size_bytes);
      g_string_append (text, i > 0            ? ", "
                             : n_largest == 1 ? "; the largest is "
                                              : "; the largest are ");
      g_string_append_printf (text, "“%s” %s%s",
                              goban_graph_get_node (graph, largest[i].node)->name, needed,
                              largest[i].is_parameter ? " of parameters" : "");
    }
  self->why = g_string_free (text, FALSE);
}

/* The parameters that no longer fit, if already they do not. */
static gboolean
blame_params (GobanTrace *self, Holder *largest, guint *n_largest)
{
  GobanOutOfMemory *oom = &self->out_of_memory;
  guint n_nodes = goban_plan_get_n_nodes (self->plan);

  oom->is_parameter = TRUE;
  for (guint v = 0; v < n_nodes; v++)
    {
      if (goban_plan_get_device (self->plan, v) != oom->device)
        continue;
      oom->node = v;
      oom->needed_bytes = sim_whole_bytes (goban_cost_model_param_bytes (self->costs, v));
      if (oom->in_use_bytes + oom->needed_bytes > oom->capacity_bytes)
        return TRUE;
      oom->in_use_bytes += oom->needed_bytes;
      note_holder (largest, n_largest, (Holder){ oom->needed_bytes, v, TRUE });
    }
  oom->is_parameter = FALSE;
  return FALSE;
}

/* Allocations at that time happen in the order of the holdings; all outputs of an op together. */
static void
blame_holding (GobanTrace *self, const GArray *holdings, Holder *largest, guint *n_largest)
{
  GobanOutOfMemory *oom = &self->out_of_memory;

  for (guint i = 0; i < holdings->len; i++)
    {
      const Holding *holding = &g_array_index (holdings, Holding, i);

      if (holding->start_us >= oom->time_us || holding->end_us <= oom->time_us)
        continue;
      oom->in_use_bytes += holding->size_bytes;
      note_holder (largest, n_largest, (Holder){ holding->size_bytes, holding->producer, FALSE });
    }
  for (guint i = 0; i < holdings->len;)
    {
      const Holding *first = &g_array_index (holdings, Holding, i);
      double needed_bytes = 0;

      if (first->start_us != oom->time_us)
        {
          i++;
          continue;
        }
      for (; i < holdings->len; i++)
        {
          const Holding *holding = &g_array_index (holdings, Holding, i);

          if (holding->producer != first->producer || holding->is_transfer != first->is_transfer
              || holding->start_us != oom->time_us || (holding > first && first->is_transfer))
            break;
          needed_bytes += holding->size_bytes;
        }
      oom->node = first->producer;
      oom->is_transfer = first->is_transfer;
      oom->needed_bytes = needed_bytes;
      if (oom->in_use_bytes + needed_bytes > oom->capacity_bytes)
        return;
      oom->in_use_bytes += needed_bytes;
      note_holder (largest, n_largest, (Holder){ needed_bytes, first->producer, FALSE });
    }
}

/* Finds the first allocation that exceeds the device's memory, at overflow_time_us, and
 * describes it. */
static void
trace_explain_memory (GobanTrace *self, GobanDeviceId device, double overflow_time_us)
{
  const GobanCluster *cluster = goban_cost_model_get_cluster (self->costs);
  Holder largest[N_LARGEST];
  guint n_largest = 0;

  self->is_out_of_memory = TRUE;
  self->out_of_memory = (GobanOutOfMemory){
    .device = device,
    .time_us = overflow_time_us,
    .capacity_bytes = goban_cluster_get_device (cluster, device)->memory_bytes,
  };
  if (!blame_params (self, largest, &n_largest))
    {
      g_autoptr (GArray) holdings = find_holdings (self, device);

      blame_holding (self, holdings, largest, &n_largest);
    }
  say (self, largest, n_largest);
}

/* --- from a run ----------------------------------------------------------- */

GobanTrace *
goban_trace_new_empty (GobanCostModel *costs, GobanPlan *plan, const GobanBounds *bounds)
{
  GobanTrace *self = g_new0 (GobanTrace, 1);
  guint n_devices = goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs));

  g_atomic_ref_count_init (&self->refs);
  self->costs = goban_cost_model_ref (costs);
  self->plan = goban_plan_ref (plan);
  self->bounds = *bounds;
  self->uses = g_new0 (GobanDeviceUse, n_devices);
  return self;
}

GobanTrace *
goban_trace_new_failed (GobanCostModel *costs, GobanPlan *plan, const GobanBounds *bounds,
                        const char *why)
{
  GobanTrace *self = goban_trace_new_empty (costs, plan, bounds);

  self->makespan_us = SIM_NEVER_US;
  self->why = g_strdup (why);
  return self;
}

int
goban_transfer_compare_by_tensor (const GobanTransfer *a, const GobanTransfer *b)
{
  if (a->tensor != b->tensor)
    return a->tensor < b->tensor ? -1 : 1;
  return (a->to > b->to) - (a->to < b->to);
}

int
goban_transfer_compare (const GobanTransfer *a, const GobanTransfer *b)
{
  if (a->start_us != b->start_us)
    return a->start_us < b->start_us ? -1 : 1;
  return goban_transfer_compare_by_tensor (a, b);
}

/* Moves ascend by (tensor, device) of the tables they were made of. A contraction's tensors are in
 * the order of its ops; counting puts them in the graph's. */
static void
rank_moves (const GobanSimulator *sim, guint32 *rank)
{
  g_autofree guint32 *first = NULL;

  if (sim->fused.ops == NULL)
    {
      for (guint32 m = 0; m < sim->n_moves; m++)
        rank[m] = m;
      return;
    }
  first = g_new0 (guint32, sim->own.n_tensors + 1);
  for (guint32 m = 0; m < sim->n_moves; m++)
    first[sim_source_of (sim, sim->move_tensor[m]) + 1]++;
  for (guint t = 0; t < sim->own.n_tensors; t++)
    first[t + 1] += first[t];
  for (guint32 m = 0; m < sim->n_moves; m++)
    rank[m] = first[sim_source_of (sim, sim->move_tensor[m])]++;
}

static int
compare_ranks (const void *a, const void *b, gpointer user_data)
{
  const guint32 *rank = user_data;
  guint32 x = rank[*(const guint32 *) a];
  guint32 y = rank[*(const guint32 *) b];

  return (x > y) - (x < y);
}

/* The run recorded transfers as they started, so only those of one instant remain to be sorted for
 * the order (start, tensor, to). */
static void
sort_instants (const SimRecord *record, guint32 *rank)
{
  guint32 first = 0;

  while (first < record->n_moves)
    {
      double start_us = record->moves[record->order[first]].start_us;
      guint32 end = first + 1;

      while (end < record->n_moves && record->moves[record->order[end]].start_us == start_us)
        end++;
      if (end - first > 1)
        g_qsort_with_data (record->order + first, (int) (end - first), sizeof *record->order,
                           compare_ranks, rank);
      first = end;
    }
}

/* Every node of a kernel has its span. Takes record->ops. */
static void
fill_ops (GobanTrace *self, const GobanSimulator *sim, const SimRecord *record)
{
  const GobanContracted *ops = sim->fused.ops;
  guint n_nodes = sim->own.n_nodes;

  if (ops == NULL)
    {
      self->ops = record->ops;
      return;
    }
  self->ops = g_new (GobanOpSpan, n_nodes);
  self->kernel = g_new (GobanNodeId, n_nodes);
  self->next = g_new (GobanNodeId, n_nodes);
  for (guint32 op = 0; op < ops->n_ops; op++)
    for (guint32 i = ops->first_member[op]; i < ops->first_member[op + 1]; i++)
      {
        GobanNodeId v = ops->member[i];

        self->ops[v] = record->ops[op];
        self->kernel[v] = ops->member[ops->first_member[op]];
        self->next[v] = i + 1 < ops->first_member[op + 1] ? ops->member[i + 1] : GOBAN_NO_NODE;
      }
  g_free (record->ops);
}

GobanTrace *
goban_trace_new_from_run (const GobanSimulator *sim, GobanPlan *plan, const GobanBounds *bounds,
                          const SimRecord *record, GobanOutcome outcome)
{
  g_autofree guint32 *rank = g_new (guint32, sim->n_moves);
  g_autofree guint32 *index = g_new (guint32, sim->n_moves);
  TracePlaces places = { rank, index };
  GobanTrace *self = goban_trace_new_empty (sim->costs, plan, bounds);

  self->makespan_us = outcome.makespan_us;
  self->overflow_bytes = outcome.overflow_bytes;
  rank_moves (sim, rank);
  fill_ops (self, sim, record);
  sort_instants (record, places.rank);
  self->n_transfers = record->n_moves;
  self->transfers = g_new (GobanTransfer, record->n_moves);
  for (guint32 i = 0; i < record->n_moves; i++)
    {
      guint32 m = record->order[i];
      const SimMove *move = &sim->moves[m];
      const GobanOpSpan *span = &record->moves[m];

      places.index[m] = i;
      self->transfers[i] = (GobanTransfer){
        .tensor = sim_source_of (sim, sim->move_tensor[m]),
        .from = move->from,
        .to = move->to,
        .ready_us = span->ready_us,
        .start_us = span->start_us,
        .finish_us = span->finish_us,
      };
    }

  /* Sums go over kernels, by their lowest nodes, and over transfers in their order, as the
   * checker's do. */
  for (guint v = 0; v < sim->own.n_nodes; v++)
    {
      GobanDeviceUse *use = &self->uses[goban_plan_get_device (self->plan, v)];

      if (goban_trace_get_kernel (self, v) != v)
        continue;
      use->busy_us += self->ops[v].finish_us - self->ops[v].start_us;
      use->n_ops++;
    }
  for (guint i = 0; i < self->n_transfers; i++)
    {
      const GobanTransfer *transfer = &self->transfers[i];
      double size_bytes = sim->own.tensor_bytes[transfer->tensor];

      self->uses[transfer->from].sending_us += transfer->finish_us - transfer->start_us;
      self->uses[transfer->to].receiving_us += transfer->finish_us - transfer->start_us;
      self->uses[transfer->from].sent_bytes += size_bytes;
      self->uses[transfer->to].received_bytes += size_bytes;
      self->transferred_bytes += size_bytes;
    }
  for (guint d = 0; d < sim->n_devices; d++)
    {
      self->uses[d].peak_bytes = sim->memory[d].peak_bytes;
      self->uses[d].peak_time_us = sim->memory[d].peak_time_us;
    }

  trace_keep_causes (self, sim, record, &places);
  trace_keep_levels (self, record->levels, sim->n_devices);
  self->path = goban_trace_find_path (self, &self->n_path);

  /* The device that overflows first; of several at one time, the lowest. */
  guint first = 0;

  for (guint d = 1; d < sim->n_devices; d++)
    if (sim->memory[d].overflow_time_us < sim->memory[first].overflow_time_us)
      first = d;
  if (sim->memory[first].overflow_time_us < SIM_NEVER_US)
    trace_explain_memory (self, first, sim->memory[first].overflow_time_us);
  else
    self->why = g_strdup ("");

  return self;
}
