#include "engine/graph/graph-times.h"

#include "engine/graph/collectives.h"
#include "engine/graph/graph-builder.h"

#include <math.h>

static void
copy_node (GobanGraphBuilder *builder, const GobanGraph *graph, GobanNodeId v)
{
  const GobanNode *node = goban_graph_get_node (graph, v);
  guint32 copy = goban_graph_builder_add_copy (builder, node, node->name);

  if (node->group != GOBAN_NO_GROUP)
    goban_graph_builder_set_group (builder, copy, node->group);
  for (guint k = 0; k < goban_graph_get_n_kinds (graph); k++)
    {
      double time_us = goban_graph_get_time_us (graph, v, k);

      if (!isnan (time_us))
        goban_graph_builder_set_time (builder, copy, goban_graph_get_kind (graph, k), time_us,
                                      node->time_source);
    }
}

static void
copy_tensor (GobanGraphBuilder *builder, const GobanGraph *graph, GobanTensorId t)
{
  const GobanTensor *tensor = goban_graph_get_tensor (graph, t);
  guint n_kinds = goban_graph_get_n_kinds (graph);
  guint32 copy
      = tensor->is_control
            ? goban_graph_builder_add_control_tensor (builder, tensor->producer)
            : goban_graph_builder_add_tensor (builder, tensor->producer, tensor->size_bytes);

  if (tensor->has_shape)
    goban_graph_builder_set_tensor_shape (builder, copy, tensor->dtype, tensor->dims,
                                          tensor->n_dims);
  for (guint i = 0; i < n_kinds; i++)
    for (guint j = 0; j < n_kinds; j++)
      {
        double time_us = goban_graph_get_transfer_us (graph, t, i, j);

        if (!isnan (time_us))
          goban_graph_builder_set_transfer (builder, copy, goban_graph_get_kind (graph, i),
                                            goban_graph_get_kind (graph, j), time_us);
      }
}

static void
copy_graph (GobanGraphBuilder *builder, const GobanGraph *graph)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  const char *const *warnings = goban_graph_get_warnings (graph);
  const GobanNodeCollective *collectives;
  guint n_collectives;

  for (guint k = 0; k < goban_graph_get_n_kinds (graph); k++)
    goban_graph_builder_add_kind (builder, goban_graph_get_kind (graph, k));
  for (GobanNodeId v = 0; v < n_nodes; v++)
    copy_node (builder, graph, v);
  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (graph); t++)
    copy_tensor (builder, graph, t);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      GobanEdgeSpan in = goban_graph_get_in_edges (graph, v);

      for (guint i = 0; i < in.n; i++)
        goban_graph_builder_add_edge (builder, goban_graph_get_edge (graph, in.ids[i])->tensor, v);
    }
  collectives = goban_graph_get_collectives (graph, &n_collectives);
  for (guint i = 0; i < n_collectives; i++)
    goban_graph_builder_set_collective (builder, collectives[i]);
  goban_graph_builder_set_cluster_spec (builder, goban_graph_get_cluster_spec (graph));
  for (guint i = 0; warnings[i] != NULL; i++)
    goban_graph_builder_warn (builder, "%s", warnings[i]);
}

GobanGraph *
goban_graph_new_with_times (const GobanGraph *graph, const GobanNodeTime *times, guint n,
                            const char *warning, GError **error)
{
  g_autoptr (GobanGraphBuilder) builder
      = goban_graph_builder_new (goban_graph_get_name (graph), goban_graph_get_format (graph));

  copy_graph (builder, graph);
  for (guint i = 0; i < n; i++)
    goban_graph_builder_set_time (builder, times[i].node, times[i].kind, times[i].time_us,
                                  GOBAN_SOURCE_MEASURED);
  if (warning != NULL)
    goban_graph_builder_warn (builder, "%s", warning);
  return goban_graph_builder_finish (builder, NULL, error);
}
