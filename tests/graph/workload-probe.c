#include "tests/graph/workload-probe.h"

#include "engine/graph/workloads/workload.h"
#include "engine/machine/cluster/cost-model.h"

#include <string.h>

GobanGraph *
probe_generate (const char *spec)
{
  g_autoptr (GError) error = NULL;
  GobanGraph *graph = goban_workload_generate (spec, &error);

  g_assert_no_error (error);
  g_assert_nonnull (graph);
  return graph;
}

double
probe_params (const GobanGraph *graph)
{
  double params = 0;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    params += goban_graph_get_node (graph, v)->param_count;
  return params;
}

double
probe_macs (const GobanGraph *graph, GobanPhase phase)
{
  double macs = 0;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    if (goban_graph_get_node (graph, v)->phase == phase)
      macs += goban_graph_get_node (graph, v)->macs;
  return macs;
}

guint
probe_count (const GobanGraph *graph, const char *op)
{
  guint n = 0;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    n += strcmp (goban_graph_get_node (graph, v)->op, op) == 0;
  return n;
}

const GobanTensor *
probe_output (const GobanGraph *graph, const char *name)
{
  GobanNodeId node = goban_graph_find_node (graph, name);
  guint n;

  if (node == GOBAN_NO_NODE)
    g_error ("there is no node %s", name);
  return goban_graph_get_tensor (graph, goban_graph_get_node_tensors (graph, node, &n));
}

void
probe_same_structure (const GobanGraph *a, const GobanGraph *b)
{
  g_assert_cmpuint (goban_graph_get_n_nodes (a), ==, goban_graph_get_n_nodes (b));
  g_assert_cmpuint (goban_graph_get_n_edges (a), ==, goban_graph_get_n_edges (b));
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (a); v++)
    {
      const GobanNode *x = goban_graph_get_node (a, v);
      const GobanNode *y = goban_graph_get_node (b, v);

      g_assert_cmpstr (x->name, ==, y->name);
      g_assert_cmpstr (x->op, ==, y->op);
      g_assert_cmpfloat (x->param_count, ==, y->param_count);
    }
  for (GobanEdgeId e = 0; e < goban_graph_get_n_edges (a); e++)
    {
      g_assert_cmpuint (goban_graph_get_edge (a, e)->tail, ==, goban_graph_get_edge (b, e)->tail);
      g_assert_cmpuint (goban_graph_get_edge (a, e)->head, ==, goban_graph_get_edge (b, e)->head);
    }
}

void
probe_training (const GobanGraph *graph, const char *apply_op)
{
  guint n_trained = 0;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);

      n_trained += node->param_count > 0;
      g_assert_true (g_str_has_prefix (node->name, "gradients/")
                     == (node->phase == GOBAN_PHASE_BACKWARD));
      if (strcmp (node->op, apply_op) == 0)
        g_assert_cmpint (node->phase, ==, GOBAN_PHASE_UPDATE);
    }
  g_assert_cmpuint (n_trained, >, 0);
  g_assert_cmpuint (probe_count (graph, apply_op), ==, n_trained);
}

void
probe_step_time (GobanGraph *graph, double least_s, double most_s)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanCluster) cluster = goban_cluster_new_from_spec ("p100x2", &error);
  g_autoptr (GobanCostModel) costs = NULL;
  double sum_us = 0;

  g_assert_no_error (error);
  costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    sum_us += goban_cost_model_time_us (costs, v, 0);
  g_assert_cmpfloat (sum_us / 1e6, >, least_s);
  g_assert_cmpfloat (sum_us / 1e6, <, most_s);
}

void
probe_coarse (const GobanGraph *graph, const char *spec)
{
  g_autoptr (GobanGraph) coarse = probe_generate (spec);

  g_assert_cmpuint (goban_graph_get_n_nodes (coarse), >=, 10);
  g_assert_cmpuint (goban_graph_get_n_nodes (coarse), <=, 100);
  g_assert_cmpfloat (probe_params (coarse), ==, probe_params (graph));
  for (GobanPhase phase = GOBAN_PHASE_FORWARD; phase <= GOBAN_PHASE_UPDATE; phase++)
    g_assert_cmpfloat (probe_macs (coarse, phase), ==, probe_macs (graph, phase));
}
