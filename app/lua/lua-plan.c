/* lua-plan.c: module plan: one function per policy, plans from files, and plans edited by hand.
 *
 * A plan in Lua knows its graph and cluster. Once it has been simulated somebody else has it,
 * so the next change makes a copy first.
 */
#include "app/lua/lua-modules.h"
#include "app/lua/lua-private.h"

#include "engine/run/run.h"
#include "engine/session/log-lines.h"

#include <string.h>

static const GobanLuaType plan_type;

static void
clear_plan (gpointer value)
{
  GobanLuaPlan *self = value;

  g_clear_pointer (&self->plan, goban_plan_unref);
  g_clear_pointer (&self->costs, goban_cost_model_unref);
  g_clear_pointer (&self->recipe, g_free);
  g_clear_pointer (&self->decisions, goban_decision_log_unref);
  g_clear_pointer (&self->record, goban_placement_record_unref);
}

void
goban_lua_push_plan (lua_State *L, GobanPlan *plan, GobanCostModel *costs)
{
  GobanLuaPlan *self = goban_lua_push_handle (L, &plan_type, 0);

  self->plan = goban_plan_ref (plan);
  self->costs = goban_cost_model_ref (costs);
  self->is_shared = TRUE;
}

GobanLuaPlan *
goban_lua_check_plan (lua_State *L, int index)
{
  return goban_lua_check_handle (L, index, &plan_type);
}

GobanLuaPlan *
goban_lua_test_plan (lua_State *L, int index)
{
  return goban_lua_test_handle (L, index, &plan_type);
}

static GobanGraph *
graph_of (const GobanLuaPlan *self)
{
  return goban_cost_model_get_graph (self->costs);
}

static GobanCluster *
cluster_of (const GobanLuaPlan *self)
{
  return goban_cost_model_get_cluster (self->costs);
}

GobanCostModel *
goban_lua_dup_costs (lua_State *L, GobanGraph *graph, GobanCluster *cluster,
                     GobanExecution execution)
{
  GobanCostModel *costs = goban_lua_get_costs (L, graph);

  if (goban_cost_model_get_cluster (costs) == cluster && execution == GOBAN_EXECUTION_EVENTS)
    return goban_cost_model_ref (costs);

  return goban_cost_model_new (graph, cluster, execution);
}

GobanExecution
goban_lua_check_execution (lua_State *L, const char *model, gboolean contention_free)
{
  GobanExecution execution
      = contention_free ? GOBAN_EXECUTION_CONTENTION_FREE : GOBAN_EXECUTION_EVENTS;
  GError *error = NULL;

  if (model != NULL && !goban_execution_from_name (model, &execution, &error))
    goban_lua_raise (L, error);
  return execution;
}

GobanDecisions
goban_lua_check_tasks (lua_State *L, const char *tasks)
{
  GobanDecisions decisions = 0;
  GError *error = NULL;

  if (tasks != NULL && !goban_decisions_parse (tasks, &decisions, &error))
    goban_lua_raise (L, error);
  return decisions;
}

/* --- placing ------------------------------------------------------------------------------------- */

typedef struct
{
  GobanCostModel *costs;
  char *policy;
  GobanRunOptions options;
} Placing;

static void
free_placing (gpointer data)
{
  Placing *placing = data;

  goban_cost_model_unref (placing->costs);
  goban_lua_clear_run_options (&placing->options);
  g_free (placing->policy);
  g_free (placing);
}

static gpointer
run_placing (const GobanProgress *progress, gpointer data, GError **error)
{
  Placing *placing = data;

  placing->options.progress = progress;
  GobanRun *run
      = goban_run_new_from_policy (placing->costs, placing->policy, &placing->options, error);
  char *recipe;

  if (run == NULL)
    return NULL;

  /* A plan that it starts from is whatever the script made it. */
  if (placing->options.start != NULL)
    return run;
  recipe = goban_log_policy (placing->policy, &placing->options);
  goban_lua_set_recipe (run, recipe);
  g_free (recipe);
  return run;
}

void
goban_lua_keep_decisions (lua_State *L, const GobanDecisionLog *decisions,
                          GobanPlacementRecord *record)
{
  GobanLuaPlan *self = lua_touserdata (L, -1);

  if (decisions != NULL)
    self->decisions = goban_decision_log_ref ((GobanDecisionLog *) decisions);
  if (record != NULL)
    self->record = goban_placement_record_ref (record);
}

