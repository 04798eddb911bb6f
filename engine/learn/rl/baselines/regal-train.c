#include "engine/learn/rl/baselines/regal-train.h"

#include "engine/core/arrays.h"
#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/rng.h"
#include "engine/graph/graph-builder.h"
#include "engine/graph/workloads/workload.h"
#include "engine/learn/nn/params.h"
#include "engine/learn/nn/softmax.h"
#include "engine/learn/rl/baselines/regal.h"
#include "engine/placers/units.h"

#include <math.h>
#include <string.h>

/* Repeated sampling of choices for one graph, and the policy gradient of their
 * logits.
 *
 * Choices of nodes are independent, so a plan with everything on one device is practically never
 * drawn, and no gradient leads to it: if two devices are used evenly, a few more nodes on one of
 * them do not change the objective. So an episode first draws a part that all nodes share:
 *
 *   logits'[v,c] = logits[v,c] + t_c sum_k s_k e_k b_k (v),     e_k ~ N (0, 1) for each device
 *
 * with t_c the value that choice c stands for, s_k deviations, and orthogonal functions b_k of the
 * node: 1, its place along the work of its phase, its bottom level. This is a policy in two steps:
 * common parts are drawn around those of the logits, then a choice for each node given these.
 * REINFORCE applies to both; the first step has fifteen numbers to learn, the second thousands.
 * After training e is 0, which is the published policy.
 *
 * One thread at a time. The network, the work after its forward pass and the input are borrowed.
 */

/* Typical costs of random graphs, with log-normal deviation SPREAD. */
#define MEAN_US 50
#define SPREAD 0.8
/* About the bandwidth of a P100's slot, so that transfers and times have realistic ratios. */
#define BYTES_PER_US 10000

typedef struct
{
  GobanRng rng;
  GobanGraphBuilder *builder;
  double transfer_us; /* log-mean of the bytes of a tensor */
} Maker;

/* --- random numbers ------------------------------------------------------------------------- */

static double
draw_around (Maker *self, double centre)
{
  return centre * exp (SPREAD * (double) goban_normal_sample (&self->rng));
}

/* Draws a log-uniform number from @low to @high. */
static double
draw_scale (Maker *self, double low, double high)
{
  return low * pow (high / low, goban_rng_uniform (&self->rng));
}

static guint
draw_between (Maker *self, guint low, guint high)
{
  return low + goban_rng_below (&self->rng, high - low + 1);
}

static const char *
draw_word (Maker *self, const char *const *words, guint n)
{
  return words[goban_rng_below (&self->rng, n)];
}

/* --- random graphs -------------------------------------------------------------------------- */

static guint32
add_usual_node (Maker *self, const char *op)
{
  double time_us = draw_around (self, MEAN_US);

  /* Adds a node with one tensor, which has the node's number. */
  double transfer_us = draw_around (self, self->transfer_us);
  guint32 v = goban_graph_builder_add_node (self->builder, "", op);
  double size_bytes = floor (transfer_us * BYTES_PER_US);

  goban_graph_builder_set_time (self->builder, v, GOBAN_ANY_KIND, time_us, GOBAN_SOURCE_GIVEN);
  goban_graph_builder_add_tensor (self->builder, v, size_bytes);
  return v;
}

/* Makes layers of random widths; a node reads one to three nodes of the previous layers. */
static void
make_task_graph (Maker *self)
{
  guint n_nodes = draw_between (self, 30, 250);
  guint width = draw_between (self, 2, 16);
  guint reach = draw_between (self, 1, 3) * width;

  for (guint v = 0; v < n_nodes; v++)
    {
      guint n_inputs = v < width ? 0 : draw_between (self, 1, 3);

      add_usual_node (self, "Task");
      for (guint i = 0; i < n_inputs; i++)
        goban_graph_builder_add_edge (self->builder,
                                      v - 1 - goban_rng_below (&self->rng, MIN (reach, v)), v);
    }
}

/* Adds a layer of parallel ops and one that joins them. Returns the latter. */
static guint32
add_layer (Maker *self, const char *op, guint32 input, guint n_branches)
{
  guint32 join;
  guint32 first = goban_graph_builder_get_n_nodes (self->builder);

  for (guint i = 0; i < n_branches; i++)
    {
      guint32 v = add_usual_node (self, op);

      if (input != G_MAXUINT32)
        goban_graph_builder_add_edge (self->builder, input, v);
    }
  join = add_usual_node (self, "Join");
  for (guint i = 0; i < n_branches; i++)
    goban_graph_builder_add_edge (self->builder, first + i, join);
  return join;
}

