/* lua-graph.c: module graph, and what a graph can be asked. */
#include "app/lua/lua-modules.h"
#include "app/lua/lua-node.h"
#include "app/lua/lua-private.h"

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

/* About what a graph, a plan and a run of 84,464 nodes on eight devices were measured to take, by node and edge. */
#define NODE_BYTES 256
#define EDGE_BYTES 48
#define PLAN_NODE_BYTES 12
#define RUN_NODE_BYTES 64

void
goban_lua_charge_graph (lua_State *L, int index, GobanGraph *graph)
{
  goban_lua_charge (L, index,
                    (gsize) goban_graph_get_n_nodes (graph) * NODE_BYTES
                        + (gsize) goban_graph_get_n_edges (graph) * EDGE_BYTES);
}

void
goban_lua_charge_plan (lua_State *L, int index, GobanGraph *graph)
{
  goban_lua_charge (L, index, (gsize) goban_graph_get_n_nodes (graph) * PLAN_NODE_BYTES);
}

void
goban_lua_charge_run (lua_State *L, int index, GobanRun *run)
{
  goban_lua_charge (L, index,
                    (gsize) goban_graph_get_n_nodes (goban_run_get_graph (run)) * RUN_NODE_BYTES);
}

GobanGraph *
goban_lua_check_graph (lua_State *L, int index)
{
  return ((LuaGraph *) goban_lua_check_handle (L, index, &graph_type))->graph;
}

/* --- what graphs need of the session -------------------------------------------------------- */

GobanCostModel *
goban_lua_get_costs (lua_State *L, GobanGraph *graph)
{
  GobanLuaHost *host = goban_lua_get_host (L);
  const GobanLuaSeen *seen = goban_lua_look (L);
  GobanCluster *cluster;

  if (seen->graph == graph)
    return seen->costs;

  cluster = goban_lua_look_for_cluster (L, graph);
  if (host->costs == NULL || goban_cost_model_get_graph (host->costs) != graph
      || goban_cost_model_get_cluster (host->costs) != cluster)
    {
      g_clear_pointer (&host->costs, goban_cost_model_unref);
      host->costs = goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS);
    }

  return host->costs;
}

GobanRun *
goban_lua_get_run (lua_State *L, GobanGraph *graph)
{
  GobanRun *run = goban_lua_look (L)->run;

  return run != NULL && goban_run_get_graph (run) == graph ? run : NULL;
}

/* --- nodes ------------------------------------------------------------------------------------- */

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

  if (id == GOBAN_NO_NODE)
    {
      lua_pushnil (L);
      lua_pushfstring (L, "there is no node %s in the graph %s", lua_tostring (L, 2),
                       goban_graph_get_name (graph));
      return 2;
    }

  goban_lua_push_node (L, goban_lua_get_costs (L, graph), goban_lua_get_run (L, graph), id);
  return 1;
}

/* "0-11,40": places in topological order, as the log writes them. */
static int
push_ranges (lua_State *L, GobanGraph *graph, const char *text)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);
  GobanLuaSet *set = goban_lua_push_set (L, goban_lua_get_costs (L, graph),
                                         goban_lua_get_run (L, graph), n_nodes);
  guint64 next = 0;

  set->n = 0;
  for (const char *at = text; *at != '\0';)
    {
      char *end;
      guint64 first = g_ascii_strtoull (at, &end, 10);
      guint64 last = first;

      if (g_ascii_isdigit (*at) && *end == '-' && g_ascii_isdigit (end[1]))
        last = g_ascii_strtoull (end + 1, &end, 10);
      luaL_argcheck (L, g_ascii_isdigit (*at) && (*end == '\0' || *end == ','), 2,
                     "ranges of indices expected, as in \"0-11,40\"");
      luaL_argcheck (L, first >= next && first <= last && last < n_nodes, 2,
                     "the indices do not ascend, or are beyond the graph");
      for (next = first; next <= last; next++)
        set->ids[set->n++] = next;
      at = *end == ',' ? end + 1 : end;
    }
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

typedef struct
{
  GobanScopes *scopes;
} LuaScopes;

