/* HDP, the hierarchical placer: a feed-forward network puts every op into a group, a sequence
 * network with attention puts every group on a device, and both learn from the run times of sampled
 * plans, by REINFORCE. */
#include "engine/learn/rl/baselines/hdp.h"

#include "engine/core/arrays.h"
#include "engine/core/i18n.h"
#include "engine/graph/cells.h"
#include "engine/learn/nn/params.h"
#include "engine/learn/nn/softmax.h"
#include "engine/learn/rl/baselines/group-decisions.h"
#include "engine/learn/rl/graph-curve.h"
#include "engine/learn/rl/policies.h"
#include "engine/placers/search.h"
#include "engine/placers/units.h"

#include <math.h>
#include <string.h>

/* Input features of HDP's network for a graph.
 *
 * N units, F features, V op types, G groups, M the width of a group's embedding.
 *
 * A unit (a node, or a colocation group, represented by its longest node) has
 *
 *   its type: a number for each of the 199 most common ops, 0 for any other
 *   the sizes of its first 6 outputs, 4 dimensions each: log2 (1 + size) / 16, or -1 if missing
 *   6 units it reads from and 6 that read it: their numbers, scaled by 0.4 to at most 64, or -1
 *
 * and a group of units, by its members:
 *
 *   edges to each group ‖ edges from each ‖ its ops by type ‖ sums over the first 16 output sizes
 *
 * each of the four divided by its largest + 1. Read-only after it was made.
 */

typedef struct
{
  int N, F, V, E;
  float *values;  /* (N,F) */
  guint32 *types; /* (N) below V */
  guint32 *tails; /* (E) edges between different units */
  guint32 *heads; /* (E) */
} Features;

#define MAX_TYPES 200 /* that of every other op included */
#define N_OUTPUTS 6
#define N_DIMS 4
#define N_NEIGHBOURS 6
#define N_SHAPES (N_OUTPUTS * N_DIMS)
#define N_FEATURES (N_SHAPES + 2 * N_NEIGHBOURS)
#define N_GROUP_SHAPES 16
#define LOG_SCALE 16.0
#define NONE (-1.0f)

/* The public code uses the index of a neighbour as a feature, so that initial groups consist of
 * near units. This step per unit and this maximum learned best: with features in [0, 1] each
 * initial group is a mix of everything; with larger ones a single group contains everything. */
#define PLACE_STEP 0.4
#define MAX_PLACE 64.0

/* --- types -------------------------------------------------------------------------------- */

typedef struct
{
  guint32 first; /* seen as number so and so */
  guint32 count;
} OpCount;

static int
compare_counts (gconstpointer a, gconstpointer b)
{
  const OpCount *x = a, *y = b;

  if (x->count != y->count)
    return x->count > y->count ? -1 : 1;
  return x->first < y->first ? -1 : x->first > y->first;
}

/* kinds (n_nodes): the ops numbered as they appear. Returns how many of each there are. */
static GArray *
count_ops (const GobanGraph *graph, guint32 *kinds)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  GArray *counts = g_array_new (FALSE, FALSE, sizeof (OpCount));

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const char *op = goban_graph_get_node (graph, v)->op;
      gpointer found;

      if (g_hash_table_lookup_extended (seen, op, NULL, &found))
        kinds[v] = GPOINTER_TO_UINT (found);
      else
        {
          OpCount fresh = { counts->len, 0 };

          kinds[v] = counts->len;
          g_hash_table_insert (seen, (gpointer) op, GUINT_TO_POINTER (counts->len));
          g_array_append_val (counts, fresh);
        }
      g_array_index (counts, OpCount, kinds[v]).count++;
    }
  return counts;
}

/* The longest node of a unit; ties go to the first. */
static GobanNodeId
find_speaker (const GobanUnits *units, const double *times_us, guint32 unit)
{
  GobanNodeId speaker = units->nodes[units->offsets[unit]];

  for (guint32 i = units->offsets[unit]; i < units->offsets[unit + 1]; i++)
    if (times_us[units->nodes[i]] > times_us[speaker])
      speaker = units->nodes[i];
  return speaker;
}

