#include "engine/study/analysis/difference/revert.h"

#include "engine/study/run/fusing.h"

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
      = goban_attribution_revert (revert->before, revert->after, revert->kind, revert->nodes);
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
