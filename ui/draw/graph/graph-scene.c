/* Decision U42 (ui/NOTES.md). */
#include "ui/draw/graph/graph-scene.h"

#include "engine/core/quantity.h"
#include "engine/study/analysis/moments/moment-state.h"
#include "engine/study/run/run-origin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

GobanGraphScene *
goban_graph_scene_new_empty (guint n_nodes, guint n_edges, guint n_devices)
{
  GobanGraphScene *self = g_new0 (GobanGraphScene, 1);

  self->n_nodes = n_nodes;
  self->n_edges = n_edges;
  self->n_devices = n_devices;
  self->nodes = g_new0 (GobanSceneNode, MAX (n_nodes, 1));
  self->edges = g_new0 (GobanSceneEdge, MAX (n_edges, 1));
  self->devices = g_new0 (GobanSceneDevice, MAX (n_devices, 1));
  self->title = g_strdup ("");
  self->subtitle = g_strdup ("");
  return self;
}

static void
copy_plan (GobanGraphScene *self, const GobanGraphScene *base)
{
  for (guint d = 0; d < self->n_devices; d++)
    self->devices[d]
        = (GobanSceneDevice){ g_strdup (base->devices[d].name), base->devices[d].n_nodes };
  memcpy (self->n_of_family, base->n_of_family, sizeof self->n_of_family);
  self->least_priority = base->least_priority;
  self->most_priority = base->most_priority;
  self->has_step = base->has_step;
  g_free (self->title);
  g_free (self->subtitle);
  self->title = g_strdup (base->title);
  self->subtitle = g_strdup (base->subtitle);
}

GobanGraphScene *
goban_graph_scene_copy (const GobanGraphScene *self)
{
  GobanGraphScene *copy;

  g_return_val_if_fail (self->outline == NULL, NULL);

  copy = goban_graph_scene_new_empty (self->n_nodes, self->n_edges, self->n_devices);
  memcpy (copy->nodes, self->nodes, self->n_nodes * sizeof *self->nodes);
  memcpy (copy->edges, self->edges, self->n_edges * sizeof *self->edges);
  copy->critical_us = g_memdup2 (self->critical_us, self->n_nodes * sizeof *self->critical_us);
  copy->makespan_us = self->makespan_us;
  copy_plan (copy, self);
  copy->values = self->values != NULL ? goban_node_values_ref (self->values) : NULL;
  copy->graph = self->graph != NULL ? goban_graph_ref (self->graph) : NULL;
  return copy;
}

void
goban_graph_scene_free (GobanGraphScene *self)
{
  if (self == NULL)
    return;
  for (guint d = 0; d < self->n_devices; d++)
    g_free (self->devices[d].name);
  g_free (self->devices);
  g_free (self->nodes);
  g_free (self->critical_us);
  g_free (self->edges);
  g_free (self->title);
  g_free (self->subtitle);
  g_clear_pointer (&self->values, goban_node_values_unref);
  for (guint i = 0; i < self->groups.n_closed; i++)
    g_free (self->groups.closed[i].shares);
  for (guint i = 0; i < self->groups.n_hulls; i++)
    g_free (self->groups.hulls[i].shares);
  g_free (self->groups.closed);
  g_free (self->groups.hulls);
  g_free (self->groups.of_node);
  g_free (self->wires);
  g_clear_pointer (&self->outline, goban_outline_unref);
  g_clear_pointer (&self->graph, goban_graph_unref);
  g_free (self);
}

/* Groups have the mean of the known values of their nodes, on the ramp. */
static void
fill_items (GobanGraphScene *self)
{
  const GobanOutline *outline = self->outline;
  g_autofree double *sums = g_new0 (double, MAX (self->n_nodes, 1));
  g_autofree guint *n_known = g_new0 (guint, MAX (self->n_nodes, 1));

  for (guint i = 0; i < self->values->n_known; i++)
    {
      GobanNodeId v = self->values->order[i];
      guint32 item = outline->item_of[v];

      if (item == GOBAN_NO_ITEM)
        continue;
      sums[item] += (double) self->values->places[v];
      n_known[item]++;
    }
  for (guint i = 0; i < self->n_nodes; i++)
    self->nodes[i].value = n_known[i] > 0 ? (float) (sums[i] / n_known[i]) : (float) NAN;
}