static void
mark_phase (Maker *self, guint32 first, GobanPhase phase)
{
  for (guint32 v = first; v < goban_graph_builder_get_n_nodes (self->builder); v++)
    goban_graph_builder_get_node (self->builder, v)->phase = phase;
}

/* Makes forward layers, backward layers that read the forward outputs, and an update per layer on
 * the device of the layer's first node. */
static void
make_training_step (Maker *self)
{
  guint n_layers = draw_between (self, 4, 24);
  guint n_branches = draw_between (self, 1, 4);
  g_autofree guint32 *starts = g_new (guint32, n_layers);
  g_autofree guint32 *ends = g_new (guint32, n_layers);
  guint32 last = G_MAXUINT32;

  for (guint l = 0; l < n_layers; l++)
    {
      starts[l] = goban_graph_builder_get_n_nodes (self->builder);
      last = ends[l] = add_layer (self, "Layer", last, n_branches);
      goban_graph_builder_get_node (self->builder, starts[l])->param_bytes
          = draw_around (self, 1e6);
    }
  for (guint l = n_layers; l-- > 0;)
    {
      guint32 first = goban_graph_builder_get_n_nodes (self->builder);
      guint32 update;

      last = add_layer (self, "LayerGrad", last, n_branches);
      for (guint32 v = first; v < last; v++)
        goban_graph_builder_add_edge (self->builder, starts[l] + (v - first), v);
      mark_phase (self, first, GOBAN_PHASE_BACKWARD);
      update = add_usual_node (self, "Update");
      goban_graph_builder_add_edge (self->builder, first, update);
      goban_graph_builder_set_group (self->builder, starts[l], l);
      goban_graph_builder_set_group (self->builder, update, l);
      mark_phase (self, update, GOBAN_PHASE_UPDATE);
    }
}

static GobanGraph *
make_by_chance (Maker *self, void (*make) (Maker *self), GError **error)
{
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new ("lesson", "generated");

  self->builder = builder;
  self->transfer_us = MEAN_US * draw_scale (self, 0.02, 5);
  make (self);
  return goban_graph_builder_finish (builder, NULL, error);
}

/* --- workloads ------------------------------------------------------------------------------ */

static GobanGraph *
make_coarse (Maker *self, GError **error)
{
  static const char *const families[]
      = { "rnnlm", "gnmt", "transformer-xl", "inception-v3", "amoebanet", "wavenet" };
  const char *family = draw_word (self, families, G_N_ELEMENTS (families));
  guint batch = (guint) draw_scale (self, 4, 200);
  g_autoptr (GString) spec = g_string_new (NULL);

  g_string_printf (spec, "%s:granularity=coarse,batch=%u", family, batch);
  if (!g_str_equal (family, "inception-v3"))
    g_string_append_printf (spec, ",layers=%u", draw_between (self, 3, 24));
  if (goban_rng_below (&self->rng, 4) == 0)
    g_string_append (spec, ",mode=inference");
  return goban_workload_generate (spec->str, error);
}

/* Makes a few steps of single ops, as large workloads repeat them. */
static GobanGraph *
make_few_steps (Maker *self, GError **error)
{
  static const char *const specs[] = {
    "rnnlm:layers=1,steps=1",
    "rnnlm:layers=1,steps=2",
    "rnnlm:layers=2,steps=1",
    "rnnlm:layers=2,steps=2",
    "rnnlm:layers=3,steps=3,mode=inference",
    "gnmt:steps=2,mode=inference",
    "transformer-xl:layers=1,segments=1",
    "transformer-xl:layers=2,segments=2,mode=inference",
    "wavenet:layers=2,stacks=1",
    "wavenet:layers=6,mode=inference",
  };
  const char *spec = draw_word (self, specs, G_N_ELEMENTS (specs));
  guint batch = (guint) draw_scale (self, 4, 200);
  g_autofree char *text = g_strdup_printf ("%s,batch=%u", spec, batch);

  return goban_workload_generate (text, error);
}

/* --- lessons -------------------------------------------------------------------------------- */

static GobanCluster *
draw_cluster (Maker *self, GError **error)
{
  static const char *const specs[] = {
    "p100x2", "p100x2", "p100x2", "p100x2", "v100x2",  "p100x4",
    "p100x4", "p100x4", "v100x4", "p100x8", "cpu+gpu", "equal:3,bandwidth=8GB/s,latency=5us",
  };

  return goban_cluster_new_from_spec (draw_word (self, specs, G_N_ELEMENTS (specs)), error);
}

