/* lua-sim.c: module sim, and what a run can be asked. */
#include "app/lua/lua-modules.h"
#include "app/lua/lua-private.h"

#include "engine/base/quantity.h"
#include "engine/report/report.h"

#include <math.h>

typedef struct
{
  GobanRun *run;
} LuaRun;

static const GobanLuaType run_type;

static void
clear_run (gpointer value)
{
  g_clear_object (&((LuaRun *) value)->run);
}

void
goban_lua_push_run (lua_State *L, GobanRun *run)
{
  LuaRun *handle = goban_lua_push_handle (L, &run_type, 0);

  handle->run = g_object_ref (run);
}

void
goban_lua_push_empty_run (lua_State *L)
{
  goban_lua_push_handle (L, &run_type, 0);
}

void
goban_lua_fill_run (lua_State *L, GobanRun *run)
{
  ((LuaRun *) lua_touserdata (L, -1))->run = run;
}

GobanRun *
goban_lua_check_run (lua_State *L, int index)
{
  return ((LuaRun *) goban_lua_check_handle (L, index, &run_type))->run;
}

GobanRun *
goban_lua_test_run (lua_State *L, int index)
{
  LuaRun *handle = goban_lua_test_handle (L, index, &run_type);

  return handle != NULL ? handle->run : NULL;
}

/* --- where it comes from ----------------------------------------------------------------------- */

#define RECIPE_KEY "goban-lua-recipe"

const char *
goban_lua_get_recipe (GobanRun *run)
{
  return g_object_get_data (G_OBJECT (run), RECIPE_KEY);
}

void
goban_lua_set_recipe (GobanRun *run, const char *recipe)
{
  if (recipe != NULL)
    g_object_set_data_full (G_OBJECT (run), RECIPE_KEY, g_strdup (recipe), g_free);
}

/* --- running ----------------------------------------------------------------------------------- */

typedef struct
{
  GobanCostModel *costs;
  GobanPlan *plan;
  char *name;
  char *recipe;                 /* (nullable) */
  GobanDecisionLog *decisions;  /* (nullable) */
  GobanPlacementRecord *record; /* (nullable) */
} Simulation;

static void
free_simulation (gpointer data)
{
  Simulation *simulation = data;

  goban_cost_model_unref (simulation->costs);
  goban_plan_unref (simulation->plan);
  g_free (simulation->name);
  g_free (simulation->recipe);
  g_clear_pointer (&simulation->decisions, goban_decision_log_unref);
  g_clear_pointer (&simulation->record, goban_placement_record_unref);
  g_free (simulation);
}

static gpointer
run_simulation (const GobanProgress *progress, gpointer data, GError **error)
{
  Simulation *simulation = data;

  GobanRun *run = goban_run_new_logged (simulation->costs, simulation->plan, simulation->name,
                                        simulation->decisions, simulation->record);

  goban_lua_set_recipe (run, simulation->recipe);
  return run;
}

static int
finish_simulation (lua_State *L, gpointer result)
{
  goban_lua_fill_run (L, result);
  goban_lua_charge_run (L, -1, result);
  return 1;
}

typedef struct
{
  int cluster;
  const char *name;
  gboolean contention_free;
  const char *model;
} RunOptions;

static const GobanLuaOption run_options[] = {
  { "cluster", GOBAN_LUA_ANY, G_STRUCT_OFFSET (RunOptions, cluster) },
  { "name", GOBAN_LUA_STRING, G_STRUCT_OFFSET (RunOptions, name) },
  { "contention_free", GOBAN_LUA_BOOLEAN, G_STRUCT_OFFSET (RunOptions, contention_free) },
  { "model", GOBAN_LUA_STRING, G_STRUCT_OFFSET (RunOptions, model) },
  { NULL },
};

