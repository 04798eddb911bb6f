#include "tests/sim/brute-force.h"

#include "engine/sim/fusion/fusion-rules.h"

#include <math.h>
#include <stdlib.h>

typedef enum
{
  BLOCKED,
  READY,
  RUNNING,
  DONE,
} State;

typedef struct
{
  const GobanCostModel *costs;
  const GobanPlan *plan;
  const GobanGraph *graph;
  const GobanCluster *cluster;
  guint n_nodes;
  guint n_transfers;
  State *op;       /* (n_nodes) */
  State *transfer; /* (n_transfers) */
  BruteRun *run;
  double now_us;
} World;

static GobanDeviceId
device_of (const World *world, GobanNodeId v)
{
  return goban_plan_get_device (world->plan, v);
}

/* The lowest node that runs together with the node. Only lowest nodes have a state. */
static GobanNodeId
kernel_of (const World *world, GobanNodeId v)
{
  const gint32 *fusions = goban_plan_get_fusions (world->plan);

  for (GobanNodeId u = 0; u < v && fusions[v] != GOBAN_NO_FUSION; u++)
    if (fusions[u] == fusions[v])
      return u;
  return v;
}

static GobanNodeId
producer_of (const World *world, GobanTensorId t)
{
  return goban_graph_get_tensor (world->graph, t)->producer;
}

static gboolean
is_internal (const World *world, GobanTensorId t)
{
  guint n_readers = 0;

  for (guint e = 0; e < goban_graph_get_n_edges (world->graph); e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (world->graph, e);

      if (edge->tensor != t)
        continue;
      if (kernel_of (world, edge->head) != kernel_of (world, edge->tail))
        return FALSE;
      n_readers++;
    }
  return n_readers > 0;
}

static gboolean
is_read_on (const World *world, GobanTensorId t, GobanDeviceId d)
{
  for (guint e = 0; e < goban_graph_get_n_edges (world->graph); e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (world->graph, e);

      if (edge->tensor == t && device_of (world, edge->head) == d)
        return TRUE;
    }
  return FALSE;
}

static void
list_transfers (World *world)
{
  GArray *all = g_array_new (FALSE, TRUE, sizeof (GobanTransfer));

  for (guint t = 0; t < goban_graph_get_n_tensors (world->graph); t++)
    for (guint d = 0; d < goban_cluster_get_n_devices (world->cluster); d++)
      {
        GobanDeviceId home = device_of (world, producer_of (world, t));
        GobanTransfer transfer = { .tensor = t, .from = home, .to = d };

        if (d != home && is_read_on (world, t, d))
          g_array_append_val (all, transfer);
      }
  world->n_transfers = world->run->n_transfers = all->len;
  world->run->transfers = (GobanTransfer *) (void *) g_array_free (all, FALSE);
  world->transfer = g_new0 (State, world->n_transfers + 1);
}

static gboolean
has_tensor (const World *world, GobanTensorId t, GobanDeviceId d)
{
  if (device_of (world, producer_of (world, t)) == d)
    return world->op[kernel_of (world, producer_of (world, t))] == DONE;
  for (guint i = 0; i < world->n_transfers; i++)
    if (world->run->transfers[i].tensor == t && world->run->transfers[i].to == d)
      return world->transfer[i] == DONE;
  g_assert_not_reached ();
}

static gboolean
has_inputs (const World *world, GobanNodeId kernel)
{
  for (guint e = 0; e < goban_graph_get_n_edges (world->graph); e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (world->graph, e);

      if (kernel_of (world, edge->head) == kernel && kernel_of (world, edge->tail) != kernel
          && !has_tensor (world, edge->tensor, device_of (world, kernel)))
        return FALSE;
    }
  return TRUE;
}

static void
finish_and_wake (World *world)
{
  BruteRun *run = world->run;

  for (guint v = 0; v < world->n_nodes; v++)
    if (world->op[v] == RUNNING && run->ops[v].finish_us == world->now_us)
      world->op[v] = DONE;
  for (guint i = 0; i < world->n_transfers; i++)
    if (world->transfer[i] == RUNNING && run->transfers[i].finish_us == world->now_us)
      world->transfer[i] = DONE;

  for (guint v = 0; v < world->n_nodes; v++)
    if (world->op[v] == BLOCKED && kernel_of (world, v) == v && has_inputs (world, v))
      {
        world->op[v] = READY;
        run->ops[v].ready_us = world->now_us;
      }
  for (guint i = 0; i < world->n_transfers; i++)
    if (world->transfer[i] == BLOCKED
        && world->op[kernel_of (world, producer_of (world, run->transfers[i].tensor))] == DONE)
      {
        world->transfer[i] = READY;
        run->transfers[i].ready_us = world->now_us;
      }
}

