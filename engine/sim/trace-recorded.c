#include "engine/sim/trace-recorded.h"

#include "engine/core/error.h"
#include "engine/sim/trace-private.h"

#include <math.h>

/* Times that are equal but for the rounding of sums. */
#define TINY_US 1e-6

static const char *
name_of (const GobanGraph *graph, GobanNodeId v)
{
  return goban_graph_get_node (graph, v)->name;
}

/* --- ops ------------------------------------------------------------------------------------- */

static int
compare_spans (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const GobanOpSpan *spans = user_data;
  guint32 u = *(const guint32 *) a, v = *(const guint32 *) b;

  if (spans[u].start_us != spans[v].start_us)
    return spans[u].start_us < spans[v].start_us ? -1 : 1;
  if (spans[u].finish_us != spans[v].finish_us)
    return spans[u].finish_us < spans[v].finish_us ? -1 : 1;
  return (u > v) - (u < v);
}

/* Finds the op before each op on its device; %FALSE if two overlap. */
static gboolean
order_ops (GobanTrace *self, const GobanGraph *graph, GError **error)
{
  guint n_nodes = goban_graph_get_n_nodes (graph),
        n_devices = goban_plan_get_n_devices (self->plan);
  g_autofree guint32 *order = g_new (guint32, n_nodes + 1);
  g_autofree guint32 *last = g_new (guint32, n_devices + 1);

  for (guint32 v = 0; v < n_nodes; v++)
    order[v] = v;
  for (guint d = 0; d < n_devices; d++)
    last[d] = SIM_NONE;
  g_qsort_with_data (order, (int) n_nodes, sizeof *order, compare_spans, self->ops);
  self->previous_op = g_new (guint32, n_nodes + 1);
  for (guint i = 0; i < n_nodes; i++)
    {
      GobanNodeId v = order[i];
      GobanDeviceId device = goban_plan_get_device (self->plan, v);
      guint32 before = last[device];

      if (before != SIM_NONE && self->ops[before].finish_us > self->ops[v].start_us + TINY_US)
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "“%s” starts before “%s” has finished on the same device",
                             name_of (graph, v), name_of (graph, before));
      self->previous_op[v] = before;
      last[device] = v;
    }
  return TRUE;
}

static gboolean
check_op (const GobanTrace *self, const GobanGraph *graph, GobanNodeId v, GError **error)
{
  const GobanOpSpan *span = &self->ops[v];
  GobanEdgeSpan in = goban_graph_get_in_edges (graph, v);

  if (!isfinite (span->start_us) || !isfinite (span->finish_us) || span->start_us < 0
      || span->finish_us < span->start_us)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "“%s” has no valid time", name_of (graph, v));
  for (guint i = 0; i < in.n; i++)
    {
      GobanNodeId tail = goban_graph_get_edge (graph, in.ids[i])->tail;

      if (self->ops[tail].finish_us > span->start_us + TINY_US)
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "“%s” starts before its input “%s” is made", name_of (graph, v),
                             name_of (graph, tail));
    }
  return TRUE;
}

static gboolean
take_ops (GobanTrace *self, const GobanGraph *graph, const double *start_us,
          const double *finish_us, GError **error)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);

  self->ops = g_new (GobanOpSpan, n_nodes + 1);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    self->ops[v] = (GobanOpSpan){ start_us[v], start_us[v], finish_us[v] };
  for (GobanNodeId v = 0; v < n_nodes; v++)
    if (!check_op (self, graph, v, error))
      return FALSE;
  return order_ops (self, graph, error);
}

/* --- transfers ------------------------------------------------------------------------------- */

/* When the first op on the device to read the tensor starts; INFINITY if none does. */
static double
find_first_read (const GobanTrace *self, const GobanGraph *graph, GobanTensorId tensor,
                 GobanDeviceId to)
{
  GobanEdgeSpan edges = goban_graph_get_tensor_edges (graph, tensor);
  double first_us = INFINITY;

  for (guint i = 0; i < edges.n; i++)
    {
      GobanNodeId head = goban_graph_get_edge (graph, edges.ids[i])->head;

      if (goban_plan_get_device (self->plan, head) == to)
        first_us = MIN (first_us, self->ops[head].start_us);
    }
  return first_us;
}

static void
add_transfers (const GobanTrace *self, const GobanGraph *graph, GobanTensorId t, GArray *transfers)
{
  GobanNodeId producer = goban_graph_get_tensor (graph, t)->producer;
  GobanDeviceId from = goban_plan_get_device (self->plan, producer);
  double made_us = self->ops[producer].finish_us;

  for (guint d = 0; d < goban_plan_get_n_devices (self->plan); d++)
    {
      GobanDeviceId to = (GobanDeviceId) d;
      double read_us = to != from ? find_first_read (self, graph, t, to) : (double) INFINITY;
      GobanTransfer transfer = { t, from, to, made_us, made_us, 0 };

      if (!isfinite (read_us))
        continue;
      transfer.finish_us
          = MAX (MIN (read_us, made_us + goban_cost_model_transfer_us (self->costs, t, from, to)),
                 made_us);
      g_array_append_val (transfers, transfer);
    }
}

static int
compare_transfers (gconstpointer a, gconstpointer b)
{
  return goban_transfer_compare (a, b);
}

static int
compare_by_tensor (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const GobanTransfer *transfers = user_data;

  return goban_transfer_compare_by_tensor (&transfers[*(const guint32 *) a],
                                           &transfers[*(const guint32 *) b]);
}

