/* m-ETF of Baechi (Jeon et al., 2020): the earliest start, within memory, over channels. */
#include "engine/core/i18n.h"
#include "engine/placers/baechi.h"
#include "engine/placers/policies.h"

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  return goban_baechi_place (costs, FALSE, options, evaluations, error);
}

const GobanPlacer goban_placer_m_etf = {
  .name = "m-etf",
  .blurb = N_ ("Baechi's ETF: the earliest start where memory suffices, transfers in line"),
  .about = N_ (
      "Of all pairs of a ready node and a device with enough memory the one that can start first "
      "is scheduled, ties in topological order. A device sends one tensor at a time and "
      "receives one at a time, and gets each tensor once. Before that a node with a single "
      "consumer joins its group; the first node of a group to be scheduled binds the "
      "group to its device and reserves the memory of its parameters. Outputs take memory from "
      "their node's turn to that of their last reader, those that the backward pass needs for the "
      "whole run. Gradients follow their forward op, for Baechi places the forward graph "
      "alone. Ours: it is done twice, with the readers of a variable together and without, and "
      "again with memory kept free where a simulation says that it overflows, and the best plan "
      "counts; groups that no device could run or hold together stay apart; where no device has "
      "memory left, the one that lacks least is taken; ops run in the planned order."),
  .source = "Jeon et al., Baechi: Fast Device Placement of Machine Learning Graphs, SoCC 2020",
  .forcing = GOBAN_FORCING_INSIDE,
  .place = place,
};
