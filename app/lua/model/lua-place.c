/* lua-place.c: plan.heft and its like, one function per policy. */
#include "app/lua/model/lua-place.h"

#include "app/lua/core/lua-current.h"
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-thread.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/core/lua-work.h"
#include "app/lua/model/lua-cluster.h"
#include "app/lua/model/lua-graph.h"
#include "app/lua/model/lua-plan.h"

#include "engine/core/i18n.h"
#include "engine/study/log/log-lines.h"
#include "engine/study/run/run-origin.h"
#include "engine/study/run/run.h"
#include "engine/study/training/training-list.h"

#include <string.h>

/* --- options ---------------------------------------------------------------------------------- */

GobanTasks
goban_lua_check_tasks (lua_State *L, const char *tasks)
{
  GobanTasks decisions = 0;
  GError *error = NULL;

  if (tasks != NULL && !goban_tasks_parse (tasks, &decisions, &error))
    goban_lua_raise (L, error);
  return decisions;
}

static const GobanLuaOption place_options[] = {
  { "cluster", GOBAN_LUA_ANY, G_STRUCT_OFFSET (GobanLuaPlaceOptions, cluster) },
  { "seed", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (GobanLuaPlaceOptions, seed) },
  { "evals", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (GobanLuaPlaceOptions, evals) },
  { "seconds", GOBAN_LUA_NUMBER, G_STRUCT_OFFSET (GobanLuaPlaceOptions, seconds) },
  { "tasks", GOBAN_LUA_STRING, G_STRUCT_OFFSET (GobanLuaPlaceOptions, tasks) },
  { "contention_free", GOBAN_LUA_BOOLEAN, G_STRUCT_OFFSET (GobanLuaPlaceOptions, contention_free) },
  { "network", GOBAN_LUA_STRING, G_STRUCT_OFFSET (GobanLuaPlaceOptions, network) },
  { "settings", GOBAN_LUA_STRING, G_STRUCT_OFFSET (GobanLuaPlaceOptions, settings) },
  { "start", GOBAN_LUA_ANY, G_STRUCT_OFFSET (GobanLuaPlaceOptions, start) },
  { "pinned", GOBAN_LUA_BOOLEAN, G_STRUCT_OFFSET (GobanLuaPlaceOptions, pinned) },
  { NULL },
};

static gint64
check_seed (lua_State *L, int index)
{
  lua_Integer seed = luaL_checkinteger (L, index);

  luaL_argcheck (L, seed >= 0, index, "a seed is not negative");
  return seed;
}

GobanCluster *
goban_lua_check_place_options (lua_State *L, int index, GobanGraph *graph,
                               GobanLuaPlaceOptions *options)
{
  gboolean has_seed = lua_type (L, index) == LUA_TNUMBER;

  /* (seed, cluster or opts), or the second of them alone. */
  if (has_seed)
    options->seed = check_seed (L, index);
  if (has_seed || lua_isnil (L, index))
    index++;
  else
    luaL_argcheck (L, lua_isnoneornil (L, index + 1), index,
                   "a seed is expected where a cluster or options follow");
  if (!lua_isnoneornil (L, index) && !lua_istable (L, index))
    return goban_lua_opt_cluster_for (L, index, graph);
  if (has_seed && lua_istable (L, index) && goban_lua_raw_field (L, index, "seed") != LUA_TNIL)
    luaL_error (L, "opts.seed: the seed is given twice");

  goban_lua_check_options (L, index, "opts", place_options, options);
  if (options->start != 0 && goban_lua_test_plan (L, options->start) == NULL)
    luaL_error (L, "opts.start: Plan expected, got %s", luaL_typename (L, options->start));
  return goban_lua_opt_cluster_for (L, options->cluster, graph);
}

GobanRunOptions
goban_lua_dup_run_options (lua_State *L, const GobanLuaPlaceOptions *options)
{
  GobanRunOptions copy = goban_run_options_dup (&(GobanRunOptions){
      .seed = options->seed,
      .max_evaluations = options->evals,
      .max_seconds = options->seconds,
      .network = options->network,
      .settings = options->settings,
  });

  if (options->start != 0)
    copy.start = goban_lua_share_plan (goban_lua_test_plan (L, options->start));
  return copy;
}

/* --- placing ---------------------------------------------------------------------------------- */

/* A log of the updates of a policy that learns, which are shown as a training's; with a thread they
 * are as they are made. (transfer full) (nullable) */