/* The cluster or options at @index for a run of @graph; the plan's own cluster where it says none. */
static GobanCluster *
check_run_options (lua_State *L, int index, const GobanLuaPlan *plan, GobanGraph *graph,
                   RunOptions *options)
{
  int cluster = index;

  if (lua_isnoneornil (L, index) || lua_istable (L, index))
    {
      goban_lua_check_options (L, index, "opts", run_options, options);
      cluster = options->cluster;
    }

  return cluster == 0 ? goban_cost_model_get_cluster (plan->costs)
                      : goban_lua_opt_cluster_for (L, cluster, graph);
}

/* sim.run (g, plan, cluster or options); the graph may be left out, as plans know theirs. */
static int
sim_run (lua_State *L)
{
  gboolean has_graph = goban_lua_test_plan (L, 1) == NULL;
  GobanGraph *graph = has_graph ? goban_lua_check_graph (L, 1) : NULL;
  GobanLuaPlan *plan = goban_lua_check_plan (L, has_graph ? 2 : 1);
  RunOptions options = { 0 };
  GobanCluster *cluster;
  Simulation *simulation;
  GobanExecution execution;
  gboolean is_own;

  luaL_argcheck (L, has_graph || lua_isnone (L, 3), 3,
                 "nothing is expected after the cluster or opts of a plan and no graph");
  lua_settop (L, has_graph ? 3 : 2);
  if (graph == NULL)
    graph = goban_cost_model_get_graph (plan->costs);
  cluster = check_run_options (L, lua_gettop (L), plan, graph, &options);
  is_own = graph == goban_cost_model_get_graph (plan->costs)
           && cluster == goban_cost_model_get_cluster (plan->costs) && !options.contention_free
           && options.model == NULL;
  execution = goban_lua_check_execution (L, options.model, options.contention_free);

  goban_lua_push_empty_run (L);
  simulation = g_new0 (Simulation, 1);
  simulation->costs = is_own ? goban_cost_model_ref (plan->costs)
                             : goban_lua_dup_costs (L, graph, cluster, execution);
  simulation->plan = goban_plan_ref (plan->plan);
  simulation->name = g_strdup (options.name);
  simulation->recipe = g_strdup (plan->recipe);
  /* Decisions were about the devices that the plan was made for. */
  if (cluster == goban_cost_model_get_cluster (plan->costs) && plan->decisions != NULL)
    simulation->decisions = goban_decision_log_ref (plan->decisions);
  if (cluster == goban_cost_model_get_cluster (plan->costs) && plan->record != NULL)
    simulation->record = goban_placement_record_ref (plan->record);
  plan->is_shared = TRUE;
  return goban_lua_work (L, &(GobanLuaWork){ .title = "Simulating",
                                             .run = run_simulation,
                                             .data = simulation,
                                             .free_data = free_simulation,
                                             .free_result = g_object_unref,
                                             .finish = finish_simulation });
}

/* --- nodes --------------------------------------------------------------------------------------- */

static int
run_where (lua_State *L)
{
  GobanRun *run = goban_lua_check_run (L, 1);

  luaL_checkany (L, 2);
  return goban_lua_query (L, 2, goban_run_get_costs (run), run);
}

static int
run_nodes (lua_State *L)
{
  GobanRun *run = goban_lua_check_run (L, 1);

  lua_settop (L, 1);
  return goban_lua_query (L, 2, goban_run_get_costs (run), run);
}

static int
run_node (lua_State *L)
{
  GobanRun *run = goban_lua_check_run (L, 1);
  const char *name = luaL_checkstring (L, 2);
  GobanNodeId id = goban_graph_find_node (goban_run_get_graph (run), name);

  if (id == GOBAN_NO_NODE)
    {
      lua_pushnil (L);
      lua_pushfstring (L, "there is no node %s in the graph %s", name,
                       goban_graph_get_name (goban_run_get_graph (run)));
      return 2;
    }

  goban_lua_push_node (L, goban_run_get_costs (run), run, id);
  return 1;
}

