#include "engine/learn/rl/baselines/regal.h"

#include "engine/core/arrays.h"
#include "engine/core/data-file.h"
#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/graph/levels.h"
#include "engine/learn/nn/softmax.h"
#include "engine/learn/rl/learned-options.h"
#include "engine/learn/rl/policies.h"
#include "engine/placers/search.h"

#include <math.h>
#include <string.h>

/* Figures of the nodes before scaling. */
typedef struct
{
  const GobanCostModel *costs;
  const GobanGraph *graph;
  const GobanCluster *cluster;
  guint N;
  guint A;
  GPtrArray *arrays; /* all that is allocated */
  double *w;         /* (N) mean times, 0 for a node that can run nowhere */
  double *c;         /* (n_tensors) mean transfers */
  double *top;       /* (N) */
  double *bottom;    /* (N) */
  /* (N) work of the same phase before the node, as a share of the phase's; backward phases are
   * counted from their end, so that a layer's nodes have similar places */
  double *place;
  double *before;     /* (N) work before the node, as a share of all */
  double *sent;       /* (N) transfer times of the tensors with readers */
  double *received;   /* (N) */
  guint32 *depth;     /* (N) */
  guint n_levels;     /* of depth */
  double total_us;    /* sum of w */
  double transfer_us; /* sum of sent */
  double longest_us;  /* path, of at least 0 */
  double params;      /* bytes */
  double memory;      /* bytes of all devices */
  double most_memory; /* bytes of the largest device */
  double outputs;     /* bytes of all tensors */
} Facts;

/* --- facts ---------------------------------------------------------------------------------- */

static double
ratio (double a, double b)
{
  return b > 0 && isfinite (a) ? a / b : 0;
}

static void
facts_init (Facts *self, const GobanCostModel *costs)
{
  *self = (Facts){ .costs = costs,
                   .graph = goban_cost_model_get_graph (costs),
                   .cluster = goban_cost_model_get_cluster (costs) };
  self->N = goban_graph_get_n_nodes (self->graph);
  self->A = goban_cluster_get_n_devices (self->cluster);
  self->arrays = goban_arrays_new ();
  self->w = goban_own (self, double, self->N);
  self->c = goban_own (self, double, goban_graph_get_n_tensors (self->graph));
  self->top = goban_own (self, double, self->N);
  self->bottom = goban_own (self, double, self->N);
  self->depth = goban_own (self, guint32, self->N);
  goban_cost_model_mean_times (self->costs, self->w);
  goban_cost_model_mean_transfers (self->costs, self->c);
  for (guint v = 0; v < self->N; v++)
    {
      if (!isfinite (self->w[v]))
        self->w[v] = 0;
      self->total_us += self->w[v];
    }
  goban_graph_top_levels (self->graph, self->top, self->w, NULL);
  goban_graph_bottom_levels (self->graph, self->bottom, self->w, NULL);
  self->n_levels = self->N > 0 ? goban_graph_depths (self->graph, self->depth) : 0;
  for (guint v = 0; v < self->N; v++)
    self->longest_us = MAX (self->longest_us, self->top[v] + self->bottom[v]);

  self->sent = goban_own (self, double, self->N);
  self->received = goban_own (self, double, self->N);
  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (self->graph); t++)
    {
      const GobanTensor *tensor = goban_graph_get_tensor (self->graph, t);
      GobanEdgeSpan readers = goban_graph_get_tensor_edges (self->graph, t);

      self->outputs += tensor->size_bytes;
      if (readers.n == 0 || !isfinite (self->c[t]))
        continue;
      self->sent[tensor->producer] += self->c[t];
      self->transfer_us += self->c[t];
      for (guint i = 0; i < readers.n; i++)
        self->received[goban_graph_get_edge (self->graph, readers.ids[i])->head] += self->c[t];
    }

  double totals[3] = { 0 };
  double sums[3] = { 0 };
  double sum = 0;

  self->place = goban_own (self, double, self->N);
  self->before = goban_own (self, double, self->N);
  for (guint v = 0; v < self->N; v++)
    totals[goban_graph_get_node (self->graph, v)->phase] += self->w[v];
  for (guint v = 0; v < self->N; v++)
    {
      GobanPhase phase = goban_graph_get_node (self->graph, v)->phase;
      double share = ratio (sums[phase] + self->w[v] / 2, totals[phase]);

      self->place[v] = phase == GOBAN_PHASE_FORWARD ? share : 1 - share;
      self->before[v] = ratio (sum + self->w[v] / 2, self->total_us);
      sums[phase] += self->w[v];
      sum += self->w[v];
    }

  for (guint v = 0; v < self->N; v++)
    self->params += goban_cost_model_param_bytes (self->costs, v);
  self->memory = goban_cost_model_total_memory (self->costs);
  for (guint d = 0; d < self->A; d++)
    {
      double capacity = goban_cluster_get_device (self->cluster, (GobanDeviceId) d)->memory_bytes;

      self->most_memory = MAX (self->most_memory, capacity);
    }
}

