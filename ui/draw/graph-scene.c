#include "ui/draw/graph-scene.h"

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

void
goban_graph_scene_free (GobanGraphScene *self)
{
  if (self == NULL)
    return;
  for (guint d = 0; d < self->n_devices; d++)
    g_free (self->devices[d].name);
  g_free (self->devices);
  g_free (self->nodes);
  g_free (self->edges);
  g_free (self->title);
  g_free (self->subtitle);
  for (guint i = 0; i < self->n_groups; i++)
    g_free (self->groups[i].shares);
  for (guint i = 0; i < self->n_hulls; i++)
    g_free (self->hulls[i].shares);
  g_free (self->groups);
  g_free (self->hulls);
  g_free (self->group_of);
  g_free (self->wires);
  g_clear_pointer (&self->outline, goban_outline_unref);
  g_clear_pointer (&self->graph, goban_graph_unref);
  g_free (self);
}

gboolean
goban_graph_scene_is_cut (const GobanGraphScene *self, guint edge)
{
  const GobanSceneEdge *e = &self->edges[edge];

  if (self->outline != NULL)
    return (e->flags & GOBAN_EDGE_CUT) != 0;
  return self->n_devices > 0 && self->nodes[e->tail].device != self->nodes[e->head].device;
}

const char *
goban_last_scope (const char *name)
{
  const char *slash = strrchr (name, '/');

  return slash != NULL && slash[1] != '\0' ? slash + 1 : name;
}