static void
number_types (Features *self, const GobanUnits *units, const GobanNodeId *speakers)
{
  guint n_nodes = goban_graph_get_n_nodes (units->graph);
  g_autofree guint32 *kinds = g_new (guint32, n_nodes);
  g_autoptr (GArray) counts = count_ops (units->graph, kinds);
  g_autofree guint32 *types = g_new0 (guint32, counts->len);

  g_array_sort (counts, compare_counts);
  self->V = (int) MIN (counts->len + 1, MAX_TYPES);
  for (int rank = 0; rank < self->V - 1; rank++)
    types[g_array_index (counts, OpCount, rank).first] = (guint32) rank + 1;

  self->types = g_new (guint32, self->N);
  for (int u = 0; u < self->N; u++)
    self->types[u] = types[kinds[speakers[u]]];
}

/* --- shapes and neighbours ---------------------------------------------------------------- */

static void
add_neighbour (float *slots, float place)
{
  for (int i = 0; i < N_NEIGHBOURS; i++)
    {
      if (slots[i] == place)
        return;
      if (slots[i] == NONE)
        {
          slots[i] = place;
          return;
        }
    }
}

static Features *
features_new (const GobanUnits *units)
{
  Features *self = g_new0 (Features, 1);
  g_autofree double *times_us = g_new (double, goban_graph_get_n_nodes (units->graph));
  g_autofree GobanNodeId *speakers = g_new (GobanNodeId, units->n_units);

  self->N = (int) units->n_units;
  self->F = N_FEATURES;
  self->values = g_new (float, (gsize) self->N *N_FEATURES);
  goban_cost_model_mean_times (units->costs, times_us);
  for (int u = 0; u < self->N; u++)
    {
      float *row = self->values + (gsize) u * N_FEATURES;

      speakers[u] = find_speaker (units, times_us, (guint32) u);

      const GobanGraph *graph = units->graph;
      GobanNodeId node = speakers[u];
      guint n_tensors;
      GobanTensorId first = goban_graph_get_node_tensors (graph, node, &n_tensors);

      for (int i = 0; i < N_SHAPES; i++)
        row[i] = NONE;
      for (guint t = 0; t < MIN (n_tensors, N_OUTPUTS); t++)
        {
          const GobanTensor *tensor = goban_graph_get_tensor (graph, first + t);

          for (guint d = 0; d < MIN (tensor->n_dims, N_DIMS); d++)
            if (tensor->dims[d] >= 0)
              row[t * N_DIMS + d] = (float) (log2 (1 + (double) tensor->dims[d]) / LOG_SCALE);
        }

      for (int i = N_SHAPES; i < N_FEATURES; i++)
        row[i] = NONE;
    }
  number_types (self, units, speakers);

  guint n_edges = goban_graph_get_n_edges (units->graph);
  float step = (float) MIN (PLACE_STEP, MAX_PLACE / self->N);

  self->tails = g_new (guint32, n_edges + 1);
  self->heads = g_new (guint32, n_edges + 1);
  for (GobanEdgeId e = 0; e < n_edges; e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (units->graph, e);
      guint32 from = units->unit_of[edge->tail], to = units->unit_of[edge->head];
      float *out_slots, *in_slots;

      if (from == to)
        continue;
      self->tails[self->E] = from;
      self->heads[self->E++] = to;

      in_slots = self->values + (gsize) to * N_FEATURES + N_SHAPES;
      out_slots = self->values + (gsize) from * N_FEATURES + N_SHAPES + N_NEIGHBOURS;
      add_neighbour (in_slots, step * (float) (from + 1));
      add_neighbour (out_slots, step * (float) (to + 1));
    }

  return self;
}

static void
features_free (Features *self)
{
  g_free (self->values);
  g_free (self->types);
  g_free (self->tails);
  g_free (self->heads);
  g_free (self);
}

