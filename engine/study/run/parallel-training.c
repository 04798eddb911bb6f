#include "engine/study/run/parallel-training.h"

#include "engine/core/error.h"
#include "engine/graph/collectives.h"
#include "engine/graph/workloads/workload.h"
#include "engine/machine/cluster/fold.h"
#include "engine/machine/parallel/pass-parts.h"
#include "engine/machine/parallel/rank-graph.h"
#include "engine/machine/parallel/schedule.h"
#include "engine/study/run/pipeline.h"
#include "engine/study/run/run-origin.h"
#include "engine/study/run/time-causes.h"

#include <math.h>
#include <string.h>

#define DEFAULT_SCHEDULE "1f1b"
#define DEFAULT_BATCHES 8
#define BATCHES_PER_STAGE 4

/* A training in the making. */
typedef struct
{
  GobanTrainingShape shape; /* with the defaults filled in */
  GobanCluster *folded;
  GobanGraph *model; /* of one rank */
  guint n_stages;
  guint *places; /* (n_stages) */
  GobanSchedule *schedule;
  GobanRankGraph *rank;
} Making;

static void
making_clear (Making *self)
{
  g_clear_pointer (&self->folded, goban_cluster_unref);
  g_clear_pointer (&self->model, goban_graph_unref);
  g_free (self->places);
  g_clear_pointer (&self->schedule, goban_schedule_free);
  g_clear_pointer (&self->rank, goban_rank_graph_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Making, making_clear)

void
goban_parallel_training_free (GobanParallelTraining *self)
{
  g_clear_pointer (&self->run, goban_run_unref);
  g_free (self->memory);
  g_free (self);
}

/* --- the shape ------------------------------------------------------------------------------ */

static void
fill_shape (GobanTrainingShape *self)
{
  guint *const counts[] = { &self->tp, &self->pp, &self->dp, &self->ep, &self->micro_batch };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    *counts[i] = MAX (*counts[i], 1);
  if (self->schedule == NULL)
    self->schedule = DEFAULT_SCHEDULE;
  if (self->n_chunks == 0)
    self->n_chunks = goban_schedule_get_usual_chunks (self->schedule);
}

/* Numbers of the shape that are knobs of a family, too. */
typedef struct
{
  const char *knob;
  guint *value;
} Shared;

/* The spec's own number where the shape has none. */
static gboolean
take_knob (const GobanWorkloadSpec *spec, const Shared *shared, GString *text, GError **error)
{
  gsize i;

  if (!goban_family_find_knob (spec->family, shared->knob, &i))
    return *shared->value <= 1
           || goban_refuse (error, GOBAN_ERROR_INVALID,
                            "the family %s has no %s: its layers cannot be split among ranks",
                            spec->family->name, shared->knob);
  if (*shared->value == 0)
    *shared->value = (guint) spec->values[i];
  g_string_append_printf (text, "%s=%u,", shared->knob, *shared->value);
  return TRUE;
}

/* The graph of a rank and a micro-batch. */
static gboolean
generate (Making *self, const char *text, GError **error)
{
  guint splits_sequence = self->shape.splits_sequence;
  const Shared all[] = { { "batch", &self->shape.micro_batch },
                         { "tp", &self->shape.tp },
                         { "sp", &splits_sequence },
                         { "ep", &self->shape.ep } };
  g_autoptr (GobanWorkloadSpec) spec = goban_workload_spec_new (text, error);
  g_autoptr (GString) sharded = NULL;
  g_auto (GStrv) settings = NULL;

  if (spec == NULL)
    return FALSE;
  sharded = g_string_new (spec->family->name);
  g_string_append_c (sharded, ':');
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    if (!take_knob (spec, &all[i], sharded, error))
      return FALSE;
  settings = g_strsplit_set (spec->text, ":,", -1);
  for (guint i = 1; settings[i] != NULL; i++)
    {
      gboolean is_shared = FALSE;

      for (guint k = 0; k < G_N_ELEMENTS (all); k++)
        is_shared |= g_str_has_prefix (settings[i], all[k].knob)
                     && settings[i][strlen (all[k].knob)] == '=';
      if (!is_shared)
        g_string_append_printf (sharded, "%s,", settings[i]);
    }
  g_string_truncate (sharded, sharded->len - 1);
  self->model = goban_workload_generate (sharded->str, error);
  return self->model != NULL;
}

/* Ranks of the group in the graph's own collectives; 1 if it has none. */
static guint
count_ranks (const GobanGraph *graph, const char *group)
{
  guint n, n_ranks = 1;
  const GobanNodeCollective *all = goban_graph_get_collectives (graph, &n);

  for (guint i = 0; i < n; i++)
    if (g_strcmp0 (all[i].group, group) == 0)
      n_ranks = MAX (n_ranks, all[i].n_ranks);
  return n_ranks;
}

/* The graph is one rank's, as it is. */
static gboolean
take_graph (Making *self, GobanGraph *graph, GError **error)
{
  const Shared all[] = { { "tp", &self->shape.tp }, { "ep", &self->shape.ep } };

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    if (goban_graph_get_node (graph, v)->micro_batch != GOBAN_NO_BATCH)
      return goban_refuse (error, GOBAN_ERROR_INVALID,
                           "the graph has micro-batches already: node “%s”",
                           goban_graph_get_node (graph, v)->name);
  self->model = goban_graph_ref (graph);
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      guint n_ranks = count_ranks (graph, all[i].knob);

      if (*all[i].value == 0)
        *all[i].value = n_ranks;
      if (*all[i].value != n_ranks)
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "graph “%s” does not say how its ops can be split by %s=%u: a "
                             "generated model does, such as gpt or llama",
                             goban_graph_get_name (graph), all[i].knob, *all[i].value);
    }
  return TRUE;
}

