/* board-facts.c: contributions of nodes and tensors to rows, read once from the graph and the cost
 * model. */
#include "engine/learn/policy/board-private.h"
#include "engine/learn/policy/op-kinds.h"

static void
fill_kinds (GobanBoardFacts *self, const GobanGraph *graph)
{
  g_autoptr (GHashTable) kinds = g_hash_table_new (g_str_hash, g_str_equal);

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const char *op = goban_graph_get_node (graph, v)->op;
      gpointer kind;

      if (!g_hash_table_lookup_extended (kinds, op, NULL, &kind))
        {
          kind = GUINT_TO_POINTER (goban_op_kind_from_word (op));
          g_hash_table_insert (kinds, (gpointer) op, kind);
        }
      self->nodes[v].kind = (guint8) GPOINTER_TO_UINT (kind);
    }
}

static void
find_largest_output (GobanNodeFacts *self, const GobanGraph *graph, GobanNodeId node)
{
  guint n;
  GobanTensorId first = goban_graph_get_node_tensors (graph, node, &n);

  self->largest = GOBAN_NO_TENSOR;
  for (GobanTensorId t = first; t < first + n; t++)
    {
      const GobanTensor *tensor = goban_graph_get_tensor (graph, t);

      if (!tensor->has_shape
          || (self->largest != GOBAN_NO_TENSOR && tensor->size_bytes <= self->largest_bytes))
        continue;
      self->largest = t;
      self->largest_bytes = tensor->size_bytes;
    }
}

static void
fill_levels (GobanBoardFacts *self, const GobanUnits *units)
{
  guint n_nodes = goban_graph_get_n_nodes (units->graph);
  g_autofree double *top_us = g_new (double, n_nodes);
  g_autofree double *bottom_us = g_new (double, n_nodes);

  goban_units_downward_ranks (units, top_us);
  goban_units_upward_ranks (units, bottom_us);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      self->nodes[v].top_us = top_us[v];
      self->nodes[v].bottom_us = bottom_us[v];
      self->longest_us = MAX (self->longest_us, bottom_us[v]);
    }
}

static void
list_readers (GobanBoardFacts *self, const GobanUnits *units)
{
  const GobanGraph *graph = units->graph;
  guint n_tensors = goban_graph_get_n_tensors (graph);
  g_autofree GobanTensorId *seen_by = g_new (GobanTensorId, units->n_units);
  guint32 n = 0;

  for (guint u = 0; u < units->n_units; u++)
    seen_by[u] = GOBAN_NO_TENSOR;
  self->first_reader = g_new0 (guint32, (gsize) n_tensors + 1);
  self->readers = g_new (guint32, (gsize) goban_graph_get_n_edges (graph) + 1);
  for (GobanTensorId t = 0; t < n_tensors; t++)
    {
      GobanEdgeSpan edges = goban_graph_get_tensor_edges (graph, t);
      guint32 own = units->unit_of[goban_graph_get_tensor (graph, t)->producer];

      for (guint i = 0; i < edges.n; i++)
        {
          guint32 unit = units->unit_of[goban_graph_get_edge (graph, edges.ids[i])->head];

          if (unit == own || seen_by[unit] == t)
            continue;
          seen_by[unit] = t;
          self->readers[n++] = unit;
        }
      self->first_reader[t + 1] = n;
    }
}

GobanBoardFacts *
goban_board_facts_new (const GobanUnits *units)
{
  GobanBoardFacts *self = g_new0 (GobanBoardFacts, 1);

  self->nodes = g_new0 (GobanNodeFacts, goban_graph_get_n_nodes (units->graph));
  self->transfers_us = g_new (double, goban_graph_get_n_tensors (units->graph));
  goban_cost_model_mean_transfers (units->costs, self->transfers_us);
  fill_kinds (self, units->graph);

  const GobanGraph *graph = units->graph;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);
      GobanNodeFacts *facts = &self->nodes[v];

      facts->flops = node->flops;
      facts->traffic_bytes = node->read_bytes + node->written_bytes;
      facts->param_bytes = goban_cost_model_param_bytes (units->costs, v);
      facts->output_bytes = goban_graph_get_output_bytes (graph, v);
      facts->phase = (guint8) node->phase;
      find_largest_output (facts, graph, v);
    }

  fill_levels (self, units);
  list_readers (self, units);
  return self;
}

void
goban_board_facts_free (GobanBoardFacts *self)
{
  g_free (self->nodes);
  g_free (self->transfers_us);
  g_free (self->first_reader);
  g_free (self->readers);
  g_free (self);
}