static GobanTrainingLog *
watch_learning (GobanLuaHost *host, const char *policy)
{
  GobanTrainingLog *learning;
  GobanPolicyInfo info;

  if (host->hides_learning || !goban_policy_find (policy, &info, NULL)
      || g_str_equal (info.effort, "quick"))
    return NULL;
  learning = goban_training_log_new ();
  if (host->is_threaded)
    goban_training_list_watch (G_OBJECT (host->session), policy, learning, NULL);
  return learning;
}

/* Runs the policy. Uses no interpreter. (transfer full) (nullable) */
static GobanRun *
place (GobanLuaHost *host, GobanCostModel *costs, const char *policy, GobanRunOptions options,
       GError **error)
{
  g_autofree char *expression = NULL;
  GobanRun *run;

  /* A plan that it starts from is whatever the script made it. */
  if (options.start == NULL)
    options.expression = expression = goban_log_policy (policy, &options);
  run = goban_run_new_from_policy (costs, policy, &options, error);
  if (!host->is_threaded && options.learning != NULL)
    goban_training_list_add_learning (G_OBJECT (host->session), policy, options.learning);
  if (run == NULL && *options.finish && host->left == NULL)
    host->left = g_strdup_printf (_ ("%s had no plan yet, nothing is kept"), policy);
  return run;
}

typedef struct
{
  GobanSession *session;
  GobanGraph *graph;
  GobanRunOptions *options;
} Pinned;

/* Only the open graph has pinned nodes. */
static void
take_pinned_cb (gpointer data)
{
  Pinned *self = data;
  GobanRun *run = goban_session_get_current_run (self->session);

  if (run == NULL || goban_run_get_graph (run) != self->graph)
    return;
  self->options->pinned = goban_selection_ref (goban_session_get_pinned (self->session));
  self->options->pinned_by = goban_plan_ref (goban_run_get_plan (run));
}

void
goban_lua_set_pinned (lua_State *L, GobanGraph *graph, GobanRunOptions *options)
{
  Pinned pinned = { goban_lua_get_session (L), graph, options };

  goban_lua_on_main (goban_lua_get_host (L), take_pinned_cb, &pinned);
}

void
goban_lua_warn_of_settings (lua_State *L, const char *const *policies, const char *settings)
{
  g_autoptr (GError) error = NULL;

  if (!goban_policies_check_settings (policies, settings, &error))
    goban_lua_warn (L, error->message);
}

/* Warns of options that the policy does not use: they are passed over, so that a script can give
 * several policies the same ones. Decision E57 (engine/NOTES.md). */
static void
warn_of_unused (lua_State *L, const char *policy, const GobanLuaPlaceOptions *options)
{
  GobanPolicyInfo info;

  goban_lua_warn_of_settings (L, (const char *const[]){ policy, NULL }, options->settings);
  if (!goban_policy_find (policy, &info, NULL) || info.has_tasks)
    return;
  if (options->tasks != NULL)
    goban_lua_warn (L, lua_pushfstring (L, "%s does not use opts.tasks", policy));
  if (options->network != NULL)
    goban_lua_warn (L, lua_pushfstring (L, "%s does not use opts.network", policy));
}

int
goban_lua_place (lua_State *L, const char *policy, GobanGraph *graph, int index)
{
  GobanLuaPlaceOptions options = { 0 };
  GobanCluster *cluster = goban_lua_check_place_options (L, index, graph, &options);
  GobanExecution execution
      = options.contention_free ? GOBAN_EXECUTION_CONTENTION_FREE : GOBAN_EXECUTION_EVENTS;
  GobanTasks decisions = goban_lua_check_tasks (L, options.tasks);
  GobanLuaHost *host = goban_lua_get_host (L);
  GobanLuaSearch search;
  GobanRunOptions own;
  GobanCostModel *costs;
  GobanLuaPlan *self;
  GError *error = NULL;
  GobanRun *run;
  char *name;

  warn_of_unused (L, policy, &options);
  self = goban_lua_push_empty_plan (L);
  costs = goban_lua_dup_costs (L, graph, cluster, execution);
  own = goban_lua_dup_run_options (L, &options);
  own.decisions = decisions;
  if (options.pinned)
    goban_lua_set_pinned (L, graph, &own);
  own.learning = watch_learning (host, policy);
  name = g_strdup (policy);
  goban_lua_begin_search (L, &search, &own);
  run = place (host, costs, name, own, &error);
  goban_lua_end_work (L, &error);
  g_free (name);
  goban_run_options_clear (&own);
  goban_cost_model_unref (costs);
  if (run == NULL)
    return goban_lua_fail (L, error);
  self->plan = goban_plan_ref (goban_run_get_plan (run));
  self->costs = goban_cost_model_ref (goban_run_get_costs (run));
  self->is_shared = TRUE;
  self->recipe = g_strdup (goban_run_get_origin (run)->expression);
  self->n_evaluations = goban_run_get_origin (run)->evaluations;
  goban_lua_keep_decisions (L, goban_run_get_decisions (run), goban_run_get_origin (run)->request);
  goban_lua_leave_plan (L, run);
  goban_run_unref (run);
  goban_lua_charge_plan (L, -1, goban_cost_model_get_graph (self->costs));
  return 1;
}

