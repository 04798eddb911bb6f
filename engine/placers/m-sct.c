/* m-SCT of Baechi (Jeon et al., 2020): m-ETF with devices that wait for favourite children.
 *
 * The linear programme runs on trees of nodes with a single consumer, which co-placement keeps on
 * one device; what leaves a tree leaves it from its root. Nodes of a tree are counted one after
 * another. An edge within a co-placed group costs nothing.
 */
#include "engine/core/i18n.h"
#include "engine/placers/baechi.h"
#include "engine/placers/coplacement.h"
#include "engine/placers/m-sct-lp.h"
#include "engine/placers/policies.h"

/* From this share on an edge leads to a favourite child: Baechi's threshold of 0.5, less the
 * tolerance of the simplex method. */
#define FAVOURITE_SHARE (0.5 - 1e-6)

typedef struct
{
  const GobanTrees *trees;
  double *times_us; /* (n_trees) */
  GArray *edges;    /* GobanSctEdge between trees */
} Tasks;

static void
clear_tasks (Tasks *self)
{
  g_free (self->times_us);
  g_array_unref (self->edges);
}

/* Edges out of one root, one per tree that reads it; a tensor counts once for each. edge_to
 * (n_trees): the last edge made to a tree. */
static void
connect_root (Tasks *self, const GobanUnits *units, const double *transfers_us, guint32 tail,
              guint32 *edge_to)
{
  const GobanTrees *trees = self->trees;
  GobanNodeId root = trees->nodes[trees->offsets[tail + 1] - 1];
  GobanEdgeSpan out = goban_graph_get_out_edges (units->graph, root);
  guint first = self->edges->len;
  g_autofree GobanTensorId *counted = g_new (GobanTensorId, out.n);

  for (guint i = 0; i < out.n; i++)
    {
      const GobanEdge *edge = goban_graph_get_edge (units->graph, out.ids[i]);
      guint32 head = trees->tree_of[edge->head];
      guint32 e = edge_to[head];

      if (e == G_MAXUINT32 || e < first)
        {
          GobanSctEdge new_edge = { tail, head, 0 };

          e = edge_to[head] = self->edges->len;
          g_array_append_val (self->edges, new_edge);
          counted[e - first] = GOBAN_NO_TENSOR;
        }
      if (units->unit_of[edge->head] != units->unit_of[root] && counted[e - first] != edge->tensor)
        g_array_index (self->edges, GobanSctEdge, e).cost_us += transfers_us[edge->tensor];
      counted[e - first] = edge->tensor;
    }
}

static void
init_tasks (Tasks *self, const GobanUnits *units, const GobanTrees *trees)
{
  guint n_nodes = goban_graph_get_n_nodes (units->graph);
  g_autofree double *mean_us = g_new (double, n_nodes);
  g_autofree double *transfers_us = g_new (double, goban_graph_get_n_tensors (units->graph));
  g_autofree guint32 *edge_to = g_new (guint32, trees->n_trees);

  *self = (Tasks){ trees, g_new0 (double, trees->n_trees),
                   g_array_new (FALSE, FALSE, sizeof (GobanSctEdge)) };
  goban_cost_model_mean_times (units->costs, mean_us);
  goban_cost_model_mean_transfers (units->costs, transfers_us);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    self->times_us[trees->tree_of[v]] += mean_us[v];
  for (guint t = 0; t < trees->n_trees; t++)
    edge_to[t] = G_MAXUINT32;
  for (guint32 t = 0; t < trees->n_trees; t++)
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
choose_favourites (const Tasks *self, const double *shares, guint32 *favourites)
{
  g_autoptr (GArray) candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  g_autofree guint8 *has_parent = g_new0 (guint8, self->trees->n_trees);

  for (guint32 e = 0; e < self->edges->len; e++)
    {
      Candidate candidate = { shares[e], g_array_index (self->edges, GobanSctEdge, e).cost_us, e };

      if (shares[e] >= FAVOURITE_SHARE && candidate.cost_us > 0)
        g_array_append_val (candidates, candidate);
    }
  g_array_sort (candidates, compare_candidates);
  for (guint i = 0; i < candidates->len; i++)
    {
      const GobanSctEdge *edge = &g_array_index (self->edges, GobanSctEdge,
                                                 g_array_index (candidates, Candidate, i).edge);

      if (favourites[edge->tail] != GOBAN_NO_NODE || has_parent[edge->head])
        continue;
      favourites[edge->tail] = edge->head;
      has_parent[edge->head] = TRUE;
    }
}

gboolean
goban_m_sct_favourites (const GobanUnits *units, const GobanTrees *trees, guint32 *favourites,
                        const GobanProgress *progress, GError **error)
{
  Tasks tasks;
  GobanSctTasks problem;
  g_autofree double *shares = NULL;
  gboolean is_solved;

  init_tasks (&tasks, units, trees);
  for (guint t = 0; t < trees->n_trees; t++)
    favourites[t] = GOBAN_NO_NODE;
  problem = (GobanSctTasks){
    .times_us = tasks.times_us,
    .n_tasks = trees->n_trees,
    .edges = (const GobanSctEdge *) (gpointer) tasks.edges->data,
    .n_edges = tasks.edges->len,
  };
  shares = g_new0 (double, MAX (problem.n_edges, 1));
  is_solved = goban_sct_solve (&problem, GOBAN_SCT_WHOLE, shares, progress, error) >= 0;
  if (is_solved)
    choose_favourites (&tasks, shares, favourites);
  clear_tasks (&tasks);
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
  .blurb = N_ ("Baechi's SCT: m-ETF whose devices wait for favourite children, found by an LP"),
  .about = N_ ("A linear programme asks which one child each node would best share a device "
               "with, if there were devices enough: shares of at least one half make a "
               "favourite child. Then m-ETF, but a device that has just run a node stays awake "
               "for its favourite child while the child's inputs are on their way, if it can "
               "start it first, and runs only urgent nodes meanwhile. CLP solves the programme "
               "over the trees that m-etf schedules. Ours: where it leaves a choice the longer "
               "transfers are favoured; beyond 6,000 trees it is solved in windows of 3,000 in "
               "topological order, each knowing when its inputs come and how long the paths "
               "beyond it are with all transfers paid, so that favourites of different windows "
               "are not weighed against each other and the path it predicts may be longer than "
               "the optimum; of the nodes that wait for an awake device only the first few are "
               "asked whether they are urgent. All else as m-etf."),
  .source
  = "Jeon et al., Baechi: Fast Device Placement of Machine Learning Graphs, SoCC 2020, after "
    "Hanen and Munier, An Approximation Algorithm for Scheduling Dependent Tasks on m "
    "Processors with Small Communication Delays, 1995",
  .forcing = GOBAN_FORCING_INSIDE,
  .place = place,
};
