#include "engine/graph/cells.h"

#include <math.h>
#include <string.h>

#define CELLS_NONE G_MAXUINT32
/* One forward node that works with a parameter. */
typedef struct
{
  GobanNodeId param;
  GobanNodeId node;
  double place; /* between sources and sinks */
} CellUse;

/* Uses of the parameters that count. */
typedef struct
{
  /* of CellUse, sorted by parameter, op word and place; only of parameters that count */
  GArray *uses;
  guint32 *carried; /* (n_nodes) the variable that a node passes on, or is; else CELLS_NONE */
  /* (n_nodes) of a parameter: the first node that works with it, or GOBAN_NO_NODE */
  GobanNodeId *first;
  guint8 *is_variable; /* (n_nodes) */
} CellUses;

/* --- uses of parameters --------------------------------------------------- */

/* A source of so few bytes is an axis, a shape, a permutation or a factor: it says nothing of its
 * reader. */
#define SMALL_SOURCE_BYTES 64

/* A node passes on a parameter if its tensor has at least that share of the parameter's bytes,
 * which may count optimiser state and be of twice the precision. */
#define LEAST_CARRIED 0.0625

/* The largest parameters that make up this share of all bytes count even if nothing multiplies
 * them. */
#define LARGE_SHARE 0.98

static gboolean
is_forward (const GobanGraph *graph, GobanNodeId v)
{
  return goban_graph_get_node (graph, v)->phase == GOBAN_PHASE_FORWARD;
}

static double
param_bytes (const GobanGraph *graph, GobanNodeId v)
{
  return goban_graph_get_node (graph, v)->param_bytes;
}

static gboolean
has_work (const GobanGraph *graph, GobanNodeId v)
{
  const GobanNode *node = goban_graph_get_node (graph, v);

  if (node->flops > 0 || node->macs > 0)
    return TRUE;
  for (guint k = 0; k < goban_graph_get_n_kinds (graph); k++)
    if (goban_graph_get_time_us (graph, v, k) > 0)
      return TRUE;
  return FALSE;
}

/* Hops from the sources minus hops to the sinks, over forward nodes. */
static void
find_places (const GobanGraph *graph, double *places)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autofree guint32 *above = g_new0 (guint32, n_nodes);
  g_autofree guint32 *below = g_new0 (guint32, n_nodes);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      GobanEdgeSpan in = goban_graph_get_in_edges (graph, v);

      for (guint i = 0; i < in.n && is_forward (graph, v); i++)
        above[v] = MAX (above[v], above[goban_graph_get_edge (graph, in.ids[i])->tail] + 1);
    }
  for (GobanNodeId v = n_nodes; v-- > 0;)
    {
      GobanEdgeSpan out = goban_graph_get_out_edges (graph, v);

      for (guint i = 0; i < out.n; i++)
        {
          GobanNodeId head = goban_graph_get_edge (graph, out.ids[i])->head;

          if (is_forward (graph, head))
            below[v] = MAX (below[v], below[head] + 1);
        }
    }
  for (GobanNodeId v = 0; v < n_nodes; v++)
    places[v] = (double) above[v] - (double) below[v];
}

/* --- nodes that pass on a parameter --------------------------------------------------------- */

static gboolean
is_small_source (const GobanGraph *graph, const GobanEdge *edge)
{
  return goban_graph_get_in_edges (graph, edge->tail).n == 0 && param_bytes (graph, edge->tail) <= 0
         && goban_graph_get_tensor (graph, edge->tensor)->size_bytes <= SMALL_SOURCE_BYTES;
}

static guint32
find_carried (const CellUses *self, const GobanGraph *graph, GobanNodeId v)
{
  GobanEdgeSpan in = goban_graph_get_in_edges (graph, v);
  guint32 carried = CELLS_NONE;

  if (!is_forward (graph, v) || param_bytes (graph, v) > 0)
    return CELLS_NONE;
  for (guint i = 0; i < in.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, in.ids[i]);
      guint32 of_tail = self->carried[edge->tail];

      if (goban_graph_get_tensor (graph, edge->tensor)->is_control
          || (of_tail == CELLS_NONE && is_small_source (graph, edge)))
        continue;
      if (of_tail == CELLS_NONE || (carried != CELLS_NONE && of_tail != carried))
        return CELLS_NONE;
      carried = of_tail;
    }
  return carried;
}

