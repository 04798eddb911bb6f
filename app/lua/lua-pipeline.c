/* lua-pipeline.c: g:pipeline, a graph as the run of a pipeline. */
#include "app/lua/lua-cluster.h"
#include "app/lua/lua-graph.h"
#include "app/lua/lua-handle.h"
#include "app/lua/lua-place.h"
#include "app/lua/lua-plan.h"
#include "app/lua/lua-put.h"
#include "app/lua/lua-recipe.h"
#include "app/lua/lua-run.h"
#include "app/lua/lua-seen.h"
#include "app/lua/lua-value.h"
#include "app/lua/lua-work.h"

#include "engine/run/derivation.h"
#include "engine/run/pipeline.h"
#include "engine/session/log-lines.h"

typedef struct
{
  const char *schedule;
  gint64 n_batches;
  gint64 n_stages;
  gint64 n_ranks;
  gboolean chooses;
  gboolean splits;
  int plan;
  int cluster;
} PipelineOptions;

static const GobanLuaOption pipeline_options[] = {
  { "schedule", GOBAN_LUA_STRING, G_STRUCT_OFFSET (PipelineOptions, schedule) },
  { "micro_batches", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (PipelineOptions, n_batches) },
  { "stages", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (PipelineOptions, n_stages) },
  { "choose_stages", GOBAN_LUA_BOOLEAN, G_STRUCT_OFFSET (PipelineOptions, chooses) },
  { "ranks", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (PipelineOptions, n_ranks) },
  { "split", GOBAN_LUA_BOOLEAN, G_STRUCT_OFFSET (PipelineOptions, splits) },
  { "plan", GOBAN_LUA_ANY, G_STRUCT_OFFSET (PipelineOptions, plan) },
  { "cluster", GOBAN_LUA_ANY, G_STRUCT_OFFSET (PipelineOptions, cluster) },
  { NULL },
};

/* For the worker, which may not know Lua's. */
typedef struct
{
  GobanCostModel *costs;
  GobanPipelineOptions options; /* its plan is owned */
  char *schedule;               /* that of the options */
  char *recipe;                 /* (nullable) of the run */
} Piping;

static void
free_piping (gpointer data)
{
  Piping *piping = data;

  goban_cost_model_unref (piping->costs);
  g_free (piping->schedule);
  g_clear_pointer (&piping->options.plan, goban_plan_unref);
  g_free (piping->recipe);
  g_free (piping);
}

typedef struct
{
  GobanPipeline *pipeline;
  char *recipe; /* (nullable) */
} Piped;

static void
free_piped (gpointer data)
{
  Piped *piped = data;

  goban_pipeline_free (piped->pipeline);
  g_free (piped->recipe);
  g_free (piped);
}

static gpointer
run_piping (const GobanProgress *progress, gpointer data, GError **error)
{
  Piping *piping = data;
  GobanPipeline *pipeline = goban_pipeline_new (piping->costs, &piping->options, error);
  Piped *piped;

  if (pipeline == NULL)
    return NULL;
  piped = g_new0 (Piped, 1);
  piped->pipeline = pipeline;
  piped->recipe = g_steal_pointer (&piping->recipe);
  if (piped->recipe != NULL)
    goban_run_set_derivation (goban_pipeline_get_run (pipeline), "make a pipeline", piped->recipe);
  return piped;
}

/* A table at the top gets what copies of stages would give, if any. */
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

static void
push_figures (lua_State *L, GobanPipeline *pipeline)
{
  char *csv;

  lua_createtable (L, 0, 6);
  goban_lua_put_integer (L, "stages", goban_pipeline_get_n_stages (pipeline));
  goban_lua_put_integer (L, "ranks", goban_pipeline_get_n_ranks (pipeline));
  goban_lua_put_integer (L, "micro_batches", goban_pipeline_get_n_batches (pipeline));
  goban_lua_put_number (L, "bubble", goban_pipeline_get_bubble (pipeline));
  goban_lua_put_number (L, "uniform_bubble", goban_pipeline_get_uniform_bubble (pipeline));
  put_copies (L, pipeline);
  csv = goban_pipeline_dup_csv (pipeline);
  if (csv == NULL)
    return;
  goban_lua_take_string (L, csv);
  lua_setfield (L, -2, "csv");
}