void
goban_graph_scene_set_values (GobanGraphScene *self, GobanNodeValues *values)
{
  g_return_if_fail (
      values == NULL
      || values->n_nodes
             == (self->outline != NULL ? goban_graph_get_n_nodes (self->graph) : self->n_nodes));

  if (values != NULL)
    goban_node_values_ref (values);
  g_clear_pointer (&self->values, goban_node_values_unref);
  self->values = values;
  if (values != NULL && self->outline != NULL)
    {
      fill_items (self);
      return;
    }
  for (guint v = 0; v < self->n_nodes; v++)
    self->nodes[v].value = values != NULL ? values->places[v] : (float) NAN;
}

gboolean
goban_graph_scene_is_cut (const GobanGraphScene *self, guint edge)
{
  const GobanSceneEdge *e = &self->edges[edge];

  if (self->outline != NULL)
    return (e->flags & GOBAN_EDGE_CUT) != 0;
  return self->n_devices > 0 && self->nodes[e->tail].device != self->nodes[e->head].device;
}

/* --- from a graph and a trace ----------------------------------------------------------------- */

/* The widest edge carries the @most bytes, the thinnest this many times fewer. */
#define WEIGHT_SPAN 1e4

static float
find_weight (double bytes, double most)
{
  double share = most > 0 ? bytes / most : 0;

  return share > 1 / WEIGHT_SPAN ? (float) (1 + log (share) / log (WEIGHT_SPAN)) : 0;
}

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

      self->edges[e].tail = edge->tail;
      self->edges[e].head = edge->head;
      self->edges[e].flags = tensor->is_control ? GOBAN_EDGE_CONTROL : 0;
      self->edges[e].weight = find_weight (tensor->size_bytes, most);
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

/* --- items of an outline ---------------------------------------------------------------------- */

/* Sums of a group while its nodes are counted. */
typedef struct
{
  double time_us;
  double priority;
  guint n_timed;
  guint n_nodes;
  guint n_critical;
  double critical_us;
} Sum;

typedef struct
{
  const GobanGraphScene *base;
  GobanGraphScene *scene;
  Sum *sums;     /* (n) */
  float *shares; /* (n x n_shares) of time */
  guint *counts; /* (n x n_shares) of nodes */
} Tally;

static Tally
new_tally (const GobanGraphScene *base, GobanGraphScene *scene, guint n)
{
  gsize all = (gsize) n * scene->groups.n_shares + 1;

  return (Tally){ base, scene, g_new0 (Sum, n + 1), g_new0 (float, all), g_new0 (guint, all) };
}

static void
clear_tally (Tally *tally)
{
  g_free (tally->sums);
  g_free (tally->shares);
  g_free (tally->counts);
}

static guint
share_of (const GobanGraphScene *base, guint v)
{
  return base->n_devices > 0 ? base->nodes[v].device : base->nodes[v].family;
}

static void
count_node (Tally *tally, guint at, guint v)
{
  const GobanSceneNode *node = &tally->base->nodes[v];
  gsize share = (gsize) at * tally->scene->groups.n_shares + share_of (tally->base, v);
  Sum *sum = &tally->sums[at];

  sum->n_nodes++;
  sum->priority += (double) node->priority;
  sum->n_critical += (node->flags & GOBAN_NODE_CRITICAL) != 0;
  if (tally->base->critical_us != NULL)
    sum->critical_us += (double) tally->base->critical_us[v];
  tally->counts[share]++;
  if (!isfinite (node->time_us))
    return;
  sum->n_timed++;
  sum->time_us += node->time_us;
  tally->shares[share] += (float) node->time_us;
}

/* Adds the sums of one group to those of the group around it. */
static void
add_up (Tally *tally, guint to, guint from)
{
  guint n = tally->scene->groups.n_shares;
  Sum *a = &tally->sums[to];
  const Sum *b = &tally->sums[from];

  a->time_us += b->time_us;
  a->n_timed += b->n_timed;
  a->n_nodes += b->n_nodes;
  a->n_critical += b->n_critical;
  a->critical_us += b->critical_us;
  for (guint i = 0; i < n; i++)
    {
      tally->shares[(gsize) to * n + i] += tally->shares[(gsize) from * n + i];
      tally->counts[(gsize) to * n + i] += tally->counts[(gsize) from * n + i];
    }
}