static gboolean
find_model (Making *self, const char *spec, GobanGraph *graph, GError **error)
{
  const GobanTrainingShape *shape = &self->shape;
  gboolean is_changed
      = shape->tp > 0 || shape->ep > 0 || shape->splits_sequence || shape->micro_batch > 0;
  g_autoptr (GobanWorkloadSpec) own = NULL;
  gsize i;

  /* A graph that is derived from a generated one is named after it, but by no spec. */
  if (spec == NULL && strcmp (goban_graph_get_format (graph), "generated") == 0)
    own = goban_workload_spec_new (goban_graph_get_name (graph), NULL);
  if (own != NULL && is_changed)
    spec = goban_graph_get_name (graph);
  else if (own != NULL && goban_family_find_knob (own->family, "batch", &i))
    self->shape.micro_batch = (guint) own->values[i];
  return spec != NULL ? generate (self, spec, error) : take_graph (self, graph, error);
}

guint
goban_training_shape_get_n_batches (const GobanTrainingShape *self)
{
  guint64 samples = (guint64) MAX (self->dp, 1) * MAX (self->micro_batch, 1);

  if (self->batch == 0)
    return self->pp > 1 ? BATCHES_PER_STAGE * self->pp : DEFAULT_BATCHES;
  return self->batch % samples == 0 ? (guint) (self->batch / samples) : 0;
}

static gboolean
find_batches (Making *self, guint *n_batches, GError **error)
{
  GobanTrainingShape *shape = &self->shape;
  guint64 divisor = (guint64) shape->dp * shape->micro_batch;

  *n_batches = goban_training_shape_get_n_batches (shape);
  if (*n_batches == 0)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "a batch of %u is not divided by %u copies x micro-batches of %u = %.0f",
                         shape->batch, shape->dp, shape->micro_batch, (double) divisor);
  if (shape->batch == 0)
    shape->batch = (guint) MIN (divisor * *n_batches, G_MAXUINT);
  return TRUE;
}

/* --- the graph of a rank -------------------------------------------------------------------- */

static gboolean
find_recompute (const char *name, GobanRecompute *recompute, GError **error)
{
  for (guint i = 0; i < GOBAN_N_RECOMPUTES; i++)
    if (strcmp (name != NULL ? name : goban_recompute_names[0], goban_recompute_names[i]) == 0)
      {
        *recompute = i;
        return TRUE;
      }
  return goban_refuse (error, GOBAN_ERROR_INVALID,
                       "“%s” is not a recomputation; say none, selective or full", name);
}