static int
finish_piping (lua_State *L, gpointer result)
{
  Piped *piped = result;
  GobanRun *run = goban_run_ref (goban_pipeline_get_run (piped->pipeline));
  GobanPipeline **kept;

  goban_lua_fill_run (L, run);
  goban_lua_charge_graph (L, -1, goban_run_get_graph (run));
  if (piped->recipe != NULL)
    goban_lua_take_graph_recipe (L, goban_run_get_graph (run),
                                 g_strconcat (piped->recipe, ".graph", NULL));
  kept = (GobanPipeline **) goban_lua_push_kept (L, (GDestroyNotify) goban_pipeline_free);
  *kept = g_steal_pointer (&piped->pipeline);
  g_free (piped->recipe);
  g_free (piped);
  push_figures (L, *kept);
  lua_remove (L, -2);
  return 2;
}

/* Lua that makes the run again; NULL if it depends on a plan, a file or a cluster. */
static char *
dup_recipe (lua_State *L, GobanGraph *graph, const PipelineOptions *options)
{
  char *base = NULL;
  char *schedule = NULL;
  char *recipe = NULL;

  if (options->plan == 0 && options->cluster == 0)
    base = goban_lua_dup_graph_recipe (L, graph);
  if (base != NULL)
    {
      schedule = goban_log_quote (options->schedule != NULL ? options->schedule : "none");
      recipe = g_strdup_printf ("%s:pipeline{ schedule = %s, micro_batches = %d, stages = %d, "
                                "choose_stages = %s, ranks = %d, split = %s }",
                                base, schedule, (int) options->n_batches, (int) options->n_stages,
                                options->chooses ? "true" : "false", (int) options->n_ranks,
                                options->splits ? "true" : "false");
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
  GobanCluster *cluster;
  GobanLuaPlan *plan;
  Piping *piping;

  lua_settop (L, 2);
  goban_lua_check_options (L, 2, "opts", pipeline_options, &options);
  if (options.n_batches > G_MAXINT || options.n_stages > G_MAXINT || options.n_ranks > G_MAXINT)
    return luaL_error (L, "opts: a number is too large");
  plan = goban_lua_opt_plan_of (L, options.plan, graph);
  cluster = options.cluster == 0 && plan != NULL
                ? goban_cost_model_get_cluster (plan->costs)
                : goban_lua_opt_cluster_for (L, options.cluster, graph);

  goban_lua_push_empty_run (L);
  piping = g_new0 (Piping, 1);
  piping->costs = goban_lua_dup_costs (L, graph, cluster, GOBAN_EXECUTION_EVENTS);
  piping->schedule = g_strdup (options.schedule);
  piping->options = (GobanPipelineOptions){ .schedule = piping->schedule,
                                            .n_batches = (guint) options.n_batches,
                                            .n_stages = (guint) options.n_stages,
                                            .chooses_stages = options.chooses,
                                            .n_ranks = (guint) options.n_ranks,
                                            .splits = options.splits };
  piping->options.plan = plan != NULL ? goban_lua_share_plan (plan) : NULL;
  piping->recipe = dup_recipe (L, graph, &options);
  return goban_lua_work (L, &(GobanLuaWork){ .title = "Making a pipeline",
                                             .run = run_piping,
                                             .data = piping,
                                             .free_data = free_piping,
                                             .free_result = free_piped,
                                             .finish = finish_piping });
}

static const luaL_Reg graph_methods[] = {
  { "pipeline", graph_pipeline },
  { NULL, NULL },
};

void
goban_lua_open_pipeline (lua_State *L)
{
  goban_lua_extend (L, "Graph", graph_methods, NULL);
}
