#include "tests/support/trace-check.h"

#include "tests/support/trace-check-private.h"

#include <math.h>
#include <stdlib.h>

const char *
check_node_name (const CheckFacts *facts, GobanNodeId node)
{
  return goban_graph_get_node (facts->graph, node)->name;
}

GobanNodeId
check_producer (const CheckFacts *facts, GobanTensorId tensor)
{
  return goban_graph_get_tensor (facts->graph, tensor)->producer;
}

const char *
check_tensor_name (const CheckFacts *facts, GobanTensorId tensor)
{
  return check_node_name (facts, check_producer (facts, tensor));
}

const char *
check_device_name (const CheckFacts *facts, GobanDeviceId device)
{
  return goban_cluster_get_device (facts->cluster, device)->name;
}

/* --- each op and each transfer by itself ------------------------------------------------- */

static gboolean
check_durations (const CheckFacts *facts, GError **error)
{
  for (guint v = 0; v < facts->n_nodes; v++)
    {
      const GobanOpSpan *span = &facts->ops[v];
      GobanDeviceId device = goban_plan_get_device (facts->plan, v);
      const GobanOpSpan *kernel = &facts->ops[facts->kernel[v]];
      double time_us = facts->kernel_us[facts->kernel[v]];

      if (!(span->ready_us >= 0 && span->start_us >= span->ready_us && isfinite (span->finish_us)))
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "“%s” is ready at %g µs, starts at %g µs, finishes at %g µs",
                             check_node_name (facts, v), span->ready_us, span->start_us,
                             span->finish_us);
      if (span->finish_us != span->start_us + time_us)
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "“%s” takes from %g µs to %g µs on %s, where it needs %g µs",
                             check_node_name (facts, v), span->start_us, span->finish_us,
                             check_device_name (facts, device), time_us);
      if (span->ready_us != kernel->ready_us || span->start_us != kernel->start_us
          || span->finish_us != kernel->finish_us)
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "“%s” and “%s” are fused, but do not run at the same time",
                             check_node_name (facts, facts->kernel[v]), check_node_name (facts, v));
    }
  return TRUE;
}

static gboolean
check_transfer (const CheckFacts *facts, guint i, GError **error)
{
  const GobanTransfer *transfer = &facts->transfers[i];
  const char *name;
  GobanNodeId producer;
  double time_us;

  if (transfer->tensor >= facts->n_tensors || transfer->to >= facts->n_devices)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "transfer %u is of no tensor or to no device",
                         i);
  producer = check_producer (facts, transfer->tensor);
  name = check_node_name (facts, producer);
  if (transfer->from != goban_plan_get_device (facts->plan, producer)
      || transfer->from == transfer->to)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "“%s” is sent from device %u to device %u",
                         name, transfer->from, transfer->to);
  if (transfer->ready_us != facts->ops[producer].finish_us
      || !(transfer->start_us >= transfer->ready_us))
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "“%s” is ready to be sent at %g µs and sent at %g µs, but made at %g µs",
                         name, transfer->ready_us, transfer->start_us,
                         facts->ops[producer].finish_us);
  time_us
      = goban_cost_model_transfer_us (facts->costs, transfer->tensor, transfer->from, transfer->to);
  if (transfer->finish_us != transfer->start_us + time_us || !isfinite (transfer->finish_us))
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "“%s” travels from %g µs to %g µs to %s, which takes %g µs", name,
                         transfer->start_us, transfer->finish_us,
                         check_device_name (facts, transfer->to), time_us);
  if (goban_cost_model_is_contention_free (facts->costs)
      && transfer->start_us != transfer->ready_us)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "“%s” waits from %g µs to %g µs though links are free", name,
                         transfer->ready_us, transfer->start_us);
  return TRUE;
}

