#include "app/lua/core/lua-value.h"

#include "app/lua/core/lua-account.h"

#include "engine/core/quantity.h"

#include <math.h>

static int
push_text (lua_State *L)
{
  lua_pushstring (L, lua_touserdata (L, 1));
  return 1;
}

void
goban_lua_take_string (lua_State *L, char *text)
{
  int status;

  lua_pushcfunction (L, push_text);
  lua_pushlightuserdata (L, text);
  /* runs Lua: no, only the function above */
  status = lua_pcall (L, 1, 1, 0);
  g_free (text);
  if (status != LUA_OK)
    lua_error (L);
}

static void
take_message (lua_State *L, GError *error)
{
  char *message = error->message;

  error->message = NULL;
  g_error_free (error);
  goban_lua_take_string (L, message);
}

/* Its address is the key of the last message in the registry. */
static const char failure_key;

int
goban_lua_fail_with (lua_State *L)
{
  lua_pushvalue (L, -1);
  lua_rawsetp (L, LUA_REGISTRYINDEX, &failure_key);
  lua_pushnil (L);
  lua_insert (L, -2);
  return 2;
}

int
goban_lua_fail (lua_State *L, GError *error)
{
  take_message (L, error);
  return goban_lua_fail_with (L);
}

gboolean
goban_lua_is_failure (lua_State *L, int index)
{
  gboolean is_failure;

  lua_rawgetp (L, LUA_REGISTRYINDEX, &failure_key);
  is_failure = lua_rawequal (L, -1, index);
  lua_pop (L, 1);
  return is_failure;
}

int
goban_lua_last_failure (lua_State *L)
{
  lua_rawgetp (L, LUA_REGISTRYINDEX, &failure_key);
  lua_pushnil (L);
  lua_rawsetp (L, LUA_REGISTRYINDEX, &failure_key);
  return 1;
}

/* Its address is the key of the metatable of figures in the registry. */
static const char figures_key;

void
goban_lua_mark_figures (lua_State *L)
{
  if (lua_rawgetp (L, LUA_REGISTRYINDEX, &figures_key) == LUA_TNIL)
    {
      lua_pop (L, 1);
      lua_newtable (L);
      lua_pushvalue (L, -1);
      lua_rawsetp (L, LUA_REGISTRYINDEX, &figures_key);
    }
  lua_setmetatable (L, -2);
}

gboolean
goban_lua_is_figures (lua_State *L, int index)
{
  gboolean is_figures;

  if (lua_type (L, index) != LUA_TTABLE || !lua_getmetatable (L, index))
    return FALSE;
  lua_rawgetp (L, LUA_REGISTRYINDEX, &figures_key);
  is_figures = lua_rawequal (L, -1, -2);
  lua_pop (L, 2);
  return is_figures;
}

int
goban_lua_answer (lua_State *L, gboolean is_done, GError **error)
{
  if (!is_done)
    return goban_lua_fail (L, *error);
  lua_pushboolean (L, TRUE);
  return 1;
}

int
goban_lua_answer_path (lua_State *L, int index, gboolean is_done, GError **error)
{
  if (!is_done)
    return goban_lua_fail (L, *error);
  lua_pushvalue (L, index);
  return 1;
}

int
goban_lua_raise (lua_State *L, GError *error)
{
  luaL_where (L, 1);
  take_message (L, error);
  lua_concat (L, 2);
  return lua_error (L);
}

int
goban_lua_raise_argument (lua_State *L, int index, GError *error)
{
  take_message (L, error);
  return luaL_argerror (L, index, lua_tostring (L, -1));
}

void
goban_lua_push_number (lua_State *L, double value)
{
  if (isnan (value))
    lua_pushnil (L);
  else
    lua_pushnumber (L, value);
}

void
goban_lua_push_count (lua_State *L, double value)
{
  if (value == floor (value) && fabs (value) < 1e15)
    lua_pushinteger (L, (lua_Integer) value);
  else
    goban_lua_push_number (L, value);
}

int
goban_lua_raw_field (lua_State *L, int index, const char *key)
{
  index = lua_absindex (L, index);
  lua_pushstring (L, key);
  return lua_rawget (L, index);
}

const char *
goban_lua_push_words (lua_State *L, int index)
{
  if (lua_isstring (L, index))
    lua_pushvalue (L, index);
  else
    lua_pushfstring (L, "a %s", lua_typename (L, lua_type (L, index)));
  return lua_tostring (L, -1);
}

