#include "engine/study/run/greedy-plan.h"

#include "engine/core/error.h"
#include "engine/decisions/decisions-writer.h"

#include <math.h>

#define NODES_PER_REPORT 256

struct _GobanGreedyPlan
{
  GobanCostModel *costs;
  GobanGraph *graph;     /* of the costs */
  GobanCluster *cluster; /* of the costs */
  GobanPlan *plan;
  double *finish_us;       /* (n_nodes), -1 for a node not placed yet */
  double *free_us;         /* (n_devices) */
  double *used_bytes;      /* (n_devices) */
  GobanDeviceId *of_group; /* (n_groups): device of a group, or GOBAN_NO_DEVICE */
  guint n_placed;
  GobanDecisionsWriter *decisions; /* (nullable) */
  const GobanProgress *progress;   /* (nullable) */
};

GobanGreedyPlan *
goban_greedy_plan_new (GobanCostModel *costs, const char *policy)
{
  GobanGreedyPlan *self = g_new0 (GobanGreedyPlan, 1);
  guint n_nodes, n_groups, n_devices;

  self->costs = goban_cost_model_ref (costs);
  self->graph = goban_cost_model_get_graph (costs);
  self->cluster = goban_cost_model_get_cluster (costs);
  n_nodes = goban_graph_get_n_nodes (self->graph);
  n_groups = goban_graph_get_n_groups (self->graph);
  n_devices = goban_cluster_get_n_devices (self->cluster);
  self->plan = goban_plan_new (self->graph, n_devices);
  goban_plan_set_policy (self->plan, policy);
  goban_plan_set_order (self->plan, GOBAN_ORDER_PRIORITY);
  self->finish_us = g_new (double, n_nodes + 1);
  self->free_us = g_new0 (double, n_devices);
  self->used_bytes = g_new0 (double, n_devices);
  self->of_group = g_new (GobanDeviceId, n_groups + 1);
  for (guint i = 0; i < n_nodes; i++)
    self->finish_us[i] = -1;
  for (guint i = 0; i < n_groups; i++)
    self->of_group[i] = GOBAN_NO_DEVICE;
  return self;
}

void
goban_greedy_plan_free (GobanGreedyPlan *self)
{
  goban_cost_model_unref (self->costs);
  goban_plan_unref (self->plan);
  g_free (self->finish_us);
  g_free (self->free_us);
  g_free (self->used_bytes);
  g_free (self->of_group);
  g_free (self);
}

GobanCostModel *
goban_greedy_plan_get_costs (const GobanGreedyPlan *self)
{
  return self->costs;
}

guint
goban_greedy_plan_get_n_placed (const GobanGreedyPlan *self)
{
  return self->n_placed;
}

double
goban_greedy_plan_get_free_us (const GobanGreedyPlan *self, GobanDeviceId device)
{
  return self->free_us[device];
}

GobanDeviceId
goban_greedy_plan_get_device (const GobanGreedyPlan *self, GobanNodeId node)
{
  return goban_plan_get_device (self->plan, node);
}

double
goban_greedy_plan_get_inputs_us (const GobanGreedyPlan *self, GobanNodeId node,
                                 GobanDeviceId device)
{
  GobanEdgeSpan in = goban_graph_get_in_edges (self->graph, node);
  double latest_us = 0;

  for (guint i = 0; i < in.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (self->graph, in.ids[i]);
      GobanDeviceId from = goban_plan_get_device (self->plan, edge->tail);
      double arrival_us = self->finish_us[edge->tail]
                          + goban_cost_model_transfer_us (self->costs, edge->tensor, from, device);

      latest_us = MAX (latest_us, arrival_us);
    }
  return latest_us;
}

static double
needed_bytes (const GobanGreedyPlan *self, GobanNodeId node)
{
  return goban_cost_model_param_bytes (self->costs, node)
         + goban_graph_get_output_bytes (self->graph, node);
}

/* The device of the node's group, or GOBAN_NO_DEVICE. */
static GobanDeviceId
group_device (const GobanGreedyPlan *self, GobanNodeId node)
{
  guint32 group = goban_graph_get_node (self->graph, node)->group;

  return group != GOBAN_NO_GROUP ? self->of_group[group] : GOBAN_NO_DEVICE;
}

gboolean
goban_greedy_plan_fits (const GobanGreedyPlan *self, GobanNodeId node, GobanDeviceId device)
{
  GobanDeviceId group = group_device (self, node);
  double limit_bytes = goban_cluster_get_device (self->cluster, device)->memory_bytes;

  return goban_cost_model_can_run (self->costs, node, device)
         && (group == GOBAN_NO_DEVICE || group == device)
         && self->used_bytes[device] + needed_bytes (self, node) <= limit_bytes;
}

/* When the node would finish there. */
static double
finish_on (const GobanGreedyPlan *self, GobanNodeId node, GobanDeviceId device)
{
  double start_us
      = MAX (self->free_us[device], goban_greedy_plan_get_inputs_us (self, node, device));

  return start_us + goban_cost_model_time_us (self->costs, node, device);
}

