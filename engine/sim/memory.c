#include "engine/core/quantity.h"
#include "engine/sim/trace-private.h"

#include <string.h>

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
          || goban_trace_is_internal (self, t))
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

void
goban_trace_keep_levels (GobanTrace *self, GArray *const *levels, guint n_devices)
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

void
goban_trace_explain_memory (GobanTrace *self, GobanDeviceId device, double overflow_time_us)
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