/* --- groups ------------------------------------------------------------------------------- */

/* M for G groups. */
static int
features_width (const Features *self, int G)
{
  return 2 * G + self->V + N_GROUP_SHAPES;
}

static void
divide_by_largest (float *values, int n)
{
  float largest = 0;

  for (int i = 0; i < n; i++)
    largest = MAX (largest, values[i]);
  for (int i = 0; i < n; i++)
    values[i] /= largest + 1;
}

/* out (G,M)  groups (N) */
static void
features_embed (const Features *self, float *out, const guint32 *groups, int G)
{
  gsize width = (gsize) features_width (self, G);

  memset (out, 0, (gsize) G * width * sizeof *out);
  for (int e = 0; e < self->E; e++)
    {
      guint32 from = groups[self->tails[e]], to = groups[self->heads[e]];

      if (from == to)
        continue;
      out[from * width + to] += 1;
      out[to * width + (gsize) G + from] += 1;
    }
  for (int u = 0; u < self->N; u++)
    {
      float *types = out + groups[u] * width + 2 * (gsize) G;
      const float *row = self->values + (gsize) u * N_FEATURES;

      types[self->types[u]] += 1;
      for (int i = 0; i < N_GROUP_SHAPES; i++)
        types[self->V + i] += MAX (row[i], 0);
    }
  for (int g = 0; g < G; g++)
    {
      float *row = out + (gsize) g * width;

      divide_by_largest (row, G);
      divide_by_largest (row + G, G);
      divide_by_largest (row + 2 * G, self->V);
      divide_by_largest (row + 2 * G + self->V, N_GROUP_SHAPES);
    }
}

#define DEFAULT_EVALUATIONS 2000

/* Constants of the paper; those that it does not give are the public code's. */
#define MAX_GROUPS 256
#define GROUPS_PER_DEVICE 20
#define N_PLACEMENTS 4 /* per grouping */
#define TYPE_WIDTH 20
#define GROUPER_WIDTH 64
#define ENCODER_WIDTH 128 /* each way; narrower for graphs of fewer units */
#define MIN_WIDTH 8
#define TEMPERATURE 10.0f
#define TANH_CONSTANT 5.0f
#define CLIP_NORM 1.0
#define BASELINE_KEEP 0.9
#define FAILING_REWARD (-10.0)
#define NOISE 0.5f
#define N_ATTENDED 4 /* groups in the decisions */
#define EARLY_UPDATES 500

/* Ours: the authors' 500 updates are a small part of their runs, so of ours too. Their rate of 0.1
 * settles on one device within 50 updates; lower rates than this learn too little in 500. */
#define EARLY_SHARE 0.25
#define LEARNING_RATE 0.003

/* --- the rule ------------------------------------------------------------------------------- */

double
goban_hdp_reward (const GobanHdpRule *self, const GobanOutcome *outcome)
{
  if (outcome->overflow_bytes > 0)
    return FAILING_REWARD;
  return MAX (FAILING_REWARD, -sqrt (outcome->makespan_us / self->reference_us));
}

static gboolean
is_valid (const GobanOutcome *outcome)
{
  return outcome->overflow_bytes <= 0;
}

void
goban_hdp_learn (GobanHdpRule *self, float *weights, const GobanOutcome *outcomes, guint n,
                 gboolean only_valid)
{
  double total = 0, mean;
  guint n_valid = 0, n_used;

  for (guint i = 0; i < n; i++)
    n_valid += is_valid (&outcomes[i]);
  only_valid = only_valid && n_valid > 0;
  n_used = only_valid ? n_valid : n;

  for (guint i = 0; i < n; i++)
    if (!only_valid || is_valid (&outcomes[i]))
      total += goban_hdp_reward (self, &outcomes[i]);
  mean = total / n_used;
  if (!self->has_baseline)
    self->baseline = mean;
  self->has_baseline = TRUE;

  for (guint i = 0; i < n; i++)
    {
      double advantage = goban_hdp_reward (self, &outcomes[i]) - self->baseline;

      weights[i] = !only_valid || is_valid (&outcomes[i]) ? (float) (-advantage / n_used) : 0.0f;
    }
  self->baseline = BASELINE_KEEP * self->baseline + (1 - BASELINE_KEEP) * mean;
}

