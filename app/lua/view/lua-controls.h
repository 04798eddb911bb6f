/* lua-controls.h: Lua's Control, the sliders, choices and buttons of module ui. */
#pragma once

struct lua_State;

void goban_lua_open_controls (struct lua_State *L);
