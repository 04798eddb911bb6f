#include "app/lua/core/lua-state.h"

#include "app/lua/core/lua-thread.h"
#include "engine/session/session-log.h"

#include <stdio.h>
#include <string.h>

GobanLuaHost *
goban_lua_get_host (lua_State *L)
{
  return *(GobanLuaHost **) lua_getextraspace (L);
}

GobanSession *
goban_lua_get_session (lua_State *L)
{
  return goban_lua_get_host (L)->session;
}

void
goban_lua_set_left (GobanLuaHost *self, const char *text)
{
  g_free (self->left);
  self->left = g_strdup (text);
}

void
goban_lua_print (GobanLuaHost *self, const char *text, gsize n)
{
  if (self->output != NULL)
    {
      self->output (text, n, self->output_data);
      return;
    }
  fwrite (text, 1, n, stdout);
  fflush (stdout);
}

/* Scripts' output may be data for another program, so warnings go beside it. */
static void
write_warning (GobanLuaHost *self, const char *text)
{
  g_autofree char *line = g_strdup_printf ("warning: %s\n", text);

  if (self->display == NULL || self->output == NULL)
    g_printerr ("goban: %s", line);
  else
    self->output (line, strlen (line), self->output_data);
}

typedef struct
{
  GobanLuaHost *host;
  const char *text;
} Warning;

static void
warn_cb (gpointer data)
{
  const Warning *warning = data;

  goban_session_say (warning->host->session, FALSE, "%s", warning->text);
  write_warning (warning->host, warning->text);
}

void
goban_lua_warn (lua_State *L, const char *text)
{
  Warning warning = { goban_lua_get_host (L), text };

  if (g_hash_table_add (warning.host->warned, g_strdup (text)))
    goban_lua_on_main (warning.host, warn_cb, &warning);
}

void
goban_lua_set_raw_global (lua_State *L, const char *name)
{
  lua_pushglobaltable (L);
  lua_pushstring (L, name);
  lua_rotate (L, -3, -1); /* globals name value */
  lua_rawset (L, -3);
  lua_pop (L, 1);
}

void
goban_lua_sync_globals (lua_State *L)
{
  lua_CFunction sync = goban_lua_get_host (L)->sync;

  if (sync != NULL)
    sync (L);
}
