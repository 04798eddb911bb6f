/* graph-scene-outline.c: aggregation of nodes to groups: the scene of an outline's items. */
#include "ui/draw/graph/graph-scene.h"

#include <math.h>

/* As graph-scene-build.c has it for tensors. */
#define WEIGHT_SPAN 1e4

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
fill_items (GobanGraphScene *self, const GobanGraphScene *base)
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
fill_edges (GobanGraphScene *self, const GobanGraphScene *base)
{
  const GobanOutline *outline = self->outline;
  double most = 0;

  for (guint e = 0; e < self->n_edges; e++)
    most = MAX (most, outline->edges[e].bytes);
  for (guint e = 0; e < self->n_edges; e++)
    {
      double share = most > 0 ? outline->edges[e].bytes / most : 0;

      self->edges[e].tail = outline->edges[e].tail;
      self->edges[e].head = outline->edges[e].head;
      self->edges[e].flags = GOBAN_EDGE_CONTROL;
      if (share > 1 / WEIGHT_SPAN)
        self->edges[e].weight = (float) (1 + log (share) / log (WEIGHT_SPAN));
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
    if (sums[w] > most / WEIGHT_SPAN)
      self->wires[w].weight = (float) (1 + log (sums[w] / most) / log (WEIGHT_SPAN));
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
  for (guint d = 0; d < base->n_devices; d++)
    self->devices[d]
        = (GobanSceneDevice){ g_strdup (base->devices[d].name), base->devices[d].n_nodes };
  for (guint f = 0; f < GOBAN_N_FAMILIES; f++)
    self->n_of_family[f] = base->n_of_family[f];
  self->least_priority = base->least_priority;
  self->most_priority = base->most_priority;
  self->has_step = base->has_step;
  g_free (self->title);
  g_free (self->subtitle);
  self->title = g_strdup (base->title);
  self->subtitle = g_strdup (base->subtitle);
  fill_items (self, base);
  fill_hulls (self, base);
  fill_edges (self, base);
  return self;
}
