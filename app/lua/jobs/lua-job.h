/* lua-job.h: module job: long work in the background. */
#pragma once

#include <lua.h>

void goban_lua_open_job (lua_State *L);
