/* Quick heuristics' plans, and the changes of the best of them that a trained network of whole plans proposes. */
#include "engine/base/words.h"
#include "engine/rl/go-run.h"
#include "engine/rl/policies.h"

#define DEFAULT_EVALUATIONS 32

/* Of the budget, beside the likeliest plan, for plans that are drawn at once. */
#define SHARE_AT_ONCE 4

GobanPlan *
goban_go_portfolio_place (GobanCostModel *costs, const GobanPlacerOptions *options,
                          guint64 *evaluations, GError **error)
{
  g_auto (GobanGoRun) run = { 0 };
  guint64 n_samples;

  if (!goban_go_run_begin (&run, costs, options, TRUE, DEFAULT_EVALUATIONS, error))
    return NULL;
  /* With a plan to begin with, the other samples change the best there is. */
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

const GobanPlacer goban_placer_go_portfolio = {
  .name = "go-portfolio",
  .blurb = N_ ("Plans of quick heuristics, changed by a trained network"),
  .about
  = N_ ("A quarter of the evaluations is drawn from GO's network of whole plans, taught "
        "beforehand. Then come the "
        "plans of the quick heuristics, which know names and the expert's plan. The rest are the "
        "network's changes of the best of all these. Nothing is learned here. "
        "--network FILE names another network of this kind; goban-cli train go makes one. "
        "The network alone is go-zeroshot."),
  .source = "Zhou et al., Transferable Graph Optimizers for ML Compilers, NeurIPS 2020",
  .effort = GOBAN_EFFORT_QUICK,
  .has_tasks = TRUE,
  .place = goban_go_portfolio_place,
};