static int
run_critical_path (lua_State *L)
{
  GobanRun *run = goban_lua_check_run (L, 1);
  guint n;
  const GobanStep *steps = goban_trace_get_critical_path (goban_run_get_trace (run), &n);
  GobanLuaSet *set = goban_lua_push_set (L, goban_run_get_costs (run), run, n);

  set->n = 0;
  for (guint i = 0; i < n; i++)
    if (!steps[i].is_transfer)
      set->ids[set->n++] = steps[i].index;
  return 1;
}

/* The critical path in words, a line a step. */
static int
run_explain (lua_State *L)
{
  GobanTrace *trace = goban_run_get_trace (goban_lua_check_run (L, 1));
  guint n;
  const GobanStep *steps = goban_trace_get_critical_path (trace, &n);

  lua_createtable (L, n, 0);
  for (guint i = 0; i < n; i++)
    {
      goban_lua_take_string (L, goban_trace_describe_step (trace, &steps[i]));
      lua_rawseti (L, -2, i + 1);
    }
  return 1;
}

/* --- devices ------------------------------------------------------------------------------------- */

static int
run_idle (lua_State *L)
{
  GobanRun *run = goban_lua_check_run (L, 1);
  GobanDeviceId device = goban_lua_check_device (L, 2, goban_run_get_cluster (run));
  const GobanDeviceUse *use = &goban_trace_get_uses (goban_run_get_trace (run))[device];

  lua_pushnumber (L, (goban_run_get_makespan_us (run) - use->busy_us) / 1e6);
  return 1;
}

typedef struct
{
  GobanMemoryPoint *points;
} Staircase;

static void
clear_staircase (gpointer value)
{
  g_clear_pointer (&((Staircase *) value)->points, g_free);
}

static const GobanLuaType staircase_type = {
  .name = "Staircase",
  .size = sizeof (Staircase),
  .clear = clear_staircase,
};

/* A list of { time, bytes }, with the peak beside it. */
static int
run_memory (lua_State *L)
{
  GobanRun *run = goban_lua_check_run (L, 1);
  GobanDeviceId device = goban_lua_check_device (L, 2, goban_run_get_cluster (run));
  GobanTrace *trace = goban_run_get_trace (run);
  const GobanDeviceUse *use = &goban_trace_get_uses (trace)[device];
  Staircase *staircase = goban_lua_push_handle (L, &staircase_type, 0);
  guint n;

  staircase->points = goban_trace_get_memory (trace, device, &n);
  lua_createtable (L, n, 3);
  goban_lua_put_count (L, "peak", use->peak_bytes);
  goban_lua_put_number (L, "peak_at", use->peak_time_us / 1e6);
  goban_lua_put_count (
      L, "capacity", goban_cluster_get_device (goban_run_get_cluster (run), device)->memory_bytes);
  for (guint i = 0; i < n; i++)
    {
      lua_createtable (L, 0, 2);
      goban_lua_put_number (L, "time", staircase->points[i].time_us / 1e6);
      goban_lua_put_count (L, "bytes", staircase->points[i].bytes);
      lua_rawseti (L, -2, i + 1);
    }
  return 1;
}

static int
run_utilisation (lua_State *L)
{
  GobanRun *run = goban_lua_check_run (L, 1);
  GobanCluster *cluster = goban_run_get_cluster (run);
  const GobanDeviceUse *uses = goban_trace_get_uses (goban_run_get_trace (run));
  double makespan_us = goban_run_get_makespan_us (run);

  lua_newtable (L);
  for (guint i = 0; i < goban_cluster_get_n_devices (cluster); i++)
    goban_lua_put_number (L, goban_cluster_get_device (cluster, i)->name,
                          makespan_us > 0 ? uses[i].busy_us / makespan_us : 0);
  return 1;
}

