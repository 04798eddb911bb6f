/* lua-picture.h: Lua's Picture: a graph, a timeline or a comparison that is drawn at any size. */
#pragma once

#include "ui/draw/export/picture.h"

#include <lua.h>

void goban_lua_open_picture (lua_State *L);
/* Adds the functions of pictures to the table on top, core. */
void goban_lua_add_picture_core (lua_State *L);

/* Pushes an empty handle, whose slot takes the rendering. */
gpointer *goban_lua_push_picture (lua_State *L);
