/* lua-stop.h: the end of a chunk from inside, and the hook that looks for it. */
#pragma once

#include "app/lua/core/lua-state.h"

/* Ends the chunk from inside, as far as Lua allows: by a yield that is never resumed, or an
 * error. */
int goban_lua_stop (lua_State *L);

/* The count hook: stops an interrupted chunk, and lets the main thread use the interpreter. */
void goban_lua_hook (lua_State *L, lua_Debug *ar);
/* Sets it for code that runs in another thread than the main one. */
void goban_lua_watch (lua_State *L);
gboolean goban_lua_is_stopped (GobanLuaHost *host);
/* For loops in C that no hook interrupts: stops the chunk if it was interrupted. */
void goban_lua_check_stop (lua_State *L);
