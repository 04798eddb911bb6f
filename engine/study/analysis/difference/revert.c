#include "engine/study/analysis/difference/revert.h"

#include "engine/core/error.h"
#include "engine/sim/fusion/contraction.h"
#include "engine/study/run/fusing.h"

#include <string.h>

static const char *const kind_words[GOBAN_N_REVERT_KINDS] = {
  [GOBAN_REVERT_MOVE] = "moved",           [GOBAN_REVERT_FUSION] = "fused",
  [GOBAN_REVERT_PRIORITY] = "prioritised", [GOBAN_REVERT_ORDER] = "order",
  [GOBAN_REVERT_TRANSFER] = "transfers",
};

const char *
goban_revert_kind_get_word (GobanRevertKind kind)
{
  g_return_val_if_fail (kind < GOBAN_N_REVERT_KINDS, NULL);

  return kind_words[kind];
}

gboolean
goban_revert_kind_find (const char *word, GobanRevertKind *kind, GError **error)
{
  for (guint i = 0; i < GOBAN_N_REVERT_KINDS; i++)
    if (g_str_equal (kind_words[i], word))
      {
        *kind = (GobanRevertKind) i;
        return TRUE;
      }
  return goban_refuse (
      error, GOBAN_ERROR_INVALID,
      "there is no kind of change “%s”: say moved, fused, prioritised, order or transfers", word);
}

/* --- the plan ------------------------------------------------------------------------------- */

/* Every node's kernel by its lowest node, as executors name them, so that those of two plans can be
 * mixed. */
static void
name_kernels (const GobanPlan *plan, gint32 *names)
{
  const gint32 *fusions = goban_plan_get_fusions (plan);
  g_autoptr (GHashTable) lowest = g_hash_table_new (NULL, NULL);

  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (plan); v++)
    {
      gpointer kernel = GINT_TO_POINTER (fusions[v]);
      gpointer first;

      names[v] = fusions[v];
      if (fusions[v] == GOBAN_NO_FUSION)
        continue;
      if (!g_hash_table_lookup_extended (lowest, kernel, NULL, &first))
        g_hash_table_insert (lowest, kernel, first = GINT_TO_POINTER ((gint32) v));
      names[v] = GPOINTER_TO_INT (first);
    }
}

/* Marks every node that shares a kernel with a marked node in either plan, until none is added: a
 * kernel is reverted as a whole. */
static void
mark_kernels (guint8 *is_in, const gint32 *names, const gint32 *old_names, guint n_nodes)
{
  g_autofree guint8 *has_mark = g_new0 (guint8, (gsize) n_nodes + 1);
  gboolean is_more = TRUE;

  while (is_more)
    {
      is_more = FALSE;
      for (guint k = 0; k < 2; k++)
        {
          const gint32 *of = k == 0 ? names : old_names;

          memset (has_mark, 0, n_nodes);
          for (guint v = 0; v < n_nodes; v++)
            if (is_in[v] && of[v] != GOBAN_NO_FUSION)
              has_mark[of[v]] = TRUE;
          for (guint v = 0; v < n_nodes; v++)
            if (!is_in[v] && of[v] != GOBAN_NO_FUSION && has_mark[of[v]])
              is_in[v] = is_more = TRUE;
        }
    }
}

static void
revert_kernels (GobanPlan *plan, const GobanPlan *before, const GobanNodeId *ids, guint n)
{
  guint n_nodes = goban_plan_get_n_nodes (plan);
  g_autofree gint32 *names = g_new (gint32, (gsize) n_nodes + 1);
  g_autofree gint32 *old_names = g_new (gint32, (gsize) n_nodes + 1);
  g_autofree guint8 *is_in = g_new0 (guint8, (gsize) n_nodes + 1);

  name_kernels (plan, names);
  name_kernels (before, old_names);
  for (guint i = 0; i < n; i++)
    is_in[ids[i]] = TRUE;
  mark_kernels (is_in, names, old_names, n_nodes);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    goban_plan_set_fusion (plan, v, is_in[v] ? old_names[v] : names[v]);
  goban_plan_set_proven_bound_us (plan, NULL, 0); /* it was of plans that fuse nothing */
}

