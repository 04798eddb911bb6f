#include "engine/session/edit.h"

#include "engine/fusion/contraction.h"
#include "engine/session/log-lines.h"

#define BY_HAND "by hand"

GobanEdit *
goban_edit_copy (const GobanEdit *edit)
{
  GobanEdit *copy = g_memdup2 (edit, sizeof *edit);

  g_object_ref (copy->base);
  goban_selection_ref (copy->nodes);
  return copy;
}

void
goban_edit_free (GobanEdit *edit)
{
  g_clear_object (&edit->base);
  g_clear_pointer (&edit->nodes, goban_selection_unref);
  g_free (edit);
}

/* The nodes asked for, and those that colocation keeps with them. */
static GobanSelection *
find_moving (const GobanEdit *edit)
{
  GobanGraph *graph = goban_run_get_graph (edit->base);
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autofree gboolean *is_moving = g_new0 (gboolean, goban_graph_get_n_groups (graph) + 1);
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  guint n;
  const GobanNodeId *asked = goban_selection_get_ids (edit->nodes, &n);

  g_array_append_vals (ids, asked, n);
  for (guint i = 0; i < n; i++)
    {
      guint32 group = goban_graph_get_node (graph, asked[i])->group;

      if (group != GOBAN_NO_GROUP)
        is_moving[group] = TRUE;
    }
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      guint32 group = goban_graph_get_node (graph, v)->group;

      if (group != GOBAN_NO_GROUP && is_moving[group])
        g_array_append_val (ids, v);
    }
  return goban_selection_new ((const GobanNodeId *) (const void *) ids->data, ids->len);
}

GobanRun *
goban_edit_run (const GobanEdit *edit, GError **error)
{
  GobanCostModel *costs = goban_run_get_costs (edit->base);
  g_autoptr (GobanPlan) plan = goban_plan_copy (goban_run_get_plan (edit->base));
  g_autoptr (GobanSelection) moving = edit->is_move ? find_moving (edit) : NULL;
  guint n;
  const GobanNodeId *ids = goban_selection_get_ids (edit->is_move ? moving : edit->nodes, &n);

  for (guint i = 0; i < n; i++)
    if (edit->is_move)
      goban_plan_set_device (plan, ids[i], edit->device);
    else
      goban_plan_set_priority (plan, ids[i], edit->priority);

  if (edit->is_move)
    goban_fusion_dissolve_split (plan);
  goban_plan_set_policy (plan, BY_HAND);
  if (!goban_plan_check (plan, costs, error))
    return NULL;
  return goban_run_new (costs, plan, BY_HAND);
}

static void
log_edit (GobanSession *session, const GobanEdit *edit)
{
  guint n;
  const GobanNodeId *ids = goban_selection_get_ids (edit->nodes, &n);
  g_autofree char *nodes = goban_log_nodes (goban_run_get_graph (edit->base), ids, n);
  g_autofree char *device = NULL;
  g_autofree char *line = NULL;

  if (edit->is_move)
    {
      GobanCluster *cluster = goban_run_get_cluster (edit->base);

      device = goban_log_quote (goban_cluster_get_device (cluster, edit->device)->name);
      line = g_strdup_printf ("%s:move %s", nodes, device);
    }
  else
    {
      line = g_strdup_printf ("%s:prio(%d)", nodes, edit->priority);
    }
  goban_session_log (session, line);
}

static void
say_what_follows (GobanSession *session, const GobanEdit *edit)
{
  g_autoptr (GobanSelection) moving = find_moving (edit);
  guint n_asked, n_moving;

  goban_selection_get_ids (edit->nodes, &n_asked);
  goban_selection_get_ids (moving, &n_moving);
  if (n_moving > n_asked)
    goban_session_say (session, FALSE,
                       "%u more %s moved along: colocation keeps them on one device",
                       n_moving - n_asked, n_moving - n_asked == 1 ? "node" : "nodes");
}

void
goban_session_add_edit (GobanSession *session, const GobanEdit *edit, GobanRun *run)
{
  goban_session_add_run (session, run);
  log_edit (session, edit);
  if (edit->is_move)
    say_what_follows (session, edit);
  else if (goban_plan_get_order (goban_run_get_plan (run)) == GOBAN_ORDER_FIFO)
    goban_session_say (session, FALSE,
                       "This plan's devices take ops as they become ready, "
                       "whatever their priorities");
}
