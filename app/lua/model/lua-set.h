/* lua-set.h: Lua's Set, the nodes that queries, selections and paths answer. */
#pragma once

#include "app/lua/core/lua-state.h"

/* A set keeps its cost model, and the run it was taken from. */
typedef struct
{
  GobanCostModel *costs;
  GobanRun *run;    /* (nullable) */
  GobanNodeId *ids; /* in an order that means something, each once */
  guint n;
} GobanLuaSet;

void goban_lua_open_set (lua_State *L);
void goban_lua_open_edit (lua_State *L); /* Set.move and its like: lua-edit.c */

/* Pushes a set with room for @n ids, which the caller writes at once. */
GobanLuaSet *goban_lua_push_set (lua_State *L, GobanCostModel *costs, GobanRun *run, guint n);
GobanLuaSet *goban_lua_check_set (lua_State *L, int index);
GobanLuaSet *goban_lua_test_set (lua_State *L, int index);
void goban_lua_push_selection (lua_State *L, GobanGraph *graph, GobanSelection *selection);

/* The set at 1 as a selection of the open graph, or raises if it is of another. (transfer full) */
GobanSelection *goban_lua_check_open_nodes (lua_State *L);

/* Gives a set the ids of a selection in place of its own. Never raises. */
void goban_lua_fill_set (GobanLuaSet *set, const GobanSelection *selection);
/* The same; frees the selection. */
void goban_lua_take_nodes (GobanLuaSet *set, GobanSelection *nodes);
/* Removes duplicates from a set, keeping the first. Never raises. */
void goban_lua_make_unique (GobanLuaSet *set);
