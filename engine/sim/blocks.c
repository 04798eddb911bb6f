#include "engine/sim/blocks-private.h"
#include "engine/sim/sim-units.h"

#include <stdlib.h>
#include <string.h>

SimBlocks *
sim_blocks_new (GobanCostModel *costs)
{
  SimBlocks *self = g_new0 (SimBlocks, 1);
  gsize n_cells;

  self->costs = costs;
  self->graph = goban_cost_model_get_graph (costs);
  self->cluster = goban_cost_model_get_cluster (costs);
  self->n_nodes = goban_graph_get_n_nodes (self->graph);
  self->n_tensors = goban_graph_get_n_tensors (self->graph);
  self->n_devices = goban_cluster_get_n_devices (self->cluster);
  self->memory = GOBAN_NO_DEVICE;
  self->is_cpu = g_new0 (guint8, self->n_devices);
  for (guint d = self->n_devices; d-- > 0;)
    if (strcmp (goban_cluster_get_device (self->cluster, d)->kind, "cpu") == 0)
      {
        self->is_cpu[d] = TRUE;
        self->memory = d;
      }

  n_cells = (gsize) self->n_tensors * self->n_devices;
  self->fetch_us = g_new0 (double, n_cells);
  self->write_us = g_new0 (double, n_cells);
  for (gsize i = 0; i < n_cells && self->memory != GOBAN_NO_DEVICE; i++)
    {
      GobanTensorId t = i / self->n_devices;
      GobanDeviceId d = i % self->n_devices;

      if (self->is_cpu[d])
        continue;
      self->fetch_us[i] = goban_cost_model_transfer_us (costs, t, self->memory, d);
      self->write_us[i] = goban_cost_model_transfer_us (costs, t, d, self->memory);
    }

  self->missing = g_new (guint32, self->n_nodes);
  self->out_us = g_new (double, self->n_nodes);
  self->is_done = g_new (guint8, self->n_nodes);
  self->is_there = g_new (guint8, n_cells);
  self->entries = g_new (guint32, self->n_devices);
  self->n_left = g_new (guint32, self->n_devices);
  self->free_us = g_new (double, self->n_devices);
  self->held_bytes = g_new (double, self->n_devices);
  self->queue = g_new (guint32, (gsize) self->n_nodes + self->n_devices);
  self->piece = g_new (guint32, self->n_nodes);
  self->fetched = g_new (guint32, self->n_tensors);
  return self;
}

void
sim_blocks_free (SimBlocks *self)
{
  gpointer arrays[]
      = { self->is_cpu,     self->fetch_us, self->write_us, self->missing, self->out_us,
          self->is_done,    self->is_there, self->entries,  self->n_left,  self->free_us,
          self->held_bytes, self->queue,    self->piece,    self->fetched };

  for (gsize i = 0; i < G_N_ELEMENTS (arrays); i++)
    g_free (arrays[i]);
  g_free (self);
}

/* --- ready items ------------------------------------------------------------------------ */

static void
reset (SimBlocks *self, const GobanPlan *plan)
{
  self->device = goban_plan_get_devices (plan);
  self->n_queued = 0;
  self->n_extra = 0;
  self->end_us = 0;
  memset (self->is_done, 0, self->n_nodes);
  memset (self->is_there, 0, (gsize) self->n_tensors * self->n_devices);
  for (guint d = 0; d < self->n_devices; d++)
    {
      self->entries[d] = self->n_left[d] = 0;
      self->free_us[d] = self->held_bytes[d] = 0;
    }
  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    {
      GobanDeviceId d = self->device[v];
      GobanEdgeSpan inputs = goban_graph_get_in_edges (self->graph, v);

      self->missing[v] = inputs.n;
      self->held_bytes[d] += sim_whole_bytes (goban_cost_model_param_bytes (self->costs, v));
      if (self->is_cpu[d])
        {
          if (inputs.n == 0)
            self->queue[self->n_queued++] = v;
          continue;
        }
      self->n_left[d]++;
      for (guint i = 0; i < inputs.n; i++)
        self->entries[d]
            += self->device[goban_graph_get_edge (self->graph, inputs.ids[i])->tail] != d;
    }
  for (guint d = 0; d < self->n_devices; d++)
    if (self->n_left[d] > 0 && self->entries[d] == 0)
      self->queue[self->n_queued++] = self->n_nodes + d;
}

