/* lua-host.h: one Lua interpreter bound to one session, for scripts, consoles and prompts.
 *
 * Of the main thread. The header includes no lua.h: programs need this one, lua-chunk.h to run
 * code, lua-paths.h for the files that scripts may use, and lua-modules.h. Memory is capped.
 * Numbers, letters and their order are the same under every locale.
 */
#pragma once

#include "app/lua/core/lua-types.h"

G_BEGIN_DECLS

/* Keeps a reference on the session. Output goes to standard output by default. @open: the
 * libraries of scripts, goban_lua_open_modules() for all there are. */
GobanLuaHost *goban_lua_host_new (GobanSession *session,
                                  GobanLuaOpen open) G_GNUC_WARN_UNUSED_RESULT;
/* Not from inside a running chunk. One that was started is stopped and waited for. */
void goban_lua_host_free (GobanLuaHost *self);

GobanSession *goban_lua_host_get_session (GobanLuaHost *self);
/* @display: (nullable): shows plots, tables and pictures, which are texts without it. */
void goban_lua_host_set_output (GobanLuaHost *self, GobanLuaOutput output, GobanLuaDisplay display,
                                gpointer user_data);
/* The output is a terminal of so many columns, which texts are cut to, and where plots are
 * sketches; 0: it is none, as without a call. @as_json: a prompt prints each value as a line of
 * JSON. */
void goban_lua_host_set_terminal (GobanLuaHost *self, guint n_columns, gboolean is_ascii,
                                  gboolean as_json);
/* Shows how far sweeps are. */
void goban_lua_host_set_progress (GobanLuaHost *self, GobanLuaProgress progress,
                                  gpointer user_data);
/* Limit of the memory of scripts: their values, and all that they make the program keep
 * (core/lua-account.h). 2 GiB by default. */
void goban_lua_host_set_memory_limit (GobanLuaHost *self, gsize size_bytes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanLuaHost, goban_lua_host_free)

G_END_DECLS