GobanCostModel *
goban_regal_lesson_new (guint64 seed, guint n, GError **error)
{
  g_autoptr (GobanCluster) cluster = NULL;
  g_autoptr (GobanGraph) graph = NULL;
  Maker self = { 0 };

  goban_rng_init (&self.rng, seed);
  goban_rng_init (&self.rng, goban_rng_next (&self.rng) + n);
  cluster = draw_cluster (&self, error);
  if (cluster == NULL)
    return NULL;
  switch (n % 4)
    {
    case 0:
      graph = make_by_chance (&self, make_task_graph, error);
      break;
    case 1:
      graph = make_by_chance (&self, make_training_step, error);
      break;
    case 2:
      graph = make_coarse (&self, error);
      break;
    default:
      graph = make_few_steps (&self, error);
    }
  return graph != NULL ? goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS) : NULL;
}

#define N_BASES 3

/* Deviation along each b_k: with 3, one episode of four puts nearly everything on one of two
 * devices. */
static const float deviations[N_BASES] = { 3, 1, 1 };

typedef struct
{
  GobanRegalChoices choices;
  float *shifts[GOBAN_REGAL_N_HEADS]; /* (N_BASES, A or 1) e */
} Episode;

typedef struct
{
  const GobanRegalNet *net;
  const GobanRegalWork *work;
  const GobanRegalInput *input;
  const guint8 *is_asked;
  GPtrArray *arrays; /* all below */
  float *bases;      /* (N_BASES,N) of mean square 1; 0 if a function depends on the others */
  Episode *episodes;
  guint n_episodes;
  float
      spread; /* factor of the deviations s_k: as it falls, the logits take over what is learned */
  float *p[GOBAN_REGAL_N_HEADS]; /* (rows, C) of the last episode */
  float *weights;                /* (rows) of the longest head */
  float *entropies;
} Episodes;

/* --- common parts --------------------------------------------------------------------------- */

static double
multiply (const float *a, const float *b, int N)
{
  double sum = 0;

  for (int v = 0; v < N; v++)
    sum += (double) a[v] * (double) b[v];
  return sum / MAX (N, 1);
}

/* Gram and Schmidt. */
static void
fill_bases (Episodes *self)
{
  static const int columns[N_BASES]
      = { GOBAN_REGAL_FEATURE_ONE, GOBAN_REGAL_FEATURE_PLACE, GOBAN_REGAL_FEATURE_BOTTOM };
  int N = self->input->n_nodes;

  for (int k = 0; k < N_BASES; k++)
    {
      float *b = self->bases + (gsize) k * (gsize) N;
      double size;

      for (int v = 0; v < N; v++)
        b[v] = self->input->node_features[v * GOBAN_REGAL_N_NODE_FEATURES + columns[k]];
      for (int j = 0; j < k; j++)
        {
          const float *other = self->bases + (gsize) j * (gsize) N;
          double share = multiply (b, other, N);

          for (int v = 0; v < N; v++)
            b[v] -= (float) (share * (double) other[v]);
        }
      size = sqrt (multiply (b, b, N));
      for (int v = 0; v < N; v++)
        b[v] = size > 1e-3 ? (float) ((double) b[v] / size) : 0;
    }
}

/* Number of shifts of a head: each device has its own. */
static gsize
n_parts (const Episodes *self, int head)
{
  return head == GOBAN_REGAL_DEVICE ? (gsize) self->input->n_devices : 1;
}

/* t: the value of a choice, scaled so that the mean square over a head's choices is about 1. */
static float
get_coordinate (int head, gsize choice)
{
  GobanBeta beta;

  if (head == GOBAN_REGAL_BIAS)
    return (goban_regal_get_bias ((guint) choice) - 0.7f) / 0.14f;
  beta = goban_regal_get_beta ((guint) choice);
  return (beta.alpha / (beta.alpha + beta.beta) - 0.5f) / 0.27f;
}

/* sum_k f_k e_k b_k (v), f being the deviations or their inverses. */
static float
sum_shifts (const Episodes *self, const Episode *episode, int head, gsize row, gboolean is_inverse)
{
  gsize N = (gsize) self->input->n_nodes;
  float sum = 0;

  for (gsize k = 0; k < N_BASES; k++)
    sum += (is_inverse ? 1 / (self->spread * deviations[k]) : self->spread * deviations[k])
           * episode->shifts[head][k * n_parts (self, head) + row / N]
           * self->bases[k * N + row % N];
  return sum;
}

/* --- life cycle ----------------------------------------------------------------------------- */