/* --- the search ----------------------------------------------------------------------------- */

typedef struct
{
  GobanUnits *units;
  Features *features;
  GobanEvaluator *evaluator;
  GobanHdpConfig config;
  GobanParams *params;
  GobanHdpGrouper *grouper; /* NULL: the groups are given */
  GobanHdpPlacer *placer;
  GobanHdpRule rule;
  GobanAdam adam;
  GobanRng rng;
  GobanGraphCurve curve;

  GPtrArray *arrays;      /* the next five */
  guint32 *groups;        /* (N) */
  float *embeddings;      /* (G,M) */
  guint8 *allowed;        /* (G,D) */
  guint32 *devices;       /* (G,K) */
  GobanDeviceId *fastest; /* (N) device of a unit that cannot run on its group's device */
  GobanPlan *plans[N_PLACEMENTS];

  /* Decisions: of samples that were the best so far. */
  GobanForcedGroup forced;
  GobanGroupNodes nodes; /* of the present groups */
  guint n_left_out;      /* updates since the last one with samples */
} Learner;

static void
learner_clear (Learner *self)
{
  for (guint k = 0; k < N_PLACEMENTS; k++)
    g_clear_pointer (&self->plans[k], goban_plan_unref);
  goban_graph_curve_clear (&self->curve);
  g_clear_pointer (&self->grouper, goban_hdp_grouper_free);
  g_clear_pointer (&self->placer, goban_hdp_placer_free);
  g_clear_pointer (&self->params, goban_params_free);
  g_clear_pointer (&self->evaluator, goban_evaluator_free);
  g_clear_pointer (&self->features, features_free);
  g_clear_pointer (&self->units, goban_units_free);
  g_clear_pointer (&self->arrays, g_ptr_array_unref);
  goban_group_nodes_clear (&self->nodes);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Learner, learner_clear)

/* The cells of each unit, which colocation groups do not divide. Returns their number. */
static guint
group_by_cells (const GobanUnits *units, guint32 *groups)
{
  g_autofree double *work_us = g_new (double, goban_graph_get_n_nodes (units->graph) + 1);
  g_autoptr (GobanCells) cells = NULL;
  g_autoptr (GobanCellRows) rows = NULL;
  guint n_groups, n_slots;

  goban_cost_model_mean_times (units->costs, work_us);
  cells = goban_cells_new (units->graph, work_us);
  goban_cells_choose (cells, units->n_devices, &n_groups, &n_slots);
  rows = goban_cell_rows_new (cells, n_groups, n_slots);
  for (guint u = 0; u < units->n_units; u++)
    groups[u] = rows->row_of[units->nodes[units->offsets[u]]];
  return rows->n_rows;
}

static guint
choose_n_groups (const GobanUnits *units)
{
  return MIN (MIN (MAX_GROUPS, GROUPS_PER_DEVICE * units->n_devices), MAX (units->n_units, 1));
}

static GobanHdpConfig
choose_config (const GobanUnits *units, const Features *features, guint n_groups)
{
  return (GobanHdpConfig){
    .N = features->N,
    .F = features->F,
    .V = features->V,
    .G = (int) n_groups,
    .D = (int) units->n_devices,
    .M = features_width (features, (int) n_groups),
    .K = N_PLACEMENTS,
    .type_width = TYPE_WIDTH,
    .grouper_width = GROUPER_WIDTH,
    .encoder_width = CLAMP (features->N, MIN_WIDTH, ENCODER_WIDTH),
    .temperature = TEMPERATURE,
    .tanh_constant = TANH_CONSTANT,
  };
}

