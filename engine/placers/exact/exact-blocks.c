#include "engine/placers/exact/exact-blocks.h"

#include "engine/graph/levels.h"

#include <math.h>
#include <string.h>

#define ROUNDING 1e-12

typedef struct
{
  const GobanUnits *units;
  const GobanGraph *graph;
  GobanSearch *search;
  GobanSimulator *simulator;
  GobanPlan *plan;
  guint n_nodes;
  guint n_devices;
  GobanDeviceId memory;  /* the first CPU */
  gboolean *is_cpu;      /* (n_devices) */
  guint *twin_of;        /* (n_devices) the first device that it can change places with */
  double *room_bytes;    /* (n_devices) memory left */
  guint *n_on;           /* (n_devices) units there */
  GobanDeviceId *device; /* (n_nodes) GOBAN_NO_DEVICE: open */
  double *least_us;      /* (n_nodes) */
  double *head_us;       /* (n_nodes) longest way to its start */
  double *rest_us;       /* (n_nodes) longest way after its finish over open nodes */
  double *out_us;        /* (n_nodes) no sooner are its tensors out */
  guint *missing;        /* (n_nodes) */
  guint *entries;        /* (n_devices) */
  guint32 *queue;        /* (n_nodes + n_devices) */
  guint8 *is_paid;       /* (n_tensors) fetched or written in the block at hand */
  GArray *paid;          /* of GobanTensorId: those to forget */
  double best_us;
  double open_us;
  gboolean is_over;
  GError **error;
} Proof;

static double
target_us (const Proof *self)
{
  return self->best_us * (1 - ROUNDING);
}

/* --- bounds ------------------------------------------------------------------------------ */

static double
time_us (const Proof *self, GobanNodeId v)
{
  return goban_cost_model_time_us (self->units->costs, v, self->device[v]);
}

/* Over open nodes; a placed node has a time of its own. */
static void
find_rests (Proof *self)
{
  for (GobanNodeId v = self->n_nodes; v-- > 0;)
    {
      GobanEdgeSpan outputs = goban_graph_get_out_edges (self->graph, v);

      self->rest_us[v] = 0;
      for (guint i = 0; i < outputs.n; i++)
        {
          GobanNodeId head = goban_graph_get_edge (self->graph, outputs.ids[i])->head;

          if (self->device[head] == GOBAN_NO_DEVICE)
            self->rest_us[v] = MAX (self->rest_us[v], self->least_us[head] + self->rest_us[head]);
        }
    }
}

static guint
count_waits (Proof *self)
{
  guint n_queued = 0;

  memset (self->entries, 0, self->n_devices * sizeof *self->entries);
  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    {
      GobanEdgeSpan inputs = goban_graph_get_in_edges (self->graph, v);
      GobanDeviceId d = self->device[v];

      if (d == GOBAN_NO_DEVICE)
        continue;
      self->missing[v] = 0;
      for (guint i = 0; i < inputs.n; i++)
        {
          GobanDeviceId from
              = self->device[goban_graph_get_edge (self->graph, inputs.ids[i])->tail];

          if (from != GOBAN_NO_DEVICE && (self->is_cpu[d] || from != d))
            {
              self->missing[v]++;
              self->entries[d]++;
            }
        }
      if (self->is_cpu[d] && self->missing[v] == 0)
        self->queue[n_queued++] = v;
    }
  for (guint d = 0; d < self->n_devices; d++)
    if (!self->is_cpu[d] && self->n_on[d] > 0 && self->entries[d] == 0)
      self->queue[n_queued++] = self->n_nodes + d;
  return n_queued;
}

/* Inputs that come from elsewhere: when the last of them is out. */
static double
find_start (const Proof *self, GobanNodeId v)
{
  GobanEdgeSpan inputs = goban_graph_get_in_edges (self->graph, v);
  GobanDeviceId d = self->device[v];
  double start_us = 0;

  for (guint i = 0; i < inputs.n; i++)
    {
      GobanNodeId tail = goban_graph_get_edge (self->graph, inputs.ids[i])->tail;

      if (self->device[tail] != GOBAN_NO_DEVICE && (self->is_cpu[d] || self->device[tail] != d))
        start_us = MAX (start_us, self->out_us[tail]);
    }
  return start_us;
}