static gboolean
is_idle (const World *world, GobanDeviceId d)
{
  for (guint v = 0; v < world->n_nodes; v++)
    if (world->op[v] == RUNNING && device_of (world, v) == d)
      return FALSE;
  return TRUE;
}

static gint32
priority_of (const World *world, GobanNodeId kernel)
{
  gint32 highest = G_MININT32;

  for (guint v = 0; v < world->n_nodes; v++)
    if (kernel_of (world, v) == kernel)
      highest = MAX (highest, goban_plan_get_priority (world->plan, v));
  return highest;
}

static gboolean
op_goes_before (const World *world, GobanNodeId a, GobanNodeId b)
{
  if (goban_plan_get_order (world->plan) == GOBAN_ORDER_FIFO)
    {
      if (world->run->ops[a].ready_us != world->run->ops[b].ready_us)
        return world->run->ops[a].ready_us < world->run->ops[b].ready_us;
    }
  else if (priority_of (world, a) != priority_of (world, b))
    return priority_of (world, a) > priority_of (world, b);
  return a < b;
}

static gboolean
is_estimated (const World *world, GobanNodeId v)
{
  for (guint k = 0; k < goban_graph_get_n_kinds (world->graph); k++)
    if (isfinite (goban_graph_get_time_us (world->graph, v, k)))
      return FALSE;
  return TRUE;
}

/* What the kernel's member v, or all of them, move of tensors that never leave it. */
static double
kept_bytes (const World *world, GobanNodeId v, gboolean is_read)
{
  double sum_bytes = 0;

  for (guint t = 0; t < goban_graph_get_n_tensors (world->graph); t++)
    {
      double bytes = ceil (goban_graph_get_tensor (world->graph, t)->size_bytes);

      if (!is_internal (world, t))
        continue;
      if (!is_read && producer_of (world, t) == v)
        sum_bytes += bytes;
      for (guint e = 0; e < goban_graph_get_n_edges (world->graph) && is_read; e++)
        if (goban_graph_get_edge (world->graph, e)->tensor == t
            && goban_graph_get_edge (world->graph, e)->head == v)
          sum_bytes += bytes;
    }
  return sum_bytes;
}

static double
kernel_time_us (const World *world, GobanNodeId kernel)
{
  GobanDeviceId d = device_of (world, kernel);
  const GobanDevice *device = goban_cluster_get_device (world->cluster, d);
  double flops_us = 0, bytes = 0, launch_us = 0, sum_us = 0, launches_us = 0, longest_us = 0;
  double saved_bytes = 0;
  guint n = 0;

  for (guint v = 0; v < world->n_nodes; v++)
    {
      const GobanNode *node = goban_graph_get_node (world->graph, v);
      double time_us = goban_cost_model_time_us (world->costs, v, d);

      if (kernel_of (world, v) != kernel)
        continue;
      n++;
      if (is_estimated (world, v))
        {
          flops_us
              += node->flops
                 / goban_device_get_flops_per_us (device, goban_node_get_peak (world->graph, v));
          bytes += MAX (node->read_bytes - kept_bytes (world, v, TRUE), 0);
          bytes += MAX (node->written_bytes - kept_bytes (world, v, FALSE), 0);
          launch_us = time_us > 0 ? device->launch_us : launch_us;
          continue;
        }
      sum_us += time_us;
      launches_us += MIN (time_us, device->launch_us);
      longest_us = MAX (longest_us, time_us);
      saved_bytes += kept_bytes (world, v, TRUE) + kept_bytes (world, v, FALSE);
    }
  if (n == 1)
    return goban_cost_model_time_us (world->costs, kernel, d);
  launches_us -= MIN (longest_us, device->launch_us);
  sum_us = sum_us - launches_us - saved_bytes / goban_device_get_memory_per_us (device);
  return MAX (flops_us, bytes / goban_device_get_memory_per_us (device))
         + MAX (launch_us, MAX (longest_us, sum_us));
}

