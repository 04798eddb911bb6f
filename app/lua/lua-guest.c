#include "app/lua/lua-guest.h"

#include "app/lua/core/lua-account.h"
#include "app/lua/core/lua-stop.h"
#include "app/lua/core/lua-thread.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/lua-prelude.h"
#include "app/lua/model/lua-place.h"
#include "app/lua/model/lua-plan.h"
#include "app/lua/model/lua-search.h"

#include "engine/core/error.h"
#include "engine/study/programs/external-policy.h"
#include "engine/study/run/policy-run.h"

#include <string.h>

#define MAX_NAME_BYTES 64
#define MAX_BLURB_BYTES 1024
#define MAX_ARGUMENTS 1000

/* Hosts that have not been freed: a job may still know a policy of one that has. */
static GHashTable *hosts;
G_LOCK_DEFINE_STATIC (hosts);

void
goban_lua_register_host (GobanLuaHost *host)
{
  G_LOCK (hosts);
  if (hosts == NULL)
    hosts = g_hash_table_new (NULL, NULL);
  g_hash_table_add (hosts, host);
  G_UNLOCK (hosts);
}

gboolean
goban_lua_unregister_host (GobanLuaHost *host)
{
  G_LOCK (hosts);
  g_hash_table_remove (hosts, host);
  G_UNLOCK (hosts);
  goban_guest_policies_remove (host);
  return goban_lua_wait_for_guests (host);
}

/* --- one call -------------------------------------------------------------------------------- */

typedef struct
{
  GobanLuaHost *host;
  GobanGuestTask *task;
  lua_State *thread; /* the coroutine, anchored in the registry with its State or Search */
  int thread_ref;
  int task_ref;
} Call;

/* Protected: light userdata call. Makes the coroutine: core.place on the policy's table and its
 * State or Search. */
static int
prepare (lua_State *L)
{
  Call *call = lua_touserdata (L, 1);
  const char *name = call->task->name;
  lua_State *thread = lua_newthread (L);

  goban_lua_push_prelude (L, "place");
  goban_lua_push_prelude (L, "policies");
  if (lua_getfield (L, -1, name) != LUA_TTABLE)
    return luaL_error (L, "the policy %s is no longer registered", name);
  lua_remove (L, -2);
  if (lua_getfield (L, -1, "step") == LUA_TNIL)
    goban_lua_push_search (L, call->task);
  else
    goban_lua_push_state (L, call->task);
  lua_remove (L, -2);
  lua_pushvalue (L, -1);
  call->task_ref = luaL_ref (L, LUA_REGISTRYINDEX);
  lua_xmove (L, thread, 3);
  call->thread = thread;
  call->thread_ref = luaL_ref (L, LUA_REGISTRYINDEX);
  return 0;
}

/* Its State or Search goes first: closing handlers must not use the task any more. */
static void
end_call (Call *call)
{
  lua_State *L = call->host->L;

  if (call->task_ref != LUA_NOREF)
    {
      lua_rawgeti (L, LUA_REGISTRYINDEX, call->task_ref);
      goban_lua_close_task (L, -1);
      lua_pop (L, 1);
    }
  if (call->thread != NULL && !goban_lua_is_stopped (call->host))
    lua_resetthread (call->thread);
  luaL_unref (L, LUA_REGISTRYINDEX, call->task_ref);
  luaL_unref (L, LUA_REGISTRYINDEX, call->thread_ref);
}

/* The plan, if any, that core.place() returned. */
static gboolean
take_answer (Call *call, GobanPlan **plan, GError **error)
{
  GobanLuaPlan *answer = goban_lua_test_plan (call->thread, 1);

  if (answer != NULL)
    {
      answer->is_shared = TRUE;
      *plan = goban_plan_copy (answer->plan);
    }
  else if (lua_isstring (call->thread, 2))
    return goban_refuse (error, GOBAN_ERROR_INVALID, "%s", lua_tostring (call->thread, 2));
  return TRUE;
}

