/* lua-prelude.h: the half of the binding that is written in Lua: scripts/prelude, compiled in. */
#pragma once

#include <lua.h>

/* After all modules, which it completes. */
void goban_lua_open_prelude (lua_State *L);
/* Pushes a function or table of the prelude's own by name. */
void goban_lua_push_prelude (lua_State *L, const char *name);
