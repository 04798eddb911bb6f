#include "engine/placers/units.h"

#include "engine/core/error.h"
#include "engine/graph/levels.h"

#include <math.h>

/* Nodes of the same label are a unit; those without a label are one each. */
static void
number_units (GobanUnits *self, const guint32 *labels, guint n_labels)
{
  guint n_nodes = goban_graph_get_n_nodes (self->graph);
  g_autofree guint32 *unit_of_label = g_new (guint32, n_labels);

  for (guint i = 0; i < n_labels; i++)
    unit_of_label[i] = G_MAXUINT32;

  self->unit_of = g_new (guint32, n_nodes);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      if (labels[v] == GOBAN_NO_GROUP)
        {
          self->unit_of[v] = self->n_units++;
          continue;
        }
      if (unit_of_label[labels[v]] == G_MAXUINT32)
        unit_of_label[labels[v]] = self->n_units++;
      self->unit_of[v] = unit_of_label[labels[v]];
    }
}

static void
gather_nodes (GobanUnits *self)
{
  guint n_nodes = goban_graph_get_n_nodes (self->graph);
  g_autofree guint32 *next = NULL;

  self->offsets = g_new0 (guint32, self->n_units + 1);
  self->nodes = g_new (GobanNodeId, n_nodes);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    self->offsets[self->unit_of[v] + 1]++;
  for (guint u = 0; u < self->n_units; u++)
    self->offsets[u + 1] += self->offsets[u];

  next = g_memdup2 (self->offsets, (self->n_units + 1) * sizeof *next);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    self->nodes[next[self->unit_of[v]]++] = v;
}

static void
sum_costs (GobanUnits *self)
{
  self->times_us = g_new0 (double, (gsize) self->n_units * self->n_classes);
  self->param_bytes = g_new0 (double, self->n_units);
  self->output_bytes = g_new0 (double, self->n_units);

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    {
      const double *times_us = goban_cost_model_times_us (self->costs, v);
      guint32 u = self->unit_of[v];

      for (guint c = 0; c < self->n_classes; c++)
        self->times_us[(gsize) u * self->n_classes + c] += times_us[c];
      self->param_bytes[u] += goban_cost_model_param_bytes (self->costs, v);
      self->output_bytes[u] += goban_graph_get_output_bytes (self->graph, v);
    }
}

static gboolean
is_finite_somewhere (const double *times_us, guint n_classes)
{
  for (guint c = 0; c < n_classes; c++)
    if (isfinite (times_us[c]))
      return TRUE;
  return FALSE;
}

static gboolean
check_feasible (const GobanUnits *self, GError **error)
{
  const char *cluster = goban_cluster_get_name (self->cluster);

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    if (!is_finite_somewhere (goban_cost_model_times_us (self->costs, v), self->n_classes))
      return goban_refuse (error, GOBAN_ERROR_INFEASIBLE,
                           "node “%s” can run on no device of cluster “%s”",
                           goban_graph_get_node (self->graph, v)->name, cluster);

  for (guint u = 0; u < self->n_units; u++)
    if (!is_finite_somewhere (&self->times_us[(gsize) u * self->n_classes], self->n_classes))
      {
        GobanNodeId first = self->nodes[self->offsets[u]];

        return goban_refuse (
            error, GOBAN_ERROR_INFEASIBLE,
            "no device of cluster “%s” can run all nodes of the colocation group of "
            "node “%s”",
            cluster, goban_graph_get_node (self->graph, first)->name);
      }
  return TRUE;
}

