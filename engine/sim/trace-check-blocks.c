/* trace-check-blocks.c: proves that a trace obeys the rules of blocks.h.
 *
 * Takes every accelerator's items in the order of time and asks for what the rules leave no choice
 * in: what is fetched, run and written, how long each takes, and when the first begins. How an
 * invalid plan's blocks are cut into pieces is not checked, only that each of its items takes its
 * time.
 */
#include "engine/sim/trace-check-private.h"

#include <math.h>
#include <string.h>

typedef struct
{
  const CheckFacts *facts;
  GobanDeviceId memory;
  gboolean *is_cpu; /* (n_devices) */
  double *over_us;  /* (n_devices) when its block is over */
} Blocks;

static GobanDeviceId
device_of (const Blocks *self, GobanNodeId node)
{
  return goban_plan_get_device (self->facts->plan, node);
}

static double
out_us (const Blocks *self, GobanNodeId node)
{
  GobanDeviceId d = device_of (self, node);

  return self->is_cpu[d] ? self->facts->ops[node].finish_us : self->over_us[d];
}

static gboolean
is_read_elsewhere (const Blocks *self, GobanTensorId tensor, GobanDeviceId d)
{
  GobanEdgeSpan edges = goban_graph_get_tensor_edges (self->facts->graph, tensor);

  for (guint i = 0; i < edges.n; i++)
    if (device_of (self, goban_graph_get_edge (self->facts->graph, edges.ids[i])->head) != d)
      return TRUE;
  return FALSE;
}

static gboolean
is_read_on (const Blocks *self, GobanTensorId tensor, GobanDeviceId d)
{
  GobanEdgeSpan edges = goban_graph_get_tensor_edges (self->facts->graph, tensor);

  for (guint i = 0; i < edges.n; i++)
    if (device_of (self, goban_graph_get_edge (self->facts->graph, edges.ids[i])->head) == d)
      return TRUE;
  return FALSE;
}

static guint
count_transfers (const Blocks *self, GobanTensorId tensor, GobanDeviceId from, GobanDeviceId to)
{
  guint n = 0;

  for (guint i = 0; i < self->facts->n_transfers; i++)
    n += self->facts->transfers[i].tensor == tensor && self->facts->transfers[i].from == from
         && self->facts->transfers[i].to == to;
  return n;
}

static gboolean
check_transfer_times (const Blocks *self, GError **error)
{
  for (guint i = 0; i < self->facts->n_transfers; i++)
    {
      const GobanTransfer *transfer = &self->facts->transfers[i];
      double time_us;

      if (transfer->tensor >= self->facts->n_tensors || transfer->to >= self->facts->n_devices
          || transfer->from >= self->facts->n_devices
          || (transfer->from == self->memory) == (transfer->to == self->memory)
          || self->is_cpu[transfer->from] == self->is_cpu[transfer->to])
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "transfer %u is not between an accelerator and the memory", i);
      time_us = goban_cost_model_transfer_us (self->facts->costs, transfer->tensor, transfer->from,
                                              transfer->to);
      if (!(transfer->start_us >= transfer->ready_us)
          || transfer->finish_us != transfer->start_us + time_us)
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "“%s” travels from %g µs to %g µs, which takes %g µs",
                             check_tensor_name (self->facts, transfer->tensor), transfer->start_us,
                             transfer->finish_us, time_us);
    }
  return TRUE;
}

/* Exactly the items that the rules require, once each. */
static gboolean
check_transfer_set (const Blocks *self, GError **error)
{
  guint n_wanted = 0;

  for (GobanTensorId t = 0; t < self->facts->n_tensors; t++)
    for (guint d = 0; d < self->facts->n_devices; d++)
      {
        gboolean is_home = device_of (self, check_producer (self->facts, t)) == d;
        gboolean is_wanted
            = !self->is_cpu[d]
              && (is_home ? is_read_elsewhere (self, t, d) : is_read_on (self, t, d));
        GobanDeviceId from = is_home ? d : self->memory;
        GobanDeviceId to = is_home ? self->memory : d;

        n_wanted += is_wanted;
        if (is_wanted && count_transfers (self, t, from, to) != 1)
          return goban_refuse (error, GOBAN_ERROR_INVALID, "“%s” is not moved once from %s to %s",
                               check_tensor_name (self->facts, t),
                               check_device_name (self->facts, from),
                               check_device_name (self->facts, to));
      }
  if (n_wanted != self->facts->n_transfers)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "%u transfers are made and %u wanted",
                         self->facts->n_transfers, n_wanted);
  return TRUE;
}

