/* lua-graph-nodes.c: the nodes of a graph, by name, query or group, and sums over them. */
#include "app/lua/core/lua-current.h"
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/model/lua-graph.h"
#include "app/lua/model/lua-node.h"
#include "app/lua/model/lua-query.h"
#include "app/lua/model/lua-run.h"
#include "app/lua/model/lua-set.h"

#include "engine/study/analysis/graph-totals.h"
#include "engine/study/analysis/node-field.h"
#include "engine/study/analysis/scopes.h"
#include "engine/study/log/log-lines.h"

/* By its name, or by its place in the topological order, as ranges have it. */
static GobanNodeId
find_node (lua_State *L, GobanGraph *graph)
{
  lua_Integer place;

  if (lua_type (L, 2) != LUA_TNUMBER)
    return goban_graph_find_node (graph, luaL_checkstring (L, 2));

  place = luaL_checkinteger (L, 2);
  return place >= 0 && place < goban_graph_get_n_nodes (graph) ? (GobanNodeId) place
                                                               : GOBAN_NO_NODE;
}

static int
graph_node (lua_State *L)
{
  GobanGraph *graph = goban_lua_check_graph (L, 1);
  GobanNodeId id = find_node (L, graph);

  return goban_lua_answer_node (L, goban_lua_get_costs (L, graph), goban_lua_get_run (L, graph),
                                id);
}

/* "0-11,40": places in topological order, as the log writes them. */
static int
push_ranges (lua_State *L, GobanGraph *graph, const char *text)
{
  GobanLuaSet *set
      = goban_lua_push_set (L, goban_lua_get_costs (L, graph), goban_lua_get_run (L, graph), 0);
  GError *error = NULL;
  GobanSelection *nodes = goban_log_parse_ranges (text, goban_graph_get_n_nodes (graph), &error);

  if (nodes == NULL)
    {
      g_prefix_error (&error, "g:where finds nodes by a query, g:nodes{ \"name\" } by names; ");
      return goban_lua_raise_argument (L, 2, error);
    }
  goban_lua_take_nodes (set, nodes);
  return 1;
}

/* The nodes of a list of names or nodes, or of ranges of indices; nothing: all. */
static int
graph_nodes (lua_State *L)
{
  GobanGraph *graph = goban_lua_check_graph (L, 1);
  GobanLuaSet *set;
  guint n;

  if (lua_isnoneornil (L, 2))
    return goban_lua_query (L, 2, goban_lua_get_costs (L, graph), goban_lua_get_run (L, graph));

  if (lua_type (L, 2) == LUA_TSTRING)
    return push_ranges (L, graph, lua_tostring (L, 2));

  luaL_checktype (L, 2, LUA_TTABLE);
  n = lua_rawlen (L, 2);
  goban_lua_check_list (L, 2, n, "nodes");
  set = goban_lua_push_set (L, goban_lua_get_costs (L, graph), goban_lua_get_run (L, graph), n);
  set->n = 0;
  for (guint i = 1; i <= n; i++)
    {
      GobanNodeId id;

      lua_rawgeti (L, 2, i);
      id = goban_lua_check_node_of (L, -1, graph);
      lua_pop (L, 1);
      set->ids[set->n++] = id;
    }

  goban_lua_make_unique (set);
  return 1;
}

static int
graph_where (lua_State *L)
{
  GobanGraph *graph = goban_lua_check_graph (L, 1);
  GobanRun *run = goban_lua_test_run (L, 3);

  luaL_checkany (L, 2);
  if (!lua_isnoneornil (L, 3))
    {
      run = goban_lua_check_run (L, 3);
      luaL_argcheck (L, goban_run_get_graph (run) == graph, 3, "it is a run of another graph");
      return goban_lua_query (L, 2, goban_run_get_costs (run), run);
    }

  return goban_lua_query (L, 2, goban_lua_get_costs (L, graph), goban_lua_get_run (L, graph));
}

/* Scopes of names to the sets of their nodes; without a depth, one that gives a few. */
static int
graph_groups (lua_State *L)
{
  GobanGraph *graph = goban_lua_check_graph (L, 1);
  lua_Integer depth = luaL_optinteger (L, 2, 0);
  GobanLuaSet *all;
  GobanScopes *scopes;
  gpointer *kept;

  luaL_argcheck (L, depth >= 0 && depth <= G_MAXINT, 2, "a depth of at least 0 is needed");
  lua_settop (L, 1);
  graph_nodes (L);
  all = goban_lua_check_set (L, 2);
  kept = goban_lua_push_kept (L, (GDestroyNotify) goban_scopes_free); /* graph all scopes */
  scopes = *kept = goban_scopes_new (graph, all->ids, all->n, depth);

  lua_createtable (L, 0, scopes->n_scopes);
  lua_createtable (L, scopes->n_scopes, 0); /* graph all scopes answer sets */
  for (guint i = 0; i < scopes->n_scopes; i++)
    {
      goban_lua_push_set (L, all->costs, all->run, scopes->sizes[i])->n = 0;
      lua_pushvalue (L, -1);
      lua_setfield (L, 4, scopes->names[i]);
      lua_rawseti (L, 5, i + 1);
    }
  for (guint i = 0; i < all->n; i++)
    {
      GobanLuaSet *set;

      lua_rawgeti (L, 5, scopes->of[i] + 1);
      set = lua_touserdata (L, -1);
      set->ids[set->n++] = all->ids[i];
      lua_pop (L, 1);
    }
  lua_settop (L, 4);
  return 1;
}

