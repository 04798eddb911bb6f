#include "engine/placers/list-schedule-record.h"

#include "engine/core/key-sort.h"

#include <math.h>

#define NO_COPY G_MAXUINT32

/* An op with more inputs than this sums. */
#define MAX_PAIR 2

/* A tensor in the memory of a device that is not its producer's. */
typedef struct
{
  double arrival_us;
  guint32 next; /* of the same tensor */
  GobanDeviceId device;
} Copy;

/* One input tensor of the present node. A producer that is carried along and not scheduled yet is
 * on the device its unit is bound to, or on any device that needs it. */
typedef struct
{
  GobanTensorId tensor;
  GobanDeviceId from; /* GOBAN_NO_DEVICE: on any device that needs it */
  GobanNodeId producer;
  double finish_us; /* of its producer */
  double size_bytes;
} Input;

struct _GobanListSchedule
{
  const GobanUnits *units;
  const GobanGraph *graph;
  gboolean channels;

  GobanDeviceId *devices; /* (n_nodes) GOBAN_NO_DEVICE until scheduled */
  double *starts_us;      /* (n_nodes) */
  double *finishes_us;    /* (n_nodes) */
  GobanDeviceId *bound;   /* (n_units) GOBAN_NO_DEVICE until its first node is scheduled */
  double *used_bytes;     /* (n_devices) */
  guint8 *is_reserved;    /* (n_tensors) (nullable) counted with its unit, for the whole run */
  double *reserved_bytes; /* (n_units) (nullable) those tensors' */
  double headroom_bytes;

  guint32 *n_waiting;  /* (n_tensors) readers that are not scheduled yet */
  guint32 *first_copy; /* (n_tensors) into copies, or NO_COPY */
  GArray *copies;      /* Copy */

  double *send_free_us;    /* (n_devices) */
  double *receive_free_us; /* (n_devices) */
  double *link_free_us;    /* (n_links) */

  guint8 *is_carried; /* (n_nodes) */
  guint n_left;       /* nodes not scheduled that are not carried */

  const GobanNodeId *nodes; /* (n) those at hand, borrowed */
  guint n;
  GobanNodeId single; /* what nodes points to if there is one */
  GArray *inputs;     /* Input: from nodes that are not at hand */

  GobanDecisionsWriter *decisions; /* (nullable) borrowed */
  GobanOptionScores *scores;       /* (nullable) its own */
  const GobanChoiceWords *words;
};

static gboolean
takes_no_time (const GobanUnits *units, GobanNodeId node)
{
  const double *times_us = goban_cost_model_times_us (units->costs, node);

  for (guint c = 0; c < units->n_classes; c++)
    if (times_us[c] > 0 && isfinite (times_us[c]))
      return FALSE;
  return TRUE;
}

/* Variables, constants and ops that only rename them. */
static void
find_carried (GobanListSchedule *self)
{
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    {
      GobanEdgeSpan in = goban_graph_get_in_edges (self->graph, v);

      self->is_carried[v] = takes_no_time (self->units, v);
      for (guint i = 0; i < in.n && self->is_carried[v]; i++)
        self->is_carried[v] = self->is_carried[goban_graph_get_edge (self->graph, in.ids[i])->tail];
      self->n_left += !self->is_carried[v];
    }
}

void
goban_list_schedule_free (GobanListSchedule *self)
{
  g_free (self->devices);
  g_free (self->starts_us);
  g_free (self->finishes_us);
  g_free (self->bound);
  g_free (self->used_bytes);
  g_free (self->is_reserved);
  g_free (self->reserved_bytes);
  g_free (self->n_waiting);
  g_free (self->first_copy);
  g_clear_pointer (&self->copies, g_array_unref);
  g_free (self->send_free_us);
  g_free (self->receive_free_us);
  g_free (self->link_free_us);
  g_free (self->is_carried);
  g_clear_pointer (&self->inputs, g_array_unref);
  g_free (self);
}

/* An activation that backward or update ops read; or a gradient that waits for others to be summed
 * with it: if the steps of a layer share weights, these are most of the memory. */
