#include "engine/study/run/pipeline.h"

#include "engine/core/error.h"
#include "engine/core/file-read.h"
#include "engine/core/i18n.h"
#include "engine/machine/parallel/micro-batches.h"
#include "engine/machine/parallel/schedule-csv.h"
#include "engine/placers/stages/stage-copies.h"

#include <math.h>
#include <string.h>

#define DEFAULT_BATCHES 8
#define NO_SCHEDULE "none"

void
goban_pipeline_free (GobanPipeline *self)
{
  g_clear_pointer (&self->run, goban_run_unref);
  g_clear_pointer (&self->schedule, goban_schedule_free);
  g_free (self->style);
  g_free (self->stages);
  g_free (self->devices);
  g_free (self->n_copies);
  g_clear_pointer (&self->copies, g_array_unref);
  g_free (self);
}

/* --- the schedule --------------------------------------------------------------------------- */

static gboolean
read_schedule (GobanPipeline *self, const GobanPipelineOptions *options, GError **error)
{
  g_autoptr (GBytes) bytes = goban_file_read (options->schedule, GOBAN_FILE_TEXT, error);
  GobanScheduleShape shape;
  const char *text;
  gsize length;

  if (bytes == NULL)
    return FALSE;
  text = g_bytes_get_data (bytes, &length);
  self->schedule = goban_schedule_parse (text != NULL ? text : "", length, options->schedule,
                                         self->style, error);
  if (self->schedule == NULL)
    return FALSE;
  shape = goban_schedule_get_shape (self->schedule);
  if ((options->n_batches != 0 && options->n_batches != shape.n_batches)
      || (options->n_stages != 0 && options->n_stages != shape.n_stages)
      || (options->n_ranks != 0 && options->n_ranks != shape.n_ranks))
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "%s has %u stages on %u ranks and %u micro-batches: ask for no others",
                         options->schedule, shape.n_stages, shape.n_ranks, shape.n_batches);
  self->n_batches = shape.n_batches;
  self->n_stages = shape.n_stages;
  self->n_ranks = shape.n_ranks;
  return TRUE;
}

static gboolean
has_backward (const GobanGraph *graph)
{
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    if (goban_graph_get_node (graph, v)->phase != GOBAN_PHASE_FORWARD)
      return TRUE;
  return FALSE;
}

static gboolean
make_schedule (GobanPipeline *self, const GobanGraph *graph, const char *name, GError **error)
{
  GobanScheduleShape shape = {
    .n_ranks = self->n_ranks,
    .n_stages = self->n_stages,
    .n_batches = self->n_batches,
    .has_backward = has_backward (graph),
    .n_copies = self->n_copies,
  };

  self->schedule = goban_schedule_new (name, &shape, error);
  return self->schedule != NULL;
}

/* --- stages --------------------------------------------------------------------------------- */

/* A word that is neither a name nor looks like a path is a misspelt name. */
static gboolean
is_file (const char *schedule)
{
  return schedule != NULL && strcmp (schedule, NO_SCHEDULE) != 0
         && !g_strv_contains (goban_schedule_names (), schedule)
         && (strpbrk (schedule, "./") != NULL || g_file_test (schedule, G_FILE_TEST_EXISTS));
}

static guint
count_ranks (const guint *n_copies, guint n_stages)
{
  guint n = 0;

  for (guint s = 0; s < n_stages; s++)
    n += n_copies[s];
  return n;
}

/* That of a stage's first copy. */
static guint
get_rank (const GobanPipeline *self, guint stage)
{
  if (self->n_copies != NULL)
    return count_ranks (self->n_copies, stage);
  return self->schedule != NULL ? goban_schedule_get_rank (self->schedule, stage)
                                : stage % self->n_ranks;
}

static gboolean
cut (GobanPipeline *self, GobanCostModel *costs, GError **error)
{
  g_autofree GobanDeviceId *of_stage = NULL;
  GobanStageRequest request = { .n_stages = self->n_stages,
                                .devices = self->devices,
                                .n_copies = self->n_copies,
                                .n_batches = self->n_batches };

  if (self->n_stages > GOBAN_MAX_STAGES)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "a pipeline has 1 to %d stages",
                         GOBAN_MAX_STAGES);
  if (self->n_copies == NULL)
    request.devices = of_stage = g_new (GobanDeviceId, self->n_stages + 1);
  for (guint s = 0; s < self->n_stages && of_stage != NULL; s++)
    of_stage[s] = self->devices[get_rank (self, s)];
  self->stages = goban_stages_cut (costs, &request, error);
  return self->stages != NULL;
}

