/* lua-bound.h: Lua C functions of a type that are defined in other files than the type's method
 * table. */
#pragma once

#include <lua.h>

#include <glib.h>

G_BEGIN_DECLS

int goban_lua_diff_explain (lua_State *L);
int goban_lua_diff_revert (lua_State *L);
int goban_lua_diff_shares (lua_State *L);
int goban_lua_diff_try (lua_State *L);
int goban_lua_graph_families (lua_State *L);
int goban_lua_graph_generate (lua_State *L);
int goban_lua_graph_cells (lua_State *L);
int goban_lua_graph_hierarchy (lua_State *L);
int goban_lua_graph_inside (lua_State *L);
int goban_lua_graph_load (lua_State *L);
int goban_lua_graph_save (lua_State *L);
int goban_lua_graph_training (lua_State *L);
int goban_lua_set_fuse (lua_State *L);
int goban_lua_set_hide (lua_State *L);
int goban_lua_set_move (lua_State *L);
int goban_lua_set_pin (lua_State *L);
int goban_lua_set_prio (lua_State *L);
int goban_lua_set_unfuse (lua_State *L);
int goban_lua_set_unpin (lua_State *L);
int goban_lua_run_at (lua_State *L);
int goban_lua_run_decisions (lua_State *L);
int goban_lua_run_least_sure (lua_State *L);
int goban_lua_run_step (lua_State *L);
int goban_lua_run_steps (lua_State *L);
int goban_lua_run_why (lua_State *L);
int goban_lua_run_totals (lua_State *L);
int goban_lua_view_color (lua_State *L);
int goban_lua_view_step (lua_State *L);

G_END_DECLS