static gboolean
is_kept (const GobanGraph *graph, GobanTensorId tensor)
{
  GobanEdgeSpan edges = goban_graph_get_tensor_edges (graph, tensor);
  GobanNodeId producer = goban_graph_get_tensor (graph, tensor)->producer;
  gboolean is_forward = goban_graph_get_node (graph, producer)->phase == GOBAN_PHASE_FORWARD;

  for (guint i = 0; i < edges.n; i++)
    {
      GobanNodeId head = goban_graph_get_edge (graph, edges.ids[i])->head;

      if (is_forward && goban_graph_get_node (graph, head)->phase != GOBAN_PHASE_FORWARD)
        return TRUE;
      if (!is_forward && goban_graph_get_in_edges (graph, head).n > MAX_PAIR
          && goban_graph_get_node (graph, head)->phase == GOBAN_PHASE_BACKWARD)
        return TRUE;
    }
  return FALSE;
}

void
goban_list_schedule_reserve_kept (GobanListSchedule *self)
{
  guint n_tensors = goban_graph_get_n_tensors (self->graph);

  g_return_if_fail (self->is_reserved == NULL);

  self->is_reserved = g_new0 (guint8, n_tensors);
  self->reserved_bytes = g_new0 (double, self->units->n_units);
  for (GobanTensorId t = 0; t < n_tensors; t++)
    if (is_kept (self->graph, t))
      {
        const GobanTensor *tensor = goban_graph_get_tensor (self->graph, t);

        self->is_reserved[t] = TRUE;
        self->reserved_bytes[self->units->unit_of[tensor->producer]] += tensor->size_bytes;
      }
}

void
goban_list_schedule_set_headroom (GobanListSchedule *self, double headroom_bytes)
{
  self->headroom_bytes = headroom_bytes;
}

/* Memory that binding a unit reserves at once. */
static double
binding_bytes (const GobanListSchedule *self, guint32 unit)
{
  return self->units->param_bytes[unit]
         + (self->reserved_bytes != NULL ? self->reserved_bytes[unit] : 0);
}

static gboolean
is_reserved (const GobanListSchedule *self, GobanTensorId tensor)
{
  return self->is_reserved != NULL && self->is_reserved[tensor];
}

/* The part of a node's outputs that is not reserved. */
static double
new_output_bytes (const GobanListSchedule *self, GobanNodeId node)
{
  double size_bytes = 0;
  guint n_tensors;
  GobanTensorId first = goban_graph_get_node_tensors (self->graph, node, &n_tensors);

  for (GobanTensorId t = first; t < first + n_tensors; t++)
    if (!is_reserved (self, t))
      size_bytes += goban_graph_get_tensor (self->graph, t)->size_bytes;
  return size_bytes;
}

static int
compare_inputs (gconstpointer a, gconstpointer b)
{
  const Input *x = a;
  const Input *y = b;

  if (x->finish_us != y->finish_us)
    return x->finish_us < y->finish_us ? -1 : 1;
  return (x->tensor > y->tensor) - (x->tensor < y->tensor);
}

gboolean
goban_list_schedule_is_carried (const GobanListSchedule *self, GobanNodeId node)
{
  return self->is_carried[node];
}

static gboolean
is_at_hand (const GobanListSchedule *self, GobanNodeId node)
{
  guint low = 0;
  guint high = self->n;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (self->nodes[middle] < node)
        low = middle + 1;
      else
        high = middle;
    }
  return low < self->n && self->nodes[low] == node;
}

static void
add_input (GobanListSchedule *self, const GobanEdge *edge)
{
  Input input = {
    .tensor = edge->tensor,
    .from = self->devices[edge->tail],
    .producer = edge->tail,
    .finish_us = self->finishes_us[edge->tail],
    .size_bytes = goban_graph_get_tensor (self->graph, edge->tensor)->size_bytes,
  };

  if (input.from == GOBAN_NO_DEVICE)
    {
      g_assert (self->is_carried[edge->tail]);
      input.from = self->bound[self->units->unit_of[edge->tail]];
    }
  g_array_append_val (self->inputs, input);
}

static void
drop_repeated (GArray *inputs)
{
  guint n = 0;

  for (guint i = 0; i < inputs->len; i++)
    if (n == 0
        || g_array_index (inputs, Input, i).tensor != g_array_index (inputs, Input, n - 1).tensor)
      g_array_index (inputs, Input, n++) = g_array_index (inputs, Input, i);
  g_array_set_size (inputs, n);
}

