#include "tests/support/trace-check-private.h"

#include <math.h>
#include <stdlib.h>

/* Walks through the instants at which anything starts or finishes. Finishes are taken from the
 * trace; starts then follow from the rules, and must equal those of the trace. */

typedef struct
{
  double time_us;
  gboolean is_transfer;
  guint32 index; /* node, or transfer */
} Event;

/* Who waits: the lowest rank first, then the lowest tie. */
typedef struct
{
  double rank;
  guint64 tie;
  guint32 index;
} Waiter;

typedef struct
{
  const CheckFacts *facts;
  double now_us;
  guint32 *missing;   /* (n_nodes) inputs, by kernel */
  guint32 *running;   /* (n_devices) node, or NONE */
  GArray **ready;     /* (n_devices) heaps of Waiter */
  GArray **lanes;     /* (n_devices^2) heaps of Waiter, NULL while never used */
  GArray *used_lanes; /* lanes with something waiting, by number, in no order */
  guint32 *sender;    /* (n_devices) transfer, or NONE */
  guint32 *receiver;  /* (n_devices) */
  guint32 *link;      /* (n_links) */
  GArray *at_once;    /* of Event: started now and takes no time */
  GArray *new_free;   /* contention-free: transfers that must start in this round */
  guint n_started;    /* at this instant */
} Walk;

#define NONE G_MAXUINT32

static gboolean
comes_first (const Waiter *a, const Waiter *b)
{
  return a->rank < b->rank || (a->rank == b->rank && a->tie < b->tie);
}

static void
heap_add (GArray *heap, Waiter waiter)
{
  guint i = heap->len;

  g_array_append_val (heap, waiter);
  while (i > 0)
    {
      Waiter *here = &g_array_index (heap, Waiter, i);
      Waiter *above = &g_array_index (heap, Waiter, (i - 1) / 2);
      Waiter kept = *above;

      if (!comes_first (here, above))
        return;
      *above = *here;
      *here = kept;
      i = (i - 1) / 2;
    }
}

static const Waiter *
heap_first (const GArray *heap)
{
  return &g_array_index (heap, Waiter, 0);
}

static void
heap_drop (GArray *heap)
{
  guint i = 0;

  g_array_remove_index_fast (heap, 0);
  for (;;)
    {
      guint least = i;
      Waiter kept;

      for (guint child = 2 * i + 1; child <= 2 * i + 2 && child < heap->len; child++)
        if (comes_first (&g_array_index (heap, Waiter, child),
                         &g_array_index (heap, Waiter, least)))
          least = child;
      if (least == i)
        return;
      kept = g_array_index (heap, Waiter, i);
      g_array_index (heap, Waiter, i) = g_array_index (heap, Waiter, least);
      g_array_index (heap, Waiter, least) = kept;
      i = least;
    }
}

/* --- finishes ----------------------------------------------------------------------------- */

static GobanDeviceId
device_of (const Walk *walk, GobanNodeId node)
{
  return goban_plan_get_device (walk->facts->plan, node);
}

static gboolean
take_input (Walk *walk, GobanNodeId node)
{
  const CheckFacts *facts = walk->facts;
  GobanNodeId v = facts->kernel[node];
  Waiter waiter = { facts->ops[v].ready_us, v, v };

  if (--walk->missing[v] > 0)
    return TRUE;
  if (goban_plan_get_order (facts->plan) == GOBAN_ORDER_PRIORITY)
    waiter.rank = -(double) facts->priority[v];
  heap_add (walk->ready[device_of (walk, v)], waiter);
  return facts->ops[v].ready_us == walk->now_us;
}

/* Readers of the tensor on the device have it now; its own kernel had it before. */
static gboolean
hand_over (Walk *walk, GobanTensorId tensor, GobanDeviceId device, GError **error)
{
  const GobanGraph *graph = walk->facts->graph;
  const guint32 *kernel = walk->facts->kernel;
  GobanEdgeSpan edges = goban_graph_get_tensor_edges (graph, tensor);
  GobanNodeId maker = kernel[check_producer (walk->facts, tensor)];

  for (guint i = 0; i < edges.n; i++)
    {
      GobanNodeId head = goban_graph_get_edge (graph, edges.ids[i])->head;

      if (device_of (walk, head) == device && kernel[head] != maker && !take_input (walk, head))
        return goban_refuse (
            error, GOBAN_ERROR_INVALID, "“%s” has its inputs at %g µs, not at %g µs",
            check_node_name (walk->facts, head), walk->now_us, walk->facts->ops[head].ready_us);
    }
  return TRUE;
}

