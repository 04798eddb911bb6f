/* lua-drawing.h: plots and pictures as files, of p:save (path, opts) and view.save. */
#pragma once

#include "app/lua/core/lua-state.h"
#include "ui/draw/export/picture.h"
#include "ui/draw/figures/figure.h"

/* p:save (path, opts) of either of them. The last call of a bound function. */
int goban_lua_save_drawing (lua_State *L, GobanFigure *figure, GobanRendering *rendering);

/* Writes a file in the background and returns its path, which @run returns. Its data are in a
 * handle on top of the stack (goban_lua_push_kept()). The last call of a bound function. */
int goban_lua_write_drawing (lua_State *L, GobanJobFunc run);

/* The place in @words of a value of opts.@key, or raises; 0 if it is absent. */
int goban_lua_check_word (lua_State *L, const char *key, const char *value,
                          const char *const words[2]);
/* The theme of that name, in the same way. */
GobanTheme goban_lua_check_theme (lua_State *L, const char *value);
