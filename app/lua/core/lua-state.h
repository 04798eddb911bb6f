/* lua-state.h: state of a Lua host, shared by the files of this folder.
 *
 * Functions of this folder that take a lua_State may raise unless they say otherwise: a raise is a
 * longjmp, so a caller on the way may own only objects in handles on the stack.
 */
#pragma once

#include "app/lua/core/lua-types.h"
#include "engine/core/ranks/ranks.h"
#include "engine/study/run/guest-policy.h"

#include <lauxlib.h>
#include <locale.h>
#include <lua.h>

/* A call that the main thread makes for a chunk in another one. */
typedef void (*GobanLuaMainFunc) (gpointer data);

/* The session as a script last saw it: owned. */
typedef struct
{
  GobanGraph *graph;     /* (nullable) */
  GobanCostModel *costs; /* (nullable): of the graph */
  GobanCluster *cluster;
  GobanRun *run; /* (nullable) */
} GobanLuaCurrent;

enum
{
  GOBAN_LUA_STALE_GRAPH = 1 << 0,
  GOBAN_LUA_STALE_RUN = 1 << 1,
  GOBAN_LUA_STALE_SELECTION = 1 << 2,
  GOBAN_LUA_STALE_ALL = GOBAN_LUA_STALE_GRAPH | GOBAN_LUA_STALE_RUN | GOBAN_LUA_STALE_SELECTION,
};

struct _GobanLuaHost
{
  lua_State *L;
  GobanSession *session;
  gsize used_bytes;              /* by the interpreter, with what the allocator adds */
  gsize held_bytes;              /* by handles, outside of the interpreter */
  gsize owed_bytes;              /* of these, not yet reported to the collector */
  gsize max_bytes;               /* of all that scripts make the program hold: lua-account.h */
  gsize alien_bytes;             /* what the program has allocated for others */
  gsize alien_resident_bytes;    /* of these, and of the program's own, in memory */
  gsize forgive_bytes;           /* with less in the account, refusals are forgotten */
  guint n_refusals;              /* of memory, at the limit: lua-account.h */
  gsize trimmed_bytes;           /* in memory when the allocator last gave pages back */
  gsize measured_resident_bytes; /* in memory when all was measured last */
  gint64 measure_next_us;        /* until then that holds, unless memory grows */
  gint last_look_ms;             /* atomic */
  gint is_work_over;             /* atomic: long work was stopped for the memory that it took */
  GobanProgress work_progress;   /* of long work: lua-work.h */
  gsize caused_bytes;            /* for scripts, as measured last */
  gsize engine_bytes;            /* of these, neither used nor held */
  locale_t c_locale;             /* C, but for the language of messages */

  GobanLuaOutput output;   /* NULL for standard output */
  GobanLuaDisplay display; /* (nullable) */
  gpointer output_data;
  GobanLuaProgress progress; /* (nullable) */
  gpointer progress_data;
  guint n_columns; /* of the terminal that texts are for; 0: none */
  gboolean is_ascii;
  gboolean as_json; /* values of a prompt */

  /* The chunk that runs: a coroutine, anchored in the registry. */
  lua_State *thread;
  int thread_ref;
  lua_State *volatile running; /* the innermost coroutine at work, NULL if none is */
  gint is_interrupted;         /* atomic */
  gint is_over;                /* atomic: the memory that scripts may have is used up */
  gboolean is_exiting;
  int exit_code;
  gboolean is_trusted;  /* files everywhere */
  gboolean is_confined; /* not even the whole working folder */
  gboolean has_scripts; /* code that nobody typed has run: lua-guest.c */
  GPtrArray *opened;    /* files that scripts opened */
  GPtrArray *allowed;   /* folders and files, by their real names */
  char *script_dir;     /* (nullable): folder that dofile() may read from */
  char **followers;     /* (nullable): the program and its arguments that runs the script again */
  GobanRanks *ranks;    /* (nullable): that run the same script; borrowed */
  GAsyncQueue *orders;  /* (nullable): char *, lines of the process that this one follows */
  int reports;          /* descriptor of the lines to it */

