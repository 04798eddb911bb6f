/* lua-hierarchy.c: graph:hierarchy and graph:inside, the groups of the graph pane. */
#include "app/lua/core/lua-current.h"
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/model/lua-graph.h"
#include "app/lua/model/lua-set.h"
#include "app/lua/view/lua-view.h"

#include "engine/study/log/set-description.h"

#include <string.h>

/* { path=, name=, depth=, fold=, nodes=, parent= }; the whole graph has no parent. */
static void
push_group (lua_State *L, GobanGraph *graph, const GobanHierarchy *hierarchy, guint32 number)
{
  const GobanGroup *group = goban_hierarchy_get_group (hierarchy, number);
  GobanSelection *nodes;
  GobanLuaSet *set;

  lua_createtable (L, 0, 6);
  goban_lua_put_text (L, "path", group->path);
  goban_lua_put_text (L, "name", group->name);
  goban_lua_put_integer (L, "depth", group->depth);
  goban_lua_put_boolean (L, "fold", group->is_fold);
  if (number != 0)
    {
      goban_lua_put_text (L, "parent", goban_hierarchy_get_group (hierarchy, group->parent)->path);
    }

  set = goban_lua_push_set (L, goban_lua_get_costs (L, graph), goban_lua_get_run (L, graph), 0);
  nodes = goban_hierarchy_dup_nodes (hierarchy, number);
  goban_lua_take_nodes (set, nodes);
  lua_setfield (L, -2, "nodes");
}

/* g:hierarchy (grouping, depth): a list, parents before children. */
static int
graph_hierarchy (lua_State *L)
{
  GobanGraph *graph = goban_lua_check_graph (L, 1);
  GobanGrouping grouping
      = lua_isnoneornil (L, 2) ? GOBAN_GROUPING_AUTO : goban_lua_check_grouping (L, 2);
  lua_Integer depth = luaL_optinteger (L, 3, G_MAXUINT32);
  GobanRun *run = goban_lua_get_run (L, graph);
  GobanHierarchy *hierarchy;
  gpointer *kept;
  guint n_groups;
  guint n = 0;

  luaL_argcheck (L, depth >= 0, 3, "a depth of at least 0 is needed");
  kept = goban_lua_push_kept (L, (GDestroyNotify) goban_hierarchy_unref);
  hierarchy = *kept
      = goban_hierarchy_new (graph, grouping, run != NULL ? goban_run_get_plan (run) : NULL);
  n_groups = goban_hierarchy_get_n_groups (hierarchy);
  lua_newtable (L);
  for (guint32 g = 0; g < n_groups; g++)
    {
      if (goban_hierarchy_get_group (hierarchy, g)->depth > depth)
        continue;
      push_group (L, graph, hierarchy, g);
      lua_rawseti (L, -2, ++n);
    }
  return 1;
}

/* Marks the nodes of the group whose path is at the top of the stack. */
static void
mark_inside (lua_State *L, const GobanHierarchy *groups, guint8 *is_inside)
{
  const char *path = luaL_checkstring (L, -1);
  guint32 number = goban_hierarchy_find (groups, path);
  const char *how = goban_grouping_names[goban_hierarchy_get_grouping (groups)];

  if (number == GOBAN_NO_SUCH_GROUP)
    luaL_error (L, "there is no group '%s' by %s; g:hierarchy \"%s\" lists them", path, how, how);
  memset (is_inside + number, 1, goban_hierarchy_get_group (groups, number)->end - number);
}

/* Pushes a handle of the groups by the word at @index, by scope by default. */
static GobanHierarchy *
push_groups (lua_State *L, int index, GobanGraph *graph)
{
  GobanSession *session = goban_lua_get_session (L);
  GobanSetDescription *words = goban_view_get_words (goban_session_get_view (session));
  GobanGrouping grouping
      = lua_isnoneornil (L, index) ? GOBAN_GROUPING_SCOPE : goban_lua_check_grouping (L, index);
  gpointer *kept;

  luaL_argcheck (L, goban_set_description_has (grouping), index,
                 "scope, layer, step, parameter or use expected");
  kept = goban_lua_push_kept (L, (GDestroyNotify) goban_hierarchy_unref);
  return *kept = goban_set_description_ref_groups (words, graph, grouping);
}

/* g:inside "encoder", g:inside{"encoder", "decoder"} or g:inside("use 3", "use"), as the log says
 * large sets. */
static int
graph_inside (lua_State *L)
{
  GobanGraph *graph = goban_lua_check_graph (L, 1);
  guint n_nodes = goban_graph_get_n_nodes (graph);
  const GobanHierarchy *groups;
  guint8 *is_inside;
  GobanLuaSet *set;

  lua_settop (L, 3);
  groups = push_groups (L, 3, graph);
  is_inside = lua_newuserdatauv (L, goban_hierarchy_get_n_groups (groups), 0);
  memset (is_inside, 0, goban_hierarchy_get_n_groups (groups));
  if (lua_type (L, 2) == LUA_TTABLE)
    for (guint i = 1; i <= lua_rawlen (L, 2); i++)
      {
        lua_rawgeti (L, 2, i);
        mark_inside (L, groups, is_inside);
        lua_pop (L, 1);
      }
  else
    {
      lua_pushvalue (L, 2);
      mark_inside (L, groups, is_inside);
    }

  set = goban_lua_push_set (L, goban_lua_get_costs (L, graph), goban_lua_get_run (L, graph),
                            n_nodes);
  set->n = 0;
  for (GobanNodeId v = 0; v < n_nodes; v++)
    if (is_inside[goban_hierarchy_get_group_of (groups, v)])
      set->ids[set->n++] = v;
  return 1;
}

static const GobanLuaEntry graph_entries[] = {
  GOBAN_LUA_FUNCTION (
      "hierarchy", graph_hierarchy, "(grouping, depth)",
      "Groups within groups, parents first, as a list of tables: path, name, depth, "
      "fold, nodes, parent (a path). By auto, cluster, layer, none, parameter, "
      "scope, step or use.",
      "for _, group in ipairs(g:hierarchy(\"scope\", 1)) do print(group.path, "
      "#group.nodes) end"),
  GOBAN_LUA_FUNCTION (GOBAN_LUA_ON_MAIN "inside", graph_inside, "(groups, grouping)",
                      "The nodes inside one group, or several: by their paths, as g:hierarchy has "
                      "them. By scope unless told: layer, step, parameter or use.",
                      "g:inside \"image\""),
  { NULL },
};

void
goban_lua_open_hierarchy (lua_State *L)
{
  goban_lua_extend (L, "Graph", graph_entries);
}
