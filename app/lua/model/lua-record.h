/* lua-record.h: Lua's Decisions: the record of the decisions of a policy without a decision log. */
#pragma once

#include "engine/study/run/run.h"

#include <lua.h>

G_BEGIN_DECLS

void goban_lua_open_record (lua_State *L);

/* A number of a record as Lua has it: times, named "..._us", are seconds. */
double goban_lua_record_number (const char *name, double value);

/* Pushes a handle of the run's record, which it must have. */
void goban_lua_push_record (lua_State *L, GobanRun *run);

G_END_DECLS
