#include "engine/study/run/parallel-order.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/lua-text.h"
#include "engine/core/quantity.h"
#include "engine/graph/training.h"
#include "engine/study/run/run-origin.h"
#include "engine/study/run/run.h"

#include <math.h>

/* A training adds to a model at most its backward part, its updates and what it computes again. */
#define PARTS_OF_TRAINING 3
/* Forward, backward in halves, and sends, of a stage and a micro-batch. */
#define NODES_PER_PASS 6

GobanParallelOrder *
goban_parallel_order_new (GobanParallelKind kind, GobanCostModel *costs, GobanCluster *cluster)
{
  GobanParallelOrder *self = g_new0 (GobanParallelOrder, 1);

  self->kind = kind;
  self->costs = costs != NULL ? goban_cost_model_ref (costs) : NULL;
  self->cluster = goban_cluster_ref (cluster);
  return self;
}

void
goban_parallel_order_free (GobanParallelOrder *self)
{
  g_clear_pointer (&self->costs, goban_cost_model_unref);
  goban_cluster_unref (self->cluster);
  g_clear_pointer (&self->plan, goban_plan_unref);
  g_free (self->recompute);
  g_free (self->schedule);
  g_free (self->algorithm);
  g_free (self->collective);
  g_free (self);
}

void
goban_parallel_result_free (GobanParallelResult *self)
{
  g_clear_pointer (&self->run, goban_run_unref);
  g_free (self->text);
  g_free (self->memory);
  g_free (self);
}

static guint64
count_passes (const GobanParallelOrder *self)
{
  guint64 n_batches = goban_training_shape_get_n_batches (&self->shape);

  return NODES_PER_PASS * MAX (self->shape.pp, 1) * MAX (n_batches, 1);
}

guint64
goban_parallel_order_count_nodes (const GobanParallelOrder *self)
{
  guint64 n_nodes = self->costs != NULL
                        ? goban_graph_get_n_nodes (goban_cost_model_get_graph (self->costs))
                        : 0;
  guint n_devices = goban_cluster_get_n_devices (self->cluster);

  switch (self->kind)
    {
    case GOBAN_PARALLEL_TRAINING:
      return PARTS_OF_TRAINING * n_nodes + count_passes (self);
    case GOBAN_PARALLEL_PIPELINE:
      return n_nodes * MAX (self->n_batches, 1);
    case GOBAN_PARALLEL_COPIES:
      return n_nodes * (self->n > 0 ? self->n : n_devices);
    default:
      return (guint64) n_devices * n_devices;
    }
}

/* --- the line of Lua -------------------------------------------------------------------------- */

static void
add_number (GString *code, const char *key, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (value > 0)
    g_string_append_printf (code, ", %s = %s", key,
                            g_ascii_formatd (text, sizeof text, "%.15g", value));
}

static void
add_true (GString *code, const char *key, gboolean value)
{
  if (value)
    g_string_append_printf (code, ", %s = true", key);
}

static char *
dup_collective (const GobanParallelOrder *self)
{
  g_autofree char *kind = goban_lua_text_quote (self->collective);
  char bytes[G_ASCII_DTOSTR_BUF_SIZE];
  g_autoptr (GString) options = g_string_new (NULL);

  goban_lua_text_add (options, "algorithm", self->algorithm);
  add_number (options, "ranks", self->n);
  return g_strdup_printf ("graph.collective(%s, %s%s%s%s)", kind,
                          g_ascii_formatd (bytes, sizeof bytes, "%.15g", self->bytes),
                          options->len > 0 ? ", {" : "", options->len > 0 ? options->str + 1 : "",
                          options->len > 0 ? " }" : "");
}

static char *
dup_training (const GobanParallelOrder *self)
{
  const GobanTrainingShape *shape = &self->shape;
  g_autoptr (GString) options = g_string_new (NULL);

  add_number (options, "tp", shape->tp);
  add_number (options, "pp", shape->pp);
  add_number (options, "dp", shape->dp);
  add_number (options, "ep", shape->ep);
  add_true (options, "sp", shape->splits_sequence);
  add_number (options, "micro_batch", shape->micro_batch);
  add_number (options, "batch", shape->batch);
  add_number (options, "zero", shape->zero);
  goban_lua_text_add (options, "recompute", self->recompute);
  goban_lua_text_add (options, "schedule", self->schedule);
  return g_strdup_printf ("g:parallel{%s }", options->str + MIN (options->len, 1));
}

