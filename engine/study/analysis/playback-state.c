#include "engine/study/analysis/playback-state.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"

#include <math.h>
#include <string.h>

/* --- a device's state at a moment ------------------------------------------------------------- */

/* Place in a queue: the least key first, then the least tie. */
typedef struct
{
  double key;
  guint64 tie;
  guint32 item;
} Place;

typedef struct
{
  GArray *places; /* of Place, sorted, at most Pass.most */
  guint n_all;
} Queue;

typedef enum
{
  RUNNING,
  READY,
  SENDING,
  RECEIVING,
  WAITING,
  N_QUEUES
} QueueKind;

/* One pass over a trace. */
typedef struct
{
  GobanRun *run;
  GobanPlan *plan;
  GobanTrace *trace;
  double time_us;
  guint most;
  gboolean is_by_priority;
  Queue (*queues)[N_QUEUES]; /* (n_devices) */
  GobanDeviceMoments *moments;
} Pass;

/* --- keys ------------------------------------------------------------------------------------- */

gint32
goban_device_moment_get_priority (GobanRun *run, GobanNodeId kernel)
{
  GobanPlan *plan = goban_run_get_plan (run);
  GobanTrace *trace = goban_run_get_trace (run);
  GobanNodeId node = goban_trace_get_kernel (trace, kernel);
  gint32 priority = goban_plan_get_priority (plan, node);

  while ((node = goban_trace_get_next_fused (trace, node)) != GOBAN_NO_NODE)
    priority = MAX (priority, goban_plan_get_priority (plan, node));
  return priority;
}

/* Priority of a transfer: the plan's for its tensor, or else the highest of the ops that wait for
 * it. */
static gint32
get_transfer_priority (GobanRun *run, guint32 transfer)
{
  GobanPlan *plan = goban_run_get_plan (run);
  GobanGraph *graph = goban_run_get_graph (run);
  const gint32 *given = goban_plan_get_transfer_priorities (plan);
  guint n;
  const GobanTransfer *sent = &goban_trace_get_transfers (goban_run_get_trace (run), &n)[transfer];
  GobanEdgeSpan edges = goban_graph_get_tensor_edges (graph, sent->tensor);
  gint32 priority = G_MININT32;

  if (given != NULL)
    return given[sent->tensor];
  for (guint i = 0; i < edges.n; i++)
    {
      GobanNodeId head = goban_graph_get_edge (graph, edges.ids[i])->head;

      if (goban_plan_get_device (plan, head) == sent->to)
        priority = MAX (priority, goban_device_moment_get_priority (run, head));
    }
  return priority;
}

static Place
place_op (const Pass *pass, GobanNodeId kernel)
{
  const GobanOpSpan *span = &goban_trace_get_ops (pass->trace)[kernel];
  double key = span->ready_us;

  if (pass->is_by_priority)
    key = -(double) goban_device_moment_get_priority (pass->run, kernel);
  return (Place){ key, kernel, kernel };
}

/* Ties go by the op that made the tensor first, then by the tensor, then by the device. */
static Place
place_transfer (const Pass *pass, guint32 index, const GobanTransfer *transfer)
{
  GobanGraph *graph = goban_run_get_graph (pass->run);
  GobanNodeId maker = goban_trace_get_kernel (
      pass->trace, goban_graph_get_tensor (graph, transfer->tensor)->producer);
  guint64 tie = (guint64) maker << 32 | transfer->tensor;
  double key = transfer->ready_us;

  if (pass->is_by_priority)
    key = -(double) get_transfer_priority (pass->run, index);
  return (Place){ key, tie, index };
}

/* --- queues ----------------------------------------------------------------------------------- */

static gboolean
comes_first (const Pass *pass, const Place *a, const Place *b, QueueKind kind)
{
  guint n;
  const GobanTransfer *transfers;

  if (a->key != b->key)
    return a->key < b->key;
  if (a->tie != b->tie || kind < SENDING)
    return a->tie < b->tie;
  transfers = goban_trace_get_transfers (pass->trace, &n);
  return transfers[a->item].to < transfers[b->item].to;
}

