/* lua-pipeline.c: g:pipeline and g:parallel, the runs of a pipeline and of a training on a whole
 * cluster. */
#include "app/lua/core/lua-current.h"
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-recipe.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/core/lua-work.h"
#include "app/lua/model/lua-cluster.h"
#include "app/lua/model/lua-graph.h"
#include "app/lua/model/lua-place.h"
#include "app/lua/model/lua-plan.h"
#include "app/lua/model/lua-run.h"

#include "engine/core/lua-text.h"
#include "engine/study/run/parallel-training.h"
#include "engine/study/run/pipeline.h"
#include "engine/study/run/run-origin.h"

#include <string.h>

typedef struct
{
  const char *schedule;
  gint64 n_batches;
  gint64 n_stages;
  gint64 n_ranks;
  gboolean chooses;
  gboolean splits;
  int copies;
  int plan;
  int cluster;
} PipelineOptions;

static const GobanLuaOption pipeline_options[] = {
  { "schedule", GOBAN_LUA_STRING, G_STRUCT_OFFSET (PipelineOptions, schedule) },
  { "micro_batches", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (PipelineOptions, n_batches) },
  { "stages", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (PipelineOptions, n_stages) },
  { "choose_stages", GOBAN_LUA_BOOLEAN, G_STRUCT_OFFSET (PipelineOptions, chooses) },
  { "copies", GOBAN_LUA_ANY, G_STRUCT_OFFSET (PipelineOptions, copies) },
  { "ranks", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (PipelineOptions, n_ranks) },
  { "split", GOBAN_LUA_BOOLEAN, G_STRUCT_OFFSET (PipelineOptions, splits) },
  { "plan", GOBAN_LUA_ANY, G_STRUCT_OFFSET (PipelineOptions, plan) },
  { "cluster", GOBAN_LUA_ANY, G_STRUCT_OFFSET (PipelineOptions, cluster) },
  { NULL },
};

/* Adds the estimated gain of copies of stages, if any, to the table at the top. */
static void
put_copies (lua_State *L, GobanPipeline *pipeline)
{
  GobanPipelineCopies copies;

  if (!goban_pipeline_get_copies (pipeline, &copies))
    return;
  lua_createtable (L, (int) copies.n_stages, 0);
  for (guint s = 0; s < copies.n_stages; s++)
    {
      lua_pushinteger (L, copies.n_devices[s]);
      lua_rawseti (L, -2, s + 1);
    }
  lua_setfield (L, -2, "copies");
  goban_lua_put_number (L, "copies_slowest", copies.slowest_us / 1e6);
  goban_lua_put_number (L, "slowest", copies.slowest_once_us / 1e6);
}

/* Devices of each stage of the run. */
static void
put_devices (lua_State *L, GobanPipeline *pipeline)
{
  guint n_stages = pipeline->n_stages;

  if (!goban_pipeline_has_copies (pipeline))
    return;
  lua_createtable (L, (int) n_stages, 0);
  for (guint s = 0; s < n_stages; s++)
    {
      lua_pushinteger (L, goban_pipeline_get_n_copies (pipeline, s));
      lua_rawseti (L, -2, s + 1);
    }
  lua_setfield (L, -2, "stage_devices");
}

static void
push_figures (lua_State *L, GobanPipeline *pipeline)
{
  char *csv;

  lua_createtable (L, 0, 10);
  goban_lua_put_integer (L, "stages", pipeline->n_stages);
  goban_lua_put_integer (L, "ranks", pipeline->n_ranks);
  goban_lua_put_integer (L, "micro_batches", pipeline->n_batches);
  goban_lua_put_number (L, "bubble", goban_pipeline_get_bubble (pipeline));
  goban_lua_put_number (L, "uniform_bubble", goban_pipeline_get_uniform_bubble (pipeline));
  put_devices (L, pipeline);
  put_copies (L, pipeline);
  csv = goban_pipeline_dup_csv (pipeline);
  if (csv == NULL)
    return;
  goban_lua_take_string (L, csv);
  lua_setfield (L, -2, "csv");
}

