/* Decision E19 (engine/NOTES.md). */
#include "engine/core/disjoint.h"
#include "engine/graph/levels.h"
#include "engine/sim/fusion/fusion-rules.h"
#include "engine/sim/simulator-private.h"

#include <string.h>

/* --- work -------------------------------------------------------------------------------- */

/* How the work shares out under given prices. */
typedef struct
{
  guint n_nodes;
  guint n_classes;
  const double *time_us; /* (n_nodes x n_classes) */
  const double *n_in;    /* (n_classes) devices of each class */
  double *price;         /* (n_classes) of a microsecond of one device */
  double *load_us;       /* (n_classes) per device, with every node on its cheapest class */
} Market;

/* Sum over the nodes of the least price at which one runs. */
static double
clear_market (Market *self)
{
  double sum = 0;

  memset (self->load_us, 0, self->n_classes * sizeof *self->load_us);
  for (guint v = 0; v < self->n_nodes; v++)
    {
      const double *row = self->time_us + (gsize) v * self->n_classes;
      double least = SIM_NEVER_US;
      guint where = 0;

      for (guint c = 0; c < self->n_classes; c++)
        if (row[c] < SIM_NEVER_US && row[c] * self->price[c] < least)
          {
            least = row[c] * self->price[c];
            where = c;
          }
      if (least == SIM_NEVER_US)
        return SIM_NEVER_US;
      sum += least;
      self->load_us[where] += row[where] / self->n_in[where];
    }
  return sum;
}

/* Let t(v,k) be the time of node v on device k and T the makespan of some schedule. Each device
 * works at most T, so for any prices y(k) >= 0 that sum to 1
 *
 *   T  >=  sum over k of y(k) (work on k)  >=  sum over v of min over k of y(k) t(v,k).
 *
 * Equal prices give the sum of least times / devices. Better ones are the dual of spreading the
 * work fractionally; every price tried gives a bound, so it does not matter how well
 * the search for them goes. Devices of a class have the same price, by symmetry. */
static double
bound_by_work (const GobanCostModel *costs, const double *time_us, const double *least_us)
{
  const GobanCluster *cluster = goban_cost_model_get_cluster (costs);
  guint n_devices = goban_cluster_get_n_devices (cluster);
  guint n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (costs));
  guint n_classes = goban_cluster_get_n_classes (cluster);
  g_autofree double *n_in = g_new0 (double, n_classes);
  g_autofree double *price = g_new (double, n_classes);
  g_autofree double *load_us = g_new (double, n_classes);
  Market market = { n_nodes, n_classes, time_us, n_in, price, load_us };
  double best_us = 0;

  for (guint v = 0; v < n_nodes; v++)
    best_us += least_us[v];
  best_us /= n_devices;
  if (n_classes == 1 || best_us == SIM_NEVER_US)
    return best_us;

  for (guint d = 0; d < n_devices; d++)
    n_in[goban_cluster_get_class (cluster, d)]++;
  for (guint c = 0; c < n_classes; c++)
    price[c] = 1.0 / n_devices;
  for (guint round = 0; round < 48; round++)
    {
      best_us = MAX (best_us, clear_market (&market));

      /* Dearer if there is too much work, cheaper if too little; prices of all devices sum to 1. */
      double step = 2.0 / (2 + round / 4);
      double most = 0;
      double sum = 0;

      for (guint c = 0; c < market.n_classes; c++)
        most = MAX (most, market.load_us[c]);
      for (guint c = 0; c < market.n_classes; c++)
        {
          double relative = most > 0 ? market.load_us[c] / most : 1;

          market.price[c] *= 1 + step * (relative - 0.5);
          sum += market.price[c] * market.n_in[c];
        }
      for (guint c = 0; c < market.n_classes; c++)
        market.price[c] /= sum;
    }
  return best_us;
}

/* --- memory ------------------------------------------------------------------------------ */

static void
unite (guint32 *parent, guint32 a, guint32 b)
{
  a = goban_disjoint_find (parent, a);
  b = goban_disjoint_find (parent, b);
  parent[MAX (a, b)] = MIN (a, b);
}

