#include "ui/draw/graph/graph-scene.h"

#include <math.h>

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
  for (guint d = 0; d < self->n_devices; d++)
    copy->devices[d]
        = (GobanSceneDevice){ g_strdup (self->devices[d].name), self->devices[d].n_nodes };
  memcpy (copy->n_of_family, self->n_of_family, sizeof self->n_of_family);
  copy->least_priority = self->least_priority;
  copy->most_priority = self->most_priority;
  copy->has_step = self->has_step;
  g_free (copy->title);
  g_free (copy->subtitle);
  copy->title = g_strdup (self->title);
  copy->subtitle = g_strdup (self->subtitle);
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
