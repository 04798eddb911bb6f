/* lua-guest.h: policies written in Lua as policies of the program, run from any thread.
 *
 * A policy uses the interpreter in which it was registered, with all that its function refers to.
 * In a chunk's own call it runs in the chunk's thread; for a job of the window it runs in the job's
 * thread, which waits for the chunk that runs, if any. Decision A13 (app/NOTES.md).
 */
#pragma once

#include "app/lua/core/lua-state.h"

/* From its making to its end: unregistering stops its policies; FALSE if one does not end. */
void goban_lua_register_host (GobanLuaHost *host);
gboolean goban_lua_unregister_host (GobanLuaHost *host);

/* For the prelude: (name, blurb, evals) lists core.policies[name], and adds plan.NAME; with (...,
 * argv, seconds of silence, tasks) it is another program. */
int goban_lua_add_policy (lua_State *L);
/* For the prelude: removes all from the list. */
int goban_lua_forget_policies (lua_State *L);