static gboolean
check_sorted (const CheckFacts *facts, GError **error)
{
  for (guint i = 1; i < facts->n_transfers; i++)
    {
      const GobanTransfer *a = &facts->transfers[i - 1];
      const GobanTransfer *b = &facts->transfers[i];

      if (a->start_us > b->start_us
          || (a->start_us == b->start_us
              && (a->tensor > b->tensor || (a->tensor == b->tensor && a->to >= b->to))))
        return goban_refuse (error, GOBAN_ERROR_INVALID, "transfers %u and %u are not in order",
                             i - 1, i);
    }
  return TRUE;
}

/* --- transfers and edges ----------------------------------------------------------------- */

static int
compare_by_tensor (const void *a, const void *b, gpointer user_data)
{
  const GobanTransfer *transfers = user_data;
  const GobanTransfer *x = &transfers[*(const guint32 *) a];
  const GobanTransfer *y = &transfers[*(const guint32 *) b];

  if (x->tensor != y->tensor)
    return x->tensor < y->tensor ? -1 : 1;
  return (x->to > y->to) - (x->to < y->to);
}

static void
sort_by_tensor (CheckFacts *facts)
{
  guint32 i = 0;

  for (guint32 k = 0; k < facts->n_transfers; k++)
    facts->by_tensor[k] = k;
  g_qsort_with_data (facts->by_tensor, facts->n_transfers, sizeof *facts->by_tensor,
                     compare_by_tensor, (gpointer) facts->transfers);
  for (guint t = 0; t <= facts->n_tensors; t++)
    {
      while (i < facts->n_transfers && facts->transfers[facts->by_tensor[i]].tensor < t)
        i++;
      facts->first_by_tensor[t] = i;
    }
}

/* Each tensor crosses once to each other device with a consumer and nowhere else; there it arrives
 * when its transfer does. */
static gboolean
check_crossings (CheckFacts *facts, GError **error)
{
  g_autofree guint32 *mover = g_new (guint32, facts->n_devices);
  g_autofree gboolean *is_used = g_new (gboolean, facts->n_devices);

  for (guint t = 0; t < facts->n_tensors; t++)
    {
      GobanEdgeSpan edges = goban_graph_get_tensor_edges (facts->graph, t);
      GobanNodeId producer = check_producer (facts, t);
      GobanDeviceId home = goban_plan_get_device (facts->plan, producer);
      guint32 first = facts->first_by_tensor[t];
      guint32 end = facts->first_by_tensor[t + 1];
      guint32 n_used = 0;

      for (guint d = 0; d < facts->n_devices; d++)
        {
          mover[d] = G_MAXUINT32;
          is_used[d] = FALSE;
        }
      for (guint32 i = first; i < end; i++)
        {
          const GobanTransfer *transfer = &facts->transfers[facts->by_tensor[i]];

          if (mover[transfer->to] != G_MAXUINT32)
            return goban_refuse (error, GOBAN_ERROR_INVALID, "“%s” is sent twice to %s",
                                 check_tensor_name (facts, t),
                                 check_device_name (facts, transfer->to));
          mover[transfer->to] = facts->by_tensor[i];
        }
      for (guint i = 0; i < edges.n; i++)
        {
          GobanEdgeId e = edges.ids[i];
          GobanNodeId head = goban_graph_get_edge (facts->graph, e)->head;
          GobanDeviceId device = goban_plan_get_device (facts->plan, head);

          if (device == home)
            {
              facts->arrival_us[e] = facts->ops[producer].finish_us;
              continue;
            }
          if (mover[device] == G_MAXUINT32)
            return goban_refuse (error, GOBAN_ERROR_INVALID,
                                 "“%s” never comes to %s, where “%s” needs it",
                                 check_tensor_name (facts, t), check_device_name (facts, device),
                                 check_node_name (facts, head));
          facts->arrival_us[e] = facts->transfers[mover[device]].finish_us;
          n_used += !is_used[device];
          is_used[device] = TRUE;
        }
      if (n_used != end - first)
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "“%s” is sent to a device where nobody needs it",
                             check_tensor_name (facts, t));
    }
  return TRUE;
}

