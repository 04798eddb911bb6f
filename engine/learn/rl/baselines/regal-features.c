#include "engine/learn/rl/baselines/regal-features.h"

#include "engine/graph/levels.h"

#include <math.h>

/* Figures of the nodes before scaling. */
typedef struct
{
  const GobanCostModel *costs;
  const GobanGraph *graph;
  const GobanCluster *cluster;
  guint N;
  guint A;
  double *w;      /* (N) mean times, 0 for a node that can run nowhere */
  double *c;      /* (n_tensors) mean transfers */
  double *top;    /* (N) */
  double *bottom; /* (N) */
  /* (N) work of the same phase before the node, as a share of the phase's; backward phases are
   * counted from their end, so that a layer's nodes have similar places */
  double *place;
  double *before;     /* (N) work before the node, as a share of all */
  double *sent;       /* (N) transfer times of the tensors with readers */
  double *received;   /* (N) */
  guint32 *depth;     /* (N) */
  guint n_levels;     /* of depth */
  double total_us;    /* sum of w */
  double transfer_us; /* sum of sent */
  double longest_us;  /* path, of at least 0 */
  double params;      /* bytes */
  double memory;      /* bytes of all devices */
  double most_memory; /* bytes of the largest device */
  double outputs;     /* bytes of all tensors */
} Facts;

/* --- facts ---------------------------------------------------------------------------------- */

static double
ratio (double a, double b)
{
  return b > 0 && isfinite (a) ? a / b : 0;
}

static void
facts_init (Facts *self, const GobanCostModel *costs)
{
  *self = (Facts){ .costs = costs,
                   .graph = goban_cost_model_get_graph (costs),
                   .cluster = goban_cost_model_get_cluster (costs) };
  self->N = goban_graph_get_n_nodes (self->graph);
  self->A = goban_cluster_get_n_devices (self->cluster);
  self->w = g_new (double, self->N);
  self->c = g_new (double, goban_graph_get_n_tensors (self->graph));
  self->top = g_new (double, self->N);
  self->bottom = g_new (double, self->N);
  self->depth = g_new (guint32, self->N);
  goban_cost_model_mean_times (self->costs, self->w);
  goban_cost_model_mean_transfers (self->costs, self->c);
  for (guint v = 0; v < self->N; v++)
    {
      if (!isfinite (self->w[v]))
        self->w[v] = 0;
      self->total_us += self->w[v];
    }
  goban_graph_top_levels (self->graph, self->top, self->w, NULL);
  goban_graph_bottom_levels (self->graph, self->bottom, self->w, NULL);
  self->n_levels = self->N > 0 ? goban_graph_depths (self->graph, self->depth) : 0;
  for (guint v = 0; v < self->N; v++)
    self->longest_us = MAX (self->longest_us, self->top[v] + self->bottom[v]);

  self->sent = g_new0 (double, self->N);
  self->received = g_new0 (double, self->N);
  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (self->graph); t++)
    {
      const GobanTensor *tensor = goban_graph_get_tensor (self->graph, t);
      GobanEdgeSpan readers = goban_graph_get_tensor_edges (self->graph, t);

      self->outputs += tensor->size_bytes;
      if (readers.n == 0 || !isfinite (self->c[t]))
        continue;
      self->sent[tensor->producer] += self->c[t];
      self->transfer_us += self->c[t];
      for (guint i = 0; i < readers.n; i++)
        self->received[goban_graph_get_edge (self->graph, readers.ids[i])->head] += self->c[t];
    }

  double totals[3] = { 0 };
  double sums[3] = { 0 };
  double sum = 0;

  self->place = g_new (double, self->N);
  self->before = g_new (double, self->N);
  for (guint v = 0; v < self->N; v++)
    totals[goban_graph_get_node (self->graph, v)->phase] += self->w[v];
  for (guint v = 0; v < self->N; v++)
    {
      GobanPhase phase = goban_graph_get_node (self->graph, v)->phase;
      double share = ratio (sums[phase] + self->w[v] / 2, totals[phase]);

      self->place[v] = phase == GOBAN_PHASE_FORWARD ? share : 1 - share;
      self->before[v] = ratio (sum + self->w[v] / 2, self->total_us);
      sums[phase] += self->w[v];
      sum += self->w[v];
    }

  for (guint v = 0; v < self->N; v++)
    self->params += goban_cost_model_param_bytes (self->costs, v);
  self->memory = goban_cost_model_total_memory (self->costs);
  for (guint d = 0; d < self->A; d++)
    {
      double capacity = goban_cluster_get_device (self->cluster, (GobanDeviceId) d)->memory_bytes;

      self->most_memory = MAX (self->most_memory, capacity);
    }
}

/* --- rows ----------------------------------------------------------------------------------- */

