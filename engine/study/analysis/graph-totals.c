#include "engine/study/analysis/graph-totals.h"

#include "engine/study/analysis/node-field.h"

GobanGraphTotals
goban_graph_totals_sum (GobanCostModel *costs)
{
  GobanGraph *graph = goban_cost_model_get_graph (costs);
  guint n_nodes = goban_graph_get_n_nodes (graph);
  const GobanNodeField *cost = goban_node_field_find ("cost", NULL); /* it is in the table */
  GobanNodeContext context = { costs, NULL };
  GobanGraphTotals sums = { 0 };

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);

      sums.params += node->param_count;
      sums.param_bytes += node->param_bytes;
      sums.flops += node->flops;
      sums.macs += node->macs;
      sums.output_bytes += goban_graph_get_output_bytes (graph, v);
      sums.work_us += cost->number (&context, v);
    }
  return sums;
}