/* true, or a number for each stage, which is how many stages there are. */
static void
check_copies (lua_State *L, PipelineOptions *options)
{
  lua_Unsigned n;

  if (options->copies == 0 || lua_isboolean (L, options->copies))
    return;
  if (!lua_istable (L, options->copies))
    luaL_error (L, "opts.copies: true or a table of numbers expected, got %s",
                luaL_typename (L, options->copies));
  n = lua_rawlen (L, options->copies);
  for (lua_Unsigned s = 1; s <= n; s++)
    {
      lua_rawgeti (L, options->copies, (lua_Integer) s);
      if (!lua_isinteger (L, -1) || lua_tointeger (L, -1) < 1 || lua_tointeger (L, -1) > G_MAXINT)
        luaL_error (L, "opts.copies: a number of at least 1 expected for stage %d", (int) s - 1);
      lua_pop (L, 1);
    }
  if (n == 0 || n > G_MAXINT || (options->n_stages != 0 && options->n_stages != (gint64) n))
    luaL_error (L, "opts.copies: a number for each stage expected");
  options->n_stages = (gint64) n;
}

/* (transfer full) (nullable) */
static guint *
dup_copies (lua_State *L, const PipelineOptions *options)
{
  guint *n_copies;

  if (options->copies == 0 || !lua_istable (L, options->copies))
    return NULL;
  n_copies = g_new (guint, options->n_stages);
  for (gint64 s = 0; s < options->n_stages; s++)
    {
      lua_rawgeti (L, options->copies, s + 1);
      n_copies[s] = (guint) lua_tointeger (L, -1);
      lua_pop (L, 1);
    }
  return n_copies;
}

/* ", copies = { 2, 1 }", or "" (transfer full) */
static char *
write_copies (const GobanPipelineOptions *options)
{
  GString *text = g_string_new (options->copies_stages ? ", copies = true" : NULL);

  for (guint s = 0; options->n_copies != NULL && s < options->n_stages; s++)
    g_string_append_printf (text, "%s%u", s == 0 ? ", copies = { " : ", ", options->n_copies[s]);
  if (options->n_copies != NULL)
    g_string_append (text, " }");
  return g_string_free (text, FALSE);
}

/* Lua that makes the run again; NULL if it depends on a plan, a file or a cluster. */
static char *
dup_recipe (lua_State *L, GobanGraph *graph, const PipelineOptions *options,
            const GobanPipelineOptions *made)
{
  char *base = NULL;
  char *schedule = NULL;
  char *recipe = NULL;

  if (options->plan == 0 && options->cluster == 0)
    base = goban_lua_dup_graph_recipe (L, graph);
  if (base != NULL)
    {
      char *copies = write_copies (made);

      schedule = goban_lua_text_quote (options->schedule != NULL ? options->schedule : "none");
      recipe = g_strdup_printf ("%s:pipeline{ schedule = %s, micro_batches = %d, stages = %d, "
                                "choose_stages = %s, ranks = %d, split = %s%s }",
                                base, schedule, (int) options->n_batches, (int) options->n_stages,
                                options->chooses ? "true" : "false", (int) options->n_ranks,
                                options->splits ? "true" : "false", copies);
      g_free (copies);
    }
  g_free (base);
  g_free (schedule);
  return recipe;
}