static void
start_op (World *world, GobanDeviceId d)
{
  GobanNodeId best = GOBAN_NO_NODE;

  if (!is_idle (world, d))
    return;
  for (guint v = 0; v < world->n_nodes; v++)
    if (world->op[v] == READY && device_of (world, v) == d
        && (best == GOBAN_NO_NODE || op_goes_before (world, v, best)))
      best = v;
  if (best == GOBAN_NO_NODE)
    return;
  world->op[best] = RUNNING;
  world->run->ops[best].start_us = world->now_us;
  world->run->ops[best].finish_us = world->now_us + kernel_time_us (world, best);
}

static gint64
transfer_priority (const World *world, const GobanTransfer *transfer)
{
  const gint32 *given = goban_plan_get_transfer_priorities (world->plan);
  gint64 highest = G_MININT64;

  if (given != NULL)
    return given[transfer->tensor];
  for (guint e = 0; e < goban_graph_get_n_edges (world->graph); e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (world->graph, e);

      if (edge->tensor == transfer->tensor && device_of (world, edge->head) == transfer->to)
        highest = MAX (highest, priority_of (world, kernel_of (world, edge->head)));
    }
  return highest;
}

/* Transfers are listed by (tensor, device), so of one kernel's the earlier wins ties. */
static gboolean
transfer_goes_before (const World *world, guint a, guint b)
{
  const GobanTransfer *x = &world->run->transfers[a];
  const GobanTransfer *y = &world->run->transfers[b];

  if (goban_plan_get_order (world->plan) == GOBAN_ORDER_FIFO)
    {
      if (x->ready_us != y->ready_us)
        return x->ready_us < y->ready_us;
    }
  else if (transfer_priority (world, x) != transfer_priority (world, y))
    return transfer_priority (world, x) > transfer_priority (world, y);
  if (kernel_of (world, producer_of (world, x->tensor))
      != kernel_of (world, producer_of (world, y->tensor)))
    return kernel_of (world, producer_of (world, x->tensor))
           < kernel_of (world, producer_of (world, y->tensor));
  return a < b;
}

static gboolean
are_in_conflict (const World *world, const GobanTransfer *a, const GobanTransfer *b)
{
  const GobanRoute *x = goban_cluster_get_route (world->cluster, a->from, a->to);
  const GobanRoute *y = goban_cluster_get_route (world->cluster, b->from, b->to);

  if (a->from == b->from || a->to == b->to)
    return TRUE;
  for (guint i = 0; i < x->n_links; i++)
    for (guint j = 0; j < y->n_links; j++)
      if (x->links[i] == y->links[j])
        return TRUE;
  return FALSE;
}

static gboolean
can_start (const World *world, guint i)
{
  if (goban_cost_model_is_contention_free (world->costs))
    return TRUE;
  for (guint j = 0; j < world->n_transfers; j++)
    if (world->transfer[j] == RUNNING
        && are_in_conflict (world, &world->run->transfers[i], &world->run->transfers[j]))
      return FALSE;
  return TRUE;
}

static gboolean
start_one_transfer (World *world)
{
  guint best = G_MAXUINT;
  GobanTransfer *transfer;

  for (guint i = 0; i < world->n_transfers; i++)
    if (world->transfer[i] == READY && can_start (world, i)
        && (best == G_MAXUINT || transfer_goes_before (world, i, best)))
      best = i;
  if (best == G_MAXUINT)
    return FALSE;
  transfer = &world->run->transfers[best];
  world->transfer[best] = RUNNING;
  transfer->start_us = world->now_us;
  transfer->finish_us = world->now_us
                        + goban_cost_model_transfer_us (world->costs, transfer->tensor,
                                                        transfer->from, transfer->to);
  return TRUE;
}

/* The next time at which anything running finishes, or INFINITY. */
static double
find_next (const World *world)
{
  double next_us = (double) INFINITY;

  for (guint v = 0; v < world->n_nodes; v++)
    if (world->op[v] == RUNNING)
      next_us = MIN (next_us, world->run->ops[v].finish_us);
  for (guint i = 0; i < world->n_transfers; i++)
    if (world->transfer[i] == RUNNING)
      next_us = MIN (next_us, world->run->transfers[i].finish_us);
  return next_us;
}