/* When the last input of a node is there that its own kernel does not make. */
static double
last_arrival_us (const CheckFacts *facts, GobanNodeId v)
{
  GobanEdgeSpan inputs = goban_graph_get_in_edges (facts->graph, v);
  double last_us = 0;

  for (guint i = 0; i < inputs.n; i++)
    {
      GobanNodeId tail = goban_graph_get_edge (facts->graph, inputs.ids[i])->tail;

      if (facts->kernel[tail] != facts->kernel[v])
        last_us = MAX (last_us, facts->arrival_us[inputs.ids[i]]);
    }
  return last_us;
}

static gboolean
check_ready (const CheckFacts *facts, GError **error)
{
  for (guint v = 0; v < facts->n_nodes; v++)
    {
      double last_us = 0;

      if (facts->kernel[v] != v)
        continue;
      for (guint32 member = v; member != G_MAXUINT32; member = facts->next[member])
        last_us = MAX (last_us, last_arrival_us (facts, member));
      if (facts->ops[v].ready_us != last_us)
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "“%s” has its inputs at %g µs, but is ready at %g µs",
                             check_node_name (facts, v), last_us, facts->ops[v].ready_us);
    }
  return TRUE;
}

/* --- sums -------------------------------------------------------------------------------- */

static gboolean
check_uses (const CheckFacts *facts, GError **error)
{
  g_autofree GobanDeviceUse *uses = g_new0 (GobanDeviceUse, facts->n_devices);
  double moved_bytes = 0;

  for (guint v = 0; v < facts->n_nodes; v++)
    {
      GobanDeviceUse *use = &uses[goban_plan_get_device (facts->plan, v)];

      if (facts->kernel[v] != v)
        continue;
      use->busy_us += facts->ops[v].finish_us - facts->ops[v].start_us;
      use->n_ops++;
    }
  for (guint i = 0; i < facts->n_transfers; i++)
    {
      const GobanTransfer *transfer = &facts->transfers[i];
      double bytes = ceil (goban_graph_get_tensor (facts->graph, transfer->tensor)->size_bytes);
      double took_us = transfer->finish_us - transfer->start_us;

      uses[transfer->from].sending_us += took_us;
      uses[transfer->from].sent_bytes += bytes;
      uses[transfer->to].receiving_us += took_us;
      uses[transfer->to].received_bytes += bytes;
      moved_bytes += bytes;
    }
  for (guint d = 0; d < facts->n_devices; d++)
    {
      const GobanDeviceUse *said = &facts->uses[d];

      if (said->busy_us != uses[d].busy_us || said->n_ops != uses[d].n_ops
          || said->sending_us != uses[d].sending_us || said->receiving_us != uses[d].receiving_us
          || said->sent_bytes != uses[d].sent_bytes
          || said->received_bytes != uses[d].received_bytes)
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "the sums of %s are not those of its ops and transfers",
                             check_device_name (facts, d));
    }
  if (moved_bytes != goban_trace_get_transferred_bytes (facts->trace))
    return goban_refuse (error, GOBAN_ERROR_INVALID, "the bytes transferred are %g, not %g",
                         moved_bytes, goban_trace_get_transferred_bytes (facts->trace));
  return TRUE;
}

/* Sums of times in another order differ in their last digits. */
#define BOUND_SLACK (1 - 1e-9)

static gboolean
check_makespan (const CheckFacts *facts, GError **error)
{
  double makespan_us = goban_trace_get_makespan (facts->trace);
  const GobanBounds *bounds = goban_trace_get_bounds (facts->trace);
  double last_us = 0;

  for (guint v = 0; v < facts->n_nodes; v++)
    last_us = MAX (last_us, facts->ops[v].finish_us);
  if (makespan_us != last_us)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "the makespan is %g µs, but the last op finishes at %g µs", makespan_us,
                         last_us);
  if (bounds->bound_us != MAX (bounds->critical_path_us, MAX (bounds->work_us, bounds->memory_us)))
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "the bound of %g µs is not the largest of its three", bounds->bound_us);
  if (makespan_us < MAX (bounds->critical_path_us, bounds->work_us) * BOUND_SLACK)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "the makespan of %g µs is under the bound of %g µs", makespan_us,
                         MAX (bounds->critical_path_us, bounds->work_us));
  if (goban_trace_is_valid (facts->trace) && makespan_us < bounds->memory_us * BOUND_SLACK)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "a valid makespan of %g µs is under the memory bound of %g µs",
                         makespan_us, bounds->memory_us);
  return TRUE;
}

