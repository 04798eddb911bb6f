/* lua-run.h: Lua's Run, and the openers of the files that add methods to it. */
#pragma once

#include "app/lua/core/lua-state.h"

void goban_lua_open_run (lua_State *L);            /* with module sim */
void goban_lua_open_causes (lua_State *L);         /* why */
void goban_lua_open_playback_state (lua_State *L); /* at */
void goban_lua_open_time_events (lua_State *L);    /* next_event, previous_event, view.event */
void goban_lua_open_totals (lua_State *L);         /* totals, links, bottlenecks */

void goban_lua_push_run (lua_State *L, GobanRun *run);
/* A handle without a run, for one that is yet to be made. */
void goban_lua_push_empty_run (lua_State *L);
/* Puts the run (transfer full) into that handle, on top of the stack, and charges the account;
 * without a run nil and the message: for a function's return. @error: (transfer full) */
int goban_lua_answer_run (lua_State *L, GobanRun *run, GError *error);
/* The same for a run of a new graph. @code: (transfer full) (nullable): Lua that makes it again, of
 * the title @name */
int goban_lua_answer_derived (lua_State *L, GobanRun *run, const char *name, char *code,
                              GError *error);
GobanRun *goban_lua_check_run (lua_State *L, int index);
GobanRun *goban_lua_test_run (lua_State *L, int index);
/* { node=, from=, to=, bytes=, ready=, start=, finish= }; @transfer: of the run's trace */
void goban_lua_push_transfer (lua_State *L, GobanRun *run, const GobanTransfer *transfer);