static void
find_carriers (CellUses *self, const GobanGraph *graph)
{
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      self->is_variable[v] = is_forward (graph, v) && param_bytes (graph, v) > 0
                             && goban_graph_get_in_edges (graph, v).n == 0 && !has_work (graph, v);
      self->carried[v] = self->is_variable[v] ? v : find_carried (self, graph, v);
    }
}

/* --- uses ----------------------------------------------------------------------------------- */

static gboolean
is_larger (const GobanGraph *graph, GobanNodeId a, GobanNodeId b)
{
  double bytes_a = param_bytes (graph, a);
  double bytes_b = param_bytes (graph, b);

  return bytes_a > bytes_b || (bytes_a == bytes_b && a < b);
}

/* The variable that comes along this edge whole; an L2 loss of it does not. */
static guint32
variable_along (const CellUses *self, const GobanGraph *graph, const GobanEdge *edge,
                gboolean is_any)
{
  guint32 variable = self->carried[edge->tail];

  if (variable == CELLS_NONE || variable == edge->tail || is_any
      || goban_graph_get_tensor (graph, edge->tensor)->size_bytes
             >= LEAST_CARRIED * param_bytes (graph, variable))
    return variable;
  return CELLS_NONE;
}

/* The largest parameter that the node works with; of those @is_open says, if given. */
static guint32
find_param (const CellUses *self, const GobanGraph *graph, GobanNodeId v, const guint8 *is_open)
{
  GobanEdgeSpan in = goban_graph_get_in_edges (graph, v);
  guint32 param = CELLS_NONE;

  if (!is_forward (graph, v) || self->is_variable[v])
    return CELLS_NONE;
  if (param_bytes (graph, v) > 0)
    return is_open == NULL ? v : CELLS_NONE;
  for (guint i = 0; i < in.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, in.ids[i]);
      guint32 variable = variable_along (self, graph, edge, is_open != NULL);

      if (variable == CELLS_NONE || variable == self->carried[v]
          || (is_open != NULL && !is_open[variable]))
        continue;
      if (param == CELLS_NONE || is_larger (graph, variable, param))
        param = variable;
    }
  return param;
}

static void
add_uses (CellUses *self, const GobanGraph *graph, const double *places, const guint8 *is_open)
{
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      CellUse use = { find_param (self, graph, v, is_open), v, places[v] };

      if (use.param == CELLS_NONE)
        continue;
      g_array_append_val (self->uses, use);
      if (self->first[use.param] == GOBAN_NO_NODE)
        self->first[use.param] = v;
    }
}

/* Variables that are used only where larger parameters are go to these. A node that only a loss
 * reads is used by the loss. */
static void
settle_others (CellUses *self, const GobanGraph *graph, const double *places)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autofree guint8 *is_open = g_new0 (guint8, n_nodes);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      GobanEdgeSpan in = goban_graph_get_in_edges (graph, v);

      for (guint i = 0; i < in.n && is_forward (graph, v); i++)
        {
          guint32 variable
              = variable_along (self, graph, goban_graph_get_edge (graph, in.ids[i]), FALSE);

          if (variable != CELLS_NONE && variable != self->carried[v]
              && self->first[variable] == GOBAN_NO_NODE)
            self->first[variable] = v;
        }
    }
  for (GobanNodeId v = 0; v < n_nodes; v++)
    is_open[v] = self->is_variable[v] && self->first[v] == GOBAN_NO_NODE;
  add_uses (self, graph, places, is_open);
}

/* --- which parameters count ----------------------------------------------------------------- */