static void
fill_node (const Facts *self, GobanNodeId v, float *x)
{
  const GobanNode *node = goban_graph_get_node (self->graph, v);
  double n = self->N;
  double mean_us = self->total_us / n;
  double path = self->top[v] + self->bottom[v];
  double in = goban_graph_get_in_edges (self->graph, v).n;
  double out = goban_graph_get_out_edges (self->graph, v).n;
  double values[GOBAN_REGAL_N_NODE_FEATURES] = {
    [GOBAN_REGAL_FEATURE_ONE] = 1,
    log1p (ratio (self->w[v], mean_us)),
    log1p (ratio (self->sent[v], mean_us)),
    log1p (ratio (self->received[v], mean_us)),
    log1p (ratio (goban_cost_model_param_bytes (self->costs, v), self->params / n)),
    log1p (ratio (goban_graph_get_output_bytes (self->graph, v), self->outputs / n)),
    log1p (in),
    log1p (out),
    v / n,
    ratio (self->depth[v], self->n_levels),
    ratio (self->top[v], self->longest_us),
    [GOBAN_REGAL_FEATURE_BOTTOM] = ratio (self->bottom[v], self->longest_us),
    1 - ratio (path, self->longest_us),
    self->before[v],
    [GOBAN_REGAL_FEATURE_PLACE] = self->place[v],
    node->phase == GOBAN_PHASE_FORWARD,
    node->phase == GOBAN_PHASE_BACKWARD,
    node->phase == GOBAN_PHASE_UPDATE,
    node->group != GOBAN_NO_GROUP,
    /* from here on, features of the whole graph */
    log1p (n) / 10,
    log1p (ratio (self->transfer_us, self->total_us)),
    log1p (ratio (self->total_us, self->longest_us)),
    log1p (goban_graph_get_n_edges (self->graph) / n),
    1.0 / self->A,
    MIN (ratio (self->params, self->memory), 2),
    MIN (ratio (self->outputs, self->memory), 2),
  };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    x[i] = (float) values[i];
}

static double
least_time (const Facts *self, GobanNodeId v)
{
  const double *times = goban_cost_model_times_us (self->costs, v);
  double least = INFINITY;

  for (guint k = 0; k < goban_cluster_get_n_classes (self->cluster); k++)
    least = MIN (least, times[k]);
  return least;
}

static void
fill_on_device (const Facts *self, GobanNodeId v, GobanDeviceId d, float *x)
{
  double time = goban_cost_model_time_us (self->costs, v, d);
  double capacity = goban_cluster_get_device (self->cluster, d)->memory_bytes;
  double most = self->most_memory;
  double centre = (d + 0.5) / self->A;
  double distance = self->place[v] - centre;
  double slowdown = ratio (time, least_time (self, v));
  double values[GOBAN_REGAL_N_DEVICE_FEATURES] = {
    centre,
    [GOBAN_REGAL_FEATURE_FIRST] = d == 0,
    d + 1 == self->A,
    1.0 / self->A,
    isfinite (time),
    slowdown > 1 ? log (slowdown) : 0,
    isfinite (most) ? ratio (capacity, most) : 1,
    distance,
    /* whether the node is in this device's share of the work in a pipeline */
    fabs (distance) * self->A <= 0.5,
  };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    x[i] = (float) values[i];
}

/* Lists neighbours, once per edge. */
static void
list_neighbours (GobanRegalView *self, const GobanGraph *graph, int direction)
{
  guint N = goban_graph_get_n_nodes (graph);
  guint32 *offsets = g_new0 (guint32, (gsize) N + 1);
  guint32 *ids = g_new (guint32, goban_graph_get_n_edges (graph));
  guint32 n = 0;

  for (GobanNodeId v = 0; v < N; v++)
    {
      GobanEdgeSpan edges = direction == 0 ? goban_graph_get_in_edges (graph, v)
                                           : goban_graph_get_out_edges (graph, v);

      for (guint i = 0; i < edges.n; i++)
        {
          const GobanEdge *edge = goban_graph_get_edge (graph, edges.ids[i]);

          ids[n++] = direction == 0 ? edge->tail : edge->head;
        }
      offsets[v + 1] = n;
    }
  self->offsets[direction] = offsets;
  self->ids[direction] = ids;
}

GobanRegalView *
goban_regal_view_new (const GobanCostModel *costs)
{
  GobanRegalView *self = g_new0 (GobanRegalView, 1);
  Facts facts;
  gsize N;

  facts_init (&facts, costs);
  N = facts.N;
  self->node_features = g_new (float, N *GOBAN_REGAL_N_NODE_FEATURES);
  self->device_features = g_new (float, N *facts.A *GOBAN_REGAL_N_DEVICE_FEATURES);
  for (GobanNodeId v = 0; v < N; v++)
    fill_node (&facts, v, self->node_features + (gsize) v * GOBAN_REGAL_N_NODE_FEATURES);
  for (guint d = 0; d < facts.A; d++)
    for (GobanNodeId v = 0; v < N; v++)
      fill_on_device (&facts, v, (GobanDeviceId) d,
                      self->device_features + (d * N + v) * GOBAN_REGAL_N_DEVICE_FEATURES);
  for (int direction = 0; direction < 2; direction++)
    list_neighbours (self, facts.graph, direction);

  self->input = (GobanRegalInput){
    .n_nodes = (int) N,
    .n_devices = (int) facts.A,
    .node_features = self->node_features,
    .device_features = self->device_features,
    .predecessors = { self->offsets[0], self->ids[0], (int) N },
    .successors = { self->offsets[1], self->ids[1], (int) N },
  };
  g_free (facts.w);
  g_free (facts.c);
  g_free (facts.top);
  g_free (facts.bottom);
  g_free (facts.place);
  g_free (facts.before);
  g_free (facts.sent);
  g_free (facts.received);
  g_free (facts.depth);

  return self;
}

void
goban_regal_view_free (GobanRegalView *self)
{
  g_free (self->node_features);
  g_free (self->device_features);
  for (int direction = 0; direction < 2; direction++)
    {
      g_free (self->offsets[direction]);
      g_free (self->ids[direction]);
    }
  g_free (self);
}