/* --- the critical path ------------------------------------------------------------------- */

/* The span of a step, with a transfer's seen as an op's. */
static gboolean
get_step_span (const CheckFacts *facts, const GobanStep *step, GobanOpSpan *span)
{
  if (step->index >= (step->is_transfer ? facts->n_transfers : facts->n_nodes))
    return FALSE;
  if (step->is_transfer)
    *span = (GobanOpSpan){ facts->transfers[step->index].ready_us,
                           facts->transfers[step->index].start_us,
                           facts->transfers[step->index].finish_us };
  else
    *span = facts->ops[step->index];
  return TRUE;
}

static gboolean
shares_link (const CheckFacts *facts, const GobanTransfer *a, const GobanTransfer *b)
{
  const GobanRoute *x = goban_cluster_get_route (facts->cluster, a->from, a->to);
  const GobanRoute *y = goban_cluster_get_route (facts->cluster, b->from, b->to);

  for (guint i = 0; i < x->n_links; i++)
    for (guint j = 0; j < y->n_links; j++)
      if (x->links[i] == y->links[j])
        return TRUE;
  return FALSE;
}

/* TRUE if some node of the step's kernel reads the tensor that the cause brings or makes. */
static gboolean
is_input (const CheckFacts *facts, const GobanStep *cause, GobanNodeId kernel)
{
  for (guint32 v = kernel; v != G_MAXUINT32; v = facts->next[v])
    {
      GobanEdgeSpan inputs = goban_graph_get_in_edges (facts->graph, v);

      for (guint i = 0; i < inputs.n; i++)
        {
          const GobanEdge *edge = goban_graph_get_edge (facts->graph, inputs.ids[i]);

          if (cause->is_transfer ? edge->tensor == facts->transfers[cause->index].tensor
                                 : facts->kernel[edge->tail] == cause->index)
            return TRUE;
        }
    }
  return FALSE;
}

/* TRUE if the step before, which is known to finish when this one starts, can be its cause. */
static gboolean
is_cause (const CheckFacts *facts, const GobanStep *cause, const GobanStep *step)
{
  const GobanTransfer *moved = cause->is_transfer ? &facts->transfers[cause->index] : NULL;
  const GobanTransfer *transfer = step->is_transfer ? &facts->transfers[step->index] : NULL;

  switch (step->wait)
    {
    case GOBAN_WAIT_CHANNEL:
      return transfer != NULL && moved != NULL
             && (moved->from == transfer->from || moved->to == transfer->to
                 || shares_link (facts, moved, transfer));
    case GOBAN_WAIT_PRODUCER:
      return transfer != NULL && moved == NULL
             && cause->index == facts->kernel[check_producer (facts, transfer->tensor)];
    case GOBAN_WAIT_DEVICE:
      return transfer == NULL && moved == NULL
             && goban_plan_get_device (facts->plan, cause->index)
                    == goban_plan_get_device (facts->plan, step->index);
    case GOBAN_WAIT_INPUT:
    case GOBAN_WAIT_ARRIVAL:
      if (transfer != NULL || (step->wait == GOBAN_WAIT_ARRIVAL) != (moved != NULL))
        return FALSE;
      if (moved != NULL && moved->to != goban_plan_get_device (facts->plan, step->index))
        return FALSE;
      return is_input (facts, cause, step->index);
    case GOBAN_WAIT_NONE:
    default:
      return FALSE;
    }
}