/* --- rows ----------------------------------------------------------------------------------- */

static void
fill_node (const Facts *self, GobanNodeId v, float *x)
{
  const GobanNode *node = goban_graph_get_node (self->graph, v);
  double n = self->N;
  double mean_us = self->total_us / n;
  double path = self->top[v] + self->bottom[v];
  double in = goban_graph_get_in_edges (self->graph, v).n;
  double out = goban_graph_get_out_edges (self->graph, v).n;
  double values[GOBAN_REGAL_N_NODE_FEATURES] = {
    [GOBAN_REGAL_FEATURE_ONE] = 1,
    log1p (ratio (self->w[v], mean_us)),
    log1p (ratio (self->sent[v], mean_us)),
    log1p (ratio (self->received[v], mean_us)),
    log1p (ratio (goban_cost_model_param_bytes (self->costs, v), self->params / n)),
    log1p (ratio (goban_graph_get_output_bytes (self->graph, v), self->outputs / n)),
    log1p (in),
    log1p (out),
    v / n,
    ratio (self->depth[v], self->n_levels),
    ratio (self->top[v], self->longest_us),
    [GOBAN_REGAL_FEATURE_BOTTOM] = ratio (self->bottom[v], self->longest_us),
    1 - ratio (path, self->longest_us),
    self->before[v],
    [GOBAN_REGAL_FEATURE_PLACE] = self->place[v],
    node->phase == GOBAN_PHASE_FORWARD,
    node->phase == GOBAN_PHASE_BACKWARD,
    node->phase == GOBAN_PHASE_UPDATE,
    node->group != GOBAN_NO_GROUP,
    /* from here on, features of the whole graph */
    log1p (n) / 10,
    log1p (ratio (self->transfer_us, self->total_us)),
    log1p (ratio (self->total_us, self->longest_us)),
    log1p (goban_graph_get_n_edges (self->graph) / n),
    1.0 / self->A,
    MIN (ratio (self->params, self->memory), 2),
    MIN (ratio (self->outputs, self->memory), 2),
  };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    x[i] = (float) values[i];
}

static double
least_time (const Facts *self, GobanNodeId v)
{
  const double *times = goban_cost_model_times_us (self->costs, v);
  double least = INFINITY;

  for (guint k = 0; k < goban_cluster_get_n_classes (self->cluster); k++)
    least = MIN (least, times[k]);
  return least;
}

static void
fill_on_device (const Facts *self, GobanNodeId v, GobanDeviceId d, float *x)
{
  double time = goban_cost_model_time_us (self->costs, v, d);
  double capacity = goban_cluster_get_device (self->cluster, d)->memory_bytes;
  double most = self->most_memory;
  double centre = (d + 0.5) / self->A;
  double distance = self->place[v] - centre;
  double slowdown = ratio (time, least_time (self, v));
  double values[GOBAN_REGAL_N_DEVICE_FEATURES] = {
    centre,
    [GOBAN_REGAL_FEATURE_FIRST] = d == 0,
    d + 1 == self->A,
    1.0 / self->A,
    isfinite (time),
    slowdown > 1 ? log (slowdown) : 0,
    isfinite (most) ? ratio (capacity, most) : 1,
    distance,
    /* whether the node is in this device's share of the work in a pipeline */
    fabs (distance) * self->A <= 0.5,
  };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    x[i] = (float) values[i];
}

