#include "tests/sim/random-run.h"

#include "engine/graph/graph-builder.h"
#include "engine/sim/fusion/contraction.h"
#include "tests/support/graph-gen.h"

#include <math.h>

static void
append_links (GString *json, GobanRng *rng, const char *const *ends)
{
  static const char *const bandwidths[] = { "1000000", "2000000", "3000000", "\"unlimited\"" };

  for (guint i = 0; ends[i] != NULL; i += 2)
    g_string_append_printf (
        json, "%s{\"from\": \"%s\", \"to\": \"%s\", \"bandwidth\": %s, \"latency\": %u}",
        i > 0 ? ", " : "", ends[i], ends[i + 1], bandwidths[goban_rng_below (rng, 4)],
        goban_rng_below (rng, 3));
}

/* Bandwidths are 1 to 3 bytes a microsecond. */
GobanCluster *
random_cluster (GobanRng *rng, guint n_devices)
{
  static const char *const star[] = { "d0", "hub", "d1", "hub", "d2", "hub", "d3", "hub", NULL };
  static const char *const trunk[]
      = { "d0", "left", "d1", "left", "left", "right", "d2", "right", "d3", "right", NULL };
  static const char *const ring[] = { "d0", "d1", "d1", "d2", "d2", "d3", "d3", "d0", NULL };
  static const char *const mesh[]
      = { "d0", "d1", "d0", "d2", "d0", "d3", "d1", "d2", "d1", "d3", "d2", "d3", NULL };
  static const char *const *const shapes[] = { star, trunk, ring, mesh };
  static const char *const switches[] = { "\"hub\"", "\"left\", \"right\"", "", "" };
  guint shape = goban_rng_below (rng, 4);
  gboolean is_free = goban_rng_below (rng, 4) == 0;
  g_autoptr (GString) json = g_string_new ("{\"devices\": [");
  g_autoptr (GError) error = NULL;
  GobanCluster *cluster;

  /* Shapes are of four devices; fewer leave a part of the mesh. */
  if (n_devices < 4)
    shape = 3;
  for (guint d = 0; d < n_devices; d++)
    {
      g_string_append_printf (json,
                              "%s{\"name\": \"d%u\", \"kind\": \"%s\", \"tflops\": 1, "
                              "\"memory_bandwidth\": 2000000, \"launch\": %u, "
                              "\"compute_efficiency\": %s, \"memory_efficiency\": %s, "
                              "\"bus_efficiency\": %s, \"memory\": ",
                              d > 0 ? ", " : "", d, goban_rng_below (rng, 2) ? "gpu" : "cpu",
                              goban_rng_below (rng, 3), d % 2 == 0 ? "1" : "0.5",
                              d % 3 == 0 ? "1" : "0.75", d % 4 == 0 ? "1" : "0.6");
      if (goban_rng_below (rng, 2))
        g_string_append_printf (json, "%u}", 20 + goban_rng_below (rng, 60));
      else
        g_string_append (json, "\"unlimited\"}");
    }
  g_string_append_printf (json, "], \"contention_free\": %s, \"switches\": [%s], \"links\": [",
                          is_free ? "true" : "false", switches[shape]);
  if (n_devices == 4)
    append_links (json, rng, shapes[shape]);
  else if (n_devices == 3)
    append_links (json, rng, (const char *[]){ "d0", "d1", "d0", "d2", "d1", "d2", NULL });
  else if (n_devices == 2)
    append_links (json, rng, (const char *[]){ "d0", "d1", NULL });
  g_string_append (json, "]}");

  cluster = goban_cluster_new_from_json (json->str, (gssize) json->len, "random", &error);
  g_assert_no_error (error);
  return cluster;
}

/* For every other node no time but what a roofline needs. FALSE where it still has to be timed. */
static gboolean
estimate_node (GobanGraphBuilder *builder, guint32 id, GobanRng *rng)
{
  GobanNode *node = goban_graph_builder_get_node (builder, id);

  if (goban_rng_below (rng, 2))
    return FALSE;
  if (goban_rng_below (rng, 6) == 0)
    return TRUE;
  node->flops = goban_rng_below (rng, 9) * 1e6;
  node->read_bytes = goban_rng_below (rng, 20);
  node->written_bytes = goban_rng_below (rng, 20);
  return TRUE;
}

