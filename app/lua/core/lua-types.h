/* lua-types.h: types of a Lua host that programs see, without lua.h. */
#pragma once

#include "engine/session/session.h"

struct lua_State;
struct _GobanExhibit;

typedef struct _GobanLuaHost GobanLuaHost;

/* Adds libraries, types and functions to a new interpreter, inside a protected call. */
typedef void (*GobanLuaOpen) (struct lua_State *L);

/* Output of print() and results; @text is n bytes, not necessarily whole lines. */
typedef void (*GobanLuaOutput) (const char *text, gsize n, gpointer user_data);

/* Shows a value that is more than text; in the main thread. */
typedef void (*GobanLuaDisplay) (const struct _GobanExhibit *exhibit, gpointer user_data);

/* How far a script says it is: 0..1 and in words; @fraction is negative at the end. In the main
 * thread. */
typedef void (*GobanLuaProgress) (double fraction, const char *text, gpointer user_data);

/* How a started chunk ended: its values as text, "" for none; or NULL with @error set,
 * GOBAN_ERROR_INVALID for a mistake of the script's, CANCELLED when it was interrupted. */
typedef void (*GobanLuaDone) (GobanLuaHost *host, const char *result, const GError *error,
                              gpointer user_data);