/* @is_asked (N): whether a node's choice of devices matters to the search. */
static Episodes *
episodes_new (const GobanRegalNet *net, const GobanRegalWork *work, const GobanRegalInput *input,
              const guint8 *is_asked, guint n_episodes)
{
  Episodes *self = g_new0 (Episodes, 1);
  gsize most_rows = goban_regal_work_get_n_rows (work, GOBAN_REGAL_DEVICE);

  self->arrays = goban_arrays_new ();
  self->net = net;
  self->work = work;
  self->input = input;
  self->is_asked = is_asked;
  self->n_episodes = n_episodes;
  self->bases = goban_own (self, float, N_BASES *(gsize) input->n_nodes);
  fill_bases (self);
  self->episodes = goban_own (self, Episode, n_episodes);
  for (guint i = 0; i < n_episodes; i++)
    {
      goban_regal_choices_init (&self->episodes[i].choices, (guint) input->n_nodes,
                                (guint) input->n_devices);
      for (int head = 0; head < GOBAN_REGAL_N_HEADS; head++)
        self->episodes[i].shifts[head] = goban_own (self, float, N_BASES *n_parts (self, head));
    }
  for (int head = 0; head < GOBAN_REGAL_N_HEADS; head++)
    self->p[head] = goban_own (self, float,
                               (gsize) goban_regal_work_get_n_rows (work, head)
                                   * (gsize) net->shape.n_choices[head]);
  self->weights = goban_own (self, float, most_rows);
  self->entropies = goban_own (self, float, most_rows);
  return self;
}

static void
episodes_free (Episodes *self)
{
  for (guint i = 0; i < self->n_episodes; i++)
    goban_regal_choices_clear (&self->episodes[i].choices);
  g_ptr_array_unref (self->arrays);
  g_free (self);
}

/* --- drawing -------------------------------------------------------------------------------- */

/* Writes to self->p the probabilities of choices, given the shifts of @episode. */
static void
fill_probabilities (Episodes *self, const Episode *episode, int head)
{
  gsize C = (gsize) self->net->shape.n_choices[head];
  gsize n_rows = goban_regal_work_get_n_rows (self->work, head);
  const float *logits = self->work->logits[head];
  float *p = self->p[head];

  for (gsize row = 0; row < n_rows; row++)
    {
      float shift = sum_shifts (self, episode, head, row, FALSE);

      for (gsize c = 0; c < C; c++)
        p[row * C + c] = logits[row * C + c] + shift * get_coordinate (head, c);
    }
  goban_softmax_forward (p, p, (int) n_rows, (int) C);
}

/* Draws episode @i. Borrowed. */
static const GobanRegalChoices *
episodes_draw (Episodes *self, guint i, GobanRng *rng)
{
  Episode *episode = &self->episodes[i];

  for (int head = 0; head < GOBAN_REGAL_N_HEADS; head++)
    {
      gsize C = (gsize) self->net->shape.n_choices[head];

      for (gsize k = 0; k < N_BASES * n_parts (self, head); k++)
        episode->shifts[head][k] = goban_normal_sample (rng);
      fill_probabilities (self, episode, head);
      for (gsize row = 0; row < goban_regal_work_get_n_rows (self->work, head); row++)
        episode->choices.rows[head][row]
            = (guint32) goban_categorical_sample (self->p[head] + row * C, (int) C, rng);
    }
  return &episode->choices;
}

/* --- gradients ------------------------------------------------------------------------------ */

static void
set_weights (Episodes *self, int head, double weight)
{
  gsize N = (gsize) self->input->n_nodes;

  for (gsize row = 0; row < goban_regal_work_get_n_rows (self->work, head); row++)
    self->weights[row]
        = head != GOBAN_REGAL_DEVICE || self->is_asked[row % N] ? (float) (weight / (double) N) : 0;
}

/* The common part along b_k t is that of the logits plus s_k e_k, drawn around it; hence the
 * gradient of log p by logits[v,c] is sum_k e_k / s_k b_k (v) t_c, here not divided by the number
 * of nodes. */
static void
answer_for_shifts (Episodes *self, const Episode *episode, int head, double weight, float *dlogits)
{
  gsize C = (gsize) self->net->shape.n_choices[head];
  float share = (float) (weight / self->input->n_nodes);

  for (gsize row = 0; row < goban_regal_work_get_n_rows (self->work, head); row++)
    {
      float shift = share * sum_shifts (self, episode, head, row, TRUE);

      for (gsize c = 0; c < C; c++)
        dlogits[row * C + c] += shift * get_coordinate (head, c);
    }
}

