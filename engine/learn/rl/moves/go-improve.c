/* go-improve: improves a good plan by moves that a trained network proposes, without learning on
 * the graph. */
#include "engine/core/i18n.h"
#include "engine/learn/rl/moves/move-search.h"
#include "engine/learn/rl/policies.h"

#define DEFAULT_EVALUATIONS 200

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  const GobanMoveSearchUse use = { .default_evaluations = DEFAULT_EVALUATIONS };

  return goban_move_search_place (costs, options, &use, evaluations, error);
}

const GobanPlacer goban_placer_go_improve = {
  .name = "go-improve",
  .blurb = N_ ("a trained network proposes moves that improve a plan"),
  .about
  = N_ ("Begins at the best plan of go-zeroshot, which has a third of the budget, 17 to 51 "
        "evaluations; with --set start=cells at the best of some splits along parameters or "
        "their uses, under five static orders. Then, for each "
        "simulation, up to 64 groups of ops are drawn and a network scores their moves to every "
        "device: by transfers saved, by what would be late, by loads, slack and memory. The "
        "best-scored move is simulated. The network was taught beforehand by exact gains of moves "
        "on random networks (data/policies says how); it reads no names and knows no expert. "
        "--set proposals=hand, untrained or uniform replaces the network by hand-set weights, "
        "an untrained network or chance. --network FILE names another network; goban-cli "
        "train moves makes one. --tasks adds scheduling and fusion: rules for both are tried as "
        "a whole, then moves of keys and of fusion levels, scored by what they would gain in "
        "the run so far, share the evaluations with moves of placement. What is not a task "
        "stays as in the plan that --start names, or first in, first out and unfused; for "
        "placement alone --set order=fifo says so. A plan that is given is also where the search "
        "begins, in place of go-zeroshot's."),
  .source = "ours; labels as in Ross, Gordon and Bagnell, DAgger, AISTATS 2011",
  .effort = GOBAN_EFFORT_SEARCH,
  .has_tasks = TRUE,
  .has_network = TRUE,
  .has_start = TRUE,
  .default_evaluations = DEFAULT_EVALUATIONS,
  .setting = "*",
  .forcing = GOBAN_FORCING_INSIDE,
  .place = place,
};