typedef struct
{
  double bytes;
  GobanNodeId param;
} Sized;

static int
compare_sized (const void *a, const void *b)
{
  const Sized *x = a;
  const Sized *y = b;

  if (x->bytes != y->bytes)
    return x->bytes > y->bytes ? -1 : 1;
  return (x->param > y->param) - (x->param < y->param);
}

/* counts (n_nodes): of parameters, whether they are among the largest. */
static void
count_large (const GobanGraph *graph, guint8 *counts)
{
  g_autoptr (GArray) sized = g_array_new (FALSE, FALSE, sizeof (Sized));
  double total_bytes = 0;
  double before_bytes = 0;
  double last_bytes = 0;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    if (is_forward (graph, v) && param_bytes (graph, v) > 0)
      {
        Sized param = { param_bytes (graph, v), v };

        g_array_append_val (sized, param);
        total_bytes += param.bytes;
      }
  g_array_sort (sized, compare_sized);
  for (guint i = 0; i < sized->len; i++)
    {
      const Sized *param = &g_array_index (sized, Sized, i);

      /* Equally large ones count alike. */
      counts[param->param] = before_bytes < LARGE_SHARE * total_bytes || param->bytes == last_bytes;
      if (counts[param->param])
        last_bytes = param->bytes;
      before_bytes += param->bytes;
    }
}

static void
drop_what_does_not_count (CellUses *self, const GobanGraph *graph)
{
  g_autofree guint8 *counts = g_new0 (guint8, goban_graph_get_n_nodes (graph));
  guint n = 0;

  count_large (graph, counts);
  for (guint i = 0; i < self->uses->len; i++)
    {
      const CellUse *use = &g_array_index (self->uses, CellUse, i);

      counts[use->param] |= goban_graph_get_node (graph, use->node)->macs > 0;
    }
  for (guint i = 0; i < self->uses->len; i++)
    {
      CellUse use = g_array_index (self->uses, CellUse, i);

      if (counts[use.param])
        g_array_index (self->uses, CellUse, n++) = use;
    }
  g_array_set_size (self->uses, n);
}

/* --- order ---------------------------------------------------------------------------------- */

static int
compare_uses (gconstpointer a, gconstpointer b, gpointer graph)
{
  const CellUse *x = a;
  const CellUse *y = b;
  int ops;

  if (x->param != y->param)
    return x->param < y->param ? -1 : 1;
  ops = strcmp (goban_graph_get_node (graph, x->node)->op,
                goban_graph_get_node (graph, y->node)->op);
  if (ops != 0)
    return ops;
  if (x->place != y->place)
    return x->place < y->place ? -1 : 1;
  return (x->node > y->node) - (x->node < y->node);
}

static void
cell_uses_find (CellUses *self, const GobanGraph *graph)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  g_autofree double *places = g_new (double, n_nodes);

  *self = (CellUses){ .uses = g_array_new (FALSE, FALSE, sizeof (CellUse)) };
  self->carried = g_new (guint32, n_nodes);
  self->first = g_new (GobanNodeId, n_nodes);
  self->is_variable = g_new0 (guint8, n_nodes);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    self->first[v] = GOBAN_NO_NODE;
  find_places (graph, places);
  find_carriers (self, graph);
  add_uses (self, graph, places, NULL);
  settle_others (self, graph, places);
  drop_what_does_not_count (self, graph);
  g_array_sort_with_data (self->uses, compare_uses, (gpointer) graph);
}

