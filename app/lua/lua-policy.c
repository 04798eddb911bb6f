/* lua-policy.c: module policy, and the state a policy written in Lua decides on.
 *
 * Such a policy is asked once per node, in topological order; the state is a greedy plan.
 */
#include "app/lua/lua-policy.h"

#include "app/lua/lua-cluster.h"
#include "app/lua/lua-graph.h"
#include "app/lua/lua-handle.h"
#include "app/lua/lua-node.h"
#include "app/lua/lua-place.h"
#include "app/lua/lua-plan.h"
#include "app/lua/lua-prelude.h"
#include "app/lua/lua-put.h"
#include "app/lua/lua-query.h"
#include "app/lua/lua-seen.h"
#include "app/lua/lua-value.h"

#include "engine/run/greedy-plan.h"
#include "engine/run/run.h"

#include <string.h>

static const GobanLuaType policy_type;
static const GobanLuaType state_type;

/* --- the state ----------------------------------------------------------------------------- */

static GobanGreedyPlan *
check_state (lua_State *L)
{
  return goban_lua_check_pointer (L, 1, &state_type);
}

static GobanGraph *
graph_of (const GobanGreedyPlan *plan)
{
  return goban_cost_model_get_graph (goban_greedy_plan_get_costs (plan));
}

static GobanCluster *
cluster_of (const GobanGreedyPlan *plan)
{
  return goban_cost_model_get_cluster (goban_greedy_plan_get_costs (plan));
}

/* The node at 2 and the device at 3. */
static GobanNodeId
check_place (lua_State *L, const GobanGreedyPlan *plan, GobanDeviceId *device)
{
  GobanNodeId node = goban_lua_check_node_of (L, 2, graph_of (plan));

  *device = goban_lua_check_device (L, 3, cluster_of (plan));
  return node;
}

static void
push_state (lua_State *L, GobanGraph *graph, GobanCluster *cluster, const char *policy)
{
  GobanGreedyPlan **state = goban_lua_push_handle (L, &state_type, 0);
  GobanCostModel *costs = goban_lua_dup_costs (L, graph, cluster, FALSE);

  *state = goban_greedy_plan_new (costs, policy);
  goban_cost_model_unref (costs);
}

static int
state_free_at (lua_State *L)
{
  GobanGreedyPlan *plan = check_state (L);
  GobanDeviceId device = goban_lua_check_device (L, 2, cluster_of (plan));

  lua_pushnumber (L, goban_greedy_plan_get_free_us (plan, device) / 1e6);
  return 1;
}

static int
state_inputs_at (lua_State *L)
{
  GobanGreedyPlan *plan = check_state (L);
  GobanDeviceId device;
  GobanNodeId node = check_place (L, plan, &device);

  lua_pushnumber (L, goban_greedy_plan_get_inputs_us (plan, node, device) / 1e6);
  return 1;
}

static int
state_fits (lua_State *L)
{
  GobanGreedyPlan *plan = check_state (L);
  GobanDeviceId device;
  GobanNodeId node = check_place (L, plan, &device);

  lua_pushboolean (L, goban_greedy_plan_fits (plan, node, device));
  return 1;
}

static int
state_assign (lua_State *L)
{
  GobanGreedyPlan *plan = check_state (L);
  GobanDeviceId device;
  GobanNodeId node = check_place (L, plan, &device);
  GError *error = NULL;

  return goban_greedy_plan_assign (plan, node, device, &error) ? 0 : goban_lua_raise (L, error);
}

/* The decisions so far as a plan; or nil and why it is not a valid one. */
static int
state_plan (lua_State *L)
{
  GobanGreedyPlan *greedy = check_state (L);
  GobanLuaPlan *self = goban_lua_push_empty_plan (L);
  GError *error = NULL;

  self->plan = goban_greedy_plan_copy_plan (greedy, &error);
  if (self->plan == NULL)
    return goban_lua_fail (L, error);
  self->costs = goban_cost_model_ref (goban_greedy_plan_get_costs (greedy));
  self->is_shared = TRUE;
  goban_lua_charge_plan (L, -1, graph_of (greedy));
  return 1;
}