static int
finish_placing (lua_State *L, gpointer result)
{
  GobanLuaPlan *self = lua_touserdata (L, -1);
  GobanRun *run = result;

  self->plan = goban_plan_ref (goban_run_get_plan (run));
  self->costs = goban_cost_model_ref (goban_run_get_costs (run));
  self->is_shared = TRUE;
  self->recipe = g_strdup (goban_lua_get_recipe (run));
  goban_lua_keep_decisions (L, goban_run_get_decisions (run), goban_run_get_record (run));
  g_object_unref (run);
  goban_lua_charge_plan (L, -1, goban_cost_model_get_graph (self->costs));
  return 1;
}

static const GobanLuaOption place_options[] = {
  { "cluster", GOBAN_LUA_ANY, G_STRUCT_OFFSET (GobanLuaPlaceOptions, cluster) },
  { "seed", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (GobanLuaPlaceOptions, seed) },
  { "evals", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (GobanLuaPlaceOptions, evals) },
  { "seconds", GOBAN_LUA_NUMBER, G_STRUCT_OFFSET (GobanLuaPlaceOptions, seconds) },
  { "tasks", GOBAN_LUA_STRING, G_STRUCT_OFFSET (GobanLuaPlaceOptions, tasks) },
  { "contention_free", GOBAN_LUA_BOOLEAN, G_STRUCT_OFFSET (GobanLuaPlaceOptions, contention_free) },
  { "model", GOBAN_LUA_STRING, G_STRUCT_OFFSET (GobanLuaPlaceOptions, model) },
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
  GobanRunOptions run = {
    .seed = options->seed,
    .max_evaluations = options->evals,
    .max_seconds = options->seconds,
    .network = g_strdup (options->network),
    .settings = g_strdup (options->settings),
  };

  if (options->start != 0)
    {
      GobanLuaPlan *start = goban_lua_test_plan (L, options->start);

      start->is_shared = TRUE;
      run.start = goban_plan_ref (start->plan);
    }
  return run;
}

void
goban_lua_clear_run_options (GobanRunOptions *options)
{
  g_free ((char *) options->network);
  g_free ((char *) options->settings);
  g_clear_pointer (&options->start, goban_plan_unref);
  g_clear_pointer (&options->pinned, goban_selection_unref);
  g_clear_pointer (&options->pinned_by, goban_plan_unref);
}

typedef struct
{
  GobanSession *session;
  GobanGraph *graph;
  GobanRunOptions *options;
} Pinned;

/* Of the open graph alone; another has no pinned nodes. */
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

int
goban_lua_place (lua_State *L, const char *policy, GobanGraph *graph, int index)
{
  GobanLuaPlaceOptions options = { 0 };
  GobanCluster *cluster = goban_lua_check_place_options (L, index, graph, &options);
  GobanExecution execution = goban_lua_check_execution (L, options.model, options.contention_free);
  GobanDecisions decisions = goban_lua_check_tasks (L, options.tasks);
  Placing *placing;

  goban_lua_push_handle (L, &plan_type, 0);
  placing = g_new0 (Placing, 1);
  placing->costs = goban_lua_dup_costs (L, graph, cluster, execution);
  placing->policy = g_strdup (policy);
  placing->options = goban_lua_dup_run_options (L, &options);
  placing->options.decisions = decisions;
  if (options.pinned)
    {
      Pinned pinned = { goban_lua_get_session (L), graph, &placing->options };

      goban_lua_on_main (goban_lua_get_host (L), take_pinned_cb, &pinned);
    }
  return goban_lua_work (L, &(GobanLuaWork){ .title = policy,
                                             .run = run_placing,
                                             .data = placing,
                                             .free_data = free_placing,
                                             .free_result = g_object_unref,
                                             .finish = finish_placing });
}

/* plan.heft and its like. Data: the policy's name. */
static int
plan_place (lua_State *L)
{
  return goban_lua_place (L, goban_lua_get_data (L), goban_lua_check_graph (L, 1), 2);
}

/* --- making ----------------------------------------------------------------------------------------- */