static GobanSceneGroup
describe_group (const Tally *tally, guint at, const char *name)
{
  const Sum *sum = &tally->sums[at];
  guint n = tally->scene->groups.n_shares;
  double makespan_us = tally->base->makespan_us;
  GobanSceneGroup group = { .name = name,
                            .n_nodes = sum->n_nodes,
                            .time_us = sum->n_timed > 0 ? sum->time_us : (double) NAN,
                            .n_critical = sum->n_critical,
                            .shares = g_new0 (float, MAX (n, 1)) };

  if (makespan_us > 0 && isfinite (makespan_us))
    group.critical_share = sum->critical_us / makespan_us;

  for (guint i = 0; i < n; i++)
    group.shares[i] = sum->time_us > 0
                          ? (float) ((double) tally->shares[(gsize) at * n + i] / sum->time_us)
                          : (float) tally->counts[(gsize) at * n + i] / MAX (sum->n_nodes, 1);
  return group;
}

/* A node of the scene that stands for a group: its colour is that of most of it. */
static GobanSceneNode
stand_for (const Tally *tally, guint at, const GobanSceneGroup *group)
{
  const Sum *sum = &tally->sums[at];
  guint most = 0;

  for (guint i = 1; i < tally->scene->groups.n_shares; i++)
    if (group->shares[i] > group->shares[most])
      most = i;
  return (GobanSceneNode){ .name = group->name,
                           .op = "",
                           .time_us = group->time_us,
                           .priority = (float) (sum->priority / MAX (sum->n_nodes, 1)),
                           .device = (GobanDeviceId) (tally->base->n_devices > 0 ? most : 0),
                           .family
                           = (guint8) (tally->base->n_devices > 0 ? GOBAN_FAMILY_OTHER : most),
                           .flags = sum->n_critical > 0 ? GOBAN_NODE_CRITICAL : 0 };
}

static void
sum_items (GobanGraphScene *self, const GobanGraphScene *base)
{
  const GobanOutline *outline = self->outline;
  Tally tally = new_tally (base, self, outline->n_closed);

  self->groups.closed = g_new0 (GobanSceneGroup, MAX (outline->n_closed, 1));
  self->groups.of_node = g_new (guint32, MAX (outline->n_items, 1));
  for (guint i = 0; i < outline->n_items; i++)
    {
      gboolean is_group = outline->items[i].group != GOBAN_NO_GROUP;

      self->groups.of_node[i] = is_group ? self->groups.n_closed++ : GOBAN_NO_GROUP;
      if (is_group)
        continue;
      self->nodes[i] = base->nodes[outline->items[i].first];
      if (outline->hierarchy != NULL)
        self->nodes[i].name
            = goban_hierarchy_get_label_of (outline->hierarchy, outline->items[i].first);
    }
  for (guint v = 0; v < base->n_nodes; v++)
    {
      guint32 item = outline->item_of[v];

      if (item != GOBAN_NO_ITEM && self->groups.of_node[item] != GOBAN_NO_GROUP)
        count_node (&tally, self->groups.of_node[item], v);
    }
  for (guint i = 0; i < outline->n_items; i++)
    if (self->groups.of_node[i] != GOBAN_NO_GROUP)
      {
        GobanSceneGroup *group = &self->groups.closed[self->groups.of_node[i]];

        *group = describe_group (&tally, self->groups.of_node[i],
                                 goban_outline_get_item_group (outline, i)->name);
        self->nodes[i] = stand_for (&tally, self->groups.of_node[i], group);
      }
  clear_tally (&tally);
}

/* From the innermost outwards: children come after their parents. */
static void
fill_hulls (GobanGraphScene *self, const GobanGraphScene *base)
{
  const GobanOutline *outline = self->outline;
  Tally tally = new_tally (base, self, outline->n_hulls);

  self->groups.n_hulls = outline->n_hulls;
  self->groups.hulls = g_new0 (GobanSceneGroup, self->groups.n_hulls);
  for (guint v = 0; v < base->n_nodes; v++)
    if (outline->item_of[v] != GOBAN_NO_ITEM)
      count_node (&tally, outline->items[outline->item_of[v]].hull, v);
  for (guint h = outline->n_hulls; h-- > 0;)
    {
      const GobanGroup *group = goban_outline_get_hull_group (outline, h);

      self->groups.hulls[h] = describe_group (&tally, h, group != NULL ? group->name : "");
      if (h > 0)
        add_up (&tally, outline->hulls[h].parent, h);
    }
  clear_tally (&tally);
}

