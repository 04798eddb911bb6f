#include "engine/graph/cells-private.h"

/* Nodes join the cells of their neighbours in rounds: a node with a neighbour in a cell after one
 * round joins in the next. Every node is visited once for each of its neighbours that joins. */
typedef struct
{
  const GobanGraph *graph;
  const CellUses *uses;
  guint32 *cell_of;
  guint8 *is_open;   /* (n_nodes) may join now */
  guint8 *is_bound;  /* (n_nodes) shares a colocation group with a variable */
  guint8 *is_use;    /* (n_nodes) */
  double *bytes;     /* (n_cells) what the node at hand exchanges with each; 0 between nodes */
  GArray *met;       /* guint32: the cells with bytes */
  GArray *front;     /* GobanNodeId: to look at in this round */
  GArray *next;      /* GobanNodeId: in the round after it */
  GArray *joined;    /* guint32: the cells of front */
  guint32 *round_of; /* (n_nodes) the last round that a node was put in */
  guint32 round;
} Spread;

static gboolean
is_carrier (const Spread *self, GobanNodeId v)
{
  return self->uses->carried[v] != CELLS_NONE && !self->is_use[v];
}

/* A read of a parameter is near all of its uses, and a member of a variable's group is with the
 * group: neither shows where its neighbours belong. */
static void
meet (Spread *self, GobanNodeId neighbour, const GobanEdge *edge)
{
  guint32 cell = self->cell_of[neighbour];

  if (cell == CELLS_NONE)
    return;
  if (self->bytes[cell] <= 0)
    g_array_append_val (self->met, cell);
  self->bytes[cell] += goban_graph_get_tensor (self->graph, edge->tensor)->size_bytes + 1;
}

/* The cell that the node exchanges most bytes with. */
static guint32
find_nearest (Spread *self, GobanNodeId v)
{
  GobanEdgeSpan in = goban_graph_get_in_edges (self->graph, v);
  GobanEdgeSpan out = goban_graph_get_out_edges (self->graph, v);
  guint32 nearest = CELLS_NONE;
  double most = 0;

  g_array_set_size (self->met, 0);
  for (guint i = 0; i < in.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (self->graph, in.ids[i]);

      if (!is_carrier (self, edge->tail))
        meet (self, edge->tail, edge);
    }
  for (guint i = 0; i < out.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (self->graph, out.ids[i]);

      if (!self->is_bound[edge->head])
        meet (self, edge->head, edge);
    }
  for (guint i = 0; i < self->met->len; i++)
    {
      guint32 cell = g_array_index (self->met, guint32, i);

      if (self->bytes[cell] > most || (self->bytes[cell] == most && cell < nearest))
        {
          most = self->bytes[cell];
          nearest = cell;
        }
      self->bytes[cell] = 0;
    }
  return nearest;
}

static void
queue (Spread *self, GobanNodeId v)
{
  if (!self->is_open[v] || self->cell_of[v] != CELLS_NONE || self->round_of[v] == self->round)
    return;
  self->round_of[v] = self->round;
  g_array_append_val (self->next, v);
}

static void
queue_neighbours (Spread *self, GobanNodeId v)
{
  GobanEdgeSpan in = goban_graph_get_in_edges (self->graph, v);
  GobanEdgeSpan out = goban_graph_get_out_edges (self->graph, v);

  for (guint i = 0; i < in.n; i++)
    queue (self, goban_graph_get_edge (self->graph, in.ids[i])->tail);
  for (guint i = 0; i < out.n; i++)
    queue (self, goban_graph_get_edge (self->graph, out.ids[i])->head);
}

/* Lets all open nodes join that have a way to a cell. */
static void
spread (Spread *self)
{
  g_array_set_size (self->next, 0);
  self->round++;
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    queue (self, v);
  while (self->next->len > 0)
    {
      /* All of a round choose before any has joined. */
      GArray *front = self->next;

      self->next = self->front;
      self->front = front;
      g_array_set_size (self->next, 0);
      g_array_set_size (self->joined, 0);
      self->round++;
      for (guint i = 0; i < front->len; i++)
        {
          guint32 cell = find_nearest (self, g_array_index (front, GobanNodeId, i));

          g_array_append_val (self->joined, cell);
        }
      for (guint i = 0; i < front->len; i++)
        self->cell_of[g_array_index (front, GobanNodeId, i)]
            = g_array_index (self->joined, guint32, i);
      for (guint i = 0; i < front->len; i++)
        {
          GobanNodeId v = g_array_index (front, GobanNodeId, i);

          if (self->cell_of[v] != CELLS_NONE)
            queue_neighbours (self, v);
        }
    }
}

static void
open_phase (Spread *self, GobanPhase phase)
{
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self->graph); v++)
    self->is_open[v] = goban_graph_get_node (self->graph, v)->phase == phase
                       && !(phase == GOBAN_PHASE_FORWARD && is_carrier (self, v));
}

static void
find_bound (Spread *self)
{
  guint n_groups = goban_graph_get_n_groups (self->graph);
  g_autofree guint8 *has_variable = g_new0 (guint8, MAX (n_groups, 1));
  guint n_nodes = goban_graph_get_n_nodes (self->graph);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      guint32 group = goban_graph_get_node (self->graph, v)->group;

      if (group != GOBAN_NO_GROUP && self->uses->is_variable[v])
        has_variable[group] = TRUE;
    }
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      guint32 group = goban_graph_get_node (self->graph, v)->group;

      self->is_bound[v] = group != GOBAN_NO_GROUP && has_variable[group];
    }
}

void
cells_spread (const GobanGraph *graph, const CellUses *uses, guint32 *cell_of, guint n_cells)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autofree guint8 *is_open = g_new0 (guint8, n_nodes);
  g_autofree guint8 *is_bound = g_new0 (guint8, n_nodes);
  g_autofree guint8 *is_use = g_new0 (guint8, n_nodes);
  g_autofree double *bytes = g_new0 (double, n_cells);
  g_autofree guint32 *round_of = g_new0 (guint32, n_nodes);
  g_autoptr (GArray) met = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) joined = g_array_new (FALSE, FALSE, sizeof (guint32));
  Spread self = { .graph = graph,
                  .uses = uses,
                  .cell_of = cell_of,
                  .is_open = is_open,
                  .is_bound = is_bound,
                  .is_use = is_use,
                  .bytes = bytes,
                  .met = met,
                  .joined = joined,
                  .round_of = round_of };

  self.front = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  self.next = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  for (GobanNodeId v = 0; v < n_nodes; v++)
    is_use[v] = cell_of[v] != CELLS_NONE;
  find_bound (&self);

  open_phase (&self, GOBAN_PHASE_FORWARD);
  spread (&self);
  open_phase (&self, GOBAN_PHASE_BACKWARD);
  spread (&self);

  /* A node that passes on a parameter goes with the parameter's first use. */
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self.graph); v++)
    {
      guint32 variable = self.uses->carried[v];
      GobanNodeId use = variable != CELLS_NONE ? self.uses->first[variable] : GOBAN_NO_NODE;

      if (self.cell_of[v] == CELLS_NONE && use != GOBAN_NO_NODE)
        self.cell_of[v] = self.cell_of[use];
    }

  for (GobanNodeId v = 0; v < n_nodes; v++)
    is_open[v] = TRUE;
  spread (&self);

  /* Whatever has no way to a use goes with the node before it. */
  guint32 last = 0;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (self.graph); v++)
    {
      if (self.cell_of[v] == CELLS_NONE)
        self.cell_of[v] = last;
      last = self.cell_of[v];
    }

  g_array_unref (self.front);
  g_array_unref (self.next);
}