/* Pushes a plan of all nodes on device 0. */
static GobanLuaPlan *
push_new (lua_State *L, GobanGraph *graph, GobanCluster *cluster)
{
  GobanLuaPlan *self = goban_lua_push_handle (L, &plan_type, 0);

  self->plan = goban_plan_new (graph, goban_cluster_get_n_devices (cluster));
  self->costs = goban_lua_dup_costs (L, graph, cluster, FALSE);
  goban_plan_set_policy (self->plan, "by hand");
  goban_lua_charge_plan (L, -1, graph);
  return self;
}

static int
plan_new (lua_State *L)
{
  GobanGraph *graph = goban_lua_check_graph (L, 1);

  push_new (L, graph, goban_lua_opt_cluster_for (L, 2, graph));
  return 1;
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
  self = push_new (L, graph, cluster);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    goban_plan_set_device (self->plan, v, device);
  goban_plan_set_policy (self->plan, "single");
  self->recipe = g_strdup_printf ("plan.single(g, \"%s\")",
                                  goban_cluster_get_device (cluster, device)->name);
  return 1;
}

static int
plan_load (lua_State *L)
{
  const char *path = luaL_checkstring (L, 1);
  GobanGraph *graph
      = lua_isnoneornil (L, 2) ? goban_lua_look (L)->graph : goban_lua_check_graph (L, 2);
  GobanCluster *cluster;
  GobanLuaPlan *self;
  GError *error = NULL;

  luaL_argcheck (L, graph != NULL, 2, "no graph is open; say which graph the plan is for");
  cluster = goban_lua_opt_cluster_for (L, 3, graph);
  self = goban_lua_push_handle (L, &plan_type, 0);
  self->costs = goban_lua_dup_costs (L, graph, cluster, FALSE);
  self->plan = goban_plan_load (path, self->costs, &error);
  if (self->plan != NULL)
    {
      char *quoted = goban_log_path (path);

      self->recipe = g_strdup_printf ("plan.load(%s, g)", quoted);
      g_free (quoted);
      return 1;
    }

  g_clear_pointer (&self->costs, goban_cost_model_unref);
  return goban_lua_fail (L, error);
}

/* --- methods --------------------------------------------------------------------------------------- */

static int
plan_copy (lua_State *L)
{
  GobanLuaPlan *self = goban_lua_check_plan (L, 1);

  self->is_shared = TRUE; /* both have it: whichever changes first makes a copy */
  goban_lua_push_plan (L, self->plan, self->costs);
  goban_lua_check_plan (L, -1)->recipe = g_strdup (self->recipe);
  goban_lua_keep_decisions (L, self->decisions, self->record);
  goban_lua_charge_plan (L, -1, graph_of (self)); /* it is copied when it is changed */
  return 1;
}

static int
plan_save (lua_State *L)
{
  GobanLuaPlan *self = goban_lua_check_plan (L, 1);
  const char *path = luaL_checkstring (L, 2);
  GError *error = NULL;

  if (!goban_lua_may_write (L, path, &error)
      || !goban_plan_save (self->plan, self->costs, path, &error))
    return goban_lua_fail (L, error);

  lua_pushboolean (L, TRUE);
  return 1;
}

static int
plan_check (lua_State *L)
{
  GobanLuaPlan *self = goban_lua_check_plan (L, 1);
  GError *error = NULL;

  if (!goban_fusing_check (self->plan, self->costs, &error))
    return goban_lua_fail (L, error);

  lua_pushboolean (L, TRUE);
  return 1;
}

static int
plan_device (lua_State *L)
{
  GobanLuaPlan *self = goban_lua_check_plan (L, 1);
  GobanNodeId node = goban_lua_check_node_of (L, 2, graph_of (self));
  GobanDeviceId device = goban_plan_get_device (self->plan, node);

  lua_pushstring (L, goban_cluster_get_device (cluster_of (self), device)->name);
  return 1;
}

static void
prepare_change (GobanLuaPlan *self)
{
  GobanPlan *copy;

  g_clear_pointer (&self->recipe, g_free);
  g_clear_pointer (&self->decisions, goban_decision_log_unref);
  g_clear_pointer (&self->record, goban_placement_record_unref);
  if (!self->is_shared)
    return;

  copy = goban_plan_copy (self->plan);
  goban_plan_set_policy (copy, "by hand");
  goban_plan_unref (self->plan);
  self->plan = copy;
  self->is_shared = FALSE;
}

