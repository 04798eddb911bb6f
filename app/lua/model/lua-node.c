/* lua-node.c: one node of a graph, in a run or out of one. */
#include "app/lua/model/lua-node.h"

#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/model/lua-cluster.h"

#include "engine/study/report/report.h"

static void
clear_node (gpointer value)
{
  GobanLuaNode *node = value;

  g_clear_pointer (&node->costs, goban_cost_model_unref);
  g_clear_pointer (&node->run, goban_run_unref);
}

static const GobanLuaType node_type;

void
goban_lua_push_node (lua_State *L, GobanCostModel *costs, GobanRun *run, GobanNodeId id)
{
  GobanLuaNode *node = goban_lua_push_handle (L, &node_type, 0);

  node->costs = goban_cost_model_ref (costs);
  node->run = goban_run_ref (run);
  node->id = id;
}

int
goban_lua_answer_node (lua_State *L, GobanCostModel *costs, GobanRun *run, GobanNodeId id)
{
  if (id != GOBAN_NO_NODE)
    {
      goban_lua_push_node (L, costs, run, id);
      return 1;
    }
  lua_pushfstring (L, "there is no node %s in the graph %s", lua_tostring (L, 2),
                   goban_graph_get_name (goban_cost_model_get_graph (costs)));
  return goban_lua_fail_with (L);
}

GobanLuaNode *
goban_lua_check_node (lua_State *L, int index)
{
  return goban_lua_check_handle (L, index, &node_type);
}

GobanLuaNode *
goban_lua_test_node (lua_State *L, int index)
{
  return goban_lua_test_handle (L, index, &node_type);
}

GobanNodeId
goban_lua_check_node_of (lua_State *L, int index, GobanGraph *graph)
{
  GobanLuaNode *node = goban_lua_test_node (L, index);
  const char *name;
  GobanNodeId id;

  if (node != NULL)
    {
      if (goban_cost_model_get_graph (node->costs) != graph)
        luaL_error (
            L, "the node %s is of another graph",
            goban_graph_get_node (goban_cost_model_get_graph (node->costs), node->id)->name);
      return node->id;
    }

  if (lua_type (L, index) != LUA_TSTRING)
    luaL_error (L, "a node or its name expected, got %s", luaL_typename (L, index));
  name = lua_tostring (L, index);
  id = goban_graph_find_node (graph, name);
  if (id == GOBAN_NO_NODE)
    luaL_error (L, "there is no node %s in the graph %s", name, goban_graph_get_name (graph));

  return id;
}

/* --- fields -------------------------------------------------------------------------------- */

void
goban_lua_push_field (lua_State *L, const GobanNodeField *field, const GobanNodeContext *context,
                      GobanNodeId id)
{
  double value;

  if (field->kind == GOBAN_FIELD_TEXT)
    {
      lua_pushstring (L, field->text (context, id));
      return;
    }

  value = field->number (context, id);
  if (field->kind == GOBAN_FIELD_TIME)
    goban_lua_push_number (L, value / 1e6);
  else
    goban_lua_push_count (L, value);
}

const GobanNodeField *
goban_lua_check_field (lua_State *L, int index)
{
  const char *name = luaL_checkstring (L, index);
  GError *error = NULL;
  const GobanNodeField *field = goban_node_field_find (name, &error);

  if (field == NULL)
    goban_lua_raise (L, error);

  return field;
}

static int
get_field (lua_State *L)
{
  GobanLuaNode *node = goban_lua_check_node (L, 1);
  const GobanNodeField *field = goban_lua_check_field (L, 2);
  GobanNodeContext context = { node->costs, node->run };

  goban_lua_push_field (L, field, &context, node->id);
  return 1;
}

/* --- methods ------------------------------------------------------------------------------- */

static int
node_cost_on (lua_State *L)
{
  GobanLuaNode *node = goban_lua_check_node (L, 1);
  GobanCostModel *costs = node->run != NULL ? goban_run_get_costs (node->run) : node->costs;
  GobanDeviceId device = goban_lua_check_device (L, 2, goban_cost_model_get_cluster (costs));

  lua_pushnumber (L, goban_cost_model_time_us (costs, node->id, device) / 1e6);
  return 1;
}

static int
node_describe (lua_State *L)
{
  GobanLuaNode *node = goban_lua_check_node (L, 1);

  goban_lua_take_string (
      L, goban_report_node_text (goban_cost_model_get_graph (node->costs), node->run, node->id));
  return 1;
}

static int
node_tostring (lua_State *L)
{
  GobanLuaNode *node = goban_lua_check_node (L, 1);
  const GobanNode *data = goban_graph_get_node (goban_cost_model_get_graph (node->costs), node->id);

  lua_pushfstring (L, "Node %s (%s)", data->name, data->op);
  return 1;
}

static int
node_equal (lua_State *L)
{
  GobanLuaNode *a = goban_lua_test_node (L, 1), *b = goban_lua_test_node (L, 2);

  lua_pushboolean (L, a != NULL && b != NULL && a->id == b->id
                          && goban_cost_model_get_graph (a->costs)
                                 == goban_cost_model_get_graph (b->costs));
  return 1;
}

static const GobanLuaEntry entries[] = {
  GOBAN_LUA_FUNCTION ("cost_on", node_cost_on, "(device)", "Its time on a device.",
                      "n:cost_on \"gpu:0\""),
  GOBAN_LUA_FUNCTION ("describe", node_describe, "()", "Everything known of it, as text.",
                      "print(n:describe())"),
  GOBAN_LUA_META ("__eq", node_equal),
  GOBAN_LUA_META ("__tostring", node_tostring),
  { NULL },
};

static const GobanLuaType node_type = {
  .name = "Node",
  .variable = "n",
  .sentence = "One operation, in a run or out of one.",
  .example = "n = g:node \"image/conv1\"",
  .size = sizeof (GobanLuaNode),
  .clear = clear_node,
  .entries = entries,
};

void
goban_lua_open_node (lua_State *L)
{
  static GobanLuaEntry rows[64];
  gsize n;
  const GobanNodeField *fields = goban_node_field_table (&n);

  /* All fields share one function, which looks at the name it is asked for. */
  g_assert (n < G_N_ELEMENTS (rows));
  for (gsize i = 0; i < n; i++)
    rows[i] = (GobanLuaEntry) GOBAN_LUA_FIELD (fields[i].name, FUNCTION, get_field, NULL);
  goban_lua_register (L, &node_type);
  goban_lua_extend (L, "Node", rows);
  for (gsize i = 0; i < n; i++)
    {
      const char *blurb = fields[i].blurb;

      lua_pushfstring (L, "Node.%s", fields[i].name);
      lua_pushfstring (L, "%c%s%s", g_ascii_toupper (*blurb), blurb + 1,
                       fields[i].needs_run ? "; known in a run." : ".");
      goban_lua_add_doc (L, lua_tostring (L, -2), "n.", fields[i].name, lua_tostring (L, -1), NULL);
      lua_pop (L, 2);
    }
}
