#include "engine/study/measure/segments.h"

#include "engine/core/error.h"

typedef struct
{
  const GobanGraph *graph;
  const GobanPlan *plan;
  const GobanOpSpan *spans;
} Order;

/* By start, then by finish, then by number: no node comes before one that it needs, even among
 * nodes that take no time. */
static int
compare_nodes (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Order *order = user_data;
  GobanNodeId u = *(const GobanNodeId *) a, v = *(const GobanNodeId *) b;
  const GobanOpSpan *x = &order->spans[u], *y = &order->spans[v];

  if (x->start_us != y->start_us)
    return x->start_us < y->start_us ? -1 : 1;
  if (x->finish_us != y->finish_us)
    return x->finish_us < y->finish_us ? -1 : 1;
  return (u > v) - (u < v);
}

/* @edges: all incoming or all outgoing ones of a node. */
static gboolean
has_hand_over (const Order *order, GobanEdgeSpan edges)
{
  for (guint i = 0; i < edges.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (order->graph, edges.ids[i]);

      if (goban_plan_get_device (order->plan, edge->tail)
          != goban_plan_get_device (order->plan, edge->head))
        return TRUE;
    }
  return FALSE;
}

/* Numbers segments in the order of their first nodes; @sorted: all nodes by their starts. */
static void
cut (GobanSegments *self, const Order *order, const GobanNodeId *sorted, guint n_nodes)
{
  g_autofree guint32 *open = g_new (guint32, self->n_devices + 1); /* segment, or G_MAXUINT32 */

  for (guint d = 0; d < self->n_devices; d++)
    open[d] = G_MAXUINT32;
  for (guint i = 0; i < n_nodes; i++)
    {
      GobanNodeId v = sorted[i];
      GobanDeviceId device = goban_plan_get_device (order->plan, v);

      if (open[device] == G_MAXUINT32
          || has_hand_over (order, goban_graph_get_in_edges (order->graph, v)))
        {
          self->segments[self->n] = (GobanSegment){ .device = device };
          open[device] = self->n++;
        }
      self->segment_of[v] = open[device];
      self->segments[open[device]].n++;
      if (has_hand_over (order, goban_graph_get_out_edges (order->graph, v)))
        open[device] = G_MAXUINT32;
    }
}

static void
list_nodes (GobanSegments *self, const GobanNodeId *sorted, guint n_nodes)
{
  g_autofree guint *next = g_new (guint, self->n + 1);
  guint at = 0;

  for (guint s = 0; s < self->n; s++)
    {
      self->segments[s].first = next[s] = at;
      at += self->segments[s].n;
    }
  for (guint i = 0; i < n_nodes; i++)
    self->nodes[next[self->segment_of[sorted[i]]]++] = sorted[i];
}

/* Only the first node of a segment reads from other devices. */
static void
list_waits (GobanSegments *self, const GobanGraph *graph)
{
  g_autofree guint32 *seen = g_new0 (guint32, self->n + 1); /* by which segment + 1 */
  GArray *waits = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 s = 0; s < self->n; s++)
    {
      GobanSegment *segment = &self->segments[s];
      GobanEdgeSpan in = goban_graph_get_in_edges (graph, self->nodes[segment->first]);

      segment->first_wait = waits->len;
      for (guint i = 0; i < in.n; i++)
        {
          guint32 other = self->segment_of[goban_graph_get_edge (graph, in.ids[i])->tail];

          if (self->segments[other].device == segment->device || seen[other] == s + 1)
            continue;
          seen[other] = s + 1;
          g_array_append_val (waits, other);
        }
      segment->n_waits = waits->len - segment->first_wait;
    }
  self->n_hand_overs = waits->len;
  self->waits = (guint32 *) (void *) g_array_free (waits, FALSE);
}

static GobanSegments *
new_empty (guint n_nodes, guint n_devices)
{
  GobanSegments *self = g_new0 (GobanSegments, 1);

  self->n_devices = n_devices;
  self->segments = g_new0 (GobanSegment, n_nodes + 1);
  self->nodes = g_new (GobanNodeId, n_nodes + 1);
  self->segment_of = g_new0 (guint32, n_nodes + 1);
  return self;
}

GobanSegments *
goban_segments_new (GobanRun *run, GError **error)
{
  const GobanRunParts *parts = goban_run_get_parts (run);
  Order order = { parts->graph, parts->plan, goban_trace_get_ops (parts->trace) };
  guint n_nodes = goban_graph_get_n_nodes (parts->graph);
  g_autofree GobanNodeId *sorted = g_new (GobanNodeId, n_nodes + 1);
  GobanSegments *self;

  if (order.spans == NULL)
    {
      goban_set_error (error, GOBAN_ERROR_UNSUPPORTED, "%s cannot run: %s",
                       goban_run_get_name (run), goban_trace_get_why (parts->trace));
      return NULL;
    }
  if (goban_trace_is_fused (parts->trace))
    {
      goban_set_error (error, GOBAN_ERROR_UNSUPPORTED,
                       "%s makes kernels of several nodes, which ONNX Runtime does not run as the "
                       "plan says; measure it without fusion",
                       goban_run_get_name (run));
      return NULL;
    }
  self = new_empty (n_nodes, goban_cluster_get_n_devices (parts->cluster));
  for (GobanNodeId v = 0; v < n_nodes; v++)
    sorted[v] = v;
  g_qsort_with_data (sorted, (gint) n_nodes, sizeof *sorted, compare_nodes, &order);
  cut (self, &order, sorted, n_nodes);
  list_nodes (self, sorted, n_nodes);
  list_waits (self, parts->graph);
  return self;
}

GobanSegments *
goban_segments_new_single (const GobanGraph *graph)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  GobanSegments *self = new_empty (n_nodes, 1);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    self->nodes[v] = v;
  self->segments[0].n = n_nodes;
  self->n = n_nodes > 0 ? 1 : 0;
  self->waits = g_new (guint32, 1);
  return self;
}

void
goban_segments_free (GobanSegments *self)
{
  g_free (self->segments);
  g_free (self->nodes);
  g_free (self->waits);
  g_free (self->segment_of);
  g_free (self);
}
