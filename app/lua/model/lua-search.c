/* lua-search.c: State, a plan decided node by node, and Search, a budget of proposed plans.
 *
 * Both begin with a pointer, to the greedy plan or to the task, which closing clears: a method of a
 * closed one raises. Random numbers come from the task's seed.
 */
#include "app/lua/model/lua-search.h"

#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/model/lua-cluster.h"
#include "app/lua/model/lua-graph.h"
#include "app/lua/model/lua-node.h"
#include "app/lua/model/lua-plan.h"
#include "app/lua/model/lua-query.h"

#include "engine/core/rng.h"
#include "engine/study/programs/program-message.h"

#include <math.h>

typedef struct
{
  GobanGreedyPlan *plan;
  GobanRng rng;
  guint64 seed;
} State;

typedef struct
{
  GobanGuestTask *task; /* borrowed */
  GobanRng rng;
} Search;

static const GobanLuaType state_type;
static const GobanLuaType search_type;

/* --- random numbers and devices, as both have them ------------------------------------------ */

/* A whole number from 1 to n, or without n a number in [0, 1). */
static int
push_random (lua_State *L, GobanRng *rng)
{
  lua_Integer n = luaL_optinteger (L, 2, 0);

  if (lua_isnoneornil (L, 2))
    {
      lua_pushnumber (L, goban_rng_uniform (rng));
      return 1;
    }
  luaL_argcheck (L, n >= 1 && n <= G_MAXUINT32, 2, "a number from 1 is expected");
  lua_pushinteger (L, 1 + (lua_Integer) goban_rng_below (rng, (guint32) n));
  return 1;
}

static int
push_devices (lua_State *L, GobanCluster *cluster)
{
  guint n = goban_cluster_get_n_devices (cluster);

  lua_createtable (L, n, 0);
  for (guint i = 0; i < n; i++)
    {
      lua_pushstring (L, goban_cluster_get_device (cluster, i)->name);
      lua_rawseti (L, -2, i + 1);
    }
  return 1;
}

/* --- State ------------------------------------------------------------------------------------ */

static State *
check_state (lua_State *L)
{
  return goban_lua_check_handle (L, 1, &state_type);
}

static GobanGreedyPlan *
check_plan (lua_State *L)
{
  return check_state (L)->plan;
}

static GobanGraph *
graph_of (const GobanGreedyPlan *plan)
{
  return goban_cost_model_get_graph (plan->costs);
}

static GobanCluster *
cluster_of (const GobanGreedyPlan *plan)
{
  return goban_cost_model_get_cluster (plan->costs);
}

/* The node at 2 and the device at 3. */
static GobanNodeId
check_place (lua_State *L, const GobanGreedyPlan *plan, GobanDeviceId *device)
{
  GobanNodeId node = goban_lua_check_node_of (L, 2, graph_of (plan));

  *device = goban_lua_check_device (L, 3, cluster_of (plan));
  return node;
}

static int
state_free_at (lua_State *L)
{
  GobanGreedyPlan *plan = check_plan (L);
  GobanDeviceId device = goban_lua_check_device (L, 2, cluster_of (plan));

  lua_pushnumber (L, plan->free_us[device] / 1e6);
  return 1;
}

static int
state_inputs_at (lua_State *L)
{
  GobanGreedyPlan *plan = check_plan (L);
  GobanDeviceId device;
  GobanNodeId node = check_place (L, plan, &device);

  lua_pushnumber (L, goban_greedy_plan_get_inputs_us (plan, node, device) / 1e6);
  return 1;
}

static int
state_fits (lua_State *L)
{
  GobanGreedyPlan *plan = check_plan (L);
  GobanDeviceId device;
  GobanNodeId node = check_place (L, plan, &device);

  lua_pushboolean (L, goban_greedy_plan_fits (plan, node, device));
  return 1;
}

static int
state_assign (lua_State *L)
{
  GobanGreedyPlan *plan = check_plan (L);
  GobanDeviceId device;
  GobanNodeId node = check_place (L, plan, &device);
  GError *error = NULL;

  return goban_greedy_plan_assign (plan, node, device, &error) ? 0 : goban_lua_raise (L, error);
}

/* The decisions so far as a plan; or nil and why it is not a valid one. */
static int
state_plan (lua_State *L)
{
  GobanGreedyPlan *greedy = check_plan (L);
  GobanLuaPlan *self = goban_lua_push_empty_plan (L);
  GError *error = NULL;

  self->plan = goban_greedy_plan_copy_plan (greedy, &error);
  if (self->plan == NULL)
    return goban_lua_fail (L, error);
  self->costs = goban_cost_model_ref (greedy->costs);
  self->is_shared = TRUE;
  goban_lua_charge_plan (L, -1, graph_of (greedy));
  return 1;
}

