#include "engine/study/analysis/difference/attribution.h"

#include "engine/core/error.h"
#include "engine/core/quantity.h"
#include "engine/core/text-table.h"
#include "engine/sim/evaluator.h"
#include "engine/sim/fusion/contraction.h"
#include "engine/study/analysis/difference/breakdown.h"
#include "engine/study/analysis/difference/change-groups.h"
#include "engine/study/run/fusing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The pieces from which reverts are composed. */
typedef struct
{
  GobanEvaluator *evaluator;
  GobanRun *before;
  GobanRun *after;
  GobanDifference *difference;
  GArray *groups; /* GobanShare: those not yet known have no delta */
  guint n_known;  /* the first of them */
  double delta_us;
  double after_us;
} Work;

static void
clear_share (gpointer data)
{
  GobanShare *share = data;

  g_free (share->name);
  g_free (share->label);
  g_clear_pointer (&share->nodes, goban_selection_unref);
}

static void
work_clear (Work *work)
{
  g_clear_pointer (&work->groups, g_array_unref);
  g_clear_pointer (&work->difference, goban_difference_unref);
  g_clear_pointer (&work->evaluator, goban_evaluator_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

/* --- groups --------------------------------------------------------------------------------- */

/* @nodes: (transfer full) */
static void
add_group (Work *work, GobanAttributionKind kind, const char *name, GobanSelection *nodes)
{
  GobanShare share = {
    .kind = kind, .name = g_strdup (name), .label = g_strdup (name), .nodes = nodes, .delta_us = NAN
  };

  goban_selection_get_ids (nodes, &share.n_nodes);
  g_array_append_val (work->groups, share);
}

static char *
make_label (GobanAttributionKind kind, const GobanChangeGroup *group)
{
  switch (kind)
    {
    case GOBAN_SHARE_MOVE:
      return group->target != NULL ? g_strdup_printf ("%s → %s", group->name, group->target)
                                   : g_strdup (group->name);
    case GOBAN_SHARE_FUSION:
      return g_strdup_printf ("%s (fusion)", group->name);
    default:
      return g_strdup_printf ("%s (priority)", group->name);
    }
}

static void
add_scopes (Work *work, GobanAttributionKind kind, GobanChange change)
{
  g_autoptr (GArray) groups = goban_change_groups_new (work->difference, change);

  for (guint i = 0; i < groups->len; i++)
    {
      const GobanChangeGroup *group = &g_array_index (groups, GobanChangeGroup, i);
      GobanShare *share;

      add_group (work, kind, group->name, goban_selection_ref (group->nodes));
      share = &g_array_index (work->groups, GobanShare, work->groups->len - 1);
      g_free (share->label);
      share->label = make_label (kind, group);
    }
}

static int
compare_sizes (gconstpointer a, gconstpointer b)
{
  const GobanShare *x = a, *y = b;

  if (x->n_nodes != y->n_nodes)
    return x->n_nodes > y->n_nodes ? -1 : 1;
  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  return strcmp (x->name, y->name);
}

static void
find_groups (Work *work)
{
  const GobanDifference *difference = work->difference;
  gboolean is_fifo = goban_plan_get_order (goban_run_get_plan (work->after)) == GOBAN_ORDER_FIFO;

  work->groups = g_array_new (FALSE, FALSE, sizeof (GobanShare));
  g_array_set_clear_func (work->groups, clear_share);
  add_scopes (work, GOBAN_SHARE_MOVE, GOBAN_CHANGE_DEVICE);
  add_scopes (work, GOBAN_SHARE_FUSION, GOBAN_CHANGE_FUSION);

  /* Priorities of one plan mean nothing among those of another that does not go by them. */
  if (!goban_difference_has_same_order (difference))
    {
      add_group (
          work, GOBAN_SHARE_ORDER, "order of execution",
          goban_selection_ref (goban_difference_get_nodes (difference, GOBAN_CHANGE_PRIORITY)));
    }
  else if (!is_fifo)
    {
      add_scopes (work, GOBAN_SHARE_PRIORITY, GOBAN_CHANGE_PRIORITY);
      if (!goban_difference_has_same_transfers (difference))
        add_group (work, GOBAN_SHARE_TRANSFER, "priorities of transfers",
                   goban_selection_new (NULL, 0));
    }
  g_array_sort (work->groups, compare_sizes);
}

/* --- taking back ------------------------------------------------------------------------------ */

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
goban_attribution_revert (GobanRun *before, GobanRun *after, GobanAttributionKind kind,
                          const GobanSelection *nodes)
{
  GobanPlan *old = goban_run_get_plan (before);
  GobanPlan *plan = goban_plan_copy (goban_run_get_plan (after));
  guint n;
  const GobanNodeId *ids = goban_selection_get_ids (nodes, &n);

  switch (kind)
    {
    case GOBAN_SHARE_MOVE:
      revert_devices (plan, old, goban_run_get_graph (after), ids, n);
      break;
    case GOBAN_SHARE_FUSION:
      revert_kernels (plan, old, ids, n);
      break;
    case GOBAN_SHARE_PRIORITY:
      revert_priorities (plan, old, ids, n);
      return plan;
    case GOBAN_SHARE_ORDER:
      revert_priorities (plan, old, ids, n);
      goban_plan_set_order (plan, goban_plan_get_order (old));
      goban_plan_set_transfer_priorities (plan, goban_plan_get_transfer_priorities (old));
      return plan;
    case GOBAN_SHARE_TRANSFER:
      goban_plan_set_transfer_priorities (plan, goban_plan_get_transfer_priorities (old));
      return plan;
    case GOBAN_N_SHARE_KINDS:
      break;
    }
  /* A fusion across a moved node is impossible afterwards, so its loss belongs to the share. */
  goban_fusion_dissolve_split (plan);
  return plan;
}

/* --- shares ----------------------------------------------------------------------------------- */

static int
compare_shares (const void *a, const void *b)
{
  const GobanShare *x = a, *y = b;
  double dx = isnan (x->delta_us) ? -1 : fabs (x->delta_us);
  double dy = isnan (y->delta_us) ? -1 : fabs (y->delta_us);

  if (dx != dy)
    return dx > dy ? -1 : 1;
  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  return strcmp (x->name, y->name);
}

/* Takes the measured groups. (transfer full) */
static GobanAttribution *
take_groups (Work *work)
{
  GobanAttribution *self = g_new0 (GobanAttribution, 1);

  self->n_shares = work->groups->len;
  self->shares = (GobanShare *) (gpointer) g_array_steal (work->groups, NULL);
  self->delta_us = self->remainder_us = work->delta_us;
  /* In the order of groups, so that the sum is the same to the last bit. */
  for (guint i = 0; i < self->n_shares; i++)
    if (!isnan (self->shares[i].delta_us))
      self->remainder_us -= self->shares[i].delta_us;
  if (self->n_shares > 1)
    qsort (self->shares, self->n_shares, sizeof *self->shares, compare_shares);
  return self;
}

/* Simulates the next groups side by side, one for each thread. */
static void
measure (Work *work)
{
  guint n
      = MIN (goban_evaluator_get_n_threads (work->evaluator), work->groups->len - work->n_known);
  g_autoptr (GPtrArray) plans = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_plan_unref);
  g_autofree GobanOutcome *outcomes = g_new (GobanOutcome, n);
  GobanCostModel *costs = goban_run_get_costs (work->after);

  for (guint i = 0; i < n; i++)
    {
      const GobanShare *share = &g_array_index (work->groups, GobanShare, work->n_known + i);

      g_ptr_array_add (
          plans, goban_attribution_revert (work->before, work->after, share->kind, share->nodes));
    }
  goban_evaluator_evaluate (work->evaluator, (GobanPlan *const *) plans->pdata, n, outcomes);
  for (guint i = 0; i < n; i++)
    {
      GobanShare *share = &g_array_index (work->groups, GobanShare, work->n_known + i);
      GobanPlan *plan = g_ptr_array_index (plans, i);

      /* Kernels of one plan may wait for each other among those of the other. */
      if (isfinite (outcomes[i].makespan_us)
          && (!goban_plan_is_fused (plan) || goban_fusing_check (plan, costs, NULL))) /* or not */
        share->delta_us = work->after_us - outcomes[i].makespan_us;
      share->is_valid = outcomes[i].overflow_bytes <= 0 && !isnan (share->delta_us);
    }
  work->n_known += n;
}

static gboolean
measure_all (Work *work, const GobanAttributionOptions *options, GError **error)
{
  while (work->n_known < work->groups->len)
    {
      const GobanShare *next = &g_array_index (work->groups, GobanShare, work->n_known);

      goban_progress_step (options->progress, (double) work->n_known / work->groups->len,
                           next->label);
      if (!goban_progress_check (options->progress, error))
        return FALSE;
      measure (work);
    }
  return TRUE;
}

static gboolean
measure_wholes (Work *work, GError **error)
{
  GobanPlan *plans[] = { goban_run_get_plan (work->before), goban_run_get_plan (work->after) };
  GobanOutcome outcomes[G_N_ELEMENTS (plans)];

  goban_evaluator_evaluate (work->evaluator, plans, G_N_ELEMENTS (plans), outcomes);
  if (!isfinite (outcomes[0].makespan_us) || !isfinite (outcomes[1].makespan_us))
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "one of the plans takes longer than can be counted");
  work->after_us = outcomes[1].makespan_us;
  work->delta_us = work->after_us - outcomes[0].makespan_us;
  return TRUE;
}