static int
graph_pipeline (lua_State *L)
{
  GobanGraph *graph = goban_lua_check_graph (L, 1);
  PipelineOptions options = { 0 };
  GobanPipelineOptions own;
  GobanCostModel *costs;
  GobanCluster *cluster;
  GobanLuaPlan *plan;
  GobanPipeline *pipeline;
  GobanRun *run;
  GError *error = NULL;
  char *schedule, *recipe;
  guint *n_copies;
  gpointer *kept;

  lua_settop (L, 2);
  goban_lua_check_options (L, 2, "opts", pipeline_options, &options);
  if (options.n_batches > G_MAXINT || options.n_stages > G_MAXINT || options.n_ranks > G_MAXINT)
    return luaL_error (L, "opts: a number is too large");
  check_copies (L, &options);
  plan = goban_lua_opt_plan_of (L, options.plan, graph);
  cluster = options.cluster == 0 && plan != NULL
                ? goban_cost_model_get_cluster (plan->costs)
                : goban_lua_opt_cluster_for (L, options.cluster, graph);

  kept = goban_lua_push_kept (L, (GDestroyNotify) goban_pipeline_free);
  goban_lua_push_empty_run (L);
  costs = goban_lua_dup_costs (L, graph, cluster, GOBAN_EXECUTION_EVENTS);
  schedule = g_strdup (options.schedule);
  n_copies = dup_copies (L, &options);
  own = (GobanPipelineOptions){ .schedule = schedule,
                                .n_batches = (guint) options.n_batches,
                                .n_stages = (guint) options.n_stages,
                                .chooses_stages = options.chooses,
                                .copies_stages = options.copies != 0
                                                 && lua_isboolean (L, options.copies)
                                                 && lua_toboolean (L, options.copies),
                                .n_copies = n_copies,
                                .n_ranks = (guint) options.n_ranks,
                                .splits = options.splits,
                                .plan = plan != NULL ? goban_lua_share_plan (plan) : NULL };
  recipe = dup_recipe (L, graph, &options, &own);
  own.progress = goban_lua_begin_work (L);
  pipeline = *kept = goban_pipeline_new (costs, &own, &error);
  goban_lua_end_work (L, &error);
  g_clear_pointer (&own.plan, goban_plan_unref);
  g_free (n_copies);
  g_free (schedule);
  goban_cost_model_unref (costs);
  run = pipeline != NULL ? goban_run_ref (pipeline->run) : NULL;
  if (goban_lua_answer_derived (L, run, "make a pipeline", recipe, error) != 1)
    return 2;
  push_figures (L, pipeline);
  goban_lua_mark_figures (L);
  return 2;
}

/* --- on a whole cluster ---------------------------------------------------------------------- */

typedef struct
{
  gint64 tp, pp, dp, ep, micro_batch, batch, zero, n_chunks;
  gboolean splits_sequence, overlaps_sends, shows_ops;
  const char *recompute;
  const char *schedule;
  int cluster;
} ParallelOptions;

static const GobanLuaOption parallel_options[] = {
  { "tp", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (ParallelOptions, tp) },
  { "pp", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (ParallelOptions, pp) },
  { "dp", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (ParallelOptions, dp) },
  { "ep", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (ParallelOptions, ep) },
  { "sp", GOBAN_LUA_BOOLEAN, G_STRUCT_OFFSET (ParallelOptions, splits_sequence) },
  { "micro_batch", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (ParallelOptions, micro_batch) },
  { "batch", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (ParallelOptions, batch) },
  { "zero", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (ParallelOptions, zero) },
  { "recompute", GOBAN_LUA_STRING, G_STRUCT_OFFSET (ParallelOptions, recompute) },
  { "schedule", GOBAN_LUA_STRING, G_STRUCT_OFFSET (ParallelOptions, schedule) },
  { "chunks", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (ParallelOptions, n_chunks) },
  { "overlap_sends", GOBAN_LUA_BOOLEAN, G_STRUCT_OFFSET (ParallelOptions, overlaps_sends) },
  { "ops", GOBAN_LUA_BOOLEAN, G_STRUCT_OFFSET (ParallelOptions, shows_ops) },
  { "cluster", GOBAN_LUA_ANY, G_STRUCT_OFFSET (ParallelOptions, cluster) },
  { NULL },
};

