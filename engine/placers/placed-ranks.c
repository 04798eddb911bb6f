#include "engine/placers/placed-ranks.h"

void
goban_placed_ranks (const GobanUnits *units, const GobanPlan *plan, double *ranks_us)
{
  const GobanDeviceId *devices = goban_plan_get_devices (plan);

  for (guint i = goban_plan_get_n_nodes (plan); i-- > 0;)
    {
      GobanEdgeSpan edges = goban_graph_get_out_edges (units->graph, i);
      double longest_us = 0;

      for (guint j = 0; j < edges.n; j++)
        {
          const GobanEdge *edge = goban_graph_get_edge (units->graph, edges.ids[j]);
          double path_us = ranks_us[edge->head];

          if (devices[edge->head] != devices[i])
            path_us += goban_cost_model_transfer_us (units->costs, edge->tensor, devices[i],
                                                     devices[edge->head]);
          longest_us = MAX (longest_us, path_us);
        }
      ranks_us[i] = longest_us + goban_cost_model_time_us (units->costs, i, devices[i]);
    }
}

void
goban_plan_spread_priorities (GobanPlan *plan, const double *ranks_us)
{
  goban_plan_set_priorities_by_key (plan, ranks_us);
  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
    goban_plan_set_priority (plan, v, goban_plan_get_priorities (plan)[v] * GOBAN_PRIORITY_SPREAD);
}