typedef struct
{
  double start_us;
  double finish_us;
  int phase; /* 0: fetch, 1: run, 2: write */
} Item;

static int
compare_items (gconstpointer a, gconstpointer b)
{
  const Item *x = a;
  const Item *y = b;

  if (x->start_us != y->start_us)
    return x->start_us < y->start_us ? -1 : 1;
  if (x->phase != y->phase)
    return x->phase - y->phase;
  return (x->finish_us > y->finish_us) - (x->finish_us < y->finish_us);
}

static GArray *
gather_items (const Blocks *self, GobanDeviceId d)
{
  GArray *items = g_array_new (FALSE, FALSE, sizeof (Item));

  for (guint i = 0; i < self->facts->n_transfers; i++)
    {
      const GobanTransfer *transfer = &self->facts->transfers[i];
      Item item = { transfer->start_us, transfer->finish_us, transfer->from == d ? 2 : 0 };

      if (transfer->from == d || transfer->to == d)
        g_array_append_val (items, item);
    }
  for (GobanNodeId v = 0; v < self->facts->n_nodes; v++)
    {
      Item item = { self->facts->ops[v].start_us, self->facts->ops[v].finish_us, 1 };

      if (device_of (self, v) == d)
        g_array_append_val (items, item);
    }
  g_array_sort (items, compare_items);
  return items;
}

/* One after the other without a gap, in three phases, from when all inputs are out. */
static gboolean
check_block (const Blocks *self, GobanDeviceId d, GError **error)
{
  g_autoptr (GArray) items = gather_items (self, d);
  const char *name = check_device_name (self->facts, d);
  double begin_us = 0;

  if (items->len == 0)
    return TRUE;
  for (GobanEdgeId e = 0; e < self->facts->n_edges; e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (self->facts->graph, e);

      if (device_of (self, edge->head) == d && device_of (self, edge->tail) != d)
        begin_us = MAX (begin_us, out_us (self, edge->tail));
    }
  for (guint i = 0; i < items->len; i++)
    {
      const Item *item = &g_array_index (items, Item, i);
      double due_us = i == 0 ? begin_us : (item - 1)->finish_us;

      if (item->start_us != due_us)
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "the block of %s does something at %g µs, but is due at %g µs", name,
                             item->start_us, due_us);
      if (i > 0 && item->phase < (item - 1)->phase)
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "the block of %s fetches, runs and writes out of turn at %g µs", name,
                             item->start_us);
    }
  return TRUE;
}

static gboolean
check_cpu_op (const Blocks *self, GobanNodeId v, GError **error)
{
  GobanEdgeSpan inputs = goban_graph_get_in_edges (self->facts->graph, v);
  double begin_us = 0;

  for (guint i = 0; i < inputs.n; i++)
    begin_us = MAX (begin_us,
                    out_us (self, goban_graph_get_edge (self->facts->graph, inputs.ids[i])->tail));
  if (self->facts->ops[v].start_us != begin_us)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "“%s” starts at %g µs on a CPU, its inputs are out at %g µs",
                         check_node_name (self->facts, v), self->facts->ops[v].start_us, begin_us);
  return TRUE;
}

/* An op never starts before its inputs are out, or have run in its block: in pieces, too. */
static gboolean
check_precedence (const Blocks *self, GError **error)
{
  for (GobanEdgeId e = 0; e < self->facts->n_edges; e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (self->facts->graph, e);

      if (self->facts->ops[edge->head].start_us < self->facts->ops[edge->tail].finish_us)
        return goban_refuse (
            error, GOBAN_ERROR_INVALID, "“%s” starts before its input “%s” has run",
            check_node_name (self->facts, edge->head), check_node_name (self->facts, edge->tail));
    }
  return TRUE;
}

