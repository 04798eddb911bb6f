/* m-ETF of Baechi (Jeon et al., 2020): the earliest start, within memory, over channels. */
#include "engine/placers/coplacement.h"
#include "engine/placers/earliest.h"
#include "engine/placers/policies.h"

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  g_autoptr (GobanUnits) units = goban_units_new_coplaced (costs, error);
  g_autoptr (GobanListSchedule) schedule = NULL;
  g_auto (GobanTrees) trees = { 0 };
  GobanEarliestRules rules;

  if (units == NULL)
    return NULL;

  goban_trees_init (&trees, units);
  rules = (GobanEarliestRules){
    .units = units,
    .trees = &trees,
    .leaders = TRUE,
    .channels = !goban_cost_model_is_contention_free (costs),
  };
  schedule = goban_earliest_schedule (&rules, options, error);
  return schedule != NULL ? goban_list_schedule_new_plan (schedule) : NULL;
}

const GobanPlacer goban_placer_m_etf = {
  .name = "m-etf",
  .blurb = "Baechi's ETF: the earliest start where memory suffices, transfers in line",
  .about = "Of all pairs of a ready node and a device with enough memory the one that can "
           "start first is scheduled, ties in topological order. A device sends one tensor "
           "at a time and receives one at a time, and gets each tensor once. Before that a "
           "node with a single consumer joins its group, and backward nodes join their "
           "forward nodes; such trees are scheduled as one, as Baechi fuses them. The "
           "first tree of a group binds the group to its device and reserves the memory of "
           "its parameters; outputs take memory from their node's turn to that of their "
           "last reader. Ours: groups that no device could run or hold together stay "
           "apart; variables and constants come along with their first reader; where no "
           "device has memory left the one that lacks least is taken, where Baechi gives "
           "up; ops run in the planned order.",
  .source = "Jeon et al., Baechi: Fast Device Placement of Machine Learning Graphs, SoCC 2020",
  .place = place,
};
