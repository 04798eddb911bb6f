/* Decision U42 (ui/NOTES.md). */
#include "engine/core/quantity.h"
#include "ui/draw/graph/graph-scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The widest edge carries the most bytes, the thinnest this many times fewer. */
#define WEIGHT_SPAN 1e4

static double
time_of (const GobanGraph *graph, const GobanCostModel *costs, const GobanPlan *plan,
         GobanNodeId node)
{
  guint kind;

  if (costs != NULL && plan != NULL)
    return goban_cost_model_time_us (costs, node, goban_plan_get_device (plan, node));
  if (goban_graph_get_n_kinds (graph) == 0)
    return NAN;
  kind = goban_graph_find_kind (graph, "gpu");
  return goban_graph_get_time_us (graph, node, kind == GOBAN_NO_KIND ? 0 : kind);
}

static void
fill_nodes (GobanGraphScene *self, const GobanGraph *graph, const GobanCostModel *costs,
            const GobanPlan *plan)
{
  /* Families repeat as ops do, and a graph has each word once. */
  g_autoptr (GHashTable) families = g_hash_table_new (NULL, NULL);

  for (guint v = 0; v < self->n_nodes; v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);
      GobanSceneNode *shown = &self->nodes[v];
      gpointer family = g_hash_table_lookup (families, node->op);

      if (family == NULL)
        {
          family = GUINT_TO_POINTER (1 + goban_palette_family (node->op));
          g_hash_table_insert (families, (gpointer) node->op, family);
        }
      shown->name = node->name;
      shown->op = node->op;
      shown->family = (guint8) (GPOINTER_TO_UINT (family) - 1);
      shown->time_us = time_of (graph, costs, plan, v);
      self->n_of_family[shown->family]++;
    }
}

static void
fill_edges (GobanGraphScene *self, const GobanGraph *graph)
{
  double most = 0;

  for (guint t = 0; t < goban_graph_get_n_tensors (graph); t++)
    most = MAX (most, goban_graph_get_tensor (graph, t)->size_bytes);
  for (guint e = 0; e < self->n_edges; e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, e);
      const GobanTensor *tensor = goban_graph_get_tensor (graph, edge->tensor);
      double share = most > 0 ? tensor->size_bytes / most : 0;

      self->edges[e].tail = edge->tail;
      self->edges[e].head = edge->head;
      self->edges[e].flags = tensor->is_control ? GOBAN_EDGE_CONTROL : 0;
      if (share > 1 / WEIGHT_SPAN)
        self->edges[e].weight = (float) (1 + log (share) / log (WEIGHT_SPAN));
    }
}

static int
compare_ints (gconstpointer a, gconstpointer b)
{
  gint32 x = *(const gint32 *) a;
  gint32 y = *(const gint32 *) b;

  return x < y ? -1 : x > y;
}

/* Priorities by rank, equal ones alike: a few outliers would flatten a linear scale. */
static void
fill_priorities (GobanGraphScene *self, const gint32 *priorities)
{
  gsize size = self->n_nodes * sizeof *priorities;
  g_autofree gint32 *sorted = g_memdup2 (priorities, size);
  guint n = 0;

  if (self->n_nodes == 0)
    return;
  qsort (sorted, self->n_nodes, sizeof *sorted, compare_ints);
  for (guint v = 0; v < self->n_nodes; v++)
    if (n == 0 || sorted[n - 1] != sorted[v])
      sorted[n++] = sorted[v];
  self->least_priority = sorted[0];
  self->most_priority = sorted[n - 1];
  for (guint v = 0; v < self->n_nodes; v++)
    {
      const gint32 *at = bsearch (&priorities[v], sorted, n, sizeof *sorted, compare_ints);

      self->nodes[v].priority = n > 1 ? (float) (at - sorted) / (float) (n - 1) : 0.5f;
    }
}

static void
fill_plan (GobanGraphScene *self, const GobanCostModel *costs, const GobanPlan *plan)
{
  GobanCluster *cluster = goban_cost_model_get_cluster (costs);

  for (guint d = 0; d < self->n_devices; d++)
    self->devices[d].name = g_strdup (goban_cluster_get_device (cluster, (GobanDeviceId) d)->name);
  for (guint v = 0; v < self->n_nodes; v++)
    {
      self->nodes[v].device = goban_plan_get_device (plan, v);
      self->devices[self->nodes[v].device].n_nodes++;
    }
}

static void
mark_edges (GobanGraphScene *self, GobanEdgeSpan edges, GobanNodeId tail, GobanNodeId head)
{
  for (guint i = 0; i < edges.n; i++)
    if (self->edges[edges.ids[i]].tail == tail && self->edges[edges.ids[i]].head == head)
      self->edges[edges.ids[i]].flags |= GOBAN_EDGE_CRITICAL;
}

/* The nodes of the critical path, and the edges that its waits for inputs and arrivals follow. */
static void
fill_critical (GobanGraphScene *self, const GobanGraph *graph, const GobanTrace *trace)
{
  guint n, n_transfers;
  const GobanStep *steps = goban_trace_get_critical_path (trace, &n);
  const GobanTransfer *transfers = goban_trace_get_transfers (trace, &n_transfers);

  const GobanOpSpan *spans = goban_trace_get_ops (trace);

  self->makespan_us = goban_trace_get_makespan (trace);
  self->critical_us = g_new0 (float, MAX (self->n_nodes, 1));
  for (guint i = 0; i < n; i++)
    {
      GobanNodeId tail;

      if (steps[i].is_transfer)
        continue;
      self->nodes[steps[i].index].flags |= GOBAN_NODE_CRITICAL;
      self->critical_us[steps[i].index]
          = (float) (spans[steps[i].index].finish_us - spans[steps[i].index].start_us);
      if (i == 0 || (steps[i].wait != GOBAN_WAIT_INPUT && steps[i].wait != GOBAN_WAIT_ARRIVAL))
        continue;
      tail = steps[i - 1].is_transfer
                 ? goban_graph_get_tensor (graph, transfers[steps[i - 1].index].tensor)->producer
                 : steps[i - 1].index;
      mark_edges (self, goban_graph_get_in_edges (graph, steps[i].index), tail, steps[i].index);
    }
}