static void
add_node (GobanGraphBuilder *builder, const GobanGraph *graph, GobanNodeId v, const Rebuild *how)
{
  const GobanNode *node = goban_graph_get_node (graph, v);
  double time_us
      = goban_graph_get_time_us (graph, v, 0) * (how->time_factor > 0 ? how->time_factor : 1);
  static const char *const words[]
      = { "Relu", "Add", "Reshape", "MatMul", "Softmax", "Tile", "VariableV2" };
  const char *op
      = how->works != NULL ? words[goban_rng_below (how->works, G_N_ELEMENTS (words))] : node->op;
  guint32 id = goban_graph_builder_add_node (builder, node->name, op);

  goban_graph_builder_get_node (builder, id)->param_bytes = node->param_bytes;
  if (node->group != GOBAN_NO_GROUP)
    goban_graph_builder_set_group (builder, id, node->group);
  if (how->works != NULL && estimate_node (builder, id, how->works))
    return;
  if (how->kinds == NULL)
    {
      goban_graph_builder_set_time (builder, id, GOBAN_ANY_KIND, time_us, GOBAN_SOURCE_GIVEN);
      return;
    }
  goban_graph_builder_set_time (builder, id, "gpu", time_us, GOBAN_SOURCE_GIVEN);
  goban_graph_builder_set_time (builder, id, "cpu", goban_rng_below (how->kinds, 9),
                                GOBAN_SOURCE_GIVEN);
}

static void
add_tensors (GobanGraphBuilder *builder, const GobanGraph *graph, GobanNodeId v, const Rebuild *how,
             const guint32 *new_node, guint32 *new_tensor)
{
  guint n_tensors;
  GobanTensorId first = goban_graph_get_node_tensors (graph, v, &n_tensors);

  for (guint t = first; t < first + n_tensors; t++)
    {
      const GobanTensor *tensor = goban_graph_get_tensor (graph, t);

      if (tensor->is_control)
        continue;
      new_tensor[t] = goban_graph_builder_add_tensor (builder, new_node[v], tensor->size_bytes);
      if (how->kinds != NULL && goban_rng_below (how->kinds, 3) == 0)
        goban_graph_builder_set_transfer (builder, new_tensor[t], "gpu", "cpu",
                                          goban_rng_below (how->kinds, 5));
    }
}

GobanGraph *
rebuild_graph (const GobanGraph *graph, const Rebuild *how, GobanNodeId **node_ids)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("again", "random");
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autofree guint32 *new_node = g_new (guint32, n_nodes);
  g_autofree guint32 *new_tensor = g_new (guint32, goban_graph_get_n_tensors (graph));
  g_autofree GobanNodeId *ids = NULL;
  g_autoptr (GError) error = NULL;
  GobanGraph *again;

  for (guint i = 0; i < n_nodes; i++)
    {
      GobanNodeId v = how->shuffle != NULL ? how->shuffle[i] : i;

      new_node[v] = i;
      add_node (builder, graph, v, how);
    }
  for (guint i = 0; i < n_nodes; i++)
    add_tensors (builder, graph, how->shuffle != NULL ? how->shuffle[i] : i, how, new_node,
                 new_tensor);
  for (guint e = 0; e < goban_graph_get_n_edges (graph); e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, e);

      if (goban_graph_get_tensor (graph, edge->tensor)->is_control)
        goban_graph_builder_add_control_edge (builder, new_node[edge->tail], new_node[edge->head]);
      else
        goban_graph_builder_add_edge (builder, new_tensor[edge->tensor], new_node[edge->head]);
    }
  again = goban_graph_builder_finish (builder, &ids, &error);
  g_assert_no_error (error);
  if (node_ids != NULL)
    {
      *node_ids = g_new (GobanNodeId, n_nodes);
      for (guint v = 0; v < n_nodes; v++)
        (*node_ids)[v] = ids[new_node[v]];
    }
  return again;
}

static void
give_transfer_priorities (GobanPlan *plan, const GobanGraph *graph, GobanRng *rng)
{
  guint n_tensors = goban_graph_get_n_tensors (graph);
  g_autofree gint32 *priorities = g_new (gint32, n_tensors + 1);

  for (guint t = 0; t < n_tensors; t++)
    priorities[t] = (gint32) goban_rng_below (rng, 4) - 2;
  goban_plan_set_transfer_priorities (plan, priorities);
}

GobanPlan *
random_plan (const GobanCostModel *costs, GobanRng *rng)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  guint n_devices = goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs));
  GobanPlan *plan = goban_plan_new (graph, n_devices);
  g_autofree GobanDeviceId *group_device
      = g_new (GobanDeviceId, goban_graph_get_n_groups (graph) + 1);

  for (guint g = 0; g < goban_graph_get_n_groups (graph); g++)
    group_device[g] = goban_rng_below (rng, n_devices);
  for (guint v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      guint32 group = goban_graph_get_node (graph, v)->group;

      goban_plan_set_device (plan, v,
                             group != GOBAN_NO_GROUP ? group_device[group]
                                                     : goban_rng_below (rng, n_devices));
      goban_plan_set_priority (plan, v, (gint32) goban_rng_below (rng, 6) - 3);
    }
  goban_plan_set_order (plan, goban_rng_below (rng, 3) ? GOBAN_ORDER_PRIORITY : GOBAN_ORDER_FIFO);
  if (goban_rng_below (rng, 3) == 0)
    give_transfer_priorities (plan, graph, rng);
  return plan;
}

