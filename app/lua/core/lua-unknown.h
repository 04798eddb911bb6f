/* lua-unknown.h: errors about names that a module does not have, with the nearest one that it has.
 *
 * Reading such a name raises, instead of giving nil.
 *
 * Decision A15 (app/NOTES.md).
 */
#pragma once

#include <lua.h>

/* The key of the table at @index that is nearest to @word, of equally near ones the first in the
 * alphabet; NULL if none is near. Held by the table. */
const char *goban_lua_find_nearest_key (lua_State *L, int index, const char *word);

/* After all modules have been opened. */
void goban_lua_open_unknown (lua_State *L);