static gboolean
learner_init (Learner *self, GobanCostModel *costs, const GobanPlacerOptions *options,
              GError **error)
{
  static const char *const words[] = { "learned", "cells", NULL };
  const GobanHdpConfig *config = &self->config;
  guint choice, n_groups;

  if (!goban_placer_choose (options->settings, "groups", words, &choice, error))
    return FALSE;
  *self = (Learner){ .units = goban_units_new (costs, error) };
  if (self->units == NULL)
    return FALSE;

  goban_rng_init (&self->rng, options->seed);
  self->arrays = goban_arrays_new ();
  self->features = features_new (self->units);
  self->groups = goban_own (self, guint32, self->units->n_units);
  n_groups
      = choice == 0 ? choose_n_groups (self->units) : group_by_cells (self->units, self->groups);
  self->config = choose_config (self->units, self->features, n_groups);
  self->params = goban_params_new ("hdp");
  if (choice == 0)
    self->grouper = goban_hdp_grouper_new (config, self->params);
  self->placer = goban_hdp_placer_new (config, self->params);
  goban_params_finish (self->params, &self->rng);
  self->adam = goban_adam_new (LEARNING_RATE);
  self->adam.clip_norm = CLIP_NORM;

  self->evaluator = goban_evaluator_new (costs, 0);
  self->embeddings = goban_own (self, float, (gsize) config->G * config->M);
  self->allowed = goban_own (self, guint8, (gsize) config->G * config->D);
  self->devices = goban_own (self, guint32, (gsize) config->G * config->K);

  /* The plans differ in devices only, so their priorities are computed once. */
  GobanUnits *units = self->units;
  double fastest_us = 0;

  self->fastest = goban_own (self, GobanDeviceId, units->n_units);
  for (guint u = 0; u < units->n_units; u++)
    {
      self->fastest[u] = goban_units_fastest_device (units, u);
      fastest_us += goban_units_time_us (units, u, self->fastest[u]);
    }
  self->rule.reference_us = fastest_us > 0 ? fastest_us : 1;
  for (guint k = 0; k < N_PLACEMENTS; k++)
    self->plans[k]
        = k == 0 ? goban_units_new_plan (units, self->fastest) : goban_plan_copy (self->plans[0]);

  return TRUE;
}

static void
write_plan (Learner *self, guint k)
{
  const GobanUnits *units = self->units;

  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (self->plans[k]); v++)
    {
      guint32 unit = units->unit_of[v];
      GobanDeviceId device = (GobanDeviceId) self->devices[self->groups[unit] * N_PLACEMENTS + k];

      if (!goban_units_can_run (units, unit, device))
        device = self->fastest[unit];
      goban_plan_set_device (self->plans[k], v, device);
    }
}

/* Takes what the user forces into the samples from evaluation @first on. */
static void
force (Learner *self, guint64 first)
{
  GobanForcedGroup *forced = &self->forced;
  guint n_before = 0;
  guint g = 0;

  if (!forced->is_any || forced->evaluation < first || forced->evaluation >= first + N_PLACEMENTS)
    return;
  /* Empty groups have no moment. */
  while (g < self->nodes.n_groups)
    {
      gboolean is_empty = self->nodes.offsets[g] == self->nodes.offsets[g + 1];

      if (!is_empty && n_before++ == forced->index)
        break;
      g++;
    }
  if (g < self->nodes.n_groups && forced->option < (guint) self->config.D
      && self->allowed[(gsize) g * self->config.D + forced->option])
    {
      forced->is_taken = TRUE;
      forced->drawn = forced->option;
      goban_hdp_placer_force (self->placer, g, (guint) (forced->evaluation - first),
                              &forced->drawn);
    }
}