static gboolean
make_rank (Making *self, guint n_batches, GError **error)
{
  const GobanTrainingShape *shape = &self->shape;
  GobanRankOptions options
      = { .n_copies = shape->dp, .n_expert_copies = shape->dp / shape->ep, .zero = shape->zero };
  g_autofree guint *stages = g_new0 (guint, goban_graph_get_n_nodes (self->model) + 1);

  self->n_stages = shape->pp * shape->n_chunks;
  self->schedule = goban_schedule_new (shape->schedule,
                                       &(GobanScheduleShape){ .n_ranks = shape->pp,
                                                              .n_stages = self->n_stages,
                                                              .n_batches = n_batches,
                                                              .has_backward = TRUE },
                                       error);
  if (self->schedule == NULL)
    return FALSE;
  self->places = g_new (guint, self->n_stages);
  for (guint s = 0; s < self->n_stages; s++)
    self->places[s] = goban_schedule_get_rank (self->schedule, s);
  if (self->n_stages > 1 && !goban_graph_cut_layers (self->model, self->n_stages, stages, error))
    return FALSE;
  if (!find_recompute (shape->recompute, &options.recompute, error))
    return FALSE;
  options.stages = stages;
  options.places = shape->overlaps_sends ? NULL : self->places;
  self->rank = goban_rank_graph_new (self->model, &options, error);
  return self->rank != NULL;
}

/* --- figures -------------------------------------------------------------------------------- */

/* Shares of the ops' time. */
static void
sum_times (GobanParallelTraining *self)
{
  double shares_us[GOBAN_N_TIME_CAUSES], busy_us;

  if (!goban_run_split_by_cause (self->run, shares_us, NULL))
    return;
  busy_us = goban_run_get_makespan_us (self->run) - shares_us[GOBAN_TIME_CAUSE_IDLE];
  if (busy_us <= 0)
    return;
  self->figures.collective_share
      = (shares_us[GOBAN_TIME_CAUSE_EXCHANGING] + shares_us[GOBAN_TIME_CAUSE_SENDING]) / busy_us;
  self->figures.recomputed_share = shares_us[GOBAN_TIME_CAUSE_RECOMPUTING] / busy_us;
}

static void
fill_figures (GobanParallelTraining *self, const Making *made, GobanPipeline *pipeline,
              const GobanCostModel *costs)
{
  const GobanTrainingShape *shape = &made->shape;
  double flops_per_us = 0;

  self->figures.n_devices = shape->tp * shape->pp * shape->dp;
  self->figures.batch = shape->batch;
  self->figures.bubble = goban_pipeline_get_bubble (pipeline);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (made->rank->graph); v++)
    {
      const GobanNode *node = goban_graph_get_node (made->rank->graph, v);

      if (node->phase != GOBAN_PHASE_UPDATE
          && !g_str_has_prefix (node->name, GOBAN_RECOMPUTE_SCOPE))
        self->figures.flops += node->flops;
      if (node->macs > 0)
        flops_per_us = MAX (flops_per_us, goban_cost_model_get_peak_flops (costs, v, 0));
    }
  self->figures.flops *= (double) self->figures.n_batches * shape->tp * shape->dp;
  self->figures.used
      = self->figures.flops
        / (goban_run_get_makespan_us (self->run) * self->figures.n_devices * flops_per_us);
  sum_times (self);
}

static void
add_gradients (GobanParallelTraining *self, const Making *made)
{
  g_auto (GobanParts) parts = { NULL };
  const GobanGraph *graph = made->rank->graph;

  goban_parts_init (&parts, graph, FALSE);
  for (GobanEdgeId e = 0; e < goban_graph_get_n_edges (graph); e++)
    {
      const GobanEdge *edge = goban_graph_get_edge (graph, e);
      GobanEdgeSpan readers = goban_graph_get_tensor_edges (graph, edge->tensor);

      if (parts.of_node[edge->head] == GOBAN_PART_ONCE && readers.ids[0] == e
          && (parts.of_tensor[edge->tensor] & GOBAN_PART_HALVES) != 0)
        self->memory[made->places[made->rank->stages[edge->tail]]].gradient_bytes
            += goban_graph_get_tensor (graph, edge->tensor)->size_bytes;
    }
}

static void
fill_memory (GobanParallelTraining *self, const Making *made)
{
  const GobanDeviceUse *uses = goban_trace_get_uses (goban_run_get_trace (self->run));

  self->n_memory = goban_cluster_get_n_devices (made->folded);
  self->memory = g_new0 (GobanRankMemory, self->n_memory);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (made->rank->graph); v++)
    {
      const GobanNode *node = goban_graph_get_node (made->rank->graph, v);
      GobanRankMemory *memory = &self->memory[made->places[made->rank->stages[v]]];

      *(node->phase == GOBAN_PHASE_UPDATE ? &memory->optimizer_bytes : &memory->weight_bytes)
          += node->param_bytes;
    }
  add_gradients (self, made);
  for (guint d = 0; d < self->n_memory; d++)
    {
      GobanRankMemory *memory = &self->memory[d];

      memory->capacity_bytes = goban_cluster_get_device (made->folded, d)->memory_bytes;
      memory->activation_bytes = MAX (0, uses[d].peak_bytes - memory->weight_bytes
                                             - memory->gradient_bytes - memory->optimizer_bytes);
    }
}