static int
state_nodes (lua_State *L)
{
  return goban_lua_query (L, 2, check_plan (L)->costs, NULL);
}

/* For the prelude: what other programs are told of the problem, or of the next node if true, as
 * JSON. */
static int
state_observe (lua_State *L)
{
  GobanGreedyPlan *plan = check_plan (L);
  GobanNodeId next = plan->n_placed;
  gboolean is_step = lua_toboolean (L, 2);
  GPtrArray *rollouts;
  GString *line;

  if (is_step && next == goban_graph_get_n_nodes (graph_of (plan)))
    return 0;
  line = g_string_new ("{");
  rollouts = g_ptr_array_new ();
  g_ptr_array_add (rollouts, plan);
  if (is_step)
    goban_program_write_step (line, rollouts, next);
  else
    goban_program_write_graph (line, plan->costs);
  g_ptr_array_unref (rollouts);
  g_string_append_c (line, '}');
  goban_lua_take_string (L, g_string_free (line, FALSE));
  return 1;
}

static int
state_random (lua_State *L)
{
  return push_random (L, &check_state (L)->rng);
}

static int
get_devices (lua_State *L)
{
  return push_devices (L, cluster_of (check_plan (L)));
}

static int
get_state_graph (lua_State *L)
{
  goban_lua_push_graph (L, graph_of (check_plan (L)));
  return 1;
}

static int
get_state_cluster (lua_State *L)
{
  goban_lua_push_cluster (L, cluster_of (check_plan (L)));
  return 1;
}

static int
get_seed (lua_State *L)
{
  lua_pushinteger (L, (lua_Integer) check_state (L)->seed);
  return 1;
}

static int
state_tostring (lua_State *L)
{
  GobanGreedyPlan *plan = check_plan (L);
  guint n = goban_graph_get_n_nodes (graph_of (plan));

  lua_pushfstring (L, "State: %d of %d node%s placed", (int) plan->n_placed, (int) n,
                   n == 1 ? "" : "s");
  return 1;
}

static const GobanLuaEntry state_entries[] = {
  GOBAN_LUA_FUNCTION ("assign", state_assign, "(node, device)",
                      "Puts a node there; members of a group follow its first. Done for you by "
                      "decide().",
                      "state:assign(node, \"gpu:0\")"),
  GOBAN_LUA_FUNCTION ("fits", state_fits, "(node, device)",
                      "Whether the device can run the node, has the memory, and its group is not "
                      "elsewhere.",
                      "state:fits(node, d)"),
  GOBAN_LUA_FUNCTION ("free_at", state_free_at, "(device)",
                      "When the device has done what it was given.", "state:free_at \"gpu:0\""),
  GOBAN_LUA_FUNCTION ("inputs_at", state_inputs_at, "(node, device)",
                      "When a node's inputs can be on a device.", "state:inputs_at(node, d)"),
  GOBAN_LUA_FUNCTION ("nodes", state_nodes, "()", "All nodes in topological order."),
  GOBAN_LUA_FUNCTION ("observe", state_observe, "()",
                      "The same as policy.observe(nil, nil, state).",
                      "state:observe().features.free_us"),
  GOBAN_LUA_FUNCTION ("plan", state_plan, "()", "What has been decided, as a plan."),
  GOBAN_LUA_FUNCTION ("random", state_random, "(n)",
                      "A random whole number from 1 to n, or without n a number below 1; the seed "
                      "decides.",
                      "state.devices[state:random(#state.devices)]"),
  GOBAN_LUA_FIELD ("cluster", FUNCTION, get_state_cluster, "A copy of its cluster.",
                   "state.cluster:link(\"gpu:0\", \"gpu:1\").bandwidth"),
  GOBAN_LUA_FIELD ("devices", FUNCTION, get_devices, "The names of the devices, a list.",
                   "state.devices[1]"),
  GOBAN_LUA_FIELD ("graph", FUNCTION, get_state_graph, "The graph to be placed.", "#state.graph"),
  GOBAN_LUA_FIELD ("seed", FUNCTION, get_seed, "The seed that was asked for, 0 by default.",
                   "state.seed"),
  GOBAN_LUA_META ("__tostring", state_tostring),
  { NULL },
};

static const GobanLuaType state_type = {
  .name = "State",
  .variable = "state",
  .sentence = "What a policy written in Lua decides on: a schedule in the making.",
  .example = "state:free_at(d)",
  .size = sizeof (State),
  .free = (GDestroyNotify) goban_greedy_plan_free,
  .entries = state_entries,
};

/* --- Search ----------------------------------------------------------------------------------- */

static GobanGuestTask *
check_task (lua_State *L)
{
  return ((Search *) goban_lua_check_handle (L, 1, &search_type))->task;
}