/* Once per edge. */
static GobanNeighbours
list_inputs (const GobanGraph *graph)
{
  guint N = goban_graph_get_n_nodes (graph);
  GobanNeighbours self
      = { g_new0 (guint32, (gsize) N + 1), g_new (guint32, goban_graph_get_n_edges (graph)), N };

  for (GobanNodeId v = 0; v < N; v++)
    {
      GobanEdgeSpan edges = goban_graph_get_in_edges (graph, v);

      self.offsets[v + 1] = self.offsets[v] + edges.n;
      for (guint i = 0; i < edges.n; i++)
        self.ids[self.offsets[v] + i] = goban_graph_get_edge (graph, edges.ids[i])->tail;
    }
  return self;
}

GobanRegalView *
goban_regal_view_new (const GobanCostModel *costs)
{
  GobanRegalView *self = g_new0 (GobanRegalView, 1);
  Facts facts;
  gsize N;

  facts_init (&facts, costs);
  N = facts.N;
  self->node_features = g_new (float, N *GOBAN_REGAL_N_NODE_FEATURES);
  self->device_features = g_new (float, N *facts.A *GOBAN_REGAL_N_DEVICE_FEATURES);
  for (GobanNodeId v = 0; v < N; v++)
    fill_node (&facts, v, self->node_features + (gsize) v * GOBAN_REGAL_N_NODE_FEATURES);
  for (guint d = 0; d < facts.A; d++)
    for (GobanNodeId v = 0; v < N; v++)
      fill_on_device (&facts, v, (GobanDeviceId) d,
                      self->device_features + (d * N + v) * GOBAN_REGAL_N_DEVICE_FEATURES);
  self->neighbours[0] = list_inputs (facts.graph);
  self->neighbours[1] = goban_neighbours_transpose (&self->neighbours[0]);
  self->input = (GobanRegalInput){
    .n_nodes = (int) N,
    .n_devices = (int) facts.A,
    .node_features = self->node_features,
    .device_features = self->device_features,
    .predecessors = goban_neighbours_get_segments (&self->neighbours[0]),
    .successors = goban_neighbours_get_segments (&self->neighbours[1]),
  };
  g_ptr_array_unref (facts.arrays);
  return self;
}

void
goban_regal_view_free (GobanRegalView *self)
{
  g_free (self->node_features);
  g_free (self->device_features);
  for (int direction = 0; direction < 2; direction++)
    goban_neighbours_clear (&self->neighbours[direction]);
  g_free (self);
}

#define WIDTH 32
#define N_ROUNDS 4
/* Initial preference for the first device: the slope of a logit by the mean of its choice. */
#define FIRST_PREFERENCE 4.0f
#define FOLDER "policies"
#define FILE_NAME "regal.net"

/* --- choices -------------------------------------------------------------------------------- */

/* The sum of both shapes of a Beta distribution of mean m: its variance is m (1 - m) / (sum +
 * 1). */
static const float sums[] = { 4, 40 };
static const float means[] = { 0.1f, 0.3f, 0.5f, 0.7f, 0.9f };

G_STATIC_ASSERT (G_N_ELEMENTS (sums) * G_N_ELEMENTS (means) + 1 == GOBAN_REGAL_N_BETAS);

GobanBeta
goban_regal_get_beta (guint choice)
{
  float mean;
  float sum;

  g_return_val_if_fail (choice < GOBAN_REGAL_N_BETAS, ((GobanBeta){ 1, 1 }));

  if (choice == 0)
    return (GobanBeta){ 1, 1 };
  mean = means[(choice - 1) % G_N_ELEMENTS (means)];
  sum = sums[(choice - 1) / G_N_ELEMENTS (means)];
  return (GobanBeta){ mean * sum, (1 - mean) * sum };
}

float
goban_regal_get_bias (guint choice)
{
  static const float biases[GOBAN_REGAL_N_BIASES] = { 0.7f, 0.5f, 0.6f, 0.8f, 0.9f };

  g_return_val_if_fail (choice < GOBAN_REGAL_N_BIASES, biases[0]);

  return biases[choice];
}

void
goban_regal_choices_init (GobanRegalChoices *self, guint n_nodes, guint n_devices)
{
  *self = (GobanRegalChoices){ .n_nodes = n_nodes, .n_devices = n_devices };
  for (int head = 0; head < GOBAN_REGAL_N_HEADS; head++)
    self->rows[head]
        = g_new0 (guint32, (gsize) n_nodes * (head == GOBAN_REGAL_DEVICE ? n_devices : 1));
}

