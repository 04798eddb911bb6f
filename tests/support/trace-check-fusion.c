/* trace-check-fusion.c: checker of kernels, derived from the plan's fusion numbers alone.
 *
 * Only the classes of ops are taken from engine/sim/fusion; the rules and the times are implemented
 * again, from the description in the headers.
 */
#include "engine/sim/fusion/fusion-rules.h"
#include "tests/support/trace-check-private.h"

#include <math.h>

#define NONE G_MAXUINT32

/* --- kernels ------------------------------------------------------------------------------ */

static void
find_kernels (CheckFacts *facts)
{
  const gint32 *fusions = goban_plan_get_fusions (facts->plan);
  g_autoptr (GHashTable) last = g_hash_table_new (NULL, NULL); /* number -> last node + 1 */

  for (guint v = 0; v < facts->n_nodes; v++)
    {
      gpointer number = GINT_TO_POINTER (fusions[v]);
      guint before = 0;

      if (fusions[v] != GOBAN_NO_FUSION)
        {
          before = GPOINTER_TO_UINT (g_hash_table_lookup (last, number));
          g_hash_table_insert (last, number, GUINT_TO_POINTER (v + 1));
        }
      facts->next[v] = NONE;
      facts->kernel[v] = before > 0 ? facts->kernel[before - 1] : v;
      if (before > 0)
        facts->next[before - 1] = v;
      facts->priority[v] = goban_plan_get_priority (facts->plan, v);
      facts->priority[facts->kernel[v]]
          = MAX (facts->priority[facts->kernel[v]], facts->priority[v]);
    }
  for (guint e = 0; e < facts->n_edges; e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (facts->graph, e);

      if (facts->kernel[edge->tail] != facts->kernel[edge->head])
        facts->n_inputs[facts->kernel[edge->head]]++;
    }
}

/* Tensors by the kernels that make them. */
static void
place_tensors (CheckFacts *facts)
{
  guint32 n = 0;

  for (guint v = 0; v < facts->n_nodes; v++)
    for (guint32 member = facts->kernel[v] == v ? v : NONE; member != NONE;
         member = facts->next[member])
      {
        guint n_tensors;
        GobanTensorId first = goban_graph_get_node_tensors (facts->graph, member, &n_tensors);

        for (guint t = first; t < first + n_tensors; t++)
          facts->tensor_place[t] = n++;
      }
}

gboolean
check_is_internal (const CheckFacts *facts, GobanTensorId tensor)
{
  GobanEdgeSpan edges = goban_graph_get_tensor_edges (facts->graph, tensor);
  GobanNodeId maker = facts->kernel[check_producer (facts, tensor)];

  for (guint i = 0; i < edges.n; i++)
    if (facts->kernel[goban_graph_get_edge (facts->graph, edges.ids[i])->head] != maker)
      return FALSE;
  return edges.n > 0;
}

/* --- may they ---------------------------------------------------------------------------- */

static gboolean
check_kernel (const CheckFacts *facts, GobanNodeId kernel, GError **error)
{
  guint n = 0, n_heavy = 0, n_reduction = 0, n_opaque = 0;

  for (guint32 v = kernel; v != NONE; v = facts->next[v])
    {
      GobanFusionClass class = goban_fusion_classify (goban_graph_get_node (facts->graph, v)->op);

      n++;
      n_heavy += class == GOBAN_FUSION_HEAVY;
      n_reduction += class == GOBAN_FUSION_REDUCTION;
      n_opaque += class == GOBAN_FUSION_OPAQUE;
      if (goban_plan_get_device (facts->plan, v) != goban_plan_get_device (facts->plan, kernel))
        return goban_refuse (error, GOBAN_ERROR_INVALID, "“%s” and “%s” are fused across devices",
                             check_node_name (facts, kernel), check_node_name (facts, v));
    }
  if (n > 1 && (n > GOBAN_FUSION_MAX_OPS || n_heavy > 1 || n_reduction > 1 || n_opaque > 0))
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "“%s” is in a kernel of %u ops, %u heavy, %u reductions, %u opaque",
                         check_node_name (facts, kernel), n, n_heavy, n_reduction, n_opaque);
  return TRUE;
}

/* --- for how long ------------------------------------------------------------------------ */

