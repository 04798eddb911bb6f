/* lua-parallel.c: g:parallel, a training of a model on a whole cluster as a run. */
#include "app/lua/core/lua-current.h"
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-recipe.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/core/lua-work.h"
#include "app/lua/model/lua-cluster.h"
#include "app/lua/model/lua-graph.h"
#include "app/lua/model/lua-run.h"

#include "engine/core/lua-text.h"
#include "engine/study/run/derivation.h"
#include "engine/study/run/parallel-training.h"

#include <string.h>

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

/* For the worker, which may not know Lua's. */
typedef struct
{
  GobanGraph *graph;
  GobanCluster *cluster;
  GobanTrainingShape shape;
  char *schedule, *recompute; /* those of the shape */
  char *recipe;               /* (nullable) of the run */
} Splitting;

static void
free_splitting (gpointer data)
{
  Splitting *splitting = data;

  goban_graph_unref (splitting->graph);
  goban_cluster_unref (splitting->cluster);
  g_free (splitting->schedule);
  g_free (splitting->recompute);
  g_free (splitting->recipe);
  g_free (splitting);
}

static gpointer
run_splitting (const GobanProgress *progress, gpointer data, GError **error)
{
  Splitting *splitting = data;
  GobanParallelTraining *training;

  splitting->shape.progress = progress;
  training = goban_parallel_training_new (NULL, splitting->graph, splitting->cluster,
                                          &splitting->shape, error);
  if (training != NULL && splitting->recipe != NULL)
    goban_run_set_derivation (goban_parallel_training_get_run (training), "train in parallel",
                              splitting->recipe);
  return training;
}

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

static int
finish_splitting (lua_State *L, gpointer result)
{
  GobanParallelTraining *training = result;
  GobanRun *run = goban_run_ref (goban_parallel_training_get_run (training));
  const GobanTrainingFigures *figures;
  GobanParallelTraining **kept;

  goban_lua_fill_run (L, run);
  goban_lua_charge_graph (L, -1, goban_run_get_graph (run));
  kept = (GobanParallelTraining **) goban_lua_push_kept (
      L, (GDestroyNotify) goban_parallel_training_free);
  *kept = training;
  figures = goban_parallel_training_get_figures (training);
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
  lua_remove (L, -2);
  return 2;
}

/* Lua that makes the run again; NULL if it depends on a cluster. */
static char *
dup_recipe (lua_State *L, GobanGraph *graph, const ParallelOptions *options)
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
  GobanCluster *cluster;
  Splitting *splitting;

  lua_settop (L, 2);
  goban_lua_check_options (L, 2, "opts", parallel_options, &options);
  for (guint i = 0; parallel_options[i].key != NULL; i++)
    if (parallel_options[i].kind == GOBAN_LUA_INTEGER
        && *(gint64 *) (void *) ((char *) &options + parallel_options[i].offset) > G_MAXINT32)
      return luaL_error (L, "opts.%s is too large", parallel_options[i].key);
  cluster = goban_lua_opt_cluster_for (L, options.cluster, graph);

  goban_lua_push_empty_run (L);
  splitting = g_new0 (Splitting, 1);
  splitting->graph = goban_graph_ref (graph);
  splitting->cluster = goban_cluster_ref (cluster);
  splitting->schedule = g_strdup (options.schedule);
  splitting->recompute = g_strdup (options.recompute);
  splitting->shape = (GobanTrainingShape){ .tp = (guint) options.tp,
                                           .pp = (guint) options.pp,
                                           .dp = (guint) options.dp,
                                           .ep = (guint) options.ep,
                                           .splits_sequence = options.splits_sequence,
                                           .micro_batch = (guint) options.micro_batch,
                                           .batch = (guint) options.batch,
                                           .zero = (guint) options.zero,
                                           .recompute = splitting->recompute,
                                           .schedule = splitting->schedule,
                                           .n_chunks = (guint) options.n_chunks,
                                           .overlaps_sends = options.overlaps_sends,
                                           .shows_ops = options.shows_ops };
  splitting->recipe = dup_recipe (L, graph, &options);
  return goban_lua_work (
      L, &(GobanLuaWork){ .title = "Splitting a training",
                          .run = run_splitting,
                          .data = splitting,
                          .free_data = free_splitting,
                          .free_result = (GDestroyNotify) goban_parallel_training_free,
                          .finish = finish_splitting });
}

static const GobanLuaEntry graph_entries[] = {
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
goban_lua_open_parallel (lua_State *L)
{
  goban_lua_extend (L, "Graph", graph_entries);
}