GobanAttribution *
goban_attribution_new (GobanRun *before, GobanRun *after, const GobanAttributionOptions *options,
                       GError **error)
{
  static const GobanAttributionOptions none = { 0 };
  GobanCostModel *costs = goban_run_get_costs (after);
  g_auto (Work) work = { .before = before, .after = after };

  if (options == NULL)
    options = &none;
  if (!goban_fusing_check (goban_run_get_plan (before), costs, error)
      || !goban_fusing_check (goban_run_get_plan (after), costs, error))
    return NULL;
  work.difference = goban_difference_new (before, after, 0, error);
  if (work.difference == NULL)
    return NULL;

  work.evaluator = goban_evaluator_new (costs, options->n_threads);
  if (!measure_wholes (&work, error))
    return NULL;
  find_groups (&work);
  return measure_all (&work, options, error) ? take_groups (&work) : NULL;
}

void
goban_attribution_free (GobanAttribution *self)
{
  for (guint i = 0; i < self->n_shares; i++)
    clear_share (&self->shares[i]);
  g_free (self->shares);
  g_free (self);
}

/* --- in words --------------------------------------------------------------------------------- */

static const char *const kind_words[GOBAN_N_SHARE_KINDS] = {
  [GOBAN_SHARE_MOVE] = "moved",           [GOBAN_SHARE_FUSION] = "fused",
  [GOBAN_SHARE_PRIORITY] = "prioritised", [GOBAN_SHARE_ORDER] = "order",
  [GOBAN_SHARE_TRANSFER] = "transfers",
};

