/* lua-table.c: concat, insert, move, remove and sort of Lua's tables, which can be stopped.
 *
 * Lua's own count to the length that a table claims to have, in C, where no hook is called; a claim
 * may be any number. These ask every few thousand steps whether the script was stopped. Sorting
 * merges, so that a comparison that contradicts itself gives some order and no error.
 */
#include "app/lua/core/lua-sandbox.h"
#include "app/lua/core/lua-stop.h"

#include <lualib.h>

#define STEPS 4096

static inline void
count_step (lua_State *L, lua_Unsigned *n_steps)
{
  if (++*n_steps % STEPS == 0)
    goban_lua_check_stop (L);
}

/* Length of a table, or of a value that acts as one. */
static lua_Integer
check_length (lua_State *L, int index)
{
  if (lua_type (L, index) != LUA_TTABLE)
    {
      if (luaL_getmetafield (L, index, "__index") == LUA_TNIL)
        luaL_checktype (L, index, LUA_TTABLE);
      lua_pop (L, 1);
    }
  return luaL_len (L, index);
}

static int
table_concat (lua_State *L)
{
  gsize n_separator;
  lua_Integer length = check_length (L, 1);
  const char *separator = luaL_optlstring (L, 2, "", &n_separator);
  lua_Integer i = luaL_optinteger (L, 3, 1);
  lua_Integer last = luaL_optinteger (L, 4, length);
  lua_Unsigned n_steps = 0;
  luaL_Buffer buffer;

  luaL_buffinit (L, &buffer);
  for (; i <= last; i++)
    {
      count_step (L, &n_steps);
      lua_geti (L, 1, i);
      if (!lua_isstring (L, -1))
        return luaL_error (L, "invalid value (%s) at index %I in table for 'concat'",
                           luaL_typename (L, -1), (LUAI_UACINT) i);
      luaL_addvalue (&buffer);
      if (i == last)
        break; /* which may be the largest number there is */
      luaL_addlstring (&buffer, separator, n_separator);
    }
  luaL_pushresult (&buffer);
  return 1;
}

static int
table_insert (lua_State *L)
{
  int n_args = lua_gettop (L);
  lua_Integer end = (lua_Integer) ((lua_Unsigned) check_length (L, 1) + 1);
  lua_Integer place = end;
  lua_Unsigned n_steps = 0;

  if (n_args != 2 && n_args != 3)
    return luaL_error (L, "wrong number of arguments to 'insert'");
  if (n_args == 3)
    {
      place = luaL_checkinteger (L, 2);
      luaL_argcheck (L, (lua_Unsigned) place - 1u < (lua_Unsigned) end, 2,
                     "position out of bounds");
      for (lua_Integer i = end; i > place; i--)
        {
          count_step (L, &n_steps);
          lua_geti (L, 1, i - 1);
          lua_seti (L, 1, i);
        }
    }
  lua_settop (L, n_args);
  lua_seti (L, 1, place);
  return 0;
}

static int
table_remove (lua_State *L)
{
  lua_Integer length = check_length (L, 1);
  lua_Integer place = luaL_optinteger (L, 2, length);
  lua_Unsigned n_steps = 0;

  if (lua_gettop (L) > 1)
    luaL_argcheck (L, place == length || (lua_Unsigned) place - 1u <= (lua_Unsigned) length, 2,
                   "position out of bounds");
  lua_geti (L, 1, place);
  for (; place < length; place++)
    {
      count_step (L, &n_steps);
      lua_geti (L, 1, place + 1);
      lua_seti (L, 1, place);
    }
  lua_pushnil (L);
  lua_seti (L, 1, place);
  return 1;
}

