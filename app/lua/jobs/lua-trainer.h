/* lua-trainer.h: Lua's Trainer: a training whose loop is a script's. */
#pragma once

#include <lua.h>

void goban_lua_open_trainer (lua_State *L);
/* Adds functions to the table on top of the stack, the prelude's core. */
void goban_lua_add_trainer_core (lua_State *L);