static void
clear_scopes (gpointer value)
{
  g_clear_pointer (&((LuaScopes *) value)->scopes, goban_scopes_free);
}

/* Kept in a handle while sets are made of it. */
static const GobanLuaType scopes_type = {
  .name = "Scopes",
  .size = sizeof (LuaScopes),
  .clear = clear_scopes,
};

/* Scopes of names to the sets of their nodes; without a depth, one that gives a few. */
static int
graph_groups (lua_State *L)
{
  GobanGraph *graph = goban_lua_check_graph (L, 1);
  lua_Integer depth = luaL_optinteger (L, 2, 0);
  GobanLuaSet *all;
  GobanScopes *scopes;

  luaL_argcheck (L, depth >= 0 && depth <= G_MAXINT, 2, "a depth of at least 0 is needed");
  lua_settop (L, 1);
  graph_nodes (L);
  all = goban_lua_check_set (L, 2);
  scopes = ((LuaScopes *) goban_lua_push_handle (L, &scopes_type, 0))->scopes
      = goban_scopes_new (graph, all->ids, all->n, depth); /* graph all scopes */

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

/* --- numbers --------------------------------------------------------------------------------- */

static void
push_ops (lua_State *L, GobanGraph *graph)
{
  guint n_nodes = goban_graph_get_n_nodes (graph);

  lua_newtable (L);
  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      const char *op = goban_graph_get_node (graph, v)->op;

      lua_getfield (L, -1, op);
      lua_pushinteger (L, lua_tointeger (L, -1) + 1);
      lua_setfield (L, -3, op);
      lua_pop (L, 1);
    }
}

static int
graph_stats (lua_State *L)
{
  GobanGraph *graph = goban_lua_check_graph (L, 1);
  GobanNodeContext context = { goban_lua_get_costs (L, graph), NULL };
  guint n_nodes = goban_graph_get_n_nodes (graph);
  const GobanNodeField *cost = goban_node_field_find ("cost", NULL); /* it is in the table */
  double params = 0, param_bytes = 0, flops = 0, macs = 0, bytes = 0, work_us = 0;

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);

      params += node->param_count;
      param_bytes += node->param_bytes;
      flops += node->flops;
      macs += node->macs;
      bytes += goban_graph_get_output_bytes (graph, v);
      work_us += cost->number (&context, v);
    }

  lua_createtable (L, 0, 11);
  goban_lua_put_count (L, "nodes", n_nodes);
  goban_lua_put_count (L, "edges", goban_graph_get_n_edges (graph));
  goban_lua_put_count (L, "tensors", goban_graph_get_n_tensors (graph));
  goban_lua_put_count (L, "groups", goban_graph_get_n_groups (graph));
  goban_lua_put_count (L, "params", params);
  goban_lua_put_count (L, "param_bytes", param_bytes);
  goban_lua_put_count (L, "flops", flops);
  goban_lua_put_count (L, "macs", macs);
  goban_lua_put_count (L, "bytes", bytes);
  goban_lua_put_number (L, "work", work_us / 1e6);
  push_ops (L, graph);
  lua_setfield (L, -2, "ops");
  return 1;
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

static const luaL_Reg methods[] = {
  { "cells", goban_lua_graph_cells },
  { "critical_path", graph_critical_path },
  { "groups", graph_groups },
  { "hierarchy", goban_lua_graph_hierarchy },
  { GOBAN_LUA_ON_MAIN "inside", goban_lua_graph_inside },
  { "node", graph_node },
  { "nodes", graph_nodes },
  { "save", goban_lua_graph_save },
  { "stats", graph_stats },
  { "topo", graph_topo },
  { "training", goban_lua_graph_training },
  { "where", graph_where },
  { NULL, NULL },
};

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
  .methods = methods,
  .fields = fields,
  .meta = meta,
};

static const luaL_Reg functions[] = {
  { "families", goban_lua_graph_families },
  { "generate", goban_lua_graph_generate },
  { "load", goban_lua_graph_load },
  { NULL, NULL },
};

void
goban_lua_open_graph (lua_State *L)
{
  goban_lua_register (L, &graph_type);
  goban_lua_register (L, &scopes_type);
  goban_lua_module (L, "graph", functions);
}
