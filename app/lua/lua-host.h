/* lua-host.h: one Lua interpreter bound to one session, for scripts, consoles and prompts.
 *
 * Of the main thread. The header knows no lua.h: programs need only this. A script sees the base,
 * table, string, math, utf8 and coroutine libraries, a little of os, and our modules; no io, no
 * package, no debug. Memory is capped. Numbers, letters and their order are the same under every
 * locale.
 *
 * Code runs one chunk at a time, in one of two ways:
 *   run_*, evaluate  to the end, before they return; goban_lua_host_interrupt() stops them.
 *   start            in a thread of its own, so that a window stays alive whatever the code does; what
 *                    touches the session is run in turns of the main loop.
 */
#pragma once

#include "engine/session/session.h"

G_BEGIN_DECLS

typedef struct _GobanLuaHost GobanLuaHost;

/* Exit codes of the run functions, besides those that a script passes to os.exit(). */
#define GOBAN_LUA_EXIT_OK 0
#define GOBAN_LUA_EXIT_FAILED 1
#define GOBAN_LUA_EXIT_FILE 3
#define GOBAN_LUA_EXIT_INTERRUPTED 130

/* What print() and results write; @text is n bytes, not necessarily whole lines. */
typedef void (*GobanLuaOutput) (const char *text, gsize n, gpointer user_data);

/* How a started chunk ended: its values as text, "" for none; or NULL with @error set,
 * GOBAN_ERROR_INVALID for a mistake of the script's, CANCELLED when it was interrupted. */
typedef void (*GobanLuaDone) (GobanLuaHost *host, const char *result, const GError *error,
                              gpointer user_data);

/* Keeps a reference on the session. Output goes to standard output by default. */
GobanLuaHost *goban_lua_host_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;
/* Not from inside a running chunk. One that was started is stopped and waited for. */
void goban_lua_host_free (GobanLuaHost *self);

GobanSession *goban_lua_host_get_session (GobanLuaHost *self);
void goban_lua_host_set_output (GobanLuaHost *self, GobanLuaOutput output, gpointer user_data);
/* Limit of the memory of scripts: their values, and the graphs, plans, runs and sets that they
 * made. 2 GiB by default. */
void goban_lua_host_set_memory_limit (GobanLuaHost *self, gsize size_bytes);

/* --- files -------------------------------------------------------------------------------- */

/* A script may write, and read as text, in the working folder and in its own, in what
 * goban_lua_host_run_file() is given as arguments, and in folders and files allowed here. */
void goban_lua_host_allow (GobanLuaHost *self, const char *path);
/* Restricts scripts to goban-out in the working folder, the folders of the graph and the session
 * that the user opened or saved, and those of files saved by a dialog
 * (engine/session/chosen-folders.h). */
void goban_lua_host_confine (GobanLuaHost *self);
/* Everywhere. */
void goban_lua_host_set_trusted (GobanLuaHost *self, gboolean is_trusted);

/* --- to the end --------------------------------------------------------------------------- */

/**
 * goban_lua_host_run_file:
 * @path: the script; its folder is where dofile() and loadfile() may read
 * @args: (nullable): NULL-terminated; the script finds them in `arg` and in `...`
 *
 * Returns: an exit code: 0, what the script gave os.exit(), or one of GOBAN_LUA_EXIT_ with
 *   @error set (FAILED: INVALID with a traceback; FILE: IO; INTERRUPTED: CANCELLED)
 */
int goban_lua_host_run_file (GobanLuaHost *self, const char *path, const char *const *args,
                             GError **error);

/* The same for a string of code. @name: its name in messages, "command line". */
int goban_lua_host_run_string (GobanLuaHost *self, const char *code, const char *name,
                               GError **error);

/* Evaluates a line of a prompt: an expression's values are printed and kept in `_` and `out`, "x?"
 * shows help. */
int goban_lua_host_evaluate (GobanLuaHost *self, const char *code, GError **error);

/* FALSE if @code is incomplete, so that a prompt should read another line. */
gboolean goban_lua_host_is_complete (GobanLuaHost *self, const char *code);

/* TRUE once a script has called os.exit(), which a prompt obeys too. */
gboolean goban_lua_host_is_exiting (const GobanLuaHost *self);

/* Stops the running code, in Lua or in C: a run function returns soon, the GobanLuaDone of a
 * started chunk is called from the main loop. Safe in a signal handler while a run function is at
 * work. */
void goban_lua_host_interrupt (GobanLuaHost *self);

/* --- in a thread -------------------------------------------------------------------------- */

/**
 * goban_lua_host_start:
 *
 * Evaluates @code as a prompt does. @done is called once, later, from the main loop, unless
 * the call itself fails: %GOBAN_ERROR_INVALID for code that does not compile or where another
 * chunk still runs.
 */
gboolean goban_lua_host_start (GobanLuaHost *self, const char *code, GobanLuaDone done,
                               gpointer user_data, GError **error);

gboolean goban_lua_host_is_running (const GobanLuaHost *self);

/**
 * goban_lua_host_complete:
 * @cursor: in bytes; what is before it is completed
 * @start: (out): in bytes; what the answers replace, up to @cursor
 *
 * Returns: (transfer full): a sorted, NULL-terminated list, empty if nothing fits
 */
char **goban_lua_host_complete (GobanLuaHost *self, const char *text, gsize cursor,
                                gsize *start) G_GNUC_WARN_UNUSED_RESULT;

/* What the word at the cursor means, several lines; (transfer full) (nullable): %NULL without memory for it. Asked at any
 * time; %NULL too if a chunk is in the middle of a long step. */
char *goban_lua_host_help (GobanLuaHost *self, const char *text,
                           gsize cursor) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanLuaHost, goban_lua_host_free)

G_END_DECLS