static gboolean
resume (Call *call, GobanPlan **plan, GError **error)
{
  GobanLuaHost *host = call->host;
  lua_State *running = host->running;
  int n_results = 0;
  int status;

  if (host->is_threaded || host->guest != NULL)
    goban_lua_watch (call->thread);
  host->running = call->thread;
  status = lua_resume (call->thread, running, 2, &n_results);
  host->running = running;
  host->is_paused = FALSE;

  if (goban_lua_is_stopped (host))
    return goban_refuse (error, GOBAN_ERROR_CANCELLED, "interrupted");
  if (status == LUA_OK)
    return take_answer (call, plan, error);
  if (status == LUA_YIELD)
    goban_set_error (error, GOBAN_ERROR_INVALID, "the policy %s yields outside of a coroutine",
                     call->task->name);
  else
    g_propagate_error (error, goban_lua_make_error (host, call->thread));
  return FALSE;
}

static gboolean
call_policy (GobanLuaHost *host, GobanGuestTask *task, GobanPlan **plan, GError **error)
{
  Call call = { .host = host, .task = task, .thread_ref = LUA_NOREF, .task_ref = LUA_NOREF };
  const GobanGuestTask *outer = host->task;
  locale_t users = uselocale (host->c_locale);
  gboolean is_done = FALSE;

  host->task = task;
  if (host->guest != NULL && !host->is_at_work)
    goban_lua_account_begin (host);
  lua_pushcfunction (host->L, prepare);
  lua_pushlightuserdata (host->L, &call);
  if (lua_pcall (host->L, 1, 0, 0) == LUA_OK)
    is_done = resume (&call, plan, error);
  else
    {
      goban_set_error (error, GOBAN_ERROR_INVALID, "%s",
                       lua_isstring (host->L, -1) ? lua_tostring (host->L, -1) : "out of memory");
      lua_pop (host->L, 1);
    }
  end_call (&call);
  host->task = outer;
  /* Without a chunk, os.exit() has no caller that could end the program. */
  if (host->guest != NULL && !host->is_at_work)
    host->is_exiting = FALSE;
  uselocale (users);
  return is_done;
}

/* The traceback goes to the console: a notice has room for the first line. */
static void
report (GobanLuaHost *host, const char *name, const GError *error)
{
  g_autofree char *text = g_strdup_printf ("%s: %s\n", name, error->message);

  if (!g_error_matches (error, GOBAN_ERROR, GOBAN_ERROR_CANCELLED))
    goban_lua_write (host, text, strlen (text));
}

static gboolean
call_as_guest (GobanLuaHost *host, GobanGuestTask *task, GobanPlan **plan, GError **error)
{
  GError *local = NULL;
  gpointer before;
  char *end;

  if (!goban_lua_become_guest (host, task, &before))
    return goban_refuse (error, GOBAN_ERROR_CANCELLED, "interrupted");
  call_policy (host, task, plan, &local);
  if (local != NULL)
    report (host, task->name, local);
  goban_lua_end_guest (host, before);
  if (local == NULL)
    return TRUE;

  end = strchr (local->message, '\n');
  if (end != NULL)
    *end = '\0';
  g_propagate_error (error, local);
  return FALSE;
}

/* In whichever thread a plan is asked for. */
static gboolean
place (GobanGuestTask *task, gpointer owner, GobanPlan **plan, GError **error)
{
  GobanLuaHost *host = owner;
  gboolean is_there;
  gboolean is_done;

  G_LOCK (hosts);
  is_there = g_hash_table_contains (hosts, host);
  if (is_there)
    g_atomic_int_inc (&host->n_guests);
  G_UNLOCK (hosts);
  if (!is_there)
    return goban_refuse (error, GOBAN_ERROR_INVALID, "the window of the policy %s is closed",
                         task->name);

  /* The caller is inside a chunk's call, or in a thread without a chunk. */
  if (goban_lua_is_in_thread (host)
      || (host->home == g_thread_self () && !host->is_threaded && host->thread != NULL))
    {
      goban_lua_enter (host);
      is_done = call_policy (host, task, plan, error);
      goban_lua_leave (host);
    }
  else
    is_done = call_as_guest (host, task, plan, error);
  g_atomic_int_dec_and_test (&host->n_guests);
  return is_done;
}