/* The node has run and its tensors are available: updates its waiting readers. */
static void
announce (SimBlocks *self, GobanNodeId v)
{
  GobanEdgeSpan outputs = goban_graph_get_out_edges (self->graph, v);

  for (guint i = 0; i < outputs.n; i++)
    {
      GobanNodeId head = goban_graph_get_edge (self->graph, outputs.ids[i])->head;
      GobanDeviceId d = self->device[head];

      self->missing[head]--;
      if (self->is_cpu[d] && self->missing[head] == 0)
        self->queue[self->n_queued++] = head;
      else if (!self->is_cpu[d] && d != self->device[v] && --self->entries[d] == 0)
        self->queue[self->n_queued++] = self->n_nodes + d;
    }
}

/* --- running ----------------------------------------------------------------------------- */

static void
run_on_cpu (SimBlocks *self, GobanNodeId v)
{
  GobanEdgeSpan inputs = goban_graph_get_in_edges (self->graph, v);
  GobanNodeId last = GOBAN_NO_NODE;
  double start_us = 0;

  for (guint i = 0; i < inputs.n; i++)
    {
      GobanNodeId tail = goban_graph_get_edge (self->graph, inputs.ids[i])->tail;

      if (last == GOBAN_NO_NODE || self->out_us[tail] > start_us)
        {
          last = tail;
          start_us = self->out_us[tail];
        }
    }
  self->out_us[v] = start_us + goban_cost_model_time_us (self->costs, v, self->device[v]);
  self->is_done[v] = TRUE;
  self->end_us = MAX (self->end_us, self->out_us[v]);
  if (self->record != NULL)
    {
      self->record->ops[v] = (GobanOpSpan){ start_us, start_us, self->out_us[v] };
      self->record->op_cause[v] = last == GOBAN_NO_NODE ? (BlocksItem){ BLOCKS_NONE, FALSE }
                                                        : self->record->out_after[last];
      self->record->out_after[v] = (BlocksItem){ v, FALSE };
    }
  announce (self, v);
}

/* Present end of a block. */
typedef struct
{
  double now_us;
  double ready_us; /* its ops have run, and it may write */
  BlocksItem last;
} Cursor;

static void
move_tensor (SimBlocks *self, Cursor *at, GobanTensorId t, GobanDeviceId from, GobanDeviceId to)
{
  guint cell = t * self->n_devices + (self->is_cpu[from] ? to : from);
  GobanNodeId producer = goban_graph_get_tensor (self->graph, t)->producer;
  double start_us = at->now_us;

  at->now_us += self->is_cpu[from] ? self->fetch_us[cell] : self->write_us[cell];
  if (self->record == NULL)
    return;
  g_array_append_val (self->record->move_cause, at->last);
  at->last = (BlocksItem){ self->record->transfers->len, TRUE };
  g_array_append_vals (self->record->transfers,
                       &(GobanTransfer){
                           .tensor = t,
                           .from = from,
                           .to = to,
                           .ready_us = self->is_cpu[from] ? self->out_us[producer] : at->ready_us,
                           .start_us = start_us,
                           .finish_us = at->now_us,
                       },
                       1);
}

static int
compare_fetches (const void *a, const void *b, gpointer user_data)
{
  const SimBlocks *self = user_data;
  GobanTensorId x = *(const guint32 *) a;
  GobanTensorId y = *(const guint32 *) b;
  double x_us = self->out_us[goban_graph_get_tensor (self->graph, x)->producer];
  double y_us = self->out_us[goban_graph_get_tensor (self->graph, y)->producer];

  if (x_us != y_us)
    return x_us > y_us ? -1 : 1;
  return (x > y) - (x < y);
}