GobanDeviceId
goban_greedy_plan_find_earliest (const GobanGreedyPlan *self, GobanNodeId node)
{
  guint n_devices = goban_cluster_get_n_devices (self->cluster);
  GobanDeviceId best = 0;
  gboolean fits_best = FALSE;
  double best_us = INFINITY;

  for (guint i = n_devices; i > 0; i--)
    {
      GobanDeviceId device = (GobanDeviceId) (i - 1);
      gboolean fits = goban_greedy_plan_fits (self, node, device);
      double finish_us = INFINITY;

      if (!goban_cost_model_can_run (self->costs, node, device) || (fits_best && !fits))
        continue;
      if (fits)
        finish_us = finish_on (self, node, device);
      if (!fits || !fits_best || finish_us <= best_us)
        {
          best = device;
          best_us = finish_us;
        }
      fits_best = fits_best || fits;
    }
  return best;
}

void
goban_greedy_plan_report (GobanGreedyPlan *self, GobanDecisionsWriter *decisions,
                          const GobanProgress *progress)
{
  self->decisions = decisions;
  self->progress = progress;
}

/* Why the node cannot go there, as GobanRefusal. */
static guint
refusals_of (const GobanGreedyPlan *self, GobanNodeId node, GobanDeviceId device)
{
  GobanDeviceId group = group_device (self, node);

  if (!goban_cost_model_can_run (self->costs, node, device))
    return GOBAN_REFUSAL_CANNOT_RUN;
  if (group != GOBAN_NO_DEVICE && group != device)
    return GOBAN_REFUSAL_GROUP;
  return goban_greedy_plan_fits (self, node, device) ? 0 : GOBAN_REFUSAL_MEMORY;
}

/* Writes the decision about a node, before it is applied, and returns the device to take. */
static GobanDeviceId
decide (const GobanGreedyPlan *self, GobanNodeId node, GobanDeviceId wanted, gboolean is_carried)
{
  guint n_devices = goban_cluster_get_n_devices (self->cluster);
  const GobanDecisionHead head = { .task = GOBAN_TASK_PLACEMENT,
                                   .options = GOBAN_OPTION_DEVICE,
                                   .score = is_carried ? GOBAN_SCORE_NONE : GOBAN_SCORE_FINISH_US,
                                   .nodes = &node,
                                   .n_nodes = 1,
                                   .n_options = is_carried ? 0 : n_devices,
                                   .flags = is_carried ? GOBAN_DECISION_CARRIED : 0 };

  if (self->decisions == NULL)
    return wanted;
  for (guint i = 0; i < n_devices; i++)
    {
      GobanDeviceId device = (GobanDeviceId) i;
      guint refusals = refusals_of (self, node, device);
      double finish_us = (refusals & GOBAN_REFUSAL_CANNOT_RUN) != 0
                             ? (double) NAN
                             : finish_on (self, node, device);

      if (!is_carried)
        goban_decisions_writer_score (self->decisions, device, finish_us, refusals);
    }
  return (GobanDeviceId) goban_decisions_writer_decide (self->decisions, &head, wanted);
}

gboolean
goban_greedy_plan_assign (GobanGreedyPlan *self, GobanNodeId node, GobanDeviceId device,
                          GError **error)
{
  const GobanNode *data = goban_graph_get_node (self->graph, node);
  gboolean follows_group = group_device (self, node) != GOBAN_NO_DEVICE;
  double start_us;

  if (self->n_placed % NODES_PER_REPORT == 0)
    {
      goban_progress_step (self->progress,
                           (double) self->n_placed / goban_graph_get_n_nodes (self->graph),
                           "placing");
      if (!goban_progress_check (self->progress, error))
        return FALSE;
    }
  if (follows_group)
    device = group_device (self, node);
  if (!goban_cost_model_can_run (self->costs, node, device))
    {
      goban_set_error (error, GOBAN_ERROR_INVALID, "%s cannot run on %s", data->name,
                       goban_cluster_get_device (self->cluster, device)->name);
      return FALSE;
    }

  device = decide (self, node, device, follows_group);
  start_us = MAX (self->free_us[device], goban_greedy_plan_get_inputs_us (self, node, device));
  self->finish_us[node] = start_us + goban_cost_model_time_us (self->costs, node, device);
  self->free_us[device] = self->finish_us[node];
  self->used_bytes[device] += needed_bytes (self, node);
  if (data->group != GOBAN_NO_GROUP)
    self->of_group[data->group] = device;

  goban_plan_set_device (self->plan, node, device);
  goban_plan_set_priority (self->plan, node, -(gint32) self->n_placed++);
  goban_decisions_writer_set_times (self->decisions, start_us, self->finish_us[node]);
  return TRUE;
}

GobanPlan *
goban_greedy_plan_copy_plan (const GobanGreedyPlan *self, GError **error)
{
  if (!goban_plan_check (self->plan, self->costs, error))
    return NULL;
  goban_decisions_writer_settle (self->decisions, self->plan);
  return goban_plan_copy (self->plan);
}
