#include "engine/analysis/link-totals.h"

GobanLinkTotal *
goban_link_totals_new (GobanRun *run)
{
  GobanCluster *cluster = goban_run_get_cluster (run);
  GobanLinkTotal *totals = g_new0 (GobanLinkTotal, goban_cluster_get_n_links (cluster) + 1);
  guint n;
  const GobanTransfer *transfers = goban_trace_get_transfers (goban_run_get_trace (run), &n);

  for (guint i = 0; i < n; i++)
    {
      const GobanTransfer *transfer = &transfers[i];
      const GobanRoute *route = goban_cluster_get_route (cluster, transfer->from, transfer->to);

      for (guint k = 0; k < route->n_links; k++)
        {
          GobanLinkTotal *total = &totals[route->links[k]];

          total->bytes
              += goban_graph_get_tensor (goban_run_get_graph (run), transfer->tensor)->size_bytes;
          total->busy_us += transfer->finish_us - transfer->start_us;
          total->n_transfers++;
        }
    }
  return totals;
}