char *
goban_parallel_order_dup_code (const GobanParallelOrder *self)
{
  gboolean is_pipeline = self->kind == GOBAN_PARALLEL_PIPELINE;
  g_autoptr (GString) options = g_string_new (NULL);

  if (self->kind == GOBAN_PARALLEL_COLLECTIVE)
    return dup_collective (self);
  if (self->kind == GOBAN_PARALLEL_TRAINING)
    return dup_training (self);
  if (is_pipeline)
    {
      goban_lua_text_add (options, "schedule", self->schedule);
      add_number (options, "micro_batches", self->n_batches);
      add_number (options, "stages", self->n);
      add_true (options, "choose_stages", self->chooses_stages);
      add_true (options, "copies", self->copies_stages);
    }
  else
    {
      add_number (options, "n", self->n);
      goban_lua_text_add (options, "algorithm", self->algorithm);
      add_number (options, "bucket", self->bucket_bytes);
      add_number (options, "slowdown", self->slowdown > 1 ? self->slowdown : 0);
    }
  add_true (options, "split", self->is_split);
  if (self->plan != NULL)
    g_string_append (options, ", plan = r.plan");
  return g_strdup_printf ("g:%s%s{%s }", self->adds_backward ? "training():" : "",
                          is_pipeline ? "pipeline" : "replicas",
                          options->len > 0 ? options->str + 1 : "");
}

/* --- in words --------------------------------------------------------------------------------- */

gboolean
goban_parallel_is_inference (GobanGraph *graph)
{
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    if (goban_graph_get_node (graph, v)->phase != GOBAN_PHASE_FORWARD)
      return FALSE;
  return TRUE;
}