static gboolean
find_ranks (GobanPipeline *self, GobanCostModel *costs, const GobanPipelineOptions *options,
            GError **error)
{
  guint n_found;

  self->devices = goban_stages_find_devices (goban_cost_model_get_cluster (costs), &n_found);
  if (self->n_ranks == 0)
    self->n_ranks = options->n_ranks > 0 ? options->n_ranks : n_found;
  if (options->n_stages > 0 && options->n_stages < self->n_ranks && options->n_ranks == 0
      && options->n_copies == NULL)
    self->n_ranks = options->n_stages;
  return self->n_ranks <= n_found
         || goban_refuse (
             error, GOBAN_ERROR_INVALID,
             goban_i18n_get_plural ("a pipeline of %u ranks does not fit on the %u device of “%s”",
                                    "a pipeline of %u ranks does not fit on the %u devices of “%s”",
                                    n_found),
             self->n_ranks, n_found, goban_cluster_get_name (goban_cost_model_get_cluster (costs)));
}

static gboolean
take_plan (GobanPipeline *self, GobanCostModel *costs, const GobanPipelineOptions *options,
           GError **error)
{
  self->stages
      = goban_stages_from_plan (costs, options->plan, &self->devices, &self->n_ranks, error);
  if (self->stages == NULL)
    return FALSE;
  if ((options->n_stages > 0 && options->n_stages != self->n_ranks)
      || (options->n_ranks > 0 && options->n_ranks != self->n_ranks))
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "the plan has %u stages: ask for no other number", self->n_ranks);
  self->n_stages = self->n_ranks;
  return TRUE;
}

static gboolean
check_file_plan (const GobanPipeline *self, guint n_stages, guint n_ranks, GError **error)
{
  return (n_stages == self->n_stages && n_ranks == self->n_ranks)
         || goban_refuse (error, GOBAN_ERROR_INVALID,
                          "the schedule has %u stages on %u ranks, the plan has %u devices",
                          n_stages, n_ranks, self->n_ranks);
}

/* (transfer full) (nullable): there need not be any. */
static GArray *
plan_copies (GobanPipeline *self, const GobanStageChain *chain, const GobanStageRequest *request)
{
  GobanCopiesOutcome outcome = { 0 };
  GArray *stages = goban_stages_copy (chain, request, &outcome, NULL);

  if (stages == NULL)
    return NULL;
  self->copies = g_array_new (FALSE, FALSE, sizeof (guint));
  self->copies_us = outcome.slowest_us;
  for (guint s = 0; s < stages->len; s++)
    g_array_append_val (self->copies, g_array_index (stages, GobanCopiedStage, s).n_copies);
  return stages;
}

/* The planned stages take the place of the chosen ones, unless they have one copy each. */
static void
take_copies (GobanPipeline *self, const GobanStageChain *chain, const GArray *stages)
{
  guint n_ranks = count_ranks ((const guint *) (const void *) self->copies->data, stages->len);
  g_autofree guint *ends = NULL;
  g_autofree GobanDeviceId *all = NULL;

  if (n_ranks == stages->len)
    return;
  all = g_steal_pointer (&self->devices);
  ends = g_new (guint, stages->len);
  self->devices = g_new (GobanDeviceId, n_ranks);
  self->n_copies = g_new (guint, stages->len);
  self->n_stages = stages->len;
  self->n_ranks = 0;
  for (guint s = 0; s < stages->len; s++)
    {
      const GobanCopiedStage *stage = &g_array_index (stages, GobanCopiedStage, s);

      ends[s] = stage->end;
      self->n_copies[s] = stage->n_copies;
      for (guint c = 0; c < stage->n_copies; c++)
        self->devices[self->n_ranks++] = all[stage->first + c];
    }
  g_free (self->stages);
  self->stages = goban_stages_from_ends (chain, ends);
}

/* Chooses the number of stages, one per rank, and their cuts. No other source of stages may be
 * given. */
static gboolean
choose (GobanPipeline *self, GobanCostModel *costs, const GobanPipelineOptions *options,
        gboolean from_file, GError **error)
{
  g_autoptr (GobanStageChain) chain = NULL;
  g_autoptr (GArray) copied = NULL;
  guint most = options->n_stages > 0 ? MIN (options->n_stages, self->n_ranks) : self->n_ranks;
  GobanStageRequest request
      = { .n_stages = most, .devices = self->devices, .n_batches = self->n_batches };
  GobanStageChoice choice;

  if (from_file || options->plan != NULL
      || (options->schedule != NULL && goban_schedule_get_usual_chunks (options->schedule) > 1))
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "the number of stages can only be chosen for a schedule of one stage a "
                         "rank, without a plan or a file that says it");
  /* Blocks as fine as the most stages need them, or the graph has them. */
  for (guint n = most; chain == NULL && n > 0; n--)
    {
      g_clear_error (error);
      chain = goban_stage_chain_new (costs, n, error);
    }
  if (chain == NULL)
    return FALSE;
  self->stages = goban_stages_choose (chain, &request, self->n_batches, &choice, error);
  if (self->stages == NULL)
    return FALSE;
  self->n_stages = self->n_ranks = choice.n_stages;
  self->slowest_us = choice.slowest_us;
  copied = plan_copies (self, chain, &request);
  if (copied != NULL && options->copies_stages)
    take_copies (self, chain, copied);
  return TRUE;
}

