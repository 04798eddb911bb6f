/* lua-recipe.h: Lua expressions that make a graph again, for the log.
 *
 * Nothing here ever raises.
 */
#pragma once

#include "app/lua/core/lua-state.h"

/* Keeps @recipe (transfer full) by the content of the graph, since handles and graphs come and
 * go. */
void goban_lua_take_graph_recipe (lua_State *L, GobanGraph *graph, char *recipe);
/* (nullable): expression that makes the graph, if this host has it: "graph.load(...)".
 * (transfer full) */
char *goban_lua_dup_graph_recipe (lua_State *L, GobanGraph *graph);
/* Logs that a graph has been opened, with the expression that loads it, if known. */
void goban_lua_log_open (lua_State *L, GobanGraph *graph);