/* Bytes of the node's inputs and outputs that never leave its kernel. */
static double
kept_read_bytes (const CheckFacts *facts, GobanNodeId v)
{
  GobanEdgeSpan inputs = goban_graph_get_in_edges (facts->graph, v);
  double sum_bytes = 0;

  for (guint i = 0; i < inputs.n; i++)
    {
      GobanTensorId t = goban_graph_get_edge (facts->graph, inputs.ids[i])->tensor;

      if (check_is_internal (facts, t)
          && facts->kernel[check_producer (facts, t)] == facts->kernel[v])
        sum_bytes += ceil (goban_graph_get_tensor (facts->graph, t)->size_bytes);
    }
  return sum_bytes;
}

static double
kept_written_bytes (const CheckFacts *facts, GobanNodeId v)
{
  guint n_tensors;
  GobanTensorId first = goban_graph_get_node_tensors (facts->graph, v, &n_tensors);
  double sum_bytes = 0;

  for (guint t = first; t < first + n_tensors; t++)
    if (check_is_internal (facts, t))
      sum_bytes += ceil (goban_graph_get_tensor (facts->graph, t)->size_bytes);
  return sum_bytes;
}

static gboolean
has_time (const CheckFacts *facts, GobanNodeId v)
{
  for (guint k = 0; k < goban_graph_get_n_kinds (facts->graph); k++)
    if (isfinite (goban_graph_get_time_us (facts->graph, v, k)))
      return TRUE;
  return FALSE;
}

/* The formulas of engine/sim/fusion/contraction.h. */
static double
fused_time_us (const CheckFacts *facts, GobanNodeId kernel)
{
  GobanDeviceId d = goban_plan_get_device (facts->plan, kernel);
  const GobanDevice *device = goban_cluster_get_device (facts->cluster, d);
  double flops_us = 0, moved_bytes = 0, launch_us = 0;
  double sum_us = 0, launches_us = 0, longest_us = 0, saved_bytes = 0;

  for (guint32 v = kernel; v != NONE; v = facts->next[v])
    {
      const GobanNode *node = goban_graph_get_node (facts->graph, v);
      double time_us = goban_cost_model_time_us (facts->costs, v, d);
      double read_bytes = kept_read_bytes (facts, v);
      double written_bytes = kept_written_bytes (facts, v);

      if (has_time (facts, v))
        {
          sum_us += time_us;
          launches_us += MIN (time_us, device->launch_us);
          longest_us = MAX (longest_us, time_us);
          saved_bytes += read_bytes + written_bytes;
          continue;
        }
      flops_us += node->flops
                  / goban_device_get_flops_per_us (device, goban_node_get_peak (facts->graph, v));
      moved_bytes += MAX (0, node->read_bytes - read_bytes);
      moved_bytes += MAX (0, node->written_bytes - written_bytes);
      launch_us = time_us > 0 ? device->launch_us : launch_us;
    }
  launches_us -= MIN (longest_us, device->launch_us);
  sum_us -= launches_us;
  sum_us -= saved_bytes / goban_device_get_memory_per_us (device);
  return MAX (flops_us, moved_bytes / goban_device_get_memory_per_us (device))
         + MAX (launch_us, MAX (sum_us, longest_us));
}

/* --- all of it --------------------------------------------------------------------------- */

gboolean
check_fusion (CheckFacts *facts, GError **error)
{
  facts->kernel = g_new (guint32, facts->n_nodes);
  facts->next = g_new (guint32, facts->n_nodes);
  facts->kernel_us = g_new (double, facts->n_nodes);
  facts->n_inputs = g_new0 (guint32, facts->n_nodes);
  facts->priority = g_new (gint32, facts->n_nodes);
  facts->tensor_place = g_new (guint32, facts->n_tensors);
  find_kernels (facts);
  place_tensors (facts);

  for (guint v = 0; v < facts->n_nodes; v++)
    {
      GobanDeviceId device = goban_plan_get_device (facts->plan, v);

      if (facts->kernel[v] == v && !check_kernel (facts, v, error))
        return FALSE;
      facts->kernel_us[v] = facts->next[v] == NONE
                                ? goban_cost_model_time_us (facts->costs, v, device)
                                : fused_time_us (facts, v);
    }
  return TRUE;
}

void
check_fusion_clear (CheckFacts *facts)
{
  g_free (facts->kernel);
  g_free (facts->next);
  g_free (facts->kernel_us);
  g_free (facts->n_inputs);
  g_free (facts->priority);
  g_free (facts->tensor_place);
}
