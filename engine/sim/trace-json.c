#include "engine/sim/trace-json.h"

#include "engine/core/file.h"
#include "engine/core/json-text.h"
#include "engine/sim/sim-heap.h"

/* Threads of a device's process. If transfers overlap, each kind has as many as it needs. */
enum
{
  OPS_THREAD = 1,
  FIRST_SEND_THREAD = 1000000,
  FIRST_RECEIVE_THREAD = 2000000,
};

typedef struct
{
  const GobanTrace *trace;
  const GobanPlan *plan;
  const GobanGraph *graph;
  const GobanCluster *cluster;
  guint n_devices;
  guint n_transfers;
  const GobanTransfer *transfers;
  GString *json;
} Writer;

static const char *
device_name (const Writer *self, GobanDeviceId device)
{
  return goban_cluster_get_device (self->cluster, device)->name;
}

/* Events are one a line; process numbers start at 1, since viewers make 0 special. */
static void
begin_event (Writer *self, const char *phase, GobanDeviceId device)
{
  gboolean is_first = self->json->str[self->json->len - 1] == '[';

  g_string_append (self->json, is_first ? "\n{" : ",\n{");
  goban_json_add_string (self->json, "ph", phase);
  goban_json_add_number (self->json, "pid", device + 1.0);
}

static void
write_metadata (Writer *self, const char *what, GobanDeviceId device, guint thread,
                const char *name)
{
  begin_event (self, "M", device);
  goban_json_add_number (self->json, "tid", thread);
  goban_json_add_string (self->json, "name", what);
  goban_json_begin (self->json, "args", '{');
  if (name != NULL)
    goban_json_add_string (self->json, "name", name);
  else
    goban_json_add_number (self->json, "sort_index", thread == 0 ? device : thread);
  g_string_append (self->json, "}}");
}

/* The finish was made by adding a duration to the start, and so start + (finish - start), as a
 * reader will compute it, does not exceed it: spans that touch do not overlap. */
static void
add_span (Writer *self, guint thread, double start_us, double finish_us)
{
  goban_json_add_number (self->json, "tid", thread);
  goban_json_add_number (self->json, "ts", start_us);
  goban_json_add_number (self->json, "dur", finish_us - start_us);
}

/* "conv1", or "conv1 +2" for a kernel; the names of the others are among its arguments. */
static void
write_op_name (Writer *self, GobanNodeId v)
{
  const char *name = goban_graph_get_node (self->graph, v)->name;
  g_autofree char *long_name = NULL;
  guint n_others = 0;

  for (GobanNodeId u = goban_trace_get_next_fused (self->trace, v); u != GOBAN_NO_NODE;
       u = goban_trace_get_next_fused (self->trace, u))
    n_others++;
  if (n_others > 0)
    name = long_name = g_strdup_printf ("%s +%u", name, n_others);
  goban_json_add_string (self->json, "name", name);
}

static void
write_fused (Writer *self, GobanNodeId v)
{
  GobanNodeId u = goban_trace_get_next_fused (self->trace, v);

  if (u == GOBAN_NO_NODE)
    return;
  goban_json_begin (self->json, "fused", '[');
  for (; u != GOBAN_NO_NODE; u = goban_trace_get_next_fused (self->trace, u))
    {
      goban_json_append_string (self->json, goban_graph_get_node (self->graph, u)->name);
      if (goban_trace_get_next_fused (self->trace, u) != GOBAN_NO_NODE)
        g_string_append (self->json, ", ");
    }
  g_string_append_c (self->json, ']');
}

/* One event for a kernel, by its lowest node. */
static void
write_op (Writer *self, GobanNodeId v)
{
  const GobanNode *node = goban_graph_get_node (self->graph, v);
  const GobanOpSpan *span = &goban_trace_get_ops (self->trace)[v];

  begin_event (self, "X", goban_plan_get_device (self->plan, v));
  add_span (self, OPS_THREAD, span->start_us, span->finish_us);
  write_op_name (self, v);
  goban_json_add_string (self->json, "cat", "op");
  goban_json_begin (self->json, "args", '{');
  goban_json_add_string (self->json, "op", node->op);
  goban_json_add_number (self->json, "node", v);
  goban_json_add_number (self->json, "priority", goban_plan_get_priority (self->plan, v));
  goban_json_add_number (self->json, "bytes", goban_graph_get_output_bytes (self->graph, v));
  goban_json_add_number (self->json, "ready_us", span->ready_us);
  goban_json_add_number (self->json, "wait_us", span->start_us - span->ready_us);
  write_fused (self, v);
  g_string_append (self->json, "}}");
}

static void
write_end (Writer *self, guint i, gboolean is_send, guint thread)
{
  const GobanTransfer *transfer = &self->transfers[i];
  const GobanTensor *tensor = goban_graph_get_tensor (self->graph, transfer->tensor);
  const char *producer = goban_graph_get_node (self->graph, tensor->producer)->name;
  GobanDeviceId here = is_send ? transfer->from : transfer->to;
  GobanDeviceId other = is_send ? transfer->to : transfer->from;
  g_autofree char *name
      = g_strdup_printf ("%s %s %s", producer, is_send ? "to" : "from", device_name (self, other));

  begin_event (self, "X", here);
  add_span (self, thread, transfer->start_us, transfer->finish_us);
  goban_json_add_string (self->json, "name", name);
  goban_json_add_string (self->json, "cat", is_send ? "send" : "receive");
  goban_json_begin (self->json, "args", '{');
  goban_json_add_string (self->json, "from", device_name (self, transfer->from));
  goban_json_add_string (self->json, "to", device_name (self, transfer->to));
  goban_json_add_number (self->json, "tensor", transfer->tensor);
  goban_json_add_number (self->json, "node", tensor->producer);
  goban_json_add_number (self->json, "bytes", tensor->size_bytes);
  goban_json_add_number (self->json, "ready_us", transfer->ready_us);
  goban_json_add_number (self->json, "wait_us", transfer->start_us - transfer->ready_us);
  g_string_append (self->json, "}}");

  /* The arrow leaves the send and ends in the receive. */
  begin_event (self, is_send ? "s" : "f", here);
  if (!is_send)
    goban_json_add_string (self->json, "bp", "e");
  goban_json_add_number (self->json, "tid", thread);
  goban_json_add_number (self->json, "ts", transfer->start_us);
  goban_json_add_number (self->json, "id", i);
  goban_json_add_string (self->json, "name", "transfer");
  goban_json_add_string (self->json, "cat", "transfer");
  g_string_append_c (self->json, '}');
}

