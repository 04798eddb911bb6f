/* lua-playback-state.c: run:at, what every node does at one moment of a run. */
#include "app/lua/lua-handle.h"
#include "app/lua/lua-put.h"
#include "app/lua/lua-run.h"
#include "app/lua/lua-set.h"
#include "app/lua/lua-value.h"

#include "engine/analysis/playback-state.h"

/* { time=, text=, waiting=, ready=, running=, done=, counts= }: sets, and how many are in each. */
static int
run_at (lua_State *L)
{
  GobanRun *run = goban_lua_check_run (L, 1);
  double time_us = goban_lua_check_time_us (L, 2);
  guint counts[GOBAN_N_NODE_STATES];

  goban_playback_state_compute (run, time_us, NULL, counts);
  lua_createtable (L, 0, GOBAN_N_NODE_STATES + 3);
  goban_lua_put_number (L, "time", time_us / 1e6);
  goban_lua_take_string (L, goban_playback_state_describe (run, time_us));
  lua_setfield (L, -2, "text");
  lua_createtable (L, 0, GOBAN_N_NODE_STATES); /* moment counts */
  for (guint i = 0; i < GOBAN_N_NODE_STATES; i++)
    {
      const char *name = goban_node_state_get_name ((GobanNodeState) i);
      GobanLuaSet *set = goban_lua_push_set (L, goban_run_get_costs (run), run, 0);
      GobanSelection *nodes = goban_playback_state_dup_nodes (run, time_us, (GobanNodeState) i);

      goban_lua_take_nodes (set, nodes);
      lua_setfield (L, -3, name);
      goban_lua_put_integer (L, name, counts[i]);
    }
  lua_setfield (L, -2, "counts");
  return 1;
}

static const luaL_Reg run_methods[] = {
  { "at", run_at },
  { NULL, NULL },
};

void
goban_lua_open_playback_state (lua_State *L)
{
  goban_lua_extend (L, "Run", run_methods, NULL);
}