static void
turn_to (GobanListSchedule *self, const GobanNodeId *nodes, guint n)
{
  self->nodes = nodes;
  self->n = n;
  g_array_set_size (self->inputs, 0);
  for (guint k = 0; k < n; k++)
    {
      GobanEdgeSpan in = goban_graph_get_in_edges (self->graph, nodes[k]);

      for (guint i = 0; i < in.n; i++)
        {
          const GobanEdge *edge = goban_graph_get_edge (self->graph, in.ids[i]);

          if (n == 1 || !is_at_hand (self, edge->tail))
            add_input (self, edge);
        }
    }

  /* Tensors are sent in the order in which they were ready, each once for all its readers. */
  if (self->channels || n > 1)
    {
      g_array_sort (self->inputs, compare_inputs);
      drop_repeated (self->inputs);
    }
}

void
goban_list_schedule_turn_to (GobanListSchedule *self, GobanNodeId node)
{
  self->single = node;
  turn_to (self, &self->single, 1);
}

void
goban_list_schedule_turn_to_tree (GobanListSchedule *self, const GobanNodeId *nodes, guint n)
{
  turn_to (self, nodes, n);
}

static const Copy *
find_copy (const GobanListSchedule *self, GobanTensorId tensor, GobanDeviceId device)
{
  for (guint32 i = self->first_copy[tensor]; i != NO_COPY;)
    {
      const Copy *copy = &g_array_index (self->copies, Copy, i);

      if (copy->device == device)
        return copy;
      i = copy->next;
    }
  return NULL;
}

/* When a transfer can start that is ready when its producer has finished. */
static double
channel_free_us (const GobanListSchedule *self, const Input *input, GobanDeviceId to,
                 double receive_free_us)
{
  const GobanRoute *route = goban_cluster_get_route (self->units->cluster, input->from, to);
  double start_us = MAX (input->finish_us, receive_free_us);

  start_us = MAX (start_us, self->send_free_us[input->from]);
  for (guint i = 0; i < route->n_links; i++)
    start_us = MAX (start_us, self->link_free_us[route->links[i]]);
  return start_us;
}

/* Memory of a carried producer on the device. */
static double
carried_bytes (const GobanListSchedule *self, const Input *input)
{
  guint32 unit = self->units->unit_of[input->producer];
  gboolean is_own = unit == self->units->unit_of[self->nodes[0]];

  return input->size_bytes + (is_own ? 0 : binding_bytes (self, unit));
}

/* When the inputs are on the device, and the bytes that they take there on top. */
static double
look_at_inputs (const GobanListSchedule *self, GobanDeviceId device, double *needed_bytes)
{
  double ready_us = 0;
  /* All transfers to one device share its receive channel, so they run one after another and
   * cannot find each other in the way of the senders' channels or links. */
  double receive_free_us = self->receive_free_us[device];

  for (guint i = 0; i < self->inputs->len; i++)
    {
      const Input *input = &g_array_index (self->inputs, Input, i);
      const Copy *copy = NULL;
      double arrival_us = input->finish_us;

      if (input->from == GOBAN_NO_DEVICE)
        {
          *needed_bytes += carried_bytes (self, input);
          continue;
        }
      if (input->from != device)
        copy = find_copy (self, input->tensor, device);
      if (copy != NULL)
        arrival_us = copy->arrival_us;
      else if (input->from != device)
        {
          *needed_bytes += input->size_bytes;
          if (self->channels)
            arrival_us = channel_free_us (self, input, device, receive_free_us);
          arrival_us += goban_cost_model_transfer_us (self->units->costs, input->tensor,
                                                      input->from, device);
          receive_free_us = arrival_us;
        }
      ready_us = MAX (ready_us, arrival_us);
    }
  return ready_us;
}

gboolean
goban_list_schedule_look (const GobanListSchedule *self, GobanDeviceId device,
                          GobanPlacement *placement)
{
  const GobanUnits *units = self->units;
  guint32 unit = units->unit_of[self->nodes[0]];
  double needed_bytes = new_output_bytes (self, self->nodes[self->n - 1]);

  if (!goban_units_can_run (units, unit, device)
      || (self->bound[unit] != GOBAN_NO_DEVICE && self->bound[unit] != device))
    return FALSE;

  if (self->bound[unit] == GOBAN_NO_DEVICE)
    needed_bytes += binding_bytes (self, unit);
  placement->device = device;
  placement->ready_us = look_at_inputs (self, device, &needed_bytes);
  placement->time_us = 0;
  for (guint k = 0; k < self->n; k++)
    placement->time_us += goban_cost_model_time_us (units->costs, self->nodes[k], device);
  placement->room_bytes = goban_cluster_get_device (units->cluster, device)->memory_bytes
                          - self->headroom_bytes - self->used_bytes[device] - needed_bytes;
  return TRUE;
}