static void
put_memory (lua_State *L, const GobanParallelTraining *training)
{
  guint n;
  const GobanRankMemory *memory = goban_parallel_training_get_memory (training, &n);

  lua_createtable (L, (int) n, 0);
  for (guint d = 0; d < n; d++)
    {
      lua_createtable (L, 0, 5);
      goban_lua_put_number (L, "weights", memory[d].weight_bytes);
      goban_lua_put_number (L, "gradients", memory[d].gradient_bytes);
      goban_lua_put_number (L, "optimizer", memory[d].optimizer_bytes);
      goban_lua_put_number (L, "activations", memory[d].activation_bytes);
      goban_lua_put_number (L, "capacity", memory[d].capacity_bytes);
      lua_rawseti (L, -2, d + 1);
    }
  lua_setfield (L, -2, "memory");
}

/* Lua that makes the run again; NULL if it depends on a cluster. */
static char *
dup_parallel_recipe (lua_State *L, GobanGraph *graph, const ParallelOptions *options)
{
  char *base = options->cluster == 0 ? goban_lua_dup_graph_recipe (L, graph) : NULL;
  GString *recipe;

  if (base == NULL)
    return NULL;
  recipe = g_string_new (base);
  g_free (base);
  g_string_append_printf (recipe, ":parallel{ pp = %d, dp = %d, zero = %d", (int) options->pp,
                          (int) options->dp, (int) options->zero);
  for (guint i = 0; parallel_options[i].key != NULL; i++)
    {
      const GobanLuaOption *option = &parallel_options[i];
      const char *field = (const char *) options + option->offset;

      if (option->kind == GOBAN_LUA_BOOLEAN && *(const gboolean *) (const void *) field)
        g_string_append_printf (recipe, ", %s = true", option->key);
      else if (option->kind == GOBAN_LUA_STRING)
        goban_lua_text_add (recipe, option->key, *(const char *const *) (const void *) field);
      else if (option->kind == GOBAN_LUA_INTEGER && *(const gint64 *) (const void *) field > 0
               && strstr ("pp dp zero", option->key) == NULL)
        g_string_append_printf (recipe, ", %s = %" G_GINT64_FORMAT, option->key,
                                *(const gint64 *) (const void *) field);
    }
  return g_string_free (g_string_append (recipe, " }"), FALSE);
}

static int
graph_parallel (lua_State *L)
{
  GobanGraph *graph = goban_lua_check_graph (L, 1);
  ParallelOptions options = { 0 };
  const GobanTrainingFigures *figures;
  GobanParallelTraining *training;
  GobanTrainingShape shape;
  GobanCluster *cluster;
  GobanRun *run;
  GError *error = NULL;
  char *schedule, *recompute, *recipe;
  gpointer *kept;

  lua_settop (L, 2);
  goban_lua_check_options (L, 2, "opts", parallel_options, &options);
  for (guint i = 0; parallel_options[i].key != NULL; i++)
    if (parallel_options[i].kind == GOBAN_LUA_INTEGER
        && *(gint64 *) (void *) ((char *) &options + parallel_options[i].offset) > G_MAXINT32)
      return luaL_error (L, "opts.%s is too large", parallel_options[i].key);
  cluster = goban_lua_opt_cluster_for (L, options.cluster, graph);

  kept = goban_lua_push_kept (L, (GDestroyNotify) goban_parallel_training_free);
  goban_lua_push_empty_run (L);
  recipe = dup_parallel_recipe (L, graph, &options);
  goban_graph_ref (graph);
  goban_cluster_ref (cluster);
  schedule = g_strdup (options.schedule);
  recompute = g_strdup (options.recompute);
  shape = (GobanTrainingShape){ .tp = (guint) options.tp,
                                .pp = (guint) options.pp,
                                .dp = (guint) options.dp,
                                .ep = (guint) options.ep,
                                .splits_sequence = options.splits_sequence,
                                .micro_batch = (guint) options.micro_batch,
                                .batch = (guint) options.batch,
                                .zero = (guint) options.zero,
                                .recompute = recompute,
                                .schedule = schedule,
                                .n_chunks = (guint) options.n_chunks,
                                .overlaps_sends = options.overlaps_sends,
                                .shows_ops = options.shows_ops,
                                .progress = goban_lua_begin_work (L) };
  training = *kept = goban_parallel_training_new (NULL, graph, cluster, &shape, &error);
  goban_lua_end_work (L, &error);
  g_free (recompute);
  g_free (schedule);
  goban_cluster_unref (cluster);
  goban_graph_unref (graph);
  run = training != NULL ? goban_run_ref (training->run) : NULL;
  if (goban_lua_answer_derived (L, run, "train in parallel", recipe, error) != 1)
    return 2;
  figures = &training->figures;
  lua_createtable (L, 0, 9);
  goban_lua_put_integer (L, "devices", figures->n_devices);
  goban_lua_put_integer (L, "batch", figures->batch);
  goban_lua_put_integer (L, "micro_batches", figures->n_batches);
  goban_lua_put_number (L, "flops", figures->flops);
  goban_lua_put_number (L, "utilisation", figures->used);
  goban_lua_put_number (L, "bubble", figures->bubble);
  goban_lua_put_number (L, "collective_share", figures->collective_share);
  goban_lua_put_number (L, "recomputed_share", figures->recomputed_share);
  put_memory (L, training);
  goban_lua_mark_figures (L);
  return 2;
}

