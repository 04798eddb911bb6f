/* lua-globals.h: g, r, p and sel, the session's state as globals. */
#pragma once

#include <lua.h>

void goban_lua_open_globals (lua_State *L);
