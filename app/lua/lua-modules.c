#include "app/lua/lua-modules.h"

void
goban_lua_open_modules (lua_State *L)
{
  goban_lua_open_graph (L);
  goban_lua_open_node (L);
  goban_lua_open_set (L);
  goban_lua_open_edit (L);
  goban_lua_open_hierarchy (L);
  goban_lua_open_cells (L);
  goban_lua_open_cluster (L);
  goban_lua_open_plan (L);
  goban_lua_open_policy (L);
  goban_lua_open_sim (L);
  goban_lua_open_decisions (L);
  goban_lua_open_causes (L);
  goban_lua_open_totals (L);
  goban_lua_open_compare (L);
  goban_lua_open_shares (L);
  goban_lua_open_compare_set (L);
  goban_lua_open_bench (L);
  goban_lua_open_job (L);
  goban_lua_open_view (L);
  goban_lua_open_look (L);
  goban_lua_open_app (L);
}
