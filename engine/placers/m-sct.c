/* m-SCT of Baechi (Jeon et al., 2020): m-ETF with devices that wait for favourite children.
 *
 * The linear programme runs on trees of nodes with a single consumer, which co-placement keeps on one
 * device; what leaves a tree leaves it from its root. Nodes of a tree are counted one after
 * another. An edge within a co-placed group costs nothing.
 */
#include "engine/placers/baechi.h"
#include "engine/placers/coplacement.h"
#include "engine/placers/earliest.h"
#include "engine/placers/m-sct-lp.h"
#include "engine/placers/policies.h"

#include <stdlib.h>

/* From this share on an edge leads to a favourite child: Baechi's threshold of 0.5, less what the
 * simplex method may miss it by. */
#define FAVOURITE_SHARE (0.5 - 1e-6)

typedef struct
{
  guint n_trees;
  guint32 *tree_of;     /* (n_nodes) trees are numbered in the order of their roots */
  double *times_us;     /* (n_trees) */
  GArray *edges;        /* GobanSctEdge between trees */
  GArray *first_reader; /* GobanNodeId, per edge: the first node of the head that reads the tail */
  GobanNodeId *roots;   /* (n_trees) */
} Trees;

static void
clear_trees (Trees *self)
{
  g_free (self->tree_of);
  g_free (self->times_us);
  g_free (self->roots);
  g_array_unref (self->edges);
  g_array_unref (self->first_reader);
}

/* A node and its only consumer are in one tree if they are in one group. */
static void
number_trees (Trees *self, const GobanUnits *units)
{
  guint n_nodes = goban_graph_get_n_nodes (units->graph);
  g_autofree GobanNodeId *root_of = g_new (GobanNodeId, n_nodes);
  g_autofree double *mean_us = g_new (double, n_nodes);

  for (GobanNodeId v = n_nodes; v-- > 0;)
    {
      GobanNodeId consumer = goban_only_consumer (units->graph, v);

      root_of[v] = consumer != GOBAN_NO_NODE && units->unit_of[consumer] == units->unit_of[v]
                       ? root_of[consumer]
                       : v;
      self->n_trees += root_of[v] == v;
    }

  self->tree_of = g_new (guint32, n_nodes);
  self->roots = g_new (GobanNodeId, self->n_trees);
  self->times_us = g_new0 (double, self->n_trees);
  for (GobanNodeId v = 0, t = 0; v < n_nodes; v++)
    if (root_of[v] == v)
      {
        self->roots[t] = v;
        self->tree_of[v] = t++;
      }
  goban_cost_model_mean_times (units->costs, mean_us);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      self->tree_of[v] = self->tree_of[root_of[v]];
      self->times_us[self->tree_of[v]] += mean_us[v];
    }
}

/* Edges out of one root, one per tree that reads it; a tensor counts once for each. */
static void
connect_root (Trees *self, const GobanUnits *units, const double *transfers_us, guint32 tail,
              guint32 *edge_to)
{
  GobanNodeId root = self->roots[tail];
  GobanEdgeSpan out = goban_graph_get_out_edges (units->graph, root);
  guint first = self->edges->len;
  g_autofree GobanTensorId *counted = g_new (GobanTensorId, out.n);

  for (guint i = 0; i < out.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (units->graph, out.ids[i]);
      guint32 head = self->tree_of[edge->head];
      gboolean is_apart = units->unit_of[edge->head] != units->unit_of[root];
      guint32 e = edge_to[head];

      if (e == G_MAXUINT32 || e < first)
        {
          GobanSctEdge new_edge = { tail, head, 0 };

          e = edge_to[head] = self->edges->len;
          g_array_append_val (self->edges, new_edge);
          g_array_append_val (self->first_reader, edge->head);
          counted[e - first] = GOBAN_NO_TENSOR;
        }
      if (is_apart && counted[e - first] != edge->tensor)
        g_array_index (self->edges, GobanSctEdge, e).cost_us += transfers_us[edge->tensor];
      counted[e - first] = edge->tensor;
    }
}