/* Keeps the first ones, sorted: an item that comes after all of a full queue is counted only. */
static void
queue_add (const Pass *pass, GobanDeviceId device, QueueKind kind, Place place)
{
  Queue *queue = &pass->queues[device][kind];
  guint at;

  queue->n_all++;
  if (queue->places == NULL)
    queue->places = g_array_new (FALSE, FALSE, sizeof (Place));
  at = queue->places->len;
  while (at > 0 && comes_first (pass, &place, &g_array_index (queue->places, Place, at - 1), kind))
    at--;
  if (at >= pass->most)
    return;
  g_array_insert_val (queue->places, at, place);
  if (queue->places->len > pass->most)
    g_array_set_size (queue->places, pass->most);
}

/* Frees the queue. */
static GobanQueueHead
queue_finish (Queue *queue)
{
  GobanQueueHead head = { NULL, queue->places != NULL ? queue->places->len : 0, queue->n_all };

  head.items = g_new (guint32, MAX (head.n, 1));
  for (guint i = 0; i < head.n; i++)
    head.items[i] = g_array_index (queue->places, Place, i).item;
  g_clear_pointer (&queue->places, g_array_unref);
  return head;
}

/* --- the pass --------------------------------------------------------------------------------- */

/* A later start may be the next op of its device. */
static void
note_next (const Pass *pass, const GobanOpSpan *ops, GobanNodeId kernel, GobanDeviceId device)
{
  GobanNodeId *next = &pass->moments->devices[device].next;

  if (ops[kernel].start_us > pass->time_us
      && (*next == GOBAN_NO_NODE || ops[kernel].start_us < ops[*next].start_us))
    *next = kernel;
}

static void
add_ops (const Pass *pass)
{
  const GobanDeviceId *devices = goban_plan_get_devices (pass->plan);
  const GobanOpSpan *ops = goban_trace_get_ops (pass->trace);
  guint n_nodes = ops != NULL ? goban_plan_get_n_nodes (pass->plan) : 0;

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      if (goban_trace_get_kernel (pass->trace, v) != v || ops[v].finish_us <= pass->time_us)
        continue;
      if (ops[v].start_us <= pass->time_us)
        queue_add (pass, devices[v], RUNNING, (Place){ ops[v].start_us, v, v });
      else if (ops[v].ready_us <= pass->time_us)
        queue_add (pass, devices[v], READY, place_op (pass, v));
      note_next (pass, ops, v, devices[v]);
    }
}

static void
add_transfers (const Pass *pass)
{
  guint n;
  const GobanTransfer *transfers = goban_trace_get_transfers (pass->trace, &n);

  for (guint i = 0; i < n; i++)
    {
      const GobanTransfer *transfer = &transfers[i];
      Place under_way = { transfer->start_us, transfer->tensor, i };

      if (transfer->finish_us <= pass->time_us || transfer->ready_us > pass->time_us)
        continue;
      if (transfer->start_us > pass->time_us)
        {
          queue_add (pass, transfer->from, WAITING, place_transfer (pass, i, transfer));
          continue;
        }
      queue_add (pass, transfer->from, SENDING, under_way);
      queue_add (pass, transfer->to, RECEIVING, under_way);
    }
}

/* The staircase's level at that time; before its first point, that of the point. */
static double
find_memory (GobanTrace *trace, GobanDeviceId device, double time_us)
{
  guint n, low = 0;
  g_autofree GobanMemoryPoint *points = goban_trace_get_memory (trace, device, &n);
  guint high = n;

  if (n == 0)
    return (double) NAN;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (points[middle].time_us <= time_us)
        low = middle + 1;
      else
        high = middle;
    }
  return points[low > 0 ? low - 1 : 0].bytes;
}

