/* lua-types.h: types of a Lua host that programs see, without lua.h. */
#pragma once

#include "engine/session/session.h"

G_BEGIN_DECLS

struct lua_State;

typedef struct _GobanLuaHost GobanLuaHost;

/* Adds libraries, types and functions to a new interpreter, inside a protected call. */
typedef void (*GobanLuaOpen) (struct lua_State *L);

/* What print() and results write; @text is n bytes, not necessarily whole lines. */
typedef void (*GobanLuaOutput) (const char *text, gsize n, gpointer user_data);

/* How a started chunk ended: its values as text, "" for none; or NULL with @error set,
 * GOBAN_ERROR_INVALID for a mistake of the script's, CANCELLED when it was interrupted. */
typedef void (*GobanLuaDone) (GobanLuaHost *host, const char *result, const GError *error,
                              gpointer user_data);

G_END_DECLS