/* With all of their colocation groups. */
static void
revert_devices (GobanPlan *plan, const GobanPlan *before, GobanGraph *graph, const GobanNodeId *ids,
                guint n)
{
  g_autofree guint8 *has_mark = g_new0 (guint8, (gsize) goban_graph_get_n_groups (graph) + 1);
  gboolean is_marked = FALSE;

  for (guint i = 0; i < n; i++)
    {
      guint32 group = goban_graph_get_node (graph, ids[i])->group;

      goban_plan_set_device (plan, ids[i], goban_plan_get_device (before, ids[i]));
      if (group != GOBAN_NO_GROUP)
        has_mark[group] = is_marked = TRUE;
    }
  for (GobanNodeId v = 0; is_marked && v < goban_plan_get_n_nodes (plan); v++)
    {
      guint32 group = goban_graph_get_node (graph, v)->group;

      if (group != GOBAN_NO_GROUP && has_mark[group])
        goban_plan_set_device (plan, v, goban_plan_get_device (before, v));
    }
}

static void
revert_priorities (GobanPlan *plan, const GobanPlan *before, const GobanNodeId *ids, guint n)
{
  for (guint i = 0; i < n; i++)
    goban_plan_set_priority (plan, ids[i], goban_plan_get_priority (before, ids[i]));
}

GobanPlan *
goban_revert_change (GobanRun *before, GobanRun *after, GobanRevertKind kind,
                     const GobanSelection *nodes)
{
  GobanPlan *old = goban_run_get_plan (before);
  GobanPlan *plan = goban_plan_copy (goban_run_get_plan (after));
  guint n;
  const GobanNodeId *ids = goban_selection_get_ids (nodes, &n);

  switch (kind)
    {
    case GOBAN_REVERT_MOVE:
      revert_devices (plan, old, goban_run_get_graph (after), ids, n);
      break;
    case GOBAN_REVERT_FUSION:
      revert_kernels (plan, old, ids, n);
      break;
    case GOBAN_REVERT_PRIORITY:
      revert_priorities (plan, old, ids, n);
      return plan;
    case GOBAN_REVERT_ORDER:
      revert_priorities (plan, old, ids, n);
      goban_plan_set_order (plan, goban_plan_get_order (old));
      goban_plan_set_transfer_priorities (plan, goban_plan_get_transfer_priorities (old));
      return plan;
    case GOBAN_REVERT_TRANSFER:
      goban_plan_set_transfer_priorities (plan, goban_plan_get_transfer_priorities (old));
      return plan;
    case GOBAN_N_REVERT_KINDS:
      break;
    }
  /* A fusion across a moved node is impossible afterwards, so it is lost with the move. */
  goban_fusion_dissolve_split (plan);
  return plan;
}

/* --- jobs ----------------------------------------------------------------------------------- */

GobanRevert *
goban_revert_copy (const GobanRevert *revert)
{
  GobanRevert *copy = g_new (GobanRevert, 1);

  *copy = (GobanRevert){ .before = goban_run_ref (revert->before),
                         .after = goban_run_ref (revert->after),
                         .listed = revert->listed != NULL ? goban_run_ref (revert->listed) : NULL,
                         .kind = revert->kind,
                         .nodes = goban_selection_ref (revert->nodes),
                         .label = g_strdup (revert->label) };
  return copy;
}

void
goban_revert_free (GobanRevert *self)
{
  goban_run_unref (self->before);
  goban_run_unref (self->after);
  g_clear_pointer (&self->listed, goban_run_unref);
  goban_selection_unref (self->nodes);
  g_free (self->label);
  g_free (self);
}

GobanPlan *
goban_revert_new_plan (const GobanRevert *revert)
{
  GobanPlan *plan
      = goban_revert_change (revert->before, revert->after, revert->kind, revert->nodes);
  g_autofree char *name
      = g_strdup_printf ("%s without %s", goban_run_get_name (revert->after), revert->label);

  goban_plan_set_policy (plan, name);
  return plan;
}

gpointer
goban_revert_run (const GobanProgress *progress, gpointer data, GError **error)
{
  const GobanRevert *revert = data;
  GobanCostModel *costs = goban_run_get_costs (revert->after);
  g_autoptr (GobanPlan) plan = goban_revert_new_plan (revert);

  if (!goban_fusing_check (plan, costs, error))
    return NULL;
  return goban_run_new (costs, plan, goban_plan_get_policy (plan));
}
