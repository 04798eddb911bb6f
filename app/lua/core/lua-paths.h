/* lua-paths.h: rights of scripts to write files, and to read them as text.
 *
 * A script may use the working folder, its own, the arguments of goban_lua_host_run_file(), and the
 * folders and files allowed here.
 */
#pragma once

#include "app/lua/core/lua-types.h"

void goban_lua_host_allow (GobanLuaHost *self, const char *path);
/* Restricts scripts to goban-out in the working folder, the folders of the graph and the session
 * that the user opened or saved, and those of files saved by a dialog
 * (engine/session/chosen-folders.h). */
void goban_lua_host_confine (GobanLuaHost *self);
/* Everywhere. */
void goban_lua_host_set_trusted (GobanLuaHost *self, gboolean is_trusted);

/* A path that may be written is bound to the place it leads to
 * (checked-path.h). */
/* Without the right to, FALSE with @error set, or a raised error. */
gboolean goban_lua_may_write (struct lua_State *L, const char *path, GError **error);
gboolean goban_lua_may_read (struct lua_State *L, const char *path, GError **error);
/* The same for a copy, which may be of any size. */
gboolean goban_lua_may_copy (struct lua_State *L, const char *path, GError **error);
void goban_lua_check_write (struct lua_State *L, const char *path); /* (nullable) */
/* Notes that a script opened this file, so that its folder does not count as chosen by the user. */
void goban_lua_note_opened (struct lua_State *L, const char *path); /* (nullable) */