/* --- the list -------------------------------------------------------------------------------- */

/* A list shows a blurb in one line; the roster keeps names for good. */
static void
check_words (lua_State *L)
{
  luaL_argcheck (L, lua_rawlen (L, 1) <= MAX_NAME_BYTES, 1,
                 "the name of a policy has at most 64 letters");
  luaL_argcheck (L, lua_rawlen (L, 2) <= MAX_BLURB_BYTES, 2,
                 "policy.blurb: a sentence of at most 1024 bytes is expected");
}

/* Programs may do anything: those that the user types, or trusts, may be started. What was typed
 * after a script has run in the interpreter may be the script's work.
 *
 * Decision A19 (app/NOTES.md). */
static gboolean
may_start (const GobanLuaHost *host, GError **error)
{
  return host->is_trusted || !host->has_scripts
         || goban_refuse (error, GOBAN_ERROR_INVALID,
                          "a script may not start programs: type the line at a prompt before a "
                          "script runs there, or give --trust");
}

/* The words of the list at @index, which stay on the stack. (transfer container) */
static const char **
check_argv (lua_State *L, int index)
{
  lua_Unsigned n = lua_rawlen (L, index);
  const char **argv;

  luaL_argcheck (L, n >= 1 && n <= MAX_ARGUMENTS, 2,
                 "a list of the program and its arguments is needed");
  luaL_checkstack (L, (int) n + 1, "too many arguments");
  for (lua_Unsigned i = 1; i <= n; i++)
    luaL_argcheck (L, lua_rawgeti (L, index, (lua_Integer) i) == LUA_TSTRING, 2,
                   "the program and its arguments are texts");
  argv = g_new0 (const char *, n + 1);
  for (lua_Unsigned i = 0; i < n; i++)
    argv[i] = lua_tostring (L, (int) i - (int) n);
  return argv;
}

static gboolean
add_program (lua_State *L, GobanExternalPolicy *policy, GError **error)
{
  GobanLuaHost *host = goban_lua_get_host (L);
  const char *tasks = luaL_optstring (L, 6, NULL);
  const char **argv;
  gboolean is_added;

  policy->timeout_s = luaL_checknumber (L, 5);
  if (!may_start (host, error)
      || (tasks != NULL && !goban_tasks_parse (tasks, &policy->tasks, error)))
    return FALSE;
  argv = check_argv (L, 4);
  policy->argv = argv;
  is_added = goban_external_policy_add (policy, host, error);
  g_free (argv);
  return is_added;
}

int
goban_lua_add_policy (lua_State *L)
{
  const char *name = luaL_checkstring (L, 1);
  const char *blurb = luaL_checkstring (L, 2);
  guint64 n_evaluations = (guint64) luaL_checkinteger (L, 3);
  GError *error = NULL;
  gboolean is_added;

  check_words (L);
  if (lua_istable (L, 4))
    is_added = add_program (
        L, &(GobanExternalPolicy){ .name = name, .blurb = blurb, .evaluations = n_evaluations },
        &error);
  else
    is_added = goban_guest_policy_add (&(GobanGuestPolicy){ .name = name,
                                                            .blurb = blurb,
                                                            .source = "a script of this session",
                                                            .default_evaluations = n_evaluations,
                                                            .place = place,
                                                            .owner = goban_lua_get_host (L) },
                                       &error);
  if (!is_added)
    return goban_lua_fail (L, error);
  goban_lua_add_place (L, name, blurb);
  goban_lua_account_check (L);
  lua_pushboolean (L, TRUE);
  return 1;
}

int
goban_lua_forget_policies (lua_State *L)
{
  goban_guest_policies_remove (goban_lua_get_host (L));
  return 0;
}
