/* go-finetune and go-one: the decoder learns on the graph, then moves improve its best plan. */
#include "engine/core/i18n.h"
#include "engine/learn/rl/moves/move-search.h"
#include "engine/learn/rl/policies.h"

#define DEFAULT_EVALUATIONS 800
#define DEFAULT_EVALUATIONS_ONE 2000

static GobanPlan *
fine_tune (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
           GError **error)
{
  const GobanMoveSearchUse use = { .default_evaluations = DEFAULT_EVALUATIONS };

  return goban_move_search_place (costs, options, &use, evaluations, error);
}

static GobanPlan *
learn_from_nothing (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
                    GError **error)
{
  const GobanMoveSearchUse use
      = { .default_evaluations = DEFAULT_EVALUATIONS_ONE, .is_untrained = TRUE };

  return goban_move_search_place (costs, options, &use, evaluations, error);
}

const GobanPlacer goban_placer_go_finetune = {
  .name = "go-finetune",
  .blurb = N_ ("a trained network learns on this graph; moves improve its best plan"),
  .about
  = N_ ("The first 17 plans are those of go-zeroshot. Then the network is updated on this graph, "
        "fewer than 50 times, by 16 plans each: REINFORCE with a floor under the entropy of its "
        "decisions, a limit of the change of an update, and its own best plan so far as an "
        "example. With the rest of the budget the best plan is improved by moves of groups of "
        "ops. --set updates=N says how many updates, rate=0 learns nothing; start=cells begins "
        "with splits instead of the network. --tasks adds scheduling and fusion: rules for both "
        "are tried as a whole, then moves of keys and of fusion levels share the evaluations "
        "with moves of placement. What is not a task stays as in the plan that --start names, or "
        "first in, first out and unfused; for placement alone --set order=fifo says so. A plan "
        "that is given is where the moves begin, in place of the network's. --network FILE names "
        "another network; goban-cli train builder makes one."),
  .source = "Zhou et al., Transferable Graph Optimizers for ML Compilers, NeurIPS 2020",
  .effort = GOBAN_EFFORT_LEARNED,
  .is_random = TRUE,
  .default_evaluations = DEFAULT_EVALUATIONS,
  .has_tasks = TRUE,
  .has_network = TRUE,
  .has_start = TRUE,
  .setting = "*",
  .forcing = GOBAN_FORCING_INSIDE,
  .place = fine_tune,
};

const GobanPlacer goban_placer_go_one = {
  .name = "go-one",
  .blurb = N_ ("a new network learns on this graph alone; moves improve its best plan"),
  .about = N_ ("As go-finetune, but nothing is learned beforehand: the network begins with random "
               "weights and an earliest-start rule."),
  .source = "Zhou et al., Transferable Graph Optimizers for ML Compilers, NeurIPS 2020",
  .effort = GOBAN_EFFORT_LEARNED,
  .is_random = TRUE,
  .default_evaluations = DEFAULT_EVALUATIONS_ONE,
  .has_tasks = TRUE,
  .has_start = TRUE,
  .setting = "*",
  .forcing = GOBAN_FORCING_INSIDE,
  .place = learn_from_nothing,
};
