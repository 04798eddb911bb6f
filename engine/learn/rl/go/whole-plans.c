/* whole-plans.c: go-zeroshot and go-portfolio with a network of whole plans
 * (engine/learn/policy/network.h), which also changes the best plan. */
#include "engine/learn/rl/go/go-run.h"
#include "engine/learn/rl/policies.h"

#define DEFAULT_EVALUATIONS 32

/* Share of the budget for drawn whole plans, beside the likeliest plan. */
#define SHARE_AT_ONCE 4

GobanPlan *
goban_whole_plans_place (GobanCostModel *costs, const GobanPlacerOptions *options,
                         guint64 *evaluations, GError **error)
{
  g_auto (GobanGoRun) run = { 0 };
  guint64 n_samples;

  if (!goban_go_run_begin (&run, costs, options, TRUE, DEFAULT_EVALUATIONS, error))
    return NULL;
  /* With a start plan, the other samples change the best plan. */
  n_samples = run.search.max_evaluations;
  if (n_samples == 0) /* there are only seconds */
    n_samples = run.settings.start != GOBAN_START_NOTHING ? DEFAULT_EVALUATIONS : G_MAXUINT;
  if (run.settings.start != GOBAN_START_NOTHING)
    n_samples /= SHARE_AT_ONCE;
  if (!goban_go_run_ask (&run, (guint) MIN (n_samples, G_MAXUINT), error)
      || !goban_go_run_try_changes (&run, error))
    return NULL;
  return goban_go_run_end (&run, evaluations);
}