/* --- the run -------------------------------------------------------------------------------- */

/* "1f1b, tp 2, pp 2, dp 4, zero 1": what differs from a training on one device. (transfer full) */
static char *
dup_name (const GobanTrainingShape *shape, GobanRun *run)
{
  const struct
  {
    const char *word;
    guint value, usual;
  } numbers[] = { { "tp", shape->tp, 1 },
                  { "pp", shape->pp, 1 },
                  { "dp", shape->dp, 1 },
                  { "ep", shape->ep, 1 },
                  { "zero", shape->zero, 0 } };
  GString *name = g_string_new (goban_run_get_name (run));

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (numbers[i].value != numbers[i].usual)
      g_string_append_printf (name, ", %s %u", numbers[i].word, numbers[i].value);
  if (shape->recompute != NULL && !g_str_equal (shape->recompute, "none"))
    g_string_append_printf (name, ", recompute %s", shape->recompute);
  return g_string_free (name, FALSE);
}

static gboolean
simulate (GobanParallelTraining *self, Making *made, GError **error)
{
  const GobanTrainingShape *shape = &made->shape;
  g_autoptr (GobanCostModel) costs
      = goban_cost_model_new (made->rank->graph, made->folded, GOBAN_EXECUTION_EVENTS);
  g_autofree GobanDeviceId *devices = g_new (GobanDeviceId, made->n_stages);
  g_autoptr (GobanRankGraph) passes = NULL;
  g_autoptr (GobanCostModel) piped = NULL;
  g_autoptr (GobanPipeline) pipeline = NULL;
  g_autofree char *name = NULL;

  for (guint s = 0; s < made->n_stages; s++)
    devices[s] = (GobanDeviceId) made->places[s];
  if (!shape->shows_ops)
    {
      passes = goban_rank_graph_new_passes (made->rank, costs, devices,
                                            goban_schedule_splits_backward (made->schedule), error);
      if (passes == NULL)
        return FALSE;
      piped = goban_cost_model_new (passes->graph, made->folded, GOBAN_EXECUTION_EVENTS);
    }
  pipeline = goban_pipeline_new (
      piped != NULL ? piped : costs,
      &(GobanPipelineOptions){ .schedule = shape->schedule,
                               .n_batches = self->figures.n_batches,
                               .n_stages = made->n_stages,
                               .n_ranks = shape->pp,
                               .stages = passes != NULL ? passes->stages : made->rank->stages,
                               .progress = shape->progress },
      error);
  if (pipeline == NULL)
    return FALSE;
  self->run = goban_run_ref (pipeline->run);
  name = dup_name (shape, self->run);
  goban_run_rename (self->run, name);
  fill_memory (self, made);
  fill_figures (self, made, pipeline, costs);
  return TRUE;
}

GobanParallelTraining *
goban_parallel_training_new (const char *spec, GobanGraph *graph, GobanCluster *cluster,
                             const GobanTrainingShape *shape, GError **error)
{
  g_autoptr (GobanParallelTraining) self = g_new0 (GobanParallelTraining, 1);
  g_auto (Making) made = { .shape = *shape };
  if (!find_model (&made, spec, graph, error))
    return NULL;
  fill_shape (&made.shape);
  made.folded = goban_cluster_fold (cluster,
                                    &(GobanFoldShape){ .tp = made.shape.tp,
                                                       .dp = made.shape.dp,
                                                       .pp = made.shape.pp,
                                                       .ep = made.shape.ep,
                                                       .sends_block = !made.shape.overlaps_sends },
                                    error);
  if (made.folded == NULL || !find_batches (&made, &self->figures.n_batches, error)
      || !make_rank (&made, self->figures.n_batches, error)
      || !goban_progress_check (shape->progress, error) || !simulate (self, &made, error))
    return NULL;
  return g_steal_pointer (&self);
}

/* --- fields --------------------------------------------------------------------------------- */

double
goban_rank_memory_sum (const GobanRankMemory *self)
{
  return self->weight_bytes + self->gradient_bytes + self->optimizer_bytes + self->activation_bytes;
}

const GobanRankMemory *
goban_parallel_training_get_memory (const GobanParallelTraining *self, guint *n)
{
  *n = self->n_memory;
  return self->memory;
}