int
goban_placement_compare_room (const GobanPlacement *a, const GobanPlacement *b)
{
  if (MIN (a->room_bytes, b->room_bytes) >= 0 || a->room_bytes == b->room_bytes)
    return 0;
  return a->room_bytes > b->room_bytes ? -1 : 1;
}

static void
transfer (GobanListSchedule *self, const Input *input, GobanDeviceId to)
{
  const GobanUnits *units = self->units;
  double time_us = goban_cost_model_transfer_us (units->costs, input->tensor, input->from, to);
  Copy copy = {
    .arrival_us = input->finish_us + time_us,
    .next = self->first_copy[input->tensor],
    .device = to,
  };

  if (self->channels)
    {
      const GobanRoute *route = goban_cluster_get_route (units->cluster, input->from, to);

      copy.arrival_us = channel_free_us (self, input, to, self->receive_free_us[to]) + time_us;
      self->send_free_us[input->from] = copy.arrival_us;
      self->receive_free_us[to] = copy.arrival_us;
      for (guint i = 0; i < route->n_links; i++)
        self->link_free_us[route->links[i]] = copy.arrival_us;
    }

  self->first_copy[input->tensor] = self->copies->len;
  g_array_append_val (self->copies, copy);
  self->used_bytes[to] += input->size_bytes;
}

/* One reader less. The last one counts the tensor no more, wherever it is. */
static void
read_tensor (GobanListSchedule *self, const GobanEdge *edge)
{
  double size_bytes = goban_graph_get_tensor (self->graph, edge->tensor)->size_bytes;

  if (--self->n_waiting[edge->tensor] > 0)
    return;
  if (!is_reserved (self, edge->tensor))
    self->used_bytes[self->devices[edge->tail]] -= size_bytes;
  for (guint32 i = self->first_copy[edge->tensor]; i != NO_COPY;)
    {
      const Copy *copy = &g_array_index (self->copies, Copy, i);

      self->used_bytes[copy->device] -= size_bytes;
      i = copy->next;
    }
}

static void
count_outputs (GobanListSchedule *self, GobanNodeId node, GobanDeviceId device)
{
  guint n_tensors;
  GobanTensorId first = goban_graph_get_node_tensors (self->graph, node, &n_tensors);

  for (GobanTensorId t = first; t < first + n_tensors; t++)
    if (self->n_waiting[t] > 0 && !is_reserved (self, t))
      self->used_bytes[device] += goban_graph_get_tensor (self->graph, t)->size_bytes;
}

static void
bind_unit (GobanListSchedule *self, guint32 unit, GobanDeviceId device)
{
  if (self->bound[unit] != GOBAN_NO_DEVICE)
    return;
  self->bound[unit] = device;
  self->used_bytes[device] += binding_bytes (self, unit);
}

/* Books a node on a device whose inputs are there; returns when it finishes. */
static double
book (GobanListSchedule *self, GobanNodeId node, GobanDeviceId device, double start_us)
{
  GobanEdgeSpan in = goban_graph_get_in_edges (self->graph, node);

  bind_unit (self, self->units->unit_of[node], device);
  self->devices[node] = device;
  self->starts_us[node] = start_us;
  self->finishes_us[node] = start_us + goban_cost_model_time_us (self->units->costs, node, device);
  for (guint i = 0; i < in.n; i++)
    read_tensor (self, goban_graph_get_edge (self->graph, in.ids[i]));
  count_outputs (self, node, device);
  return self->finishes_us[node];
}

/* A carried node of its own. */
static void
record_carried (const GobanListSchedule *self, GobanNodeId node)
{
  const GobanDecisionHead head = { .task = GOBAN_TASK_PLACEMENT,
                                   .options = GOBAN_OPTION_DEVICE,
                                   .nodes = &node,
                                   .n_nodes = 1,
                                   .note = "carried along",
                                   .flags = GOBAN_DECISION_CARRIED };

  goban_decisions_writer_decide (self->decisions, &head, self->devices[node]);
  goban_decisions_writer_set_times (self->decisions, self->starts_us[node],
                                    self->finishes_us[node]);
}

/* Moves a tensor to the device unless it is there; returns when it arrives. */
static double
fetch (GobanListSchedule *self, const Input *input, GobanDeviceId device)
{
  const Copy *copy;

  if (input->from == device)
    return input->finish_us;
  if (find_copy (self, input->tensor, device) == NULL)
    transfer (self, input, device);
  copy = find_copy (self, input->tensor, device);
  return copy->arrival_us;
}