/* One of the pairs of devices among which the fastest of every kind of route is. */
typedef struct
{
  GobanDeviceId from;
  GobanDeviceId to;
} Pair;

/* A transfer's time depends on the kinds of its ends, if given, and else on latency and bandwidth
 * of the route; a pair no better in either than another of the same kinds is left out. */
static GArray *
find_fastest_pairs (const GobanCluster *cluster)
{
  guint n = goban_cluster_get_n_devices (cluster);
  GArray *pairs = g_array_new (FALSE, FALSE, sizeof (Pair));

  for (guint i = 0; i < n * n; i++)
    {
      Pair pair = { i / n, i % n };
      const GobanRoute *route;
      gboolean is_beaten = pair.from == pair.to;

      if (is_beaten)
        continue;
      route = goban_cluster_get_route (cluster, pair.from, pair.to);
      for (guint j = 0; j < pairs->len && !is_beaten; j++)
        {
          Pair other = g_array_index (pairs, Pair, j);
          const GobanRoute *rival = goban_cluster_get_route (cluster, other.from, other.to);

          is_beaten = rival->latency_us <= route->latency_us
                      && rival->bytes_per_us >= route->bytes_per_us
                      && strcmp (goban_cluster_get_device (cluster, other.from)->kind,
                                 goban_cluster_get_device (cluster, pair.from)->kind)
                             == 0
                      && strcmp (goban_cluster_get_device (cluster, other.to)->kind,
                                 goban_cluster_get_device (cluster, pair.to)->kind)
                             == 0;
        }
      if (!is_beaten)
        g_array_append_val (pairs, pair);
    }
  return pairs;
}

/* The parts of the graph that hang together by edges or colocation, named by a node of each. */
static guint32 *
find_components (const GobanGraph *graph)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  guint n_groups = goban_graph_get_n_groups (graph);
  guint32 *parent = goban_disjoint_new (n_nodes);
  g_autofree guint32 *member = g_new (guint32, n_groups);

  for (guint g = 0; g < n_groups; g++)
    member[g] = GOBAN_NO_NODE;
  for (guint v = 0; v < n_nodes; v++)
    {
      guint32 g = goban_graph_get_node (graph, v)->group;

      if (g == GOBAN_NO_GROUP)
        continue;
      if (member[g] == GOBAN_NO_NODE)
        member[g] = v;
      unite (parent, member[g], v);
    }
  for (guint e = 0; e < goban_graph_get_n_edges (graph); e++)
    unite (parent, goban_graph_get_edge (graph, e)->tail, goban_graph_get_edge (graph, e)->head);
  for (guint v = 0; v < n_nodes; v++)
    parent[v] = goban_disjoint_find (parent, v);
  return parent;
}

/* TRUE if no placement can keep within memory: all parameters exceed all memory, or a node
 * with its group's parameters, its inputs and its outputs exceeds every device. What fused nodes
 * read and write may never be in memory. */
static gboolean
is_hopeless (const GobanCostModel *costs, const double *least_us, double largest_bytes,
             gboolean is_fused)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autofree double *group_bytes = g_new0 (double, goban_graph_get_n_groups (graph));
  double sum_bytes = 0;

  for (guint v = 0; v < n_nodes; v++)
    {
      guint32 g = goban_graph_get_node (graph, v)->group;
      double param_bytes = sim_whole_bytes (goban_cost_model_param_bytes (costs, v));

      sum_bytes += param_bytes;
      if (g != GOBAN_NO_GROUP)
        group_bytes[g] += param_bytes;
    }
  if (sum_bytes > goban_cost_model_total_memory (costs))
    return TRUE;

  for (guint v = 0; v < n_nodes; v++)
    {
      guint32 g = goban_graph_get_node (graph, v)->group;
      GobanEdgeSpan inputs = goban_graph_get_in_edges (graph, v);
      double need_bytes = g != GOBAN_NO_GROUP
                              ? group_bytes[g]
                              : sim_whole_bytes (goban_cost_model_param_bytes (costs, v));
      guint n_tensors;
      GobanTensorId first = goban_graph_get_node_tensors (graph, v, &n_tensors);
      /* Inputs and outputs of a node without duration may take no memory. */
      gboolean counts = least_us[v] > 0 && !is_fused;

      for (guint i = 0; i < n_tensors && counts; i++)
        need_bytes += sim_whole_bytes (goban_graph_get_tensor (graph, first + i)->size_bytes);
      for (guint i = 0; i < inputs.n && counts; i++)
        {
          GobanTensorId t = goban_graph_get_edge (graph, inputs.ids[i])->tensor;

          need_bytes += sim_whole_bytes (goban_graph_get_tensor (graph, t)->size_bytes);
        }
      if (need_bytes > largest_bytes)
        return TRUE;
    }
  return FALSE;
}

