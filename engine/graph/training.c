#include "engine/graph/training.h"

#include "engine/core/error.h"
#include "engine/core/quantity.h"
#include "engine/graph/graph-builder.h"

#include <math.h>

/* Element size for files that do not give one. */
#define BYTES_PER_ELEMENT 4.0

/* Builder ids of forward nodes and tensors are the ids of the graph itself. */
typedef struct
{
  const GobanGraph *graph;
  const GobanTrainingCosts *costs;
  GobanGraphBuilder *builder;
  guint32 *backward; /* (n_nodes) the backward node of each, or GOBAN_NO_NODE */
  guint32 *update;   /* (n_nodes) the update node of each, or GOBAN_NO_NODE */
} Training;

GobanTrainingCosts
goban_training_costs_default (void)
{
  return (GobanTrainingCosts){ .with_params = 2, .without_params = 1, .state_bytes_ratio = 2 };
}

static gboolean
check_ratio (double ratio, const char *what, GError **error)
{
  if (isfinite (ratio) && ratio >= 0)
    return TRUE;

  return goban_refuse (error, GOBAN_ERROR_INVALID,
                       "%s of a training graph must be a finite number of at least 0", what);
}

static gboolean
check_arguments (const GobanGraph *graph, const GobanTrainingCosts *costs, GError **error)
{
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);

      if (node->phase != GOBAN_PHASE_FORWARD)
        return goban_refuse (
            error, GOBAN_ERROR_INVALID,
            "graph “%s” is a training graph already: node “%s” is not a forward node",
            goban_graph_get_name (graph), node->name);
    }

  return check_ratio (costs->with_params, "the backward cost with parameters", error)
         && check_ratio (costs->without_params, "the backward cost without parameters", error)
         && check_ratio (costs->state_bytes_ratio, "the ratio of optimiser state", error);
}

/* --- the forward half, copied as it is --------------------------------------- */

static void
copy_node (Training *self, GobanNodeId v)
{
  const GobanNode *node = goban_graph_get_node (self->graph, v);
  guint32 copy = goban_graph_builder_add_copy (self->builder, node, node->name);

  for (guint k = 0; k < goban_graph_get_n_kinds (self->graph); k++)
    {
      double time_us = goban_graph_get_time_us (self->graph, v, k);

      if (!isnan (time_us))
        goban_graph_builder_set_time (self->builder, copy, goban_graph_get_kind (self->graph, k),
                                      time_us, node->time_source);
    }
}

/* Transfers given for @from hold for the equally large @to as well. */
static void
copy_transfers (Training *self, GobanTensorId from, guint32 to)
{
  guint n_kinds = goban_graph_get_n_kinds (self->graph);

  for (guint i = 0; i < n_kinds; i++)
    for (guint j = 0; j < n_kinds; j++)
      {
        double time_us = goban_graph_get_transfer_us (self->graph, from, i, j);

        if (!isnan (time_us))
          goban_graph_builder_set_transfer (self->builder, to,
                                            goban_graph_get_kind (self->graph, i),
                                            goban_graph_get_kind (self->graph, j), time_us);
      }
}

/* A new tensor of @producer with size, shape and transfer times of the graph's @like. */
static guint32
add_tensor_like (Training *self, guint32 producer, GobanTensorId like)
{
  const GobanTensor *tensor = goban_graph_get_tensor (self->graph, like);
  guint32 copy = goban_graph_builder_add_tensor (self->builder, producer, tensor->size_bytes);

  if (tensor->has_shape)
    goban_graph_builder_set_tensor_shape (self->builder, copy, tensor->dtype, tensor->dims,
                                          tensor->n_dims);
  copy_transfers (self, like, copy);
  return copy;
}

static void
copy_forward (Training *self)
{
  guint n_nodes = goban_graph_get_n_nodes (self->graph);

  for (guint k = 0; k < goban_graph_get_n_kinds (self->graph); k++)
    goban_graph_builder_add_kind (self->builder, goban_graph_get_kind (self->graph, k));

  for (GobanNodeId v = 0; v < n_nodes; v++)
    copy_node (self, v);

  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (self->graph); t++)
    {
      const GobanTensor *tensor = goban_graph_get_tensor (self->graph, t);

      if (tensor->is_control)
        copy_transfers (self, t,
                        goban_graph_builder_add_control_tensor (self->builder, tensor->producer));
      else
        add_tensor_like (self, tensor->producer, t);
    }

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      GobanEdgeSpan in = goban_graph_get_in_edges (self->graph, v);

      for (guint i = 0; i < in.n; i++)
        goban_graph_builder_add_edge (self->builder,
                                      goban_graph_get_edge (self->graph, in.ids[i])->tensor, v);
    }
}

