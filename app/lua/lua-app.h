/* lua-app.h: module app: the program itself and the files scripts write. */
#pragma once

#include <lua.h>

void goban_lua_open_app (lua_State *L);