/* Adds to dlogits (rows, C) of each head the gradient of
 *
 *   weight log p (choices of episode i) / N + entropy_weight entropies / N
 *
 * so every graph has the same weight, whatever its size. The log-probability of the common parts
 * counts N times: it is a second estimate of the same gradient with less noise. Returns the mean
 * entropy of a choice. */
static double
episodes_answer (Episodes *self, guint i, double weight, double entropy_weight,
                 float *const dlogits[GOBAN_REGAL_N_HEADS])
{
  const Episode *episode = &self->episodes[i];
  double entropy = 0;
  gsize n_all = 0;

  for (int head = 0; head < GOBAN_REGAL_N_HEADS; head++)
    {
      int C = self->net->shape.n_choices[head];
      int n_rows = (int) goban_regal_work_get_n_rows (self->work, head);

      fill_probabilities (self, episode, head);
      set_weights (self, head, weight);
      goban_log_prob_backward (dlogits[head], self->weights, episode->choices.rows[head],
                               self->p[head], n_rows, C);
      answer_for_shifts (self, episode, head, weight, dlogits[head]);
      set_weights (self, head, entropy_weight);
      goban_entropy_backward (dlogits[head], self->weights, self->p[head], n_rows, C);
      goban_entropy_forward (self->entropies, self->p[head], n_rows, C);
      for (int row = 0; row < n_rows; row++)
        entropy += (double) self->entropies[row];
      n_all += (gsize) n_rows;
    }
  return entropy / (double) MAX (n_all, 1);
}

#define N_HELD_OUT 32
#define N_REFERENCES 3 /* searches without choices, whose mean is the reference of a lesson */
#define N_LESSONS_A_STEP 8
#define N_EPISODES 4 /* of each lesson of a step */
#define N_POINTS 20  /* of the curve */

#define FIRST_RATE 1.5e-3
#define LAST_RATE 3e-4
#define CLIP_NORM 1.0
#define FIRST_ENTROPY 5e-4 /* weight, falling to 0 */
#define LAST_SPREAD 0.35   /* final spread of the common parts; the initial one is 1 */
#define CRITIC_WEIGHT 0.5
#define SMALLEST_SCALE 1e-3 /* of advantages */
#define SCALE_MEMORY 0.95
#define WORST_RATIO 3.0 /* larger ratios count as this */
/* Penalty: a plan that needs twice the memory counts as eleven times as long. */
#define OVERFLOW_WEIGHT 10.0

/* A lesson, with the result of the plain search. */
typedef struct
{
  GobanCostModel *costs;
  GobanRegalView *view;
  guint8 *is_asked; /* (N) whether the search reads the node's device choices: one node per unit */
  double memory_bytes;
  double reference;
} Lesson;

/* Lessons @first .. @first + @n - 1 of @seed. Each is prepared when it is first needed, which takes
 * three searches. */
typedef struct
{
  guint64 seed;
  guint first, n;
  Lesson *items; /* (n), zeroed until prepared */
} Lessons;

typedef struct
{
  const GobanRegalTraining *options;
  GobanRegalNet net;
  GobanAdam adam;
  GobanRng rng;
  Lessons taught;
  Lessons held_out;
  double square; /* running mean square of the advantages */
  guint step;
  GobanRegalStep now; /* sums over the episodes of the step */

  /* since the last point of the curve */
  double ratio_sum, entropy_sum;
  guint n_ratios, n_entropies;
} Trainer;

void
goban_regal_report_clear (GobanRegalReport *self)
{
  g_clear_pointer (&self->curve, g_array_unref);
}

/* --- lessons -------------------------------------------------------------------------------- */

static double
objective_of (const Lesson *lesson, GobanOutcome outcome)
{
  double lack = lesson->memory_bytes > 0 ? outcome.overflow_bytes / lesson->memory_bytes : 0;

  return outcome.makespan_us * (1 + OVERFLOW_WEIGHT * lack);
}

/* Runs one search. %FALSE with @error set if the lesson cannot be run. */
static gboolean
search (const Lesson *lesson, const GobanRegalChoices *choices, guint64 seed, double *objective,
        GError **error)
{
  GobanBrkgaConfig config = goban_brkga_config_default ();

  config.n_population = 20;
  GobanPlacerOptions options = { .seed = seed, .max_evaluations = GOBAN_REGAL_BUDGET };
  g_autoptr (GobanEvaluator) evaluator = goban_evaluator_new (lesson->costs, 1);
  g_autoptr (GobanPlan) plan = NULL;
  GobanOutcome outcome = { 0 };
  guint64 evaluations = 0;

  config.evaluator = evaluator;
  plan = goban_regal_search (lesson->costs, choices, config, &options, &evaluations, &outcome,
                             error);
  if (plan == NULL)
    return FALSE;
  *objective = objective_of (lesson, outcome);
  return TRUE;
}