static void
init_trees (Trees *self, const GobanUnits *units)
{
  g_autofree double *transfers_us = g_new (double, goban_graph_get_n_tensors (units->graph));
  g_autofree guint32 *edge_to = NULL;

  *self = (Trees){ .edges = g_array_new (FALSE, FALSE, sizeof (GobanSctEdge)),
                   .first_reader = g_array_new (FALSE, FALSE, sizeof (GobanNodeId)) };
  number_trees (self, units);
  goban_cost_model_mean_transfers (units->costs, transfers_us);
  edge_to = g_new (guint32, self->n_trees);
  for (guint t = 0; t < self->n_trees; t++)
    edge_to[t] = G_MAXUINT32;
  for (guint32 t = 0; t < self->n_trees; t++)
    connect_root (self, units, transfers_us, t, edge_to);
}

typedef struct
{
  double share;
  double cost_us;
  guint32 edge;
} Candidate;

static int
compare_candidates (const void *a, const void *b)
{
  const Candidate *x = a;
  const Candidate *y = b;

  if (x->share != y->share)
    return x->share > y->share ? -1 : 1;
  if (x->cost_us != y->cost_us)
    return x->cost_us > y->cost_us ? -1 : 1;
  return (x->edge > y->edge) - (x->edge < y->edge);
}

/* Rounds: of two halves that share an end only one can have it; Baechi lets the last win, here
 * the larger share, then the longer transfer. */
static void
choose_favourites (const Trees *self, const double *shares, GobanNodeId *favourites)
{
  g_autoptr (GArray) candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  g_autofree guint8 *has_parent = g_new0 (guint8, self->n_trees);

  for (guint32 e = 0; e < self->edges->len; e++)
    {
      Candidate candidate = { shares[e], g_array_index (self->edges, GobanSctEdge, e).cost_us, e };

      if (shares[e] >= FAVOURITE_SHARE && candidate.cost_us > 0)
        g_array_append_val (candidates, candidate);
    }
  g_array_sort (candidates, compare_candidates);
  for (guint i = 0; i < candidates->len; i++)
    {
      guint32 e = g_array_index (candidates, Candidate, i).edge;
      const GobanSctEdge *edge = &g_array_index (self->edges, GobanSctEdge, e);
      GobanNodeId *favourite = &favourites[self->roots[edge->tail]];

      if (*favourite != GOBAN_NO_NODE || has_parent[edge->head])
        continue;
      *favourite = g_array_index (self->first_reader, GobanNodeId, e);
      has_parent[edge->head] = TRUE;
    }
}

gboolean
goban_m_sct_favourites (const GobanUnits *units, GobanNodeId *favourites,
                        const GobanProgress *progress, GError **error)
{
  Trees trees;
  GobanSctTasks tasks;
  g_autofree double *shares = NULL;
  gboolean is_solved;

  init_trees (&trees, units);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (units->graph); v++)
    favourites[v] = GOBAN_NO_NODE;
  tasks = (GobanSctTasks){
    .times_us = trees.times_us,
    .n_tasks = trees.n_trees,
    .edges = (const GobanSctEdge *) (gpointer) trees.edges->data,
    .n_edges = trees.edges->len,
  };
  shares = g_new0 (double, MAX (tasks.n_edges, 1));
  is_solved = goban_sct_solve (&tasks, GOBAN_SCT_WHOLE, shares, progress, error) >= 0;
  if (is_solved)
    choose_favourites (&trees, shares, favourites);
  clear_trees (&trees);
  return is_solved;
}

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  return goban_baechi_place (costs, TRUE, options, evaluations, error);
}

const GobanPlacer goban_placer_m_sct = {
  .name = "m-sct",
  .blurb = "Baechi's SCT: m-ETF whose devices wait for favourite children, found by an LP",
  .about
  = "A linear programme asks which one child each node would best share a device with, if there "
    "were devices enough: shares of at least one half make a favourite child. Then m-ETF, but a "
    "device that has just run a node stays awake for its favourite child while the child's "
    "inputs are on their way, if it can start it first, and runs only urgent nodes meanwhile. "
    "CLP solves the programme. Ours: it runs on trees of nodes with a single consumer; where it "
    "leaves a choice the longer transfers are favoured; beyond 6,000 trees it is solved in "
    "windows of 3,000 in topological order, each knowing when its inputs come and how long "
    "the paths beyond it are with all transfers paid, so that the favourites of different "
    "windows are no longer weighed against each other; of the nodes that wait for an "
    "awake device the first few are asked whether they are urgent. All else as m-etf.",
  .source
  = "Jeon et al., Baechi: Fast Device Placement of Machine Learning Graphs, SoCC 2020, after "
    "Hanen and Munier, An Approximation Algorithm for Scheduling Dependent Tasks on m "
    "Processors with Small Communication Delays, 1995",
  .place = place,
};