/* Negative, since waiters of the lowest rank go first. */
static double
rank_by_priority (const Walk *walk, const GobanTransfer *transfer)
{
  const CheckFacts *facts = walk->facts;
  const gint32 *given = goban_plan_get_transfer_priorities (facts->plan);
  GobanEdgeSpan edges = goban_graph_get_tensor_edges (facts->graph, transfer->tensor);
  double rank = (double) INFINITY;

  if (given != NULL)
    return -(double) given[transfer->tensor];
  for (guint k = 0; k < edges.n; k++)
    {
      GobanNodeId head = goban_graph_get_edge (facts->graph, edges.ids[k])->head;

      if (device_of (walk, head) == transfer->to)
        rank = MIN (rank, -(double) facts->priority[facts->kernel[head]]);
    }
  return rank;
}

static void
queue_transfer (Walk *walk, guint32 i)
{
  const CheckFacts *facts = walk->facts;
  const GobanTransfer *transfer = &facts->transfers[i];
  guint32 lane = transfer->from * facts->n_devices + transfer->to;
  guint64 place = facts->tensor_place[transfer->tensor];
  Waiter waiter = { transfer->ready_us, place << 16 | transfer->to, i };

  if (goban_cost_model_is_contention_free (facts->costs))
    {
      g_array_append_val (walk->new_free, i);
      return;
    }
  if (goban_plan_get_order (facts->plan) == GOBAN_ORDER_PRIORITY)
    waiter.rank = rank_by_priority (walk, transfer);
  if (walk->lanes[lane] == NULL)
    walk->lanes[lane] = g_array_new (FALSE, FALSE, sizeof (Waiter));
  if (walk->lanes[lane]->len == 0)
    g_array_append_val (walk->used_lanes, lane);
  heap_add (walk->lanes[lane], waiter);
}

/* A node of a kernel hands its tensors over. */
static gboolean
finish_node (Walk *walk, GobanNodeId v, GError **error)
{
  const CheckFacts *facts = walk->facts;
  guint n_tensors;
  GobanTensorId first = goban_graph_get_node_tensors (facts->graph, v, &n_tensors);

  for (guint t = first; t < first + n_tensors; t++)
    {
      if (!hand_over (walk, t, device_of (walk, v), error))
        return FALSE;
      for (guint32 i = facts->first_by_tensor[t]; i < facts->first_by_tensor[t + 1]; i++)
        queue_transfer (walk, facts->by_tensor[i]);
    }
  return TRUE;
}

static gboolean
finish_op (Walk *walk, GobanNodeId v, GError **error)
{
  const CheckFacts *facts = walk->facts;
  GobanDeviceId device = device_of (walk, v);

  if (walk->running[device] != v)
    return goban_refuse (
        error, GOBAN_ERROR_INVALID, "“%s” finishes on %s at %g µs, but was not running",
        check_node_name (facts, v), check_device_name (facts, device), walk->now_us);
  walk->running[device] = NONE;
  for (; v != NONE; v = facts->next[v])
    if (!finish_node (walk, v, error))
      return FALSE;
  return TRUE;
}

static void
hold (Walk *walk, const GobanTransfer *transfer, guint32 holder)
{
  const GobanRoute *route
      = goban_cluster_get_route (walk->facts->cluster, transfer->from, transfer->to);

  walk->sender[transfer->from] = holder;
  walk->receiver[transfer->to] = holder;
  for (guint i = 0; i < route->n_links; i++)
    walk->link[route->links[i]] = holder;
}

static gboolean
finish_event (Walk *walk, const Event *event, GError **error)
{
  const GobanTransfer *transfer;

  if (!event->is_transfer)
    return finish_op (walk, event->index, error);
  transfer = &walk->facts->transfers[event->index];
  if (!goban_cost_model_is_contention_free (walk->facts->costs))
    {
      if (walk->sender[transfer->from] != event->index)
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "“%s” arrives at %s at %g µs, but was not on its way",
                             check_tensor_name (walk->facts, transfer->tensor),
                             check_device_name (walk->facts, transfer->to), walk->now_us);
      hold (walk, transfer, NONE);
    }
  return hand_over (walk, transfer->tensor, transfer->to, error);
}

/* --- starts ------------------------------------------------------------------------------ */

static void
note_start (Walk *walk, gboolean is_transfer, guint32 index, double finish_us)
{
  Event event = { finish_us, is_transfer, index };

  walk->n_started++;
  if (finish_us == walk->now_us)
    g_array_append_val (walk->at_once, event);
}