static void
sample (Learner *self, const GobanSearch *search, gboolean is_early)
{
  double log_probs[N_PLACEMENTS];

  if (self->grouper != NULL)
    goban_hdp_grouper_forward (self->grouper, self->groups, self->features->values,
                               self->features->types, &self->rng);
  features_embed (self->features, self->embeddings, self->groups, self->config.G);

  /* A group may go where any of its units can run; the other units are placed by soft placement,
   * as in TensorFlow. An empty group may go anywhere. */
  const GobanUnits *units = self->units;
  gsize D = (gsize) self->config.D;

  memset (self->allowed, 0, (gsize) self->config.G * D);
  for (guint u = 0; u < units->n_units; u++)
    for (gsize d = 0; d < D; d++)
      self->allowed[self->groups[u] * D + d] |= goban_units_can_run (units, u, (GobanDeviceId) d);
  for (gsize g = 0; g < (gsize) self->config.G; g++)
    {
      gsize n_allowed = 0;

      for (gsize d = 0; d < D; d++)
        n_allowed += self->allowed[g * D + d];
      for (gsize d = 0; d < D && n_allowed == 0; d++)
        self->allowed[g * D + d] = 1;
    }

  if (search->decisions != NULL)
    {
      goban_group_nodes_clear (&self->nodes);
      goban_group_nodes_init (&self->nodes, units, self->groups, (guint) self->config.G);
      force (self, search->n_evaluations + 1);
    }
  goban_hdp_placer_forward (self->placer, self->devices, log_probs, self->embeddings, self->allowed,
                            is_early ? NOISE : 0, &self->rng);
  for (guint k = 0; k < N_PLACEMENTS; k++)
    write_plan (self, k);
}

/* --- decisions ------------------------------------------------------------------------------ */

/* The groups with most of the attention of group @g; returns their number. */
static guint
find_attended (const Learner *self, guint g, guint k, GobanAttended *attended)
{
  const float *weights = goban_hdp_placer_get_attention (self->placer, g, k);
  guint n = 0;

  for (guint row = 0; row < (guint) self->config.G; row++)
    {
      guint i = n;

      if (n == N_ATTENDED && weights[row] <= attended[n - 1].weight)
        continue;
      n = MIN (n + 1, N_ATTENDED);
      for (i = n - 1; i > 0 && attended[i - 1].weight < weights[row]; i--)
        attended[i] = attended[i - 1];
      attended[i] = (GobanAttended){ row + 1, weights[row] };
    }
  return n;
}

/* How likely the grouper put the nodes into the group: their mean. */
static float
get_grouping (const Learner *self, guint g, const GobanNodeId *nodes, guint n)
{
  double total = 0;

  for (guint i = 0; i < n; i++)
    total += (double) goban_hdp_grouper_get_probability (self->grouper,
                                                         self->units->unit_of[nodes[i]], g);
  return (float) (total / n);
}

/* Whether a unit can run wherever its group may go. */
static gboolean
follows (const Learner *self, guint unit, guint g)
{
  for (guint d = 0; d < (guint) self->config.D; d++)
    if (self->allowed[(gsize) g * self->config.D + d]
        && !goban_units_can_run (self->units, unit, (GobanDeviceId) d))
      return FALSE;
  return TRUE;
}

/* A group as moment @index of the plan of @evaluation, but for the nodes that may have to go
 * elsewhere, which are appended to @others. */
static void
write_group (const Learner *self, guint g, guint k, guint64 evaluation, guint index, GArray *others,
             GobanDecisionsWriter *span)
{
  const GobanNodeId *nodes = &self->nodes.nodes[self->nodes.offsets[g]];
  guint n = self->nodes.offsets[g + 1] - self->nodes.offsets[g];
  GobanDeviceId device = (GobanDeviceId) self->devices[g * N_PLACEMENTS + k];
  g_autofree GobanNodeId *there = g_new (GobanNodeId, n + 1);
  GobanAttended attended[N_ATTENDED];
  const float *probabilities = goban_hdp_placer_get_probabilities (self->placer, g, k);
  GobanDecisionHead head;
  guint n_there = 0;

  for (guint i = 0; i < n; i++)
    if (follows (self, self->units->unit_of[nodes[i]], g))
      there[n_there++] = nodes[i];
    else
      g_array_append_val (others, nodes[i]);
  head = (GobanDecisionHead){
    .row = g + 1,
    .nodes = there,
    .n_nodes = n_there,
    .n_options = (guint) self->config.D,
    .key = self->grouper != NULL ? get_grouping (self, g, nodes, n) : 0,
    .has_key = self->grouper != NULL,
    .attended = attended,
    .n_attended = find_attended (self, g, k, attended),
  };
  goban_entropy_forward (&head.entropy, probabilities, 1, self->config.D);
  goban_group_decision_write (
      span, head, probabilities, &self->allowed[(gsize) g * self->config.D],
      goban_forced_group_get_drawn (&self->forced, evaluation, index, device));
}

