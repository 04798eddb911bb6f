#include "engine/graph/cells-private.h"

#include <stdlib.h>
#include <string.h>

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

void
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

void
cell_uses_clear (CellUses *self)
{
  g_clear_pointer (&self->uses, g_array_unref);
  g_clear_pointer (&self->carried, g_free);
  g_clear_pointer (&self->first, g_free);
  g_clear_pointer (&self->is_variable, g_free);
}
