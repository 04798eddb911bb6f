/* The recorded run: each op on its lane, in the order of the recorded starts. Not in the roster:
 * only graphs of recordings have lanes. */
#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/placers/policies.h"

#include <math.h>

static gboolean
refuse_lane (const GobanCostModel *costs, const GobanNode *node, GError **error)
{
  const char *spec = goban_graph_get_cluster_spec (goban_cost_model_get_graph (costs));

  if (node->lane == GOBAN_NO_LANE)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "node “%s” has no recorded lane: the policy recorded is for graphs of "
                         "recorded runs",
                         node->name);
  return goban_refuse (error, GOBAN_ERROR_INVALID,
                       "node “%s” ran on lane %u of the recording, which the cluster has not: "
                       "choose the recording's own, %s",
                       node->name, node->lane, spec);
}

/* The device of the op: its lane, or the one that the user forces. */
static GobanDeviceId
decide (GobanDecisionsWriter *span, const GobanCostModel *costs, GobanNodeId v)
{
  const GobanNode *node = goban_graph_get_node (goban_cost_model_get_graph (costs), v);
  guint n_devices = goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs));
  const GobanDecisionHead head = { .task = GOBAN_TASK_PLACEMENT,
                                   .options = GOBAN_OPTION_DEVICE,
                                   .nodes = &v,
                                   .n_nodes = 1,
                                   .n_options = n_devices,
                                   .flags = GOBAN_DECISION_AT_ONCE };

  for (guint d = 0; d < n_devices && span != NULL; d++)
    if (!goban_cost_model_can_run (costs, v, (GobanDeviceId) d))
      goban_decisions_writer_score (span, d, (double) NAN, GOBAN_REFUSAL_CANNOT_RUN);
    else if (node->group != GOBAN_NO_GROUP && d != node->lane)
      goban_decisions_writer_score (span, d, (double) NAN, GOBAN_REFUSAL_GROUP);
  return (GobanDeviceId) goban_decisions_writer_decide (span, &head, node->lane);
}

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  guint n_nodes = goban_graph_get_n_nodes (graph);
  guint n_devices = goban_cluster_get_n_devices (goban_cost_model_get_cluster (costs));
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, n_devices);
  GobanDecisionsWriter *span = goban_decisions_writer_open (
      options->decisions,
      &(GobanSpanHead){ .name = "plan", .level = GOBAN_LEVEL_PLAN, .has_base = TRUE });

  goban_plan_set_order (plan, GOBAN_ORDER_PRIORITY);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);

      if (!goban_policy_go_on (options, v, n_nodes, error))
        return NULL;
      if (node->lane >= n_devices
          || !goban_cost_model_can_run (costs, v, (GobanDeviceId) node->lane))
        {
          refuse_lane (costs, node, error);
          return NULL;
        }
      goban_plan_set_device (plan, v, decide (span, costs, v));
      /* Nodes are numbered by their starts. */
      goban_plan_set_priority (plan, v, (gint32) (n_nodes - 1 - v));
    }
  goban_decisions_writer_settle (span, plan);
  goban_decisions_writer_close (span, NULL, TRUE);
  return g_steal_pointer (&plan);
}

const GobanPlacer goban_placer_recorded = {
  .name = "recorded",
  .blurb = N_ ("the run that was recorded: each op on its lane, in the recorded order"),
  .about = N_ ("For graphs of recorded runs. Each op is on the lane where it ran, and the earlier "
               "it started, the higher its priority. On the cluster of the recording's lanes the "
               "simulation repeats the recording, so what it explains holds for the recording, and "
               "changes of the plan or of the devices are compared with it."),
  .source = "the recording",
  .forcing = GOBAN_FORCING_INSIDE,
  .place = place,
};