/* plan.heft and its like. Data: the policy's name. */
static int
plan_place (lua_State *L)
{
  return goban_lua_place (L, goban_lua_get_data (L), goban_lua_check_graph (L, 1), 2);
}

/* With a device's name, everything on that one; else the policy chooses. */
static int
plan_single (lua_State *L)
{
  GobanGraph *graph = goban_lua_check_graph (L, 1);
  GobanCluster *cluster;
  guint n_nodes = goban_graph_get_n_nodes (graph);
  GobanDeviceId device;
  GobanLuaPlan *self;

  if (lua_type (L, 2) != LUA_TSTRING)
    return goban_lua_place (L, "single", graph, 2);

  cluster = goban_lua_opt_cluster_for (L, lua_isnoneornil (L, 3) ? 0 : 3, graph);
  device = goban_lua_check_device (L, 2, cluster);
  self = goban_lua_push_new_plan (L, graph, cluster);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    goban_plan_set_device (self->plan, v, device);
  goban_plan_set_policy (self->plan, "single");
  self->recipe = g_strdup_printf ("plan.single(g, \"%s\")",
                                  goban_cluster_get_device (cluster, device)->name);
  return 1;
}

gpointer *
goban_lua_push_policies (lua_State *L, gsize *n)
{
  gpointer *kept = goban_lua_push_kept (L, g_free);

  *kept = goban_policies (n); /* their strings are static */
  return kept;
}

/* plan.tf_default for "tf-default": a name a script can write after a dot. */
void
goban_lua_add_place (lua_State *L, const char *policy, const char *blurb)
{
  lua_pushglobaltable (L);
  goban_lua_raw_field (L, -1, "plan");
  lua_remove (L, -2);
  if (!lua_istable (L, -1))
    luaL_error (L, "plan is not the module any more; app.reset() restores it");
  luaL_gsub (L, policy, "-", "_");
  lua_pushfstring (L, "plan.%s", lua_tostring (L, -1));
  lua_pushfstring (L, "%c%s; opts: cluster, seed, evals, seconds, tasks.", g_ascii_toupper (*blurb),
                   blurb + 1);
  goban_lua_add_doc (L, lua_tostring (L, -2), lua_tostring (L, -2), "(g, seed, cluster or opts)",
                     lua_tostring (L, -1), NULL);
  lua_pop (L, 2);
  goban_lua_push_bound (L, &(luaL_Reg){ "", plan_place }, policy);
  lua_rawset (L, -3);
  lua_pop (L, 1);
}

static void
add_policies (lua_State *L)
{
  gsize n;
  gpointer *kept = goban_lua_push_policies (L, &n);
  const GobanPolicyInfo *policies = *kept;

  for (gsize i = 0; i < n; i++)
    if (!g_str_equal (policies[i].name, "single"))
      goban_lua_add_place (L, policies[i].name, policies[i].blurb);
  g_clear_pointer (kept, g_free);
  lua_pop (L, 1);
}

/* Not among the policies: only graphs of recorded runs have lanes. */
static int
plan_recorded (lua_State *L)
{
  return goban_lua_place (L, "recorded", goban_lua_check_graph (L, 1), 2);
}

static const GobanLuaEntry functions[] = {
  GOBAN_LUA_FUNCTION ("recorded", plan_recorded, "(g, opts)",
                      "Of a graph of a recorded run: each op on its lane, in the recorded order.",
                      "view.show(sim.run(plan.recorded(g)))"),
  GOBAN_LUA_FUNCTION ("single", plan_single, "(g, device, cluster)",
                      "Everything on one device; the policy chooses which where none is said.",
                      "p = plan.single(g, \"gpu:0\")"),
  { NULL },
};

void
goban_lua_open_place (lua_State *L)
{
  goban_lua_module (L, "plan", functions);
  add_policies (L);
}