void
goban_regal_choices_clear (GobanRegalChoices *self)
{
  for (int head = 0; head < GOBAN_REGAL_N_HEADS; head++)
    g_clear_pointer (&self->rows[head], g_free);
}

/* Frees the memory of the pass before the search. */
void
goban_regal_choose (const GobanCostModel *costs, const GobanRegalNet *net,
                    GobanRegalChoices *choices)
{
  g_autoptr (GobanRegalView) view = goban_regal_view_new (costs);
  const GobanRegalInput *input = &view->input;
  g_autoptr (GobanRegalWork) work
      = goban_regal_work_new (net, input->n_nodes, input->n_devices, FALSE);

  goban_regal_forward (net, work, input);
  goban_regal_choices_init (choices, (guint) input->n_nodes, (guint) input->n_devices);
  for (int head = 0; head < GOBAN_REGAL_N_HEADS; head++)
    {
      const float *logits = work->logits[head];
      int C = net->shape.n_choices[head];

      for (gsize i = 0; i < goban_regal_work_get_n_rows (work, head); i++)
        choices->rows[head][i] = (guint32) goban_categorical_best (logits + i * (gsize) C, C);
    }
}

/* --- the search ----------------------------------------------------------------------------- */

static gboolean
are_all_first (const guint32 *rows, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (rows[i] != 0)
      return FALSE;
  return TRUE;
}

/* The distributions as the search has them: of a device by node, and those of a tensor's node for
 * the tensor; %NULL if all are uniform, its default. (transfer full) (nullable) */
static GobanBeta *
dup_betas (const GobanRegalChoices *choices, GobanRegalHead head, const GobanGraph *graph)
{
  gsize N = choices->n_nodes;
  gsize A = head == GOBAN_REGAL_DEVICE ? choices->n_devices : 1;
  gsize n = head == GOBAN_REGAL_TRANSFER ? goban_graph_get_n_tensors (graph) : N * A;
  const guint32 *rows = choices->rows[head];
  GobanBeta *betas;

  if (are_all_first (rows, N * A))
    return NULL;
  betas = g_new (GobanBeta, n);
  for (gsize i = 0; i < n; i++)
    betas[i] = goban_regal_get_beta (
        rows[head == GOBAN_REGAL_TRANSFER
                 ? goban_graph_get_tensor (graph, (GobanTensorId) i)->producer
                 : i % A * N + i / A]);
  return betas;
}

static float *
dup_biases (const GobanRegalChoices *choices)
{
  const guint32 *rows = choices->rows[GOBAN_REGAL_BIAS];
  float *biases;

  if (are_all_first (rows, choices->n_nodes))
    return NULL;
  biases = g_new (float, choices->n_nodes);
  for (guint v = 0; v < choices->n_nodes; v++)
    biases[v] = goban_regal_get_bias (rows[v]);
  return biases;
}

GobanPlan *
goban_regal_search (GobanCostModel *costs, const GobanRegalChoices *choices,
                    GobanBrkgaConfig config, const GobanPlacerOptions *options,
                    guint64 *evaluations, GobanOutcome *outcome, GError **error)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  g_autofree GobanBeta *devices = dup_betas (choices, GOBAN_REGAL_DEVICE, graph);
  g_autofree GobanBeta *priorities = dup_betas (choices, GOBAN_REGAL_PRIORITY, graph);
  g_autofree GobanBeta *transfers = dup_betas (choices, GOBAN_REGAL_TRANSFER, graph);
  g_autofree float *biases = dup_biases (choices);

  config.device_betas = devices;
  config.priority_betas = priorities;
  config.transfer_betas = transfers;
  config.elite_biases = biases;
  config.biases_first_population = TRUE;
  return goban_brkga_run (costs, &config, options, evaluations, outcome, error);
}

/* --- the network ---------------------------------------------------------------------------- */

