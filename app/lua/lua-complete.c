#include "app/lua/lua-complete.h"

#include "app/lua/lua-prelude.h"
#include "app/lua/lua-state.h"
#include "app/lua/lua-thread.h"

#include <string.h>

/* Protected: light userdata text before the cursor. Returns a list of words and their start. */
static int
ask_prelude (lua_State *L)
{
  goban_lua_sync_globals (L);
  goban_lua_push_prelude (L, "complete");
  lua_pushstring (L, lua_touserdata (L, 1));
  lua_call (L, 1, 2);
  luaL_checktype (L, -2, LUA_TTABLE);
  luaL_checkinteger (L, -1);
  return 2;
}

static int
compare_words (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

char **
goban_lua_host_complete (GobanLuaHost *self, const char *text, gsize cursor, gsize *start)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  g_autofree char *before = g_strndup (text, cursor);
  lua_State *L = self->L;
  int top = lua_gettop (L);

  *start = cursor;
  if (!goban_lua_visit (self))
    return g_new0 (char *, 1);
  lua_pushcfunction (L, ask_prelude);
  lua_pushlightuserdata (L, before);
  if (lua_pcall (L, 1, 2, 0) == LUA_OK)
    {
      *start = MIN ((gsize) lua_tointeger (L, -1), cursor);
      for (lua_Integer i = 1; lua_rawgeti (L, -2, i) == LUA_TSTRING; i++)
        {
          g_ptr_array_add (words, g_strdup (lua_tostring (L, -1)));
          lua_pop (L, 1);
        }
    }

  lua_settop (L, top);
  goban_lua_end_visit (self);
  g_ptr_array_sort (words, compare_words);
  g_ptr_array_add (words, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&words), FALSE);
}

/* Protected: light userdata text before the cursor, and after it. Returns a text. */
static int
ask_help (lua_State *L)
{
  goban_lua_sync_globals (L);
  goban_lua_push_prelude (L, "help_at");
  lua_pushstring (L, lua_touserdata (L, 1));
  lua_pushstring (L, lua_touserdata (L, 2));
  lua_call (L, 2, 1);
  luaL_checkstring (L, -1);
  return 1;
}

char *
goban_lua_host_help (GobanLuaHost *self, const char *text, gsize cursor)
{
  g_autofree char *before = g_strndup (text, cursor);
  lua_State *L = self->L;
  int top = lua_gettop (L);
  char *help = NULL;

  if (!goban_lua_visit (self))
    return NULL;
  lua_pushcfunction (L, ask_help);
  lua_pushlightuserdata (L, before);
  lua_pushlightuserdata (L, (char *) text + strlen (before));
  if (lua_pcall (L, 2, 1, 0) == LUA_OK)
    help = g_strdup (lua_tostring (L, -1));
  lua_settop (L, top);
  goban_lua_end_visit (self);
  return help;
}
