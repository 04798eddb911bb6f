/* lua-policy.h: module policy: policies by name, and those written in Lua. */
#pragma once

#include <lua.h>

void goban_lua_open_policy (lua_State *L);