/* The shortest path that any edge of each part forces, if its data moves between devices. */
static void
find_cheapest_crossings (const GobanCostModel *costs, const double *least_us,
                         const guint32 *component, double *forced_us)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autofree double *top_us = g_new (double, n_nodes);
  g_autofree double *bottom_us = g_new (double, n_nodes);
  g_autoptr (GArray) pairs = find_fastest_pairs (goban_cost_model_get_cluster (costs));

  goban_graph_top_levels (graph, top_us, least_us, NULL);
  goban_graph_bottom_levels (graph, bottom_us, least_us, NULL);
  for (guint v = 0; v < n_nodes; v++)
    forced_us[v] = SIM_NEVER_US;
  for (guint e = 0; e < goban_graph_get_n_edges (graph); e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, e);
      guint32 group = goban_graph_get_node (graph, edge->tail)->group;
      guint32 part = component[edge->tail];
      double least_transfer_us = SIM_NEVER_US;

      if (group != GOBAN_NO_GROUP && group == goban_graph_get_node (graph, edge->head)->group)
        continue;
      for (guint i = 0; i < pairs->len; i++)
        {
          Pair pair = g_array_index (pairs, Pair, i);
          double transfer_us
              = goban_cost_model_transfer_us (costs, edge->tensor, pair.from, pair.to);

          least_transfer_us = MIN (least_transfer_us, transfer_us);
        }
      forced_us[part] = MIN (forced_us[part], top_us[edge->tail] + least_us[edge->tail]
                                                  + least_transfer_us + bottom_us[edge->head]);
    }
}

/* If the parameters of a part of the graph that hangs together fit no device, a schedule within
 * memory has its nodes on at least two, so at least one of its edges crosses: were there none, the
 * ends of every edge and the members of every group, and hence the whole part, would be on one
 * device. Along an edge u -> v that crosses, v starts no earlier than top(u) + time(u) + transfer,
 * and bottom(v) must follow. Which edge it is we do not know: the least over the part's edges
 * holds for all. */
static double
bound_by_memory (const GobanCostModel *costs, const double *least_us, gboolean is_fused)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  const GobanCluster *cluster = goban_cost_model_get_cluster (costs);
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autofree guint32 *component = NULL;
  g_autofree double *part_bytes = NULL;
  g_autofree double *forced_us = NULL;
  double largest_bytes = 0;
  double bound_us = 0;
  gboolean is_forced = FALSE;

  for (guint d = 0; d < goban_cluster_get_n_devices (cluster); d++)
    largest_bytes = MAX (largest_bytes, goban_cluster_get_device (cluster, d)->memory_bytes);
  if (isinf (largest_bytes))
    return 0;
  if (is_hopeless (costs, least_us, largest_bytes, is_fused))
    return SIM_NEVER_US;

  component = find_components (graph);
  part_bytes = g_new0 (double, n_nodes);
  for (guint v = 0; v < n_nodes; v++)
    {
      part_bytes[component[v]] += sim_whole_bytes (goban_cost_model_param_bytes (costs, v));
      is_forced |= part_bytes[component[v]] > largest_bytes;
    }
  if (!is_forced)
    return 0;

  forced_us = g_new (double, n_nodes);
  find_cheapest_crossings (costs, least_us, component, forced_us);
  for (guint v = 0; v < n_nodes; v++)
    if (part_bytes[v] > largest_bytes)
      bound_us = MAX (bound_us, forced_us[v]);
  return bound_us;
}