static double
last_use_us (const World *world, GobanTensorId t, GobanDeviceId d)
{
  double last_us = 0;

  for (guint e = 0; e < goban_graph_get_n_edges (world->graph); e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (world->graph, e);

      if (edge->tensor == t && device_of (world, edge->head) == d)
        last_us = MAX (last_us, world->run->ops[edge->head].finish_us);
    }
  return last_us;
}

/* What the device holds at a time, once the instant is over. */
static double
memory_at (const World *world, GobanDeviceId d, double time_us)
{
  const BruteRun *run = world->run;
  double sum_bytes = 0;

  for (guint v = 0; v < world->n_nodes; v++)
    if (device_of (world, v) == d)
      sum_bytes += ceil (goban_cost_model_param_bytes (world->costs, v));
  for (guint t = 0; t < goban_graph_get_n_tensors (world->graph); t++)
    {
      const GobanOpSpan *span = &run->ops[producer_of (world, t)];
      double end_us = MAX (span->finish_us, last_use_us (world, t, d));
      double bytes = ceil (goban_graph_get_tensor (world->graph, t)->size_bytes);

      if (is_internal (world, t))
        continue;
      for (guint i = 0; i < world->n_transfers; i++)
        if (run->transfers[i].tensor == t)
          {
            end_us = MAX (end_us, run->transfers[i].finish_us);
            if (run->transfers[i].to == d && run->transfers[i].start_us <= time_us
                && time_us < last_use_us (world, t, d))
              sum_bytes += bytes;
          }
      if (device_of (world, producer_of (world, t)) == d && span->start_us <= time_us
          && time_us < end_us)
        sum_bytes += bytes;
    }
  return sum_bytes;
}

/* Memory only grows where something starts. */
static double
find_peak (const World *world, GobanDeviceId d)
{
  double peak_bytes = memory_at (world, d, 0);

  for (guint v = 0; v < world->n_nodes; v++)
    peak_bytes = MAX (peak_bytes, memory_at (world, d, world->run->ops[v].start_us));
  for (guint i = 0; i < world->n_transfers; i++)
    peak_bytes = MAX (peak_bytes, memory_at (world, d, world->run->transfers[i].start_us));
  return peak_bytes;
}

static int
compare_transfers (const void *a, const void *b)
{
  const GobanTransfer *x = a;
  const GobanTransfer *y = b;

  if (x->start_us != y->start_us)
    return x->start_us < y->start_us ? -1 : 1;
  if (x->tensor != y->tensor)
    return x->tensor < y->tensor ? -1 : 1;
  return (x->to > y->to) - (x->to < y->to);
}

void
brute_run_init (BruteRun *self, const GobanCostModel *costs, const GobanPlan *plan)
{
  World world = {
    .costs = costs,
    .plan = plan,
    .graph = goban_cost_model_get_graph (costs),
    .cluster = goban_cost_model_get_cluster (costs),
    .run = self,
  };
  guint n_devices = goban_cluster_get_n_devices (world.cluster);

  world.n_nodes = goban_graph_get_n_nodes (world.graph);
  world.op = g_new0 (State, world.n_nodes);
  self->ops = g_new0 (GobanOpSpan, world.n_nodes);
  list_transfers (&world);

  while (isfinite (world.now_us))
    {
      finish_and_wake (&world);
      for (guint d = 0; d < n_devices; d++)
        start_op (&world, d);
      while (start_one_transfer (&world))
        ;
      world.now_us = find_next (&world);
    }

  self->makespan_us = 0;
  for (guint v = 0; v < world.n_nodes; v++)
    {
      g_assert_cmpint (world.op[kernel_of (&world, v)], ==, DONE);
      self->ops[v] = self->ops[kernel_of (&world, v)];
      self->makespan_us = MAX (self->makespan_us, self->ops[v].finish_us);
    }
  self->peak_bytes = g_new (double, n_devices);
  for (guint d = 0; d < n_devices; d++)
    self->peak_bytes[d] = find_peak (&world, d);
  if (self->n_transfers > 0)
    qsort (self->transfers, self->n_transfers, sizeof *self->transfers, compare_transfers);
  g_free (world.op);
  g_free (world.transfer);
}

void
brute_run_clear (BruteRun *self)
{
  g_clear_pointer (&self->ops, g_free);
  g_clear_pointer (&self->transfers, g_free);
  g_clear_pointer (&self->peak_bytes, g_free);
}
