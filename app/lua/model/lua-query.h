/* lua-query.h: node queries of scripts: a text, a table of fields, or a function. */
#pragma once

#include "app/lua/core/lua-state.h"

/* Pushes the nodes of the query at @index as a set; all nodes for none or nil. */
int goban_lua_query (lua_State *L, int index, GobanCostModel *costs, GobanRun *run);
