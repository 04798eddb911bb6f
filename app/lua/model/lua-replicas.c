/* lua-replicas.c: g:replicas and graph.collective, the runs of data parallelism and collectives. */
#include "app/lua/core/lua-current.h"
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-recipe.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/core/lua-work.h"
#include "app/lua/model/lua-cluster.h"
#include "app/lua/model/lua-graph.h"
#include "app/lua/model/lua-plan.h"
#include "app/lua/model/lua-run.h"

#include "engine/study/run/collective-run.h"
#include "engine/study/run/parallel-order.h"
#include "engine/study/run/replicas-run.h"
#include "engine/study/run/run-origin.h"

/* --- replicas ------------------------------------------------------------------------------- */

typedef struct
{
  gint64 n;
  gboolean splits;
  const char *algorithm;
  double bucket_bytes;
  double slowdown;
  int plan;
  int cluster;
} ReplicaOptions;

static const GobanLuaOption replica_options[] = {
  { "n", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (ReplicaOptions, n) },
  { "split", GOBAN_LUA_BOOLEAN, G_STRUCT_OFFSET (ReplicaOptions, splits) },
  { "algorithm", GOBAN_LUA_STRING, G_STRUCT_OFFSET (ReplicaOptions, algorithm) },
  { "bucket", GOBAN_LUA_NUMBER, G_STRUCT_OFFSET (ReplicaOptions, bucket_bytes) },
  { "slowdown", GOBAN_LUA_NUMBER, G_STRUCT_OFFSET (ReplicaOptions, slowdown) },
  { "plan", GOBAN_LUA_ANY, G_STRUCT_OFFSET (ReplicaOptions, plan) },
  { "cluster", GOBAN_LUA_ANY, G_STRUCT_OFFSET (ReplicaOptions, cluster) },
  { NULL },
};

/* Lua that makes the run again; NULL if it depends on a plan or a cluster. */
static char *
dup_replicas_code (lua_State *L, GobanGraph *graph, const ReplicaOptions *options)
{
  const GobanParallelOrder words = { .kind = GOBAN_PARALLEL_COPIES,
                                     .n = (guint) options->n,
                                     .algorithm = (char *) options->algorithm,
                                     .bucket_bytes = options->bucket_bytes,
                                     .slowdown = options->slowdown,
                                     .is_split = options->splits };
  char *base
      = options->plan == 0 && options->cluster == 0 ? goban_lua_dup_graph_recipe (L, graph) : NULL;
  char *own = goban_parallel_order_dup_code (&words);
  char *code = base != NULL ? g_strconcat (base, own + 1, NULL) : NULL; /* its g */

  g_free (own);
  g_free (base);
  return code;
}

static int
graph_replicas (lua_State *L)
{
  GobanGraph *graph = goban_lua_check_graph (L, 1);
  ReplicaOptions options = { 0 };
  GobanReplicasRunOptions running = { 0 };
  GobanReplicasFigures figures;
  GobanCostModel *costs;
  GobanCluster *cluster;
  GobanLuaPlan *plan;
  GobanRun *run;
  GError *error = NULL;
  char *code;

  lua_settop (L, 2);
  goban_lua_check_options (L, 2, "opts", replica_options, &options);
  if (options.n > G_MAXINT)
    return luaL_error (L, "opts.n is too large");
  plan = goban_lua_opt_plan_of (L, options.plan, graph);
  if (!goban_replicas_run_set_algorithm (&running, options.algorithm))
    return luaL_error (L, "opts.algorithm: ring or tree expected, got '%s'", options.algorithm);
  running.n_replicas = (guint) options.n;
  running.splits = options.splits;
  running.bucket_bytes = options.bucket_bytes;
  running.slowdown = options.slowdown;
  cluster = options.cluster == 0 && plan != NULL
                ? goban_cost_model_get_cluster (plan->costs)
                : goban_lua_opt_cluster_for (L, options.cluster, graph);

  goban_lua_push_empty_run (L);
  costs = goban_lua_dup_costs (L, graph, cluster, GOBAN_EXECUTION_EVENTS);
  code = dup_replicas_code (L, graph, &options);
  running.plan = plan != NULL ? goban_lua_share_plan (plan) : NULL;
  running.progress = goban_lua_begin_work (L);
  run = goban_replicas_run_new (costs, &running, &figures, &error);
  goban_lua_end_work (L, &error);
  g_clear_pointer (&running.plan, goban_plan_unref);
  goban_cost_model_unref (costs);
  if (goban_lua_answer_derived (L, run, "copy the model", code, error) != 1)
    return 2;
  lua_createtable (L, 0, 3);
  goban_lua_put_integer (L, "replicas", figures.n_replicas);
  goban_lua_put_integer (L, "buckets", figures.n_buckets);
  goban_lua_put_count (L, "gradient_bytes", figures.gradient_bytes);
  goban_lua_mark_figures (L);
  return 2;
}