/* Joins the clusters of two nodes, if that is legal. */
static void
try_to_fuse (GobanPlan *plan, GobanCostModel *costs, GobanNodeId u, GobanNodeId v)
{
  const gint32 *fusions = goban_plan_get_fusions (plan);
  guint n_nodes = goban_plan_get_n_nodes (plan);
  g_autofree gint32 *before = g_memdup2 (fusions, n_nodes * sizeof *fusions);
  /* Numbers mean nothing, so they may be large. */
  gint32 number = before[u] != GOBAN_NO_FUSION ? before[u] : (gint32) (u * 1000 + 7);

  for (GobanNodeId w = 0; w < n_nodes; w++)
    if (w == u || w == v || (before[v] != GOBAN_NO_FUSION && before[w] == before[v]))
      goban_plan_set_fusion (plan, w, number);
  if (goban_fusion_check (plan, costs, NULL))
    return;
  for (GobanNodeId w = 0; w < n_nodes; w++)
    goban_plan_set_fusion (plan, w, before[w]);
}

void
fuse_at_random (GobanPlan *plan, GobanCostModel *costs, GobanRng *rng)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  guint n_nodes = goban_graph_get_n_nodes (graph);
  guint n_edges = goban_graph_get_n_edges (graph);

  for (guint i = 0; i < 2 * n_nodes; i++)
    {
      const GobanEdge *edge
          = n_edges > 0 ? goban_graph_get_edge (graph, goban_rng_below (rng, n_edges)) : NULL;

      if (edge != NULL && goban_rng_below (rng, 4) > 0)
        try_to_fuse (plan, costs, edge->tail, edge->head);
      else
        try_to_fuse (plan, costs, goban_rng_below (rng, n_nodes), goban_rng_below (rng, n_nodes));
    }
}

void
fused_run_init (RandomRun *self, guint n_nodes, guint64 seed)
{
  GraphGen gen = graph_gen_small (n_nodes);
  g_autoptr (GobanGraph) plain = NULL;
  GobanRng rng;

  goban_rng_init (&rng, seed ^ 0xf00d);
  gen.max_time_us = goban_rng_below (&rng, 2) ? 3 : 9;
  plain = graph_gen_new (&gen, seed);
  self->graph = rebuild_graph (
      plain, &(Rebuild){ .works = &rng, .kinds = goban_rng_below (&rng, 4) == 0 ? &rng : NULL },
      NULL);
  self->cluster = random_cluster (&rng, 1 + goban_rng_below (&rng, 4));
  self->costs = goban_cost_model_new (self->graph, self->cluster, goban_rng_below (&rng, 6) == 0);
  self->plan = random_plan (self->costs, &rng);
  /* Most on one device, so that much can be fused. */
  if (goban_rng_below (&rng, 2))
    for (guint v = 0; v < n_nodes; v++)
      if (goban_graph_get_node (self->graph, v)->group == GOBAN_NO_GROUP
          && goban_rng_below (&rng, 4) > 0)
        goban_plan_set_device (self->plan, v, 0);
  fuse_at_random (self->plan, self->costs, &rng);
}

void
random_run_init (RandomRun *self, guint n_nodes, guint64 seed)
{
  GraphGen gen = graph_gen_small (n_nodes);
  GobanRng rng;

  goban_rng_init (&rng, seed ^ 0x5eed);
  gen.max_time_us = goban_rng_below (&rng, 2) ? 3 : 9;
  self->graph = graph_gen_new (&gen, seed);
  if (goban_rng_below (&rng, 3) == 0)
    {
      GobanGraph *plain = self->graph;

      self->graph = rebuild_graph (plain, &(Rebuild){ .kinds = &rng }, NULL);
      goban_graph_unref (plain);
    }
  self->cluster = random_cluster (&rng, 1 + goban_rng_below (&rng, 4));
  self->costs = goban_cost_model_new (self->graph, self->cluster, goban_rng_below (&rng, 6) == 0);
  self->plan = random_plan (self->costs, &rng);
}

void
random_run_clear (RandomRun *self)
{
  g_clear_pointer (&self->plan, goban_plan_unref);
  g_clear_pointer (&self->costs, goban_cost_model_unref);
  g_clear_pointer (&self->cluster, goban_cluster_unref);
  g_clear_pointer (&self->graph, goban_graph_unref);
}
