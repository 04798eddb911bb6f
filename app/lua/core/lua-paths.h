/* lua-paths.h: rights of scripts to write files, to read them as text, and to start programs.
 *
 * A script may use the working folder, its own, the arguments of goban_lua_host_run_file(), and the
 * folders and files allowed here.
 */
#pragma once

#include "app/lua/core/lua-types.h"

G_BEGIN_DECLS

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
/* Programs may do anything: those that the user types, or trusts, may be started. What was typed
 * after a script has run in the interpreter may be the script's work.
 *
 * Decision A19 (app/NOTES.md). */
gboolean goban_lua_may_start (struct lua_State *L, GError **error);
/* Notes that a script opened this file, so that its folder does not count as chosen by the user. */
void goban_lua_note_opened (struct lua_State *L, const char *path); /* (nullable) */

G_END_DECLS
