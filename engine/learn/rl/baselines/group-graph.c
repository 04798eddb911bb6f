#include "engine/learn/rl/baselines/group-graph.h"

#include <string.h>

guint32
goban_groups_find (const GobanGroups *self, GobanNodeId node)
{
  return self->groups->group_of[self->units->unit_of[node]];
}

/* Returns a matrix (n_groups x n_groups): whether the row's group has an edge to the column's. */
static guint8 *
gather_feeds (const GobanGroups *self)
{
  const GobanGraph *graph = self->units->graph;
  gsize K = self->n_groups;
  guint8 *feeds = g_new0 (guint8, K * K);

  for (GobanEdgeId e = 0; e < goban_graph_get_n_edges (graph); e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, e);
      guint32 tail = goban_groups_find (self, edge->tail);
      guint32 head = goban_groups_find (self, edge->head);

      feeds[tail * K + head] = tail != head;
    }
  return feeds;
}

/* The rows of @feeds as lists. */
static GobanNeighbours
list_neighbours (const guint8 *feeds, guint K)
{
  GobanNeighbours self = { g_new0 (guint32, K + 1), g_new (guint32, MAX ((gsize) K * K, 1)), K };
  guint32 n = 0;

  for (guint v = 0; v < K; v++)
    {
      for (guint u = 0; u < K; u++)
        if (feeds[(gsize) v * K + u])
          self.ids[n++] = u;
      self.offsets[v + 1] = n;
    }
  return self;
}

/* Marks all groups that can be reached from v along @neighbours. */
static void
mark_kin (GobanGroups *self, const GobanSegments *neighbours, guint v, guint8 mark, guint32 *queue)
{
  guint8 *kin = self->kin + (gsize) v * self->n_groups;
  guint n = 0;

  queue[n++] = v;
  for (guint i = 0; i < n; i++)
    for (guint32 j = neighbours->offsets[queue[i]]; j < neighbours->offsets[queue[i] + 1]; j++)
      {
        guint32 u = neighbours->ids[j];

        if (u != v && !(kin[u] & mark))
          {
            kin[u] |= mark;
            queue[n++] = u;
          }
      }
}

static void
weigh_groups (GobanGroups *self)
{
  const GobanUnits *units = self->units;
  g_autofree double *times_us = g_new (double, units->n_units);

  goban_units_mean_times (units, times_us);
  for (guint u = 0; u < units->n_units; u++)
    {
      guint32 k = self->groups->group_of[u];

      self->time_us[k] += times_us[u];
      self->memory_bytes[k] += units->param_bytes[u] + units->output_bytes[u];
    }
  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (units->graph); t++)
    {
      const GobanTensor *tensor = goban_graph_get_tensor (units->graph, t);
      GobanEdgeSpan edges = goban_graph_get_tensor_edges (units->graph, t);
      guint32 home = goban_groups_find (self, tensor->producer);
      gboolean leaves = FALSE;

      for (guint i = 0; i < edges.n && !leaves; i++)
        leaves = goban_groups_find (self, goban_graph_get_edge (units->graph, edges.ids[i])->head)
                 != home;
      if (leaves)
        self->output_bytes[home] += tensor->size_bytes;
    }
}

GobanGroups *
goban_groups_new (const GobanUnits *units, guint n_wanted)
{
  GobanGroups *self = g_new0 (GobanGroups, 1);
  g_autofree guint8 *feeds = NULL;
  g_autofree guint32 *queue = NULL;

  self->units = units;
  self->groups = goban_unit_groups_new (units, n_wanted);
  self->n_groups = self->groups->n_groups;
  self->time_us = g_new0 (double, self->n_groups);
  self->output_bytes = g_new0 (double, self->n_groups);
  self->memory_bytes = g_new0 (double, self->n_groups);
  weigh_groups (self);

  feeds = gather_feeds (self);
  self->successors = list_neighbours (feeds, self->n_groups);
  self->predecessors = goban_neighbours_transpose (&self->successors);
  self->graph.predecessors = goban_neighbours_get_segments (&self->predecessors);
  self->graph.successors = goban_neighbours_get_segments (&self->successors);
  self->kin = g_new0 (guint8, (gsize) self->n_groups * self->n_groups);
  self->graph.kin = self->kin;
  queue = g_new (guint32, self->n_groups);
  for (guint v = 0; v < self->n_groups; v++)
    {
      self->kin[(gsize) v * self->n_groups + v] = GOBAN_KIN_SELF;
      mark_kin (self, &self->graph.predecessors, v, GOBAN_KIN_ANCESTOR, queue);
      mark_kin (self, &self->graph.successors, v, GOBAN_KIN_DESCENDANT, queue);
    }
  return self;
}

void
goban_groups_free (GobanGroups *self)
{
  g_clear_pointer (&self->groups, goban_unit_groups_free);
  goban_neighbours_clear (&self->predecessors);
  goban_neighbours_clear (&self->successors);
  g_free (self->kin);
  g_free (self->time_us);
  g_free (self->output_bytes);
  g_free (self->memory_bytes);
  g_free (self);
}