static int
run_bounds (lua_State *L)
{
  const GobanBounds *bounds
      = goban_trace_get_bounds (goban_run_get_trace (goban_lua_check_run (L, 1)));

  lua_createtable (L, 0, 4);
  goban_lua_put_number (L, "critical_path", bounds->critical_path_us / 1e6);
  goban_lua_put_number (L, "work", bounds->work_us / 1e6);
  goban_lua_put_number (L, "memory", bounds->memory_us / 1e6);
  goban_lua_put_number (L, "bound", bounds->bound_us / 1e6);
  return 1;
}

static void
push_transfer (lua_State *L, GobanRun *run, const GobanTransfer *transfer)
{
  GobanGraph *graph = goban_run_get_graph (run);
  GobanCluster *cluster = goban_run_get_cluster (run);
  const GobanTensor *tensor = goban_graph_get_tensor (graph, transfer->tensor);

  lua_createtable (L, 0, 7);
  goban_lua_put_text (L, "node", goban_graph_get_node (graph, tensor->producer)->name);
  goban_lua_put_text (L, "from", goban_cluster_get_device (cluster, transfer->from)->name);
  goban_lua_put_text (L, "to", goban_cluster_get_device (cluster, transfer->to)->name);
  goban_lua_put_count (L, "bytes", tensor->size_bytes);
  goban_lua_put_number (L, "ready", transfer->ready_us / 1e6);
  goban_lua_put_number (L, "start", transfer->start_us / 1e6);
  goban_lua_put_number (L, "finish", transfer->finish_us / 1e6);
}

static int
run_transfers (lua_State *L)
{
  GobanRun *run = goban_lua_check_run (L, 1);
  guint n;
  const GobanTransfer *transfers = goban_trace_get_transfers (goban_run_get_trace (run), &n);

  lua_createtable (L, n, 0);
  for (guint i = 0; i < n; i++)
    {
      push_transfer (L, run, &transfers[i]);
      lua_rawseti (L, -2, i + 1);
    }
  return 1;
}

static int
run_trace (lua_State *L)
{
  GobanRun *run = goban_lua_check_run (L, 1);
  const char *path = luaL_checkstring (L, 2);
  GError *error = NULL;

  if (!goban_lua_may_write (L, path, &error) || !goban_run_save_trace (run, path, &error))
    return goban_lua_fail (L, error);

  lua_pushboolean (L, TRUE);
  return 1;
}

static int
run_report (lua_State *L)
{
  goban_lua_take_string (L, goban_report_run_text (goban_lua_check_run (L, 1)));
  return 1;
}

/* --- fields -------------------------------------------------------------------------------------- */

static int
get_makespan (lua_State *L)
{
  lua_pushnumber (L, goban_run_get_makespan_us (goban_lua_check_run (L, 1)) / 1e6);
  return 1;
}

static int
get_bound (lua_State *L)
{
  GobanTrace *trace = goban_run_get_trace (goban_lua_check_run (L, 1));

  lua_pushnumber (L, goban_trace_get_bounds (trace)->bound_us / 1e6);
  return 1;
}

static int
get_proof (lua_State *L)
{
  char *proof = goban_run_describe_proof (goban_lua_check_run (L, 1));

  lua_pushstring (L, proof != NULL ? proof : "");
  g_free (proof);
  return 1;
}

static int
get_ratio (lua_State *L)
{
  goban_lua_push_number (L, goban_run_get_ratio (goban_lua_check_run (L, 1)));
  return 1;
}

static int
get_valid (lua_State *L)
{
  lua_pushboolean (L, goban_trace_is_valid (goban_run_get_trace (goban_lua_check_run (L, 1))));
  return 1;
}

static int
get_name (lua_State *L)
{
  lua_pushstring (L, goban_run_get_name (goban_lua_check_run (L, 1)));
  return 1;
}

static int
get_graph (lua_State *L)
{
  goban_lua_push_graph (L, goban_run_get_graph (goban_lua_check_run (L, 1)));
  return 1;
}

static int
get_cluster (lua_State *L)
{
  goban_lua_push_cluster (L, goban_run_get_cluster (goban_lua_check_run (L, 1)));
  return 1;
}

