/* lua-graph.c: module graph, and what a graph can be asked. */
#include "app/lua/lua-graph.h"

#include "app/lua/lua-handle.h"

#include "engine/analysis/node-field.h"
#include "engine/analysis/scopes.h"

typedef struct
{
  GobanGraph *graph;
} LuaGraph;

static void
clear_graph (gpointer value)
{
  g_clear_pointer (&((LuaGraph *) value)->graph, goban_graph_unref);
}

static const GobanLuaType graph_type;

void
goban_lua_push_graph (lua_State *L, GobanGraph *graph)
{
  LuaGraph *handle = goban_lua_push_handle (L, &graph_type, 0);

  handle->graph = goban_graph_ref (graph);
}

/* The slot is the handle's first and only member. */
GobanGraph **
goban_lua_push_empty_graph (lua_State *L)
{
  return &((LuaGraph *) goban_lua_push_handle (L, &graph_type, 0))->graph;
}

/* Measured on a graph of 84,464 nodes. */
#define NODE_BYTES 256
#define EDGE_BYTES 48

void
goban_lua_charge_graph (lua_State *L, int index, GobanGraph *graph)
{
  goban_lua_charge (L, index,
                    (gsize) goban_graph_get_n_nodes (graph) * NODE_BYTES
                        + (gsize) goban_graph_get_n_edges (graph) * EDGE_BYTES);
}

GobanGraph *
goban_lua_check_graph (lua_State *L, int index)
{
  return ((LuaGraph *) goban_lua_check_handle (L, index, &graph_type))->graph;
}

static int
get_name (lua_State *L)
{
  lua_pushstring (L, goban_graph_get_name (goban_lua_check_graph (L, 1)));
  return 1;
}

static int
get_cluster_spec (lua_State *L)
{
  lua_pushstring (L, goban_graph_get_cluster_spec (goban_lua_check_graph (L, 1)));
  return 1;
}

static int
get_format (lua_State *L)
{
  lua_pushstring (L, goban_graph_get_format (goban_lua_check_graph (L, 1)));
  return 1;
}

static int
get_n_nodes (lua_State *L)
{
  lua_pushinteger (L, goban_graph_get_n_nodes (goban_lua_check_graph (L, 1)));
  return 1;
}

static int
get_n_edges (lua_State *L)
{
  lua_pushinteger (L, goban_graph_get_n_edges (goban_lua_check_graph (L, 1)));
  return 1;
}

static int
get_warnings (lua_State *L)
{
  const char *const *warnings = goban_graph_get_warnings (goban_lua_check_graph (L, 1));

  lua_newtable (L);
  for (int i = 0; warnings[i] != NULL; i++)
    {
      lua_pushstring (L, warnings[i]);
      lua_rawseti (L, -2, i + 1);
    }
  return 1;
}

static int
graph_tostring (lua_State *L)
{
  GobanGraph *graph = goban_lua_check_graph (L, 1);
  const char *name = goban_graph_get_name (graph);

  lua_pushfstring (L, "Graph%s%s: %d nodes, %d edges", *name != '\0' ? " " : "", name,
                   (int) goban_graph_get_n_nodes (graph), (int) goban_graph_get_n_edges (graph));
  return 1;
}

static int
graph_equal (lua_State *L)
{
  LuaGraph *a = goban_lua_test_handle (L, 1, &graph_type);
  LuaGraph *b = goban_lua_test_handle (L, 2, &graph_type);

  lua_pushboolean (L, a != NULL && b != NULL && a->graph == b->graph);
  return 1;
}

/* --- tables ------------------------------------------------------------------------------------ */

static const luaL_Reg fields[] = {
  { "cluster_spec", get_cluster_spec },
  { "format", get_format },
  { "n_edges", get_n_edges },
  { "n_nodes", get_n_nodes },
  { "name", get_name },
  { "warnings", get_warnings },
  { NULL, NULL },
};

static const luaL_Reg meta[] = {
  { "__eq", graph_equal },
  { "__len", get_n_nodes },
  { "__tostring", graph_tostring },
  { NULL, NULL },
};

static const GobanLuaType graph_type = {
  .name = "Graph",
  .size = sizeof (LuaGraph),
  .clear = clear_graph,
  .fields = fields,
  .meta = meta,
};

void
goban_lua_open_graph (lua_State *L)
{
  goban_lua_register (L, &graph_type);
}
