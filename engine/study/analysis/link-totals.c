#include "engine/study/analysis/link-totals.h"

#include "engine/core/json-text.h"
#include "engine/core/quantity.h"
#include "engine/core/text-table.h"

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

char *
goban_link_totals_to_text (GobanRun *run)
{
  static const char *const headings[] = { "link", "bytes", "transfers", "busy", NULL };
  GobanCluster *cluster = goban_run_get_cluster (run);
  g_autofree GobanLinkTotal *totals = goban_link_totals_new (run);
  g_autoptr (GobanTable) table = goban_table_new (headings);
  double makespan_us = goban_run_get_makespan_us (run);
  GString *text = g_string_new (NULL);
  char bytes[GOBAN_QUANTITY_LEN];

  for (guint i = 0; i < goban_cluster_get_n_links (cluster); i++)
    {
      if (totals[i].n_transfers == 0)
        continue;
      goban_table_add (table, "%s", goban_cluster_get_link (cluster, i)->name);
      goban_table_add (table, "%s", goban_format_bytes (bytes, totals[i].bytes));
      goban_table_add (table, "%u", totals[i].n_transfers);
      goban_table_add (table, "%.1f %%", 100 * totals[i].busy_us / makespan_us);
    }
  goban_table_append_to (table, text);
  return g_string_free (text, FALSE);
}

char *
goban_link_totals_to_json (GobanRun *run)
{
  GobanCluster *cluster = goban_run_get_cluster (run);
  g_autofree GobanLinkTotal *totals = goban_link_totals_new (run);
  GString *json = g_string_new ("[");

  for (guint i = 0; i < goban_cluster_get_n_links (cluster); i++)
    {
      if (totals[i].n_transfers == 0)
        continue;
      g_string_append (json, json->len > 1 ? ", {" : "{");
      goban_json_add_string (json, "link", goban_cluster_get_link (cluster, i)->name);
      goban_json_add_number (json, "bytes", totals[i].bytes);
      goban_json_add_number (json, "transfers", totals[i].n_transfers);
      goban_json_add_number (json, "busy_us", totals[i].busy_us);
      g_string_append_c (json, '}');
    }
  g_string_append_c (json, ']');
  return g_string_free (json, FALSE);
}
