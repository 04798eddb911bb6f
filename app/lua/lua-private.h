/* lua-private.h: internals of a Lua host, shared by the files of this folder.
 *
 * Functions here that take a lua_State may raise unless they say otherwise: a raise is a
 * longjmp, so nobody on the way may own anything but what lies in a handle on the stack.
 */
#pragma once

#include "app/lua/lua-host.h"

#include <lauxlib.h>
#include <locale.h>
#include <lua.h>

G_BEGIN_DECLS

/* What the main thread does for a chunk that runs in another. */
typedef void (*GobanLuaMainFunc) (gpointer data);

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

/* What a script saw of the session: owned. */
typedef struct
{
  GobanGraph *graph;     /* (nullable) */
  GobanCostModel *costs; /* (nullable): of the graph */
  GobanCluster *cluster;
  GobanRun *run; /* (nullable) */
} GobanLuaSeen;

struct _GobanLuaHost
{
  lua_State *L;
  GobanSession *session;
  gsize used_bytes;
  gsize held_bytes;  /* by handles, outside of the interpreter */
  gsize owed_bytes;  /* of these, not yet reported to the collector */
  gsize max_bytes;   /* of used and held together */
  locale_t c_locale; /* C, but for the language of messages */

  GobanLuaOutput output;
  gpointer output_data;

  /* The chunk that runs: a coroutine, anchored in the registry. */
  lua_State *thread;
  int thread_ref;
  lua_State *volatile running; /* the innermost coroutine at work, NULL if none is */
  gint is_interrupted;         /* atomic */
  gboolean is_exiting;
  int exit_code;
  gboolean is_trusted;  /* files everywhere */
  gboolean is_confined; /* not even the whole working folder */
  GPtrArray *opened;    /* files that scripts opened */
  GPtrArray *allowed;   /* folders and files, by their real names */
  char *script_dir;     /* (nullable): folder that dofile() may read from */

  gboolean is_paused; /* the yield in flight is meant for the host, not for a script's resume */

  /* Of a started chunk: lua-thread.c. */
  gboolean is_threaded;
  GThread *chunk_thread;
  GMutex mutex; /* protects all following fields that are not atomic */
  GCond cond;
  GobanLuaMainFunc request; /* (nullable): request that the chunk waits for */
  gpointer request_data;
  guint request_source;
  gboolean is_outside;  /* the chunk does not use the interpreter at the moment */
  gboolean has_visitor; /* the main thread uses it meanwhile */
  gint is_visit_wanted; /* atomic */
  GString *printed;
  guint print_source;
  gboolean is_ended;
  guint end_source;
  gboolean
      is_lenient; /* memory may exceed the limit: the main thread does not wait for a collection */
  GobanLuaWork work; /* what a function asked for that the main thread ran; run is NULL for none */

  /* What came of the chunk, for @done. */
  char *result;
  GError *error;
  GobanLuaDone done;
  gpointer done_data;

  GobanLuaSeen seen[4]; /* the last, and those before it, which may be in use */
  guint n_looks;        /* at the session */
  GobanLuaSeen away;    /* graph and cluster of goban_lua_look_for_cluster() */
  guint away_look;      /* n_looks at that time */
  guint last_seen;
  gint is_seen_stale;    /* atomic: the session has changed since */
  guint stale;           /* GOBAN_LUA_STALE_ flags: globals to set from the session */
  GobanCostModel *costs; /* (nullable): the last made for a graph that is not open */
  GHashTable *warned;    /* char *, warnings already given */
  GHashTable *recipes;   /* a graph's hash to the Lua that loads it, for the log */
};

enum
{
  GOBAN_LUA_STALE_GRAPH = 1 << 0,
  GOBAN_LUA_STALE_RUN = 1 << 1,
  GOBAN_LUA_STALE_SELECTION = 1 << 2,
};

/* On standard error, or to the handler of the output if there is one. */
void goban_lua_host_warn (GobanLuaHost *self, const char *text);

/* Neither ever raises. */
GobanLuaHost *goban_lua_get_host (lua_State *L);
GobanSession *goban_lua_get_session (lua_State *L);