static double
pay_once (Proof *self, GobanTensorId t, GobanDeviceId from, GobanDeviceId to)
{
  if (self->is_paid[t])
    return 0;
  self->is_paid[t] = TRUE;
  g_array_append_val (self->paid, t);
  return goban_cost_model_transfer_us (self->units->costs, t, from, to);
}

/* Cost that the node adds to its block: its time, and transfers with nodes placed elsewhere. */
static double
find_share (Proof *self, GobanNodeId v)
{
  GobanDeviceId d = self->device[v];
  GobanEdgeSpan inputs = goban_graph_get_in_edges (self->graph, v);
  GobanEdgeSpan outputs = goban_graph_get_out_edges (self->graph, v);
  double share_us = time_us (self, v);

  for (guint i = 0; i < inputs.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (self->graph, inputs.ids[i]);

      if (self->device[edge->tail] != GOBAN_NO_DEVICE && self->device[edge->tail] != d)
        share_us += pay_once (self, edge->tensor, self->memory, d);
    }
  for (guint i = 0; i < outputs.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (self->graph, outputs.ids[i]);

      if (self->device[edge->head] != GOBAN_NO_DEVICE && self->device[edge->head] != d)
        share_us += pay_once (self, edge->tensor, d, self->memory);
    }
  return share_us;
}

static void
announce (Proof *self, GobanNodeId v, guint *n_queued)
{
  GobanEdgeSpan outputs = goban_graph_get_out_edges (self->graph, v);

  for (guint i = 0; i < outputs.n; i++)
    {
      GobanNodeId head = goban_graph_get_edge (self->graph, outputs.ids[i])->head;
      GobanDeviceId d = self->device[head];

      if (d == GOBAN_NO_DEVICE || (!self->is_cpu[d] && d == self->device[v]))
        continue;
      self->missing[head]--;
      self->entries[d]--;
      if (self->is_cpu[d] && self->missing[head] == 0)
        self->queue[(*n_queued)++] = head;
      else if (!self->is_cpu[d] && self->entries[d] == 0)
        self->queue[(*n_queued)++] = self->n_nodes + d;
    }
}

static double
bound_block (Proof *self, GobanDeviceId d, guint *n_queued)
{
  double start_us = 0;
  double work_us = 0;
  double out_us = 0;
  double bound_us = 0;

  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    if (self->device[v] == d)
      {
        start_us = MAX (start_us, find_start (self, v));
        work_us += find_share (self, v);
        out_us = MAX (out_us, self->head_us[v] + time_us (self, v));
      }
  for (guint i = 0; i < self->paid->len; i++)
    self->is_paid[g_array_index (self->paid, GobanTensorId, i)] = FALSE;
  g_array_set_size (self->paid, 0);
  out_us = MAX (out_us, start_us + work_us);
  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    if (self->device[v] == d)
      {
        self->out_us[v] = out_us;
        bound_us = MAX (bound_us, out_us + self->rest_us[v]);
        announce (self, v, n_queued);
      }
  return bound_us;
}

/* INFINITY if blocks wait for each other. */
static double
find_bound (Proof *self)
{
  guint n_queued = count_waits (self);
  double bound_us = 0;

  find_rests (self);
  for (guint i = 0; i < n_queued; i++)
    {
      guint32 next = self->queue[i];

      if (next >= self->n_nodes)
        bound_us = fmax (bound_us, bound_block (self, next - self->n_nodes, &n_queued));
      else
        {
          self->out_us[next]
              = MAX (self->head_us[next], find_start (self, next)) + time_us (self, next);
          bound_us = MAX (bound_us, self->out_us[next] + self->rest_us[next]);
          announce (self, next, &n_queued);
        }
    }
  for (guint d = 0; d < self->n_devices; d++)
    if (self->entries[d] > 0)
      return (double) INFINITY;
  return bound_us;
}

/* --- branching --------------------------------------------------------------------------- */

typedef struct
{
  double bound_us;
  GobanDeviceId device;
} Choice;

static void
put_unit (Proof *self, guint32 unit, GobanDeviceId device)
{
  const GobanUnits *units = self->units;

  for (guint i = units->offsets[unit]; i < units->offsets[unit + 1]; i++)
    self->device[units->nodes[i]] = device;
}