static char *
describe (const GobanGraph *graph, const GobanPlan *plan, const GobanTrace *trace)
{
  GString *text = g_string_new (NULL);
  char count[GOBAN_QUANTITY_LEN];

  if (plan == NULL)
    {
      guint n_nodes = goban_graph_get_n_nodes (graph), n_edges = goban_graph_get_n_edges (graph);

      g_string_append_printf (text, n_nodes == 1 ? "%s node, " : "%s nodes, ",
                              goban_format_count (count, n_nodes));
      g_string_append_printf (text, n_edges == 1 ? "%s edge" : "%s edges",
                              goban_format_count (count, n_edges));
      return g_string_free (text, FALSE);
    }
  if (*goban_plan_get_policy (plan) != '\0')
    g_string_append_printf (text, "%s on ", goban_plan_get_policy (plan));
  g_string_append_printf (text, goban_plan_get_n_devices (plan) == 1 ? "%u device" : "%u devices",
                          goban_plan_get_n_devices (plan));
  if (trace != NULL && isfinite (goban_trace_get_makespan (trace)))
    {
      g_string_append_printf (text, ", %s",
                              goban_format_time (count, goban_trace_get_makespan (trace)));
      if (!goban_trace_is_valid (trace))
        g_string_append (text, ", invalid");
    }
  return g_string_free (text, FALSE);
}

static void
fill_titles (GobanGraphScene *self, const GobanGraph *graph, const GobanPlan *plan,
             const GobanTrace *trace)
{
  g_free (self->title);
  g_free (self->subtitle);
  self->title = g_strdup (goban_graph_get_name (graph));
  self->subtitle = describe (graph, plan, trace);
}

GobanGraphScene *
goban_graph_scene_new (GobanGraph *graph, GobanCostModel *costs, GobanPlan *plan, GobanTrace *trace)
{
  GobanGraphScene *self;

  if (trace != NULL)
    {
      costs = goban_trace_get_costs (trace);
      plan = goban_trace_get_plan (trace);
    }
  g_return_val_if_fail (plan == NULL || costs != NULL, NULL);
  g_return_val_if_fail (
      plan == NULL || goban_plan_get_n_nodes (plan) == goban_graph_get_n_nodes (graph), NULL);

  self = goban_graph_scene_new_empty (goban_graph_get_n_nodes (graph),
                                      goban_graph_get_n_edges (graph),
                                      plan != NULL ? goban_plan_get_n_devices (plan) : 0);
  self->graph = goban_graph_ref (graph);
  fill_nodes (self, graph, costs, plan);
  fill_edges (self, graph);
  if (plan != NULL)
    {
      fill_plan (self, costs, plan);
      fill_priorities (self, goban_plan_get_priorities (plan));
    }
  if (trace != NULL)
    fill_critical (self, graph, trace);
  fill_titles (self, graph, plan, trace);
  return self;
}

/* Properties of nodes and edges that depend on the graph alone, and their priorities. */
static void
copy_graph (GobanGraphScene *self, const GobanGraphScene *before)
{
  memcpy (self->nodes, before->nodes, self->n_nodes * sizeof *self->nodes);
  for (guint v = 0; v < self->n_nodes; v++)
    {
      self->nodes[v].flags = 0;
      self->nodes[v].value = 0;
    }
  memcpy (self->edges, before->edges, self->n_edges * sizeof *self->edges);
  for (guint e = 0; e < self->n_edges; e++)
    self->edges[e].flags &= GOBAN_EDGE_CONTROL;
  memcpy (self->n_of_family, before->n_of_family, sizeof self->n_of_family);
  self->least_priority = before->least_priority;
  self->most_priority = before->most_priority;
}

static gboolean
have_same_priorities (const GobanPlan *a, const GobanPlan *b)
{
  return a == b
         || memcmp (goban_plan_get_priorities (a), goban_plan_get_priorities (b),
                    goban_plan_get_n_nodes (a) * sizeof (gint32))
                == 0;
}

GobanGraphScene *
goban_graph_scene_new_after (const GobanGraphScene *before, const GobanPlan *before_plan,
                             GobanTrace *trace)
{
  GobanCostModel *costs = goban_trace_get_costs (trace);
  GobanPlan *plan = goban_trace_get_plan (trace);
  GobanGraphScene *self;

  g_return_val_if_fail (
      before->outline == NULL && before->graph == goban_cost_model_get_graph (costs), NULL);

  self = goban_graph_scene_new_empty (before->n_nodes, before->n_edges,
                                      goban_plan_get_n_devices (plan));
  self->graph = goban_graph_ref (before->graph);
  copy_graph (self, before);
  for (guint v = 0; v < self->n_nodes; v++)
    self->nodes[v].time_us = time_of (self->graph, costs, plan, v);
  fill_plan (self, costs, plan);
  if (before_plan == NULL || !have_same_priorities (plan, before_plan))
    fill_priorities (self, goban_plan_get_priorities (plan));
  fill_critical (self, self->graph, trace);
  fill_titles (self, self->graph, plan, trace);
  return self;
}
