#include "app/lua/core/lua-put.h"

#include "app/lua/core/lua-value.h"

#include <lauxlib.h>

void
goban_lua_put_text (lua_State *L, const char *key, const char *text)
{
  lua_pushstring (L, text);
  lua_setfield (L, -2, key);
}

void
goban_lua_put_number (lua_State *L, const char *key, double value)
{
  goban_lua_push_number (L, value);
  lua_setfield (L, -2, key);
}

void
goban_lua_put_count (lua_State *L, const char *key, double value)
{
  goban_lua_push_count (L, value);
  lua_setfield (L, -2, key);
}

void
goban_lua_put_integer (lua_State *L, const char *key, gint64 value)
{
  lua_pushinteger (L, value);
  lua_setfield (L, -2, key);
}

void
goban_lua_put_boolean (lua_State *L, const char *key, gboolean value)
{
  lua_pushboolean (L, value);
  lua_setfield (L, -2, key);
}

void
goban_lua_push_texts (lua_State *L, const char *const *texts)
{
  lua_newtable (L);
  for (lua_Integer i = 0; texts[i] != NULL; i++)
    {
      lua_pushstring (L, texts[i]);
      lua_rawseti (L, -2, i + 1);
    }
}

void
goban_lua_check_list (lua_State *L, int index, lua_Integer n, const char *what)
{
  index = lua_absindex (L, index);
  for (lua_pushnil (L); lua_next (L, index) != 0; lua_pop (L, 1))
    if (!lua_isinteger (L, -2) || lua_tointeger (L, -2) < 1 || lua_tointeger (L, -2) > n)
      {
        const char *key = goban_lua_push_words (L, -2);

        luaL_error (L, "%s: a list is expected, without the key %s", what, key);
      }
}

void
goban_lua_check_texts (lua_State *L, int index, const char *what)
{
  lua_Integer n;

  luaL_checktype (L, index, LUA_TTABLE);
  goban_lua_check_plain (L, index, what);
  n = (lua_Integer) lua_rawlen (L, index);
  goban_lua_check_list (L, index, n, what);
  for (lua_Integer i = 1; i <= n; i++)
    {
      if (lua_rawgeti (L, index, i) != LUA_TSTRING)
        luaL_error (L, "%s[%d]: string expected, got %s", what, (int) i, luaL_typename (L, -1));
      lua_pop (L, 1);
    }
}

char **
goban_lua_dup_texts (lua_State *L, int index)
{
  lua_Integer n = (lua_Integer) lua_rawlen (L, index);
  char **texts = g_new0 (char *, (gsize) n + 1);

  for (lua_Integer i = 0; i < n; i++)
    {
      lua_rawgeti (L, index, i + 1);
      texts[i] = g_strdup (lua_tostring (L, -1));
      lua_pop (L, 1);
    }
  return texts;
}
