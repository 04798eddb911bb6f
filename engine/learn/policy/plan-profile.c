#include "engine/learn/policy/plan-profile.h"

#include "engine/core/arrays.h"
#include "engine/core/key-sort.h"
#include "engine/core/sorted-sum.h"
#include "engine/learn/nn/vector.h"

#include <math.h>
#include <string.h>

/* Unit of slack, as a share of the makespan. */
#define SLACK_SHARE 0.02

/* --- construction and disposal -------------------------------------------------------------- */

GobanPlanProfile *
goban_plan_profile_new (const GobanUnits *units)
{
  GobanPlanProfile *self = g_new0 (GobanPlanProfile, 1);
  gsize n = goban_graph_get_n_nodes (units->graph);
  guint D = units->n_devices;
  gsize n_copies = (gsize) goban_graph_get_n_tensors (units->graph) * D;
  double **of_nodes[] = { &self->start_us,  &self->finish_us,   &self->ready_us,
                          &self->latest_us, &self->critical_us, &self->critical_wait_us };
  double **of_devices[] = { &self->busy_us, &self->send_us, &self->receive_us, &self->peak_bytes,
                            &self->capacity_bytes };

  self->arrays = goban_arrays_new ();
  self->units = units;
  self->n_nodes = (guint) n;
  self->n_tensors = goban_graph_get_n_tensors (units->graph);
  self->n_devices = D;
  self->device_of = goban_own (self, GobanDeviceId, n + 1);
  self->place_of = goban_own (self, guint32, n + 1);
  self->is_critical = goban_own (self, guint8, n + 1);
  self->kernel_of = goban_own (self, GobanNodeId, n + 1);
  self->next_fused = goban_own (self, GobanNodeId, n + 1);
  self->kernel_sizes = goban_own (self, guint32, n + 1);
  self->kernel_shares = goban_own (self, double, n + 1);
  self->arrival_us = goban_own (self, double, n_copies + 1);
  self->critical_transfer_us = goban_own (self, double, n_copies + 1);
  self->n_readers = goban_own (self, guint32, n_copies + 1);
  self->devices = goban_own (self, GobanDeviceProfile, D);
  for (gsize i = 0; i < G_N_ELEMENTS (of_nodes); i++)
    *of_nodes[i] = goban_own (self, double, n + 1);
  for (gsize i = 0; i < G_N_ELEMENTS (of_devices); i++)
    *of_devices[i] = goban_own (self, double, D);
  for (gsize i = 0; i < G_N_ELEMENTS (self->storage); i++)
    self->storage[i] = goban_own (self, double, n + D);
  for (guint d = 0; d < D; d++)
    self->capacity_bytes[d]
        = MAX (goban_cluster_get_device (units->cluster, (GobanDeviceId) d)->memory_bytes, 1);
  return self;
}

void
goban_plan_profile_free (GobanPlanProfile *self)
{
  g_ptr_array_unref (self->arrays);
  g_free (self);
}

/* --- reading -------------------------------------------------------------------------------- */

/* Members of a kernel share its span in order of their ids, in proportion to their own times: so
 * that sums over ops are those of the device, and producers still come before consumers. */
static void
split_kernel (GobanPlanProfile *self, const GobanTrace *trace, GobanNodeId kernel)
{
  double all_us = 0;
  double past_us = 0;
  double start_us = self->start_us[kernel];
  double length_us = self->finish_us[kernel] - start_us;
  guint n = 0;

  for (GobanNodeId v = kernel; v != GOBAN_NO_NODE; v = goban_trace_get_next_fused (trace, v))
    all_us += goban_cost_model_time_us (self->units->costs, v, self->device_of[v]);
  for (GobanNodeId v = kernel; v != GOBAN_NO_NODE; v = goban_trace_get_next_fused (trace, v))
    {
      self->start_us[v] = start_us + (all_us > 0 ? length_us * (past_us / all_us) : 0);
      past_us += goban_cost_model_time_us (self->units->costs, v, self->device_of[v]);
      self->finish_us[v] = start_us + (all_us > 0 ? length_us * (past_us / all_us) : length_us);
      self->kernel_of[v] = kernel;
      self->next_fused[v] = goban_trace_get_next_fused (trace, v);
      n++;
    }
  self->kernel_sizes[kernel] = n;
  self->kernel_shares[kernel] = all_us > 0 ? length_us / all_us : 1;
}

