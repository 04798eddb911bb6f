/* go-zeroshot: plans by the trained decoder, without learning on the graph. */
#include "engine/core/i18n.h"
#include "engine/learn/rl/builder/decoding.h"
#include "engine/learn/rl/policies.h"

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  const GobanDecodingUse use = { .default_evaluations = GOBAN_DECODING_EVALUATIONS };

  return goban_decoding_place (costs, options, &use, evaluations, error);
}

const GobanPlacer goban_placer_go_zeroshot = {
  .name = "go-zeroshot",
  .blurb = N_ ("a trained network builds plans row by row, and learns nothing here"),
  .about
  = N_ ("Taught beforehand on random networks (data/policies says how), the network places "
        "one row of the graph after another, a layer at a few time steps for example. It reads "
        "embeddings of the rows by GraphSAGE, recurrent attention over segments of them and "
        "modulation by the graph, attends to the devices with the rows placed on them, and "
        "carries a state of the actions taken; it "
        "sees after each what came of it: when the row could start on every device, loads, "
        "transfers, memory, and where its neighbours are. The likeliest plan of up to five cuts "
        "into rows is simulated, then samples at temperature 4, of eight each the one that its own "
        "schedule expects to be the shortest: 17 evaluations. By that schedule each plan is "
        "refined before it is simulated, with up to 400 changes of rows, and a small graph with "
        "twice as many of single ops, and gets the order in which it is expected to end first; "
        "--set refine=N tries N and 2 N changes, refine=0 none. There is no expert, no heuristic "
        "and no "
        "name in it, and nothing is learned. The network decides placement; with --tasks all each "
        "plan is fused as well, what saves most traffic first. With five or fewer "
        "the first plans are chosen among eight, too; --set drafts=1 simulates every plan that is "
        "built, --evals 1 --set drafts=1,refine=0 the likeliest one as it is built, --set "
        "temperature=T draws otherwise. --network FILE names "
        "another network; goban-cli train builder makes one."),
  .source = "Zhou et al., Transferable Graph Optimizers for ML Compilers, NeurIPS 2020",
  .effort = GOBAN_EFFORT_SEARCH,
  .is_random = TRUE,
  .has_tasks = TRUE,
  .has_network = TRUE,
  .default_evaluations = GOBAN_DECODING_EVALUATIONS,
  .setting = "*",
  .forcing = GOBAN_FORCING_INSIDE,
  .place = place,
};