static void
cell_uses_clear (CellUses *self)
{
  g_clear_pointer (&self->uses, g_array_unref);
  g_clear_pointer (&self->carried, g_free);
  g_clear_pointer (&self->first, g_free);
  g_clear_pointer (&self->is_variable, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CellUses, cell_uses_clear)

/* --- spreading ------------------------------------------------------------ */

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

/* cell_of (n_nodes): on entry CELLS_NONE for all nodes but uses; on return a cell below @n_cells
 * for every node. */
static void
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

/* --- merging -------------------------------------------------------------- */

/* Parts in a heap by work, and the bytes between them. Of two that merge, the one with more
 * neighbours keeps its table, so every exchange moves O(log E) times. */
typedef struct
{
  guint n_parts;
  double *work;         /* (n_parts) */
  guint32 *first;       /* (n_parts) its lowest part, which breaks ties */
  GHashTable **traffic; /* (n_parts) of part -> double bytes, NULL for those that are gone */
  GArray *heap;         /* Entry: some are out of date */
} Merge;

typedef struct
{
  double work;
  guint32 first;
  guint32 part;
} Entry;

static gboolean
is_less (const Entry *a, const Entry *b)
{
  return a->work < b->work || (a->work == b->work && a->first < b->first);
}

static void
push (Merge *self, guint32 part)
{
  Entry entry = { self->work[part], self->first[part], part };
  guint i = self->heap->len;
  Entry *h;

  g_array_append_val (self->heap, entry);
  h = (Entry *) (gpointer) self->heap->data;
  for (; i > 0 && is_less (&entry, &h[(i - 1) / 2]); i = (i - 1) / 2)
    h[i] = h[(i - 1) / 2];
  h[i] = entry;
}

/* The part with the least work. */
static guint32
pop (Merge *self)
{
  for (;;)
    {
      Entry *h = (Entry *) (gpointer) self->heap->data;
      Entry entry = h[0];
      Entry last = h[self->heap->len - 1];
      guint n = self->heap->len - 1;
      guint i = 0;

      g_array_set_size (self->heap, n);
      while (2 * i + 1 < n)
        {
          guint child = 2 * i + 1;

          if (child + 1 < n && is_less (&h[child + 1], &h[child]))
            child++;
          if (!is_less (&h[child], &last))
            break;
          h[i] = h[child];
          i = child;
        }
      if (n > 0)
        h[i] = last;

      if (self->traffic[entry.part] != NULL && entry.work == self->work[entry.part]
          && entry.first == self->first[entry.part])
        return entry.part;
    }
}

static void
add_traffic (Merge *self, guint32 from, guint32 to, double bytes)
{
  double *sum = g_hash_table_lookup (self->traffic[from], GUINT_TO_POINTER (to));

  if (sum == NULL)
    {
      sum = g_new0 (double, 1);
      g_hash_table_insert (self->traffic[from], GUINT_TO_POINTER (to), sum);
    }
  *sum += bytes;
}

/* A tensor counts once for every part that reads it. */
static void
gather_traffic (Merge *self, const GobanGraph *graph, const guint32 *parts)
{
  g_autofree guint32 *seen_by = g_new (guint32, self->n_parts);

  for (guint p = 0; p < self->n_parts; p++)
    seen_by[p] = GOBAN_NO_TENSOR;
  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (graph); t++)
    {
      const GobanTensor *tensor = goban_graph_get_tensor (graph, t);
      GobanEdgeSpan edges = goban_graph_get_tensor_edges (graph, t);
      guint32 from = parts[tensor->producer];

      for (guint i = 0; i < edges.n; i++)
        {
          guint32 to = parts[goban_graph_get_edge (graph, edges.ids[i])->head];

          if (to == from || seen_by[to] == t)
            continue;
          seen_by[to] = t;
          add_traffic (self, from, to, tensor->size_bytes + 1);
          add_traffic (self, to, from, tensor->size_bytes + 1);
        }
    }
}

static void
join (Merge *self, guint32 kept, guint32 gone)
{
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, self->traffic[gone]);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      guint32 other = GPOINTER_TO_UINT (key);

      g_hash_table_remove (self->traffic[other], GUINT_TO_POINTER (gone));
      if (other == kept)
        continue;
      add_traffic (self, kept, other, *(double *) value);
      add_traffic (self, other, kept, *(double *) value);
    }
  g_clear_pointer (&self->traffic[gone], g_hash_table_unref);
  self->work[kept] += self->work[gone];
  self->first[kept] = MIN (self->first[kept], self->first[gone]);
}

