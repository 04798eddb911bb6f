#include "engine/session/slack.h"

typedef struct
{
  const GobanOpSpan *spans;
  const GobanDeviceId *devices;
  GHashTable *durations; /* (tensor, device) packed -> index into transfers + 1 */
  const GobanTransfer *transfers;
} Work;

static gpointer
pack (GobanTensorId tensor, GobanDeviceId device)
{
  return GSIZE_TO_POINTER (((gsize) tensor << 16) | device);
}

/* By start, then finish, then id: every op comes after those it waited for. */
static int
compare_spans (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const GobanOpSpan *spans = user_data;
  GobanNodeId u = *(const GobanNodeId *) a, v = *(const GobanNodeId *) b;

  if (spans[u].start_us != spans[v].start_us)
    return spans[u].start_us < spans[v].start_us ? -1 : 1;
  if (spans[u].finish_us != spans[v].finish_us)
    return spans[u].finish_us < spans[v].finish_us ? -1 : 1;

  return u < v ? -1 : u > v;
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
  double latest_us = limit_us;

  for (guint i = 0; i < out.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, out.ids[i]);
      double delay_us = 0;

      if (work->devices[edge->head] != work->devices[node])
        delay_us = transfer_duration (work, edge->tensor, work->devices[edge->head]);
      latest_us = MIN (latest_us, latest_start_us[edge->head] - delay_us);
    }

  return latest_us;
}

static double *
compute_slacks (GobanTrace *trace)
{
  GobanGraph *graph = goban_cost_model_get_graph (goban_trace_get_costs (trace));
  GobanPlan *plan = goban_trace_get_plan (trace);
  guint n_nodes = goban_graph_get_n_nodes (graph);
  guint n_devices = goban_plan_get_n_devices (plan);
  guint n_transfers;
  Work work = { .spans = goban_trace_get_ops (trace),
                .devices = goban_plan_get_devices (plan),
                .durations = g_hash_table_new (NULL, NULL),
                .transfers = goban_trace_get_transfers (trace, &n_transfers) };
  g_autofree GobanNodeId *order = g_new (GobanNodeId, n_nodes + 1);
  g_autofree double *latest_start_us = g_new (double, n_nodes + 1);
  g_autofree double *device_limit_us = g_new (double, n_devices + 1);
  double *slack_us = g_new (double, n_nodes + 1);

  for (guint i = 0; i < n_transfers; i++)
    g_hash_table_insert (work.durations, pack (work.transfers[i].tensor, work.transfers[i].to),
                         GUINT_TO_POINTER (i + 1));
  for (GobanNodeId v = 0; v < n_nodes; v++)
    order[v] = v;
  for (guint d = 0; d < n_devices; d++)
    device_limit_us[d] = goban_trace_get_makespan (trace);
  g_qsort_with_data (order, n_nodes, sizeof *order, compare_spans, (gpointer) work.spans);

  for (guint i = n_nodes; i-- > 0;)
    {
      GobanNodeId node = order[i];
      double *limit_us = &device_limit_us[work.devices[node]];
      double finish_us = latest_finish (&work, graph, node, latest_start_us, *limit_us);

      /* Sums of rounded times can miss by their last bits. */
      slack_us[node] = MAX (0, finish_us - work.spans[node].finish_us);
      latest_start_us[node] = finish_us - (work.spans[node].finish_us - work.spans[node].start_us);
      *limit_us = latest_start_us[node];
    }

  g_hash_table_unref (work.durations);
  return slack_us;
}

const double *
goban_run_get_slacks (GobanRun *run)
{
  static GQuark quark;
  double *slack_us;

  if (goban_trace_get_ops (goban_run_get_trace (run)) == NULL)
    return NULL;

  if (quark == 0)
    quark = g_quark_from_static_string ("goban-run-slacks");
  slack_us = g_object_get_qdata (G_OBJECT (run), quark);
  if (slack_us != NULL)
    return slack_us;

  slack_us = compute_slacks (goban_run_get_trace (run));
  if (!g_object_replace_qdata (G_OBJECT (run), quark, NULL, slack_us, g_free, NULL))
    {
      g_free (slack_us); /* another thread was faster */
      slack_us = g_object_get_qdata (G_OBJECT (run), quark);
    }
  return slack_us;
}
