#include "engine/machine/parallel/graph-copy.h"

#include "engine/graph/collectives.h"

#include <math.h>

GobanGraphBuilder *
goban_copy_begin (const GobanGraph *graph, const char *name)
{
  GobanGraphBuilder *builder = goban_graph_builder_new (name, goban_graph_get_format (graph));
  const char *const *warnings = goban_graph_get_warnings (graph);

  for (guint k = 0; k < goban_graph_get_n_kinds (graph); k++)
    goban_graph_builder_add_kind (builder, goban_graph_get_kind (graph, k));
  goban_graph_builder_set_cluster_spec (builder, goban_graph_get_cluster_spec (graph));
  for (guint i = 0; warnings[i] != NULL; i++)
    goban_graph_builder_warn (builder, "%s", warnings[i]);
  return builder;
}

guint32
goban_copy_node (GobanGraphBuilder *builder, const GobanGraph *graph, GobanNodeId node,
                 const char *name, double share)
{
  const GobanNode *source = goban_graph_get_node (graph, node);
  const GobanNodeCollective *collective = goban_graph_find_collective (graph, node);
  guint32 id = goban_graph_builder_add_copy (builder, source, name);
  GobanNode *copy = goban_graph_builder_get_node (builder, id);
  double param_bytes = MIN (source->param_bytes, source->read_bytes);

  copy->flops *= share;
  copy->macs *= share;
  copy->written_bytes *= share;
  copy->read_bytes = param_bytes + (source->read_bytes - param_bytes) * share;
  if (collective != NULL)
    goban_graph_builder_set_collective (
        builder,
        (GobanNodeCollective){ id, collective->kind, collective->bytes * share, collective->n_ranks,
                               collective->rank_step, collective->group });
  for (guint k = 0; k < goban_graph_get_n_kinds (graph); k++)
    {
      double time_us = goban_graph_get_time_us (graph, node, k);

      if (!isnan (time_us))
        goban_graph_builder_set_time (builder, id, goban_graph_get_kind (graph, k), time_us * share,
                                      share < 1 ? GOBAN_SOURCE_ESTIMATED : source->time_source);
    }
  return id;
}

void
goban_copy_drop_params (GobanGraphBuilder *builder, guint32 node)
{
  GobanNode *copy = goban_graph_builder_get_node (builder, node);

  copy->param_bytes = 0;
  copy->param_count = 0;
}

guint32
goban_copy_tensor (GobanGraphBuilder *builder, const GobanGraph *graph, GobanTensorId tensor,
                   guint32 producer, double share)
{
  const GobanTensor *source = goban_graph_get_tensor (graph, tensor);
  guint n_kinds = goban_graph_get_n_kinds (graph);
  guint32 copy = source->is_control ? goban_graph_builder_add_control_tensor (builder, producer)
                                    : goban_graph_builder_add_tensor (builder, producer,
                                                                      source->size_bytes * share);

  if (source->has_shape && share == 1 && !source->is_control)
    goban_graph_builder_set_tensor_shape (builder, copy, source->dtype, source->dims,
                                          source->n_dims);
  for (guint i = 0; i < n_kinds; i++)
    for (guint j = 0; j < n_kinds; j++)
      {
        double time_us = goban_graph_get_transfer_us (graph, tensor, i, j);

        if (!isnan (time_us))
          goban_graph_builder_set_transfer (builder, copy, goban_graph_get_kind (graph, i),
                                            goban_graph_get_kind (graph, j), time_us * share);
      }
  return copy;
}