static void
sum_edges (GobanGraphScene *self, const GobanGraphScene *base)
{
  const GobanOutline *outline = self->outline;
  double most = 0;

  for (guint e = 0; e < self->n_edges; e++)
    most = MAX (most, outline->edges[e].bytes);
  for (guint e = 0; e < self->n_edges; e++)
    {
      self->edges[e].tail = outline->edges[e].tail;
      self->edges[e].head = outline->edges[e].head;
      self->edges[e].flags = GOBAN_EDGE_CONTROL;
      self->edges[e].weight = find_weight (outline->edges[e].bytes, most);
    }
  for (guint e = 0; e < base->n_edges; e++)
    {
      GobanSceneEdge *edge;

      if (outline->edge_of[e] == GOBAN_NO_ITEM)
        continue;
      edge = &self->edges[outline->edge_of[e]];
      if ((base->edges[e].flags & GOBAN_EDGE_CONTROL) == 0)
        edge->flags &= (guint8) ~GOBAN_EDGE_CONTROL;
      edge->flags |= base->edges[e].flags & GOBAN_EDGE_CRITICAL;
      if (goban_graph_scene_is_cut (base, e))
        edge->flags |= GOBAN_EDGE_CUT;
    }
}

typedef struct
{
  GobanGraphScene *scene;
  const GobanSceneEdge *edge;
  double bytes;
  double *sums; /* (wires) bytes */
} Wiring;

static void
load_wire (guint wire, gpointer data)
{
  const Wiring *wiring = data;
  GobanSceneWire *loaded = &wiring->scene->wires[wire];

  loaded->flags |= wiring->edge->flags & (GOBAN_EDGE_CUT | GOBAN_EDGE_CRITICAL);
  if ((wiring->edge->flags & GOBAN_EDGE_CONTROL) == 0)
    loaded->flags &= (guint8) ~GOBAN_EDGE_CONTROL;
  wiring->sums[wire] += wiring->bytes;
}

void
goban_graph_scene_wire (GobanGraphScene *self, const GobanLayout *layout)
{
  g_autofree double *sums = g_new0 (double, MAX (layout->n_wires, 1));
  double most = 0;

  g_return_if_fail (layout->n_wires == 0 || self->outline != NULL);

  g_clear_pointer (&self->wires, g_free);
  self->n_wires = layout->n_wires;
  if (self->n_wires == 0)
    return;
  self->wires = g_new0 (GobanSceneWire, self->n_wires);
  for (guint w = 0; w < self->n_wires; w++)
    self->wires[w].flags = GOBAN_EDGE_CONTROL;
  for (guint e = 0; e < self->n_edges; e++)
    {
      Wiring wiring = { self, &self->edges[e], self->outline->edges[e].bytes, sums };

      goban_layout_each_wire (layout, e, load_wire, &wiring);
    }
  for (guint w = 0; w < self->n_wires; w++)
    most = MAX (most, sums[w]);
  for (guint w = 0; w < self->n_wires; w++)
    self->wires[w].weight = find_weight (sums[w], most);
}

GobanGraphScene *
goban_graph_scene_new_outlined (const GobanGraphScene *base, GobanOutline *outline)
{
  GobanGraphScene *self;

  g_return_val_if_fail (base->outline == NULL && base->graph == outline->graph, NULL);

  self = goban_graph_scene_new_empty (outline->n_items, outline->n_edges, base->n_devices);
  self->outline = goban_outline_ref (outline);
  self->graph = goban_graph_ref (base->graph);
  self->groups.n_shares = base->n_devices > 0 ? base->n_devices : GOBAN_N_FAMILIES;
  copy_plan (self, base);
  sum_items (self, base);
  fill_hulls (self, base);
  sum_edges (self, base);
  return self;
}

/* --- the step of a moment --------------------------------------------------------------------- */

static void
mark (GobanSceneNode *node, GobanDeviceId had)
{
  node->flags |= GOBAN_NODE_CHANGED;
  node->had = had;
}

/* The most frequent previous device among an item's changed nodes; the lowest device among
 * equals. */
