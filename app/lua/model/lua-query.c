/* lua-query.c: node queries of scripts: a text, a table of fields, or a function. */
#include "app/lua/model/lua-query.h"

#include "app/lua/core/lua-value.h"
#include "app/lua/model/lua-cluster.h"
#include "app/lua/model/lua-node.h"
#include "app/lua/model/lua-set.h"

#include "engine/analysis/query.h"

static int
query_text (lua_State *L, int index, GobanCostModel *costs, GobanRun *run)
{
  GobanLuaSet *set = goban_lua_push_set (L, costs, run, 0);
  GobanNodeContext context = { costs, run };
  GError *error = NULL;
  GobanQuery *query = goban_query_new (lua_tostring (L, index), &error);
  const char *field;
  GobanSelection *selection;

  if (query == NULL)
    return goban_lua_raise (L, error);

  field = goban_query_needs_run (query); /* static text */
  if (field != NULL && run == NULL)
    {
      goban_query_free (query);
      return luaL_error (
          L, "%s is known in a run only: ask the run, run:where(...), or view.show it", field);
    }

  selection = goban_query_select (query, &context);
  goban_lua_take_nodes (set, selection);
  goban_query_free (query);
  return 1;
}

/* Whether the node has every value of the table at @index. */
static gboolean
has_values (lua_State *L, int index, const GobanNodeContext *context, GobanNodeId id)
{
  gboolean is_equal = TRUE;

  for (lua_pushnil (L); is_equal && lua_next (L, index) != 0;)
    {
      /* A copy of the key, as reading a number as text would confuse lua_next. */
      lua_pushvalue (L, -2);
      goban_lua_push_field (L, goban_lua_check_field (L, -1), context, id);
      is_equal = lua_rawequal (L, -1, -3);
      lua_pop (L, 3);
    }

  if (!is_equal)
    lua_pop (L, 1);
  return is_equal;
}

/* A misspelt field or device should not be an empty answer. */
static void
check_query_table (lua_State *L, int index, GobanCostModel *costs, GobanRun *run)
{
  for (lua_pushnil (L); lua_next (L, index) != 0; lua_pop (L, 1))
    {
      const GobanNodeField *field;

      lua_pushvalue (L, -2);
      field = goban_lua_check_field (L, -1);
      if (field->needs_run && run == NULL)
        luaL_error (L, "%s is known in a run only: ask the run, run:where{...}, or view.show it",
                    field->name);
      if (g_str_equal (field->name, "device"))
        goban_lua_check_device (L, lua_gettop (L) - 1,
                                goban_cost_model_get_cluster (goban_run_get_costs (run)));
      lua_pop (L, 1);
    }
}

static int
query_table (lua_State *L, int index, GobanCostModel *costs, GobanRun *run)
{
  GobanNodeContext context = { costs, run };
  guint n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (costs));
  GobanLuaSet *set;

  check_query_table (L, index, costs, run);
  set = goban_lua_push_set (L, costs, run, n_nodes);
  set->n = 0;
  for (GobanNodeId v = 0; v < n_nodes; v++)
    if (has_values (L, index, &context, v))
      set->ids[set->n++] = v;

  return 1;
}

/* The function has been asked of node @context - 1; the set lies at 3, the function at 2. */
static int
ask_next (lua_State *L, int status, lua_KContext context)
{
  GobanLuaSet *set = lua_touserdata (L, 3);
  GobanNodeId next = context;
  guint n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (set->costs));

  for (;; next++)
    {
      if (next > 0)
        {
          if (lua_toboolean (L, -1))
            set->ids[set->n++] = next - 1;
          lua_settop (L, 3);
        }
      if (next == n_nodes)
        return 1;

      lua_pushvalue (L, 2);
      goban_lua_push_node (L, set->costs, set->run, next);
      /* runs Lua: the set owns what it shows, and no script can reach it yet */
      lua_callk (L, 1, 1, next + 1, ask_next);
    }
}

static int
query_function (lua_State *L, int index, GobanCostModel *costs, GobanRun *run)
{
  GobanLuaSet *set;

  lua_pushvalue (L, index);
  lua_replace (L, 2);
  lua_settop (L, 2);
  set = goban_lua_push_set (L, costs, run,
                            goban_graph_get_n_nodes (goban_cost_model_get_graph (costs)));
  set->n = 0;
  return ask_next (L, LUA_OK, 0);
}

int
goban_lua_query (lua_State *L, int index, GobanCostModel *costs, GobanRun *run)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (costs));
  GobanLuaSet *set;

  switch (lua_type (L, index))
    {
    case LUA_TNONE:
    case LUA_TNIL:
      set = goban_lua_push_set (L, costs, run, n_nodes);
      for (GobanNodeId v = 0; v < n_nodes; v++)
        set->ids[v] = v;
      return 1;
    case LUA_TSTRING:
      return query_text (L, index, costs, run);
    case LUA_TTABLE:
      return query_table (L, index, costs, run);
    case LUA_TFUNCTION:
      return query_function (L, index, costs, run);
    default:
      return luaL_typeerror (L, index, "query (string, table or function)");
    }
}