/* --- all three --------------------------------------------------------------------------- */

/* time_us (n_nodes x n_classes): least time that each node adds to any schedule. */
static GobanBounds
find_bounds (const GobanCostModel *costs, const double *time_us, gboolean is_fused)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  guint n_nodes = goban_graph_get_n_nodes (graph);
  guint n_classes = goban_cluster_get_n_classes (goban_cost_model_get_cluster (costs));
  g_autofree double *least_us = g_new (double, n_nodes);
  GobanBounds bounds;

  for (guint v = 0; v < n_nodes; v++)
    {
      least_us[v] = time_us[(gsize) v * n_classes];
      for (guint c = 1; c < n_classes; c++)
        least_us[v] = MIN (least_us[v], time_us[(gsize) v * n_classes + c]);
    }
  bounds.critical_path_us = goban_graph_longest_path (graph, least_us, NULL);
  bounds.work_us = bound_by_work (costs, time_us, least_us);
  bounds.memory_us = bound_by_memory (costs, least_us, is_fused);
  bounds.bound_us = MAX (bounds.critical_path_us, MAX (bounds.work_us, bounds.memory_us));
  return bounds;
}

static double *
copy_times (const GobanCostModel *costs, guint n_nodes, guint n_classes)
{
  double *time_us = g_new (double, (gsize) n_nodes *n_classes);

  for (guint v = 0; v < n_nodes; v++)
    memcpy (time_us + (gsize) v * n_classes, goban_cost_model_times_us (costs, v),
            n_classes * sizeof *time_us);
  return time_us;
}

GobanBounds
goban_bounds (const GobanCostModel *costs)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (costs));
  guint n_classes = goban_cluster_get_n_classes (goban_cost_model_get_cluster (costs));
  g_autofree double *time_us = copy_times (costs, n_nodes, n_classes);

  return find_bounds (costs, time_us, FALSE);
}

/* The least share of a fusible node in whatever kernel it runs, so that the shares in a kernel sum
 * to no more than its time as contraction.h has it: the arithmetic of an estimated one; all of the
 * time of a heavy one with a time, as a kernel has but one; of another with a time nothing. */
static double
least_share_us (const GobanGraph *graph, GobanNodeId v, const GobanDevice *device, double time_us,
                gboolean timed)
{
  const GobanNode *node = goban_graph_get_node (graph, v);

  if (!isfinite (time_us))
    return time_us;
  if (timed)
    return goban_fusion_classify (node->op) == GOBAN_FUSION_HEAVY ? time_us : 0;
  return node->flops / goban_device_get_flops_per_us (device, goban_node_get_peak (graph, v));
}

GobanBounds
goban_bounds_when_fused (const GobanCostModel *costs)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  const GobanCluster *cluster = goban_cost_model_get_cluster (costs);
  guint n_nodes = goban_graph_get_n_nodes (graph);
  guint n_classes = goban_cluster_get_n_classes (cluster);
  g_autofree double *time_us = copy_times (costs, n_nodes, n_classes);
  g_autofree const GobanDevice **device = g_new (const GobanDevice *, n_classes);

  for (guint d = 0; d < goban_cluster_get_n_devices (cluster); d++)
    device[goban_cluster_get_class (cluster, d)] = goban_cluster_get_device (cluster, d);
  for (guint v = 0; v < n_nodes; v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);
      gboolean timed = goban_graph_has_time (graph, v);

      for (guint c = 0; c < n_classes && goban_fusion_classify (node->op) != GOBAN_FUSION_OPAQUE;
           c++)
        {
          double *cell_us = &time_us[(gsize) v * n_classes + c];

          *cell_us = least_share_us (graph, v, device[c], *cell_us, timed);
        }
    }
  return find_bounds (costs, time_us, TRUE);
}
