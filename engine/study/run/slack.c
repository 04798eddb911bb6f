#include "engine/study/run/slack.h"

#include "engine/sim/fusion/contraction.h"

typedef struct
{
  GobanTrace *trace;
  const GobanOpSpan *spans;
  const guint32 *place; /* (n_nodes) of each node's kernel in a topological order */
  const GobanDeviceId *devices;
  GHashTable *durations; /* (tensor, device) packed -> index into transfers + 1 */
  const GobanTransfer *transfers;
  double *device_limit_us; /* (n_devices) when the next op there must start */
} Work;

static gpointer
pack (GobanTensorId tensor, GobanDeviceId device)
{
  return GSIZE_TO_POINTER (((gsize) tensor << 16) | device);
}

/* By start, then finish, then topologically: every kernel comes after those it waited for. */
static int
compare_spans (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Work *work = user_data;
  GobanNodeId u = *(const GobanNodeId *) a, v = *(const GobanNodeId *) b;
  const GobanOpSpan *x = &work->spans[u], *y = &work->spans[v];

  if (x->start_us != y->start_us)
    return x->start_us < y->start_us ? -1 : 1;
  if (x->finish_us != y->finish_us)
    return x->finish_us < y->finish_us ? -1 : 1;

  return work->place[u] < work->place[v] ? -1 : work->place[u] > work->place[v];
}

/* Nodes are numbered topologically, their kernels are not. (transfer full) */
static guint32 *
find_places (GobanTrace *trace, guint n_nodes)
{
  guint32 *place = g_new (guint32, n_nodes + 1);
  g_autofree guint32 *order = NULL;
  g_autofree guint32 *place_of_op = NULL;
  g_autoptr (GobanContraction) contraction = NULL;
  const GobanContracted *ops;

  for (GobanNodeId v = 0; v < n_nodes; v++)
    place[v] = v;
  if (!goban_trace_is_fused (trace))
    return place;

  order = g_new (guint32, n_nodes + 1);
  place_of_op = g_new (guint32, n_nodes + 1);
  contraction = goban_contraction_new (goban_trace_get_costs (trace));
  ops = goban_contraction_fill (contraction, goban_trace_get_plan (trace));
  goban_contraction_sort (contraction, order, NULL);
  for (guint i = 0; i < ops->n_ops; i++)
    place_of_op[order[i]] = i;
  for (GobanNodeId v = 0; v < n_nodes; v++)
    place[v] = place_of_op[ops->op_of[v]];
  return place;
}

static double
transfer_duration (const Work *work, GobanTensorId tensor, GobanDeviceId to)
{
  gpointer index = g_hash_table_lookup (work->durations, pack (tensor, to));
  const GobanTransfer *transfer;

  if (index == NULL)
    return 0;

  transfer = &work->transfers[GPOINTER_TO_UINT (index) - 1];
  return transfer->finish_us - transfer->start_us;
}

/* The latest finish of a node, given the latest starts of all that come after it. */
static double
latest_finish (const Work *work, GobanGraph *graph, GobanNodeId node, const double *latest_start_us,
               double limit_us)
{
  GobanEdgeSpan out = goban_graph_get_out_edges (graph, node);
  GobanNodeId kernel = goban_trace_get_kernel (work->trace, node);
  double latest_us = limit_us;

  for (guint i = 0; i < out.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, out.ids[i]);
      double delay_us = 0;

      if (goban_trace_get_kernel (work->trace, edge->head) == kernel)
        continue;
      if (work->devices[edge->head] != work->devices[node])
        delay_us = transfer_duration (work, edge->tensor, work->devices[edge->head]);
      latest_us = MIN (latest_us, latest_start_us[edge->head] - delay_us);
    }

  return latest_us;
}

/* All nodes of a kernel run together, so the most hurried sets the pace. */
static void
settle_kernel (const Work *work, GobanGraph *graph, GobanNodeId kernel, double *latest_start_us,
               double *slack_us)
{
  const GobanOpSpan *span = &work->spans[kernel];
  double *limit_us = &work->device_limit_us[work->devices[kernel]];
  double finish_us = *limit_us;

  for (GobanNodeId v = kernel; v != GOBAN_NO_NODE; v = goban_trace_get_next_fused (work->trace, v))
    finish_us = latest_finish (work, graph, v, latest_start_us, finish_us);
  for (GobanNodeId v = kernel; v != GOBAN_NO_NODE; v = goban_trace_get_next_fused (work->trace, v))
    {
      /* Sums of rounded times can miss by their last bits. */
      slack_us[v] = MAX (0, finish_us - span->finish_us);
      latest_start_us[v] = finish_us - (span->finish_us - span->start_us);
    }
  *limit_us = latest_start_us[kernel];
}

/* The same of a trace that could start. (transfer full) */
static double *
compute_slacks (GobanTrace *trace)
{
  GobanGraph *graph = goban_cost_model_get_graph (goban_trace_get_costs (trace));
  GobanPlan *plan = goban_trace_get_plan (trace);
  guint n_nodes = goban_graph_get_n_nodes (graph);
  guint n_devices = goban_plan_get_n_devices (plan);
  g_autofree GobanNodeId *order = g_new (GobanNodeId, n_nodes + 1);
  g_autofree double *latest_start_us = g_new (double, n_nodes + 1);
  g_autofree double *device_limit_us = g_new (double, n_devices + 1);
  g_autofree guint32 *place = find_places (trace, n_nodes);
  double *slack_us = g_new (double, n_nodes + 1);
  guint n_kernels = 0;
  guint n_transfers;
  Work work = { .trace = trace,
                .spans = goban_trace_get_ops (trace),
                .place = place,
                .device_limit_us = device_limit_us,
                .devices = goban_plan_get_devices (plan),
                .durations = g_hash_table_new (NULL, NULL),
                .transfers = goban_trace_get_transfers (trace, &n_transfers) };

  for (guint i = 0; i < n_transfers; i++)
    g_hash_table_insert (work.durations, pack (work.transfers[i].tensor, work.transfers[i].to),
                         GUINT_TO_POINTER (i + 1));
  for (GobanNodeId v = 0; v < n_nodes; v++)
    if (goban_trace_get_kernel (trace, v) == v)
      order[n_kernels++] = v;
  for (guint d = 0; d < n_devices; d++)
    device_limit_us[d] = goban_trace_get_makespan (trace);
  g_qsort_with_data (order, (int) n_kernels, sizeof *order, compare_spans, &work);

  for (guint i = n_kernels; i-- > 0;)
    settle_kernel (&work, graph, order[i], latest_start_us, slack_us);

  g_hash_table_unref (work.durations);
  return slack_us;
}

const double *
goban_run_get_slacks (GobanRun *run)
{
  GQuark key = g_quark_from_static_string ("goban-run-slacks");
  GobanTrace *trace = goban_run_get_trace (run);
  const double *slack_us = goban_run_get_derived (run, key);

  if (slack_us != NULL || goban_trace_get_ops (trace) == NULL)
    return slack_us;
  return goban_run_keep_derived (run, key, compute_slacks (trace), g_free);
}