static int
get_plan (lua_State *L)
{
  GobanRun *run = goban_lua_check_run (L, 1);

  goban_lua_push_plan (L, goban_run_get_plan (run), goban_run_get_costs (run));
  ((GobanLuaPlan *) lua_touserdata (L, -1))->recipe = g_strdup (goban_lua_get_recipe (run));
  goban_lua_keep_decisions (L, goban_run_get_decisions (run), goban_run_get_record (run));
  return 1;
}

static int
get_transferred (lua_State *L)
{
  GobanTrace *trace = goban_run_get_trace (goban_lua_check_run (L, 1));

  goban_lua_push_count (L, goban_trace_get_transferred_bytes (trace));
  return 1;
}

static int
run_tostring (lua_State *L)
{
  GobanRun *run = goban_lua_check_run (L, 1);
  gboolean is_valid = goban_trace_is_valid (goban_run_get_trace (run));
  char makespan[GOBAN_QUANTITY_LEN], ratio[G_ASCII_DTOSTR_BUF_SIZE];
  double makespan_us = goban_run_get_makespan_us (run);

  lua_pushfstring (L, "Run %s: %s, ", goban_run_get_name (run),
                   isfinite (makespan_us) ? goban_format_time (makespan, makespan_us)
                                          : "cannot run");
  if (isfinite (goban_run_get_ratio (run)))
    {
      g_ascii_formatd (ratio, sizeof ratio, "%.2f", goban_run_get_ratio (run));
      lua_pushfstring (L, "%sx bound, ", ratio);
      lua_concat (L, 2);
    }
  lua_pushstring (L, is_valid ? "valid" : "not valid: ");
  lua_pushstring (L, is_valid ? "" : goban_trace_get_why (goban_run_get_trace (run)));
  lua_concat (L, 3);
  return 1;
}

static int
run_equal (lua_State *L)
{
  GobanRun *a = goban_lua_test_run (L, 1), *b = goban_lua_test_run (L, 2);

  lua_pushboolean (L, a != NULL && a == b);
  return 1;
}

/* --- tables ---------------------------------------------------------------------------------------- */

static const luaL_Reg methods[] = {
  { "at", goban_lua_run_at },
  { "bounds", run_bounds },
  { "critical_path", run_critical_path },
  { "explain", run_explain },
  { "idle", run_idle },
  { "least_sure", goban_lua_run_least_sure },
  { "memory", run_memory },
  { "node", run_node },
  { "nodes", run_nodes },
  { "report", run_report },
  { "step", goban_lua_run_step },
  { "steps", goban_lua_run_steps },
  { "trace", run_trace },
  { "transfers", run_transfers },
  { "utilisation", run_utilisation },
  { "where", run_where },
  { "totals", goban_lua_run_totals },
  { "why", goban_lua_run_why },
  { NULL, NULL },
};

static const luaL_Reg fields[] = {
  { "bound", get_bound },
  { "cluster", get_cluster },
  { "decisions", goban_lua_run_decisions },
  { "graph", get_graph },
  { "makespan", get_makespan },
  { "name", get_name },
  { "plan", get_plan },
  { "proof", get_proof },
  { "ratio", get_ratio },
  { "transferred", get_transferred },
  { "valid", get_valid },
  { NULL, NULL },
};

static const luaL_Reg meta[] = {
  { "__eq", run_equal },
  { "__tostring", run_tostring },
  { NULL, NULL },
};

static const GobanLuaType run_type = {
  .name = "Run",
  .size = sizeof (LuaRun),
  .clear = clear_run,
  .methods = methods,
  .fields = fields,
  .meta = meta,
};

static const luaL_Reg functions[] = {
  { "run", sim_run },
  { NULL, NULL },
};

void
goban_lua_open_sim (lua_State *L)
{
  goban_lua_register (L, &run_type);
  goban_lua_register (L, &staircase_type);
  goban_lua_module (L, "sim", functions);
}
