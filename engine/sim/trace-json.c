#include "engine/sim/trace-json.h"

#include "engine/base/file.h"
#include "engine/base/json-text.h"

/* Threads of a device's process: ops first, then as many rows of sends and receives as overlap. */
#define OPS_THREAD 0
#define SENDS_THREAD 1

/* Rows of one side of a device's traffic, each a thread of the viewer: within a row nothing
 * overlaps, as complete events of one thread must not. */
typedef struct
{
  GArray *row_ends_us; /* double */
} Rows;

typedef struct
{
  const GobanTrace *trace;
  GobanGraph *graph;
  GobanCluster *cluster;
  GString *json;
  gboolean is_first;
} Writer;

static void
begin_event (Writer *w, const char *phase, const char *name, guint process, guint thread)
{
  g_string_append (w->json, w->is_first ? "\n{" : ",\n{");
  w->is_first = FALSE;
  goban_json_add_string (w->json, "ph", phase);
  goban_json_add_string (w->json, "name", name);
  goban_json_add_number (w->json, "pid", process);
  goban_json_add_number (w->json, "tid", thread);
}

static void
write_metadata (Writer *w, const char *what, guint process, guint thread, const char *name)
{
  begin_event (w, "M", what, process, thread);
  goban_json_append_key (w->json, "args");
  g_string_append_c (w->json, '{');
  goban_json_add_string (w->json, "name", name);
  g_string_append (w->json, "}}");
}

static void
write_sort_index (Writer *w, const char *what, guint process, guint thread, guint index)
{
  begin_event (w, "M", what, process, thread);
  goban_json_append_key (w->json, "args");
  g_string_append_c (w->json, '{');
  goban_json_add_number (w->json, "sort_index", index);
  g_string_append (w->json, "}}");
}

static void
add_span (Writer *w, double start_us, double finish_us)
{
  goban_json_add_number (w->json, "ts", start_us);
  goban_json_add_number (w->json, "dur", finish_us - start_us);
}

static void
write_op (Writer *w, GobanNodeId v)
{
  const GobanOpSpan *span = &goban_trace_get_ops (w->trace)[v];
  const GobanPlan *plan = goban_trace_get_plan (w->trace);
  const GobanNode *node = goban_graph_get_node (w->graph, v);

  begin_event (w, "X", node->name, goban_plan_get_device (plan, v), OPS_THREAD);
  goban_json_add_string (w->json, "cat", "op");
  add_span (w, span->start_us, span->finish_us);
  goban_json_append_key (w->json, "args");
  g_string_append_c (w->json, '{');
  goban_json_add_string (w->json, "op", node->op);
  goban_json_add_number (w->json, "node", v);
  goban_json_add_number (w->json, "priority", goban_plan_get_priority (plan, v));
  goban_json_add_number (w->json, "waited_us", span->start_us - span->ready_us);
  goban_json_add_number (w->json, "output_bytes", goban_graph_get_output_bytes (w->graph, v));
  g_string_append (w->json, "}}");
}

/* The first row that is free from @start_us on; transfers come in order of their start. */
static guint
take_row (Rows *rows, double start_us, double finish_us)
{
  for (guint row = 0; row < rows->row_ends_us->len; row++)
    if (g_array_index (rows->row_ends_us, double, row) <= start_us)
      {
        g_array_index (rows->row_ends_us, double, row) = finish_us;
        return row;
      }
  g_array_append_val (rows->row_ends_us, finish_us);
  return rows->row_ends_us->len - 1;
}

/* Sends take the even rows after the ops, receives the odd ones: neither knows how many the
 * other will need. */
static guint
send_thread (guint row)
{
  return SENDS_THREAD + 2 * row;
}

static guint
receive_thread (guint row)
{
  return SENDS_THREAD + 2 * row + 1;
}

static void
write_side (Writer *w, const GobanTransfer *transfer, guint index, gboolean is_send, guint thread)
{
  const GobanTensor *tensor = goban_graph_get_tensor (w->graph, transfer->tensor);
  const char *name = goban_graph_get_node (w->graph, tensor->producer)->name;
  guint process = is_send ? transfer->from : transfer->to;
  guint peer = is_send ? transfer->to : transfer->from;
  g_autofree char *title
      = g_strdup_printf ("%s %s %s", name, is_send ? "to" : "from",
                         goban_cluster_get_device (w->cluster, peer)->name);

  begin_event (w, "X", title, process, thread);
  goban_json_add_string (w->json, "cat", "transfer");
  add_span (w, transfer->start_us, transfer->finish_us);
  goban_json_append_key (w->json, "args");
  g_string_append_c (w->json, '{');
  goban_json_add_number (w->json, "bytes", tensor->size_bytes);
  goban_json_add_number (w->json, "waited_us", transfer->start_us - transfer->ready_us);
  g_string_append (w->json, "}}");

  /* An arrow from the send to the receive. */
  begin_event (w, is_send ? "s" : "f", "transfer", process, thread);
  goban_json_add_string (w->json, "cat", "transfer");
  goban_json_add_number (w->json, "id", index);
  goban_json_add_number (w->json, "ts", transfer->start_us);
  if (!is_send)
    goban_json_add_string (w->json, "bp", "e");
  g_string_append_c (w->json, '}');
}

