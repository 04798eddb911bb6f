#include "engine/analysis/revert.h"

#include "engine/run/fusing.h"

GobanRun *
goban_revert_run (const GobanRevert *revert, GError **error)
{
  GobanCostModel *costs = goban_run_get_costs (revert->after);
  g_autoptr (GobanPlan) plan
      = goban_attribution_revert (revert->before, revert->after, revert->kind, revert->nodes);
  g_autofree char *name
      = g_strdup_printf ("%s without %s", goban_run_get_name (revert->after), revert->label);

  goban_plan_set_policy (plan, name);
  if (!goban_fusing_check (plan, costs, error))
    return NULL;
  return goban_run_new (costs, plan, name);
}