/* Checks that @index is a set, a node or a node's name of the plan's graph. */
static void
check_target (lua_State *L, int index, GobanGraph *graph)
{
  GobanLuaSet *set = goban_lua_test_set (L, index);

  if (set == NULL)
    goban_lua_check_node_of (L, index, graph);
  else
    luaL_argcheck (L, goban_cost_model_get_graph (set->costs) == graph, index,
                   "it is a set of another graph");
}

typedef void (*Change) (GobanPlan *plan, GobanNodeId node, int value);

static void
change_device (GobanPlan *plan, GobanNodeId node, int value)
{
  goban_plan_set_device (plan, node, value);
}

static void
change_priority (GobanPlan *plan, GobanNodeId node, int value)
{
  goban_plan_set_priority (plan, node, value);
}

/* Returns the plan, so that changes can be chained. */
static int
change (lua_State *L, GobanLuaPlan *self, Change apply, int value)
{
  GobanLuaSet *set = goban_lua_test_set (L, 2);

  check_target (L, 2, graph_of (self));
  prepare_change (self);
  if (set == NULL)
    apply (self->plan, goban_lua_check_node_of (L, 2, graph_of (self)), value);
  for (guint i = 0; set != NULL && i < set->n; i++)
    apply (self->plan, set->ids[i], value);

  lua_settop (L, 1);
  return 1;
}

static int
plan_move (lua_State *L)
{
  GobanLuaPlan *self = goban_lua_check_plan (L, 1);

  return change (L, self, change_device, goban_lua_check_device (L, 3, cluster_of (self)));
}

static int
plan_prio (lua_State *L)
{
  GobanLuaPlan *self = goban_lua_check_plan (L, 1);
  lua_Integer priority;

  if (lua_isnoneornil (L, 3))
    {
      GobanNodeId node = goban_lua_check_node_of (L, 2, graph_of (self));

      lua_pushinteger (L, goban_plan_get_priority (self->plan, node));
      return 1;
    }

  priority = luaL_checkinteger (L, 3);
  luaL_argcheck (L, priority >= G_MININT32 && priority <= G_MAXINT32, 3, "it is too large");
  return change (L, self, change_priority, priority);
}

/* --- fusion ------------------------------------------------------------------------------ */

/* plan:fuse_default() and plan:unfuse(): return the plan, so that changes can be chained. */
static int
apply_fusing (lua_State *L, GobanFusing fusing)
{
  GobanLuaPlan *self = goban_lua_check_plan (L, 1);
  GobanPlan *fused;

  prepare_change (self);
  fused = goban_fusing_apply (fusing, self->costs, self->plan);
  goban_plan_unref (self->plan);
  self->plan = fused;
  lua_settop (L, 1);
  return 1;
}

static int
plan_fuse_default (lua_State *L)
{
  return apply_fusing (L, GOBAN_FUSE_DEFAULT);
}

static int
plan_unfuse (lua_State *L)
{
  return apply_fusing (L, GOBAN_FUSE_NONE);
}

static void
change_fusion (GobanPlan *plan, GobanNodeId node, int value)
{
  goban_plan_set_fusion (plan, node, value);
}

/* plan:fusion(node): its number, or nil; plan:fusion(nodes, number or false). */
static int
plan_fusion (lua_State *L)
{
  GobanLuaPlan *self = goban_lua_check_plan (L, 1);
  lua_Integer number;

  if (lua_isnone (L, 3))
    {
      GobanNodeId node = goban_lua_check_node_of (L, 2, graph_of (self));
      gint32 fusion = goban_plan_get_fusions (self->plan)[node];

      if (fusion == GOBAN_NO_FUSION)
        lua_pushnil (L);
      else
        lua_pushinteger (L, fusion);
      return 1;
    }
  if (lua_isboolean (L, 3) && !lua_toboolean (L, 3))
    return change (L, self, change_fusion, GOBAN_NO_FUSION);

  number = luaL_checkinteger (L, 3);
  luaL_argcheck (L, number >= 0 && number <= G_MAXINT32, 3, "it must be 0 or more, or false");
  return change (L, self, change_fusion, (int) number);
}

