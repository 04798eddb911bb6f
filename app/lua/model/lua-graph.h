/* lua-graph.h: Lua's Graph, and the openers of the files that add methods to it. */
#pragma once

#include "app/lua/core/lua-state.h"

void goban_lua_open_graph (lua_State *L);
void goban_lua_open_graph_nodes (lua_State *L); /* node, nodes, where, ...: lua-graph-nodes.c */
void goban_lua_open_graph_load (lua_State *L);  /* graph.load, save and training */
void goban_lua_open_generate (lua_State *L);    /* graph.generate, graph.families */
void goban_lua_open_cells (lua_State *L);
void goban_lua_open_array (lua_State *L);     /* Array; arrays and propagate of graphs */
void goban_lua_open_hierarchy (lua_State *L); /* hierarchy, inside */
void goban_lua_open_pipeline (lua_State *L);  /* pipeline, parallel */
void goban_lua_open_replicas (lua_State *L);  /* replicas, graph.collective */

void goban_lua_push_graph (lua_State *L, GobanGraph *graph);
/* The slot of the handle pushed, to be filled with a graph of the caller's. */
GobanGraph **goban_lua_push_empty_graph (lua_State *L);
GobanGraph *goban_lua_check_graph (lua_State *L, int index);
/* Charges the account with a graph that was made for the handle at @index. */
void goban_lua_charge_graph (lua_State *L, int index, GobanGraph *graph);
