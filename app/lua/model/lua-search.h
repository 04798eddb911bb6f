/* lua-search.h: the objects that a policy written in Lua works on: State and Search. */
#pragma once

#include "app/lua/core/lua-state.h"

void goban_lua_open_search (lua_State *L);

/* Pushes a State of a greedy plan, or a Search. The host closes it with the task's end. */
void goban_lua_push_state (lua_State *L, GobanGuestTask *task);
void goban_lua_push_search (lua_State *L, GobanGuestTask *task);
/* Ends the use of the task by the State or Search at @index: it may outlive the task. */
void goban_lua_close_task (lua_State *L, int index);