static int
get_kernels (lua_State *L)
{
  lua_pushinteger (L, goban_fusing_count_kernels (goban_lua_check_plan (L, 1)->plan));
  return 1;
}

/* --- fields ----------------------------------------------------------------------------------------- */

static int
get_graph (lua_State *L)
{
  goban_lua_push_graph (L, graph_of (goban_lua_check_plan (L, 1)));
  return 1;
}

static int
get_cluster (lua_State *L)
{
  goban_lua_push_cluster (L, cluster_of (goban_lua_check_plan (L, 1)));
  return 1;
}

static int
get_policy (lua_State *L)
{
  lua_pushstring (L, goban_plan_get_policy (goban_lua_check_plan (L, 1)->plan));
  return 1;
}

static int
get_order (lua_State *L)
{
  GobanLuaPlan *self = goban_lua_check_plan (L, 1);

  lua_pushstring (L, goban_plan_get_order (self->plan) == GOBAN_ORDER_FIFO ? "fifo" : "priority");
  return 1;
}

static int
set_order (lua_State *L)
{
  static const char *const names[] = { "fifo", "priority", NULL };
  GobanLuaPlan *self = goban_lua_check_plan (L, 1);
  int order = luaL_checkoption (L, 3, NULL, names);

  prepare_change (self);
  goban_plan_set_order (self->plan, order == 0 ? GOBAN_ORDER_FIFO : GOBAN_ORDER_PRIORITY);
  return 0;
}

static int
plan_tostring (lua_State *L)
{
  GobanLuaPlan *self = goban_lua_check_plan (L, 1);
  const char *policy = goban_plan_get_policy (self->plan);

  lua_pushfstring (L, "Plan %s: %d nodes on %d devices", *policy != '\0' ? policy : "by hand",
                   (int) goban_plan_get_n_nodes (self->plan),
                   (int) goban_plan_get_n_devices (self->plan));
  return 1;
}

static const luaL_Reg methods[] = {
  { "check", plan_check },   { "copy", plan_copy },
  { "device", plan_device }, { "fuse_default", plan_fuse_default },
  { "fusion", plan_fusion }, { "move", plan_move },
  { "prio", plan_prio },     { "save", plan_save },
  { "unfuse", plan_unfuse }, { NULL, NULL },
};

static const luaL_Reg fields[] = {
  { "cluster", get_cluster }, { "graph", get_graph },   { "kernels", get_kernels },
  { "order", get_order },     { "policy", get_policy }, { NULL, NULL },
};

static const luaL_Reg setters[] = {
  { "order", set_order },
  { NULL, NULL },
};

static const luaL_Reg meta[] = {
  { "__tostring", plan_tostring },
  { NULL, NULL },
};

static const GobanLuaType plan_type = {
  .name = "Plan",
  .size = sizeof (GobanLuaPlan),
  .clear = clear_plan,
  .methods = methods,
  .fields = fields,
  .setters = setters,
  .meta = meta,
};

static const luaL_Reg functions[] = {
  { "load", plan_load },
  { "new", plan_new },
  { "single", plan_single },
  { NULL, NULL },
};

/* plan.tf_default for "tf-default": a name a script can write after a dot. */
static void
add_policies (lua_State *L)
{
  gsize n;
  GobanPolicyInfo *policies = goban_policies (&n);
  gsize n_kept = n; /* the strings are static, so the array may go before Lua raises */
  const char *names[64];

  g_assert (n <= G_N_ELEMENTS (names));
  for (gsize i = 0; i < n; i++)
    names[i] = policies[i].name;
  g_free (policies);

  lua_getglobal (L, "plan");
  for (gsize i = 0; i < n_kept; i++)
    {
      luaL_gsub (L, names[i], "-", "_");
      if (g_str_equal (names[i], "single"))
        {
          lua_pop (L, 1);
          continue;
        }
      goban_lua_push_bound (L, &(luaL_Reg){ "", plan_place }, names[i]);
      lua_rawset (L, -3);
    }
  lua_pop (L, 1);
}

void
goban_lua_open_plan (lua_State *L)
{
  goban_lua_register (L, &plan_type);
  goban_lua_module (L, "plan", functions);
  add_policies (L);
}