/* Waits for all inputs and fetches the missing ones, the one that was available last first. */
static void
fetch_inputs (SimBlocks *self, Cursor *at, GobanDeviceId d, guint n)
{
  guint n_fetched = 0;

  for (guint k = 0; k < n; k++)
    {
      GobanEdgeSpan inputs = goban_graph_get_in_edges (self->graph, self->piece[k]);

      for (guint i = 0; i < inputs.n; i++)
        {
          const GobanEdge *edge = goban_graph_get_edge (self->graph, inputs.ids[i]);
          gsize cell = (gsize) edge->tensor * self->n_devices + d;

          if (self->device[edge->tail] == d || self->is_there[cell])
            continue;
          self->is_there[cell] = TRUE;
          self->fetched[n_fetched++] = edge->tensor;
          if (self->out_us[edge->tail] > at->now_us
              || (at->last.index == BLOCKS_NONE && at->now_us == 0))
            {
              at->now_us = self->out_us[edge->tail];
              if (self->record != NULL)
                at->last = self->record->out_after[edge->tail];
            }
        }
    }
  /* Always, so that sums are the same with and without a record. */
  g_qsort_with_data (self->fetched, n_fetched, sizeof *self->fetched, compare_fetches, self);
  /* The first to be fetched is one of those that were waited for. */
  if (n_fetched > 0 && self->record != NULL)
    {
      GobanNodeId first = goban_graph_get_tensor (self->graph, self->fetched[0])->producer;

      if (self->out_us[first] == at->now_us)
        at->last = self->record->out_after[first];
    }
  for (guint i = 0; i < n_fetched; i++)
    move_tensor (self, at, self->fetched[i], self->memory, d);
}

static void
run_ops (SimBlocks *self, Cursor *at, GobanDeviceId d, guint n)
{
  double ready_us = at->now_us;

  for (guint k = 0; k < n; k++)
    {
      GobanNodeId v = self->piece[k];
      double start_us = at->now_us;

      at->now_us += goban_cost_model_time_us (self->costs, v, d);
      self->is_done[v] = TRUE;
      if (self->record == NULL)
        continue;
      self->record->ops[v] = (GobanOpSpan){ ready_us, start_us, at->now_us };
      self->record->op_cause[v] = at->last;
      at->last = (BlocksItem){ v, FALSE };
    }
  at->ready_us = at->now_us;
}

static void
write_outputs (SimBlocks *self, Cursor *at, GobanDeviceId d, guint n)
{
  for (guint k = 0; k < n; k++)
    {
      GobanEdgeSpan outputs = goban_graph_get_out_edges (self->graph, self->piece[k]);

      for (guint i = 0; i < outputs.n; i++)
        {
          const GobanEdge *edge = goban_graph_get_edge (self->graph, outputs.ids[i]);
          gsize cell = (gsize) edge->tensor * self->n_devices + d;

          if (self->device[edge->head] == d || self->is_there[cell])
            continue;
          self->is_there[cell] = TRUE;
          move_tensor (self, at, edge->tensor, d, self->memory);
        }
    }
}

/* All ops of the block that are left and can run. */
static guint
gather_piece (SimBlocks *self, GobanDeviceId d)
{
  guint n = 0;

  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    {
      GobanEdgeSpan inputs = goban_graph_get_in_edges (self->graph, v);
      gboolean can_run = self->device[v] == d && !self->is_done[v];

      for (guint i = 0; i < inputs.n && can_run; i++)
        can_run = self->is_done[goban_graph_get_edge (self->graph, inputs.ids[i])->tail];
      if (!can_run)
        continue;
      self->piece[n++] = v;
      self->is_done[v] = TRUE;
    }
  return n;
}

static void
run_block (SimBlocks *self, GobanDeviceId d)
{
  Cursor at = { self->free_us[d], 0, { BLOCKS_NONE, FALSE } };
  guint n = gather_piece (self, d);

  if (self->record != NULL)
    at.last = self->record->block_end[d];
  fetch_inputs (self, &at, d, n);
  run_ops (self, &at, d, n);
  write_outputs (self, &at, d, n);
  self->free_us[d] = at.now_us;
  if (self->record != NULL)
    self->record->block_end[d] = at.last;
  self->n_left[d] -= n;
  self->end_us = MAX (self->end_us, at.now_us);
  for (guint k = 0; k < n; k++)
    {
      self->out_us[self->piece[k]] = at.now_us;
      if (self->record != NULL)
        self->record->out_after[self->piece[k]] = at.last;
    }
  for (guint k = 0; k < n; k++)
    announce (self, self->piece[k]);
}

/* --- if no block can begin ------------------------------------------------------------ */

static const char *
device_name (const SimBlocks *self, GobanDeviceId d)
{
  return goban_cluster_get_device (self->cluster, d)->name;
}