/* Share of the makespan that ops and transfers on the critical path take, in the facts. */
static void
read_critical_path (GobanPlanProfile *self, const GobanTrace *trace)
{
  guint n, n_transfers;
  const GobanStep *steps = goban_trace_get_critical_path (trace, &n);
  const GobanTransfer *transfers = goban_trace_get_transfers (trace, &n_transfers);
  double ops_us = 0;
  double transfers_us = 0;

  for (guint i = 0; i < n; i++)
    if (steps[i].is_transfer)
      {
        const GobanTransfer *transfer = &transfers[steps[i].index];
        double time_us = transfer->finish_us - transfer->start_us + steps[i].waited_us;

        transfers_us += time_us;
        self->critical_transfer_us[(gsize) transfer->tensor * self->n_devices + transfer->to]
            += time_us;
      }
    else
      {
        /* The step names a kernel by its first member. */
        self->critical_wait_us[steps[i].index] = steps[i].waited_us;
        for (GobanNodeId v = steps[i].index; v != GOBAN_NO_NODE;
             v = goban_trace_get_next_fused (trace, v))
          {
            self->is_critical[v] = 1;
            self->critical_us[v] = self->finish_us[v] - self->start_us[v];
            ops_us += self->critical_us[v];
          }
      }
  self->facts[GOBAN_PROFILE_CRITICAL_OPS] = (float) (ops_us / self->makespan_us);
  self->facts[GOBAN_PROFILE_CRITICAL_TRANSFERS] = (float) (transfers_us / self->makespan_us);
}

/* Backward over all ops by start: consumers and the next op of the device come first. */
static void
find_latest_starts (GobanPlanProfile *self, const guint32 *order)
{
  const GobanGraph *graph = self->units->graph;
  guint D = self->n_devices;
  g_autofree double *next_us = g_new (double, D);

  for (guint d = 0; d < D; d++)
    next_us[d] = self->makespan_us;
  for (guint i = self->n_nodes; i-- > 0;)
    {
      GobanNodeId v = order[i];
      GobanDeviceId d = self->device_of[v];
      GobanEdgeSpan out = goban_graph_get_out_edges (graph, v);
      double finish_us = next_us[d];

      for (guint j = 0; j < out.n; j++)
        {
          const GobanEdge *edge = goban_graph_get_edge (graph, out.ids[j]);
          GobanDeviceId to = self->device_of[edge->head];
          double by_us = self->latest_us[edge->head];

          if (to != d)
            by_us -= self->arrival_us[(gsize) edge->tensor * D + to] - self->finish_us[v];
          finish_us = MIN (finish_us, by_us);
        }
      self->latest_us[v]
          = MAX (finish_us - (self->finish_us[v] - self->start_us[v]), self->start_us[v]);
      next_us[d] = MIN (next_us[d], self->latest_us[v]);
    }
}

static void
fill_timelines (GobanPlanProfile *self, const guint32 *order)
{
  g_autofree guint *n_ops = g_new0 (guint, self->n_devices);
  gsize at = 0;

  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    n_ops[self->device_of[v]]++;
  for (guint d = 0; d < self->n_devices; d++)
    {
      self->devices[d] = (GobanDeviceProfile){ .starts_us = self->storage[0] + at,
                                               .busy_us = self->storage[1] + at,
                                               .critical_us = self->storage[2] + at,
                                               .slack_us2 = self->storage[3] + at };
      self->devices[d].busy_us[0] = self->devices[d].critical_us[0] = 0;
      self->devices[d].slack_us2[0] = 0;
      at += n_ops[d] + 1;
    }
  for (guint i = 0; i < self->n_nodes; i++)
    {
      GobanNodeId v = order[i];
      GobanDeviceProfile *device = &self->devices[self->device_of[v]];
      guint k = device->n_ops++;
      double time_us = self->finish_us[v] - self->start_us[v];

      device->starts_us[k] = self->start_us[v];
      device->busy_us[k + 1] = device->busy_us[k] + time_us;
      device->critical_us[k + 1] = device->critical_us[k] + self->critical_us[v];
      device->slack_us2[k + 1]
          = device->slack_us2[k] + time_us * (self->latest_us[v] - self->start_us[v]);
    }
}

static void
read_devices (GobanPlanProfile *self, const GobanTrace *trace)
{
  const GobanDeviceUse *uses = goban_trace_get_uses (trace);
  guint D = self->n_devices;
  double room_us = self->makespan_us * D;
  g_autofree double *sorted = g_new (double, D);
  double received_us;

  for (guint d = 0; d < D; d++)
    {
      self->busy_us[d] = uses[d].busy_us;
      self->send_us[d] = uses[d].sending_us;
      self->receive_us[d] = uses[d].receiving_us;
      self->peak_bytes[d] = uses[d].peak_bytes;
    }
  received_us = goban_sorted_sum (self->receive_us, D, sorted);
  self->mean_busy_us = goban_sorted_sum (self->busy_us, D, sorted) / D;
  self->facts[GOBAN_PROFILE_N_DEVICES] = (float) (goban_log (D) / 0.69314718055994531 / 3);
  self->facts[GOBAN_PROFILE_N_UNITS] = (float) (goban_log (self->units->n_units + 1) / 10);
  self->facts[GOBAN_PROFILE_TRANSFERS] = (float) MIN (received_us / room_us, 4);
  self->facts[GOBAN_PROFILE_EFFICIENCY] = (float) (self->mean_busy_us / self->makespan_us);
  self->facts[GOBAN_PROFILE_FIFO]
      = goban_plan_get_order (goban_trace_get_plan (trace)) == GOBAN_ORDER_FIFO;
  self->facts[GOBAN_PROFILE_MEMORY_SHORT] = goban_trace_get_overflow_bytes (trace) > 0;
}

