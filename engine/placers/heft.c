/* Heterogeneous Earliest Finish Time: Topcuoglu, Hariri and Wu (2002), with memory.
 *
 * Nodes are taken by descending upward rank; each goes into the gap where it finishes first.
 */
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

GobanListSchedule *
goban_heft_schedule (const GobanUnits *units, const GobanPlacerOptions *options, GError **error)
{
  g_auto (GobanInsertion) insertion = { 0 };
  g_autofree double *ranks = g_new (double, goban_graph_get_n_nodes (units->graph));

  goban_insertion_init (&insertion, units);
  goban_units_upward_ranks (units, ranks);
  if (!schedule_by_rank (&insertion, ranks, options, error))
    return NULL;
  return g_steal_pointer (&insertion.schedule);
}

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  g_autoptr (GobanUnits) units = goban_units_new (costs, error);
  g_auto (GobanInsertion) insertion = { 0 };
  g_autofree double *ranks = NULL;

  if (units == NULL)
    return NULL;

  goban_insertion_init (&insertion, units);
  ranks = g_new (double, goban_graph_get_n_nodes (units->graph));
  goban_units_upward_ranks (units, ranks);
  if (!schedule_by_rank (&insertion, ranks, options, error))
    return NULL;
  return goban_insertion_new_plan (&insertion, ranks);
}

const GobanPlacer goban_placer_heft = {
  .name = "heft",
  .blurb = "earliest finish first by upward rank, filling gaps, within memory",
  .about = "Takes the nodes by descending upward rank, the longest path to the end by mean "
           "times and mean transfers, and puts each into the gap of the device where it "
           "finishes first. Transfers take their time but do not wait for each other, as "
           "in the paper. Ours: variables, constants and what renames them come along with "
           "their first reader; the first node of a colocation group binds the group; a "
           "device without room for the node is passed over while another has room "
           "(m-HEFT); ops run by rank where transfers contend, and in the planned order "
           "where they do not.",
  .source = "Topcuoglu, Hariri and Wu, Performance-Effective and Low-Complexity Task Scheduling "
            "for Heterogeneous Computing, 2002",
  .place = place,
};
