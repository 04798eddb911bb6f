#include "app/lua/core/lua-work.h"

#include "app/lua/core/lua-account.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-thread.h"
#include "app/lua/core/lua-value.h"
#include "engine/core/i18n.h"
#include "engine/core/quantity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* How often a long call in a script may ask: it is only a flag. */
static gboolean
should_stop (gpointer user_data)
{
  GobanLuaHost *host = user_data;

  if (goban_lua_account_is_over_meanwhile (host))
    g_atomic_int_set (&host->is_work_over, 1);
  return g_atomic_int_get (&host->is_interrupted) || g_atomic_int_get (&host->is_work_over);
}

const GobanProgress *
goban_lua_begin_work (lua_State *L)
{
  GobanLuaHost *host = goban_lua_get_host (L);

  g_atomic_int_set (&host->is_work_over, 0);
  if (host->work_progress.should_stop == NULL) /* work within work reads it in other threads */
    host->work_progress = (GobanProgress){ .should_stop = should_stop, .user_data = host };
  goban_lua_leave (host);
  return &host->work_progress;
}

void
goban_lua_end_work (lua_State *L, GError **error)
{
  GobanLuaHost *host = goban_lua_get_host (L);

  goban_lua_enter (host);
  /* Stopped for the memory that it took, which is free again. */
  if (*error != NULL && g_atomic_int_get (&host->is_work_over))
    {
      g_clear_error (error);
      goban_lua_account_set_error (host, error);
    }
}

/* --- searches ------------------------------------------------------------------------------ */

/* A search that is stopped has so long to return its best plan. */
#define GRACE_MS 2000

/* A stop for memory leaves no time. */
static gboolean
should_stop_search (gpointer user_data)
{
  GobanLuaSearch *self = user_data;
  gint now_ms = (gint) (g_get_monotonic_time () / 1000 & G_MAXINT);

  if (goban_progress_check (self->outer, NULL))
    return FALSE;
  if (!g_atomic_int_get (&self->host->is_interrupted))
    return TRUE;
  if (!g_atomic_int_compare_and_exchange (&self->finish, 0, GOBAN_FINISH_STOPPED))
    return now_ms - g_atomic_int_get (&self->stopped_ms) > GRACE_MS;
  g_atomic_int_set (&self->stopped_ms, now_ms);
  return FALSE;
}

void
goban_lua_begin_search (lua_State *L, GobanLuaSearch *self, GobanRunOptions *options)
{
  *self = (GobanLuaSearch){ .host = goban_lua_get_host (L),
                            .progress = { .should_stop = should_stop_search, .user_data = self } };
  options->progress = &self->progress;
  options->finish = &self->finish;
  self->outer = goban_lua_begin_work (L);
}

void
goban_lua_leave_plan (lua_State *L, GobanRun *run)
{
  GobanLuaHost *host = goban_lua_get_host (L);
  double makespan_us = goban_run_get_makespan_us (run);
  char makespan[GOBAN_QUANTITY_LEN], n[GOBAN_QUANTITY_LEN];

  if (!g_atomic_int_get (&host->is_interrupted) || host->left != NULL
      || (host->n_prompts == 0 && !host->is_threaded))
    return;
  host->left = g_strdup_printf (_ ("the best plan so far, %s after %s simulations, is in _"),
                                isfinite (makespan_us) ? goban_format_time (makespan, makespan_us)
                                                       : _ ("not valid"),
                                goban_format_grouped (n, goban_run_get_origin (run)->evaluations));
  lua_pushvalue (L, -1);
  goban_lua_set_raw_global (L, "_");
}

/* --- functions of the main thread --------------------------------------------------------- */

typedef struct
{
  lua_State *L;
  int n_args;
  int status;
} Call;

static void
call_cb (gpointer data)
{
  Call *call = data;

  GobanLuaHost *host = goban_lua_get_host (call->L);

  host->is_lenient = TRUE;
  call->status = lua_pcall (call->L, call->n_args, LUA_MULTRET, 0);
  host->is_lenient = FALSE;
}

/* Completes a message with the place in the script, and "bad argument #2 to '?' (number expected)"
 * with the name of the function, which is known a frame above. */
static int
raise_again (lua_State *L)
{
  const char *message = lua_tostring (L, -1);
  const char *rest = message != NULL ? strstr (message, " to '?' (") : NULL;
  lua_Debug ar;
  int arg = 0;

  if (lua_type (L, -1) != LUA_TSTRING || !lua_checkstack (L, 8))
    return lua_error (L);

  luaL_where (L, 1);
  if (rest != NULL && sscanf (message, "bad argument #%d to", &arg) == 1 && lua_getstack (L, 0, &ar)
      && lua_getinfo (L, "n", &ar) && ar.name != NULL)
    {
      gboolean is_method = g_str_equal (ar.namewhat, "method");

      rest += strlen (" to '?' (");
      if (is_method && arg == 1)
        lua_pushfstring (L, "calling '%s' on bad self (%s", ar.name, rest);
      else
        lua_pushfstring (L, "bad argument #%d to '%s' (%s", is_method ? arg - 1 : arg, ar.name,
                         rest);
    }
  else
    lua_pushstring (L, message);
  lua_concat (L, 2);
  return lua_error (L);
}

/* The function on top of the stack, on all that lies below it. */
static int
call_there (lua_State *L)
{
  Call call = { .L = L, .n_args = lua_gettop (L) - 1 };

  lua_insert (L, 1);
  goban_lua_on_main (goban_lua_get_host (L), call_cb, &call);
  if (call.status == LUA_OK)
    return lua_gettop (L);
  return call.status == LUA_ERRRUN ? raise_again (L) : lua_error (L);
}

int
goban_lua_call_on_main (lua_State *L, lua_CFunction function)
{
  GobanLuaHost *host = goban_lua_get_host (L);
  int n;

  if (!goban_lua_is_in_thread (host))
    return function (L);

  luaL_checkstack (L, LUA_MINSTACK, "too many arguments");
  host->then = NULL;
  lua_pushcfunction (L, function);
  n = call_there (L);
  luaL_checkstack (L, LUA_MINSTACK, "too many arguments");
  return host->then != NULL ? host->then (L) : n;
}

int
goban_lua_then (lua_State *L, lua_CFunction function)
{
  GobanLuaHost *host = goban_lua_get_host (L);

  if (!host->is_threaded || goban_lua_is_in_thread (host))
    return function (L);
  host->then = function;
  return lua_gettop (L);
}