/* Rules 1 and 2: a free device takes the first of its ready ops, and at once. */
static gboolean
start_ops (Walk *walk, GError **error)
{
  const CheckFacts *facts = walk->facts;

  for (guint d = 0; d < facts->n_devices; d++)
    {
      GobanNodeId v;

      if (walk->running[d] != NONE || walk->ready[d]->len == 0)
        continue;
      v = heap_first (walk->ready[d])->index;
      if (facts->ops[v].start_us != walk->now_us)
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "%s is free at %g µs and “%s” is next, but starts at %g µs",
                             check_device_name (facts, d), walk->now_us, check_node_name (facts, v),
                             facts->ops[v].start_us);
      heap_drop (walk->ready[d]);
      walk->running[d] = v;
      note_start (walk, FALSE, v, facts->ops[v].finish_us);
    }
  return TRUE;
}

static gboolean
is_way_free (const Walk *walk, const GobanTransfer *transfer)
{
  const GobanRoute *route;

  if (walk->sender[transfer->from] != NONE || walk->receiver[transfer->to] != NONE)
    return FALSE;
  route = goban_cluster_get_route (walk->facts->cluster, transfer->from, transfer->to);
  for (guint i = 0; i < route->n_links; i++)
    if (walk->link[route->links[i]] != NONE)
      return FALSE;
  return TRUE;
}

/* The place among the used lanes whose first is first of all that can start now, or NONE. */
static guint
find_next_lane (const Walk *walk)
{
  const Waiter *best = NULL;
  guint place = NONE;

  for (guint i = 0; i < walk->used_lanes->len; i++)
    {
      const Waiter *waiter = heap_first (walk->lanes[g_array_index (walk->used_lanes, guint32, i)]);

      if ((best == NULL || comes_first (waiter, best))
          && is_way_free (walk, &walk->facts->transfers[waiter->index]))
        {
          best = waiter;
          place = i;
        }
    }
  return place;
}

/* Rule 3. */
static gboolean
start_transfers (Walk *walk, GError **error)
{
  const CheckFacts *facts = walk->facts;
  guint place;

  while ((place = find_next_lane (walk)) != NONE)
    {
      GArray *lane = walk->lanes[g_array_index (walk->used_lanes, guint32, place)];
      guint32 i = heap_first (lane)->index;
      const GobanTransfer *transfer = &facts->transfers[i];

      if (transfer->start_us != walk->now_us)
        return goban_refuse (
            error, GOBAN_ERROR_INVALID,
            "the way from %s to %s is free at %g µs and “%s” is next, but starts at %g µs",
            check_device_name (facts, transfer->from), check_device_name (facts, transfer->to),
            walk->now_us, check_tensor_name (facts, transfer->tensor), transfer->start_us);
      heap_drop (lane);
      if (lane->len == 0)
        g_array_remove_index_fast (walk->used_lanes, place);
      hold (walk, transfer, i);
      note_start (walk, TRUE, i, transfer->finish_us);
    }
  for (guint k = 0; k < walk->new_free->len; k++)
    {
      guint32 i = g_array_index (walk->new_free, guint32, k);

      note_start (walk, TRUE, i, facts->transfers[i].finish_us);
    }
  g_array_set_size (walk->new_free, 0);
  return TRUE;
}

/* --- the walk ---------------------------------------------------------------------------- */

static int
compare_events (const void *a, const void *b)
{
  const Event *x = a;
  const Event *y = b;

  return (x->time_us > y->time_us) - (x->time_us < y->time_us);
}

/* Starts, or finishes of items with a duration, sorted by time. */
static GArray *
list_events (const CheckFacts *facts, gboolean finishes)
{
  GArray *events = g_array_new (FALSE, FALSE, sizeof (Event));

  for (guint v = 0; v < facts->n_nodes; v++)
    {
      const GobanOpSpan *span = &facts->ops[v];
      Event event = { finishes ? span->finish_us : span->start_us, FALSE, v };

      if (facts->kernel[v] == v && (!finishes || span->finish_us > span->start_us))
        g_array_append_val (events, event);
    }
  for (guint i = 0; i < facts->n_transfers; i++)
    {
      const GobanTransfer *transfer = &facts->transfers[i];
      Event event = { finishes ? transfer->finish_us : transfer->start_us, TRUE, i };

      if (!finishes || transfer->finish_us > transfer->start_us)
        g_array_append_val (events, event);
    }
  g_array_sort (events, compare_events);
  return events;
}

/* Rule 4: the rounds of one instant. @due are the finishes of the first. */
static gboolean
walk_instant (Walk *walk, const Event *due, guint n_due, GError **error)
{
  g_autoptr (GArray) ending = g_array_new (FALSE, FALSE, sizeof (Event));

  g_array_append_vals (ending, due, n_due);
  walk->n_started = 0;
  do
    {
      for (guint i = 0; i < ending->len; i++)
        if (!finish_event (walk, &g_array_index (ending, Event, i), error))
          return FALSE;
      g_array_set_size (walk->at_once, 0);
      if (!start_ops (walk, error) || !start_transfers (walk, error))
        return FALSE;
      g_array_set_size (ending, 0);
      g_array_append_vals (ending, walk->at_once->data, walk->at_once->len);
    }
  while (ending->len > 0);
  return TRUE;
}

