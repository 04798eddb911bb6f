/* graph-totals.h: sums over the nodes of a graph. */
#pragma once

#include "engine/machine/cluster/cost-model.h"

typedef struct
{
  double params;
  double param_bytes;
  double flops;
  double macs;
  double output_bytes;
  double work_us; /* each node on its fastest device */
} GobanGraphTotals;

GobanGraphTotals goban_graph_totals_sum (GobanCostModel *costs);