static void
name_threads (Writer *w, guint process, const Rows *rows, gboolean is_send)
{
  for (guint row = 0; row < rows->row_ends_us->len; row++)
    {
      guint thread = is_send ? send_thread (row) : receive_thread (row);

      write_metadata (w, "thread_name", process, thread, is_send ? "sends" : "receives");
      write_sort_index (w, "thread_sort_index", process, thread, thread);
    }
}

static void
write_transfers (Writer *w)
{
  guint n_devices = goban_cluster_get_n_devices (w->cluster);
  g_autofree Rows *sends = g_new (Rows, n_devices);
  g_autofree Rows *receives = g_new (Rows, n_devices);
  guint n;
  const GobanTransfer *transfers = goban_trace_get_transfers (w->trace, &n);

  for (guint d = 0; d < n_devices; d++)
    {
      sends[d].row_ends_us = g_array_new (FALSE, FALSE, sizeof (double));
      receives[d].row_ends_us = g_array_new (FALSE, FALSE, sizeof (double));
    }

  for (guint i = 0; i < n; i++)
    {
      const GobanTransfer *t = &transfers[i];
      guint out = take_row (&sends[t->from], t->start_us, t->finish_us);
      guint in = take_row (&receives[t->to], t->start_us, t->finish_us);

      write_side (w, t, i, TRUE, send_thread (out));
      write_side (w, t, i, FALSE, receive_thread (in));
    }

  for (guint d = 0; d < n_devices; d++)
    {
      name_threads (w, d, &sends[d], TRUE);
      name_threads (w, d, &receives[d], FALSE);
      g_array_unref (sends[d].row_ends_us);
      g_array_unref (receives[d].row_ends_us);
    }
}

static void
write_memory (Writer *w, GobanDeviceId device)
{
  guint n;
  g_autofree GobanMemoryPoint *points = goban_trace_get_memory (w->trace, device, &n);

  for (guint i = 0; i < n; i++)
    {
      begin_event (w, "C", "memory", device, OPS_THREAD);
      goban_json_add_number (w->json, "ts", points[i].time_us);
      goban_json_append_key (w->json, "args");
      g_string_append_c (w->json, '{');
      goban_json_add_number (w->json, "bytes", points[i].bytes);
      g_string_append (w->json, "}}");
    }
}

static void
write_device (Writer *w, GobanDeviceId device)
{
  const char *name = goban_cluster_get_device (w->cluster, device)->name;

  write_metadata (w, "process_name", device, OPS_THREAD, name);
  write_sort_index (w, "process_sort_index", device, OPS_THREAD, device);
  write_metadata (w, "thread_name", device, OPS_THREAD, "ops");
  write_sort_index (w, "thread_sort_index", device, OPS_THREAD, OPS_THREAD);
  if (goban_trace_get_ops (w->trace) != NULL)
    write_memory (w, device);
}

char *
goban_trace_to_json (const GobanTrace *trace, gsize *length)
{
  GobanCostModel *costs = goban_trace_get_costs (trace);
  GString *json = g_string_new ("{");
  Writer w = { trace, goban_cost_model_get_graph (costs), goban_cost_model_get_cluster (costs),
               json, TRUE };

  goban_json_add_string (json, "displayTimeUnit", "ms");
  goban_json_append_key (json, "otherData");
  g_string_append_c (json, '{');
  goban_json_add_string (json, "graph", goban_graph_get_name (w.graph));
  goban_json_add_string (json, "cluster", goban_cluster_get_name (w.cluster));
  goban_json_add_string (json, "policy", goban_plan_get_policy (goban_trace_get_plan (trace)));
  goban_json_add_number (json, "makespan_us", goban_trace_get_makespan (trace));
  goban_json_add_string (json, "why", goban_trace_get_why (trace));
  g_string_append_c (json, '}');
  goban_json_append_key (json, "traceEvents");
  g_string_append_c (json, '[');

  for (guint d = 0; d < goban_cluster_get_n_devices (w.cluster); d++)
    write_device (&w, d);
  if (goban_trace_get_ops (trace) != NULL)
    {
      for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (w.graph); v++)
        write_op (&w, v);
      write_transfers (&w);
    }

  g_string_append (json, "\n]}\n");
  if (length != NULL)
    *length = json->len;
  return g_string_free (json, FALSE);
}

gboolean
goban_trace_save (const GobanTrace *trace, const char *path, GError **error)
{
  gsize length;
  g_autofree char *json = goban_trace_to_json (trace, &length);

  return goban_file_write (path, json, length, error);
}
