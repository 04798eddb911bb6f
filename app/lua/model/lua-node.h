/* lua-node.h: Lua's Node, and the fields of nodes as Lua values.
 *
 * Times are in seconds, sizes in bytes; nil stands for unknown.
 */
#pragma once

#include "app/lua/core/lua-state.h"
#include "engine/study/analysis/node-field.h"

/* A node keeps its cost model, and the run it was taken from. */
typedef struct
{
  GobanCostModel *costs;
  GobanRun *run; /* (nullable) */
  GobanNodeId id;
} GobanLuaNode;

void goban_lua_open_node (lua_State *L);

void goban_lua_push_node (lua_State *L, GobanCostModel *costs, GobanRun *run, GobanNodeId id);
/* The same, or nil and a message if @id is GOBAN_NO_NODE, for the name or place at 2. */
int goban_lua_answer_node (lua_State *L, GobanCostModel *costs, GobanRun *run, GobanNodeId id);
GobanLuaNode *goban_lua_check_node (lua_State *L, int index);
GobanLuaNode *goban_lua_test_node (lua_State *L, int index);
/* A node by handle or name, of this graph, or raises. */
GobanNodeId goban_lua_check_node_of (lua_State *L, int index, GobanGraph *graph);

/* The field named at @index, or raises with the names there are. */
const GobanNodeField *goban_lua_check_field (lua_State *L, int index);
void goban_lua_push_field (lua_State *L, const GobanNodeField *field,
                           const GobanNodeContext *context, GobanNodeId id);