/* A carried node goes to the device that needs it if it can, with its own inputs, each after its
 * producers. */
static void
carry (GobanListSchedule *self, GobanNodeId node, GobanDeviceId wanted)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));

  g_array_append_val (stack, node);
  while (stack->len > 0)
    {
      GobanNodeId v = g_array_index (stack, GobanNodeId, stack->len - 1);
      guint32 unit = self->units->unit_of[v];
      GobanEdgeSpan in = goban_graph_get_in_edges (self->graph, v);
      GobanDeviceId device = self->bound[unit];
      guint n_stacked = stack->len;
      double start_us = 0;

      for (guint i = 0; i < in.n && self->devices[v] == GOBAN_NO_DEVICE; i++)
        {
          GobanNodeId tail = goban_graph_get_edge (self->graph, in.ids[i])->tail;

          if (self->devices[tail] == GOBAN_NO_DEVICE)
            g_array_append_val (stack, tail);
        }
      if (stack->len > n_stacked)
        continue;
      g_array_set_size (stack, n_stacked - 1);
      if (self->devices[v] != GOBAN_NO_DEVICE)
        continue;

      if (device == GOBAN_NO_DEVICE)
        device = goban_units_can_run (self->units, unit, wanted)
                     ? wanted
                     : goban_units_fastest_device (self->units, unit);
      turn_to (self, &v, 1);
      for (guint i = 0; i < self->inputs->len; i++)
        start_us = MAX (start_us, fetch (self, &g_array_index (self->inputs, Input, i), device));
      book (self, v, device, start_us);
      if (goban_list_schedule_has_record (self))
        record_carried (self, v);
    }
}

static gboolean
carry_inputs (GobanListSchedule *self, GobanDeviceId device)
{
  g_autofree GobanNodeId *carried = g_new (GobanNodeId, self->inputs->len);
  guint n_carried = 0;

  for (guint i = 0; i < self->inputs->len; i++)
    {
      GobanNodeId producer = g_array_index (self->inputs, Input, i).producer;

      if (self->devices[producer] == GOBAN_NO_DEVICE)
        carried[n_carried++] = producer;
    }
  for (guint i = 0; i < n_carried; i++)
    carry (self, carried[i], device);
  return n_carried > 0;
}

/* Carried nodes without waiting readers. */
static void
carry_the_rest (GobanListSchedule *self)
{
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    if (self->devices[v] == GOBAN_NO_DEVICE)
      carry (self, v, goban_units_fastest_device (self->units, self->units->unit_of[v]));
}

void
goban_list_schedule_place (GobanListSchedule *self, GobanDeviceId device, double start_us)
{
  const GobanNodeId *nodes = self->nodes;
  GobanNodeId single = nodes[0];
  guint n = self->n;

  if (n == 1)
    nodes = &single;
  if (self->decisions != NULL)
    {
      double finish_us = start_us;

      for (guint k = 0; k < n; k++)
        finish_us += goban_cost_model_time_us (self->units->costs, nodes[k], device);
      goban_decisions_writer_set_times (self->decisions, start_us, finish_us);
    }
  bind_unit (self, self->units->unit_of[nodes[0]], device);
  if (carry_inputs (self, device))
    turn_to (self, nodes, n);
  for (guint i = 0; i < self->inputs->len; i++)
    fetch (self, &g_array_index (self->inputs, Input, i), device);
  for (guint k = 0; k < n; k++)
    {
      self->n_left -= !self->is_carried[nodes[k]];
      start_us = book (self, nodes[k], device, start_us);
    }
  if (self->n_left == 0)
    carry_the_rest (self);
  self->n = 0;
}

void
goban_list_schedule_begin_record (GobanListSchedule *self, GobanDecisionsWriter *decisions,
                                  const GobanChoiceWords *words)
{
  self->decisions = decisions;
  self->scores = goban_decisions_writer_get_scores (decisions);
  self->words = words;
  if (!goban_list_schedule_has_record (self))
    return;
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    if (self->devices[v] != GOBAN_NO_DEVICE)
      record_carried (self, v);
}

gboolean
goban_list_schedule_has_record (const GobanListSchedule *self)
{
  return self->decisions != NULL;
}

