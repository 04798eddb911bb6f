/* lua-decisions.h: Lua's Decisions, the record of a run, and Moment, one decision in it. */
#pragma once

#include "app/lua/core/lua-state.h"
#include "engine/study/run/run-origin.h"

void goban_lua_open_decisions (lua_State *L); /* Decisions, Run.decisions, Run.least_sure */
void goban_lua_open_moment (lua_State *L);    /* Moment, view.moment, view.level */

/* A moment of the run's decisions, from 0. */
void goban_lua_push_moment (lua_State *L, GobanRun *run, GobanMoment moment);
/* The number of a Moment of @run, or of one that is given by number, or raises. */
GobanMoment goban_lua_check_moment (lua_State *L, int index, GobanRun *run);
/* A level and stops by name, "moment" and "line" without one, the stops behind the level; raises
 * for other words. @stops: (nullable): for a level alone. */
GobanLevel goban_lua_check_level (lua_State *L, int index, GobanStops *stops);
