#include "app/lua/core/lua-stop.h"

#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-thread.h"

#define HOOK_COUNT 100 /* instructions between two checks for an interrupt: some us */

int
goban_lua_stop (lua_State *L)
{
  GobanLuaHost *host = goban_lua_get_host (L);

  if (!lua_isyieldable (L))
    return luaL_error (L, host->is_exiting ? "exit" : "interrupted");

  host->is_paused = TRUE;
  return lua_yield (L, 0);
}

gboolean
goban_lua_is_stopped (GobanLuaHost *host)
{
  /* A policy that runs for a job stops with that; a chunk's own calls stop with the chunk. */
  if (host->task != NULL && (goban_guest_task_is_stopped (host->task) || host->is_closing))
    return TRUE;
  if (g_atomic_int_get (&host->is_over))
    return TRUE;
  return (host->guest == NULL && g_atomic_int_get (&host->is_interrupted)) || host->is_exiting;
}

void
goban_lua_hook (lua_State *L, lua_Debug *ar)
{
  GobanLuaHost *host = goban_lua_get_host (L);

  goban_lua_admit_visit (host);
  if (!goban_lua_is_stopped (host))
    return;

  /* From here on no handler of the script's runs for more than an instruction. */
  lua_sethook (L, goban_lua_hook, LUA_MASKCOUNT, 1);
  goban_lua_stop (L);
}

void
goban_lua_watch (lua_State *L)
{
  lua_sethook (L, goban_lua_hook, LUA_MASKCOUNT, HOOK_COUNT);
}

void
goban_lua_check_stop (lua_State *L)
{
  GobanLuaHost *host = goban_lua_get_host (L);

  if (goban_lua_is_in_thread (host))
    goban_lua_admit_visit (host);
  if (goban_lua_is_stopped (host))
    luaL_error (L, host->is_exiting ? "exit" : "interrupted");
}
