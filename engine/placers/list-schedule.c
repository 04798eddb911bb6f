#include "engine/placers/list-schedule.h"

#include <stdlib.h>

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

/* One input tensor of the node at hand. */
typedef struct
{
  GobanTensorId tensor;
  GobanDeviceId from;
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

  GobanNodeId node; /* the one at hand */
  GArray *inputs;   /* Input */
};

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
  return self;
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
  g_clear_pointer (&self->inputs, g_array_unref);
  g_free (self);
}

/* An activation that backward or update ops read; or a gradient that waits for others to be summed
 * with it: where the steps of a layer share weights, they are most of what it needs. */
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

/* What binding a unit takes at once. */
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

/* Of the node at hand, beyond what is reserved. */
static double
new_output_bytes (const GobanListSchedule *self)
{
  double size_bytes = 0;
  guint n_tensors;
  GobanTensorId first = goban_graph_get_node_tensors (self->graph, self->node, &n_tensors);

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

void
goban_list_schedule_turn_to (GobanListSchedule *self, GobanNodeId node)
{
  GobanEdgeSpan in = goban_graph_get_in_edges (self->graph, node);

  self->node = node;
  g_array_set_size (self->inputs, 0);
  for (guint i = 0; i < in.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (self->graph, in.ids[i]);
      Input input = {
        .tensor = edge->tensor,
        .from = self->devices[edge->tail],
        .finish_us = self->finishes_us[edge->tail],
        .size_bytes = goban_graph_get_tensor (self->graph, edge->tensor)->size_bytes,
      };

      g_assert (input.from != GOBAN_NO_DEVICE);
      g_array_append_val (self->inputs, input);
    }

  /* What was ready first is sent first. */
  if (self->channels)
    g_array_sort (self->inputs, compare_inputs);
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

gboolean
goban_list_schedule_look (const GobanListSchedule *self, GobanDeviceId device,
                          GobanPlacement *placement)
{
  const GobanUnits *units = self->units;
  guint32 unit = units->unit_of[self->node];
  double needed_bytes = new_output_bytes (self);
  double ready_us = 0;
  /* All transfers to one device share its receive channel, so they run one after another and
   * cannot find each other in the way of the senders' channels or links. */
  double receive_free_us = self->receive_free_us[device];

  if (!goban_units_can_run (units, unit, device)
      || (self->bound[unit] != GOBAN_NO_DEVICE && self->bound[unit] != device))
    return FALSE;

  if (self->bound[unit] == GOBAN_NO_DEVICE)
    needed_bytes += binding_bytes (self, unit);

  for (guint i = 0; i < self->inputs->len; i++)
    {
      const Input *input = &g_array_index (self->inputs, Input, i);
      const Copy *copy = NULL;
      double arrival_us = input->finish_us;

      if (input->from != device)
        copy = find_copy (self, input->tensor, device);
      if (copy != NULL)
        arrival_us = copy->arrival_us;
      else if (input->from != device)
        {
          needed_bytes += input->size_bytes;
          if (self->channels)
            arrival_us = channel_free_us (self, input, device, receive_free_us);
          arrival_us
              += goban_cost_model_transfer_us (units->costs, input->tensor, input->from, device);
          receive_free_us = arrival_us;
        }
      ready_us = MAX (ready_us, arrival_us);
    }

  placement->device = device;
  placement->ready_us = ready_us;
  placement->time_us = goban_cost_model_time_us (units->costs, self->node, device);
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

/* The last reader of a tensor is scheduled: count it no more, wherever it is. */
static void
release (GobanListSchedule *self, const Input *input)
{
  if (!is_reserved (self, input->tensor))
    self->used_bytes[input->from] -= input->size_bytes;
  for (guint32 i = self->first_copy[input->tensor]; i != NO_COPY;)
    {
      const Copy *copy = &g_array_index (self->copies, Copy, i);

      self->used_bytes[copy->device] -= input->size_bytes;
      i = copy->next;
    }
}

static void
count_outputs (GobanListSchedule *self, GobanDeviceId device)
{
  guint n_tensors;
  GobanTensorId first = goban_graph_get_node_tensors (self->graph, self->node, &n_tensors);

  for (GobanTensorId t = first; t < first + n_tensors; t++)
    if (self->n_waiting[t] > 0 && !is_reserved (self, t))
      self->used_bytes[device] += goban_graph_get_tensor (self->graph, t)->size_bytes;
}

void
goban_list_schedule_place (GobanListSchedule *self, GobanDeviceId device, double start_us)
{
  const GobanUnits *units = self->units;
  guint32 unit = units->unit_of[self->node];

  if (self->bound[unit] == GOBAN_NO_DEVICE)
    {
      self->bound[unit] = device;
      self->used_bytes[device] += binding_bytes (self, unit);
    }

  for (guint i = 0; i < self->inputs->len; i++)
    {
      const Input *input = &g_array_index (self->inputs, Input, i);

      if (input->from != device && find_copy (self, input->tensor, device) == NULL)
        transfer (self, input, device);
      if (--self->n_waiting[input->tensor] == 0)
        release (self, input);
    }
  count_outputs (self, device);

  self->devices[self->node] = device;
  self->starts_us[self->node] = start_us;
  self->finishes_us[self->node]
      = start_us + goban_cost_model_time_us (units->costs, self->node, device);
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

gboolean
goban_list_schedule_has_copy (const GobanListSchedule *self, GobanTensorId tensor,
                              GobanDeviceId device)
{
  return find_copy (self, tensor, device) != NULL;
}

typedef struct
{
  double start_us;
  double finish_us;
  GobanNodeId node;
} Turn;

/* Of ops that start together those of no time come first, which others may not delay. */
static int
compare_turns (const void *a, const void *b)
{
  const Turn *x = a;
  const Turn *y = b;

  if (x->start_us != y->start_us)
    return x->start_us < y->start_us ? -1 : 1;
  if (x->finish_us != y->finish_us)
    return x->finish_us < y->finish_us ? -1 : 1;
  return (x->node > y->node) - (x->node < y->node);
}

GobanPlan *
goban_list_schedule_new_plan (const GobanListSchedule *self)
{
  guint n_nodes = goban_graph_get_n_nodes (self->graph);
  GobanPlan *plan = goban_plan_new (self->graph, self->units->n_devices);
  g_autofree Turn *turns = g_new (Turn, n_nodes);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      goban_plan_set_device (plan, v, self->devices[v]);
      turns[v] = (Turn){ self->starts_us[v], self->finishes_us[v], v };
    }
  if (n_nodes > 1)
    qsort (turns, n_nodes, sizeof *turns, compare_turns);
  for (guint i = 0; i < n_nodes; i++)
    goban_plan_set_priority (plan, turns[i].node, (gint32) (n_nodes - 1 - i));
  goban_plan_set_order (plan, GOBAN_ORDER_PRIORITY);
  return plan;
}
