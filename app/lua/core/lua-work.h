/* lua-work.h: long work of bound functions, and calls of the main thread. */
#pragma once

#include "app/lua/core/lua-state.h"
#include "engine/study/run/run.h"

/* Runs it and returns what finish returns, or nil and a message: the last call of a bound
 * function. In a function that the main thread runs for a chunk, the chunk's thread does the work
 * when that function has returned. */
int goban_lua_work (lua_State *L, const GobanLuaWork *work);

/* A search of a worker, which has a while to return its best plan when the script is stopped. */
typedef struct
{
  GobanLuaHost *host;
  const GobanProgress *outer; /* the worker's */
  gint finish;                /* atomic: GOBAN_FINISH_STOPPED after a stop */
  gint stopped_ms;            /* atomic */
} GobanLuaSearch;

/* For a GobanProgress with a GobanLuaSearch. */
gboolean goban_lua_search_should_stop (gpointer search);

/* Keeps the plan on top, that of @run, if its search was stopped, for the prompt that goes on,
 * unless the caller keeps other things. */
void goban_lua_leave_plan (lua_State *L, GobanRun *run);

/* Calls a bound function in the main thread, which messages do not show. It must run no Lua. */
int goban_lua_call_on_main (lua_State *L, lua_CFunction function);