/* Writes sample @k, before the networks learn from it. */
static void
write_sample (const Learner *self, GobanSearch *search, guint k, guint64 evaluation,
              const GobanOutcome *outcome, GobanDecisionsWriter *update)
{
  guint n_groups = 0;
  g_autoptr (GArray) others = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  GobanDecisionsWriter *span = goban_decisions_writer_open (
      update, &(GobanSpanHead){ .name = "sample",
                                .level = GOBAN_LEVEL_PLAN,
                                .evaluation = evaluation,
                                .n_left_out = k,
                                .key = self->grouper != NULL ? "grouping_probability" : NULL,
                                .has_base = TRUE });

  for (guint g = 0; g < self->nodes.n_groups; g++)
    if (self->nodes.offsets[g + 1] > self->nodes.offsets[g])
      write_group (self, g, k, evaluation, n_groups++, others, span);
  for (guint i = 0; i < others->len; i++)
    {
      const GobanNodeId *node = &g_array_index (others, GobanNodeId, i);

      goban_decisions_writer_decide (span,
                                     &(GobanDecisionHead){ .task = GOBAN_TASK_PLACEMENT,
                                                           .options = GOBAN_OPTION_DEVICE,
                                                           .nodes = node,
                                                           .n_nodes = 1,
                                                           .flags = GOBAN_DECISION_CARRIED },
                                     goban_plan_get_device (self->plans[k], *node));
    }
  goban_group_decisions_close (span, search, evaluation, *outcome);
}

/* Offers the samples to the search, and writes the best one so far, or one that is forced. */
static void
offer (Learner *self, GobanSearch *search, const GobanOutcome *outcomes, guint n)
{
  guint64 before = search->n_evaluations;
  guint64 evaluations[2];
  GobanSpanResult result;
  GobanDecisionsWriter *update;
  guint n_written;

  for (guint k = 0; k < n; k++)
    goban_search_consider (search, self->plans[k], outcomes[k]);
  n_written = goban_forced_group_list_plans (&self->forced, before, search->n_evaluations,
                                             search->best_evaluation, evaluations);
  if (search->decisions == NULL || n_written == 0)
    {
      self->n_left_out++;
      return;
    }
  update = goban_decisions_writer_open (search->decisions,
                                        &(GobanSpanHead){ .name = "update",
                                                          .level = GOBAN_LEVEL_ROUND,
                                                          .n_left_out = self->n_left_out });
  self->n_left_out = 0;
  for (guint i = 0; i < n_written; i++)
    {
      guint k = (guint) (evaluations[i] - before - 1);

      write_sample (self, search, k, evaluations[i], &outcomes[k], update);
    }
  result = goban_search_get_result (search->outcome);
  goban_decisions_writer_close (update, &result, search->best_evaluation > before);
}

/* --- learning ------------------------------------------------------------------------------- */

/* The samples of an update and how sure the networks were, for the learning curve. */
static void
note_samples (Learner *self, const GobanOutcome *outcomes, guint n)
{
  if (self->curve.sink == NULL)
    return;
  for (guint k = 0; k < n; k++)
    goban_graph_curve_add_sample (&self->curve, self->plans[k], &outcomes[k],
                                  goban_hdp_reward (&self->rule, &outcomes[k]));
  /* Both networks count alike, though one of them makes far more choices. */
  goban_graph_curve_add_choices (&self->curve, goban_hdp_placer_get_entropy (self->placer), 1);
  if (self->grouper != NULL)
    goban_graph_curve_add_choices (&self->curve, goban_hdp_grouper_get_entropy (self->grouper), 1);
}

