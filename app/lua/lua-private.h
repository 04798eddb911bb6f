/* lua-private.h: the inside of a host, for the files of this folder.
 *
 * Functions here that take a lua_State may raise unless they say otherwise: a raise is a
 * longjmp, so nobody on the way may own anything but what lies in a handle on the stack.
 */
#pragma once

#include "app/lua/lua-host.h"

#include <lauxlib.h>
#include <locale.h>
#include <lua.h>
#include <signal.h>

G_BEGIN_DECLS

struct _GobanLuaHost
{
  lua_State *L;
  GobanSession *session;
  gsize used_bytes;
  gsize max_bytes;
  locale_t c_locale; /* C, but for the language of messages */

  GobanLuaOutput output;
  gpointer output_data;

  /* The chunk that runs: a coroutine, anchored in the registry. */
  lua_State *thread;
  int thread_ref;
  lua_State *volatile running; /* the innermost coroutine at work, NULL between slices */
  volatile sig_atomic_t is_interrupted;
  gboolean is_exiting;
  int exit_code;
  char *script_dir; /* (nullable): where dofile() may read */

  /* In slices only. */
  gboolean is_sliced;
  gboolean is_paused; /* the yield in flight is meant for the host, not for a script's resume */
  gint64 slice_end_us;
  guint source;
  GobanJob *job; /* (nullable): what the chunk waits for */
  guint nap_ms;  /* how long the chunk that pauses now wants to sleep */
  GobanLuaDone done;
  gpointer done_data;

  guint stale;           /* GOBAN_LUA_STALE_ flags: globals to set from the session */
  GobanCostModel *costs; /* (nullable): the last made for a graph that is not open */
  GHashTable *recipes;   /* a graph's hash to the Lua that loads it, for the log */
};

enum
{
  GOBAN_LUA_STALE_GRAPH = 1 << 0,
  GOBAN_LUA_STALE_RUN = 1 << 1,
  GOBAN_LUA_STALE_SELECTION = 1 << 2,
};

/* Neither ever raises. */
GobanLuaHost *goban_lua_get_host (lua_State *L);
GobanSession *goban_lua_get_session (lua_State *L);

/* Ends the chunk from inside, as far as Lua lets us: by a yield nobody resumes, or an error. */
int goban_lua_stop (lua_State *L);

/* The count hook: ends slices and stops what was interrupted. */
void goban_lua_hook (lua_State *L, lua_Debug *ar);

/* Resumes the chunk from the main loop, soon. */
void goban_lua_schedule (GobanLuaHost *self);
/* Forgets the job the chunk waits for, if any, and cancels it. */
void goban_lua_drop_job (GobanLuaHost *self);

/* Sets g, r, p and sel where the session has changed. */
void goban_lua_sync_globals (lua_State *L);

/* Opens the allowed libraries: lua-sandbox.c. */
void goban_lua_open_sandbox (lua_State *L);
/* coroutine.resume and .wrap that let the host's own pauses through: lua-coroutine.c. */
void goban_lua_open_coroutine (lua_State *L);

/* --- long work: lua-work.c ---------------------------------------------------------------- */

typedef struct
{
  const char *title;
  GobanJobFunc run; /* in a worker or here; touches @data alone */
  gpointer data;    /* given away */
  GDestroyNotify free_data;
  GDestroyNotify free_result;
  /* Takes @result, without raising before it lies in the empty handle on top of the stack. */
  int (*finish) (lua_State *L, gpointer result);
} GobanLuaWork;

/* Runs it and returns what finish returns, or nil and a message: the last call of a bound
 * function. In slices the coroutine sleeps meanwhile. */
int goban_lua_work (lua_State *L, const GobanLuaWork *work);

G_END_DECLS