static void
merge_least (Merge *self, GobanCellJoin *made)
{
  guint32 least = pop (self);

  /* The part with which it exchanges most bytes; of equals, the one with less work. */
  GHashTableIter iter;
  gpointer key, value;
  Entry best = { 0, 0, CELLS_NONE };
  double most = 0;

  g_hash_table_iter_init (&iter, self->traffic[least]);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      guint32 other = GPOINTER_TO_UINT (key);
      double bytes = *(double *) value;
      Entry a = { self->work[other], self->first[other], other };

      if (bytes > most || (bytes == most && is_less (&a, &best)))
        {
          most = bytes;
          best = a;
        }
    }
  guint32 partner = best.part;

  if (partner == CELLS_NONE)
    partner = pop (self);
  if (g_hash_table_size (self->traffic[least]) > g_hash_table_size (self->traffic[partner]))
    *made = (GobanCellJoin){ least, partner };
  else
    *made = (GobanCellJoin){ partner, least };
  join (self, made->kept, made->gone);
  push (self, made->kept);
}

/* Merges parts (n_nodes) of the graph, least work first, with the part that they exchange most
 * bytes with, and writes joins (n_parts - 1). Parts without traffic merge with the next least. */
static void
cells_merge (const GobanGraph *graph, const guint32 *parts, guint n_parts, const double *work,
             GobanCellJoin *joins)
{
  Merge self = { .n_parts = n_parts };

  self.work = g_new0 (double, n_parts);
  self.first = g_new (guint32, n_parts);
  self.traffic = g_new0 (GHashTable *, n_parts);
  self.heap = g_array_sized_new (FALSE, FALSE, sizeof (Entry), n_parts);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    self.work[parts[v]] += isfinite (work[v]) ? work[v] : 0;
  for (guint p = 0; p < n_parts; p++)
    {
      self.first[p] = p;
      self.traffic[p] = g_hash_table_new_full (NULL, NULL, NULL, g_free);
      push (&self, p);
    }
  gather_traffic (&self, graph, parts);
  for (guint i = 0; i + 1 < n_parts; i++)
    merge_least (&self, &joins[i]);

  for (guint p = 0; p < n_parts; p++)
    g_clear_pointer (&self.traffic[p], g_hash_table_unref);
  g_free (self.work);
  g_free (self.first);
  g_free (self.traffic);
  g_array_unref (self.heap);
}

/* --- cells ---------------------------------------------------------------- */

/* With fewer cells, coordinates say too little to place by. */
#define LEAST_CELLS 16

/* Repeated uses are worth slots of their own from this share of the work on. */
#define LEAST_SHARED 0.3

#define N_GROUPS_OF_SHARED 24
#define N_SLOTS_OF_SHARED 8
#define N_GROUPS_OF_OTHERS 128

/* Cells while they are numbered by their first uses, before those without nodes are left out. */
typedef struct
{
  guint n_cells;
  guint n_params;
  guint32 *param_of; /* (n_cells) */
  guint32 *use_of;   /* (n_cells) */
  guint32 *n_uses;   /* (n_params) */
  guint32 *first;    /* (n_params) the first of its uses */
  guint32 *holder;   /* (n_params) */
} Draft;

static void
draft_clear (Draft *self)
{
  g_free (self->param_of);
  g_free (self->use_of);
  g_free (self->n_uses);
  g_free (self->first);
  g_free (self->holder);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Draft, draft_clear)

/* --- from uses to cells --------------------------------------------------------------------- */

/* Uses of the same parameter by the same op are one run. */
static gboolean
begins_run (const GobanGraph *graph, const GArray *uses, guint i)
{
  const CellUse *use = &g_array_index (uses, CellUse, i);

  return i == 0 || use[-1].param != use->param
         || !g_str_equal (goban_graph_get_node (graph, use[-1].node)->op,
                          goban_graph_get_node (graph, use->node)->op);
}

