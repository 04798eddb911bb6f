/* lua-work.h: long work of bound functions, and calls of the main thread. */
#pragma once

#include "app/lua/core/lua-state.h"

/* Runs it and returns what finish returns, or nil and a message: the last call of a bound
 * function. In a function that the main thread runs for a chunk, the chunk's thread does the work
 * when that function has returned. */
int goban_lua_work (lua_State *L, const GobanLuaWork *work);

/* Calls a bound function in the main thread, which messages do not show. It must run no Lua. */
int goban_lua_call_on_main (lua_State *L, lua_CFunction function);
