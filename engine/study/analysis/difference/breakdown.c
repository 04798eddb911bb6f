#include "engine/study/analysis/difference/breakdown.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/core/rng.h"
#include "engine/core/text-table.h"
#include "engine/sim/evaluator.h"
#include "engine/sim/fusion/contraction.h"
#include "engine/study/analysis/difference/difference.h"
#include "engine/study/analysis/scopes.h"
#include "engine/study/run/fusing.h"
#include "engine/study/run/time-causes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const cause_labels[GOBAN_N_TIME_CAUSES] = {
  [GOBAN_TIME_CAUSE_COMPUTING] = N_ ("computing"),
  [GOBAN_TIME_CAUSE_RECOMPUTING] = N_ ("recomputation"),
  [GOBAN_TIME_CAUSE_EXCHANGING] = N_ ("collectives"),
  [GOBAN_TIME_CAUSE_SENDING] = N_ ("sends"),
  [GOBAN_TIME_CAUSE_UPDATING] = N_ ("updates"),
  [GOBAN_TIME_CAUSE_IDLE] = N_ ("idle"),
};

static void
add_cause_bar (GobanBreakdown *self, GobanBarKind kind, const char *label, double from_us,
               double to_us)
{
  char *text = g_strdup (label);

  g_ptr_array_add (self->texts, text);
  self->bars[self->n_bars++] = (GobanBar){
    .kind = kind, .label = text, .from_us = from_us, .to_us = to_us, .is_possible = TRUE
  };
}