static void
seed (Draft *draft, const GobanGraph *graph, const GArray *uses, guint32 *cell_of)
{
  guint32 use_of = 0;

  draft->param_of = g_new (guint32, MAX (uses->len, 1));
  draft->use_of = g_new (guint32, MAX (uses->len, 1));
  draft->n_uses = g_new (guint32, MAX (uses->len, 1));
  draft->first = g_new (guint32, MAX (uses->len, 1));
  draft->holder = g_new (guint32, MAX (uses->len, 1));
  for (guint i = 0; i < uses->len; i++)
    {
      GobanNodeId node = g_array_index (uses, CellUse, i).node;

      if (begins_run (graph, uses, i))
        {
          draft->holder[draft->n_params] = g_array_index (uses, CellUse, i).param;
          draft->first[draft->n_params++] = node;
          use_of = 0;
        }
      draft->first[draft->n_params - 1] = MIN (draft->first[draft->n_params - 1], node);
      draft->param_of[i] = draft->n_params - 1;
      draft->use_of[i] = use_of++;
      draft->n_uses[draft->n_params - 1] = use_of;
      cell_of[node] = i;
    }
  draft->n_cells = uses->len;
}

/* --- colocation groups ---------------------------------------------------------------------- */

typedef struct
{
  guint32 group;
  guint32 cell;
  double bytes;
} Member;

static int
compare_members (const void *a, const void *b)
{
  const Member *x = a;
  const Member *y = b;

  if (x->group != y->group)
    return x->group < y->group ? -1 : 1;
  return (x->cell > y->cell) - (x->cell < y->cell);
}

/* chosen (n_groups): the cell of the group's largest parameter, or CELLS_NONE. */
static void
choose_by_params (const GobanGraph *graph, const guint32 *cell_of, guint32 *chosen)
{
  guint n_groups = goban_graph_get_n_groups (graph);
  g_autofree double *largest = g_new0 (double, n_groups);

  for (guint i = 0; i < n_groups; i++)
    chosen[i] = CELLS_NONE;
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);

      if (node->group == GOBAN_NO_GROUP || node->param_bytes <= largest[node->group])
        continue;
      largest[node->group] = node->param_bytes;
      chosen[node->group] = cell_of[v];
    }
}

/* The others': the cell that most of the group's bytes are in. */
static void
choose_by_bytes (const GobanGraph *graph, const guint32 *cell_of, guint32 *chosen)
{
  g_autoptr (GArray) members = g_array_new (FALSE, FALSE, sizeof (Member));
  double most = 0;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      Member member = { goban_graph_get_node (graph, v)->group, cell_of[v],
                        goban_graph_get_output_bytes (graph, v) + 1 };

      if (member.group != GOBAN_NO_GROUP && chosen[member.group] == CELLS_NONE)
        g_array_append_val (members, member);
    }
  g_array_sort (members, compare_members);
  for (guint i = 0, end; i < members->len; i = end)
    {
      Member sum = g_array_index (members, Member, i);

      for (end = i + 1;
           end < members->len && compare_members (&sum, &g_array_index (members, Member, end)) == 0;
           end++)
        sum.bytes += g_array_index (members, Member, end).bytes;
      if (chosen[sum.group] == CELLS_NONE || sum.bytes > most)
        {
          chosen[sum.group] = sum.cell;
          most = sum.bytes;
        }
    }
}

static void
keep_groups_whole (const GobanGraph *graph, guint32 *cell_of)
{
  g_autofree guint32 *chosen = g_new (guint32, goban_graph_get_n_groups (graph) + 1);

  choose_by_params (graph, cell_of, chosen);
  choose_by_bytes (graph, cell_of, chosen);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      guint32 group = goban_graph_get_node (graph, v)->group;

      if (group != GOBAN_NO_GROUP)
        cell_of[v] = chosen[group];
    }
}

/* --- numbers -------------------------------------------------------------------------------- */

typedef struct
{
  guint32 first; /* sort key of parameters */
  guint32 param;
  guint32 use;
  guint32 cell;
} Numbered;