static void
mark_items (GobanGraphScene *self, const GobanDeviceId *had, const GobanNodeId *ids, guint n)
{
  guint n_devices = MAX (self->n_devices, 1);
  g_autofree guint32 *counts = g_new0 (guint32, (gsize) MAX (self->n_nodes, 1) * n_devices);

  for (guint i = 0; i < n; i++)
    {
      guint32 item = self->outline->item_of[ids[i]];

      if (item == GOBAN_NO_ITEM)
        continue;
      mark (&self->nodes[item], GOBAN_NO_DEVICE);
      if (had[ids[i]] < self->n_devices)
        counts[(gsize) item * n_devices + had[ids[i]]]++;
    }
  for (guint v = 0; v < self->n_nodes; v++)
    for (guint d = 0, most = 0; d < self->n_devices; d++)
      if (counts[(gsize) v * n_devices + d] > most)
        {
          most = counts[(gsize) v * n_devices + d];
          self->nodes[v].had = (GobanDeviceId) d;
        }
}

/* The shares of a group's devices without its undecided nodes, which the plan has on some device
 * until they are decided. By number of nodes: their times depend on the device. */
static void
count_decided (GobanGraphScene *self, const GobanPlan *plan, const guint8 *is_undecided)
{
  guint n_shares = self->groups.n_shares;

  for (guint i = 0; i < self->groups.n_closed; i++)
    for (guint d = 0; d < n_shares; d++)
      self->groups.closed[i].shares[d] = 0;
  for (guint v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    {
      guint32 item = self->outline->item_of[v];
      guint32 closed = item != GOBAN_NO_ITEM ? self->groups.of_node[item] : GOBAN_NO_GROUP;
      GobanDeviceId device = goban_plan_get_device (plan, v);

      if (closed != GOBAN_NO_GROUP && !is_undecided[v] && device < n_shares)
        self->groups.closed[closed].shares[device]
            += 1.0f / (float) self->groups.closed[closed].n_nodes;
    }
}

static void
mark_undecided (GobanGraphScene *self, GobanRun *step)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_run_get_graph (step));
  g_autofree guint8 *is_undecided = g_malloc0 (MAX (n_nodes, 1));
  g_autoptr (GobanSelection) undecided
      = goban_moment_dup_undecided (goban_run_get_decisions (step), goban_run_get_moment (step));
  guint n;
  const GobanNodeId *ids = goban_selection_get_ids (undecided, &n);

  for (guint i = 0; i < n; i++)
    is_undecided[ids[i]] = TRUE;
  for (guint v = 0; v < self->n_nodes; v++)
    self->nodes[v].flags |= GOBAN_NODE_UNDECIDED;
  for (guint v = 0; v < n_nodes; v++)
    {
      guint32 item = self->outline != NULL ? self->outline->item_of[v] : v;

      if (!is_undecided[v] && item != GOBAN_NO_ITEM)
        self->nodes[item].flags &= (guint8) ~GOBAN_NODE_UNDECIDED;
    }
  if (self->groups.n_closed > 0)
    count_decided (self, goban_run_get_plan (step), is_undecided);
}

static void
mark_changed (GobanGraphScene *self, const GobanDecisions *decisions, GobanMoment moment)
{
  g_autoptr (GobanSelection) changed = goban_moment_dup_changed (decisions, moment, GOBAN_N_TASKS);
  g_autofree GobanDeviceId *had = goban_moment_dup_had (decisions, moment);
  guint n;
  const GobanNodeId *ids = goban_selection_get_ids (changed, &n);

  if (self->outline != NULL)
    mark_items (self, had, ids, n);
  for (guint i = 0; self->outline == NULL && i < n; i++)
    mark (&self->nodes[ids[i]], had[ids[i]]);
}

void
goban_graph_scene_set_step (GobanGraphScene *self, GobanRun *step)
{
  GobanDecisions *decisions = step != NULL ? goban_run_get_decisions (step) : NULL;
  GobanMoment moment = decisions != NULL ? goban_run_get_moment (step) : 0;

  for (guint v = 0; v < self->n_nodes; v++)
    self->nodes[v].flags &= (guint8) ~(GOBAN_NODE_CHANGED | GOBAN_NODE_UNDECIDED);
  self->has_step = moment > 0;
  if (moment > 0)
    mark_changed (self, decisions, moment);
  if (decisions != NULL && self->n_devices > 0 && goban_run_is_unfinished (step))
    mark_undecided (self, step);
}