/* Ends the chunk from inside, as far as Lua allows: by a yield that is never resumed, or an
 * error. */
int goban_lua_stop (lua_State *L);

/* The session as it is now, from any thread. Borrowed until the fourth change from here. Never raises. */
const GobanLuaSeen *goban_lua_look (lua_State *L);
/* goban_session_get_cluster_for(), from any thread. Borrowed until the next call. Never raises. */
GobanCluster *goban_lua_look_for_cluster (lua_State *L, GobanGraph *graph);
void goban_lua_forget_seen (GobanLuaHost *self);

/* The count hook: stops what was interrupted, and lets the main thread use the interpreter. */
void goban_lua_hook (lua_State *L, lua_Debug *ar);
gboolean goban_lua_is_stopped (GobanLuaHost *host);
/* For loops in C that no hook interrupts: stops the chunk if it was interrupted. */
void goban_lua_check_stop (lua_State *L);

/* --- the thread of a chunk: lua-thread.c ---------------------------------------------------- */

/* Whether this is the thread of the host's started chunk. */
gboolean goban_lua_is_in_thread (GobanLuaHost *self);
/* Runs @function in the main thread, at once or in a turn of its loop, and waits for its end. Must not
 * be called with a lock held that the main thread may want. */
void goban_lua_on_main (GobanLuaHost *self, GobanLuaMainFunc function, gpointer data);
/* To be called around long work that does not use the interpreter. */
void goban_lua_leave (GobanLuaHost *self);
void goban_lua_enter (GobanLuaHost *self);
/* In the main thread, around a use of the interpreter. FALSE if the chunk cannot let it go now. */
gboolean goban_lua_visit (GobanLuaHost *self);
void goban_lua_end_visit (GobanLuaHost *self);
/* In the chunk's thread: gives the main thread access if it waits for it. */
void goban_lua_admit_visit (GobanLuaHost *self);
/* What is printed: at once, or in a turn of the main loop. */
void goban_lua_write (GobanLuaHost *self, const char *text, gsize n);

void goban_lua_start_thread (GobanLuaHost *self);
/* Of a chunk that has ended. */
void goban_lua_join_thread (GobanLuaHost *self);
/* Handles the chunk's requests until it has ended. FALSE if it does not end for seconds. */
gboolean goban_lua_wait_for_thread (GobanLuaHost *self);
/* In lua-run.c: what the thread does, and what the main thread does afterwards. */
void goban_lua_run_threaded (GobanLuaHost *self);
gboolean goban_lua_end_threaded (gpointer host);

/* Sets g, r, p and sel if the session has changed. */
void goban_lua_sync_globals (lua_State *L);

/* Opens the allowed libraries: lua-sandbox.c. */
void goban_lua_open_sandbox (lua_State *L);
/* What a script may write, and read as text: lua-paths.c. Without the right to, FALSE with @error set, or a
 * raised error. */
gboolean goban_lua_may_write (lua_State *L, const char *path, GError **error);
gboolean goban_lua_may_read (lua_State *L, const char *path, GError **error);
void goban_lua_check_write (lua_State *L, const char *path); /* (nullable) */
/* Notes that a script opened this file, so that its folder does not count as chosen by the user. */
void goban_lua_note_opened (lua_State *L, const char *path); /* (nullable) */

/* Those of string and table that could work for ever inside one C function: lua-pattern.c, lua-table.c. */
void goban_lua_open_patterns (lua_State *L);
void goban_lua_open_tables (lua_State *L);
/* coroutine.resume and .wrap that let the host's own pauses through: lua-coroutine.c. */
void goban_lua_open_coroutine (lua_State *L);

/* Runs it and returns what finish returns, or nil and a message: the last call of a bound
 * function. In a function that the main thread runs for a chunk, the chunk's thread does the work when
 * that function has returned. */
int goban_lua_work (lua_State *L, const GobanLuaWork *work);

/* Calls a bound function in the main thread, which messages do not show. It must run no Lua. */
int goban_lua_call_on_main (lua_State *L, lua_CFunction function);

G_END_DECLS