static void
make_transfers (GobanTrace *self, const GobanGraph *graph)
{
  GArray *transfers = g_array_new (FALSE, FALSE, sizeof (GobanTransfer));

  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (graph); t++)
    add_transfers (self, graph, t, transfers);
  g_array_sort (transfers, compare_transfers);
  self->n_transfers = transfers->len;
  self->transfers = (GobanTransfer *) (void *) g_array_free (transfers, FALSE);
  self->blocker = g_new (guint32, self->n_transfers + 1);
  self->by_tensor = g_new (guint32, self->n_transfers + 1);
  for (guint32 i = 0; i < self->n_transfers; i++)
    {
      self->blocker[i] = SIM_NONE;
      self->by_tensor[i] = i;
    }
  g_qsort_with_data (self->by_tensor, (int) self->n_transfers, sizeof *self->by_tensor,
                     compare_by_tensor, self->transfers);
}

/* --- reasons --------------------------------------------------------------------------------- */

/* The transfer of the op's latest input from elsewhere that no earlier op there read; or NULL. */
static GobanTransfer *
find_awaited (GobanTrace *self, const GobanGraph *graph, GobanNodeId v)
{
  GobanEdgeSpan in = goban_graph_get_in_edges (graph, v);
  GobanDeviceId device = goban_plan_get_device (self->plan, v);
  GobanTransfer *latest = NULL;

  for (guint i = 0; i < in.n; i++)
    {
      GobanTensorId tensor = goban_graph_get_edge (graph, in.ids[i])->tensor;
      guint32 index = goban_trace_find_transfer (self, tensor, device);

      if (index != SIM_NONE
          && find_first_read (self, graph, tensor, device) == self->ops[v].start_us
          && (latest == NULL || self->transfers[index].start_us > latest->start_us))
        latest = &self->transfers[index];
    }
  return latest;
}

/* A gap before an op that waited for nothing from elsewhere is the device's own. */
static void
explain_gap (GobanTrace *self, const GobanGraph *graph, GobanNodeId v)
{
  guint32 before = self->previous_op[v];
  double free_us = before != SIM_NONE ? self->ops[before].finish_us : 0;
  GobanTransfer *awaited
      = self->ops[v].start_us > free_us + TINY_US ? find_awaited (self, graph, v) : NULL;

  if (awaited != NULL)
    awaited->finish_us = self->ops[v].start_us;
}

static double
find_ready (const GobanTrace *self, const GobanGraph *graph, GobanNodeId v)
{
  GobanEdgeSpan in = goban_graph_get_in_edges (graph, v);
  GobanDeviceId device = goban_plan_get_device (self->plan, v);
  double ready_us = 0;

  for (guint i = 0; i < in.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, in.ids[i]);
      guint32 index = goban_trace_find_transfer (self, edge->tensor, device);

      ready_us = MAX (ready_us, index != SIM_NONE ? self->transfers[index].finish_us
                                                  : self->ops[edge->tail].finish_us);
    }
  return ready_us;
}

/* --- the rest -------------------------------------------------------------------------------- */

GobanTrace *
goban_trace_new_recorded (GobanCostModel *costs, GobanPlan *plan, const double *start_us,
                          const double *finish_us, GError **error)
{
  const GobanBounds no_bounds = { 0 };
  const GobanGraph *graph = goban_cost_model_get_graph (costs);

  g_autoptr (GobanTrace) self = goban_trace_new_empty (costs, plan, &no_bounds);

  self->why = g_strdup ("");
  if (!take_ops (self, graph, start_us, finish_us, error))
    return NULL;
  make_transfers (self, graph);

  /* Without anything before it on its device, an op starts when its inputs are there, or the
   * run. */
  guint n_nodes = goban_graph_get_n_nodes (graph);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    explain_gap (self, graph, v);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      double ready_us = find_ready (self, graph, v);

      /* By rounding it may seem to start a little before an input is there. */
      self->ops[v].start_us = MAX (self->ops[v].start_us, ready_us);
      self->ops[v].finish_us = MAX (self->ops[v].finish_us, self->ops[v].start_us);
      self->ops[v].ready_us = self->previous_op[v] == SIM_NONE ? self->ops[v].start_us : ready_us;
    }

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      GobanDeviceUse *use = &self->uses[goban_plan_get_device (self->plan, v)];

      use->busy_us += self->ops[v].finish_us - self->ops[v].start_us;
      use->n_ops++;
      use->peak_bytes += sim_whole_bytes (goban_cost_model_param_bytes (self->costs, v));
      self->makespan_us = MAX (self->makespan_us, self->ops[v].finish_us);
    }
  for (guint i = 0; i < self->n_transfers; i++)
    {
      const GobanTransfer *transfer = &self->transfers[i];
      double bytes = goban_graph_get_tensor (graph, transfer->tensor)->size_bytes;

      self->uses[transfer->from].sending_us += transfer->finish_us - transfer->start_us;
      self->uses[transfer->to].receiving_us += transfer->finish_us - transfer->start_us;
      self->uses[transfer->from].sent_bytes += bytes;
      self->uses[transfer->to].received_bytes += bytes;
      self->transferred_bytes += bytes;
    }

  self->path = goban_trace_find_path (self, &self->n_path);
  return g_steal_pointer (&self);
}
