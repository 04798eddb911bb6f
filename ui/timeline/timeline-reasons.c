#include "ui/timeline/timeline-reasons.h"

#include "engine/base/quantity.h"

static GobanGraph *
graph_of (GobanTrace *trace)
{
  return goban_cost_model_get_graph (goban_trace_get_costs (trace));
}

static const char *
name_of (GobanTrace *trace, GobanNodeId node)
{
  return goban_graph_get_node (graph_of (trace), node)->name;
}

static const char *
device_name (GobanTrace *trace, GobanDeviceId device)
{
  GobanCluster *cluster = goban_cost_model_get_cluster (goban_trace_get_costs (trace));

  return goban_cluster_get_device (cluster, device)->name;
}

/* The op that held @device until @time_us, or GOBAN_NO_NODE. */
static GobanNodeId
find_op_before (GobanTrace *trace, GobanDeviceId device, double time_us, GobanNodeId other_than)
{
  const GobanOpSpan *spans = goban_trace_get_ops (trace);
  const GobanDeviceId *devices = goban_plan_get_devices (goban_trace_get_plan (trace));
  guint n = goban_graph_get_n_nodes (graph_of (trace));
  GobanNodeId best = GOBAN_NO_NODE;

  for (guint v = 0; v < n; v++)
    if (v != other_than && devices[v] == device && spans[v].finish_us <= time_us
        && spans[v].finish_us > spans[v].start_us
        && (best == GOBAN_NO_NODE || spans[v].finish_us > spans[best].finish_us))
      best = v;

  return best;
}

/* When @tensor is on @device; *from is where it came from. */
static double
arrival_us (GobanTrace *trace, GobanTensorId tensor, GobanDeviceId device, GobanDeviceId *from)
{
  const GobanOpSpan *spans = goban_trace_get_ops (trace);
  GobanNodeId producer = goban_graph_get_tensor (graph_of (trace), tensor)->producer;
  guint n;
  const GobanTransfer *transfers = goban_trace_get_transfers (trace, &n);

  *from = goban_plan_get_device (goban_trace_get_plan (trace), producer);
  if (*from == device)
    return spans[producer].finish_us;

  for (guint i = 0; i < n; i++)
    if (transfers[i].tensor == tensor && transfers[i].to == device)
      return transfers[i].finish_us;

  return spans[producer].finish_us;
}

static char *
describe_last_input (GobanTrace *trace, GobanNodeId node, GobanDeviceId device)
{
  GobanGraph *graph = graph_of (trace);
  GobanEdgeSpan edges = goban_graph_get_in_edges (graph, node);
  GobanNodeId last = GOBAN_NO_NODE;
  GobanDeviceId last_from = device;
  double last_us = -1;

  for (guint i = 0; i < edges.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, edges.ids[i]);
      GobanDeviceId from;
      double time_us = arrival_us (trace, edge->tensor, device, &from);

      if (time_us > last_us)
        {
          last = edge->tail;
          last_from = from;
          last_us = time_us;
        }
    }

  if (last == GOBAN_NO_NODE)
    return g_strdup ("nothing to wait for");
  if (last_from == device)
    return g_strdup_printf ("starts when %s ends", name_of (trace, last));
  return g_strdup_printf ("starts when %s arrives from %s", name_of (trace, last),
                          device_name (trace, last_from));
}

char *
goban_describe_op_wait (GobanTrace *trace, GobanNodeId node)
{
  const GobanOpSpan *spans = goban_trace_get_ops (trace);
  GobanDeviceId device = goban_plan_get_device (goban_trace_get_plan (trace), node);
  GobanNodeId before;
  double waited_us;
  char time[GOBAN_QUANTITY_LEN];

  if (spans == NULL)
    return g_strdup ("never ran");

  waited_us = spans[node].start_us - spans[node].ready_us;
  if (waited_us <= 0)
    return describe_last_input (trace, node, device);

  before = find_op_before (trace, device, spans[node].start_us, node);
  goban_format_time (time, waited_us);
  if (before == GOBAN_NO_NODE)
    return g_strdup_printf ("waited %s for %s", time, device_name (trace, device));
  return g_strdup_printf ("waited %s for %s, busy with %s", time, device_name (trace, device),
                          name_of (trace, before));
}

char *
goban_describe_transfer_wait (GobanTrace *trace, guint32 transfer)
{
  guint n;
  const GobanTransfer *transfers = goban_trace_get_transfers (trace, &n);
  const GobanTransfer *self = &transfers[transfer];
  char time[GOBAN_QUANTITY_LEN];

  g_return_val_if_fail (transfer < n, NULL);

  if (self->start_us <= self->ready_us)
    return g_strdup_printf (
        "starts when %s ends",
        name_of (trace, goban_graph_get_tensor (graph_of (trace), self->tensor)->producer));

  return g_strdup_printf ("waited %s for a channel from %s to %s",
                          goban_format_time (time, self->start_us - self->ready_us),
                          device_name (trace, self->from), device_name (trace, self->to));
}
