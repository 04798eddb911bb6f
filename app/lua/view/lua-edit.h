/* lua-edit.h: edits of the session for scripts, which wait for them. */
#pragma once

#include "app/lua/core/lua-state.h"
#include "engine/session/edit.h"

/* In the main thread: gives the session edits, which apply to what is current when their turn
 * comes, and returns what @finish returns when all are made, or nil and the message: the last call
 * of a bound function. */
int goban_lua_edit (lua_State *L, const GobanEdit *edits, guint n, lua_CFunction finish);
