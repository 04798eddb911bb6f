/* go (GO-one): a new network learns on the graph that it places. */
#include "engine/core/i18n.h"
#include "engine/learn/rl/go/go-run.h"
#include "engine/learn/rl/policies.h"

#define DEFAULT_EVALUATIONS 2000

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  g_auto (GobanGoRun) run = { 0 };

  if (!goban_go_run_begin (&run, costs, options, FALSE, DEFAULT_EVALUATIONS, error)
      || !goban_go_run_learn (&run, 1, G_MAXUINT, error))
    return NULL;
  return goban_go_run_end (&run, evaluations);
}

const GobanPlacer goban_placer_go = {
  .name = "go",
  .blurb = N_ ("GO-one: one policy network learns all three tasks on this graph"),
  .about = N_ ("GraphSAGE with max pooling over the rows' neighbours, recurrent attention over "
               "segments of the topological order, modulation by the graph embedding, and a head "
               "for each task behind one shared attention layer; trained by PPO with a ratio per "
               "row. Decisions are iterative, as GO's: each update starts from the best plan so "
               "far, on a board of connected groups that is drawn anew from it, and its rollouts "
               "change a few groups each. The first plan is the best of those that annealing "
               "begins with, the expert's among them; --set start=quick leaves out those that "
               "read names, and cells=0 splits along parameters and uses. If scheduling is not a "
               "task, ops go by the static order that is best for this plan; --set order=ranks "
               "is upward rank, order=fifo TensorFlow's order. --set preset=paper is GO as "
               "literally as it is published: no plan to begin with, every op a row, all decided "
               "at once, first in first out."),
  .source = "Zhou et al., Transferable Graph Optimizers for ML Compilers, NeurIPS 2020",
  .effort = GOBAN_EFFORT_LEARNED,
  .default_evaluations = DEFAULT_EVALUATIONS,
  .has_tasks = TRUE,
  .setting = "*",
  .forcing = GOBAN_FORCING_PLAN,
  .why_no_forcing = "decides all rows of a plan at once and learns from many plans, so that it "
                    "cannot go on from one",
  .place = place,
};