static gboolean
check_verdict (const Blocks *self, GError **error)
{
  const GobanTrace *trace = self->facts->trace;
  gboolean fits = TRUE;

  for (guint d = 0; d < self->facts->n_devices; d++)
    {
      double held_bytes = 0;

      for (GobanNodeId v = 0; v < self->facts->n_nodes; v++)
        if (device_of (self, v) == d)
          held_bytes += ceil (goban_cost_model_param_bytes (self->facts->costs, v));
      if (self->facts->uses[d].peak_bytes != held_bytes)
        return goban_refuse (error, GOBAN_ERROR_INVALID, "%s holds %g bytes, not %g",
                             check_device_name (self->facts, d), held_bytes,
                             self->facts->uses[d].peak_bytes);
      fits &= self->is_cpu[d]
              || held_bytes <= goban_cluster_get_device (self->facts->cluster, d)->memory_bytes;
    }
  if (fits != (goban_trace_get_out_of_memory (trace) == NULL))
    return goban_refuse (error, GOBAN_ERROR_INVALID, "the verdict on memory is wrong");
  return TRUE;
}

/* Steps follow each other without a gap from the start to the end. */
static gboolean
check_steps (const Blocks *self, GError **error)
{
  guint n;
  const GobanStep *path = goban_trace_get_critical_path (self->facts->trace, &n);
  double now_us = 0;

  for (guint i = 0; i < n; i++)
    {
      const GobanOpSpan *op = path[i].is_transfer ? NULL : &self->facts->ops[path[i].index];
      const GobanTransfer *transfer
          = path[i].is_transfer ? &self->facts->transfers[path[i].index] : NULL;

      if ((op != NULL ? op->start_us : transfer->start_us) != now_us)
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "step %u of the critical path does not start at %g µs", i, now_us);
      now_us = op != NULL ? op->finish_us : transfer->finish_us;
    }
  if (now_us != goban_trace_get_makespan (self->facts->trace))
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "the critical path ends at %g µs, the run at %g µs", now_us,
                         goban_trace_get_makespan (self->facts->trace));
  return TRUE;
}

static gboolean
check_all (Blocks *self, GError **error)
{
  gboolean is_valid = goban_trace_is_valid (self->facts->trace);
  double end_us = 0;

  for (guint d = 0; d < self->facts->n_devices; d++)
    {
      g_autoptr (GArray) items = gather_items (self, d);

      for (guint i = 0; i < items->len; i++)
        self->over_us[d] = MAX (self->over_us[d], g_array_index (items, Item, i).finish_us);
      end_us = MAX (end_us, self->over_us[d]);
    }
  if (!check_transfer_times (self, error) || !check_transfer_set (self, error)
      || !check_precedence (self, error) || !check_verdict (self, error)
      || !check_steps (self, error))
    return FALSE;
  if (end_us != goban_trace_get_makespan (self->facts->trace))
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "the makespan is %g µs, but the last block is over at %g µs",
                         goban_trace_get_makespan (self->facts->trace), end_us);
  for (guint d = 0; d < self->facts->n_devices && is_valid; d++)
    if (!self->is_cpu[d] && !check_block (self, d, error))
      return FALSE;
  for (GobanNodeId v = 0; v < self->facts->n_nodes && is_valid; v++)
    if (self->is_cpu[device_of (self, v)] && !check_cpu_op (self, v, error))
      return FALSE;
  return TRUE;
}

gboolean
check_blocks (const CheckFacts *facts, GError **error)
{
  g_autofree gboolean *is_cpu = g_new0 (gboolean, facts->n_devices);
  g_autofree double *over_us = g_new0 (double, facts->n_devices);
  Blocks self = { .facts = facts, .is_cpu = is_cpu, .over_us = over_us };

  for (guint d = facts->n_devices; d-- > 0;)
    if (strcmp (goban_cluster_get_device (facts->cluster, d)->kind, "cpu") == 0)
      {
        is_cpu[d] = TRUE;
        self.memory = d;
      }
  return check_all (&self, error);
}
