/* lua-graph.c: module graph, and the methods of graphs. */
#include "app/lua/model/lua-graph.h"

#include "app/lua/core/lua-handle.h"

#include "engine/study/analysis/scopes.h"

static const GobanLuaType graph_type;

void
goban_lua_push_graph (lua_State *L, GobanGraph *graph)
{
  *goban_lua_push_empty_graph (L) = goban_graph_ref (graph);
}

GobanGraph **
goban_lua_push_empty_graph (lua_State *L)
{
  return goban_lua_push_handle (L, &graph_type, 0);
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
  return goban_lua_check_pointer (L, index, &graph_type);
}

static int
graph_len (lua_State *L)
{
  lua_pushinteger (L, goban_graph_get_n_nodes (goban_lua_check_graph (L, 1)));
  return 1;
}

static int
graph_tostring (lua_State *L)
{
  GobanGraph *graph = goban_lua_check_graph (L, 1);
  const char *name = goban_graph_get_name (graph);
  guint n_nodes = goban_graph_get_n_nodes (graph), n_edges = goban_graph_get_n_edges (graph);

  lua_pushfstring (L, "Graph%s%s: %d node%s, %d edge%s", *name != '\0' ? " " : "", name,
                   (int) n_nodes, n_nodes == 1 ? "" : "s", (int) n_edges, n_edges == 1 ? "" : "s");
  return 1;
}

static int
graph_equal (lua_State *L)
{
  GobanGraph *a = goban_lua_test_pointer (L, 1, &graph_type);
  GobanGraph *b = goban_lua_test_pointer (L, 2, &graph_type);

  lua_pushboolean (L,
                   a != NULL && b != NULL && goban_graph_get_hash (a) == goban_graph_get_hash (b));
  return 1;
}

static const GobanLuaEntry entries[] = {
  GOBAN_LUA_FIELD ("cluster_spec", TEXT, goban_graph_get_cluster_spec,
                   "The cluster that its file is meant for, \"\" where it names none: its plans "
                   "are made there, unless app.cluster or opts.cluster names another."),
  GOBAN_LUA_FIELD ("format", TEXT, goban_graph_get_format, "The format it was read from."),
  GOBAN_LUA_FIELD ("n_edges", WHOLE, goban_graph_get_n_edges, "How many edges it has."),
  GOBAN_LUA_FIELD ("n_nodes", WHOLE, goban_graph_get_n_nodes, "How many nodes it has."),
  GOBAN_LUA_FIELD ("name", TEXT, goban_graph_get_name, "What the file calls it."),
  GOBAN_LUA_FIELD ("warnings", LIST, goban_graph_get_warnings,
                   "What the reader wants you to know, a list.", "pp(g.warnings)"),
  GOBAN_LUA_META ("__eq", graph_equal),
  GOBAN_LUA_META ("__len", graph_len),
  GOBAN_LUA_META ("__tostring", graph_tostring),
  { NULL },
};

static const GobanLuaType graph_type = {
  .name = "Graph",
  .variable = "g",
  .sentence
  = "An immutable graph of operations; #g is its number of nodes, and == compares names, ops, "
    "edges, sizes and times.",
  .example = "#g",
  .free = (GDestroyNotify) goban_graph_unref,
  .entries = entries,
};

void
goban_lua_open_graph (lua_State *L)
{
  goban_lua_register (L, &graph_type);
}