GobanDeviceMoments *
goban_device_moments_new (GobanRun *run, double time_us, guint most)
{
  GobanPlan *plan = goban_run_get_plan (run);
  guint n_devices = goban_plan_get_n_devices (plan);
  g_autofree Queue (*queues)[N_QUEUES] = g_malloc0_n (n_devices + 1, sizeof *queues);
  Pass pass = {
    .run = run,
    .plan = plan,
    .trace = goban_run_get_trace (run),
    .time_us = time_us,
    .most = most,
    .is_by_priority = goban_plan_get_order (plan) == GOBAN_ORDER_PRIORITY,
    .queues = queues,
    .moments = g_malloc0 (sizeof (GobanDeviceMoments) + n_devices * sizeof (GobanDeviceMoment)),
  };

  pass.moments->time_us = time_us;
  pass.moments->n_devices = n_devices;
  for (guint d = 0; d < n_devices; d++)
    pass.moments->devices[d].next = GOBAN_NO_NODE;
  add_ops (&pass);
  add_transfers (&pass);
  for (guint d = 0; d < n_devices; d++)
    {
      GobanDeviceMoment *moment = &pass.moments->devices[d];

      moment->running = queue_finish (&queues[d][RUNNING]);
      moment->ready = queue_finish (&queues[d][READY]);
      moment->sending = queue_finish (&queues[d][SENDING]);
      moment->receiving = queue_finish (&queues[d][RECEIVING]);
      moment->waiting = queue_finish (&queues[d][WAITING]);
      moment->memory_bytes = find_memory (pass.trace, d, time_us);
    }
  return pass.moments;
}

void
goban_device_moments_free (GobanDeviceMoments *self)
{
  for (guint d = 0; d < self->n_devices; d++)
    {
      g_free (self->devices[d].running.items);
      g_free (self->devices[d].ready.items);
      g_free (self->devices[d].sending.items);
      g_free (self->devices[d].receiving.items);
      g_free (self->devices[d].waiting.items);
    }
  g_free (self);
}

/* --- in words --------------------------------------------------------------------------------- */

static const char *
node_name (GobanRun *run, GobanNodeId node)
{
  return goban_graph_get_node (goban_run_get_graph (run), node)->name;
}

static void
append_op (GString *text, GobanRun *run, const GobanDeviceMoment *moment)
{
  const GobanOpSpan *ops = goban_trace_get_ops (goban_run_get_trace (run));
  char time[GOBAN_QUANTITY_LEN];

  if (moment->running.n > 0)
    g_string_append_printf (text, _ (" runs %s until %s"),
                            node_name (run, moment->running.items[0]),
                            goban_format_time (time, ops[moment->running.items[0]].finish_us));
  else if (moment->next != GOBAN_NO_NODE)
    g_string_append_printf (text, _ (" is idle until %s starts at %s"),
                            node_name (run, moment->next),
                            goban_format_time (time, ops[moment->next].start_us));
  else
    g_string_append (text, _ (" has nothing left to run"));
}

char *
goban_device_moments_describe (const GobanDeviceMoments *self, GobanRun *run, GobanDeviceId device)
{
  const GobanDeviceMoment *moment = &self->devices[device];
  const GobanDevice *info = goban_cluster_get_device (goban_run_get_cluster (run), device);
  GString *text = g_string_new (info->name);
  char used[GOBAN_QUANTITY_LEN], size[GOBAN_QUANTITY_LEN];

  append_op (text, run, moment);
  g_string_append_printf (text, _ ("; %u ready, %u sent, %u received, %u waiting to be sent"),
                          moment->ready.n_all, moment->sending.n_all, moment->receiving.n_all,
                          moment->waiting.n_all);
  if (isfinite (moment->memory_bytes))
    g_string_append_printf (text, _ ("; %s of %s in use"),
                            goban_format_bytes (used, moment->memory_bytes),
                            goban_format_bytes (size, info->memory_bytes));
  return g_string_free (text, FALSE);
}

const char *const goban_node_state_names[GOBAN_N_NODE_STATES]
    = { "waiting", "ready", "running", "done" };

/* Times only grow from ready over start to finish, so a state is how many of them have come. */
static GobanNodeState
state_at (const GobanOpSpan *span, double time_us)
{
  return (GobanNodeState) ((time_us >= span->ready_us) + (time_us >= span->start_us)
                           + (time_us >= span->finish_us));
}

