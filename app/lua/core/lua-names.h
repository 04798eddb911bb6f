/* lua-names.h: names in the open session that a text may mean, for completion inside strings. */
#pragma once

#include <lua.h>

/* For the prelude: (prefix, limit) pushes a list of { name, detail } of devices, plans and nodes.
 * To be called in the main thread. */
int goban_lua_names (lua_State *L);
