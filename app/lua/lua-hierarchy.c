/* lua-hierarchy.c: graph:hierarchy, the groups that the graph pane opens and closes. */
#include "app/lua/lua-modules.h"
#include "app/lua/lua-node.h"

#include "engine/session/hierarchy.h"

typedef struct
{
  GobanHierarchy *hierarchy;
} LuaHierarchy;

static void
clear_hierarchy (gpointer value)
{
  g_clear_pointer (&((LuaHierarchy *) value)->hierarchy, goban_hierarchy_unref);
}

/* Kept in a handle while tables are made of it. */
static const GobanLuaType hierarchy_type = {
  .name = "Hierarchy",
  .size = sizeof (LuaHierarchy),
  .clear = clear_hierarchy,
};

/* { path=, name=, depth=, fold=, nodes=, parent= }; the whole graph has no parent. */
static void
push_group (lua_State *L, GobanGraph *graph, const GobanHierarchy *hierarchy, guint32 number)
{
  const GobanGroup *group = goban_hierarchy_get_group (hierarchy, number);
  GobanSelection *nodes;
  GobanLuaSet *set;

  lua_createtable (L, 0, 6);
  lua_pushstring (L, group->path);
  lua_setfield (L, -2, "path");
  lua_pushstring (L, group->name);
  lua_setfield (L, -2, "name");
  lua_pushinteger (L, group->depth);
  lua_setfield (L, -2, "depth");
  lua_pushboolean (L, group->is_fold);
  lua_setfield (L, -2, "fold");
  if (number != 0)
    {
      lua_pushstring (L, goban_hierarchy_get_group (hierarchy, group->parent)->path);
      lua_setfield (L, -2, "parent");
    }

  set = goban_lua_push_set (L, goban_lua_get_costs (L, graph), goban_lua_get_run (L, graph), 0);
  nodes = goban_hierarchy_dup_nodes (hierarchy, number);
  goban_lua_fill_set (set, nodes);
  goban_selection_unref (nodes);
  lua_setfield (L, -2, "nodes");
}

/* g:hierarchy (grouping, depth): a list, parents before children. */
int
goban_lua_graph_hierarchy (lua_State *L)
{
  GobanGraph *graph = goban_lua_check_graph (L, 1);
  GobanGrouping grouping
      = lua_isnoneornil (L, 2) ? GOBAN_GROUPING_AUTO : goban_lua_check_grouping (L, 2);
  lua_Integer depth = luaL_optinteger (L, 3, G_MAXUINT32);
  GobanRun *run = goban_lua_get_run (L, graph);
  LuaHierarchy *handle;
  guint n_groups;
  guint n = 0;

  luaL_argcheck (L, depth >= 0, 3, "it is no depth");
  handle = goban_lua_push_handle (L, &hierarchy_type, 0);
  handle->hierarchy
      = goban_hierarchy_new (graph, grouping, run != NULL ? goban_run_get_plan (run) : NULL);
  n_groups = goban_hierarchy_get_n_groups (handle->hierarchy);
  lua_newtable (L);
  for (guint32 g = 0; g < n_groups; g++)
    {
      if (goban_hierarchy_get_group (handle->hierarchy, g)->depth > depth)
        continue;
      push_group (L, graph, handle->hierarchy, g);
      lua_rawseti (L, -2, ++n);
    }
  return 1;
}

void
goban_lua_open_hierarchy (lua_State *L)
{
  goban_lua_register (L, &hierarchy_type);
}
