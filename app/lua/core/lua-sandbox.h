/* lua-sandbox.h: the standard libraries as scripts have them, without a way out or a way to hang.
 *
 * The functions of string, table and coroutine that the later three replace could work for ever
 * inside one C function, or swallow the host's pauses.
 */
#pragma once

#include <lua.h>

void goban_lua_open_sandbox (lua_State *L); /* first */
void goban_lua_open_patterns (lua_State *L);
void goban_lua_open_tables (lua_State *L);
void goban_lua_open_coroutine (lua_State *L);
