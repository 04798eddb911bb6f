/* lua-work.h: long work of bound functions, and calls of the main thread. */
#pragma once

#include "app/lua/core/lua-state.h"
#include "engine/study/run/run.h"

/* Around long work, in the thread of the chunk. Between the two, nothing raises or uses the
 * interpreter: a policy of a script may use it, and close what is on the stack, so the work has
 * references of its own. @error: (inout): if the work was stopped for the memory that it took, it
 * says so */
const GobanProgress *goban_lua_begin_work (lua_State *L);
void goban_lua_end_work (lua_State *L, GError **error);

/* Long work that has a while to return its best plan when the script is stopped. */
typedef struct
{
  GobanLuaHost *host;
  GobanProgress progress;
  const GobanProgress *outer; /* of the work */
  gint finish;                /* atomic: GOBAN_FINISH_STOPPED after a stop */
  gint stopped_ms;            /* atomic */
} GobanLuaSearch;

/* As goban_lua_begin_work(), for a search with these options. @self: (out) */
void goban_lua_begin_search (lua_State *L, GobanLuaSearch *self, GobanRunOptions *options);

/* Keeps the plan on top, that of @run, if its search was stopped, for the prompt that goes on,
 * unless the caller keeps other things. */
void goban_lua_leave_plan (lua_State *L, GobanRun *run);

/* Calls a bound function in the main thread, which messages do not show. It must run no Lua. */
int goban_lua_call_on_main (lua_State *L, lua_CFunction function);
/* In such a function, as its last call: leaves the stack to @function, which the thread of the
 * chunk runs, for example to do long work. */
int goban_lua_then (lua_State *L, lua_CFunction function);