static int
state_nodes (lua_State *L)
{
  return goban_lua_query (L, 2, goban_greedy_plan_get_costs (check_state (L)), NULL);
}

static int
get_devices (lua_State *L)
{
  GobanCluster *cluster = cluster_of (check_state (L));
  guint n = goban_cluster_get_n_devices (cluster);

  lua_createtable (L, n, 0);
  for (guint i = 0; i < n; i++)
    {
      lua_pushstring (L, goban_cluster_get_device (cluster, i)->name);
      lua_rawseti (L, -2, i + 1);
    }
  return 1;
}

/* --- policies ------------------------------------------------------------------------------ */

/* Pushes the prelude's table of policies written in Lua, and the one of that name or nil. */
static int
push_scripted (lua_State *L, const char *name)
{
  goban_lua_push_prelude (L, "policies");
  return lua_getfield (L, -1, name);
}

static int
policy_get (lua_State *L)
{
  const char *name = luaL_checkstring (L, 1);
  char **policy;

  if (push_scripted (L, name) == LUA_TNIL && !goban_policy_exists (name, NULL))
    {
      lua_pushnil (L);
      lua_pushfstring (L, "there is no policy '%s'; policy.list() tells those there are", name);
      return 2;
    }

  policy = goban_lua_push_handle (L, &policy_type, 0);
  *policy = g_strdup (name);
  return 1;
}

static void
push_row (lua_State *L, const GobanPolicyInfo *row)
{
  lua_createtable (L, 0, 6);
  goban_lua_put_text (L, "name", row->name);
  goban_lua_put_text (L, "blurb", row->blurb);
  goban_lua_put_text (L, "about", row->about);
  goban_lua_put_text (L, "source", row->source);
  goban_lua_put_text (L, "effort", row->effort);
  goban_lua_put_integer (L, "evals", row->default_evaluations);
}

static int
policy_list (lua_State *L)
{
  GobanPolicyInfo rows[GOBAN_LUA_MAX_POLICIES];
  gsize n = goban_lua_copy_policies (rows);
  lua_Integer i = 0;

  lua_newtable (L);
  for (gsize k = 0; k < n; k++)
    {
      push_row (L, &rows[k]);
      lua_rawseti (L, -2, ++i);
    }

  goban_lua_push_prelude (L, "policies"); /* list policies */
  for (lua_pushnil (L); lua_next (L, -2) != 0; lua_pop (L, 1))
    {
      const GobanPolicyInfo row = { .name = lua_tostring (L, -2),
                                    .blurb = "written in Lua",
                                    .about = "",
                                    .source = "this session",
                                    .effort = "quick" };

      push_row (L, &row);
      lua_rawseti (L, -5, ++i);
    }
  lua_pop (L, 1);
  return 1;
}

static int
policy_register (lua_State *L)
{
  const char *name = luaL_checkstring (L, 1);

  luaL_checktype (L, 2, LUA_TFUNCTION);
  luaL_argcheck (L, *name != '\0' && strchr (name, ',') == NULL, 1,
                 "a name without commas is needed");
  luaL_argcheck (L, !goban_policy_exists (name, NULL), 1, "a built-in policy has this name");
  goban_lua_push_prelude (L, "policies");
  lua_pushvalue (L, 2);
  lua_setfield (L, -2, name);
  return 0;
}

static int
return_all (lua_State *L, int status, lua_KContext context)
{
  return lua_gettop (L) - context;
}

typedef struct
{
  int cluster;
  gint64 seed;
  gint64 evals;
  double seconds;
  const char *tasks;
} DecideOptions;

static const GobanLuaOption decide_options[] = {
  { "cluster", GOBAN_LUA_ANY, G_STRUCT_OFFSET (DecideOptions, cluster) },
  { "seed", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (DecideOptions, seed) },
  { "evals", GOBAN_LUA_INTEGER, G_STRUCT_OFFSET (DecideOptions, evals) },
  { "seconds", GOBAN_LUA_NUMBER, G_STRUCT_OFFSET (DecideOptions, seconds) },
  { "tasks", GOBAN_LUA_STRING, G_STRUCT_OFFSET (DecideOptions, tasks) },
  { NULL },
};

