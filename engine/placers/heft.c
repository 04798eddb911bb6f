/* Heterogeneous Earliest Finish Time: Topcuoglu, Hariri and Wu (2002), with memory.
 *
 * Nodes are taken by descending upward rank; each goes into the gap where it finishes first.
 */
#include "engine/core/i18n.h"
#include "engine/graph/levels.h"
#include "engine/placers/insertion.h"
#include "engine/placers/policies.h"

#define US_PER_MS 1000.0
#define MOMENT_US 1e-6

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

/* Ranks of the SAGA library, before its later versions broke ties by place: to the upward rank in
 * milliseconds it adds the node's place in a topological order, counted from the end; its mean
 * transfer counts a free link from every device to itself among the links. */
static void
rank_as_saga (const GobanUnits *units, double *ranks)
{
  const GobanGraph *graph = units->graph;
  guint n_nodes = goban_graph_get_n_nodes (graph);
  guint n_tensors = goban_graph_get_n_tensors (graph);
  double n_devices = units->n_devices;
  g_autofree double *w = g_new (double, n_nodes);
  g_autofree double *c = g_new (double, n_tensors);
  g_autofree GobanNodeId *order = g_new (GobanNodeId, n_nodes);

  goban_cost_model_mean_times (units->costs, w);
  goban_cost_model_mean_transfers (units->costs, c);
  for (guint t = 0; t < n_tensors; t++)
    c[t] *= (n_devices - 1) / (n_devices + 1);
  goban_graph_bottom_levels (graph, ranks, w, c);

  goban_graph_kahn_order (graph, order);
  for (guint i = 0; i < n_nodes; i++)
    ranks[order[i]] = ranks[order[i]] / US_PER_MS + (n_nodes - 1 - i);
}

/* --- choice of the ranks ------------------------------------------------------------------ */

static const GobanInsertionRules published
    = { .rank = goban_units_upward_ranks,
        .schedule = schedule_by_rank,
        .words = { "upward_rank_us", GOBAN_SCORE_FINISH_US, TRUE, "the first device" } };

/* The library refuses times of 0, so such nodes get a tiny one and no longer fit between two
 * adjacent nodes. */
static const GobanInsertionRules saga
    = { .rank = rank_as_saga,
        .schedule = schedule_by_rank,
        .words = { "saga_rank", GOBAN_SCORE_FINISH_US, TRUE, "the first device" },
        .least_us = MOMENT_US };

static const GobanInsertionRules *
choose_rules (const char *settings, GError **error)
{
  static const char *const words[] = { "published", "saga", NULL };
  guint choice;

  if (!goban_placer_choose (settings, "ranks", words, &choice, error))
    return NULL;
  return choice == 0 ? &published : &saga;
}

GobanListSchedule *
goban_heft_schedule (const GobanUnits *units, const GobanPlacerOptions *options, GError **error)
{
  const GobanInsertionRules *rules = choose_rules (options->settings, error);

  return rules != NULL ? goban_insertion_schedule (rules, units, options, error) : NULL;
}

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  const GobanInsertionRules *rules = choose_rules (options->settings, error);

  return rules != NULL ? goban_insertion_place_all (rules, costs, options, evaluations, error)
                       : NULL;
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
               "where transfers contend, and in the planned order where they do not. "
               "“ranks=saga” ranks as the SAGA library did: the place in a topological order is "
               "added to the rank."),
  .source = "Topcuoglu, Hariri and Wu, Performance-Effective and Low-Complexity Task Scheduling "
            "for Heterogeneous Computing, 2002",
  .setting = "ranks",
  .forcing = GOBAN_FORCING_INSIDE,
  .place = place,
};