/* One step down the gradient of minus the advantages times the log-probabilities. */
static gboolean
update (Learner *self, const GobanOutcome *outcomes, guint n, gboolean is_early, GError **error)
{
  float weights[N_PLACEMENTS] = { 0 };
  float total = 0;
  double norm = 0;

  note_samples (self, outcomes, n);
  goban_hdp_learn (&self->rule, weights, outcomes, n, !is_early);
  for (guint k = 0; k < n; k++)
    total += weights[k];

  goban_params_zero_grad (self->params);
  if (self->grouper != NULL)
    goban_hdp_grouper_backward (self->grouper, self->groups, total);
  goban_hdp_placer_backward (self->placer, self->devices, weights);
  if (!goban_adam_step (&self->adam, self->params, &norm, error))
    return FALSE;
  goban_graph_curve_end_update (&self->curve, norm, NAN);
  return TRUE;
}

static GobanPlan *
place (GobanCostModel *costs, const GobanPlacerOptions *options, guint64 *evaluations,
       GError **error)
{
  g_auto (Learner) learner = { 0 };
  g_auto (GobanSearch) search = { 0 };
  guint64 n_updates = 0;

  if (!learner_init (&learner, costs, options, error)
      || !goban_graph_curve_init (&learner.curve, costs, options, error))
    return NULL;

  goban_search_begin (&search, options, DEFAULT_EVALUATIONS);
  learner.forced = goban_forced_group_find (search.decisions);
  while (goban_search_go_on (&search, "learning", error))
    {
      GobanOutcome outcomes[N_PLACEMENTS];
      guint n = goban_search_clip (&search, N_PLACEMENTS);
      gboolean is_early
          = n_updates < EARLY_UPDATES && goban_search_get_fraction (&search) < EARLY_SHARE;

      goban_graph_curve_begin_update (&learner.curve);
      sample (&learner, &search, is_early);
      goban_evaluator_evaluate (learner.evaluator, learner.plans, n, outcomes);
      offer (&learner, &search, outcomes, n);
      if (!update (&learner, outcomes, n, is_early, error))
        return NULL;
      n_updates++;
    }
  return goban_search_end (&search, evaluations);
}

const GobanPlacer goban_placer_hdp = {
  .name = "hdp",
  .blurb = N_ ("groups by one network, devices by another, learned by REINFORCE"),
  .about
  = N_ ("One grouping and four placements of it are sampled an update and simulated side by side. "
        "An op's type, output shapes and neighbours go through two linear layers to a softmax "
        "over groups (20 a device, at most 256); what is in each group and between groups goes to "
        "a bidirectional LSTM, and an LSTM with attention over it writes the devices, each fed "
        "back. REINFORCE: minus the square root of the run time, told in units of all work on the "
        "fastest devices so that it is about 1, or -10 where memory does not suffice, over a "
        "moving mean. Constants are the paper's (256 cells, temperature 10, tanh constant 5, "
        "gradient norm 1; noise and failing samples in the first 500 updates, here at most a "
        "quarter of them), the attention, the linear grouper and the size of the noise the public "
        "code's. Ours: Adam's rate of 0.003, for the published 0.1 settles on one device within "
        "50 updates; features scaled to a few tens; the first mean as first baseline; an update "
        "whose samples all fail learns from them at any time; an op that cannot run where its "
        "group is goes to its fastest device. The best plan sampled is kept. With "
        "“groups=cells” the groups are the cells of parameters and their uses, and only devices "
        "are learned."),
  .source = "Mirhoseini et al., A Hierarchical Model for Device Placement, ICLR 2018",
  .effort = GOBAN_EFFORT_LEARNED,
  .is_random = TRUE,
  .default_evaluations = DEFAULT_EVALUATIONS,
  .setting = "groups",
  .forcing = GOBAN_FORCING_INSIDE,
  .place = place,
};