/* --- collectives ---------------------------------------------------------------------------- */

typedef struct
{
  const char *algorithm;
  gint64 n_ranks;
  int cluster;
} CollectiveOptions;

static const GobanLuaOption collective_options[] = {
  { "algorithm", GOBAN_LUA_STRING, G_STRUCT_OFFSET (CollectiveOptions, algorithm) },
  { "ranks", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (CollectiveOptions, n_ranks) },
  { "cluster", GOBAN_LUA_ANY, G_STRUCT_OFFSET (CollectiveOptions, cluster) },
  { NULL },
};

/* graph.collective (kind, bytes, opts) */
static int
graph_collective (lua_State *L)
{
  const char *kind = luaL_checkstring (L, 1);
  double bytes = goban_lua_check_bytes (L, 2);
  CollectiveOptions options = { 0 };
  GobanCollectiveRunOptions own;
  GobanCollectiveFigures figures;
  GobanCluster *cluster;
  GobanRun *run;
  GError *error = NULL;
  char *algorithm, *code = NULL;

  lua_settop (L, 3);
  goban_lua_check_options (L, 3, "opts", collective_options, &options);
  if (options.n_ranks > G_MAXINT)
    return luaL_error (L, "opts.ranks is too large");
  cluster = goban_lua_opt_cluster (L, options.cluster);

  goban_lua_push_empty_run (L);
  goban_cluster_ref (cluster);
  algorithm = g_strdup (options.algorithm);
  own = (GobanCollectiveRunOptions){
    .kind = kind, .algorithm = algorithm, .n_ranks = (guint) options.n_ranks, .bytes = bytes
  };
  if (options.cluster == 0)
    code = goban_parallel_order_dup_code (&(GobanParallelOrder){ .kind = GOBAN_PARALLEL_COLLECTIVE,
                                                                 .collective = (char *) kind,
                                                                 .algorithm = algorithm,
                                                                 .n = own.n_ranks,
                                                                 .bytes = bytes });
  goban_lua_begin_work (L);
  run = goban_collective_run_new (cluster, &own, &figures, &error);
  goban_lua_end_work (L, &error);
  g_free (algorithm);
  goban_cluster_unref (cluster);
  if (goban_lua_answer_derived (L, run, "simulate a collective", code, error) != 1)
    return 2;
  lua_createtable (L, 0, 5);
  goban_lua_put_text (L, "kind", figures.kind);
  goban_lua_put_text (L, "algorithm", figures.algorithm);
  goban_lua_put_integer (L, "ranks", figures.n_ranks);
  goban_lua_put_number (L, "ideal", figures.ideal_us / 1e6);
  goban_lua_put_number (L, "bus_bandwidth", figures.bus_bytes_per_us * 1e6);
  goban_lua_mark_figures (L);
  return 2;
}

static const GobanLuaEntry graph_entries[] = {
  GOBAN_LUA_FUNCTION (
      "replicas", graph_replicas, "(opts)",
      "The run of data-parallel copies of a training graph, which all-reduce their "
      "gradients, and a table of figures: replicas, buckets, gradient_bytes. opts: "
      "n (as many as fit), split (true: they share g's batch), algorithm ('ring' or "
      "'tree'), bucket (bytes of gradients that travel together; 0: each alone), "
      "slowdown (a straggler: the last one's devices take so many times as long), "
      "plan (of one replica, which may span several devices), cluster.",
      "r, figures = g:training():replicas{ n = 2, bucket = 25e6 }"),
  { NULL },
};

static const GobanLuaEntry functions[] = {
  GOBAN_LUA_FUNCTION ("collective", graph_collective, "(kind, bytes, opts)",
                      "The run of a collective operation over the links of a cluster, and a table "
                      "of figures: kind, algorithm, ranks, ideal (seconds by the formula of the "
                      "algorithm) and bus_bandwidth. kind: 'all-reduce', 'reduce-scatter', "
                      "'all-gather', 'all-to-all', 'broadcast' or 'send'; opts: algorithm ('ring' "
                      "or 'tree' of all-reduce), ranks (all devices but CPUs), cluster.",
                      "r, figures = graph.collective(\"all-reduce\", \"100MB\", { cluster = "
                      "\"p100x4\" })"),
  { NULL },
};

void
goban_lua_open_replicas (lua_State *L)
{
  goban_lua_module (L, "graph", functions);
  goban_lua_extend (L, "Graph", graph_entries);
}