  GPtrArray *transcript; /* lua-transcript.c */
  gpointer typed;        /* (nullable): its entry of the text that runs */
  GCancellable *edits;   /* (nullable): of the edits that the chunk asked for last */
  gboolean is_serving;   /* the main thread runs a function for the chunk */
  guint n_prompts;       /* lines of a prompt so far */
  guint n_visit_pieces;  /* of instructions, since a short call of the main thread began */

  char *left; /* (nullable): what the chunk has left so far if it is interrupted, in words */
  gboolean hides_learning; /* policies that learn are not shown as trainings */

  gboolean is_paused; /* the yield in flight is meant for the host, not for a script's resume */

  /* State of a started chunk: lua-thread.c. */
  gboolean is_threaded;
  GThread *chunk_thread;
  GobanLuaMainFunc chunk_main; /* runs in that thread */
  GSourceFunc chunk_ended;     /* runs in the main one afterwards */
  GMutex mutex;                /* protects all following fields that are not atomic */
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
  gboolean is_at_work;        /* a chunk has begun and not ended, in whichever thread */
  gboolean is_away;           /* that chunk is inside long work: a policy may use the interpreter */
  GThread *home;              /* the thread that made the host */
  GThread *guest;             /* (nullable): another thread that runs a policy: lua-guest.c */
  const GobanGuestTask *task; /* (nullable): of the policy that runs, in whichever thread */
  gboolean is_closing;        /* the host is about to be freed */
  gint n_guests;              /* atomic: calls of policies that have not returned */
  /* Memory may exceed the limit: the main thread does not wait for a collection. */
  gboolean is_lenient;
  lua_CFunction then; /* (nullable): what the main thread left to the chunk's: lua-work.h */

  /* Result of the chunk, for @done. */
  char *result;
  GError *error;
  GobanLuaDone done;
  gpointer done_data;

  GobanLuaCurrent seen[4]; /* the last, and those before it, which may be in use */
  guint n_looks;           /* at the session */
  GobanLuaCurrent away;    /* graph and cluster of goban_lua_get_cluster_for() */
  guint away_look;         /* n_looks at that time */
  guint last_seen;
  gint is_seen_stale;    /* atomic: the session has changed since */
  guint stale;           /* GOBAN_LUA_STALE_ flags: globals to set from the session */
  lua_CFunction sync;    /* (nullable): sets them; never leaves a value */
  GobanCostModel *costs; /* (nullable): the last made for a graph that is not open */
  GHashTable *warned;    /* char *, warnings already given */
  GHashTable *recipes;   /* a graph's hash to the Lua that loads it, for the log */
};

/* Neither ever raises. */
GobanLuaHost *goban_lua_get_host (lua_State *L);
GobanSession *goban_lua_get_session (lua_State *L);

/* The error on top of the coroutine's stack, with a traceback; pops it. (transfer full) */
GError *goban_lua_make_error (GobanLuaHost *self, lua_State *thread);

/* In the main thread: writes @text to the output. */
void goban_lua_print (GobanLuaHost *self, const char *text, gsize n);
/* Warns the user once, not with every line that repeats the cause: on standard error, or in the
 * console of a window. Does not raise. */
void goban_lua_warn (lua_State *L, const char *text);

/* Sets what a chunk leaves if it is interrupted, in words for the message; NULL: nothing. Does not
 * raise. */
void goban_lua_set_left (GobanLuaHost *self, const char *text);

/* Pops the value on top and makes it a global, past the metatable that a script may have given the
 * globals: the main thread sets some, and must not run a script's functions. */
void goban_lua_set_raw_global (lua_State *L, const char *name);
/* Sets g, r, p and sel if the session has changed. */
void goban_lua_sync_globals (lua_State *L);