GobanUnits *
goban_units_new_labelled (const GobanCostModel *costs, const guint32 *labels, guint n_labels,
                          GError **error)
{
  g_autoptr (GobanUnits) self = g_new0 (GobanUnits, 1);

  self->costs = costs;
  self->graph = goban_cost_model_get_graph (costs);
  self->cluster = goban_cost_model_get_cluster (costs);
  self->n_devices = goban_cluster_get_n_devices (self->cluster);
  self->n_classes = goban_cluster_get_n_classes (self->cluster);
  self->classes = g_new (guint, self->n_devices);
  for (guint d = 0; d < self->n_devices; d++)
    self->classes[d] = goban_cluster_get_class (self->cluster, (GobanDeviceId) d);

  number_units (self, labels, n_labels);
  gather_nodes (self);
  sum_costs (self);
  if (!check_feasible (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

GobanUnits *
goban_units_new (const GobanCostModel *costs, GError **error)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autofree guint32 *groups = g_new (guint32, n_nodes);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    groups[v] = goban_graph_get_node (graph, v)->group;
  return goban_units_new_labelled (costs, groups, goban_graph_get_n_groups (graph), error);
}

void
goban_units_free (GobanUnits *self)
{
  g_free (self->classes);
  g_free (self->unit_of);
  g_free (self->offsets);
  g_free (self->nodes);
  g_free (self->times_us);
  g_free (self->param_bytes);
  g_free (self->output_bytes);
  g_free (self);
}

double
goban_units_time_us (const GobanUnits *self, guint32 unit, GobanDeviceId device)
{
  return self->times_us[(gsize) unit * self->n_classes + self->classes[device]];
}

gboolean
goban_units_can_run (const GobanUnits *self, guint32 unit, GobanDeviceId device)
{
  return isfinite (goban_units_time_us (self, unit, device));
}

void
goban_units_mean_times (const GobanUnits *self, double *weights)
{
  for (guint u = 0; u < self->n_units; u++)
    {
      double sum_us = 0;
      guint n = 0;

      for (guint d = 0; d < self->n_devices; d++)
        if (goban_units_can_run (self, u, (GobanDeviceId) d))
          {
            sum_us += goban_units_time_us (self, u, (GobanDeviceId) d);
            n++;
          }
      weights[u] = sum_us / n;
    }
}

GobanDeviceId
goban_units_fastest_device (const GobanUnits *self, guint32 unit)
{
  GobanDeviceId fastest = 0;

  for (guint d = 1; d < self->n_devices; d++)
    if (goban_units_time_us (self, unit, (GobanDeviceId) d)
        < goban_units_time_us (self, unit, fastest))
      fastest = (GobanDeviceId) d;
  return fastest;
}

GobanDeviceId
goban_units_find_host (const GobanUnits *self, guint32 unit, GobanDeviceId wanted)
{
  return goban_units_can_run (self, unit, wanted) ? wanted
                                                  : goban_units_fastest_device (self, unit);
}

void
goban_units_upward_ranks (const GobanUnits *self, double *bottom_us)
{
  g_autofree double *w = g_new (double, goban_graph_get_n_nodes (self->graph));
  g_autofree double *c = g_new (double, goban_graph_get_n_tensors (self->graph));

  goban_cost_model_mean_times (self->costs, w);
  goban_cost_model_mean_transfers (self->costs, c);
  goban_graph_bottom_levels (self->graph, bottom_us, w, c);
}

void
goban_units_downward_ranks (const GobanUnits *self, double *top_us)
{
  g_autofree double *w = g_new (double, goban_graph_get_n_nodes (self->graph));
  g_autofree double *c = g_new (double, goban_graph_get_n_tensors (self->graph));

  goban_cost_model_mean_times (self->costs, w);
  goban_cost_model_mean_transfers (self->costs, c);
  goban_graph_top_levels (self->graph, top_us, w, c);
}

void
goban_units_static_levels (const GobanUnits *self, double *level_us)
{
  g_autofree double *w = g_new (double, goban_graph_get_n_nodes (self->graph));

  goban_cost_model_mean_times (self->costs, w);
  goban_graph_bottom_levels (self->graph, level_us, w, NULL);
}

GobanPlan *
goban_units_new_plan (const GobanUnits *self, const GobanDeviceId *devices)
{
  guint n_nodes = goban_graph_get_n_nodes (self->graph);
  GobanPlan *plan = goban_plan_new (self->graph, self->n_devices);
  g_autofree double *bottom_us = g_new (double, n_nodes);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    goban_plan_set_device (plan, v, devices[self->unit_of[v]]);

  goban_units_upward_ranks (self, bottom_us);
  goban_plan_set_priorities_by_key (plan, bottom_us);
  goban_plan_set_order (plan, GOBAN_ORDER_FIFO);
  return plan;
}