void
goban_playback_state_compute (GobanRun *run, double time_us, guint8 *states, guint *counts)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_run_get_graph (run));
  const GobanOpSpan *spans = goban_trace_get_ops (goban_run_get_trace (run));
  guint local[GOBAN_N_NODE_STATES] = { 0 };

  if (spans == NULL)
    {
      local[GOBAN_NODE_WAITING] = n_nodes;
      if (states != NULL)
        memset (states, GOBAN_NODE_WAITING, n_nodes);
    }
  for (GobanNodeId v = 0; spans != NULL && v < n_nodes; v++)
    {
      GobanNodeState state = state_at (&spans[v], time_us);

      local[state]++;
      if (states != NULL)
        states[v] = (guint8) state;
    }
  if (counts != NULL)
    memcpy (counts, local, sizeof local);
}

GobanSelection *
goban_playback_state_dup_nodes (GobanRun *run, double time_us, GobanNodeState state)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_run_get_graph (run));
  const GobanOpSpan *spans = goban_trace_get_ops (goban_run_get_trace (run));
  g_autofree GobanNodeId *ids = g_new (GobanNodeId, n_nodes + 1);
  guint n = 0;

  for (GobanNodeId v = 0; v < n_nodes; v++)
    if ((spans != NULL ? state_at (&spans[v], time_us) : GOBAN_NODE_WAITING) == state)
      ids[n++] = v;
  return goban_selection_new (ids, n);
}

/* Activity of a device. A kernel is named by its lowest node. */
typedef struct
{
  GobanNodeId running;
  guint n_ready;
} DeviceState;

static DeviceState *
look_at_devices (GobanRun *run, const guint8 *states, guint n_devices)
{
  GobanPlan *plan = goban_run_get_plan (run);
  const GobanDeviceId *devices = goban_plan_get_devices (plan);
  DeviceState *answer = g_new (DeviceState, n_devices + 1);

  for (GobanDeviceId d = 0; d < n_devices; d++)
    answer[d] = (DeviceState){ GOBAN_NO_NODE, 0 };
  for (GobanNodeId v = goban_plan_get_n_nodes (plan); v-- > 0;)
    {
      answer[devices[v]].n_ready += states[v] == GOBAN_NODE_READY;
      if (states[v] == GOBAN_NODE_RUNNING)
        answer[devices[v]].running = v;
    }
  return answer;
}

char *
goban_playback_state_describe (GobanRun *run, double time_us)
{
  GobanGraph *graph = goban_run_get_graph (run);
  GobanCluster *cluster = goban_run_get_cluster (run);
  guint n_devices = goban_plan_get_n_devices (goban_run_get_plan (run));
  g_autofree guint8 *states = g_new (guint8, goban_graph_get_n_nodes (graph) + 1);
  g_autofree DeviceState *devices = NULL;
  guint counts[GOBAN_N_NODE_STATES];
  GString *text = g_string_new (NULL);
  char quantity[GOBAN_QUANTITY_LEN];

  goban_playback_state_compute (run, time_us, states, counts);
  devices = look_at_devices (run, states, n_devices);
  g_string_printf (text, "at %s: %u running, %u ready, %u done, %u waiting\n",
                   goban_format_time (quantity, time_us), counts[GOBAN_NODE_RUNNING],
                   counts[GOBAN_NODE_READY], counts[GOBAN_NODE_DONE], counts[GOBAN_NODE_WAITING]);
  /* A plan for more devices than there are does not start. */
  n_devices = MIN (n_devices, goban_cluster_get_n_devices (cluster));
  for (GobanDeviceId d = 0; d < n_devices; d++)
    g_string_append_printf (text, "%s: %s, %u ready\n", goban_cluster_get_device (cluster, d)->name,
                            devices[d].running != GOBAN_NO_NODE
                                ? goban_graph_get_node (graph, devices[d].running)->name
                                : "idle",
                            devices[d].n_ready);
  return g_string_free (text, FALSE);
}
