/* lua-app.c: module app: the program itself and the files scripts write. */
#include "app/lua/lua-modules.h"
#include "app/lua/lua-private.h"

#include "engine/base/file.h"

#include <errno.h>
#include <gio/gio.h>

/* Without an argument, the session's cluster; else its new one, on which all runs are made anew. */
static int
app_cluster (lua_State *L)
{
  GobanSession *session = goban_lua_get_host (L)->session;

  lua_settop (L, 1);
  if (!lua_isnil (L, 1))
    {
      goban_session_set_cluster (session, goban_lua_opt_cluster (L, 1));
      goban_lua_sync_globals (L);
    }

  goban_lua_push_cluster (L, goban_session_get_cluster (session));
  return 1;
}

static int
app_log (lua_State *L)
{
  GobanLuaHost *host = goban_lua_get_host (L);

  lua_createtable (L, host->log->len, 0);
  for (guint i = 0; i < host->log->len; i++)
    {
      lua_pushstring (L, g_ptr_array_index (host->log, i));
      lua_rawseti (L, -2, i + 1);
    }
  return 1;
}

static int
app_quit (lua_State *L)
{
  GobanLuaHost *host = goban_lua_get_host (L);
  GApplication *application = g_application_get_default ();

  if (application != NULL)
    {
      g_application_quit (application);
      return 0;
    }
  if (host->is_sliced)
    return luaL_error (L, "there is no application to quit");

  host->exit_code = 0;
  host->is_exiting = TRUE;
  return goban_lua_stop (L);
}

static int
app_write (lua_State *L)
{
  const char *path = luaL_checkstring (L, 1);
  size_t n;
  const char *text = luaL_checklstring (L, 2, &n);
  GError *error = NULL;

  if (!goban_file_write (path, text, n, &error))
    return goban_lua_fail (L, error);

  lua_pushboolean (L, TRUE);
  return 1;
}

static int
app_mkdir (lua_State *L)
{
  const char *path = luaL_checkstring (L, 1);

  if (g_mkdir_with_parents (path, 0777) != 0)
    {
      int code = errno;

      lua_pushnil (L);
      lua_pushfstring (L, "%s: cannot be made: %s", path, g_strerror (code));
      return 2;
    }

  lua_pushboolean (L, TRUE);
  return 1;
}

static const luaL_Reg functions[] = {
  { "cluster", app_cluster }, { "log", app_log },     { "mkdir", app_mkdir },
  { "quit", app_quit },       { "write", app_write }, { NULL, NULL },
};

void
goban_lua_open_app (lua_State *L)
{
  goban_lua_module (L, "app", functions);
  lua_getglobal (L, "app");
  lua_pushliteral (L, GOBAN_VERSION);
  lua_setfield (L, -2, "version");
  lua_pop (L, 1);
}