/* The prelude walks the nodes, so that a pause of the host's can fall between any two. */
static int
policy_decide (lua_State *L)
{
  const char *policy = goban_lua_check_pointer (L, 1, &policy_type);
  GobanGraph *graph = goban_lua_check_graph (L, 2);
  DecideOptions options = { 0 };
  int base;

  if (push_scripted (L, policy) == LUA_TNIL)
    {
      lua_pop (L, 2);
      return goban_lua_place (L, policy, graph, 3);
    }

  base = lua_gettop (L); /* ... policies function */
  if (lua_isnoneornil (L, 3) || base == 4)
    lua_pushnil (L);
  else
    lua_pushvalue (L, 3);
  goban_lua_check_options (L, base + 1, "opts", decide_options, &options);

  goban_lua_push_prelude (L, "decide");
  lua_pushvalue (L, base);
  push_state (L, graph, goban_lua_opt_cluster_for (L, options.cluster, graph), policy);
  base = lua_gettop (L) - 3;
  lua_callk (L, 2, LUA_MULTRET, base, return_all);
  return return_all (L, LUA_OK, base);
}

static int
get_name (lua_State *L)
{
  lua_pushstring (L, goban_lua_check_pointer (L, 1, &policy_type));
  return 1;
}

static int
policy_tostring (lua_State *L)
{
  const char *policy = goban_lua_check_pointer (L, 1, &policy_type);

  lua_pushfstring (L, "Policy %s%s", policy,
                   goban_policy_exists (policy, NULL) ? "" : ", written in Lua");
  return 1;
}

static int
state_tostring (lua_State *L)
{
  GobanGreedyPlan *plan = check_state (L);

  lua_pushfstring (L, "State: %d of %d nodes placed", (int) goban_greedy_plan_get_n_placed (plan),
                   (int) goban_graph_get_n_nodes (graph_of (plan)));
  return 1;
}

static const luaL_Reg policy_methods[] = {
  { "decide", policy_decide },
  { NULL, NULL },
};

static const GobanLuaField policy_fields[] = {
  GOBAN_LUA_FIELD ("name", FUNCTION, get_name, "Its name.", "policy.get \"heft\".name"),
  { NULL },
};

static const luaL_Reg policy_meta[] = {
  { "__tostring", policy_tostring },
  { NULL, NULL },
};

static const GobanLuaType policy_type = {
  .name = "Policy",
  .variable = "policy",
  .free = g_free,
  .methods = policy_methods,
  .fields = policy_fields,
  .meta = policy_meta,
};

static const luaL_Reg state_methods[] = {
  { "assign", state_assign },
  { "fits", state_fits },
  { "free_at", state_free_at },
  { "inputs_at", state_inputs_at },
  { "nodes", state_nodes },
  { "plan", state_plan },
  { NULL, NULL },
};

static const GobanLuaField state_fields[] = {
  GOBAN_LUA_FIELD ("devices", FUNCTION, get_devices, "The devices' names, a list.",
                   "state.devices[1]"),
  { NULL },
};

static const luaL_Reg state_meta[] = {
  { "__tostring", state_tostring },
  { NULL, NULL },
};

static const GobanLuaType state_type = {
  .name = "State",
  .variable = "state",
  .free = (GDestroyNotify) goban_greedy_plan_free,
  .methods = state_methods,
  .fields = state_fields,
  .meta = state_meta,
};

static const luaL_Reg functions[] = {
  { "get", policy_get },
  { "list", policy_list },
  { "register", policy_register },
  { NULL, NULL },
};

void
goban_lua_open_policy (lua_State *L)
{
  goban_lua_register (L, &policy_type);
  goban_lua_register (L, &state_type);
  goban_lua_module (L, "policy", functions);
}