static int
compare_numbered (const void *a, const void *b)
{
  const Numbered *x = a;
  const Numbered *y = b;

  if (x->first != y->first)
    return x->first < y->first ? -1 : 1;
  if (x->param != y->param)
    return x->param < y->param ? -1 : 1;
  return (x->use > y->use) - (x->use < y->use);
}

/* Cells with nodes, by parameter in the order of their first nodes, then by use. */
static GArray *
sort_cells (const Draft *draft, const guint32 *cell_of, guint n_nodes)
{
  GArray *numbered = g_array_new (FALSE, FALSE, sizeof (Numbered));
  g_autofree guint8 *is_there = g_new0 (guint8, draft->n_cells);

  for (GobanNodeId v = 0; v < n_nodes; v++)
    is_there[cell_of[v]] = TRUE;
  for (guint c = 0; c < draft->n_cells; c++)
    {
      Numbered cell = { draft->first[draft->param_of[c]], draft->param_of[c], draft->use_of[c], c };

      if (is_there[c])
        g_array_append_val (numbered, cell);
    }
  g_array_sort (numbered, compare_numbered);
  return numbered;
}

/* Uses without a node are skipped: their ops went with a colocation group. */
static void
number_cells (GobanCells *self, const Draft *draft, const guint32 *drafts)
{
  g_autoptr (GArray) numbered = sort_cells (draft, drafts, self->n_nodes);
  g_autofree guint32 *number = g_new (guint32, MAX (draft->n_cells, 1));

  self->n_cells = numbered->len;
  self->param_of = g_new (guint32, numbered->len);
  self->use_of = g_new (guint32, numbered->len);
  self->n_uses = g_new0 (guint32, numbered->len);
  self->holder_of = g_new (GobanNodeId, numbered->len);
  self->user_of = g_new (GobanNodeId, numbered->len);
  for (guint c = 0; c < numbered->len; c++)
    {
      const Numbered *cell = &g_array_index (numbered, Numbered, c);

      if (c > 0 && cell[-1].param != cell->param)
        self->n_params++;
      number[cell->cell] = c;
      self->param_of[c] = self->n_params;
      self->use_of[c] = cell->use;
      self->n_uses[self->n_params] = draft->n_uses[cell->param];
      self->holder_of[self->n_params] = draft->holder[cell->param];
      self->user_of[self->n_params] = draft->first[cell->param];
    }
  self->n_params += numbered->len > 0;
  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    self->cell_of[v] = number[drafts[v]];
}

/* --- graphs without parameters -------------------------------------------------------------- */

/* Each colocation group and each other node, by its first node. Returns how many there are. */
static guint
number_units (const GobanGraph *graph, guint32 *unit_of)
{
  guint n_groups = goban_graph_get_n_groups (graph);
  g_autofree guint32 *of_groups = g_new (guint32, n_groups + 1);
  guint n = 0;

  for (guint i = 0; i < n_groups; i++)
    of_groups[i] = CELLS_NONE;
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      guint32 group = goban_graph_get_node (graph, v)->group;

      if (group != GOBAN_NO_GROUP && of_groups[group] != CELLS_NONE)
        unit_of[v] = of_groups[group];
      else
        unit_of[v] = n++;
      if (group != GOBAN_NO_GROUP)
        of_groups[group] = unit_of[v];
    }
  return n;
}

/* --- construction and disposal -------------------------------------------------------------- */

static double
find_shared (const GobanCells *self, const double *work)
{
  g_autofree double *of_cells = g_new0 (double, self->n_cells + 1);
  g_autofree double *heaviest = g_new0 (double, self->n_params + 1);
  double total = 0;
  double alone = 0;

  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    if (isfinite (work[v]))
      {
        of_cells[self->cell_of[v]] += work[v];
        total += work[v];
      }
  for (guint c = 0; c < self->n_cells; c++)
    heaviest[self->param_of[c]] = MAX (heaviest[self->param_of[c]], of_cells[c]);
  for (guint p = 0; p < self->n_params; p++)
    alone += heaviest[p];
  return total > 0 ? 1 - alone / total : 0;
}

