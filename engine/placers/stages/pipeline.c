/* PipeDream's cut (Narayanan et al., 2019): the layers in a row, a run of them per device, so that
 * the slowest stage of a pipeline is as fast as it can be.
 *
 * In a graph of micro-batches, backward ops go before forward ones and early micro-batches first,
 * as in 1F1B; a graph with a schedule has its order already.
 */
#include "engine/core/i18n.h"
#include "engine/machine/parallel/micro-batches.h"
#include "engine/placers/policies.h"
#include "engine/placers/stages/stages.h"

/* Nothing is compared: all stages are cut at once. */
static const GobanChoiceWords words = { NULL, GOBAN_SCORE_NONE, FALSE, NULL };

/* 0 of a graph without micro-batches. */
static guint
count_batches (const GobanGraph *graph)
{
  guint n_batches = 0;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      guint32 batch = goban_graph_get_node (graph, v)->micro_batch;

      if (batch != GOBAN_NO_BATCH)
        n_batches = MAX (n_batches, batch + 1);
    }
  return n_batches;
}

/* Bottom levels would prefer forward ops, which fills the memory. */
static void
prioritise (GobanPlan *plan, const GobanGraph *graph)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autofree double *keys = g_new (double, n_nodes + 1);
  guint n_batches = count_batches (graph);

  if (n_batches == 0)
    return;
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);

      keys[v] = goban_micro_batch_key (node->phase, node->micro_batch, n_batches);
    }
  goban_plan_set_priorities_by_key (plan, keys);
  goban_plan_set_order (plan, GOBAN_ORDER_PRIORITY);
}

/* The stage of a unit is that of its nodes; units that the stages tear apart are where their first
 * node is. */
static GobanPlan *
make_plan (GobanCostModel *costs, const GobanPlacerOptions *options, const guint *stages,
           const GobanDeviceId *used, GError **error)
{
  g_autoptr (GobanUnits) units = goban_units_new (costs, error);
  g_autofree GobanDeviceId *devices = NULL;
  GobanUnitDecisions decisions;
  GobanPlan *plan;

  if (units == NULL)
    return NULL;
  devices = g_new (GobanDeviceId, units->n_units + 1);
  decisions = goban_unit_decisions_begin (options, units, &words, 0);
  for (guint u = 0; u < units->n_units; u++)
    {
      devices[u] = used[stages[units->nodes[units->offsets[u]]]];
      if (!goban_units_can_run (units, u, devices[u]))
        devices[u] = goban_units_fastest_device (units, u);
      devices[u] = goban_unit_decisions_make (&decisions, u, devices[u], NULL);
    }
  plan = goban_units_new_plan (units, devices);
  prioritise (plan, units->graph);
  goban_unit_decisions_end (&decisions, plan, NULL, TRUE);
  return plan;
}

/* (transfer full) (nullable): the stage of each node. */
static guint *
cut (const GobanStageChain *chain, const GobanStageRequest *request, const char *settings,
     GError **error)
{
  static const char *const numbers[] = { "all", "auto", NULL };
  const GobanGraph *graph = chain->units->graph;
  guint n_batches = count_batches (graph);
  GobanStageChoice choice;
  guint word;

  if (!goban_placer_choose (settings, "stages", numbers, &word, error))
    return NULL;
  if (chain->n_blocks == 0)
    return g_new0 (guint, goban_graph_get_n_nodes (graph) + 1);
  return word == 0
             ? goban_stages_cut_chain (chain, request, error)
             : goban_stages_choose (chain, request, n_batches > 0 ? n_batches : request->n_batches,
                                    &choice, error);
}

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  guint n_used;
  g_autofree GobanDeviceId *used
      = goban_stages_find_devices (goban_cost_model_get_cluster (costs), &n_used);
  g_autoptr (GobanStageChain) chain = NULL;
  g_autofree guint *stages = NULL;
  GobanStageRequest request = { .devices = used, .n_batches = n_used, .is_lenient = TRUE };

  if (!goban_policy_go_on (options, 0, 1, error))
    return NULL;
  /* Fewer parts than devices are a shorter pipeline. */
  chain = goban_stage_chain_new (costs, n_used, NULL);
  if (chain == NULL)
    chain = goban_stage_chain_new (costs, 0, error);
  if (chain == NULL)
    return NULL;
  request.n_stages = MIN (n_used, chain->n_blocks);
  stages = cut (chain, &request, options->settings, error);
  if (stages == NULL)
    return NULL;
  return make_plan (costs, options, stages, used, error);
}

const GobanPlacer goban_placer_pipeline = {
  .name = "pipeline",
  .blurb = N_ ("PipeDream: the layers in a row, cut so that the slowest stage is fastest"),
  .about
  = N_ ("Puts the ops in a topological order of layers, ops that a cycle of layers joins together, "
        "and cuts the row into a run per device so that the slowest stage of a pipeline is as fast "
        "as it can be: a stage takes the time of its ops, or that of the tensors that cross its "
        "ends, whichever is longer. Backward ops stay with their forward op and updates with "
        "their gradients. Stages do not exceed a device's memory, with the activations of as many "
        "micro-batches as there are stages behind, if a cut can do that. In a graph of "
        "micro-batches, backward ops go first, and early micro-batches before late ones. "
        "--set stages=auto takes fewer devices if that is faster: the slowest stage's time counts "
        "once for each micro-batch and once for each further stage (a graph without micro-batches "
        "counts as if it had one per device). Ours: the "
        "optimum is found by halving instead of PipeDream's table, no stage is copied to several "
        "devices, and CPUs get no stage unless there is nothing else."),
  .source = "Narayanan et al., PipeDream: Generalized Pipeline Parallelism for DNN Training, "
            "SOSP 2019",
  .setting = "stages",
  .forcing = GOBAN_FORCING_INSIDE,
  .place = place,
};