static double
resident_bytes (const Proof *self, guint32 unit)
{
  double sum_bytes = 0;

  for (guint i = self->units->offsets[unit]; i < self->units->offsets[unit + 1]; i++)
    sum_bytes += ceil (goban_cost_model_param_bytes (self->units->costs, self->units->nodes[i]));
  return sum_bytes;
}

/* Of CPUs of one kind the first, of accelerators without a unit as well. */
static gboolean
is_repetition (const Proof *self, guint d)
{
  for (guint twin = 0; twin < d; twin++)
    if (self->twin_of[twin] == self->twin_of[d]
        && (self->is_cpu[d] || (self->n_on[twin] == 0 && self->n_on[d] == 0)))
      return TRUE;
  return FALSE;
}

static guint
list_choices (Proof *self, guint32 unit, double bytes, Choice *choices)
{
  guint n = 0;

  for (guint d = 0; d < self->n_devices && !self->is_over; d++)
    {
      Choice choice = { 0, (GobanDeviceId) d };
      guint i;

      if (is_repetition (self, d) || !goban_units_can_run (self->units, unit, d)
          || bytes > self->room_bytes[d])
        continue;
      put_unit (self, unit, d);
      self->n_on[d]++;
      choice.bound_us = find_bound (self);
      self->n_on[d]--;
      self->is_over = !goban_search_step (self->search, "proving", self->error);
      for (i = n++; i > 0 && choices[i - 1].bound_us > choice.bound_us; i--)
        choices[i] = choices[i - 1];
      choices[i] = choice;
    }
  return n;
}

static void
offer (Proof *self)
{
  GobanOutcome outcome;

  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    goban_plan_set_device (self->plan, v, self->device[v]);
  outcome = goban_simulator_evaluate (self->simulator, self->plan);
  goban_search_offer (self->search, self->plan, outcome);
  if (outcome.overflow_bytes <= 0)
    self->best_us = MIN (self->best_us, outcome.makespan_us);
}

static void
place_from (Proof *self, guint32 unit, double bound_us)
{
  g_autofree Choice *choices = NULL;
  double bytes;
  guint n;

  if (self->is_over || goban_search_clip (self->search, 1) == 0)
    {
      self->is_over = TRUE;
      self->open_us = MIN (self->open_us, bound_us);
      return;
    }
  if (unit == self->units->n_units)
    {
      offer (self);
      return;
    }
  bytes = resident_bytes (self, unit);
  choices = g_new (Choice, self->n_devices);
  n = list_choices (self, unit, bytes, choices);
  if (self->is_over)
    {
      self->open_us = MIN (self->open_us, bound_us);
      n = 0;
    }
  for (guint k = 0; k < n && choices[k].bound_us < target_us (self); k++)
    {
      GobanDeviceId d = choices[k].device;

      put_unit (self, unit, d);
      self->n_on[d]++;
      self->room_bytes[d] -= bytes;
      place_from (self, unit + 1, MAX (bound_us, choices[k].bound_us));
      self->room_bytes[d] += bytes;
      self->n_on[d]--;
    }
  put_unit (self, unit, GOBAN_NO_DEVICE);
}

/* --- the proof --------------------------------------------------------------------------- */

static gboolean
are_twins (const Proof *self, guint a, guint b)
{
  const GobanCostModel *costs = self->units->costs;

  if (self->is_cpu[a] != self->is_cpu[b] || self->units->classes[a] != self->units->classes[b])
    return FALSE;
  if (self->is_cpu[a])
    return TRUE;
  if (self->room_bytes[a] != self->room_bytes[b])
    return FALSE;
  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (self->graph); t++)
    if (goban_cost_model_transfer_us (costs, t, self->memory, a)
            != goban_cost_model_transfer_us (costs, t, self->memory, b)
        || goban_cost_model_transfer_us (costs, t, a, self->memory)
               != goban_cost_model_transfer_us (costs, t, b, self->memory))
      return FALSE;
  return TRUE;
}

