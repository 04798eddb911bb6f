#include "engine/learn/rl/baselines/regal.h"

#include "engine/core/data-file.h"
#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/learn/nn/softmax.h"
#include "engine/learn/rl/learned-options.h"
#include "engine/learn/rl/policies.h"
#include "engine/placers/search.h"

#include <string.h>

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
      const float *logits = goban_regal_work_get_logits (work, head);
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

/* Returns the chosen distributions; %NULL if all are uniform, the default of the search. (transfer
 * full) (nullable) */
static GobanBeta *
dup_betas (const guint32 *rows, gsize n)
{
  GobanBeta *betas;

  if (are_all_first (rows, n))
    return NULL;
  betas = g_new (GobanBeta, n);
  for (gsize i = 0; i < n; i++)
    betas[i] = goban_regal_get_beta (rows[i]);
  return betas;
}

/* Transposes the choices: the network's rows are by device, the search's by node. */
static GobanBeta *
dup_device_betas (const GobanRegalChoices *choices)
{
  gsize N = choices->n_nodes;
  gsize A = choices->n_devices;
  const guint32 *rows = choices->rows[GOBAN_REGAL_DEVICE];
  GobanBeta *betas;

  if (are_all_first (rows, N * A))
    return NULL;
  betas = g_new (GobanBeta, N * A);
  for (gsize v = 0; v < N; v++)
    for (gsize d = 0; d < A; d++)
      betas[v * A + d] = goban_regal_get_beta (rows[d * N + v]);
  return betas;
}

/* Distributions of tensors: those of their nodes. */
static GobanBeta *
dup_transfer_betas (const GobanRegalChoices *choices, const GobanGraph *graph)
{
  guint n_tensors = goban_graph_get_n_tensors (graph);
  const guint32 *rows = choices->rows[GOBAN_REGAL_TRANSFER];
  GobanBeta *betas;

  if (are_all_first (rows, choices->n_nodes))
    return NULL;
  betas = g_new (GobanBeta, n_tensors);
  for (GobanTensorId t = 0; t < n_tensors; t++)
    betas[t] = goban_regal_get_beta (rows[goban_graph_get_tensor (graph, t)->producer]);
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
  g_autofree GobanBeta *devices = dup_device_betas (choices);
  g_autofree GobanBeta *priorities
      = dup_betas (choices->rows[GOBAN_REGAL_PRIORITY], choices->n_nodes);
  g_autofree GobanBeta *transfers
      = dup_transfer_betas (choices, goban_cost_model_get_graph (costs));
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

      goban_set_error (
          error, GOBAN_ERROR_IO,
          "regal's network %s is in none of %s; install it again, or make one there with "
          "“goban-cli train regal -o %s”",
          FILE_NAME, folders, FILE_NAME);
      return FALSE;
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

  goban_progress_step (options->progress, 0, "looking at the graph");
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
