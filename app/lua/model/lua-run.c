/* lua-run.c: module sim, and Lua's Run. */
#include "app/lua/model/lua-run.h"

#include "app/lua/core/lua-current.h"
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-paths.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-recipe.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/core/lua-work.h"
#include "app/lua/model/lua-cluster.h"
#include "app/lua/model/lua-graph.h"
#include "app/lua/model/lua-node.h"
#include "app/lua/model/lua-place.h"
#include "app/lua/model/lua-plan.h"
#include "app/lua/model/lua-query.h"
#include "app/lua/model/lua-set.h"

#include "engine/core/quantity.h"
#include "engine/study/report/report.h"
#include "engine/study/run/run-origin.h"
#include "engine/study/run/run.h"

#include <math.h>

static const GobanLuaType run_type;

void
goban_lua_push_run (lua_State *L, GobanRun *run)
{
  *(GobanRun **) goban_lua_push_handle (L, &run_type, 0) = goban_run_ref (run);
}

void
goban_lua_push_empty_run (lua_State *L)
{
  goban_lua_push_handle (L, &run_type, 0);
}

/* Measured on a graph of 84,464 nodes on eight devices. */
#define RUN_NODE_BYTES 64

int
goban_lua_answer_run (lua_State *L, GobanRun *run, GError *error)
{
  if (run == NULL)
    return goban_lua_fail (L, error);
  *(GobanRun **) lua_touserdata (L, -1) = run;
  goban_lua_charge (L, -1,
                    (gsize) goban_graph_get_n_nodes (goban_run_get_graph (run)) * RUN_NODE_BYTES);
  return 1;
}

GobanRun *
goban_lua_check_run (lua_State *L, int index)
{
  return goban_lua_check_pointer (L, index, &run_type);
}

GobanRun *
goban_lua_test_run (lua_State *L, int index)
{
  return goban_lua_test_pointer (L, index, &run_type);
}

int
goban_lua_answer_derived (lua_State *L, GobanRun *run, const char *name, char *code, GError *error)
{
  if (run != NULL && code != NULL)
    {
      goban_run_set_derivation (run, name, code);
      goban_lua_take_graph_recipe (L, goban_run_get_graph (run),
                                   g_strconcat (code, ".graph", NULL));
    }
  g_free (code);
  if (run == NULL)
    return goban_lua_fail (L, error);
  *(GobanRun **) lua_touserdata (L, -1) = run;
  goban_lua_charge_graph (L, -1, goban_run_get_graph (run));
  return 1;
}

/* --- running ------------------------------------------------------------------------------- */

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

/* The cluster or options at @index for a run of @graph; the plan's own cluster if there is none. */
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
  GobanRunOrigin origin = { 0 };
  GobanCluster *cluster;
  GobanCostModel *costs;
  GobanExecution execution;
  gboolean is_own;
  GobanPlan *own;
  GobanRun *run;
  GError *error = NULL;
  char *name, *expression;

  luaL_argcheck (L, has_graph || lua_isnone (L, 3), 3,
                 "nothing is expected after the cluster or opts of a plan and no graph");
  lua_settop (L, has_graph ? 3 : 2);
  if (graph == NULL)
    graph = goban_cost_model_get_graph (plan->costs);
  cluster = check_run_options (L, lua_gettop (L), plan, graph, &options);
  is_own = graph == goban_cost_model_get_graph (plan->costs)
           && cluster == goban_cost_model_get_cluster (plan->costs) && !options.contention_free;
  execution = options.contention_free ? GOBAN_EXECUTION_CONTENTION_FREE : GOBAN_EXECUTION_EVENTS;

  goban_lua_push_empty_run (L);
  costs = is_own ? goban_cost_model_ref (plan->costs)
                 : goban_lua_dup_costs (L, graph, cluster, execution);
  own = goban_lua_share_plan (plan);
  name = g_strdup (options.name);
  origin.expression = expression = g_strdup (plan->recipe);
  origin.evaluations = plan->n_evaluations;
  /* Decisions were about the devices that the plan was made for. */
  if (cluster == goban_cost_model_get_cluster (plan->costs) && plan->decisions != NULL)
    origin.decisions = goban_decisions_ref (plan->decisions);
  if (is_own && plan->request != NULL)
    origin.request = g_atomic_rc_box_acquire (plan->request);
  goban_lua_begin_work (L);
  run = goban_run_new_kept (costs, own, name, &origin);
  goban_lua_end_work (L, &error);
  g_clear_pointer (&origin.decisions, goban_decisions_unref);
  g_clear_pointer (&origin.request, goban_run_options_release);
  g_free (expression);
  g_free (name);
  goban_plan_unref (own);
  goban_cost_model_unref (costs);
  return goban_lua_answer_run (L, run, error);
}

