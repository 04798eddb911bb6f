/* lua-compare.h: Lua's Diff, runs side by side, and the openers of the files that add to it. */
#pragma once

#include "app/lua/core/lua-state.h"
#include "engine/study/analysis/difference/difference.h"

void goban_lua_open_compare (lua_State *L);
void goban_lua_open_compare_set (lua_State *L); /* compare.show and its like */
void goban_lua_open_diff_report (lua_State *L); /* report */
void goban_lua_open_parts (lua_State *L);       /* why, revert, try */
void goban_lua_open_share (lua_State *L);       /* share, of Run and view, too */

/* The comparison at 1. Borrowed. */
GobanComparison *goban_lua_check_comparison (lua_State *L);
/* Its first two runs, or raises if they have no difference. Borrowed. */
gboolean goban_lua_check_diff (lua_State *L, GobanRun **before, GobanRun **after);
/* Whether the comparison is of two runs that have a difference. */
gboolean goban_lua_has_difference (GobanComparison *comparison);
/* Pushes the difference of the first two runs, or raises. */
GobanDifference *goban_lua_push_difference (lua_State *L, double min_change_us);
