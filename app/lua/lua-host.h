/* lua-host.h: one Lua interpreter bound to one session, for scripts, consoles and prompts.
 *
 * Of the main thread. The header includes no lua.h: programs need this one, lua-chunk.h to run
 * code, lua-paths.h for the files that scripts may use, and lua-modules.h. Memory is capped.
 * Numbers, letters and their order are the same under every locale.
 */
#pragma once

#include "app/lua/core/lua-types.h"
#include "engine/core/ranks/ranks.h"

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
/* The program that runs the script again, as another process, for the cells of its sweeps, and its
 * arguments; without it there is none. NULL, once: this process is such a one. It runs the script
 * without output and without files up to a sweep, and then takes orders over its standard input; it
 * ends when that is closed. */
void goban_lua_host_set_followers (GobanLuaHost *self, const char *const *argv);
/* The ranks that run the same script, for the cells of its sweeps; all but the first without output
 * and without files. Borrowed for the host's life. */
void goban_lua_host_set_ranks (GobanLuaHost *self, GobanRanks *ranks);
/* Limit of the memory of scripts: their values, and all that they make the program keep
 * (core/lua-account.h). 2 GiB by default. */
void goban_lua_host_set_memory_limit (GobanLuaHost *self, gsize size_bytes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanLuaHost, goban_lua_host_free)