void
goban_plan_profile_read (GobanPlanProfile *self, const GobanTrace *trace)
{
  g_autofree guint32 *order = g_new (guint32, self->n_nodes + 1);

  g_assert (goban_trace_get_ops (trace) != NULL);
  self->makespan_us = MAX (goban_trace_get_makespan (trace), 1e-9);

  /* order (n_nodes): by start, ties by id, so producers come before consumers. */
  const GobanOpSpan *ops = goban_trace_get_ops (trace);
  const GobanPlan *plan = goban_trace_get_plan (trace);

  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    {
      self->device_of[v] = goban_plan_get_device (plan, v);
      self->start_us[v] = ops[v].start_us;
      self->finish_us[v] = ops[v].finish_us;
      self->ready_us[v] = ops[v].ready_us;
      self->critical_us[v] = self->critical_wait_us[v] = 0;
      self->is_critical[v] = 0;
      self->kernel_of[v] = v;
      self->next_fused[v] = GOBAN_NO_NODE;
      self->kernel_sizes[v] = 1;
      self->kernel_shares[v] = 1;
      order[v] = v;
    }
  self->is_fused = goban_trace_is_fused (trace);
  if (self->is_fused)
    {
      for (GobanNodeId v = 0; v < self->n_nodes; v++)
        if (goban_trace_get_kernel (trace, v) == v
            && goban_trace_get_next_fused (trace, v) != GOBAN_NO_NODE)
          split_kernel (self, trace, v);
    }
  goban_key_sort (order, self->start_us, self->n_nodes);
  for (guint i = 0; i < self->n_nodes; i++)
    self->place_of[order[i]] = i;

  guint D = self->n_devices;
  gsize n_copies = (gsize) self->n_tensors * D;
  guint n;
  const GobanTransfer *transfers = goban_trace_get_transfers (trace, &n);

  for (gsize i = 0; i < n_copies; i++)
    self->arrival_us[i] = INFINITY;
  memset (self->critical_transfer_us, 0, n_copies * sizeof (double));
  memset (self->n_readers, 0, n_copies * sizeof (guint32));
  for (guint i = 0; i < n; i++)
    self->arrival_us[(gsize) transfers[i].tensor * D + transfers[i].to] = transfers[i].finish_us;
  for (guint e = 0; e < goban_graph_get_n_edges (self->units->graph); e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (self->units->graph, e);

      self->n_readers[(gsize) edge->tensor * D + self->device_of[edge->head]]++;
    }

  read_critical_path (self, trace);
  find_latest_starts (self, order);
  fill_timelines (self, order);
  read_devices (self, trace);
}

/* --- timelines ------------------------------------------------------------------------------ */

/* The first op that starts at @time_us or later. */
static guint
find_start (const GobanDeviceProfile *self, double time_us)
{
  guint low = 0;
  guint high = self->n_ops;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (self->starts_us[middle] < time_us)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

double
goban_device_profile_sum (const GobanDeviceProfile *self, const double *sums, double from_us,
                          double to_us)
{
  return sums[find_start (self, to_us)] - sums[find_start (self, from_us)];
}

double
goban_device_profile_fill (const GobanDeviceProfile *self, double from_us, double work_us)
{
  guint first = find_start (self, from_us);
  guint low = first;
  guint high = self->n_ops;

  if (first > 0) /* it may be running still */
    from_us = MAX (from_us,
                   self->starts_us[first - 1] + self->busy_us[first] - self->busy_us[first - 1]);
  /* The idle time from from_us to the start of op i grows with i. */
  while (low < high)
    {
      guint middle = (low + high) / 2;
      double left_us
          = self->starts_us[middle] - from_us - (self->busy_us[middle] - self->busy_us[first]);

      if (left_us < work_us)
        low = middle + 1;
      else
        high = middle;
    }
  return from_us + work_us + self->busy_us[low] - self->busy_us[first];
}

double
goban_plan_profile_weigh_slack (const GobanPlanProfile *self, double slack_us)
{
  return (double) goban_exp ((float) MAX (-slack_us / (SLACK_SHARE * self->makespan_us), -60));
}