/* Every start at this instant follows from the rules: there are no others. */
static gboolean
check_starts (const Walk *walk, const Event *starts, guint n, GError **error)
{
  if (walk->n_started == n)
    return TRUE;
  for (guint i = 0; i < n; i++)
    if (!starts[i].is_transfer
        && walk->running[device_of (walk, starts[i].index)] != starts[i].index
        && walk->facts->ops[starts[i].index].finish_us > walk->now_us)
      return goban_refuse (error, GOBAN_ERROR_INVALID,
                           "“%s” starts at %g µs on %s, which is not its turn",
                           check_node_name (walk->facts, starts[i].index), walk->now_us,
                           check_device_name (walk->facts, device_of (walk, starts[i].index)));
  return goban_refuse (error, GOBAN_ERROR_INVALID,
                       "%u ops and transfers start at %g µs, where the rules start %u", n,
                       walk->now_us, walk->n_started);
}

static guint
count_at (const GArray *events, guint first, double time_us)
{
  guint n = 0;

  while (first + n < events->len && g_array_index (events, Event, first + n).time_us == time_us)
    n++;
  return n;
}

static gboolean
walk_all (Walk *walk, GError **error)
{
  const CheckFacts *facts = walk->facts;
  g_autoptr (GArray) starts = list_events (facts, FALSE);
  g_autoptr (GArray) finishes = list_events (facts, TRUE);
  guint next_start = 0;
  guint next_finish = 0;

  for (guint v = 0; v < facts->n_nodes; v++)
    {
      guint n_inputs = facts->n_inputs[v];

      walk->missing[v] = MAX (n_inputs, 1);
      if (facts->kernel[v] == v && n_inputs == 0 && !take_input (walk, v))
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "“%s” has no inputs, but is not ready at the start",
                             check_node_name (facts, v));
    }

  while (next_start < starts->len || next_finish < finishes->len)
    {
      double start_us = next_start < starts->len ? g_array_index (starts, Event, next_start).time_us
                                                 : (double) INFINITY;
      double finish_us = next_finish < finishes->len
                             ? g_array_index (finishes, Event, next_finish).time_us
                             : (double) INFINITY;
      guint n_starts;
      guint n_finishes;

      walk->now_us = MIN (start_us, finish_us);
      n_starts = count_at (starts, next_start, walk->now_us);
      n_finishes = count_at (finishes, next_finish, walk->now_us);
      if (!walk_instant (walk, &((const Event *) (void *) finishes->data)[next_finish], n_finishes,
                         error)
          || !check_starts (walk, &((const Event *) (void *) starts->data)[next_start], n_starts,
                            error))
        return FALSE;
      next_start += n_starts;
      next_finish += n_finishes;
    }
  return TRUE;
}

gboolean
check_order (const CheckFacts *facts, GError **error)
{
  guint n = facts->n_devices;
  gsize n_lanes = (gsize) n * n;
  guint n_links = goban_cluster_get_n_links (facts->cluster);
  Walk walk = { .facts = facts };
  gboolean is_right;

  walk.missing = g_new0 (guint32, facts->n_nodes);
  walk.running = g_new (guint32, n);
  walk.sender = g_new (guint32, n);
  walk.receiver = g_new (guint32, n);
  walk.link = g_new (guint32, n_links);
  walk.ready = g_new (GArray *, n);
  walk.lanes = g_new0 (GArray *, n_lanes);
  walk.used_lanes = g_array_new (FALSE, FALSE, sizeof (guint32));
  walk.new_free = g_array_new (FALSE, FALSE, sizeof (guint32));
  walk.at_once = g_array_new (FALSE, FALSE, sizeof (Event));
  for (guint d = 0; d < n; d++)
    {
      walk.running[d] = walk.sender[d] = walk.receiver[d] = NONE;
      walk.ready[d] = g_array_new (FALSE, FALSE, sizeof (Waiter));
    }
  for (guint l = 0; l < n_links; l++)
    walk.link[l] = NONE;

  is_right = walk_all (&walk, error);

  for (guint d = 0; d < n; d++)
    g_array_unref (walk.ready[d]);
  for (gsize i = 0; i < n_lanes; i++)
    g_clear_pointer (&walk.lanes[i], g_array_unref);
  g_array_unref (walk.used_lanes);
  g_array_unref (walk.new_free);
  g_array_unref (walk.at_once);
  g_free (walk.missing);
  g_free (walk.running);
  g_free (walk.sender);
  g_free (walk.receiver);
  g_free (walk.link);
  g_free (walk.ready);
  g_free (walk.lanes);
  return is_right;
}