GobanBreakdown *
goban_breakdown_new_of_causes (GobanRun *before, GobanRun *after, GError **error)
{
  double first_us = goban_run_get_makespan_us (before), last_us = goban_run_get_makespan_us (after);
  double at_us = first_us, a_us[GOBAN_N_TIME_CAUSES], b_us[GOBAN_N_TIME_CAUSES];
  GobanBreakdown *self;

  if (!goban_run_split_by_cause (before, a_us, error)
      || !goban_run_split_by_cause (after, b_us, error))
    return NULL;
  self = g_new0 (GobanBreakdown, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->texts = g_ptr_array_new_with_free_func (g_free);
  self->bars = g_new0 (GobanBar, GOBAN_N_TIME_CAUSES + 2);
  self->is_complete = TRUE;
  add_cause_bar (self, GOBAN_BAR_BEFORE, goban_run_get_name (before), 0, first_us);
  for (guint i = 0; i < GOBAN_N_TIME_CAUSES; i++)
    {
      /* The last one ends at the second makespan to the last bit. */
      double to_us = i + 1 < GOBAN_N_TIME_CAUSES ? at_us + b_us[i] - a_us[i] : last_us;

      if (a_us[i] != 0 || b_us[i] != 0 || i == GOBAN_TIME_CAUSE_IDLE)
        add_cause_bar (self, GOBAN_BAR_CAUSE, _ (cause_labels[i]), at_us, to_us);
      at_us = to_us;
    }
  add_cause_bar (self, GOBAN_BAR_AFTER, goban_run_get_name (after), 0, last_us);
  return self;
}

/* --- in words --------------------------------------------------------------------------------- */

const char *const goban_bar_kind_words[GOBAN_N_BAR_KINDS] = {
  [GOBAN_BAR_BEFORE] = "before",
  [GOBAN_BAR_CLUSTER] = "cluster",
  [GOBAN_BAR_PLACEMENT] = "placement",
  [GOBAN_BAR_GROUP] = "group",
  [GOBAN_BAR_ORDER] = "order",
  [GOBAN_BAR_FUSION] = "fusion",
  [GOBAN_BAR_INTERACTION] = "interaction",
  [GOBAN_BAR_TIES] = "ties",
  [GOBAN_BAR_CAUSE] = "cause",
  [GOBAN_BAR_AFTER] = "after",
};

gboolean
goban_bar_get_change (const GobanBar *bar, GobanRevertKind *kind)
{
  switch (bar->kind)
    {
    case GOBAN_BAR_PLACEMENT:
    case GOBAN_BAR_GROUP:
      *kind = GOBAN_REVERT_MOVE;
      break;
    case GOBAN_BAR_ORDER:
      *kind = GOBAN_REVERT_ORDER;
      break;
    case GOBAN_BAR_FUSION:
      *kind = GOBAN_REVERT_FUSION;
      break;
    default:
      return FALSE;
    }
  return bar->n_nodes > 0;
}

double
goban_bar_get_change_us (const GobanBar *bar)
{
  return bar->to_us - bar->from_us;
}

const char *
goban_format_change (char *buffer, double delta_us, double whole_us)
{
  if (isnan (delta_us))
    return "cannot run";
  if (fabs (delta_us) <= 1e-9 * fabs (whole_us))
    return goban_format_time (buffer, 0);
  return goban_format_time_change (buffer, delta_us);
}

static gboolean
is_plan (const GobanBar *bar)
{
  return bar->kind == GOBAN_BAR_BEFORE || bar->kind == GOBAN_BAR_AFTER;
}

static void
append_makespans (GString *text, const GobanBreakdown *self, const char *const names[2])
{
  double before_us = self->bars[0].to_us;
  double after_us = self->bars[self->n_bars - 1].to_us;
  double change_us = after_us - before_us;
  char time[GOBAN_QUANTITY_LEN], percent[GOBAN_QUANTITY_LEN];

  if (fabs (change_us) <= 1e-9 * fmax (before_us, after_us))
    {
      g_string_append_printf (text, _ ("%s takes as long as %s"), names[1], names[0]);
      return;
    }
  g_string_append_printf (
      text, change_us < 0 ? _ ("%s takes %s less than %s") : _ ("%s takes %s more than %s"),
      names[1], goban_format_time (time, fabs (change_us)), names[0]);
  if (before_us > 0)
    g_string_append_printf (text, " (%s)",
                            goban_format_percent_change (percent, before_us, after_us));
}

char *
goban_breakdown_to_sentence (const GobanBreakdown *self, const char *const names[2])
{
  const char *const own[] = { self->bars[0].label, self->bars[self->n_bars - 1].label };
  double whole_us = fmax (self->bars[0].to_us, self->bars[self->n_bars - 1].to_us);
  GString *text = g_string_new (NULL);
  char buffer[GOBAN_QUANTITY_LEN + 1];
  gboolean is_first = TRUE;

  append_makespans (text, self, names != NULL ? names : own);
  for (guint i = 0; i < self->n_bars; i++)
    {
      const GobanBar *bar = &self->bars[i];

      if (is_plan (bar) || bar->kind == GOBAN_BAR_GROUP)
        continue;
      g_string_append_printf (
          text, "%s%s %s", is_first ? ": " : ", ", bar->label,
          goban_format_change (buffer, goban_bar_get_change_us (bar), whole_us));
      is_first = FALSE;
    }
  return g_string_free (text, FALSE);
}

char *
goban_breakdown_describe_method (const GobanBreakdown *self)
{
  char n[GOBAN_QUANTITY_LEN];

  if (self->bars[1].kind == GOBAN_BAR_CAUSE)
    return g_strdup (_ ("What a device does with its time, on the mean"));
  if (self->n_groups < 2)
    return g_strdup (_ ("Each part alone, added to the first plan"));
  if (!self->is_complete && self->n_orders == 0)
    return g_strdup (_ ("Each part alone, added to the first plan; groups are being measured"));
  if (self->n_orders == 0)
    return g_strdup_printf (_ ("Each part alone, added to the first plan; placement by Shapley "
                               "values of %u groups, %s simulations"),
                            self->n_groups, goban_format_grouped (n, self->n_simulations));
  return g_strdup_printf (
      _ ("Each part alone, added to the first plan; placement by Shapley values "
         "of %u groups over %u random orders, %s simulations"),
      self->n_groups, self->n_orders, goban_format_grouped (n, self->n_simulations));
}

static void
add_row (GobanTable *table, const GobanBar *bar, double whole_us)
{
  char buffer[GOBAN_QUANTITY_LEN + 1], error[GOBAN_QUANTITY_LEN];

  goban_table_add (table, "%s",
                   is_plan (bar)
                       ? goban_format_time (buffer, bar->to_us)
                       : goban_format_change (buffer, goban_bar_get_change_us (bar), whole_us));
  goban_table_add (table, "%s%s", bar->kind == GOBAN_BAR_GROUP ? "  " : "", bar->label);
  if (bar->n_nodes > 0)
    goban_table_add (table, "%u", bar->n_nodes);
  else
    goban_table_add (table, "%s", "");
  if (!bar->is_possible)
    goban_table_add (table, "%s", "not possible alone");
  else if (bar->error_us > 0)
    goban_table_add (table, "± %s", goban_format_time (error, bar->error_us));
  else
    goban_table_add (table, "%s", "");
}

char *
goban_breakdown_to_text (const GobanBreakdown *self)
{
  static const char *const headings[] = { "<makespan", "<of", "nodes", "<", NULL };
  g_autoptr (GobanTable) table = goban_table_new (headings);
  g_autofree char *sentence = goban_breakdown_to_sentence (self, NULL);
  g_autofree char *method = goban_breakdown_describe_method (self);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%s\n\n", sentence);
  for (guint i = 0; i < self->n_bars; i++)
    add_row (table, &self->bars[i], self->bars[0].to_us);
  goban_table_append_to (table, text);
  g_string_append_printf (text, "%s\n", method);
  return g_string_free (text, FALSE);
}

const char *const goban_revert_kind_words[GOBAN_N_REVERT_KINDS] = {
  [GOBAN_REVERT_MOVE] = "moved",           [GOBAN_REVERT_FUSION] = "fused",
  [GOBAN_REVERT_PRIORITY] = "prioritised", [GOBAN_REVERT_ORDER] = "order",
  [GOBAN_REVERT_TRANSFER] = "transfers",
};

gboolean
goban_revert_kind_find (const char *word, GobanRevertKind *kind, GError **error)
{
  for (guint i = 0; i < GOBAN_N_REVERT_KINDS; i++)
    if (g_str_equal (goban_revert_kind_words[i], word))
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

#define SEED 20101243
/* Plans of a batch: each is a copy of half a megabyte at 80,000 nodes. */
#define BATCH 16

/* Decisions that are taken from the second plan as a whole. */
typedef struct
{
  GobanBarKind bar;
  GobanRevertKind revert;
  GobanChange change;
} Part;

static const Part parts[] = {
  { GOBAN_BAR_PLACEMENT, GOBAN_REVERT_MOVE, GOBAN_CHANGE_DEVICE },
  { GOBAN_BAR_ORDER, GOBAN_REVERT_ORDER, GOBAN_CHANGE_PRIORITY },
  { GOBAN_BAR_FUSION, GOBAN_REVERT_FUSION, GOBAN_CHANGE_FUSION },
};

#define N_PARTS G_N_ELEMENTS (parts)

typedef struct
{
  char *label;
  GobanSelection *nodes;
  guint n_nodes;
  double work_us;
  double sum_us; /* of what it added, over all orders so far; or with all weights */
  double squares;
} Group;

typedef struct
{
  const GobanBreakdownOptions *options;
  GobanDifference *difference;
  GobanRun *before;
  GobanRun *after; /* with matched devices */
  GobanEvaluator *evaluator;
  double before_us; /* the first plan, on the costs of the second */
  double after_us;
  double part_us[N_PARTS];
  gboolean is_possible[N_PARTS];
  GArray *groups; /* of Group */
  gboolean is_complete;
  guint n_orders;
  guint n_pairs; /* orders with their reverses that are in the sums */
  guint n_simulations;
} Work;

static void
clear_group (gpointer data)
{
  Group *group = data;

  g_free (group->label);
  goban_selection_unref (group->nodes);
}

static void
work_clear (Work *work)
{
  g_clear_pointer (&work->groups, g_array_unref);
  g_clear_pointer (&work->evaluator, goban_evaluator_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

static Group *
group_at (const Work *work, guint i)
{
  return &g_array_index (work->groups, Group, i);
}

/* --- simulations ------------------------------------------------------------------------------ */

/* The first plan with the devices of the second for groups in @set. */
static GobanPlan *
make_moved (const Work *work, guint set)
{
  g_autoptr (GobanSelection) nodes = goban_selection_new (NULL, 0);

  for (guint i = 0; i < work->groups->len; i++)
    if (set >> i & 1)
      {
        GobanSelection *more = goban_selection_union (nodes, group_at (work, i)->nodes);

        goban_selection_unref (nodes);
        nodes = more;
      }
  return goban_revert_change (work->after, work->before, GOBAN_REVERT_MOVE, nodes);
}

/* makespans_us (n_sets): of the plans of @sets, which are as possible as the two plans are. */
static gboolean
simulate_sets (Work *work, const guint *sets, guint n_sets, double *makespans_us, GError **error)
{
  for (guint first = 0; first < n_sets; first += BATCH)
    {
      guint n = MIN (BATCH, n_sets - first);
      g_autoptr (GPtrArray) plans
          = g_ptr_array_new_with_free_func ((GDestroyNotify) goban_plan_unref);
      GobanOutcome outcomes[BATCH];

      if (!goban_progress_check (work->options->progress, error))
        return FALSE;
      if (n_sets > 2 * GOBAN_BREAKDOWN_GROUPS) /* all orders at once */
        goban_progress_step (work->options->progress, (double) first / n_sets, "");
      for (guint i = 0; i < n; i++)
        g_ptr_array_add (plans, make_moved (work, sets[first + i]));
      goban_evaluator_evaluate (work->evaluator, (GobanPlan *const *) plans->pdata, n, outcomes);
      for (guint i = 0; i < n; i++)
        makespans_us[first + i] = outcomes[i].makespan_us;
      work->n_simulations += n;
    }
  return TRUE;
}

/* --- parts ------------------------------------------------------------------------------------ */

static GobanPlan *
make_part (const Work *work, guint i)
{
  return goban_revert_change (work->after, work->before, parts[i].revert,
                              goban_difference_get_nodes (work->difference, parts[i].change));
}

static gboolean
measure_wholes (Work *work, GError **error)
{
  GobanPlan *plans[] = { goban_run_get_plan (work->before), goban_run_get_plan (work->after) };
  GobanOutcome outcomes[G_N_ELEMENTS (plans)];

  goban_evaluator_evaluate (work->evaluator, plans, G_N_ELEMENTS (plans), outcomes);
  if (!isfinite (outcomes[0].makespan_us) || !isfinite (outcomes[1].makespan_us)
      || !isfinite (goban_run_get_makespan_us (work->before)))
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "one of the plans takes longer than can be counted");
  work->before_us = outcomes[0].makespan_us;
  work->after_us = outcomes[1].makespan_us;
  work->n_simulations += 2;
  return TRUE;
}

/* Kernels of one plan may wait for each other among those of the other. */
static void
measure_parts (Work *work)
{
  GobanCostModel *costs = goban_run_get_costs (work->after);
  GobanPlan *plans[N_PARTS];
  GobanOutcome outcomes[N_PARTS];

  for (guint i = 0; i < N_PARTS; i++)
    plans[i] = make_part (work, i);
  goban_evaluator_evaluate (work->evaluator, plans, N_PARTS, outcomes);
  work->n_simulations += N_PARTS;
  for (guint i = 0; i < N_PARTS; i++)
    {
      work->is_possible[i] = isfinite (outcomes[i].makespan_us)
                             && (!goban_plan_is_fused (plans[i])
                                 || goban_fusing_check (plans[i], costs, NULL)); /* or it is not */
      work->part_us[i] = work->is_possible[i] ? outcomes[i].makespan_us - work->before_us : 0;
      goban_plan_unref (plans[i]);
    }
}

/* --- groups ----------------------------------------------------------------------------------- */

static double
sum_work (const Work *work, const GobanSelection *nodes)
{
  GobanCostModel *costs = goban_run_get_costs (work->after);
  const GobanPlan *plan = goban_run_get_plan (work->after);
  double sum_us = 0;
  guint n;
  const GobanNodeId *ids = goban_selection_get_ids (nodes, &n);

  for (guint i = 0; i < n; i++)
    sum_us += goban_cost_model_time_us (costs, ids[i], goban_plan_get_device (plan, ids[i]));
  return sum_us;
}

static int
compare_work (gconstpointer a, gconstpointer b)
{
  const Group *x = a, *y = b;

  if (x->work_us != y->work_us)
    return x->work_us > y->work_us ? -1 : 1;
  return strcmp (x->label, y->label);
}

/* Joins the groups with the least work into one. */
static void
join_smallest (Work *work)
{
  guint n_joined = work->groups->len - (GOBAN_BREAKDOWN_GROUPS - 1);
  Group *last = group_at (work, GOBAN_BREAKDOWN_GROUPS - 1);

  for (guint i = GOBAN_BREAKDOWN_GROUPS; i < work->groups->len; i++)
    {
      Group *group = group_at (work, i);
      GobanSelection *all = goban_selection_union (last->nodes, group->nodes);

      goban_selection_unref (last->nodes);
      last->nodes = all;
      last->n_nodes += group->n_nodes;
    }
  g_free (last->label);
  last->label = g_strdup_printf (_ ("%u smaller groups"), n_joined);
  g_array_set_size (work->groups, GOBAN_BREAKDOWN_GROUPS);
}

/* Both plans keep a colocation group together, so it has moved as a whole: all of its nodes are in
 * the scope of the first of them. */
static void
join_colocated (GobanScopes *scopes, GobanGraph *graph, const GobanNodeId *ids, guint n)
{
  g_autofree guint *scope_of_group = g_new (guint, (gsize) goban_graph_get_n_groups (graph) + 1);

  for (guint g = 0; g < goban_graph_get_n_groups (graph); g++)
    scope_of_group[g] = G_MAXUINT;
  for (guint i = 0; i < n; i++)
    {
      guint32 group = goban_graph_get_node (graph, ids[i])->group;

      if (group == GOBAN_NO_GROUP)
        continue;
      if (scope_of_group[group] == G_MAXUINT)
        scope_of_group[group] = scopes->of[i];
      scopes->of[i] = scope_of_group[group];
    }
}

/* "enc/l5 → gpu:1" if the nodes are on one device of the second plan, else "enc/l5". */
static char *
make_label (GobanRun *after, const char *scope, const GobanNodeId *ids, guint n)
{
  const GobanDeviceId *devices = goban_plan_get_devices (goban_run_get_plan (after));

  for (guint i = 1; i < n; i++)
    if (devices[ids[i]] != devices[ids[0]])
      return g_strdup (scope);
  return g_strdup_printf (
      "%s → %s", scope,
      goban_cluster_get_device (goban_run_get_cluster (after), devices[ids[0]])->name);
}

static void
find_groups (Work *work)
{
  GobanGraph *graph = goban_run_get_graph (work->after);
  guint n;
  const GobanNodeId *ids = goban_selection_get_ids (
      goban_difference_get_nodes (work->difference, GOBAN_CHANGE_DEVICE), &n);
  g_autoptr (GobanScopes) scopes = goban_scopes_new (graph, ids, n, 0);
  g_autofree GobanNodeId *members = g_new (GobanNodeId, (gsize) n + 1);

  work->groups = g_array_new (FALSE, FALSE, sizeof (Group));
  g_array_set_clear_func (work->groups, clear_group);
  join_colocated (scopes, graph, ids, n);
  for (guint s = 0; s < scopes->n_scopes; s++)
    {
      Group group = { .n_nodes = 0 };

      for (guint i = 0; i < n; i++)
        if (scopes->of[i] == s)
          members[group.n_nodes++] = ids[i];
      if (group.n_nodes == 0)
        continue;
      group.label = make_label (work->after, scopes->names[s], members, group.n_nodes);
      group.nodes = goban_selection_new (members, group.n_nodes);
      group.work_us = sum_work (work, group.nodes);
      g_array_append_val (work->groups, group);
    }
  g_array_sort (work->groups, compare_work);
  if (work->groups->len > GOBAN_BREAKDOWN_GROUPS)
    join_smallest (work);
}

/* All orders at once: group i adds v(S + i) - v(S) to a set S of s others with the weight
 * s! (n - s - 1)! / n!. */
static gboolean
measure_exactly (Work *work, GError **error)
{
  guint n = work->groups->len;
  guint n_sets = 1u << n;
  g_autofree double *makespans_us = g_new (double, n_sets);
  g_autofree guint *sets = g_new (guint, n_sets);
  double weights[GOBAN_BREAKDOWN_EXACT];

  for (guint s = 0; s < n_sets; s++)
    sets[s] = s;
  makespans_us[0] = work->before_us;
  if (!simulate_sets (work, sets + 1, n_sets - 1, makespans_us + 1, error))
    return FALSE;
  weights[0] = 1.0 / n;
  for (guint s = 1; s < n; s++)
    weights[s] = weights[s - 1] * s / (n - s);
  for (guint set = 0; set < n_sets; set++)
    for (guint i = 0; i < n; i++)
      if ((set >> i & 1) == 0)
        group_at (work, i)->sum_us += weights[__builtin_popcount (set)]
                                      * (makespans_us[set | 1u << i] - makespans_us[set]);
  return TRUE;
}

/* Groups are moved one after another in @order, then in its reverse. */
static gboolean
measure_pair (Work *work, const guint32 *order, GError **error)
{
  guint n = work->groups->len;
  guint sets[2 * GOBAN_BREAKDOWN_GROUPS];
  double makespans_us[2 * GOBAN_BREAKDOWN_GROUPS];
  double added_us[GOBAN_BREAKDOWN_GROUPS] = { 0 };

  for (guint k = 0; k < 2; k++)
    for (guint i = 0, set = 0; i + 1 < n; i++)
      sets[k * (n - 1) + i] = set |= 1u << order[k == 0 ? i : n - 1 - i];
  if (!simulate_sets (work, sets, 2 * (n - 1), makespans_us, error))
    return FALSE;
  for (guint k = 0; k < 2; k++)
    {
      double last_us = work->before_us;

      for (guint i = 0; i < n; i++)
        {
          double next_us
              = i + 1 < n ? makespans_us[k * (n - 1) + i] : work->before_us + work->part_us[0];

          added_us[order[k == 0 ? i : n - 1 - i]] += (next_us - last_us) / 2;
          last_us = next_us;
        }
    }
  for (guint i = 0; i < n; i++)
    {
      group_at (work, i)->sum_us += added_us[i];
      group_at (work, i)->squares += added_us[i] * added_us[i];
    }
  work->n_pairs++;
  work->n_orders += 2;
  return TRUE;
}

/* --- bars ------------------------------------------------------------------------------------- */

static const char *
keep_text (GobanBreakdown *self, const char *text)
{
  char *copy = g_strdup (text);

  g_ptr_array_add (self->texts, copy);
  return copy;
}

static void
add_bar (GobanBreakdown *self, GArray *bars, GobanBar bar)
{
  bar.label = keep_text (self, bar.label);
  if (bar.nodes != NULL)
    {
      goban_selection_ref (bar.nodes);
      goban_selection_get_ids (bar.nodes, &bar.n_nodes);
    }
  g_array_append_val (bars, bar);
}

static double
mean_of (const Work *work, const Group *group)
{
  return group->sum_us / MAX (work->n_pairs, 1);
}

/* Standard error of the mean over pairs of orders. */
static double
error_of (const Work *work, const Group *group)
{
  double mean_us = mean_of (work, group);
  guint n = work->n_pairs;

  double variance = n > 1 ? (group->squares / n - mean_us * mean_us) / (n - 1) : 0;

  /* Less is rounding of the squares. */
  return variance > 1e-12 * mean_us * mean_us ? sqrt (variance) : 0;
}

static int
compare_size (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Work *work = user_data;
  double x = fabs (mean_of (work, group_at (work, *(const guint *) a)));
  double y = fabs (mean_of (work, group_at (work, *(const guint *) b)));

  return x > y ? -1 : x < y;
}

static void
add_groups (GobanBreakdown *self, GArray *bars, const Work *work)
{
  guint order[GOBAN_BREAKDOWN_GROUPS];
  double at_us = work->before_us;
  guint n = work->groups->len;

  if (n < 2 || !(work->is_complete || work->n_pairs > 0))
    return;
  for (guint i = 0; i < n; i++)
    order[i] = i;
  g_qsort_with_data (order, (int) n, sizeof *order, compare_size, (gpointer) work);
  for (guint i = 0; i < n; i++)
    {
      const Group *group = group_at (work, order[i]);
      double to_us = i + 1 < n ? at_us + mean_of (work, group) : work->before_us + work->part_us[0];

      add_bar (self, bars,
               (GobanBar){ .kind = GOBAN_BAR_GROUP,
                           .label = group->label,
                           .from_us = at_us,
                           .to_us = to_us,
                           .error_us = error_of (work, group),
                           .nodes = group->nodes,
                           .is_possible = TRUE });
      at_us = to_us;
    }
}

/* Adds the bars of the parts, which follow each other from the first plan on. */
static double
add_parts (GobanBreakdown *self, GArray *bars, const Work *work)
{
  static const char *const labels[] = { N_ ("placement"), N_ ("order"), N_ ("fusion") };
  double at_us = work->before_us;

  for (guint i = 0; i < N_PARTS; i++)
    {
      GobanSelection *nodes = goban_difference_get_nodes (work->difference, parts[i].change);

      /* A single group is the placement itself. */
      add_bar (self, bars,
               (GobanBar){ .kind = parts[i].bar,
                           .label = _ (labels[i]),
                           .from_us = at_us,
                           .to_us = at_us + work->part_us[i],
                           .nodes = nodes,
                           .is_possible = work->is_possible[i] });
      if (i == 0)
        add_groups (self, bars, work);
      at_us += work->part_us[i];
    }
  return at_us;
}

static void
add_step (GobanBreakdown *self, GArray *bars, GobanBarKind kind, const char *label,
          const double span_us[2])
{
  add_bar (self, bars,
           (GobanBar){ .kind = kind,
                       .label = label,
                       .from_us = span_us[0],
                       .to_us = span_us[1],
                       .is_possible = TRUE });
}

/* A snapshot of the present result. (transfer full) */
static GobanBreakdown *
take_stock (const Work *work)
{
  GobanBreakdown *self = g_new0 (GobanBreakdown, 1);
  GArray *bars = g_array_new (FALSE, TRUE, sizeof (GobanBar));
  GobanRun *listed = goban_difference_get_unmatched (work->difference);
  double first_us = goban_run_get_makespan_us (work->before);
  double last_us = goban_run_get_makespan_us (listed);
  double rounding_us = 1e-9 * fmax (first_us, last_us);
  double at_us;

  g_atomic_ref_count_init (&self->ref_count);
  self->texts = g_ptr_array_new_with_free_func (g_free);
  add_step (self, bars, GOBAN_BAR_BEFORE, goban_run_get_name (work->before),
            (double[]){ 0, first_us });
  if (fabs (work->before_us - first_us) > rounding_us)
    add_step (self, bars, GOBAN_BAR_CLUSTER, _ ("cluster"),
              (double[]){ first_us, work->before_us });
  at_us = add_parts (self, bars, work);
  add_step (self, bars, GOBAN_BAR_INTERACTION, _ ("interaction"),
            (double[]){ at_us, work->after_us });
  if (fabs (work->after_us - last_us) > rounding_us)
    add_step (self, bars, GOBAN_BAR_TIES, _ ("ties between devices"),
              (double[]){ work->after_us, last_us });
  add_step (self, bars, GOBAN_BAR_AFTER, goban_run_get_name (listed), (double[]){ 0, last_us });

  self->is_complete = work->is_complete;
  self->n_groups = work->groups->len;
  self->n_orders = work->n_orders;
  self->n_simulations = work->n_simulations;
  self->n_bars = bars->len;
  self->bars = (GobanBar *) (void *) g_array_free (bars, FALSE);
  return self;
}

/* --- all of it -------------------------------------------------------------------------------- */

static void
tell (const Work *work)
{
  g_autoptr (GobanBreakdown) so_far = NULL;

  if (work->options->on_found == NULL)
    return;
  so_far = take_stock (work);
  work->options->on_found (so_far, work->options->user_data);
}

static gboolean
measure_sampled (Work *work, GError **error)
{
  guint n = work->groups->len;
  guint n_pairs = MAX (GOBAN_BREAKDOWN_BUDGET / (2 * (n - 1)), 2);
  guint32 order[GOBAN_BREAKDOWN_GROUPS];
  GobanRng rng;

  goban_rng_init (&rng, SEED);
  for (guint i = 0; i < n; i++)
    order[i] = i;
  for (guint i = 0; i < n_pairs; i++)
    {
      goban_progress_step (work->options->progress, (double) i / n_pairs, "");
      goban_rng_shuffle (&rng, order, n);
      if (!measure_pair (work, order, error))
        return FALSE;
      tell (work);
    }
  return TRUE;
}

/* A single group is the placement. */
static gboolean
measure_groups (Work *work, GError **error)
{
  guint n = work->groups->len;

  if (n < 2 || !work->is_possible[0])
    return goban_progress_check (work->options->progress, error);
  return n <= GOBAN_BREAKDOWN_EXACT ? measure_exactly (work, error) : measure_sampled (work, error);
}

GobanBreakdown *
goban_breakdown_new (GobanDifference *difference, const GobanBreakdownOptions *options,
                     GError **error)
{
  static const GobanBreakdownOptions none = { 0 };
  GobanCostModel *costs = goban_run_get_costs (difference->after);
  g_auto (Work) work = { .options = options != NULL ? options : &none,
                         .difference = difference,
                         .before = difference->before,
                         .after = difference->after };

  if (!goban_fusing_check (goban_run_get_plan (work.before), costs, error)
      || !goban_fusing_check (goban_run_get_plan (work.after), costs, error)
      || !goban_progress_check (work.options->progress, error))
    return NULL;
  work.evaluator = goban_evaluator_new (costs, work.options->n_threads);
  if (!measure_wholes (&work, error))
    return NULL;
  measure_parts (&work);
  find_groups (&work);
  tell (&work);
  if (!measure_groups (&work, error))
    return NULL;
  work.is_complete = TRUE;
  return take_stock (&work);
}

GobanBreakdown *
goban_breakdown_ref (GobanBreakdown *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
goban_breakdown_unref (GobanBreakdown *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  for (guint i = 0; i < self->n_bars; i++)
    g_clear_pointer (&self->bars[i].nodes, goban_selection_unref);
  g_ptr_array_unref (self->texts);
  g_free (self->bars);
  g_free (self);
}
