/* GO without learning: a network that was taught on other graphs is asked for a plan. */
#include "engine/base/words.h"
#include "engine/rl/go-run.h"
#include "engine/rl/policies.h"

#define DEFAULT_EVALUATIONS 32

/* Of the budget, beside the likeliest plan, for plans that are drawn at once. */
#define SHARE_AT_ONCE 4

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
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

const GobanPlacer goban_placer_go_zeroshot = {
  .name = "go-zeroshot",
  .blurb = N_ ("GO's trained network is asked for plans, and learns nothing here"),
  .about
  = N_ ("The network of go, taught beforehand on graphs of other sizes (data/policies says "
        "which), looks at the graph. The likeliest plan is simulated, a quarter of 32 "
        "evaluations is drawn from the network at once, then the quick heuristics' plans, and "
        "the rest are the network's changes of the best of all these. Nothing is learned. "
        "--evals 1 is the likeliest plan alone; --set start=nothing leaves the heuristics out. "
        "--network FILE names another network; goban-cli train go makes one."),
  .source = "Zhou et al., Transferable Graph Optimizers for ML Compilers, NeurIPS 2020",
  .effort = GOBAN_EFFORT_QUICK,
  .has_tasks = TRUE,
  .place = place,
};