static gboolean
check_path (const CheckFacts *facts, GError **error)
{
  guint n;
  const GobanStep *path = goban_trace_get_critical_path (facts->trace, &n);
  double now_us = 0;

  if ((n == 0) != (facts->n_nodes == 0))
    return goban_refuse (error, GOBAN_ERROR_INVALID, "the critical path has %u steps", n);
  for (guint i = 0; i < n; i++)
    {
      const GobanStep *step = &path[i];
      GobanOpSpan span = { 0, 0, 0 };
      gboolean may_wait = step->wait == GOBAN_WAIT_DEVICE || step->wait == GOBAN_WAIT_CHANNEL;

      if (!get_step_span (facts, step, &span)
          || (!step->is_transfer && facts->kernel[step->index] != step->index))
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "step %u of the critical path is of nothing there is", i);
      if (span.start_us != now_us)
        return goban_refuse (
            error, GOBAN_ERROR_INVALID,
            "step %u of the critical path starts at %g µs, its cause ends at %g µs", i,
            span.start_us, now_us);
      if (step->waited_us != span.start_us - span.ready_us || (step->waited_us > 0) != may_wait)
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "step %u of the critical path waited %g µs, for reason %d", i,
                             span.start_us - span.ready_us, step->wait);
      if (i == 0 ? step->wait != GOBAN_WAIT_NONE || step->is_transfer
                 : !is_cause (facts, step - 1, step))
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "step %u of the critical path did not wait for the one before", i);
      now_us = span.finish_us;
    }
  if (n > 0 && (path[n - 1].is_transfer || now_us != goban_trace_get_makespan (facts->trace)))
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "the critical path ends at %g µs, the run at %g µs", now_us,
                         goban_trace_get_makespan (facts->trace));
  return TRUE;
}

/* --- all of it --------------------------------------------------------------------------- */

static gboolean
check_not_run (const CheckFacts *facts, GError **error)
{
  if (facts->n_transfers > 0 || goban_trace_is_valid (facts->trace)
      || !isinf (goban_trace_get_makespan (facts->trace)))
    return goban_refuse (error, GOBAN_ERROR_INVALID, "a run without ops claims to have happened");
  return TRUE;
}

static gboolean
check_all (CheckFacts *facts, GError **error)
{
  if (!goban_plan_check (facts->plan, facts->costs, error) || !check_fusion (facts, error)
      || !check_durations (facts, error))
    return FALSE;
  for (guint i = 0; i < facts->n_transfers; i++)
    if (!check_transfer (facts, i, error))
      return FALSE;
  sort_by_tensor (facts);
  return check_sorted (facts, error) && check_crossings (facts, error) && check_ready (facts, error)
         && check_order (facts, error) && check_memory (facts, error) && check_uses (facts, error)
         && check_path (facts, error) && check_makespan (facts, error);
}

gboolean
goban_trace_check (const GobanTrace *trace, GError **error)
{
  CheckFacts facts = { .trace = trace };
  g_autofree double *arrival_us = NULL;
  g_autofree guint32 *by_tensor = NULL;
  g_autofree guint32 *first_by_tensor = NULL;
  gboolean is_right;

  facts.costs = goban_trace_get_costs (trace);
  facts.plan = goban_trace_get_plan (trace);
  facts.graph = goban_cost_model_get_graph (facts.costs);
  facts.cluster = goban_cost_model_get_cluster (facts.costs);
  facts.n_nodes = goban_graph_get_n_nodes (facts.graph);
  facts.n_tensors = goban_graph_get_n_tensors (facts.graph);
  facts.n_edges = goban_graph_get_n_edges (facts.graph);
  facts.n_devices = goban_cluster_get_n_devices (facts.cluster);
  facts.ops = goban_trace_get_ops (trace);
  facts.transfers = goban_trace_get_transfers (trace, &facts.n_transfers);
  facts.uses = goban_trace_get_uses (trace);
  if (facts.ops == NULL)
    return check_not_run (&facts, error);

  facts.arrival_us = arrival_us = g_new0 (double, facts.n_edges);
  facts.by_tensor = by_tensor = g_new (guint32, facts.n_transfers);
  facts.first_by_tensor = first_by_tensor = g_new (guint32, facts.n_tensors + 1);
  is_right = check_all (&facts, error);
  check_fusion_clear (&facts);
  return is_right;
}
