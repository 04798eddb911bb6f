/* lua-color.h: view.color, what fills nodes, and colourings as arguments. */
#pragma once

#include "app/lua/core/lua-state.h"

void goban_lua_open_color (lua_State *L);

/* A word for a colouring, or raises with the words there are. */
const char *goban_lua_check_color (lua_State *L, const char *color);
/* The values that colour a picture, NULL if there are none; @color NULL is the view's own. For
 * another colouring it raises an error if its values are unknown. (transfer full) (nullable) */
GobanNodeValues *goban_lua_dup_color_values (lua_State *L, const char *color, GobanGraph *graph,
                                             GobanRun *run);