/* Whether there are at least so many; else nothing is set. */
static gboolean
find_cells (GobanCells *self, const GobanGraph *graph, guint least)
{
  g_auto (CellUses) uses = { NULL };
  g_auto (Draft) draft = { 0 };
  g_autofree guint32 *drafts = g_new (guint32, self->n_nodes);

  cell_uses_find (&uses, graph);
  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    drafts[v] = CELLS_NONE;
  seed (&draft, graph, uses.uses, drafts);
  if (draft.n_cells < least)
    return FALSE;

  cells_spread (graph, &uses, drafts, draft.n_cells);
  keep_groups_whole (graph, drafts);
  number_cells (self, &draft, drafts);
  self->has_params = TRUE;
  return TRUE;
}

static void
find_joins (GobanCells *self, const GobanGraph *graph, const double *work)
{
  g_autofree guint32 *params = g_new (guint32, self->n_nodes);

  for (GobanNodeId v = 0; v < self->n_nodes; v++)
    params[v] = self->param_of[self->cell_of[v]];
  self->shared = find_shared (self, work);
  self->joins = g_new (GobanCellJoin, MAX (self->n_params, 1));
  cells_merge (graph, params, self->n_params, work, self->joins);
}

static GobanCells *
new_empty (const GobanGraph *graph)
{
  GobanCells *self = g_new0 (GobanCells, 1);

  self->n_nodes = goban_graph_get_n_nodes (graph);
  self->cell_of = g_new (guint32, self->n_nodes);
  return self;
}

GobanCells *
goban_cells_new (const GobanGraph *graph, const double *work)
{
  GobanCells *self = new_empty (graph);

  if (!find_cells (self, graph, LEAST_CELLS))
    {
      guint n = number_units (graph, self->cell_of);

      self->n_cells = n;
      self->n_params = n;
      self->param_of = g_new (guint32, n);
      self->use_of = g_new0 (guint32, n);
      self->n_uses = g_new (guint32, n);
      self->holder_of = g_new (GobanNodeId, n);
      self->user_of = g_new (GobanNodeId, n);
      for (guint c = 0; c < n; c++)
        {
          self->param_of[c] = c;
          self->n_uses[c] = 1;
        }
      for (GobanNodeId v = self->n_nodes; v-- > 0;)
        self->holder_of[self->cell_of[v]] = self->user_of[self->cell_of[v]] = v;
    }
  find_joins (self, graph, work);
  return self;
}

GobanCells *
goban_cells_new_of_params (const GobanGraph *graph, const double *work)
{
  g_autoptr (GobanCells) self = new_empty (graph);

  if (!find_cells (self, graph, 1))
    return NULL;
  if (work != NULL)
    find_joins (self, graph, work);
  return g_steal_pointer (&self);
}

void
goban_cells_free (GobanCells *self)
{
  g_free (self->cell_of);
  g_free (self->param_of);
  g_free (self->use_of);
  g_free (self->n_uses);
  g_free (self->holder_of);
  g_free (self->user_of);
  g_free (self->joins);
  g_free (self);
}

guint
goban_cells_get_max_uses (const GobanCells *self)
{
  guint max = 1;

  for (guint p = 0; p < self->n_params; p++)
    max = MAX (max, self->n_uses[p]);
  return max;
}

void
goban_cells_choose (const GobanCells *self, guint n_devices, guint *n_groups, guint *n_slots)
{
  if (self->shared < LEAST_SHARED)
    {
      *n_groups = N_GROUPS_OF_OTHERS;
      *n_slots = 1;
      return;
    }
  *n_groups = N_GROUPS_OF_SHARED;
  *n_slots = MIN (MAX (N_SLOTS_OF_SHARED, n_devices), goban_cells_get_max_uses (self));
}