/* An input of the node, or of its block, that is not out. */
static const GobanEdge *
find_missing (const SimBlocks *self, GobanNodeId v)
{
  GobanDeviceId d = self->device[v];

  for (GobanNodeId w = 0; w < self->n_nodes; w++)
    {
      GobanEdgeSpan inputs = goban_graph_get_in_edges (self->graph, w);

      if (w != v && (self->is_cpu[d] || self->device[w] != d || self->is_done[w]))
        continue;
      for (guint i = 0; i < inputs.n; i++)
        {
          const GobanEdge *edge = goban_graph_get_edge (self->graph, inputs.ids[i]);

          if (!self->is_done[edge->tail] && (self->is_cpu[d] || self->device[edge->tail] != d))
            return edge;
        }
    }
  return NULL;
}

/* Walks from the block against the edges until it comes to a block for the second time. */
static char *
explain_stop (const SimBlocks *self, GobanNodeId v)
{
  g_autoptr (GPtrArray) waits = g_ptr_array_new ();
  g_autofree guint *seen = g_new0 (guint, self->n_devices);
  GString *text = g_string_new (NULL);
  guint first;

  for (;;)
    {
      GobanDeviceId d = self->device[v];
      const GobanEdge *edge;

      if (!self->is_cpu[d] && seen[d] > 0)
        {
          first = seen[d] - 1;
          break;
        }
      if (!self->is_cpu[d])
        seen[d] = waits->len + 1;
      edge = find_missing (self, v);
      g_ptr_array_add (waits, (gpointer) edge);
      v = edge->tail;
    }
  g_string_append_printf (text,
                          "the ops of %s are not a block, since a path leaves it and comes back:",
                          device_name (self, self->device[v]));
  for (guint i = first; i < waits->len; i++)
    {
      const GobanEdge *edge = g_ptr_array_index (waits, i);

      g_string_append_printf (text, "%s “%s” on %s waits for “%s” on %s", i > first ? "," : "",
                              goban_graph_get_node (self->graph, edge->head)->name,
                              device_name (self, self->device[edge->head]),
                              goban_graph_get_node (self->graph, edge->tail)->name,
                              device_name (self, self->device[edge->tail]));
    }
  return g_string_free (text, FALSE);
}

static void
break_a_block (SimBlocks *self)
{
  GobanNodeId v = 0;

  while (self->is_done[v] || self->missing[v] > 0)
    v++;
  if (self->record != NULL && self->record->why == NULL)
    self->record->why = explain_stop (self, v);
  self->n_extra++;
  run_block (self, self->device[v]);
}

/* --- the run ----------------------------------------------------------------------------- */

/* INFINITY if the plan cannot run. */
static double
run_all (SimBlocks *self, const GobanPlan *plan)
{
  guint n_taken = 0;
  guint n_left;

  if (self->memory == GOBAN_NO_DEVICE || goban_plan_is_fused (plan))
    return SIM_NEVER_US;
  reset (self, plan);
  do
    {
      n_left = 0;
      while (n_taken < self->n_queued)
        {
          guint32 next = self->queue[n_taken++];

          if (next < self->n_nodes)
            run_on_cpu (self, next);
          else
            run_block (self, next - self->n_nodes);
        }
      for (guint d = 0; d < self->n_devices; d++)
        n_left += self->n_left[d];
      if (n_left > 0)
        break_a_block (self);
    }
  while (n_left > 0);
  return self->end_us;
}

double
blocks_overflow (const SimBlocks *self, GobanDeviceId *worst)
{
  double overflow_bytes = 0;

  for (guint d = 0; d < self->n_devices; d++)
    {
      double room_bytes = goban_cluster_get_device (self->cluster, d)->memory_bytes;

      if (!self->is_cpu[d] && self->held_bytes[d] - room_bytes > overflow_bytes)
        {
          overflow_bytes = self->held_bytes[d] - room_bytes;
          *worst = d;
        }
    }
  return overflow_bytes;
}

GobanOutcome
blocks_run_plan (SimBlocks *self, const GobanPlan *plan)
{
  GobanOutcome outcome = { 0 };
  GobanDeviceId worst;

  outcome.makespan_us = run_all (self, plan);
  if (outcome.makespan_us < SIM_NEVER_US)
    outcome.overflow_bytes = blocks_overflow (self, &worst) + self->n_extra * SIM_PIECE_BYTES;
  return outcome;
}

GobanOutcome
sim_blocks_evaluate (SimBlocks *self, const GobanPlan *plan)
{
  self->record = NULL;
  return blocks_run_plan (self, plan);
}
