#include "engine/sim/simulator-private.h"

GobanContraction *
sim_fused_get_contraction (GobanSimulator *self)
{
  SimFused *fused = &self->fused;

  if (fused->contraction != NULL)
    return fused->contraction;
  fused->contraction = goban_contraction_new (self->costs);
  fused->size_bytes = g_new (double, self->own.n_tensors);
  fused->tensor_bytes = g_new (double, self->own.n_tensors);
  fused->column = g_new0 (guint32, self->n_devices);
  return fused->contraction;
}

void
sim_fused_clear (GobanSimulator *self)
{
  g_clear_pointer (&self->fused.contraction, goban_contraction_free);
  g_free (self->fused.size_bytes);
  g_free (self->fused.tensor_bytes);
  g_free (self->fused.column);
}

/* Sizes by the contraction's tensors. */
static double
pick_sizes (GobanSimulator *self, const GobanContracted *ops)
{
  double sum_bytes = 0;

  for (guint t = 0; t < ops->n_tensors; t++)
    {
      self->fused.size_bytes[t] = self->own.size_bytes[ops->tensor[t]];
      self->fused.tensor_bytes[t] = self->own.tensor_bytes[ops->tensor[t]];
      sum_bytes += self->fused.tensor_bytes[t];
    }
  return sum_bytes;
}

void
sim_fused_use (GobanSimulator *self, const GobanPlan *plan)
{
  const GobanContracted *ops;

  self->fused.ops = NULL;
  if (!goban_plan_is_fused (plan))
    {
      self->in = self->own;
      return;
    }

  self->fused.ops = ops = goban_contraction_fill (sim_fused_get_contraction (self), plan);
  self->in = (SimTables){
    .n_nodes = ops->n_ops,
    .n_tensors = ops->n_tensors,
    .n_edges = ops->n_edges,
    .first_tensor = ops->first_tensor,
    .first_edge = ops->first_edge,
    .edge_head = ops->edge_head,
    .edge_input = ops->edge_input,
    .first_input = ops->first_input,
    .tensor_node = ops->tensor_op,
    .tensor_source = ops->tensor,
    .size_bytes = self->fused.size_bytes,
    .tensor_bytes = self->fused.tensor_bytes,
    .tensors_bytes = pick_sizes (self, ops),
    .output_bytes = ops->output_bytes,
    .param_bytes = ops->param_bytes,
    .time_us = ops->time_us,
    .n_columns = 1,
    .column = self->fused.column,
  };
}
