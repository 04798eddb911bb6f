/* lua-bench.h: module bench: policies measured on a suite of graphs. */
#pragma once

#include <lua.h>

void goban_lua_open_bench (lua_State *L);
