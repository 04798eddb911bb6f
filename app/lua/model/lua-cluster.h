/* lua-cluster.h: Lua's Cluster, Device and Link, and clusters and devices as arguments. */
#pragma once

#include "app/lua/core/lua-state.h"

void goban_lua_open_cluster (lua_State *L);

void goban_lua_push_cluster (lua_State *L, GobanCluster *cluster);
/* A cluster, or a string that names one; @index 0, or none or nil there: the session's. The answer
 * is borrowed from the stack or the session. */
GobanCluster *goban_lua_opt_cluster (lua_State *L, int index);
/* The same for plans of @graph, whose own it is without one, borrowed until the next call:
 * raises if the graph has no times for its devices, and warns if they are estimated. */
GobanCluster *goban_lua_opt_cluster_for (lua_State *L, int index, GobanGraph *graph);
/* A device by name, or raises with the names there are. */
GobanDeviceId goban_lua_check_device (lua_State *L, int index, GobanCluster *cluster);