static GobanGraph *
task_graph (const GobanGuestTask *task)
{
  return goban_cost_model_get_graph (task->costs);
}

static GobanCluster *
task_cluster (const GobanGuestTask *task)
{
  return goban_cost_model_get_cluster (task->costs);
}

/* The plan at 2, of the search's graph and as many devices. */
static GobanLuaPlan *
check_own_plan (lua_State *L, const GobanGuestTask *task)
{
  GobanLuaPlan *plan = goban_lua_check_plan (L, 2);

  luaL_argcheck (L, goban_cost_model_get_graph (plan->costs) == task_graph (task), 2,
                 "it is a plan of another graph");
  luaL_argcheck (
      L, goban_plan_get_n_devices (plan->plan) == goban_cluster_get_n_devices (task_cluster (task)),
      2, "it is a plan for another cluster");
  return plan;
}

static int
search_evaluate (lua_State *L)
{
  GobanGuestTask *task = check_task (L);
  GobanLuaPlan *plan = check_own_plan (L, task);
  GobanOutcome outcome;
  GError *error = NULL;

  if (!goban_guest_task_evaluate (task, plan->plan, &outcome, &error))
    return goban_lua_raise (L, error);
  lua_pushnumber (L,
                  outcome.overflow_bytes > 0 ? (lua_Number) INFINITY : outcome.makespan_us / 1e6);
  return 1;
}

static int
search_more (lua_State *L)
{
  lua_pushboolean (L, goban_guest_task_go_on (check_task (L)));
  return 1;
}

static int
search_first (lua_State *L)
{
  GobanGuestTask *task = check_task (L);
  GobanLuaPlan *self = goban_lua_push_empty_plan (L);
  GError *error = NULL;

  self->plan = goban_guest_task_new_first_plan (task, &error);
  if (self->plan == NULL)
    return goban_lua_fail (L, error);
  self->costs = goban_cost_model_ref (task->costs);
  goban_lua_charge_plan (L, -1, task_graph (task));
  return 1;
}

/* The nodes that move together: those of the node's group, or the node alone. Returns the one after
 * @member, in the order of ids, GOBAN_NO_NODE after the last; the first after GOBAN_NO_NODE. */
static GobanNodeId
next_member (GobanGraph *graph, GobanNodeId node, GobanNodeId member)
{
  guint32 group = goban_graph_get_node (graph, node)->group;
  guint n_nodes = goban_graph_get_n_nodes (graph);

  if (group == GOBAN_NO_GROUP)
    return member == node ? GOBAN_NO_NODE : node;
  for (GobanNodeId v = member == GOBAN_NO_NODE ? 0 : member + 1; v < n_nodes; v++)
    if (goban_graph_get_node (graph, v)->group == group)
      return v;
  return GOBAN_NO_NODE;
}

static gboolean
can_move (GobanCostModel *costs, GobanNodeId node, GobanDeviceId device)
{
  GobanGraph *graph = goban_cost_model_get_graph (costs);
  GobanNodeId member = GOBAN_NO_NODE;

  while ((member = next_member (graph, node, member)) != GOBAN_NO_NODE)
    if (!goban_cost_model_can_run (costs, member, device))
      return FALSE;
  return TRUE;
}

static int
search_devices (lua_State *L)
{
  GobanGuestTask *task = check_task (L);
  GobanCluster *cluster = task_cluster (task);
  GobanNodeId node = goban_lua_check_node_of (L, 2, task_graph (task));
  lua_Integer n = 0;

  lua_newtable (L);
  for (guint i = 0; i < goban_cluster_get_n_devices (cluster); i++)
    {
      if (!can_move (task->costs, node, (GobanDeviceId) i))
        continue;
      lua_pushstring (L, goban_cluster_get_device (cluster, i)->name);
      lua_rawseti (L, -2, ++n);
    }
  return 1;
}

/* (plan, node, device): returns the plan. */
static int
search_move (lua_State *L)
{
  GobanGuestTask *task = check_task (L);
  GobanLuaPlan *plan = check_own_plan (L, task);
  GobanNodeId node = goban_lua_check_node_of (L, 3, task_graph (task));
  GobanDeviceId device = goban_lua_check_device (L, 4, task_cluster (task));
  GobanNodeId member = GOBAN_NO_NODE;
  GobanPlan *own;

  if (!can_move (task->costs, node, device))
    return luaL_error (L, "%s cannot run on %s; search:devices(node) lists where it can",
                       goban_graph_get_node (task_graph (task), node)->name, lua_tostring (L, 4));
  own = goban_lua_own_plan (plan);
  while ((member = next_member (task_graph (task), node, member)) != GOBAN_NO_NODE)
    goban_plan_set_device (own, member, device);
  lua_settop (L, 2);
  return 1;
}

static int
search_nodes (lua_State *L)
{
  return goban_lua_query (L, 2, check_task (L)->costs, NULL);
}

