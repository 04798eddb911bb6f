/* lua-coroutine.c: coroutines of scripts inside the coroutine that is the chunk.
 *
 * The host stops whatever coroutine is at work, at any depth, by a yield. Lua would hand it to the
 * script's own resume; here resume, wrap and close stop the coroutine that called them in turn.
 */
#include "app/lua/core/lua-sandbox.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-stop.h"

#include <lualib.h>

static lua_State *
check_coroutine (lua_State *L, int index)
{
  lua_State *co = lua_tothread (L, index);

  luaL_argexpected (L, co != NULL, index, "coroutine");
  return co;
}

/* Results of a resume for its caller. */
static int
pass_on (lua_State *L, lua_State *co, int status, int n_results)
{
  GobanLuaHost *host = goban_lua_get_host (L);

  if (status == LUA_YIELD && host->is_paused)
    {
      host->is_paused = FALSE;
      return goban_lua_stop (L);
    }

  if (status != LUA_OK && status != LUA_YIELD)
    {
      lua_pushboolean (L, FALSE);
      lua_xmove (co, L, 1);
      return 2;
    }

  if (!lua_checkstack (L, n_results + 1))
    {
      lua_pop (co, n_results);
      return luaL_error (L, "too many results to resume");
    }

  lua_pushboolean (L, TRUE);
  lua_xmove (co, L, n_results);
  return n_results + 1;
}

/* The coroutine is stopped at the same points as its caller. */
static void
watch_as_caller (lua_State *L, lua_State *co)
{
  GobanLuaHost *host = goban_lua_get_host (L);

  host->running = co;
  /* Setting a hook begins its count anew, so once is enough; short resumes must add up. */
  if (lua_gethook (co) != lua_gethook (L) || lua_gethookcount (co) != lua_gethookcount (L))
    lua_sethook (co, lua_gethook (L), lua_gethookmask (L), lua_gethookcount (L));
  if (goban_lua_is_stopped (host))
    lua_sethook (co, goban_lua_hook, LUA_MASKCOUNT, 1);
}

static int
resume_once (lua_State *L, lua_State *co, int n_args)
{
  GobanLuaHost *host = goban_lua_get_host (L);
  int n_results = 0;
  int status;

  watch_as_caller (L, co);
  status = lua_resume (co, L, n_args, &n_results);
  host->running = L;
  return pass_on (L, co, status, n_results);
}

static int
resume_args (lua_State *L, lua_State *co, int n_args)
{
  if (lua_status (co) == LUA_OK && lua_gettop (co) == 0)
    {
      lua_pushboolean (L, FALSE);
      lua_pushliteral (L, "cannot resume dead coroutine");
      return 2;
    }

  if (!lua_checkstack (co, n_args))
    return luaL_error (L, "too many arguments to resume");

  lua_xmove (L, co, n_args);
  return resume_once (L, co, n_args);
}

/* A coroutine that waits in a resume, or is the one at work, must not be resumed. */
static gboolean
is_resumable (lua_State *L, lua_State *co)
{
  lua_Debug ar;

  if (co == L)
    return FALSE;

  return lua_status (co) != LUA_OK || lua_getstack (co, 0, &ar) == 0;
}

static int
coroutine_resume (lua_State *L)
{
  lua_State *co = check_coroutine (L, 1);

  if (!is_resumable (L, co))
    {
      lua_pushboolean (L, FALSE);
      lua_pushliteral (L, "cannot resume non-suspended coroutine");
      return 2;
    }

  return resume_args (L, co, lua_gettop (L) - 1);
}

/* Handlers of variables to be closed run in the coroutine itself. */
static int
coroutine_close (lua_State *L)
{
  GobanLuaHost *host = goban_lua_get_host (L);
  lua_State *co = check_coroutine (L, 1);
  int status;

  if (!is_resumable (L, co))
    return luaL_error (L, "cannot close a %s coroutine", co == L ? "running" : "normal");

  watch_as_caller (L, co);
  status = lua_resetthread (co);
  host->running = L;
  if (goban_lua_is_stopped (host))
    return goban_lua_stop (L);

  lua_pushboolean (L, status == LUA_OK);
  if (status == LUA_OK)
    return 1;
  lua_xmove (co, L, 1);
  return 2;
}

static int
coroutine_yield (lua_State *L)
{
  if (L == goban_lua_get_host (L)->thread)
    return luaL_error (L, "attempt to yield from outside a coroutine");

  return lua_yield (L, lua_gettop (L));
}

/* Raises the coroutine's error, with the place where that happened. Upvalue: resume. */
static int
unwrap (lua_State *L, int status, lua_KContext context)
{
  if (lua_toboolean (L, 1))
    return lua_gettop (L) - 1;

  lua_settop (L, 2);
  return lua_error (L);
}

static int
call_wrapped (lua_State *L)
{
  lua_pushcfunction (L, coroutine_resume);
  lua_insert (L, 1);
  lua_pushvalue (L, lua_upvalueindex (1));
  lua_insert (L, 2);
  lua_callk (L, lua_gettop (L) - 1, LUA_MULTRET, 0, unwrap);
  return unwrap (L, LUA_OK, 0);
}

static int
coroutine_wrap (lua_State *L)
{
  lua_State *co;

  luaL_checktype (L, 1, LUA_TFUNCTION);
  co = lua_newthread (L);
  lua_pushvalue (L, 1);
  lua_xmove (L, co, 1);
  lua_pushcclosure (L, call_wrapped, 1);
  return 1;
}

static const luaL_Reg functions[] = {
  { "close", coroutine_close },
  { "resume", coroutine_resume },
  { "wrap", coroutine_wrap },
  { "yield", coroutine_yield },
  { NULL, NULL },
};

void
goban_lua_open_coroutine (lua_State *L)
{
  luaL_requiref (L, LUA_COLIBNAME, luaopen_coroutine, TRUE);
  luaL_setfuncs (L, functions, 0);
  lua_pop (L, 1);
}
