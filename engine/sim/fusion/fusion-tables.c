#include "engine/sim/fusion/fusion-tables.h"

#include <math.h>
#include <string.h>

static void
fill_nodes (FusionTables *self, const GobanGraph *graph)
{
  gboolean has_times = goban_graph_get_n_kinds (graph) > 0;
  const char *last_op = NULL;
  GobanFusionClass last_class = GOBAN_FUSION_OPAQUE;

  for (guint v = 0; v < self->n_nodes; v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);
      guint n;

      if (last_op == NULL || strcmp (node->op, last_op) != 0)
        last_class = goban_fusion_classify (node->op);
      last_op = node->op;
      self->kind[v] = (guint8) last_class;
      self->first_tensor[v] = goban_graph_get_node_tensors (graph, v, &n);
      self->work[v] = (FusionWork){ node->flops, node->read_bytes, node->written_bytes,
                                    ceil (node->param_bytes), goban_node_get_peak (graph, v) };
      memcpy (self->time_us + (gsize) v * self->n_classes,
              goban_cost_model_times_us (self->costs, v), self->n_classes * sizeof (double));
      self->is_timed[v] = has_times && goban_graph_has_time (graph, v);
    }
  self->first_tensor[self->n_nodes] = self->n_tensors;
}

static void
fill_edges (FusionTables *self, const GobanGraph *graph)
{
  guint32 n = 0;

  for (guint t = 0; t < self->n_tensors; t++)
    {
      const GobanTensor *tensor = goban_graph_get_tensor (graph, t);
      GobanEdgeSpan edges = goban_graph_get_tensor_edges (graph, t);

      self->tensor_node[t] = tensor->producer;
      self->tensor_bytes[t] = ceil (tensor->size_bytes);
      self->first_edge[t] = n;
      for (guint i = 0; i < edges.n; i++)
        {
          self->edge_head[n] = goban_graph_get_edge (graph, edges.ids[i])->head;
          self->edge_tensor[n++] = t;
        }
    }
  self->first_edge[self->n_tensors] = n;

  n = 0;
  for (guint v = 0; v < self->n_nodes; v++)
    {
      GobanEdgeSpan inputs = goban_graph_get_in_edges (graph, v);

      self->first_input[v] = n;
      for (guint i = 0; i < inputs.n; i++)
        self->input_edge[n++] = inputs.ids[i];
    }
  self->first_input[self->n_nodes] = n;
}

static void
fill_device (FusionDevice *self, const GobanDevice *device)
{
  for (guint k = 0; k < GOBAN_N_PEAKS; k++)
    {
      self->flops_per_us[k] = goban_device_get_flops_per_us (device, (GobanPeak) k);
      while (self->flops_per_us[self->peaks[k]] != self->flops_per_us[k])
        self->peaks[k]++;
    }
  self->bytes_per_us = goban_device_get_memory_per_us (device);
  self->launch_us = device->launch_us;
}

FusionTables *
fusion_tables_new (GobanCostModel *costs)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  const GobanCluster *cluster = goban_cost_model_get_cluster (costs);
  FusionTables *self = g_new0 (FusionTables, 1);
  gsize n_cells;

  self->costs = goban_cost_model_ref (costs);
  self->n_nodes = goban_graph_get_n_nodes (graph);
  self->n_tensors = goban_graph_get_n_tensors (graph);
  self->n_edges = goban_graph_get_n_edges (graph);
  self->n_devices = goban_cluster_get_n_devices (cluster);
  self->n_classes = goban_cluster_get_n_classes (cluster);
  n_cells = (gsize) self->n_nodes * self->n_classes;

  self->kind = g_new (guint8, self->n_nodes);
  self->first_tensor = g_new (guint32, self->n_nodes + 1);
  self->first_edge = g_new (guint32, self->n_tensors + 1);
  self->edge_head = g_new (guint32, self->n_edges);
  self->edge_tensor = g_new (guint32, self->n_edges);
  self->first_input = g_new (guint32, self->n_nodes + 1);
  self->input_edge = g_new (guint32, self->n_edges);
  self->tensor_node = g_new (guint32, self->n_tensors);
  self->tensor_bytes = g_new (double, self->n_tensors);
  self->work = g_new (FusionWork, self->n_nodes);
  self->time_us = g_new (double, n_cells);
  self->is_timed = g_new (guint8, self->n_nodes);
  self->device = g_new0 (FusionDevice, self->n_classes);
  self->device_class = g_new (guint, self->n_devices);
  fill_nodes (self, graph);
  fill_edges (self, graph);
  for (guint d = self->n_devices; d-- > 0;)
    {
      const GobanDevice *device = goban_cluster_get_device (cluster, (GobanDeviceId) d);

      self->device_class[d] = goban_cluster_get_class (cluster, (GobanDeviceId) d);
      fill_device (&self->device[self->device_class[d]], device);
    }

  return self;
}

void
fusion_tables_free (FusionTables *self)
{
  if (self == NULL)
    return;
  goban_cost_model_unref (self->costs);
  g_free (self->kind);
  g_free (self->first_tensor);
  g_free (self->first_edge);
  g_free (self->edge_head);
  g_free (self->edge_tensor);
  g_free (self->first_input);
  g_free (self->input_edge);
  g_free (self->tensor_node);
  g_free (self->tensor_bytes);
  g_free (self->work);
  g_free (self->time_us);
  g_free (self->is_timed);
  g_free (self->device);
  g_free (self->device_class);
  g_free (self);
}
