/* lua-measure.h: module measure: plans of ONNX models, run on this machine's cores. */
#pragma once

#include <lua.h>

void goban_lua_open_measure (lua_State *L);