const char *
goban_attribution_kind_get_word (GobanAttributionKind kind)
{
  g_return_val_if_fail (kind < GOBAN_N_SHARE_KINDS, NULL);

  return kind_words[kind];
}

gboolean
goban_attribution_kind_find (const char *word, GobanAttributionKind *kind, GError **error)
{
  for (guint i = 0; i < GOBAN_N_SHARE_KINDS; i++)
    if (g_str_equal (kind_words[i], word))
      {
        *kind = (GobanAttributionKind) i;
        return TRUE;
      }
  return goban_refuse (
      error, GOBAN_ERROR_INVALID,
      "there is no kind of change “%s”: say moved, fused, prioritised, order or transfers", word);
}

static const char *
describe_need (const GobanShare *share)
{
  if (isnan (share->delta_us))
    return "cannot be taken back alone";
  return share->is_valid ? "" : "needed: without it memory runs out";
}

char *
goban_attribution_to_text (const GobanAttribution *self, guint n_rows)
{
  static const char *const headings[] = { "<share", "<of", "nodes", "<", NULL };
  g_autoptr (GobanTable) table = goban_table_new (headings);
  GString *text = g_string_new (NULL);
  char buffer[GOBAN_QUANTITY_LEN + 1];
  double others_us = 0, largest_us = fabs (self->delta_us);
  guint n_others = 0;

  for (guint i = 0; i < self->n_shares; i++)
    {
      const GobanShare *share = &self->shares[i];
      double delta_us = isnan (share->delta_us) ? 0 : share->delta_us;

      largest_us = MAX (largest_us, fabs (delta_us));
      if (i >= n_rows)
        {
          others_us += delta_us;
          n_others += share->n_nodes;
          continue;
        }
      goban_table_add (table, "%s", goban_format_change (buffer, share->delta_us, largest_us));
      goban_table_add (table, "%s", share->label);
      goban_table_add (table, "%u", share->n_nodes);
      goban_table_add (table, "%s", describe_need (share));
    }
  if (self->n_shares > n_rows)
    {
      goban_table_add (table, "%s", goban_format_change (buffer, others_us, largest_us));
      goban_table_add (table, "%u more", self->n_shares - n_rows);
      goban_table_add (table, "%u", n_others);
      goban_table_add (table, "%s", "");
    }
  goban_table_add (table, "%s", goban_format_change (buffer, self->remainder_us, largest_us));
  goban_table_add (table, "%s", "only together");
  goban_table_add (table, "%s", "");
  goban_table_add (table, "%s", "");
  goban_table_append_to (table, text);
  g_string_append_printf (text, "%s in all\n",
                          goban_format_change (buffer, self->delta_us, largest_us));
  return g_string_free (text, FALSE);
}
