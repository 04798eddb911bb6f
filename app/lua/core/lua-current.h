/* lua-current.h: the open graph, its costs, the cluster and the current run, from any thread.
 *
 * Nothing here ever raises.
 */
#pragma once

#include "app/lua/core/lua-state.h"

/* The session as it is now. Borrowed until the fourth change from here. */
const GobanLuaCurrent *goban_lua_get_current (lua_State *L);
/* goban_session_get_cluster_for(). Borrowed until the next call. */
GobanCluster *goban_lua_get_cluster_for (lua_State *L, GobanGraph *graph);
void goban_lua_clear_current (GobanLuaHost *self);

/* Costs of a graph on the cluster that the session has for it. Borrowed until the next call. */
GobanCostModel *goban_lua_get_costs (lua_State *L, GobanGraph *graph);
/* Costs of a graph on a cluster: the session's, or new. (transfer full) */
GobanCostModel *goban_lua_dup_costs (lua_State *L, GobanGraph *graph, GobanCluster *cluster,
                                     GobanExecution execution);
/* The session's current run if it is of this graph, else NULL. */
GobanRun *goban_lua_get_run (lua_State *L, GobanGraph *graph);
