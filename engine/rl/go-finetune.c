/* GO fine-tuned: a network that was taught on other graphs learns on this one, for fewer than 50 updates. */
#include "engine/base/i18n.h"
#include "engine/rl/go-run.h"
#include "engine/rl/policies.h"

#define N_SAMPLES 16
#define MOST_UPDATES 49
#define DEFAULT_EVALUATIONS 800

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  g_auto (GobanGoRun) run = { 0 };

  if (!goban_go_run_begin (&run, costs, options, TRUE, DEFAULT_EVALUATIONS, error)
      || !goban_go_run_ask (&run, N_SAMPLES, error)
      || !goban_go_run_learn (&run, 1, MOST_UPDATES, error))
    return NULL;
  return goban_go_run_end (&run, evaluations);
}

const GobanPlacer goban_placer_go_finetune = {
  .name = "go-finetune",
  .blurb = N_ ("GO's trained network learns on this graph for at most 49 updates"),
  .about
  = N_ ("Begins as go-zeroshot does, with a network that was taught on other graphs, and goes "
        "on as go: every update is 16 rollouts that change the best plan so far. It ends after "
        "49 updates, whatever is left of the budget, for GO fine-tunes in fewer than 50 steps."),
  .source = "Zhou et al., Transferable Graph Optimizers for ML Compilers, NeurIPS 2020",
  .effort = GOBAN_EFFORT_LEARNED,
  .default_evaluations = DEFAULT_EVALUATIONS,
  .has_tasks = TRUE,
  .place = place,
};
