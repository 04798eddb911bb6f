/* GO without learning: a network that was taught on other graphs is asked for a plan. */
#include "engine/rl/go-run.h"
#include "engine/rl/policies.h"

#define N_SAMPLES 16

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  g_auto (GobanGoRun) run = { 0 };

  if (!goban_go_run_begin (&run, costs, options, TRUE, 1 + N_SAMPLES, error)
      || !goban_go_run_ask (
          &run, options->max_evaluations > 1 ? (guint) options->max_evaluations - 1 : N_SAMPLES,
          error))
    return NULL;
  return goban_search_end (&run.search, evaluations);
}

const GobanPlacer goban_placer_go_zeroshot = {
  .name = "go-zeroshot",
  .blurb = "GO's trained network decides at once, best of the likeliest plan and 16 samples",
  .about
  = "The network of go, taught beforehand on graphs of other families and sizes, looks at the "
    "graph once. "
    "The likeliest plan is simulated, and 16 that are drawn; --evals 1 is the likeliest alone. "
    "Nothing is learned here. --network FILE names another network; goban-cli train go makes one.",
  .source = "Zhou et al., Transferable Graph Optimizers for ML Compilers, NeurIPS 2020",
  .effort = GOBAN_EFFORT_QUICK,
  .default_evaluations = 1 + N_SAMPLES,
  .has_tasks = TRUE,
  .place = place,
};
