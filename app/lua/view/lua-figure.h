/* lua-figure.h: Lua's Plot, and values that the console shows as figures and tables. */
#pragma once

#include "ui/draw/figures/exhibit.h"

#include <lua.h>

void goban_lua_open_figure (lua_State *L);
/* Adds the functions of figures to the table on top, core. */
void goban_lua_add_figure_core (lua_State *L);

/* Shows @exhibit in the console, if there is one that can. Called by the thread of the script. */
gboolean goban_lua_exhibit (lua_State *L, const GobanExhibit *exhibit);