/* Spans of one thread must not overlap, and free links let transfers do so: a transfer goes to
 * the thread that is free for longest, or a new one. Transfers come in order of start. */
static void
write_transfers (Writer *self, GobanDeviceId device, gboolean is_send)
{
  g_autofree Arrival *threads = g_new (Arrival, self->n_transfers);
  guint32 n_threads = 0;
  guint first = is_send ? FIRST_SEND_THREAD : FIRST_RECEIVE_THREAD;
  const char *kind = is_send ? "send" : "receive";

  for (guint i = 0; i < self->n_transfers; i++)
    {
      const GobanTransfer *transfer = &self->transfers[i];
      guint32 thread = n_threads;

      if ((is_send ? transfer->from : transfer->to) != device)
        continue;
      if (n_threads > 0 && threads[0].finish_us <= transfer->start_us)
        thread = arrival_heap_pop (threads, &n_threads).move;
      else
        {
          g_autofree char *name
              = n_threads == 0 ? g_strdup (kind) : g_strdup_printf ("%s %u", kind, n_threads + 1);

          write_metadata (self, "thread_name", device, first + thread, name);
          write_metadata (self, "thread_sort_index", device, first + thread, NULL);
        }
      arrival_heap_push (threads, &n_threads, (Arrival){ transfer->finish_us, thread });
      write_end (self, i, is_send, first + thread);
    }
}

static void
write_memory (Writer *self, GobanDeviceId device)
{
  guint n;
  g_autofree GobanMemoryPoint *points = goban_trace_get_memory (self->trace, device, &n);

  for (guint i = 0; i < n; i++)
    {
      begin_event (self, "C", device);
      goban_json_add_number (self->json, "tid", 0);
      goban_json_add_number (self->json, "ts", points[i].time_us);
      goban_json_add_string (self->json, "name", "memory");
      goban_json_begin (self->json, "args", '{');
      goban_json_add_number (self->json, "bytes", points[i].bytes);
      g_string_append (self->json, "}}");
    }
}

char *
goban_trace_to_json (const GobanTrace *trace, gsize *length)
{
  const GobanCostModel *costs = goban_trace_get_costs (trace);
  Writer self = {
    .trace = trace,
    .plan = goban_trace_get_plan (trace),
    .graph = goban_cost_model_get_graph (costs),
    .cluster = goban_cost_model_get_cluster (costs),
  };
  guint n_nodes = goban_graph_get_n_nodes (self.graph);

  self.n_devices = goban_cluster_get_n_devices (self.cluster);
  self.transfers = goban_trace_get_transfers (trace, &self.n_transfers);
  self.json = g_string_new ("{");
  goban_json_add_string (self.json, "displayTimeUnit", "ms");
  g_string_append (self.json, ",\n");

  GString *json = self.json;
  gboolean is_fifo = goban_plan_get_order (self.plan) == GOBAN_ORDER_FIFO;

  goban_json_begin (json, "otherData", '{');
  goban_json_add_string (json, "program", "goban " GOBAN_VERSION);
  goban_json_add_string (json, "graph", goban_graph_get_name (self.graph));
  goban_json_add_string (json, "cluster", goban_cluster_get_name (self.cluster));
  goban_json_add_string (json, "policy", goban_plan_get_policy (self.plan));
  goban_json_add_string (json, "order", is_fifo ? "fifo" : "priority");
  goban_json_add_number (json, "makespan_us", goban_trace_get_makespan (self.trace));
  goban_json_add_number (json, "bound_us", goban_trace_get_bounds (self.trace)->bound_us);
  goban_json_add_boolean (json, "valid", goban_trace_is_valid (self.trace));
  goban_json_add_string (json, "why", goban_trace_get_why (self.trace));
  g_string_append_c (json, '}');

  g_string_append (self.json, ",\n\"traceEvents\": [");
  for (guint d = 0; d < self.n_devices; d++)
    {
      write_metadata (&self, "process_name", d, 0, device_name (&self, d));
      write_metadata (&self, "process_sort_index", d, 0, NULL);
      write_metadata (&self, "thread_name", d, OPS_THREAD, "ops");
      write_metadata (&self, "thread_sort_index", d, OPS_THREAD, NULL);
      write_transfers (&self, d, TRUE);
      write_transfers (&self, d, FALSE);
      write_memory (&self, d);
    }
  for (guint v = 0; v < n_nodes && goban_trace_get_ops (trace) != NULL; v++)
    if (goban_trace_get_kernel (trace, v) == v)
      write_op (&self, v);
  g_string_append (self.json, "\n]}\n");

  if (length != NULL)
    *length = self.json->len;
  return g_string_free (self.json, FALSE);
}

gboolean
goban_trace_save (const GobanTrace *trace, const char *path, GError **error)
{
  gsize length;
  g_autofree char *json = goban_trace_to_json (trace, &length);

  return goban_file_write (path, json, length, error);
}