/* --- backward nodes ------------------------------------------------------------ */

static gboolean
has_params (const GobanNode *node)
{
  return node->param_bytes > 0 || node->param_count > 0;
}

static gboolean
has_data_input (const GobanGraph *graph, GobanNodeId v)
{
  GobanEdgeSpan in = goban_graph_get_in_edges (graph, v);

  for (guint i = 0; i < in.n; i++)
    if (!goban_graph_get_tensor (graph, goban_graph_get_edge (graph, in.ids[i])->tensor)
             ->is_control)
      return TRUE;
  return FALSE;
}

static double
count_elements (const GobanTensor *tensor)
{
  double n = 1;

  for (guint i = 0; tensor->has_shape && i < tensor->n_dims; i++)
    {
      if (tensor->dims[i] < 0)
        return tensor->size_bytes / BYTES_PER_ELEMENT;
      n *= (double) tensor->dims[i];
    }
  return tensor->has_shape ? n : tensor->size_bytes / BYTES_PER_ELEMENT;
}

static double
count_params (const GobanNode *node)
{
  return node->param_count > 0 ? node->param_count : node->param_bytes / BYTES_PER_ELEMENT;
}

static void
add_backward_node (Training *self, GobanNodeId v)
{
  const GobanNode *node = goban_graph_get_node (self->graph, v);
  double ratio = has_params (node) ? self->costs->with_params : self->costs->without_params;
  g_autofree char *name = g_strconcat ("grad/", node->name, NULL);
  g_autofree char *op = g_strconcat (node->op, "Grad", NULL);
  GobanNode *backward;

  self->backward[v] = goban_graph_builder_add_node (self->builder, name, op);
  backward = goban_graph_builder_get_node (self->builder, self->backward[v]);
  backward->phase = GOBAN_PHASE_BACKWARD;
  backward->flops = node->flops * ratio;
  backward->macs = node->macs * ratio;
  backward->read_bytes = node->read_bytes * ratio;
  backward->written_bytes = node->written_bytes * ratio;

  /* If k nodes read an output, k gradients of it arrive and are summed by k - 1 additions. */
  guint n_tensors;
  GobanTensorId first = goban_graph_get_node_tensors (self->graph, v, &n_tensors);

  for (GobanTensorId t = first; t < first + n_tensors; t++)
    {
      const GobanTensor *tensor = goban_graph_get_tensor (self->graph, t);
      guint n_readers = goban_graph_get_tensor_edges (self->graph, t).n;

      if (tensor->is_control || n_readers < 2)
        continue;
      backward->flops += (n_readers - 1) * count_elements (tensor);
      backward->read_bytes += (n_readers - 1) * tensor->size_bytes;
    }

  for (guint k = 0; k < goban_graph_get_n_kinds (self->graph); k++)
    {
      double time_us = goban_graph_get_time_us (self->graph, v, k);

      if (isnan (time_us))
        continue;
      /* A backward node cannot run on kinds that its forward node cannot run on, not even at ratio
       * 0. */
      goban_graph_builder_set_time (
          self->builder, self->backward[v], goban_graph_get_kind (self->graph, k),
          isinf (time_us) ? time_us : time_us * ratio, GOBAN_SOURCE_ESTIMATED);
    }
}

/* A step reads parameters, gradient and state, and writes parameters and state. It takes a
 * multiplication and an addition per parameter, and twice that for each state it keeps. */
static void
add_update_node (Training *self, GobanNodeId v)
{
  const GobanNode *node = goban_graph_get_node (self->graph, v);
  g_autofree char *name = g_strconcat ("update/", node->name, NULL);
  double state_ratio = self->costs->state_bytes_ratio;
  GobanNode *update;

  self->update[v] = goban_graph_builder_add_node (self->builder, name, "Update");
  update = goban_graph_builder_get_node (self->builder, self->update[v]);
  update->phase = GOBAN_PHASE_UPDATE;
  update->flops = (2 + 4 * state_ratio) * count_params (node);
  update->read_bytes = (2 + state_ratio) * node->param_bytes;
  update->written_bytes = (1 + state_ratio) * node->param_bytes;
  update->param_bytes = state_ratio * node->param_bytes;
}

/* --- tensors between them -------------------------------------------------------- */

static gboolean
has_data_reader (const GobanGraph *graph, GobanNodeId v)
{
  GobanEdgeSpan out = goban_graph_get_out_edges (graph, v);

  for (guint i = 0; i < out.n; i++)
    if (!goban_graph_get_tensor (graph, goban_graph_get_edge (graph, out.ids[i])->tensor)
             ->is_control)
      return TRUE;
  return FALSE;
}