static void add_sentence (GString *text, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
add_sentence (GString *text, const char *format, ...)
{
  va_list arguments;

  if (text->len > 0)
    g_string_append_c (text, ' ');
  va_start (arguments, format);
  g_string_append_vprintf (text, format, arguments);
  va_end (arguments);
}

/* Describes the copies of each stage in the run, or else the planned ones. */
static void
describe_stage_copies (GString *text, GobanPipeline *pipeline)
{
  g_autofree char *numbers = goban_pipeline_dup_copies (pipeline);
  char slowest[GOBAN_QUANTITY_LEN], once[GOBAN_QUANTITY_LEN];
  GobanPipelineCopies copies;

  if (numbers != NULL)
    {
      add_sentence (text, _ ("Devices of each stage: %s."), numbers);
      return;
    }
  if (!goban_pipeline_get_copies (pipeline, &copies))
    return;
  numbers = goban_pipeline_copies_to_text (&copies);
  add_sentence (text,
                _ ("With copies of stages (devices of each: %s) the slowest would take %s a batch, "
                   "not %s."),
                numbers, goban_format_time (slowest, copies.slowest_us),
                goban_format_time (once, copies.slowest_once_us));
}

static char *
describe_pipeline (GobanPipeline *pipeline)
{
  GobanRun *run = pipeline->run;
  double uniform = goban_pipeline_get_uniform_bubble (pipeline);
  guint n_versions = goban_pipeline_get_n_versions (pipeline);
  GString *text = g_string_new (NULL);
  char time[GOBAN_QUANTITY_LEN], bytes[GOBAN_QUANTITY_LEN];

  add_sentence (text,
                _ ("Stages: %u, devices: %u, micro-batches: %u. They take %s, with a bubble of "
                   "%.1f %%."),
                pipeline->n_stages, pipeline->n_ranks, pipeline->n_batches,
                goban_format_time (time, goban_run_get_makespan_us (run)),
                100 * goban_pipeline_get_bubble (pipeline));
  if (!isnan (uniform))
    add_sentence (text, _ ("If all stages took as long, it would be %.1f %%."), 100 * uniform);
  add_sentence (text, _ ("Most memory of a device: %s."),
                goban_format_bytes (bytes, goban_run_get_peak_bytes (run)));
  if (n_versions > 1)
    add_sentence (text, _ ("A stage keeps up to %u versions of its weights."), n_versions);
  describe_stage_copies (text, pipeline);
  if (goban_parallel_is_inference (goban_run_get_graph (run)))
    add_sentence (text, "%s",
                  _ ("The graph has no backward part: each schedule runs forward passes alone."));
  return g_string_free (text, FALSE);
}

static void
describe_memory (GString *text, GobanParallelTraining *training)
{
  guint n, most = 0;
  const GobanRankMemory *memory = goban_parallel_training_get_memory (training, &n);
  GobanRun *run = training->run;
  char bytes[GOBAN_QUANTITY_LEN], capacity[GOBAN_QUANTITY_LEN];

  for (guint d = 1; d < n; d++)
    if (goban_rank_memory_sum (&memory[d]) > goban_rank_memory_sum (&memory[most]))
      most = d;
  goban_format_bytes (bytes, goban_rank_memory_sum (&memory[most]));
  goban_format_bytes (capacity, memory[most].capacity_bytes);
  if (isinf (memory[most].capacity_bytes))
    add_sentence (text, _ ("Most memory of a device: %s."), bytes);
  else if (goban_trace_is_valid (goban_run_get_trace (run)))
    add_sentence (text, _ ("Most memory of a device: %s of %s."), bytes, capacity);
  else
    add_sentence (text,
                  _ ("%s needs %s of memory and has %s. Tensor and pipeline parallelism, ZeRO and "
                     "recomputation need less."),
                  goban_cluster_get_device (goban_run_get_cluster (run), most)->name, bytes,
                  capacity);
}

static char *
describe_training (const GobanParallelOrder *self, GobanParallelTraining *training)
{
  const GobanTrainingFigures *figures = &training->figures;
  GobanRun *run = training->run;
  double time_us = goban_run_get_makespan_us (run);
  guint n_devices;
  g_autofree GobanDeviceId *devices = goban_cluster_get_ranks (self->cluster, &n_devices);
  GString *text = g_string_new (NULL);
  char time[GOBAN_QUANTITY_LEN];

  if (goban_trace_is_valid (goban_run_get_trace (run)))
    {
      add_sentence (
          text,
          _ ("%u of %u devices train on %u samples in %s: %.4g samples a second, with %.1f "
             "%% of the peak."),
          figures->n_devices, n_devices, figures->batch, goban_format_time (time, time_us),
          figures->batch / time_us * 1e6, 100 * figures->used);
      add_sentence (text, _ ("Idle: %.1f %%. Of the ops' time, collectives and sends: %.1f %%."),
                    100 * figures->bubble, 100 * figures->collective_share);
      if (figures->recomputed_share > 0)
        add_sentence (text, _ ("Recomputation: %.1f %%."), 100 * figures->recomputed_share);
    }
  describe_memory (text, training);
  return g_string_free (text, FALSE);
}

static char *
describe_copies (GobanRun *run, const GobanReplicasFigures *figures)
{
  char time[GOBAN_QUANTITY_LEN], gradients[GOBAN_QUANTITY_LEN], bytes[GOBAN_QUANTITY_LEN];

  return g_strdup_printf (
      _ ("Copies: %u. They take %s. Each has %s of gradients, in all-reduces: "
         "%u. Most memory of a device: %s."),
      figures->n_replicas, goban_format_time (time, goban_run_get_makespan_us (run)),
      goban_format_bytes (gradients, figures->gradient_bytes), figures->n_buckets,
      goban_format_bytes (bytes, goban_run_get_peak_bytes (run)));
}

static char *
describe_collective (GobanRun *run, const GobanCollectiveFigures *figures)
{
  char time[GOBAN_QUANTITY_LEN], ideal[GOBAN_QUANTITY_LEN], bus[GOBAN_QUANTITY_LEN];

  return g_strdup_printf (_ ("%s (%s) of %u devices takes %s; by its formula, without adding up, "
                             "%s. Bus bandwidth: %s/s."),
                          figures->kind, figures->algorithm, figures->n_ranks,
                          goban_format_time (time, goban_run_get_makespan_us (run)),
                          goban_format_time (ideal, figures->ideal_us),
                          goban_format_bytes (bus, figures->bus_bytes_per_us * 1e6));
}

/* --- the run ---------------------------------------------------------------------------------- */

static GobanRun *
make_training (const GobanParallelOrder *self, const GobanProgress *progress,
               GobanParallelResult *result, GError **error)
{
  GobanTrainingShape shape = self->shape;
  g_autoptr (GobanParallelTraining) training = NULL;
  const GobanRankMemory *memory;

  shape.recompute = self->recompute;
  shape.schedule = self->schedule;
  shape.progress = progress;
  training = goban_parallel_training_new (NULL, goban_cost_model_get_graph (self->costs),
                                          self->cluster, &shape, error);
  if (training == NULL)
    return NULL;
  result->text = describe_training (self, training);
  memory = goban_parallel_training_get_memory (training, &result->n_memory);
  result->memory = g_memdup2 (memory, result->n_memory * sizeof *memory);
  return goban_run_ref (training->run);
}

/* @text: (out): the figures of the run. (transfer full) (nullable) */
static GobanRun *
make_pipeline (const GobanParallelOrder *self, const GobanProgress *progress, char **text,
               GError **error)
{
  GobanPipelineOptions options = { .schedule = self->schedule,
                                   .n_batches = self->n_batches,
                                   .n_stages = self->n,
                                   .chooses_stages = self->chooses_stages,
                                   .copies_stages = self->copies_stages,
                                   .splits = self->is_split,
                                   .plan = self->plan,
                                   .progress = progress };
  g_autoptr (GobanPipeline) pipeline = goban_pipeline_new (self->costs, &options, error);

  if (pipeline == NULL)
    return NULL;
  *text = describe_pipeline (pipeline);
  return goban_run_ref (pipeline->run);
}

/* Costs of the open graph, or of its training graph. (transfer full) (nullable) */
static GobanCostModel *
find_costs (const GobanParallelOrder *self, GError **error)
{
  GobanTrainingCosts ratios = goban_training_costs_default ();
  g_autoptr (GobanGraph) graph = NULL;

  if (!self->adds_backward)
    return goban_cost_model_ref (self->costs);
  graph = goban_graph_new_training (goban_cost_model_get_graph (self->costs), &ratios, error);
  return graph != NULL ? goban_cost_model_new (graph, goban_cost_model_get_cluster (self->costs),
                                               goban_cost_model_get_execution (self->costs))
                       : NULL;
}

static GobanRun *
make_copies (const GobanParallelOrder *self, const GobanProgress *progress, char **text,
             GError **error)
{
  GobanReplicasRunOptions options = { .n_replicas = self->n,
                                      .splits = self->is_split,
                                      .bucket_bytes = self->bucket_bytes,
                                      .slowdown = self->slowdown,
                                      .plan = self->adds_backward ? NULL : self->plan,
                                      .progress = progress };
  GobanReplicasFigures figures;
  g_autoptr (GobanCostModel) costs = NULL;
  GobanRun *run;

  if (!goban_replicas_run_set_algorithm (&options, self->algorithm))
    {
      goban_refuse (error, GOBAN_ERROR_INVALID, "copies all-reduce over a ring or a tree, not “%s”",
                    self->algorithm);
      return NULL;
    }
  costs = find_costs (self, error);
  run = costs != NULL ? goban_replicas_run_new (costs, &options, &figures, error) : NULL;
  if (run != NULL)
    *text = describe_copies (run, &figures);
  return run;
}

static GobanRun *
make_collective (const GobanParallelOrder *self, char **text, GError **error)
{
  GobanCollectiveRunOptions options = {
    .kind = self->collective, .algorithm = self->algorithm, .n_ranks = self->n, .bytes = self->bytes
  };
  GobanCollectiveFigures figures;
  GobanRun *run = goban_collective_run_new (self->cluster, &options, &figures, error);

  if (run != NULL)
    *text = describe_collective (run, &figures);
  return run;
}

GobanParallelResult *
goban_parallel_order_try (const GobanParallelOrder *self, const GobanProgress *progress,
                          GError **error)
{
  static const char *const names[] = { N_ ("train in parallel"), N_ ("make a pipeline"),
                                       N_ ("copy the model"), N_ ("simulate a collective") };
  g_autofree char *code = goban_parallel_order_dup_code (self);
  g_autoptr (GobanParallelResult) result = g_new0 (GobanParallelResult, 1);

  if (self->kind == GOBAN_PARALLEL_TRAINING)
    result->run = make_training (self, progress, result, error);
  else if (self->kind == GOBAN_PARALLEL_PIPELINE)
    result->run = make_pipeline (self, progress, &result->text, error);
  else if (self->kind == GOBAN_PARALLEL_COPIES)
    result->run = make_copies (self, progress, &result->text, error);
  else
    result->run = make_collective (self, &result->text, error);
  if (result->run == NULL || !goban_progress_check (progress, error))
    return NULL;
  result->is_feasible = goban_trace_is_valid (goban_run_get_trace (result->run));
  if (!result->is_feasible && self->kind != GOBAN_PARALLEL_TRAINING)
    {
      g_free (result->text);
      result->text = g_strdup (goban_trace_get_why (goban_run_get_trace (result->run)));
    }
  goban_run_set_derivation (result->run, names[self->kind], code);
  return g_steal_pointer (&result);
}

gpointer
goban_parallel_order_run (const GobanProgress *progress, gpointer order, GError **error)
{
  g_autoptr (GobanParallelResult) result = goban_parallel_order_try (order, progress, error);

  if (result != NULL && !result->is_feasible)
    {
      goban_refuse (error, GOBAN_ERROR_INFEASIBLE, "%s", result->text);
      return NULL;
    }
  return g_steal_pointer (&result);
}
