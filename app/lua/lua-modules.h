/* lua-modules.h: the table of all that scripts can use. */
#pragma once

struct lua_State;

/* A GobanLuaOpen: the sandbox, all types and modules, and the prelude. Scripts see the base, table,
 * string, math, utf8 and coroutine libraries, a little of os, and our modules; no io, no package,
 * no debug. */
void goban_lua_open_modules (struct lua_State *L);