/* --- nodes --------------------------------------------------------------------------------- */

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

  return goban_lua_answer_node (L, goban_run_get_costs (run), run, id);
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

/* --- devices ------------------------------------------------------------------------------- */

static int
run_idle (lua_State *L)
{
  GobanRun *run = goban_lua_check_run (L, 1);
  GobanDeviceId device = goban_lua_check_device (L, 2, goban_run_get_cluster (run));
  const GobanDeviceUse *use = &goban_trace_get_uses (goban_run_get_trace (run))[device];

  lua_pushnumber (L, (goban_run_get_makespan_us (run) - use->busy_us) / 1e6);
  return 1;
}

/* A list of { time, bytes }, with the peak beside it. */
static int
run_memory (lua_State *L)
{
  GobanRun *run = goban_lua_check_run (L, 1);
  GobanDeviceId device = goban_lua_check_device (L, 2, goban_run_get_cluster (run));
  GobanTrace *trace = goban_run_get_trace (run);
  const GobanDeviceUse *use = &goban_trace_get_uses (trace)[device];
  gpointer *kept = goban_lua_push_kept (L, g_free);
  GobanMemoryPoint *points;
  guint n;

  points = *kept = goban_trace_get_memory (trace, device, &n);
  lua_createtable (L, n, 3);
  goban_lua_put_count (L, "peak", use->peak_bytes);
  goban_lua_put_number (L, "peak_at", use->peak_time_us / 1e6);
  goban_lua_put_count (
      L, "capacity", goban_cluster_get_device (goban_run_get_cluster (run), device)->memory_bytes);
  for (guint i = 0; i < n; i++)
    {
      lua_createtable (L, 0, 2);
      goban_lua_put_number (L, "time", points[i].time_us / 1e6);
      goban_lua_put_count (L, "bytes", points[i].bytes);
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

void
goban_lua_push_transfer (lua_State *L, GobanRun *run, const GobanTransfer *transfer)
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
      goban_lua_push_transfer (L, run, &transfers[i]);
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

  return goban_lua_answer_path (
      L, 2, goban_lua_may_write (L, path, &error) && goban_run_save_trace (run, path, &error),
      &error);
}

static int
run_report (lua_State *L)
{
  goban_lua_take_string (L, goban_report_run_text (goban_lua_check_run (L, 1), NULL));
  return 1;
}

/* --- fields -------------------------------------------------------------------------------- */

static double
get_bound_us (GobanRun *run)
{
  return goban_trace_get_bounds (goban_run_get_trace (run))->bound_us;
}

static double
get_evals (GobanRun *run)
{
  return (double) goban_run_get_origin (run)->evaluations;
}

static gboolean
is_valid (GobanRun *run)
{
  return goban_trace_is_valid (goban_run_get_trace (run));
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
  ((GobanLuaPlan *) lua_touserdata (L, -1))->recipe
      = g_strdup (goban_run_get_origin (run)->expression);
  ((GobanLuaPlan *) lua_touserdata (L, -1))->n_evaluations
      = goban_run_get_origin (run)->evaluations;
  goban_lua_keep_decisions (L, goban_run_get_decisions (run), goban_run_get_origin (run)->request);
  return 1;
}

static double
get_transferred_bytes (GobanRun *run)
{
  return goban_trace_get_transferred_bytes (goban_run_get_trace (run));
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

static const GobanLuaEntry entries[] = {
  GOBAN_LUA_FUNCTION ("bounds", run_bounds, "()",
                      "What the bound is made of: critical_path, work, memory.", "pp(r:bounds())"),
  GOBAN_LUA_FUNCTION ("critical_path", run_critical_path, "()",
                      "The nodes that decided its length, in order of time."),
  GOBAN_LUA_FUNCTION ("explain", run_explain, "()", "The critical path in words, a list of lines.",
                      "pp(r:explain())"),
  GOBAN_LUA_FUNCTION ("idle", run_idle, "(device)", "How long a device did nothing.",
                      "r:idle \"gpu:0\""),
  GOBAN_LUA_FUNCTION ("memory", run_memory, "(device)",
                      "A device's memory over time, a list; with peak, peak_at and capacity.",
                      "r:memory(\"gpu:0\").peak"),
  GOBAN_LUA_FUNCTION ("node", run_node, "(name)", "One node, as it was in this run.",
                      "r:node(\"image/conv1\").start"),
  GOBAN_LUA_FUNCTION ("nodes", run_nodes, "()", "All nodes, as they were in this run.",
                      "r:nodes():top(5, \"wait\")"),
  GOBAN_LUA_FUNCTION ("report", run_report, "()", "The run as text.", "print(r:report())"),
  GOBAN_LUA_FUNCTION ("trace", run_trace, "(path)",
                      "Writes a trace for Perfetto and chrome://tracing; returns the path.",
                      "r:trace \"run.json\""),
  GOBAN_LUA_FUNCTION ("transfers", run_transfers, "()",
                      "What was sent: node, from, to, bytes, ready, start, finish.",
                      "#r:transfers()"),
  GOBAN_LUA_FUNCTION ("utilisation", run_utilisation, "()", "The busy share of every device.",
                      "pp(r:utilisation())"),
  GOBAN_LUA_FUNCTION ("where", run_where, "(query)",
                      "The nodes of a query, as they were in this run.",
                      "r:where{ device = \"gpu:1\" }"),
  GOBAN_LUA_FIELD ("bound", TIME, get_bound_us,
                   "No schedule of this graph on this cluster is shorter, in seconds."),
  GOBAN_LUA_FIELD ("cluster", FUNCTION, get_cluster, "A copy of its cluster."),
  GOBAN_LUA_FIELD ("evals", COUNT, get_evals,
                   "How many simulations its policy spent, that of the plan itself included."),
  GOBAN_LUA_FIELD ("graph", FUNCTION, get_graph, "Its graph."),
  GOBAN_LUA_FIELD ("makespan", TIME, goban_run_get_makespan_us, "Its length in seconds.",
                   "r.makespan * 1e3"),
  GOBAN_LUA_FIELD ("name", TEXT, goban_run_get_name, "Its policy or name."),
  GOBAN_LUA_FIELD ("plan", FUNCTION, get_plan, "Its plan."),
  GOBAN_LUA_FIELD ("proof", TAKEN_TEXT, goban_run_describe_proof,
                   "What its policy has proven of it, \"\" if nothing: \"optimal (proven)\", or "
                   "among non-delay schedules, where no device waits that has ready work."),
  GOBAN_LUA_FIELD ("ratio", NUMBER, goban_run_get_ratio,
                   "makespan / bound; of a plan that fuses, the bound with fusion."),
  GOBAN_LUA_FIELD ("unfused_ratio", NUMBER, goban_run_get_unfused_ratio,
                   "makespan / bound without fusion, which compares all plans; may be below 1."),
  GOBAN_LUA_FIELD ("transferred", COUNT, get_transferred_bytes, "Bytes sent between devices."),
  GOBAN_LUA_FIELD ("valid", BOOLEAN, is_valid, "Whether it keeps within every memory."),
  GOBAN_LUA_META ("__eq", run_equal),
  GOBAN_LUA_META ("__tostring", run_tostring),
  { NULL },
};

static const GobanLuaType run_type = {
  .name = "Run",
  .variable = "r",
  .sentence = "One plan, simulated.",
  .example = "r = sim.run(g, p)",
  .free = (GDestroyNotify) goban_run_unref,
  .entries = entries,
};

static const GobanLuaEntry functions[] = {
  GOBAN_LUA_MODULE ("Simulates plans.", "r = sim.run(g, p)"),
  GOBAN_LUA_FUNCTION ("run", sim_run, "(g, plan, cluster or opts)",
                      "Simulates a plan, on its own cluster unless told; opts: cluster, name, "
                      "contention_free.",
                      "print(sim.run(g, p).makespan * 1e3)"),
  { NULL },
};

void
goban_lua_open_run (lua_State *L)
{
  goban_lua_register (L, &run_type);
  goban_lua_module (L, "sim", functions);
}
