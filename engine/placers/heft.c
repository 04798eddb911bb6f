/* Heterogeneous Earliest Finish Time: Topcuoglu, Hariri and Wu (2002), with memory.
 *
 * Nodes are taken by descending upward rank; each goes into the gap where it finishes first.
 */
#include "engine/base/i18n.h"
#include "engine/placers/insertion.h"
#include "engine/placers/policies.h"

static gboolean
schedule_by_rank (GobanInsertion *insertion, const double *ranks, const GobanPlacerOptions *options,
                  GError **error)
{
  guint n_nodes = goban_graph_get_n_nodes (insertion->units->graph);
  g_autofree GobanNodeId *order = g_new (GobanNodeId, n_nodes);

  /* Weights are not negative and ids topological, so this order is topological, too. */
  goban_policy_sort_by_rank (order, ranks, n_nodes);
  for (guint i = 0; i < n_nodes; i++)
    {
      if (!goban_policy_go_on (options, i, n_nodes, error))
        return FALSE;
      goban_insertion_place (insertion, order[i]);
    }
  return TRUE;
}

static const GobanInsertionRules rules
    = { .rank = goban_units_upward_ranks,
        .schedule = schedule_by_rank,
        .words = { "upward_rank_us", "finish_us", TRUE, "the first device" } };

GobanListSchedule *
goban_heft_schedule (const GobanUnits *units, const GobanPlacerOptions *options, GError **error)
{
  return goban_insertion_schedule (&rules, units, options, error);
}

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  return goban_insertion_place_all (&rules, costs, options, evaluations, error);
}

const GobanPlacer goban_placer_heft = {
  .name = "heft",
  .blurb = N_ ("earliest finish first by upward rank, filling gaps, within memory"),
  .about = N_ ("Takes the nodes by descending upward rank, the longest path to the end by mean "
               "times and mean transfers, and puts each into the gap of the device where it "
               "finishes first. Transfers take their time but do not wait for each other, as in "
               "the paper. Ours: variables, constants and what renames them come along with "
               "their first reader; the first node of a colocation group binds the group; a "
               "device without room for the node is passed over while another has room (m-HEFT); "
               "a plan that still overflows in a simulation is made again with memory kept free, "
               "and if none fits, the one that lacks least memory is taken; ops run by rank "
               "where transfers contend, and in the planned order where they do not."),
  .source = "Topcuoglu, Hariri and Wu, Performance-Effective and Low-Complexity Task Scheduling "
            "for Heterogeneous Computing, 2002",
  .place = place,
};