static void
lesson_clear (Lesson *self)
{
  g_clear_pointer (&self->view, goban_regal_view_free);
  g_clear_pointer (&self->costs, goban_cost_model_unref);
  g_clear_pointer (&self->is_asked, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Lesson, lesson_clear)

static gboolean
lesson_init (Lesson *self, guint64 seed, guint n, GError **error)
{
  g_auto (Lesson) lesson = { .costs = goban_regal_lesson_new (seed, n, error) };
  g_auto (GobanRegalChoices) nothing = { 0 };
  g_autoptr (GobanUnits) units = NULL;

  if (lesson.costs == NULL)
    return FALSE;
  units = goban_units_new (lesson.costs, error);
  if (units == NULL)
    return FALSE;
  lesson.view = goban_regal_view_new (lesson.costs);
  lesson.memory_bytes = goban_cost_model_total_memory (lesson.costs);
  lesson.is_asked = g_new0 (guint8, lesson.view->input.n_nodes);
  for (guint u = 0; u < units->n_units; u++)
    lesson.is_asked[units->nodes[units->offsets[u]]] = 1;

  goban_regal_choices_init (&nothing, (guint) lesson.view->input.n_nodes,
                            (guint) lesson.view->input.n_devices);
  for (guint i = 0; i < N_REFERENCES; i++)
    {
      double objective;

      if (!search (&lesson, &nothing, i, &objective, error))
        return FALSE;
      lesson.reference += objective / N_REFERENCES;
    }
  *self = lesson;
  memset (&lesson, 0, sizeof lesson);
  return TRUE;
}

static Lessons
lessons_new (guint64 seed, guint first, guint n)
{
  return (Lessons){ .seed = seed, .first = first, .n = n, .items = g_new0 (Lesson, n) };
}

static void
lessons_clear (Lessons *self)
{
  for (guint i = 0; i < self->n; i++)
    lesson_clear (&self->items[i]);
  g_free (self->items);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Lessons, lessons_clear)

/* Lesson @i of @self, counted from its first; %NULL with @error set if it cannot be prepared. */
static const Lesson *
lessons_get (Lessons *self, guint i, GError **error)
{
  Lesson *lesson = &self->items[i];

  if (lesson->costs == NULL && !lesson_init (lesson, self->seed, self->first + i, error))
    return NULL;
  return lesson;
}

static double
ratio_of (const Lesson *lesson, double objective)
{
  return lesson->reference > 0 ? MIN (objective / lesson->reference, WORST_RATIO) : 1;
}

/* --- measuring ------------------------------------------------------------------------------ */

static gboolean
measure_lesson (const GobanRegalNet *net, const Lesson *lesson, double *ratio, GError **error)
{
  g_auto (GobanRegalChoices) choices = { 0 };
  double sum = 0;

  goban_regal_choose (lesson->costs, net, &choices);
  for (guint i = 0; i < N_REFERENCES; i++)
    {
      double objective;

      if (!search (lesson, &choices, N_REFERENCES + i, &objective, error))
        return FALSE;
      sum += ratio_of (lesson, objective);
    }
  *ratio = sum / N_REFERENCES;
  return TRUE;
}

/* @trainer: (nullable): its watcher is told. */
static gboolean
measure (const GobanRegalNet *net, Lessons *lessons, const GobanProgress *progress,
         const Trainer *trainer, double *mean, double *largest, GError **error)
{
  const GobanRegalWatcher *watcher = trainer != NULL ? trainer->options->watcher : NULL;

  *mean = *largest = 0;

  for (guint i = 0; i < lessons->n; i++)
    {
      const Lesson *lesson;
      double one;

      if (!goban_progress_check (progress, error))
        return FALSE;
      lesson = lessons_get (lessons, i, error);
      if (lesson == NULL || !measure_lesson (net, lesson, &one, error))
        return FALSE;
      *mean += one;
      *largest = MAX (*largest, one);
      if (watcher != NULL)
        watcher->add_measured (trainer->step, one, watcher->user_data);
    }
  *mean /= MAX (lessons->n, 1);
  return TRUE;
}

gboolean
goban_regal_measure (const GobanRegalNet *net, guint64 seed, guint first, guint n,
                     const GobanProgress *progress, double *ratio, GError **error)
{
  g_auto (Lessons) lessons = lessons_new (seed, first, n);
  double worst;

  return measure (net, &lessons, progress, NULL, ratio, &worst, error);
}

/* --- episodes ------------------------------------------------------------------------------- */

/* The episodes of one lesson, and the gradients of its logits. */
typedef struct
{
  GobanRegalWork *work;
  Episodes *episodes;
  float *dlogits[GOBAN_REGAL_N_HEADS];
  double rewards[N_EPISODES];
} Turn;

static void
turn_init (Turn *self, const GobanRegalNet *net, const Lesson *lesson)
{
  const GobanRegalInput *input = &lesson->view->input;

  *self = (Turn){ .work = goban_regal_work_new (net, input->n_nodes, input->n_devices, TRUE) };
  goban_regal_forward (net, self->work, input);
  self->episodes = episodes_new (net, self->work, input, lesson->is_asked, N_EPISODES);
  for (int head = 0; head < GOBAN_REGAL_N_HEADS; head++)
    self->dlogits[head] = g_new0 (float, (gsize) goban_regal_work_get_n_rows (self->work, head)
                                             * (gsize) net->shape.n_choices[head]);
}

static void
turn_clear (Turn *self)
{
  for (int head = 0; head < GOBAN_REGAL_N_HEADS; head++)
    g_free (self->dlogits[head]);
  g_clear_pointer (&self->episodes, episodes_free);
  g_clear_pointer (&self->work, goban_regal_work_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Turn, turn_clear)

/* loss = - mean over episodes of (advantage / scale log p + weight entropy)
 *        + critic's weight / 2 mean over episodes of (value - reward)^2 */
static void
answer_for (Trainer *self, const Lesson *lesson, Turn *turn, double entropy_weight)
{
  double share = 1.0 / (N_EPISODES * N_LESSONS_A_STEP);
  double value = (double) turn->work->value;
  double advantages[N_EPISODES];
  double dvalue = 0;
  double scale;

  /* Computes advantages. The critic's expectation counts as one more episode beside the others,
   * because its errors on a graph would exceed the differences between episodes. */
  double sum = (double) turn->work->value;

  for (guint i = 0; i < N_EPISODES; i++)
    sum += turn->rewards[i];
  for (guint i = 0; i < N_EPISODES; i++)
    advantages[i] = turn->rewards[i] - (sum - turn->rewards[i]) / N_EPISODES;

  /* The running root mean square of advantages. */
  double square = 0;

  for (guint i = 0; i < N_EPISODES; i++)
    square += advantages[i] * advantages[i] / N_EPISODES;
  self->square
      = self->square > 0 ? SCALE_MEMORY * self->square + (1 - SCALE_MEMORY) * square : square;
  scale = MAX (sqrt (self->square), SMALLEST_SCALE);

  for (guint i = 0; i < N_EPISODES; i++)
    {
      double error = value - turn->rewards[i];
      double entropy = episodes_answer (turn->episodes, i, -advantages[i] / scale * share,
                                        -entropy_weight * share, turn->dlogits);

      dvalue += CRITIC_WEIGHT * share * error;
      self->entropy_sum += entropy;
      self->n_entropies++;
      self->now.entropy += entropy;
      self->now.critic_error += error * error;
    }
  goban_regal_backward (&self->net, turn->work, &lesson->view->input, turn->dlogits,
                        (float) dvalue);
}

static gboolean
take_turn (Trainer *self, const Lesson *lesson, double spent, GError **error)
{
  g_auto (Turn) turn = { 0 };

  turn_init (&turn, &self->net, lesson);
  turn.episodes->spread = (float) (1 + (LAST_SPREAD - 1) * spent);
  for (guint i = 0; i < N_EPISODES; i++)
    {
      const GobanRegalChoices *choices;
      double objective;

      if (!goban_progress_check (self->options->progress, error))
        return FALSE;
      choices = episodes_draw (turn.episodes, i, &self->rng);
      if (!search (lesson, choices, goban_rng_next (&self->rng), &objective, error))
        return FALSE;
      turn.rewards[i] = -ratio_of (lesson, objective);
      self->ratio_sum -= turn.rewards[i];
      self->n_ratios++;
      self->now.ratio -= turn.rewards[i];
      self->now.best_ratio = MIN (self->now.best_ratio, -turn.rewards[i]);
    }

  answer_for (self, lesson, &turn, FIRST_ENTROPY * (1 - spent));
  return TRUE;
}

/* --- steps ---------------------------------------------------------------------------------- */

static void
add_point (Trainer *self, GobanRegalReport *report)
{
  GobanRegalPoint point = { .step = self->step,
                            .ratio = self->ratio_sum / MAX (self->n_ratios, 1),
                            .entropy = self->entropy_sum / MAX (self->n_entropies, 1) };

  g_array_append_val (report->curve, point);
  self->ratio_sum = self->entropy_sum = 0;
  self->n_ratios = self->n_entropies = 0;
}

static gboolean
learn (Trainer *self, GobanRegalReport *report, GError **error)
{
  const GobanRegalWatcher *watcher = self->options->watcher;
  guint n_steps = self->options->n_steps;
  guint every = MAX (n_steps / N_POINTS, 1);

  while (self->step < n_steps)
    {
      g_autofree char *what = NULL;
      double spent = (double) self->step / self->options->n_steps;
      gint64 begun_us = g_get_monotonic_time ();

      self->now = (GobanRegalStep){ .step = self->step + 1, .best_ratio = INFINITY };
      goban_params_zero_grad (self->net.params);
      for (guint i = 0; i < N_LESSONS_A_STEP; i++)
        {
          const Lesson *lesson
              = lessons_get (&self->taught, goban_rng_below (&self->rng, self->taught.n), error);

          if (lesson == NULL || !take_turn (self, lesson, spent, error))
            return FALSE;
        }
      self->adam.rate = FIRST_RATE + (LAST_RATE - FIRST_RATE) * spent;
      if (!goban_adam_step (&self->adam, self->net.params, &self->now.gradient_norm, error))
        return FALSE;
      self->step++;
      self->now.ratio /= N_EPISODES * N_LESSONS_A_STEP;
      self->now.entropy /= N_EPISODES * N_LESSONS_A_STEP;
      self->now.critic_error /= N_EPISODES * N_LESSONS_A_STEP;
      self->now.seconds = (double) (g_get_monotonic_time () - begun_us) / G_USEC_PER_SEC;
      if (watcher != NULL)
        watcher->add_step (&self->now, watcher->user_data);

      what = g_strdup_printf (_ ("step %u of %u, %.3f of the plain search"), self->step, n_steps,
                              self->ratio_sum / MAX (self->n_ratios, 1));
      goban_progress_step (self->options->progress, (double) self->step / n_steps, what);
      if (self->step % every == 0 || self->step == n_steps)
        add_point (self, report);
    }
  return TRUE;
}

static gboolean
run (Trainer *self, GobanRegalReport *report, GError **error)
{
  const GobanProgress *progress = self->options->progress;
  g_autoptr (GByteArray) start = goban_params_write (self->net.params);
  double *worst = &report->worst_after;

  goban_progress_step (progress, 0, _ ("preparing the lessons"));
  if (!measure (&self->net, &self->held_out, progress, self, &report->ratio_before, worst, error)
      || !learn (self, report, error)
      || !measure (&self->net, &self->held_out, progress, self, &report->ratio_after, worst, error))
    return FALSE;
  report->kept_start = !(report->ratio_after < report->ratio_before);
  return !report->kept_start
         || goban_params_read (self->net.params, start->data, start->len, "the initial network",
                               error);
}

gboolean
goban_regal_train (const GobanRegalTraining *options, GobanRegalNet *net, GobanRegalReport *report,
                   GError **error)
{
  g_auto (GobanRegalReport) local
      = { .n_held_out = options->n_held_out > 0 ? options->n_held_out : N_HELD_OUT };
  Trainer self = { .options = options, .adam = goban_adam_new (FIRST_RATE) };
  gboolean is_done;

  if (options->n_steps == 0)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "training takes at least one step");
  goban_rng_init (&self.rng, options->seed);
  goban_regal_net_init_default (&self.net, &self.rng);
  self.adam.clip_norm = CLIP_NORM;
  self.taught = lessons_new (options->seed, 0, GOBAN_REGAL_N_LESSONS);
  self.held_out = lessons_new (options->seed, GOBAN_REGAL_N_LESSONS, local.n_held_out);
  local.curve = g_array_new (FALSE, FALSE, sizeof (GobanRegalPoint));

  is_done = run (&self, &local, error);

  lessons_clear (&self.taught);
  lessons_clear (&self.held_out);
  if (!is_done)
    {
      goban_regal_net_clear (&self.net);
      return FALSE;
    }
  *net = self.net;
  *report = local;
  local.curve = NULL;
  return TRUE;
}