static int
search_random (lua_State *L)
{
  check_task (L);
  return push_random (L, &((Search *) lua_touserdata (L, 1))->rng);
}

static int
search_best (lua_State *L)
{
  GobanGuestTask *task = check_task (L);
  GobanPlan *best = goban_guest_task_get_best (task);

  if (best == NULL)
    lua_pushnil (L);
  else
    goban_lua_push_plan (L, best, task->costs);
  return 1;
}

static int
get_graph (lua_State *L)
{
  goban_lua_push_graph (L, task_graph (check_task (L)));
  return 1;
}

static int
get_cluster (lua_State *L)
{
  goban_lua_push_cluster (L, task_cluster (check_task (L)));
  return 1;
}

static int
get_search_seed (lua_State *L)
{
  lua_pushinteger (L, (lua_Integer) check_task (L)->seed);
  return 1;
}

static int
get_evals (lua_State *L)
{
  lua_pushinteger (L, (lua_Integer) goban_guest_task_get_n_evaluations (check_task (L)));
  return 1;
}

static int
search_tostring (lua_State *L)
{
  lua_pushfstring (L, "Search: %I plans evaluated",
                   (LUAI_UACINT) goban_guest_task_get_n_evaluations (check_task (L)));
  return 1;
}

static const GobanLuaEntry search_entries[] = {
  GOBAN_LUA_FUNCTION ("best", search_best, "()", "The best plan so far, or nil."),
  GOBAN_LUA_FUNCTION ("devices", search_devices, "(node)",
                      "The names of the devices on which a node, with its group, can run; a pinned "
                      "one has one.",
                      "search:devices(node)[1]"),
  GOBAN_LUA_FUNCTION ("evaluate", search_evaluate, "(plan)",
                      "Simulates a plan and counts it: its makespan, math.huge if it exceeds the "
                      "memory. Called for each proposed plan."),
  GOBAN_LUA_FUNCTION ("first", search_first, "()",
                      "The plan to begin with: opts.start, or one that puts each node where it "
                      "finishes first."),
  GOBAN_LUA_FUNCTION ("more", search_more, "()", "Whether the budget allows for another plan."),
  GOBAN_LUA_FUNCTION ("move", search_move, "(plan, node, device)",
                      "Moves a node, with its group, to a device; returns the plan.",
                      "search:move(plan, node, d)"),
  GOBAN_LUA_FUNCTION ("nodes", search_nodes, "(query)", "All nodes, or those of a query.",
                      "search:nodes()"),
  GOBAN_LUA_FUNCTION ("random", search_random, "(n)",
                      "A random whole number from 1 to n, or without n a number below 1; the seed "
                      "decides.",
                      "search:random(10)"),
  GOBAN_LUA_FIELD ("cluster", FUNCTION, get_cluster, "A copy of its cluster.",
                   "#search.cluster.devices"),
  GOBAN_LUA_FIELD ("evals", FUNCTION, get_evals, "How many plans have been evaluated.",
                   "search.evals"),
  GOBAN_LUA_FIELD ("graph", FUNCTION, get_graph, "The graph to be placed.", "#search.graph"),
  GOBAN_LUA_FIELD ("seed", FUNCTION, get_search_seed, "The seed that was asked for, 0 by default.",
                   "search.seed"),
  GOBAN_LUA_META ("__tostring", search_tostring),
  { NULL },
};

static const GobanLuaType search_type = {
  .name = "Search",
  .variable = "search",
  .sentence = "What a policy that proposes plans works with: a budget of evaluations.",
  .example = "search:move(plan, node, d)",
  .size = sizeof (Search),
  .entries = search_entries,
};

/* --- construction and disposal ---------------------------------------------------------------- */

void
goban_lua_push_state (lua_State *L, GobanGuestTask *task)
{
  State *state = goban_lua_push_handle (L, &state_type, 0);

  state->seed = task->seed;
  goban_rng_init (&state->rng, state->seed);
  state->plan = goban_guest_task_new_greedy_plan (task);
}

void
goban_lua_push_search (lua_State *L, GobanGuestTask *task)
{
  Search *search = goban_lua_push_handle (L, &search_type, 0);

  goban_rng_init (&search->rng, task->seed);
  search->task = task;
}

void
goban_lua_close_task (lua_State *L, int index)
{
  Search *search = goban_lua_test_handle (L, index, &search_type);
  State *state = goban_lua_test_handle (L, index, &state_type);

  if (search != NULL)
    search->task = NULL;
  if (state != NULL)
    g_clear_pointer (&state->plan, goban_greedy_plan_free);
}

void
goban_lua_open_search (lua_State *L)
{
  goban_lua_register (L, &state_type);
  goban_lua_register (L, &search_type);
}
