#include "engine/session/attribution.h"

#include "engine/base/error.h"
#include "engine/base/quantity.h"
#include "engine/fusion/contraction.h"
#include "engine/session/report-table.h"
#include "engine/session/scopes.h"
#include "engine/sim/simulator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the reverts are made of. */
typedef struct
{
  GobanSimulator *simulator;
  GobanGraph *graph;
  GobanPlan *before;
  GobanPlan *after;
  GobanPlanDiff *diff;
  GobanScopes *scopes; /* of diff->moved */
} Work;

static void
work_clear (Work *work)
{
  g_clear_pointer (&work->scopes, goban_scopes_free);
  g_clear_pointer (&work->diff, goban_plan_diff_free);
  g_clear_pointer (&work->simulator, goban_simulator_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

/* Members of a colocation group follow its first: both plans keep it together, so it has moved
 * as a whole and must go back as one. */
static void
join_colocated (Work *work)
{
  guint n_groups = goban_graph_get_n_groups (work->graph);
  g_autofree guint *scope_of_group = g_new (guint, n_groups + 1);

  for (guint i = 0; i < n_groups; i++)
    scope_of_group[i] = G_MAXUINT;

  for (guint i = 0; i < work->diff->n_moved; i++)
    {
      guint32 group = goban_graph_get_node (work->graph, work->diff->moved[i])->group;

      if (group == GOBAN_NO_GROUP)
        continue;
      if (scope_of_group[group] == G_MAXUINT)
        scope_of_group[group] = work->scopes->of[i];
      work->scopes->sizes[work->scopes->of[i]]--;
      work->scopes->of[i] = scope_of_group[group];
      work->scopes->sizes[work->scopes->of[i]]++;
    }
}

static GobanPlan *
revert_scope (const Work *work, guint scope)
{
  GobanPlan *plan = goban_plan_copy (work->after);

  for (guint i = 0; i < work->diff->n_moved; i++)
    if (work->scopes->of[i] == scope)
      {
        GobanNodeId node = work->diff->moved[i];

        goban_plan_set_device (plan, node, goban_plan_get_device (work->before, node));
      }
  /* What was fused across the move cannot be any more, and that is part of the share. */
  goban_fusion_dissolve_split (plan);
  return plan;
}

static int
compare_shares (const void *a, const void *b)
{
  const GobanShare *x = a, *y = b;
  double dx = fabs (x->delta_us), dy = fabs (y->delta_us);

  if (dx != dy)
    return dx > dy ? -1 : 1;
  return strcmp (x->name, y->name);
}

static gboolean
fill_shares (GobanAttribution *self, const Work *work, double after_us,
             const GobanProgress *progress, GError **error)
{
  guint n_scopes = work->scopes->n_scopes;

  self->shares = g_new0 (GobanShare, n_scopes + 1);
  for (guint i = 0; i < n_scopes; i++)
    {
      g_autoptr (GobanPlan) plan = NULL;
      GobanShare *share = &self->shares[self->n_shares];
      GobanOutcome outcome;

      goban_progress_step (progress, (double) i / n_scopes, work->scopes->names[i]);
      if (!goban_progress_check (progress, error))
        return FALSE;
      if (work->scopes->sizes[i] == 0)
        continue;

      plan = revert_scope (work, i);
      outcome = goban_simulator_evaluate (work->simulator, plan);
      share->name = g_strdup (work->scopes->names[i]);
      share->n_nodes = work->scopes->sizes[i];
      share->delta_us = after_us - outcome.makespan_us;
      share->is_valid = outcome.overflow_bytes <= 0;
      self->remainder_us -= share->delta_us;
      self->n_shares++;
    }
  return TRUE;
}

GobanAttribution *
goban_attribution_new (GobanRun *before, GobanRun *after, const GobanProgress *progress,
                       GError **error)
{
  g_autoptr (GobanAttribution) self = g_new0 (GobanAttribution, 1);
  GobanCostModel *costs = goban_run_get_costs (after);
  g_auto (Work) work = { .graph = goban_run_get_graph (after),
                         .before = goban_run_get_plan (before),
                         .after = goban_run_get_plan (after) };
  double before_us, after_us;

  if (!goban_fusing_check (work.before, costs, error)
      || !goban_fusing_check (work.after, costs, error))
    return NULL;

  work.simulator = goban_simulator_new (costs);
  work.diff = goban_plan_diff (work.before, work.after);
  work.scopes = goban_scopes_new (work.graph, work.diff->moved, work.diff->n_moved, 0);
  join_colocated (&work);

  before_us = goban_simulator_evaluate (work.simulator, work.before).makespan_us;
  after_us = goban_simulator_evaluate (work.simulator, work.after).makespan_us;
  if (!isfinite (before_us) || !isfinite (after_us))
    {
      g_set_error_literal (error, GOBAN_ERROR, GOBAN_ERROR_INVALID,
                           "one of the plans takes longer than can be counted");
      return NULL;
    }
  self->delta_us = after_us - before_us;
  self->remainder_us = self->delta_us;
  if (!fill_shares (self, &work, after_us, progress, error))
    return NULL;

  qsort (self->shares, self->n_shares, sizeof *self->shares, compare_shares);
  return g_steal_pointer (&self);
}

void
goban_attribution_free (GobanAttribution *self)
{
  for (guint i = 0; i < self->n_shares; i++)
    g_free (self->shares[i].name);
  g_free (self->shares);
  g_free (self);
}

/* "+" or "-" and a time; what is less than rounding makes of times is none. */
static const char *
format_delta (char *buffer, double delta_us, double whole_us)
{
  if (fabs (delta_us) <= 1e-9 * fabs (whole_us))
    return goban_format_time (buffer, 0);

  *buffer = delta_us < 0 ? '-' : '+';
  goban_format_time (buffer + 1, fabs (delta_us));
  return buffer;
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

      largest_us = MAX (largest_us, fabs (share->delta_us));
      if (i >= n_rows)
        {
          others_us += share->delta_us;
          n_others += share->n_nodes;
          continue;
        }
      goban_table_add (table, "%s", format_delta (buffer, share->delta_us, largest_us));
      goban_table_add (table, "%s", share->name);
      goban_table_add (table, "%u", share->n_nodes);
      goban_table_add (table, "%s", share->is_valid ? "" : "needed: without it memory runs out");
    }
  if (self->n_shares > n_rows)
    {
      goban_table_add (table, "%s", format_delta (buffer, others_us, largest_us));
      goban_table_add (table, "%u more", self->n_shares - n_rows);
      goban_table_add (table, "%u", n_others);
      goban_table_add (table, "%s", "");
    }
  goban_table_add (table, "%s", format_delta (buffer, self->remainder_us, largest_us));
  goban_table_add (table, "%s", "together, and priorities");
  goban_table_add (table, "%s", "");
  goban_table_add (table, "%s", "");
  goban_table_append_to (table, text);
  g_string_append_printf (text, "%s in all\n", format_delta (buffer, self->delta_us, largest_us));
  return g_string_free (text, FALSE);
}
