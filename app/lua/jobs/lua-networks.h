/* lua-networks.h: functions policy.networks and policy.load. */
#pragma once

#include <lua.h>

void goban_lua_open_networks (lua_State *L);