void
goban_lua_check_plain (lua_State *L, int index, const char *what)
{
  static const char *const names[] = { "__index", "__len", "__pairs" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (luaL_getmetafield (L, index, names[i]) != LUA_TNIL)
      luaL_error (L, "%s: a plain table is expected, without %s", what, names[i]);
}

static double
check_quantity (lua_State *L, int index, gboolean (*parse) (const char *, double *, GError **))
{
  GError *error = NULL;
  double value = 0;

  if (!parse (lua_tostring (L, index), &value, &error))
    goban_lua_raise (L, error);

  return value;
}

double
goban_lua_check_time_us (lua_State *L, int index)
{
  if (lua_type (L, index) == LUA_TSTRING)
    return check_quantity (L, index, goban_parse_time);

  return luaL_checknumber (L, index) * 1e6;
}

double
goban_lua_check_bytes (lua_State *L, int index)
{
  if (lua_type (L, index) == LUA_TSTRING)
    return check_quantity (L, index, goban_parse_bytes);

  return luaL_checknumber (L, index);
}

static const char *
kind_name (GobanLuaKind kind)
{
  switch (kind)
    {
    case GOBAN_LUA_BOOLEAN:
      return "boolean";
    case GOBAN_LUA_INTEGER:
      return "whole number";
    case GOBAN_LUA_NUMBER:
      return "number";
    case GOBAN_LUA_TIME_US:
      return "seconds or a time with a unit";
    case GOBAN_LUA_STRING:
      return "string";
    case GOBAN_LUA_ANY:
      break;
    }

  return "value";
}

static int
raise_unexpected (lua_State *L, const char *what, const GobanLuaOption *row)
{
  const char *got = luaL_typename (L, -1);

  if (lua_type (L, -1) == LUA_TNUMBER)
    got = lua_tonumber (L, -1) < 0 ? "a negative number" : "a fraction";

  return luaL_error (L, "%s.%s: %s expected, got %s", what, row->key, kind_name (row->kind), got);
}

/* The value is on top of the stack. Returns FALSE if it is not of the row's kind. */
static gboolean
store_value (lua_State *L, const GobanLuaOption *row, gpointer options)
{
  gpointer field = (char *) options + row->offset;
  gboolean is_number = lua_type (L, -1) == LUA_TNUMBER && lua_tonumber (L, -1) >= 0;
  int is_whole = 0;

  switch (row->kind)
    {
    case GOBAN_LUA_BOOLEAN:
      *(gboolean *) field = lua_toboolean (L, -1);
      return lua_isboolean (L, -1);
    case GOBAN_LUA_INTEGER:
      if (is_number)
        *(gint64 *) field = lua_tointegerx (L, -1, &is_whole);
      return is_whole;
    case GOBAN_LUA_NUMBER:
      if (is_number)
        *(double *) field = lua_tonumber (L, -1);
      return is_number;
    case GOBAN_LUA_TIME_US:
      if (lua_type (L, -1) != LUA_TSTRING && !is_number)
        return FALSE;
      *(double *) field = goban_lua_check_time_us (L, -1);
      return TRUE;
    case GOBAN_LUA_STRING:
      if (lua_type (L, -1) == LUA_TSTRING)
        *(const char **) field = lua_tostring (L, -1);
      return lua_type (L, -1) == LUA_TSTRING;
    case GOBAN_LUA_ANY:
      break;
    }

  return TRUE;
}

/* The key is below the value on top of the stack. */
static const GobanLuaOption *
find_option (lua_State *L, const GobanLuaOption *rows)
{
  const char *key = lua_type (L, -2) == LUA_TSTRING ? lua_tostring (L, -2) : NULL;

  for (; key != NULL && rows->key != NULL; rows++)
    if (g_str_equal (key, rows->key))
      return rows;

  return NULL;
}

static int
raise_unknown_option (lua_State *L, const char *what, const GobanLuaOption *rows)
{
  luaL_Buffer buffer;
  const char *key = lua_type (L, -2) == LUA_TSTRING ? lua_tostring (L, -2) : luaL_typename (L, -2);

  luaL_buffinit (L, &buffer);
  for (; rows->key != NULL; rows++)
    {
      luaL_addchar (&buffer, ' ');
      luaL_addstring (&buffer, rows->key);
    }
  luaL_pushresult (&buffer);
  return luaL_error (L, "%s.%s: there is no such option; there are:%s", what, key,
                     lua_tostring (L, -1));
}

void
goban_lua_check_options (lua_State *L, int index, const char *what, const GobanLuaOption *rows,
                         gpointer options)
{
  gboolean is_absent = lua_isnoneornil (L, index) || goban_lua_is_figures (L, index);

  if (!is_absent)
    luaL_checktype (L, index, LUA_TTABLE);

  for (const GobanLuaOption *row = rows; row->key != NULL; row++)
    if (row->kind == GOBAN_LUA_ANY)
      {
        if (is_absent)
          lua_pushnil (L);
        else
          goban_lua_raw_field (L, index, row->key);
        *(int *) ((char *) options + row->offset) = lua_isnil (L, -1) ? 0 : lua_gettop (L);
      }

  if (is_absent)
    return;

  goban_lua_account_check_texts (L, index, what);
  for (lua_pushnil (L); lua_next (L, index) != 0; lua_pop (L, 1))
    {
      const GobanLuaOption *row = find_option (L, rows);

      if (row == NULL)
        raise_unknown_option (L, what, rows);
      else if (!store_value (L, row, options))
        raise_unexpected (L, what, row);
    }
}
