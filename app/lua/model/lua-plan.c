/* lua-plan.c: Lua's Plan: plans from files, and plans edited by hand.
 *
 * A plan in Lua holds its graph and cluster. After a simulation the run shares it, so the next
 * change makes a copy first.
 */
#include "app/lua/model/lua-plan.h"

#include "app/lua/core/lua-current.h"
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-paths.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/model/lua-cluster.h"
#include "app/lua/model/lua-graph.h"
#include "app/lua/model/lua-node.h"
#include "app/lua/model/lua-set.h"

#include "engine/study/log/log-lines.h"
#include "engine/study/run/run-origin.h"
#include "engine/study/run/run.h"

static const GobanLuaType plan_type;

static void
clear_plan (gpointer value)
{
  GobanLuaPlan *self = value;

  g_clear_pointer (&self->plan, goban_plan_unref);
  g_clear_pointer (&self->costs, goban_cost_model_unref);
  g_clear_pointer (&self->recipe, g_free);
  g_clear_pointer (&self->decisions, goban_decisions_unref);
  g_clear_pointer (&self->request, goban_run_options_release);
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
goban_lua_push_empty_plan (lua_State *L)
{
  return goban_lua_push_handle (L, &plan_type, 0);
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

GobanLuaPlan *
goban_lua_opt_plan_of (lua_State *L, int index, GobanGraph *graph)
{
  GobanLuaPlan *plan = index != 0 ? goban_lua_test_plan (L, index) : NULL;

  if (index != 0 && plan == NULL)
    luaL_error (L, "opts.plan: Plan expected, got %s", luaL_typename (L, index));
  if (plan != NULL && goban_cost_model_get_graph (plan->costs) != graph)
    luaL_error (L, "opts.plan: it is a plan of another graph");
  return plan;
}

GobanPlan *
goban_lua_share_plan (GobanLuaPlan *self)
{
  self->is_shared = TRUE;
  return goban_plan_ref (self->plan);
}

/* Measured on a graph of 84,464 nodes. */
#define PLAN_NODE_BYTES 12

void
goban_lua_charge_plan (lua_State *L, int index, GobanGraph *graph)
{
  goban_lua_charge (L, index, (gsize) goban_graph_get_n_nodes (graph) * PLAN_NODE_BYTES);
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

void
goban_lua_keep_decisions (lua_State *L, GobanDecisions *decisions, GobanRunOptions *request)
{
  GobanLuaPlan *self = lua_touserdata (L, -1);

  if (decisions != NULL)
    self->decisions = goban_decisions_ref (decisions);
  if (request != NULL)
    self->request = g_atomic_rc_box_acquire (request);
}

/* --- making -------------------------------------------------------------------------------- */

GobanLuaPlan *
goban_lua_push_new_plan (lua_State *L, GobanGraph *graph, GobanCluster *cluster)
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

  goban_lua_push_new_plan (L, graph, goban_lua_opt_cluster_for (L, 2, graph));
  return 1;
}

/* Pushes the element of the list at @index for a node; the lists are tables of numbers. */
static gint32
check_number (lua_State *L, int index, GobanNodeId node)
{
  lua_Integer number;
  int is_whole;

  lua_rawgeti (L, index, (lua_Integer) node + 1);
  number = lua_tointegerx (L, -1, &is_whole);
  if (!is_whole || number < G_MININT32 || number > G_MAXINT32)
    luaL_error (L, "number %d of the list: a whole number expected, got %s", (int) node + 1,
                lua_type (L, -1) == LUA_TNUMBER ? "another one" : luaL_typename (L, -1));
  lua_pop (L, 1);
  return (gint32) number;
}

static GobanDeviceId
check_device_of (lua_State *L, int index, GobanNodeId node, GobanCluster *cluster)
{
  guint n_devices = goban_cluster_get_n_devices (cluster);
  GobanDeviceId device;
  int is_name = lua_rawgeti (L, index, (lua_Integer) node + 1) != LUA_TNUMBER;

  if (is_name && lua_isnil (L, -1))
    luaL_error (L, "there is no device for node %d", (int) node + 1);
  device = is_name ? goban_lua_check_device (L, lua_gettop (L), cluster) : 0;
  lua_pop (L, 1);
  if (!is_name)
    {
      gint32 number = check_number (L, index, node);

      if (number < 1 || (guint) number > n_devices)
        luaL_error (L, "node %d: there is no device %d; there are %d", (int) node + 1, (int) number,
                    (int) n_devices);
      device = (GobanDeviceId) number - 1;
    }
  return device;
}

static void
check_length (lua_State *L, int index, guint n_nodes)
{
  luaL_checktype (L, index, LUA_TTABLE);
  if (lua_rawlen (L, index) != n_nodes)
    luaL_error (L, "a list with an element for each of the %d nodes expected, got %d",
                (int) n_nodes, (int) lua_rawlen (L, index));
}

/* plan.from(g, cluster, devices, priorities, kernels): the last two (nullable). */
static int
plan_from (lua_State *L)
{
  GobanGraph *graph = goban_lua_check_graph (L, 1);
  GobanCluster *cluster = goban_lua_opt_cluster_for (L, 2, graph);
  guint n_nodes = goban_graph_get_n_nodes (graph);
  GobanLuaPlan *self;

  lua_settop (L, 5);
  for (int index = 3; index <= 5; index++)
    if (index == 3 || !lua_isnil (L, index))
      check_length (L, index, n_nodes);
  self = goban_lua_push_new_plan (L, graph, cluster);
  cluster = cluster_of (self);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      goban_plan_set_device (self->plan, v, check_device_of (L, 3, v, cluster));
      if (!lua_isnil (L, 4))
        goban_plan_set_priority (self->plan, v, check_number (L, 4, v));
      if (!lua_isnil (L, 5))
        goban_plan_set_fusion (self->plan, v, check_number (L, 5, v));
    }
  if (!lua_isnil (L, 4))
    goban_plan_set_order (self->plan, GOBAN_ORDER_PRIORITY);
  return 1;
}

static int
plan_load (lua_State *L)
{
  const char *path = luaL_checkstring (L, 1);
  GobanGraph *graph
      = lua_isnoneornil (L, 2) ? goban_lua_get_current (L)->graph : goban_lua_check_graph (L, 2);
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

/* --- methods ------------------------------------------------------------------------------- */

static int
plan_copy (lua_State *L)
{
  GobanLuaPlan *self = goban_lua_check_plan (L, 1);

  self->is_shared = TRUE; /* both have it: whichever changes first makes a copy */
  goban_lua_push_plan (L, self->plan, self->costs);
  goban_lua_check_plan (L, -1)->recipe = g_strdup (self->recipe);
  goban_lua_keep_decisions (L, self->decisions, self->request);
  goban_lua_charge_plan (L, -1, graph_of (self)); /* it is copied when it is changed */
  return 1;
}

static int
plan_save (lua_State *L)
{
  GobanLuaPlan *self = goban_lua_check_plan (L, 1);
  const char *path = luaL_checkstring (L, 2);
  GError *error = NULL;

  return goban_lua_answer_path (L, 2,
                                goban_lua_may_write (L, path, &error)
                                    && goban_plan_save (self->plan, self->costs, path, &error),
                                &error);
}

static int
plan_check (lua_State *L)
{
  GobanLuaPlan *self = goban_lua_check_plan (L, 1);
  GError *error = NULL;

  return goban_lua_answer (L, goban_fusing_check (self->plan, self->costs, &error), &error);
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

GobanPlan *
goban_lua_own_plan (GobanLuaPlan *self)
{
  GobanPlan *copy;

  g_clear_pointer (&self->recipe, g_free);
  g_clear_pointer (&self->decisions, goban_decisions_unref);
  g_clear_pointer (&self->request, goban_run_options_release);
  self->n_evaluations = 0;
  if (!self->is_shared)
    return self->plan;

  copy = goban_plan_copy (self->plan);
  goban_plan_set_policy (copy, "by hand");
  goban_plan_unref (self->plan);
  self->plan = copy;
  self->is_shared = FALSE;
  return copy;
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
  goban_lua_own_plan (self);
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
  char *recipe
      = self->recipe != NULL ? g_strconcat (
            self->recipe, fusing == GOBAN_FUSE_NONE ? ":unfuse()" : ":fuse_default()", NULL)
                             : NULL;

  goban_lua_own_plan (self);
  self->recipe = recipe;
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

/* --- fields -------------------------------------------------------------------------------- */

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

  goban_lua_own_plan (self);
  goban_plan_set_order (self->plan, order == 0 ? GOBAN_ORDER_FIFO : GOBAN_ORDER_PRIORITY);
  return 0;
}

static int
plan_tostring (lua_State *L)
{
  GobanLuaPlan *self = goban_lua_check_plan (L, 1);
  const char *policy = goban_plan_get_policy (self->plan);
  guint n_nodes = goban_plan_get_n_nodes (self->plan);
  guint n_devices = goban_plan_get_n_devices (self->plan);

  lua_pushfstring (L, "Plan %s: %d node%s on %d device%s", *policy != '\0' ? policy : "by hand",
                   (int) n_nodes, n_nodes == 1 ? "" : "s", (int) n_devices,
                   n_devices == 1 ? "" : "s");
  return 1;
}

static const GobanLuaEntry entries[] = {
  GOBAN_LUA_FUNCTION ("check", plan_check, "()", "True, or nil and what is wrong.",
                      "assert(p:check())"),
  GOBAN_LUA_FUNCTION ("copy", plan_copy, "()", "A copy to edit.", "q = p:copy()"),
  GOBAN_LUA_FUNCTION ("device", plan_device, "(node)", "Where it has a node.",
                      "p:device \"image/conv1\""),
  GOBAN_LUA_FUNCTION ("fuse_default", plan_fuse_default, "()",
                      "Lets ops run as one kernel where XLA would; returns the plan. Fuse after "
                      "placing.",
                      "sim.run(g, p:fuse_default())"),
  GOBAN_LUA_FUNCTION ("fusion", plan_fusion, "(node or set, n)",
                      "Fuses all nodes of one number, false: with none; returns the plan. Without "
                      "n, tells a node's, or nil.",
                      "p:fusion(g:where{ op = \"Relu\" }, false)"),
  GOBAN_LUA_FUNCTION ("move", plan_move, "(node or set, device)",
                      "Puts nodes on a device; returns the plan.",
                      "p:move(g:where{ op = \"Conv\" }, \"gpu:1\")"),
  GOBAN_LUA_FUNCTION ("prio", plan_prio, "(node or set, n)",
                      "Sets priorities and returns the plan; without n, tells a node's.",
                      "p:prio(\"image/conv1\", 100)"),
  GOBAN_LUA_FUNCTION ("save", plan_save, "(path)",
                      "Writes the plan, a line per node; returns the path.",
                      "p:save \"best.json\""),
  GOBAN_LUA_FUNCTION ("unfuse", plan_unfuse, "()",
                      "Makes every op a kernel of its own again; returns the plan."),
  GOBAN_LUA_FIELD ("cluster", FUNCTION, get_cluster, "A copy of its cluster."),
  GOBAN_LUA_FIELD ("graph", FUNCTION, get_graph, "Its graph."),
  GOBAN_LUA_FIELD ("kernels", WHOLE, goban_fusing_count_kernels,
                   "How many kernels it makes of the nodes."),
  GOBAN_LUA_FIELD ("order", FUNCTION, get_order,
                   "How devices choose: \"fifo\" or \"priority\"; can be set.",
                   "p.order = \"priority\"", .set = set_order),
  GOBAN_LUA_FIELD ("policy", TEXT, goban_plan_get_policy, "Who made it."),
  GOBAN_LUA_META ("__tostring", plan_tostring),
  { NULL },
};

static const GobanLuaType plan_type = {
  .name = "Plan",
  .variable = "p",
  .sentence = "A device and a priority for every node of its graph, on its cluster.",
  .example = "p = plan.heft(g)",
  .size = sizeof (GobanLuaPlan),
  .clear = clear_plan,
  .entries = entries,
};

static const GobanLuaEntry functions[] = {
  GOBAN_LUA_MODULE ("Plans: a device and a priority for every node; one function per policy.",
                    "p = plan.heft(g)"),
  GOBAN_LUA_FUNCTION ("from", plan_from, "(g, cluster, devices, opts)", NULL),
  GOBAN_LUA_FUNCTION ("load", plan_load, "(path, g, cluster)",
                      "Reads a plan made for a graph, the open one if none is said.",
                      "p = plan.load \"best.json\""),
  GOBAN_LUA_FUNCTION ("new", plan_new, "(g, cluster)",
                      "A plan of everything on the first device, to be edited.",
                      "p = plan.new(g):move(\"text/attention\", \"gpu:1\")"),
  { NULL },
};

void
goban_lua_open_plan (lua_State *L)
{
  goban_lua_register (L, &plan_type);
  goban_lua_module (L, "plan", functions);
}