static const GobanLuaEntry graph_entries[] = {
  GOBAN_LUA_FUNCTION (
      "pipeline", graph_pipeline, "(opts)",
      "The run of a pipeline, of another graph: g cut into stages and repeated for "
      "its micro-batches; and a table of its figures: stages, ranks, micro_batches, "
      "bubble (the idle share of the ranks' time), uniform_bubble (the same if all "
      "stages were alike), csv (its schedule, if no stage has copies), "
      "stage_devices (of each stage, if some have copies); of chosen stages also "
      "copies (devices of each stage as PipeDream's optimiser plans them), "
      "copies_slowest and slowest (their slowest stage). opts: schedule ('gpipe', "
      "'1f1b', 'pipedream', 'interleaved', 'zero-bubble', 'dualpipe-v', a CSV file "
      "of torch.distributed.pipelining, or 'none': whatever is ready), "
      "micro_batches (8), stages (one per rank), choose_stages (true: as many as "
      "take the least time), copies (true: as planned; or the devices of each "
      "stage, { 3, 1 }), ranks (all devices but CPUs), split (true: micro-batches "
      "share g's batch), plan (its devices are the stages), cluster.",
      "r, figures = g:pipeline{ schedule = \"1f1b\", micro_batches = 4 }"),
  GOBAN_LUA_FUNCTION (
      "parallel", graph_parallel, "(opts)",
      "The run of a training step on a whole cluster, and a table of figures: devices, batch, "
      "micro_batches, flops (of the model on all devices), utilisation (those of the peak), bubble "
      "(idle share of the devices), collective_share and recomputed_share (of the ops' time), and "
      "memory: of each stage's rank, the bytes of weights, gradients, optimizer, activations, and "
      "capacity. A device of the run stands for the tp x dp ranks of a stage, and collectives are "
      "ops. opts: tp (ranks that split every layer of a generated model), pp (stages of layers), "
      "dp (copies), ep (of the copies that split the experts), sp (true: norms by sequence), "
      "micro_batch (samples), batch (of all copies), zero (0 to 3: optimiser state, gradients and "
      "weights shared out to the copies), recompute ('none', 'selective' or 'full'), schedule "
      "('1f1b', 'gpipe', 'interleaved', 'zero-bubble' or 'dualpipe-v'), chunks (stages a device), "
      "overlap_sends (true: sends do not keep the sender busy), ops (true: every op, not every "
      "pass), cluster.",
      "r, figures = graph.generate(\"gpt:layers=4,batch=2\"):parallel{ tp = 2, pp = 2, cluster = "
      "\"p100x4\" }"),
  { NULL },
};

void
goban_lua_open_pipeline (lua_State *L)
{
  goban_lua_extend (L, "Graph", graph_entries);
}