/* Given copies: the number of stages, and a device for each. */
static gboolean
take_told_copies (GobanPipeline *self, const GobanPipelineOptions *options, gboolean from_file,
                  GError **error)
{
  if (from_file || options->plan != NULL || options->chooses_stages || options->copies_stages)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "the copies of each stage can only be told of stages whose number is "
                         "told, without a plan or a file that says it");
  if (options->n_stages < 1 || options->n_stages > GOBAN_MAX_STAGES)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "a pipeline has 1 to %d stages",
                         GOBAN_MAX_STAGES);
  self->n_stages = options->n_stages;
  for (guint s = 0; s < self->n_stages; s++)
    if (options->n_copies[s] < 1 || options->n_copies[s] > self->n_batches)
      return goban_refuse (error, GOBAN_ERROR_INVALID,
                           "a stage has 1 to as many copies as there are micro-batches: not %u of "
                           "stage %u with %u",
                           options->n_copies[s], s, self->n_batches);
  self->n_ranks = count_ranks (options->n_copies, self->n_stages);
  if (self->n_ranks > self->n_stages)
    self->n_copies = g_memdup2 (options->n_copies, self->n_stages * sizeof *options->n_copies);
  return options->n_ranks == 0 || options->n_ranks == self->n_ranks
         || goban_refuse (error, GOBAN_ERROR_INVALID, "the stages have %u copies on %u ranks",
                          self->n_ranks, options->n_ranks);
}

static gboolean
decide (GobanPipeline *self, GobanCostModel *costs, const GobanPipelineOptions *options,
        GError **error)
{
  const char *name = options->schedule != NULL ? options->schedule : NO_SCHEDULE;
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  gboolean from_file = is_file (options->schedule);
  guint n_stages, n_ranks;

  self->n_batches = options->n_batches > 0 ? options->n_batches : DEFAULT_BATCHES;
  if (from_file && !read_schedule (self, options, error))
    return FALSE;
  if (options->n_copies != NULL && !take_told_copies (self, options, from_file, error))
    return FALSE;
  n_stages = self->n_stages;
  n_ranks = self->n_ranks;
  if (options->plan != NULL ? !take_plan (self, costs, options, error)
                            : !find_ranks (self, costs, options, error))
    return FALSE;
  if (from_file && options->plan != NULL && !check_file_plan (self, n_stages, n_ranks, error))
    return FALSE;
  if ((options->chooses_stages || options->copies_stages)
      && !choose (self, costs, options, from_file, error))
    return FALSE;
  if (self->n_stages == 0)
    self->n_stages = options->n_stages > 0 ? options->n_stages
                                           : self->n_ranks * goban_schedule_get_usual_chunks (name);
  if (!from_file && strcmp (name, NO_SCHEDULE) != 0 && !make_schedule (self, graph, name, error))
    return FALSE;
  if (options->stages != NULL)
    self->stages = g_memdup2 (options->stages, sizeof (guint) * goban_graph_get_n_nodes (graph));
  return self->stages != NULL || cut (self, costs, error);
}

/* --- the run -------------------------------------------------------------------------------- */

static GobanPlan *
make_plan (const GobanPipeline *self, const GobanMicroBatches *made, GobanCluster *cluster)
{
  GobanPlan *plan = goban_plan_new (made->graph, goban_cluster_get_n_devices (cluster));

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (made->graph); v++)
    {
      guint rank
          = made->ranks != NULL ? made->ranks[v] : get_rank (self, self->stages[made->origins[v]]);

      goban_plan_set_device (plan, v, self->devices[rank]);
    }
  goban_plan_set_priorities_by_key (plan, made->keys);
  goban_plan_set_order (plan, GOBAN_ORDER_PRIORITY);
  return plan;
}