void
goban_regal_net_init_default (GobanRegalNet *self, GobanRng *rng)
{
  GobanRegalShape shape = {
    .n_node_features = GOBAN_REGAL_N_NODE_FEATURES,
    .n_device_features = GOBAN_REGAL_N_DEVICE_FEATURES,
    .width = WIDTH,
    .n_rounds = N_ROUNDS,
    .n_choices
    = { GOBAN_REGAL_N_BETAS, GOBAN_REGAL_N_BETAS, GOBAN_REGAL_N_BETAS, GOBAN_REGAL_N_BIASES },
  };

  goban_regal_net_init (self, shape, rng);

  /* Equal devices can be labelled in A! equivalent ways, and between two of them the gradient is
   * 0. So the first device gets a small initial preference: one hidden unit detects it, and its
   * output grows with the mean of a choice. */
  const GobanMlp *head = &self->heads[GOBAN_REGAL_DEVICE];
  float *in = goban_params_value (self->params, head->weights[0]);
  float *out = goban_params_value (self->params, head->weights[1]);

  memset (in, 0, (gsize) head->sizes[0] * sizeof *in);
  in[2 * self->shape.width + GOBAN_REGAL_FEATURE_FIRST] = 1;
  for (guint c = 0; c < GOBAN_REGAL_N_BETAS; c++)
    {
      GobanBeta beta = goban_regal_get_beta (c);

      out[(gsize) c * (gsize) head->sizes[1]]
          = FIRST_PREFERENCE * (beta.alpha / (beta.alpha + beta.beta) - 0.5f);
    }
}

gboolean
goban_regal_net_load (GobanRegalNet *self, const char *path, GError **error)
{
  g_autofree char *own = NULL;
  GobanRng rng;

  if (path == NULL)
    path = own = goban_data_file_find (FOLDER, FILE_NAME);
  if (path == NULL)
    {
      g_autofree char *folders = goban_data_file_dup_folders (FOLDER);

      return goban_refuse (
          error, GOBAN_ERROR_IO,
          "regal's network %s is in none of %s; install it again, or make one there with "
          "“goban-cli train regal -o %s”",
          FILE_NAME, folders, FILE_NAME);
    }

  goban_rng_init (&rng, 0);
  goban_regal_net_init_default (self, &rng);
  if (goban_params_load (self->params, path, error))
    return TRUE;
  g_prefix_error (error, "regal's network cannot be used (“goban-cli train regal -o FILE” makes "
                         "another): ");
  goban_regal_net_clear (self);
  return FALSE;
}

/* --- the policy ----------------------------------------------------------------------------- */

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  g_auto (GobanRegalNet) net = { 0 };
  g_auto (GobanRegalChoices) choices = { 0 };

  if (!goban_progress_check (options->progress, error)
      || !goban_regal_net_load (&net, goban_learned_options (options)->network, error))
    return NULL;

  goban_progress_step (options->progress, 0, _ ("looking at the graph"));
  goban_regal_choose (costs, &net, &choices);
  return goban_regal_search (costs, &choices, goban_brkga_config_default (), options, evaluations,
                             NULL, error);
}

const GobanPlacer goban_placer_regal = {
  .name = "regal",
  .blurb = N_ ("brkga, with mutants and biases that a trained graph network sets after one look"),
  .about
  = N_ ("A graph network looks at the graph and the cluster once and chooses, node by node, "
        "from which Beta distribution the genetic algorithm draws the affinity to each device, "
        "the priority and the transfer priority of its mutants and of its first population, "
        "and how strongly the node's genes come from the elite parent; then the algorithm runs "
        "as brkga does, with no network. The network is trained beforehand on small generated "
        "graphs, by REINFORCE with the plain algorithm's result as the measure and a learned "
        "baseline; goban-cli train regal makes another. Message passing goes both ways for "
        "four rounds; one head serves all devices, told apart by their order, so one network "
        "serves any number of them. The likeliest choices are taken. On 32 lessons that it was "
        "not taught on, with 100 fitness calls, plans took 0.80 of brkga's time on average."),
  .source = "Paliwal et al., Reinforced Genetic Algorithm Learning for Optimizing Computation "
            "Graphs, ICLR 2020",
  .effort = GOBAN_EFFORT_SEARCH,
  .is_random = TRUE,
  .has_network = TRUE,
  .default_evaluations = GOBAN_BRKGA_EVALUATIONS,
  .forcing = GOBAN_FORCING_NONE,
  .why_no_forcing
  = "breeds its plans from whole populations, so that no single decision is its own",
  .place = place,
};
