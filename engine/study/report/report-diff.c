/* report-diff.c: differences between two plans, as text. */
#include "engine/study/report/report.h"

#include "engine/core/quantity.h"
#include "engine/core/text-table.h"

#include <math.h>

/* More names than this are a number. */
#define MAX_NAMES_LISTED 20

static void
append_names (GString *text, const GobanDifference *difference)
{
  GobanGraph *graph = goban_run_get_graph (goban_difference_get_after (difference));
  guint n;
  const GobanNodeId *ids
      = goban_selection_get_ids (goban_difference_get_nodes (difference, GOBAN_CHANGE_DEVICE), &n);

  if (n == 0)
    return;

  g_string_append (text, "moved: ");
  for (guint i = 0; i < MIN (n, MAX_NAMES_LISTED); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "",
                            goban_graph_get_node (graph, ids[i])->name);
  if (n > MAX_NAMES_LISTED)
    g_string_append_printf (text, ", … (%u)", n);
  g_string_append_c (text, '\n');
}

static void
append_matrix (GString *text, const GobanDifference *difference)
{
  GobanCluster *cluster = goban_run_get_cluster (goban_difference_get_after (difference));
  guint n_devices = goban_difference_get_n_devices (difference);
  g_autoptr (GPtrArray) headings = g_ptr_array_new ();
  g_autoptr (GobanTable) table = NULL;

  g_ptr_array_add (headings, (gpointer) "from \\ to");
  for (guint d = 0; d < n_devices; d++)
    g_ptr_array_add (headings, (gpointer) goban_cluster_get_device (cluster, d)->name);
  g_ptr_array_add (headings, NULL);

  table = goban_table_new ((const char *const *) headings->pdata);
  for (guint from = 0; from < n_devices; from++)
    {
      goban_table_add (table, "%s", goban_cluster_get_device (cluster, from)->name);
      for (guint to = 0; to < n_devices; to++)
        if (from == to)
          goban_table_add (table, ".");
        else
          goban_table_add (table, "%u", goban_difference_get_n_moves (difference, from, to));
    }
  goban_table_append_to (table, text);
}

static guint
count (const GobanDifference *difference, GobanChange change)
{
  guint n;

  goban_selection_get_ids (goban_difference_get_nodes (difference, change), &n);
  return n;
}

char *
goban_report_diff_text (const GobanDifference *difference)
{
  GobanRun *a = goban_difference_get_before (difference);
  GobanRun *b = goban_difference_get_after (difference);
  GString *text = g_string_new (NULL);
  double a_us = goban_run_get_makespan_us (a), b_us = goban_run_get_makespan_us (b);
  char p[GOBAN_QUANTITY_LEN], q[GOBAN_QUANTITY_LEN];

  g_string_printf (text, "%s %s, %s %s", goban_run_get_name (a), goban_format_time (p, a_us),
                   goban_run_get_name (b), goban_format_time (q, b_us));
  if (a_us > 0 && isfinite (a_us) && isfinite (b_us))
    g_string_append_printf (text, " (%s)", goban_format_percent_change (p, a_us, b_us));
  g_string_append_printf (text, ": %u moved, %u re-prioritised, %u fused otherwise\n",
                          count (difference, GOBAN_CHANGE_DEVICE),
                          count (difference, GOBAN_CHANGE_PRIORITY),
                          count (difference, GOBAN_CHANGE_FUSION));
  if (!goban_difference_has_same_order (difference))
    g_string_append (text, "one runs first come, first served, the other by priority\n");
  if (!goban_difference_has_same_transfers (difference))
    g_string_append (text, "transfers have other priorities\n");
  append_names (text, difference);
  if (count (difference, GOBAN_CHANGE_DEVICE) > 0)
    append_matrix (text, difference);
  return g_string_free (text, FALSE);
}