static void
connect_node (Training *self, GobanNodeId v)
{
  GobanEdgeSpan in = goban_graph_get_in_edges (self->graph, v);
  guint32 backward = self->backward[v];

  for (guint i = 0; i < in.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (self->graph, in.ids[i]);

      if (goban_graph_get_tensor (self->graph, edge->tensor)->is_control)
        continue;

      goban_graph_builder_add_edge (self->builder, edge->tensor, backward);
      if (self->backward[edge->tail] != GOBAN_NO_NODE)
        goban_graph_builder_add_edge (self->builder, add_tensor_like (self, backward, edge->tensor),
                                      self->backward[edge->tail]);
    }

  if (self->update[v] != GOBAN_NO_NODE)
    {
      double param_bytes = goban_graph_get_node (self->graph, v)->param_bytes;
      guint32 gradient = goban_graph_builder_add_tensor (self->builder, backward, param_bytes);

      goban_graph_builder_add_edge (self->builder, gradient, self->update[v]);
    }

  if (!has_data_reader (self->graph, v))
    {
      /* If no gradient arrives, the loss does: the backward pass of @v starts from its outputs. */
      guint n_tensors;
      GobanTensorId first = goban_graph_get_node_tensors (self->graph, v, &n_tensors);
      gboolean has_output = FALSE;

      for (GobanTensorId t = first; t < first + n_tensors; t++)
        if (!goban_graph_get_tensor (self->graph, t)->is_control)
          {
            goban_graph_builder_add_edge (self->builder, t, self->backward[v]);
            has_output = TRUE;
          }

      if (!has_output)
        goban_graph_builder_add_control_edge (self->builder, v, self->backward[v]);
    }
}

static void
copy_warnings (Training *self)
{
  const char *const *warnings = goban_graph_get_warnings (self->graph);
  char with[GOBAN_QUANTITY_LEN];
  char without[GOBAN_QUANTITY_LEN];

  for (guint i = 0; warnings[i] != NULL; i++)
    goban_graph_builder_warn (self->builder, "%s", warnings[i]);
  goban_graph_builder_warn (self->builder,
                            "backward and update nodes are derived: a backward pass is taken to "
                            "cost %s times the forward pass with parameters, %s times without",
                            goban_format_double (with, self->costs->with_params),
                            goban_format_double (without, self->costs->without_params));
}

GobanGraph *
goban_graph_new_training (const GobanGraph *graph, const GobanTrainingCosts *costs, GError **error)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autoptr (GobanGraphBuilder) builder = NULL;
  g_autofree guint32 *backward = NULL;
  g_autofree guint32 *update = NULL;
  Training self;

  if (!check_arguments (graph, costs, error))
    return NULL;

  builder = goban_graph_builder_new (goban_graph_get_name (graph), goban_graph_get_format (graph));
  backward = g_new (guint32, n_nodes);
  update = g_new (guint32, n_nodes);
  self = (Training){ graph, costs, builder, backward, update };

  copy_forward (&self);

  /* From the last node to the first: the order in which gradients are computed. */
  for (GobanNodeId v = goban_graph_get_n_nodes (self.graph); v-- > 0;)
    {
      gboolean learns = has_params (goban_graph_get_node (self.graph, v));

      self.backward[v] = GOBAN_NO_NODE;
      self.update[v] = GOBAN_NO_NODE;
      /* A data source needs no gradient. */
      if (!learns && !has_data_input (self.graph, v))
        continue;

      add_backward_node (&self, v);
      if (learns)
        add_update_node (&self, v);
    }

  for (GobanNodeId v = n_nodes; v-- > 0;)
    if (backward[v] != GOBAN_NO_NODE)
      connect_node (&self, v);

  /* Forward, backward and update share a device; the members of a group of old still do. */
  guint n_groups = goban_graph_get_n_groups (self.graph);

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self.graph); v++)
    {
      guint32 group = goban_graph_get_node (self.graph, v)->group;
      guint64 key = group != GOBAN_NO_GROUP ? group : (guint64) n_groups + v;

      if (group == GOBAN_NO_GROUP && self.backward[v] == GOBAN_NO_NODE)
        continue;

      goban_graph_builder_set_group (self.builder, v, key);
      if (self.backward[v] != GOBAN_NO_NODE)
        goban_graph_builder_set_group (self.builder, self.backward[v], key);
      if (self.update[v] != GOBAN_NO_NODE)
        goban_graph_builder_set_group (self.builder, self.update[v], key);
    }

  goban_graph_builder_set_cluster_spec (builder, goban_graph_get_cluster_spec (graph));
  copy_warnings (&self);
  return goban_graph_builder_finish (builder, NULL, error);
}