static int
table_move (lua_State *L)
{
  lua_Integer from = luaL_checkinteger (L, 2);
  lua_Integer last = luaL_checkinteger (L, 3);
  lua_Integer to = luaL_checkinteger (L, 4);
  int target = lua_isnoneornil (L, 5) ? 1 : 5;
  gboolean is_forward;
  lua_Unsigned n_steps = 0;

  check_length (L, 1);
  check_length (L, target);
  lua_settop (L, 5);
  if (last >= from)
    {
      lua_Unsigned n = (lua_Unsigned) last - (lua_Unsigned) from + 1u;

      luaL_argcheck (L, from > 0 || last < LUA_MAXINTEGER + from, 3, "too many elements to move");
      luaL_argcheck (L, to <= LUA_MAXINTEGER - (lua_Integer) n + 1, 4, "destination wrap around");
      /* Backwards if the ranges overlap and the first would be lost. */
      is_forward = to > last || to <= from || (target != 1 && !lua_compare (L, 1, 5, LUA_OPEQ));
      for (lua_Unsigned k = 0; k < n; k++)
        {
          lua_Integer i = (lua_Integer) (is_forward ? k : n - 1 - k);

          count_step (L, &n_steps);
          lua_geti (L, 1, from + i);
          lua_seti (L, target, to + i);
        }
    }
  lua_pushvalue (L, target);
  return 1;
}

/* --- sorting ------------------------------------------------------------------------------- */

/* Whether the value at @a belongs before that at @b; the comparison, if any, is at 2. */
static gboolean
is_before (lua_State *L, int a, int b)
{
  gboolean answer;

  a = lua_absindex (L, a);
  b = lua_absindex (L, b);
  if (lua_isnil (L, 2))
    return lua_compare (L, a, b, LUA_OPLT);

  lua_pushvalue (L, 2);
  lua_pushvalue (L, a);
  lua_pushvalue (L, b);
  lua_call (L, 2, 1);
  answer = lua_toboolean (L, -1);
  lua_pop (L, 1);
  return answer;
}

/* Merges [start, middle) and [middle, end), from 1, of the list at @from into that at @to. */
static void
merge (lua_State *L, int from, int to, const lua_Integer bounds[3])
{
  lua_Integer a = bounds[0], b = bounds[1];
  lua_Unsigned n_steps = 0;

  for (lua_Integer k = bounds[0]; k < bounds[2]; k++)
    {
      count_step (L, &n_steps);
      if (a < bounds[1] && b < bounds[2])
        {
          lua_rawgeti (L, from, a);
          lua_rawgeti (L, from, b);
          if (is_before (L, -1, -2))
            {
              lua_remove (L, -2);
              b++;
            }
          else
            {
              lua_pop (L, 1);
              a++;
            }
        }
      else
        lua_rawgeti (L, from, a < bounds[1] ? a++ : b++);
      lua_rawseti (L, to, k);
    }
}

/* Copies n values of the table at @from to that at @to, without metamethods of the raw one. */
static void
copy (lua_State *L, int from, int to, lua_Integer n)
{
  lua_Unsigned n_steps = 0;

  for (lua_Integer i = 1; i <= n; i++)
    {
      count_step (L, &n_steps);
      lua_geti (L, from, i);
      lua_seti (L, to, i);
    }
}

static int
table_sort (lua_State *L)
{
  lua_Integer n = check_length (L, 1);
  int from = 3, to = 4;

  luaL_argcheck (L, n < G_MAXINT, 1, "array too big");
  if (!lua_isnoneornil (L, 2))
    luaL_checktype (L, 2, LUA_TFUNCTION);
  lua_settop (L, 2);
  lua_createtable (L, (int) MIN (n, STEPS), 0);
  lua_createtable (L, (int) MIN (n, STEPS), 0);
  copy (L, 1, from, n);
  for (lua_Integer width = 1; width < n; width *= 2)
    {
      int other = from;

      for (lua_Integer i = 1; i <= n; i += 2 * width)
        merge (L, from, to,
               (lua_Integer[]){ i, MIN (i + width, n + 1), MIN (i + 2 * width, n + 1) });
      from = to;
      to = other;
    }
  copy (L, from, 1, n);
  return 0;
}

static const luaL_Reg functions[] = {
  { "concat", table_concat }, { "insert", table_insert }, { "move", table_move },
  { "remove", table_remove }, { "sort", table_sort },     { NULL, NULL },
};

void
goban_lua_open_tables (lua_State *L)
{
  lua_getglobal (L, LUA_TABLIBNAME);
  luaL_setfuncs (L, functions, 0);
  lua_pop (L, 1);
}