static void
fill_devices (Proof *self)
{
  self->memory = GOBAN_NO_DEVICE;
  for (guint d = self->n_devices; d-- > 0;)
    {
      const GobanDevice *device = goban_cluster_get_device (self->units->cluster, d);

      self->is_cpu[d] = strcmp (device->kind, "cpu") == 0;
      self->room_bytes[d] = self->is_cpu[d] ? (double) INFINITY : device->memory_bytes;
      if (self->is_cpu[d])
        self->memory = d;
    }
  for (guint d = 0; d < self->n_devices && self->memory != GOBAN_NO_DEVICE; d++)
    {
      guint twin = 0;

      while (twin < d && (self->twin_of[twin] != twin || !are_twins (self, twin, d)))
        twin++;
      self->twin_of[d] = twin;
    }
}

/* The least time of a node on devices that its unit can run on and fit. */
static double
find_levels (Proof *self)
{
  for (guint32 u = 0; u < self->units->n_units; u++)
    {
      double bytes = resident_bytes (self, u);

      for (guint i = self->units->offsets[u]; i < self->units->offsets[u + 1]; i++)
        {
          GobanNodeId v = self->units->nodes[i];

          self->least_us[v] = (double) INFINITY;
          for (guint d = 0; d < self->n_devices; d++)
            if (goban_units_can_run (self->units, u, d) && bytes <= self->room_bytes[d])
              self->least_us[v]
                  = fmin (self->least_us[v], goban_cost_model_time_us (self->units->costs, v, d));
        }
    }
  goban_graph_top_levels (self->graph, self->head_us, self->least_us, NULL);
  return goban_graph_longest_path (self->graph, self->least_us, NULL);
}

static void
proof_init (Proof *self)
{
  guint n_tensors = goban_graph_get_n_tensors (self->graph);

  self->plan = goban_plan_new (self->graph, self->n_devices);
  self->is_cpu = g_new0 (gboolean, self->n_devices);
  self->twin_of = g_new0 (guint, self->n_devices);
  self->room_bytes = g_new (double, self->n_devices);
  self->n_on = g_new0 (guint, self->n_devices);
  self->entries = g_new (guint, self->n_devices);
  self->device = g_new (GobanDeviceId, self->n_nodes);
  self->least_us = g_new (double, self->n_nodes);
  self->head_us = g_new (double, self->n_nodes);
  self->rest_us = g_new (double, self->n_nodes);
  self->out_us = g_new0 (double, self->n_nodes);
  self->missing = g_new (guint, self->n_nodes);
  self->queue = g_new (guint32, (gsize) self->n_nodes + self->n_devices);
  self->is_paid = g_new0 (guint8, n_tensors);
  self->paid = g_array_new (FALSE, FALSE, sizeof (GobanTensorId));
  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    self->device[v] = GOBAN_NO_DEVICE;
}

static void
proof_clear (Proof *self)
{
  gpointer arrays[]
      = { self->is_cpu,  self->twin_of,  self->room_bytes, self->n_on,    self->entries,
          self->device,  self->least_us, self->head_us,    self->rest_us, self->out_us,
          self->missing, self->queue,    self->is_paid };

  for (gsize i = 0; i < G_N_ELEMENTS (arrays); i++)
    g_free (arrays[i]);
  g_array_unref (self->paid);
  goban_plan_unref (self->plan);
}

double
exact_blocks_prove (const GobanUnits *units, GobanSearch *search, GobanSimulator *simulator,
                    GError **error)
{
  Proof self = {
    .units = units,
    .graph = units->graph,
    .search = search,
    .simulator = simulator,
    .n_nodes = goban_graph_get_n_nodes (units->graph),
    .n_devices = units->n_devices,
    .best_us
    = search->outcome.overflow_bytes <= 0 ? search->outcome.makespan_us : (double) INFINITY,
    .open_us = (double) INFINITY,
    .error = error,
  };
  double bound_us = 0;

  proof_init (&self);
  fill_devices (&self);
  if (self.memory != GOBAN_NO_DEVICE)
    {
      bound_us = find_levels (&self);
      self.is_over = !goban_search_go_on (search, "proving", error);
      if (bound_us < target_us (&self))
        place_from (&self, 0, bound_us);
      bound_us = fmax (bound_us, fmin (self.best_us, self.open_us));
    }
  proof_clear (&self);
  return bound_us;
}