void
goban_list_schedule_weigh (GobanListSchedule *self, GobanDeviceId device,
                           const GobanPlacement *placement, double candidate)
{
  guint refusals = 0;

  if (!goban_list_schedule_has_record (self))
    return;
  if (placement != NULL)
    refusals = placement->room_bytes < 0 ? GOBAN_REFUSAL_MEMORY : 0;
  else if (!goban_units_can_run (self->units, self->units->unit_of[self->nodes[0]], device))
    refusals = GOBAN_REFUSAL_CANNOT_RUN;
  else
    refusals = GOBAN_REFUSAL_GROUP;
  if (placement == NULL)
    candidate = (double) NAN;
  goban_option_scores_set (self->scores, device, candidate, refusals);
}

GobanDeviceId
goban_list_schedule_decide (GobanListSchedule *self, GobanDeviceId device, double key,
                            const char *note)
{
  GobanDecisionHead head;

  if (self->decisions == NULL)
    return device;
  head = (GobanDecisionHead){ .task = GOBAN_TASK_PLACEMENT,
                              .options = GOBAN_OPTION_DEVICE,
                              .score = self->words->score,
                              .takes_least = self->words->takes_least,
                              .nodes = self->nodes,
                              .n_nodes = self->n,
                              .n_options = self->units->n_devices,
                              .key = (float) key,
                              .has_key = !isnan (key),
                              .note = note };
  return (GobanDeviceId) goban_decisions_writer_decide (self->decisions, &head, device);
}

GobanListSchedule *
goban_list_schedule_new (const GobanUnits *units, gboolean channels)
{
  GobanListSchedule *self = g_new0 (GobanListSchedule, 1);
  guint n_nodes = goban_graph_get_n_nodes (units->graph);
  guint n_tensors = goban_graph_get_n_tensors (units->graph);

  self->units = units;
  self->graph = units->graph;
  self->channels = channels;
  self->devices = g_new (GobanDeviceId, n_nodes);
  self->starts_us = g_new0 (double, n_nodes);
  self->finishes_us = g_new0 (double, n_nodes);
  self->bound = g_new (GobanDeviceId, units->n_units);
  self->used_bytes = g_new0 (double, units->n_devices);
  self->n_waiting = g_new (guint32, n_tensors);
  self->first_copy = g_new (guint32, n_tensors);
  self->copies = g_array_new (FALSE, FALSE, sizeof (Copy));
  self->send_free_us = g_new0 (double, units->n_devices);
  self->receive_free_us = g_new0 (double, units->n_devices);
  self->link_free_us = g_new0 (double, goban_cluster_get_n_links (units->cluster));
  self->is_carried = g_new0 (guint8, n_nodes);
  self->inputs = g_array_new (FALSE, FALSE, sizeof (Input));

  for (guint v = 0; v < n_nodes; v++)
    self->devices[v] = GOBAN_NO_DEVICE;
  for (guint u = 0; u < units->n_units; u++)
    self->bound[u] = GOBAN_NO_DEVICE;
  for (guint t = 0; t < n_tensors; t++)
    {
      self->n_waiting[t] = goban_graph_get_tensor_edges (self->graph, t).n;
      self->first_copy[t] = NO_COPY;
    }
  find_carried (self);
  if (self->n_left == 0)
    carry_the_rest (self);
  return self;
}

const double *
goban_list_schedule_get_starts (const GobanListSchedule *self)
{
  return self->starts_us;
}

const double *
goban_list_schedule_get_finishes (const GobanListSchedule *self)
{
  return self->finishes_us;
}

GobanPlan *
goban_list_schedule_new_plan (const GobanListSchedule *self)
{
  guint n_nodes = goban_graph_get_n_nodes (self->graph);
  GobanPlan *plan = goban_plan_new (self->graph, self->units->n_devices);
  g_autofree GobanNodeId *turns = g_new (GobanNodeId, n_nodes);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      goban_plan_set_device (plan, v, self->devices[v]);
      turns[v] = v;
    }
  /* Ops that start together are ordered by their end: those of no time come first, because others
   * may not delay them. */
  goban_key_sort (turns, self->finishes_us, n_nodes);
  goban_key_sort (turns, self->starts_us, n_nodes);
  for (guint i = 0; i < n_nodes; i++)
    goban_plan_set_priority (plan, turns[i], (gint32) (n_nodes - 1 - i));
  goban_plan_set_order (plan, GOBAN_ORDER_PRIORITY);
  return plan;
}
