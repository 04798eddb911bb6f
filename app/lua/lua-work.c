#include "app/lua/lua-private.h"
#include "app/lua/lua-value.h"

/* How often a long call in a script may ask: it is only a flag. */
static gboolean
should_stop (gpointer user_data)
{
  const GobanLuaHost *host = user_data;

  return host->is_interrupted;
}

static int
run_here (lua_State *L, const GobanLuaWork *work)
{
  GobanLuaHost *host = goban_lua_get_host (L);
  GobanProgress progress = { .should_stop = should_stop, .user_data = host };
  GError *error = NULL;
  gpointer result = work->run (&progress, work->data, &error);

  work->free_data (work->data);
  return result != NULL ? work->finish (L, result) : goban_lua_fail (L, error);
}

static void
job_done_cb (GobanLuaHost *host)
{
  goban_lua_schedule (host);
}

void
goban_lua_drop_job (GobanLuaHost *self)
{
  if (self->job == NULL)
    return;

  g_signal_handlers_disconnect_by_data (self->job, self);
  goban_job_cancel (self->job);
  g_clear_object (&self->job);
}

/* The context is the work's finish function. */
static int
job_is_done (lua_State *L, int status, lua_KContext context)
{
  GobanLuaHost *host = goban_lua_get_host (L);
  int (*finish) (lua_State *, gpointer) = (int (*) (lua_State *, gpointer)) context;
  GError *error = NULL;
  gpointer result = goban_job_steal_result (host->job, &error);

  g_signal_handlers_disconnect_by_data (host->job, host);
  g_clear_object (&host->job);
  return result != NULL ? finish (L, result) : goban_lua_fail (L, error);
}

int
goban_lua_work (lua_State *L, const GobanLuaWork *work)
{
  GobanLuaHost *host = goban_lua_get_host (L);

  if (!host->is_sliced || !lua_isyieldable (L) || host->job != NULL)
    return run_here (L, work);

  host->job
      = goban_job_start (work->title, work->run, work->data, work->free_data, work->free_result);
  g_signal_connect_swapped (host->job, "done", G_CALLBACK (job_done_cb), host);
  host->is_paused = TRUE;
  return lua_yieldk (L, 0, (lua_KContext) work->finish, job_is_done);
}