static gboolean
simulate (GobanPipeline *self, GobanCostModel *costs, const GobanPipelineOptions *options,
          GError **error)
{
  GobanMicroBatchOptions repeating = {
    .n_batches = self->n_batches,
    .splits = options->splits,
    .schedule = self->schedule,
    .stages = self->stages,
    .n_stages = self->n_stages,
    .n_copies = self->n_copies,
    .progress = options->progress,
  };
  GobanCluster *cluster = goban_cost_model_get_cluster (costs);
  g_autoptr (GobanMicroBatches) made
      = goban_micro_batches_new (goban_cost_model_get_graph (costs), &repeating, error);
  g_autofree char *policy = g_utf8_make_valid (
      self->schedule != NULL ? options->schedule : "pipeline", -1); /* it may be a path */
  g_autoptr (GobanCostModel) all = NULL;
  g_autoptr (GobanPlan) plan = NULL;

  if (made == NULL || !goban_progress_check (options->progress, error))
    return FALSE;
  goban_progress_step (options->progress, 0.6, NULL);
  all = goban_cost_model_new (made->graph, cluster, goban_cost_model_get_execution (costs));
  plan = make_plan (self, made, cluster);
  goban_plan_set_policy (plan, policy);
  if (!goban_plan_check (plan, all, error) || !goban_progress_check (options->progress, error))
    return FALSE;
  self->run = goban_run_new (all, plan, NULL);
  return TRUE;
}

/* Times of the graph that was cut, on the devices of the stages. */
static double
find_ratio (const GobanPipeline *self, const GobanCostModel *costs)
{
  const GobanGraph *graph = goban_cost_model_get_graph (costs);
  double sums[3] = { 0, 0, 0 };

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    sums[goban_graph_get_node (graph, v)->phase]
        += goban_cost_model_time_us (costs, v, self->devices[get_rank (self, self->stages[v])]);
  return sums[GOBAN_PHASE_FORWARD] > 0 ? sums[GOBAN_PHASE_BACKWARD] / sums[GOBAN_PHASE_FORWARD] : 1;
}

GobanPipeline *
goban_pipeline_new (GobanCostModel *costs, const GobanPipelineOptions *options, GError **error)
{
  g_autoptr (GobanPipeline) self = g_new0 (GobanPipeline, 1);

  self->style = g_new0 (GobanScheduleStyle, 1);
  if (!decide (self, costs, options, error) || !goban_progress_check (options->progress, error)
      || !simulate (self, costs, options, error))
    return NULL;
  self->ratio = find_ratio (self, costs);
  return g_steal_pointer (&self);
}

/* --- fields --------------------------------------------------------------------------------- */

guint
goban_pipeline_get_n_copies (const GobanPipeline *self, guint stage)
{
  return self->n_copies != NULL ? self->n_copies[stage] : 1;
}

gboolean
goban_pipeline_has_copies (const GobanPipeline *self)
{
  return self->n_copies != NULL;
}

static char *
join_counts (const guint *counts, guint n)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, i > 0 ? ", %u" : "%u", counts[i]);
  return g_string_free (text, FALSE);
}

char *
goban_pipeline_dup_copies (const GobanPipeline *self)
{
  return self->n_copies != NULL ? join_counts (self->n_copies, self->n_stages) : NULL;
}

guint
goban_pipeline_get_n_versions (const GobanPipeline *self)
{
  guint most = 1;

  for (guint s = 0; s < self->n_stages && self->schedule != NULL; s++)
    most = MAX (most, goban_schedule_get_n_versions (self->schedule, s));
  return most;
}

double
goban_pipeline_get_bubble (const GobanPipeline *self)
{
  const GobanDeviceUse *uses = goban_trace_get_uses (goban_run_get_trace (self->run));
  double makespan_us = goban_run_get_makespan_us (self->run);
  double busy_us = 0;

  if (!isfinite (makespan_us) || makespan_us <= 0)
    return NAN;
  for (guint rank = 0; rank < self->n_ranks; rank++)
    busy_us += uses[self->devices[rank]].busy_us;
  return 1 - busy_us / (makespan_us * self->n_ranks);
}

double
goban_pipeline_get_uniform_bubble (const GobanPipeline *self)
{
  return self->schedule != NULL ? goban_schedule_get_uniform_bubble (self->schedule, self->ratio)
                                : (double) NAN;
}

gboolean
goban_pipeline_get_copies (const GobanPipeline *self, GobanPipelineCopies *copies)
{
  gboolean has_copies = FALSE;

  for (guint s = 0; self->copies != NULL && s < self->copies->len; s++)
    has_copies = has_copies || g_array_index (self->copies, guint, s) > 1;
  if (has_copies)
    *copies = (GobanPipelineCopies){ self->copies->len, (const guint *) self->copies->data,
                                     self->copies_us, self->slowest_us };
  return has_copies;
}

char *
goban_pipeline_copies_to_text (const GobanPipelineCopies *self)
{
  return join_counts (self->n_devices, self->n_stages);
}

char *
goban_pipeline_dup_csv (const GobanPipeline *self)
{
  return self->schedule != NULL && self->n_copies == NULL
             ? goban_schedule_to_csv (self->schedule, self->style)
             : NULL;
}
