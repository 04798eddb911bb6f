/* lua-chunk.h: execution of code in a Lua host, a chunk at a time.
 *
 * In one of two ways:
 *   run_*, evaluate  to the end, before they return; goban_lua_host_interrupt() stops them.
 *   start            in a thread of its own, so that a window stays alive whatever the code does;
 *                    calls that touch the session run in turns of the main loop.
 */
#pragma once

#include "app/lua/core/lua-types.h"

/* Exit codes of the run functions, besides those that a script passes to os.exit(). */
#define GOBAN_LUA_EXIT_OK 0
#define GOBAN_LUA_EXIT_FAILED 1
#define GOBAN_LUA_EXIT_FILE 3
#define GOBAN_LUA_EXIT_INTERRUPTED 130

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

/* How many lines of a prompt have been evaluated: "console[3]:1:" is in the third. */
guint goban_lua_host_get_n_prompts (const GobanLuaHost *self);

/* FALSE if @code is incomplete, so that a prompt should read another line. */
gboolean goban_lua_host_is_complete (GobanLuaHost *self, const char *code);

/* TRUE once a script has called os.exit(), which a prompt obeys too. */
gboolean goban_lua_host_is_exiting (const GobanLuaHost *self);

/* Stops the running code, in Lua or in C: a run function returns soon, the GobanLuaDone of a
 * started chunk is called from the main loop. Safe in a signal handler while a run function is at
 * work. */
void goban_lua_host_interrupt (GobanLuaHost *self);

/* --- in a thread --------------------------------------------------------------------------- */

/**
 * goban_lua_host_start:
 *
 * Evaluates @code as a prompt does. @done is called once, later, from the main loop, unless
 * the call itself fails: %GOBAN_ERROR_INVALID for code that does not compile or where another
 * chunk still runs.
 */
gboolean goban_lua_host_start (GobanLuaHost *self, const char *code, GobanLuaDone done,
                               gpointer user_data, GError **error);

/* Runs the functions of the controls (module ui) whose values have changed, in the same way. */
gboolean goban_lua_host_start_controls (GobanLuaHost *self, GobanLuaDone done, gpointer user_data,
                                        GError **error);

typedef struct
{
  const char *code;
  const char *path; /* (nullable): of its file: the folder is where dofile() may read */
  const char *name; /* in messages */
} GobanLuaScript;

/* The same for a script, which finds its path in `arg`. */
gboolean goban_lua_host_start_script (GobanLuaHost *self, const GobanLuaScript *script,
                                      GobanLuaDone done, gpointer user_data, GError **error);

gboolean goban_lua_host_is_running (const GobanLuaHost *self);

/* Before the host is freed: interrupts a started chunk and waits for it. FALSE if it does not end
 * for seconds. */
gboolean goban_lua_host_end (GobanLuaHost *self);
