#include "app/lua/lua-complete.h"

#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-thread.h"
#include "app/lua/lua-prelude.h"

#include <string.h>

/* --- short calls ----------------------------------------------------------------------------- */

/* The prelude's functions use those of string and table, which a script may have replaced by
 * others without end; the main thread waits for them. Some 50 ms; the longest lists take 5. */
#define PIECE_INSTRUCTIONS 1000
#define MAX_PIECES 5000

static void
limit_hook (lua_State *L, lua_Debug *ar)
{
  GobanLuaHost *host = goban_lua_get_host (L);

  if (host->n_visit_pieces++ < MAX_PIECES)
    return;
  /* From here on a pcall() of the script's catches no more than one instruction. */
  lua_sethook (L, limit_hook, LUA_MASKCOUNT, 1);
  luaL_error (L, "too long for a visit");
}

/* lua_pcall() that gives up after MAX_PIECES. */
static int
call_shortly (lua_State *L, int n_args, int n_results)
{
  lua_Hook hook = lua_gethook (L);
  int mask = lua_gethookmask (L);
  int count = lua_gethookcount (L);
  int status;

  goban_lua_get_host (L)->n_visit_pieces = 0;
  lua_sethook (L, limit_hook, LUA_MASKCOUNT, PIECE_INSTRUCTIONS);
  status = lua_pcall (L, n_args, n_results, 0);
  lua_sethook (L, hook, mask, count);
  return status;
}

/* --- words ----------------------------------------------------------------------------------- */

/* Protected: light userdata text before the cursor. Returns a list of words, their start, and a
 * table of details by word. */
static int
ask_prelude (lua_State *L)
{
  goban_lua_sync_globals (L);
  goban_lua_push_prelude (L, "complete");
  lua_pushstring (L, lua_touserdata (L, 1));
  lua_call (L, 1, 3);
  luaL_checktype (L, -3, LUA_TTABLE);
  luaL_checkinteger (L, -2);
  luaL_checktype (L, -1, LUA_TTABLE);
  return 3;
}

typedef struct
{
  char *word;
  char *detail;
} Candidate;

static void
free_candidate (gpointer data)
{
  g_free (((Candidate *) data)->word);
  g_free (((Candidate *) data)->detail);
  g_free (data);
}

static int
compare_candidates (gconstpointer a, gconstpointer b)
{
  return strcmp ((*(Candidate *const *) a)->word, (*(Candidate *const *) b)->word);
}

/* The answers of the prelude, of strings only: reading them runs no code. */
static void
read_candidates (lua_State *L, int list, GPtrArray *candidates)
{
  for (lua_Integer i = 1; lua_rawgeti (L, list, i) == LUA_TSTRING; i++)
    {
      Candidate *candidate = g_new0 (Candidate, 1);

      g_ptr_array_add (candidates, candidate);
      candidate->word = g_strdup (lua_tostring (L, -1));
      lua_rawget (L, list + 2);
      candidate->detail = g_strdup (lua_isstring (L, -1) ? lua_tostring (L, -1) : "");
      lua_pop (L, 1);
    }
  g_ptr_array_sort (candidates, compare_candidates);
}

static char **
take_column (GPtrArray *candidates, gboolean is_detail)
{
  char **column = g_new0 (char *, candidates->len + 1);

  for (guint i = 0; i < candidates->len; i++)
    {
      Candidate *candidate = g_ptr_array_index (candidates, i);

      char **value = is_detail ? &candidate->detail : &candidate->word;

      column[i] = g_steal_pointer (value);
    }
  return column;
}

char **
goban_lua_host_complete (GobanLuaHost *self, const char *text, gsize cursor, gsize *start,
                         char ***details)
{
  g_autoptr (GPtrArray) candidates = g_ptr_array_new_with_free_func (free_candidate);
  g_autofree char *before = g_strndup (text, cursor);
  lua_State *L = self->L;
  int top = lua_gettop (L);

  *start = cursor;
  if (goban_lua_visit (self))
    {
      lua_pushcfunction (L, ask_prelude);
      lua_pushlightuserdata (L, before);
      if (call_shortly (L, 1, 3) == LUA_OK)
        {
          *start = MIN ((gsize) lua_tointeger (L, -2), cursor);
          read_candidates (L, top + 1, candidates);
        }
      lua_settop (L, top);
      goban_lua_end_visit (self);
    }
  if (details != NULL)
    *details = take_column (candidates, TRUE);
  return take_column (candidates, FALSE);
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
  if (call_shortly (L, 2, 1) == LUA_OK)
    help = g_strdup (lua_tostring (L, -1));
  lua_settop (L, top);
  goban_lua_end_visit (self);
  return help;
}