static int
graph_topo (lua_State *L)
{
  goban_lua_check_graph (L, 1);
  lua_settop (L, 1);
  return graph_nodes (L); /* ids are topological */
}

static int
graph_critical_path (lua_State *L)
{
  GobanGraph *graph = goban_lua_check_graph (L, 1);
  GobanLuaSet *set;

  if (!lua_isnoneornil (L, 2))
    {
      goban_lua_check_run (L, 2);
      /* runs Lua: no, only a field of ours */
      lua_getfield (L, 2, "critical_path");
      lua_pushvalue (L, 2);
      lua_call (L, 1, 1);
      return 1;
    }

  set = goban_lua_push_set (L, goban_lua_get_costs (L, graph), NULL, 0);
  g_free (set->ids);
  set->ids = goban_longest_path_nodes (goban_lua_get_costs (L, graph), &set->n);
  return 1;
}

static void
push_ops (lua_State *L, GobanGraph *graph)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);

  lua_newtable (L);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      const char *op = goban_graph_get_node (graph, v)->op;

      goban_lua_raw_field (L, -1, op);
      lua_pushinteger (L, lua_tointeger (L, -1) + 1);
      lua_setfield (L, -3, op);
      lua_pop (L, 1);
    }
}

static int
graph_stats (lua_State *L)
{
  GobanGraph *graph = goban_lua_check_graph (L, 1);
  GobanGraphTotals sums = goban_graph_totals_sum (goban_lua_get_costs (L, graph));

  lua_createtable (L, 0, 11);
  goban_lua_put_count (L, "nodes", goban_graph_get_n_nodes (graph));
  goban_lua_put_count (L, "edges", goban_graph_get_n_edges (graph));
  goban_lua_put_count (L, "tensors", goban_graph_get_n_tensors (graph));
  goban_lua_put_count (L, "groups", goban_graph_get_n_groups (graph));
  goban_lua_put_count (L, "params", sums.params);
  goban_lua_put_count (L, "param_bytes", sums.param_bytes);
  goban_lua_put_count (L, "flops", sums.flops);
  goban_lua_put_count (L, "macs", sums.macs);
  goban_lua_put_count (L, "bytes", sums.output_bytes);
  goban_lua_put_number (L, "work", sums.work_us / 1e6);
  push_ops (L, graph);
  lua_setfield (L, -2, "ops");
  return 1;
}

static const GobanLuaEntry entries[] = {
  GOBAN_LUA_FUNCTION ("critical_path", graph_critical_path, "(run)",
                      "The longest path with free transfers on the fastest devices; of a run, what "
                      "decided its length.",
                      "g:critical_path():sum \"cost\""),
  GOBAN_LUA_FUNCTION ("groups", graph_groups, "(depth)",
                      "Sets of nodes by the first parts of their names; without a depth, as many "
                      "parts as give 5 to 40 groups.",
                      "pp(g:groups(1))"),
  GOBAN_LUA_FUNCTION ("node", graph_node, "(name or place)",
                      "One node, by its name or its place in topological order, from 0.",
                      "g:node \"image/conv1\".cost"),
  GOBAN_LUA_FUNCTION ("nodes", graph_nodes, "(list)",
                      "The set of some nodes by name or by ranges of indices (\"0-11,40\"), or of "
                      "all.",
                      "g:nodes{ \"image/conv1\", \"image/conv2\" }"),
  GOBAN_LUA_FUNCTION ("stats", graph_stats, "()",
                      "Counts and sums: nodes, edges, params, flops, work, ops by type.",
                      "g:stats().params"),
  GOBAN_LUA_FUNCTION ("topo", graph_topo, "()", "All nodes in topological order.",
                      "for n in g:topo():each() do print(n.name) end"),
  GOBAN_LUA_FUNCTION (
      "where", graph_where, "(query, run)",
      "The nodes of a query: a text, a function, or a table of fields: a value, a "
      "comparison with its unit (cost = \"> 10us\", name = \"~ dec/.*\") or a list; "
      "of the current run unless told.",
      "g:where \"cost > 1ms and name ~ 'dec/.*'\""),
  { NULL },
};

void
goban_lua_open_graph_nodes (lua_State *L)
{
  goban_lua_extend (L, "Graph", entries);
}
