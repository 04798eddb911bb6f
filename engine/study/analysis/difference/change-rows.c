#include "engine/study/analysis/difference/change-rows.h"

#include "engine/core/csv-text.h"
#include "engine/core/key-sort.h"
#include "engine/core/quantity.h"
#include "engine/study/analysis/difference/breakdown.h"
#include "engine/study/analysis/node-list.h"

GobanSelection *
goban_change_rows_find (const GobanDifference *difference)
{
  GobanSelection *all = goban_selection_new (NULL, 0);

  for (guint i = 0; i < GOBAN_N_CHANGES; i++)
    {
      GobanSelection *more
          = goban_selection_union (all, goban_difference_get_nodes (difference, (GobanChange) i));

      goban_selection_unref (all);
      all = more;
    }
  return all;
}

static GobanDeviceId
device_of (GobanRun *run, GobanNodeId node)
{
  return goban_plan_get_device (goban_run_get_plan (run), node);
}

/* The column as a number: devices by their own. */
static double
number_of (const GobanDifference *difference, GobanChangeColumn column, GobanNodeId node)
{
  const GobanTimeChange *times = difference->times;

  switch (column)
    {
    case GOBAN_CHANGE_ROW_FROM:
      return device_of (difference->before, node);
    case GOBAN_CHANGE_ROW_TO:
      return device_of (difference->after, node);
    case GOBAN_CHANGE_ROW_RANK:
      return goban_difference_get_rank_change (difference, node);
    case GOBAN_CHANGE_ROW_FUSION:
      return goban_selection_contains (goban_difference_get_nodes (difference, GOBAN_CHANGE_FUSION),
                                       node);
    case GOBAN_CHANGE_ROW_START:
      return times != NULL ? times[node].start_us : 0;
    case GOBAN_CHANGE_ROW_FINISH:
      return times != NULL ? times[node].finish_us : 0;
    default:
      g_return_val_if_reached (0);
    }
}

GobanNodeId *
goban_change_rows_sort (const GobanDifference *difference, GobanChangeColumn column,
                        gboolean is_descending, const GobanProgress *progress, guint *n,
                        GError **error)
{
  GobanRun *after = difference->after;
  GobanNodeContext context = { goban_run_get_costs (after), after };
  g_autoptr (GobanSelection) nodes = goban_change_rows_find (difference);
  g_autofree GobanNodeId *ids = NULL;
  g_autofree double *keys = NULL;

  if (column == GOBAN_CHANGE_ROW_NODE || column == GOBAN_CHANGE_ROW_OP)
    {
      const char *name = column == GOBAN_CHANGE_ROW_OP ? "op" : "name";

      return goban_node_list_sort (&context, nodes,
                                   goban_node_field_find (name, NULL), /* our own names */
                                   is_descending, progress, n, error);
    }

  ids = goban_node_list_sort (&context, nodes, NULL, FALSE, progress, n, error);
  if (ids == NULL)
    return NULL;
  keys = g_new (double, (gsize) goban_graph_get_n_nodes (goban_run_get_graph (after)) + 1);
  for (guint i = 0; i < *n; i++)
    {
      double number = number_of (difference, column, ids[i]);

      keys[ids[i]] = is_descending ? -number : number;
    }
  goban_key_sort (ids, keys, *n);
  return g_steal_pointer (&ids);
}

static const char *
device_name (const GobanDifference *difference, GobanRun *run, GobanNodeId node)
{
  GobanCluster *cluster = goban_run_get_cluster (difference->after);

  return goban_cluster_get_device (cluster, device_of (run, node))->name;
}

/* The column as a text; NULL if it is a number. */
static const char *
text_of (const GobanDifference *difference, GobanChangeColumn column, GobanNodeId node)
{
  GobanRun *after = difference->after;
  const GobanNode *it = goban_graph_get_node (goban_run_get_graph (after), node);

  switch (column)
    {
    case GOBAN_CHANGE_ROW_NODE:
      return it->name;
    case GOBAN_CHANGE_ROW_OP:
      return it->op;
    case GOBAN_CHANGE_ROW_FROM:
      return device_name (difference, difference->before, node);
    case GOBAN_CHANGE_ROW_TO:
      return device_name (difference, after, node);
    default:
      return NULL;
    }
}

char *
goban_change_rows_cell (const GobanDifference *difference, GobanChangeColumn column,
                        GobanNodeId node)
{
  const char *text = text_of (difference, column, node);
  char buffer[GOBAN_QUANTITY_LEN + 1];
  double number;

  if (text != NULL)
    return g_strdup (text);

  number = number_of (difference, column, node);
  if (number == 0)
    return g_strdup ("");
  switch (column)
    {
    case GOBAN_CHANGE_ROW_RANK:
      return g_strdup_printf ("%+d", (int) number);
    case GOBAN_CHANGE_ROW_FUSION:
      return g_strdup ("fused otherwise");
    default:
      return g_strdup (goban_format_change (buffer, number, 0));
    }
}

/* --- CSV ------------------------------------------------------------------------------------ */

char *
goban_change_rows_to_csv (const GobanDifference *difference, const GobanNodeId *nodes, guint n)
{
  static const char *const headings[GOBAN_N_CHANGE_ROWS] = {
    [GOBAN_CHANGE_ROW_NODE] = "node",
    [GOBAN_CHANGE_ROW_OP] = "op",
    [GOBAN_CHANGE_ROW_FROM] = "from",
    [GOBAN_CHANGE_ROW_TO] = "to",
    [GOBAN_CHANGE_ROW_RANK] = "rank_change",
    [GOBAN_CHANGE_ROW_FUSION] = "fused_otherwise",
    [GOBAN_CHANGE_ROW_START] = "start_change_us",
    [GOBAN_CHANGE_ROW_FINISH] = "finish_change_us",
  };
  GString *csv = g_string_new (NULL);
  char buffer[GOBAN_QUANTITY_LEN];

  for (guint c = 0; c < GOBAN_N_CHANGE_ROWS; c++)
    g_string_append_printf (csv, "%s%s", c > 0 ? "," : "", headings[c]);
  g_string_append_c (csv, '\n');
  for (guint i = 0; i < n; i++)
    {
      for (guint c = 0; c < GOBAN_N_CHANGE_ROWS; c++)
        {
          const char *text = text_of (difference, (GobanChangeColumn) c, nodes[i]);

          g_string_append (csv, c > 0 ? "," : "");
          if (text != NULL)
            goban_csv_append_text (csv, text);
          else
            g_string_append (
                csv, goban_format_double (buffer,
                                          number_of (difference, (GobanChangeColumn) c, nodes[i])));
        }
      g_string_append_c (csv, '\n');
    }
  return g_string_free (csv, FALSE);
}
