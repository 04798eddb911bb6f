/* lua-shares.h: what lua-compare.c and lua-shares.c do for each other: methods of one type. */
#pragma once

#include "app/lua/lua-modules.h"

G_BEGIN_DECLS

/* The first two runs of the comparison at 1, or raises where they have no difference. Borrowed. */
gboolean goban_lua_check_diff (lua_State *L, GobanRun **before, GobanRun **after);

/* Methods of comparisons: bound functions. */
int goban_lua_diff_explain (lua_State *L);
int goban_lua_diff_revert (lua_State *L);
int goban_lua_diff_shares (lua_State *L);
int goban_lua_diff_try (lua_State *L);

/* Writes pages about two runs; returns as a bound function. */
int goban_lua_write_report (lua_State *L, GobanRun *before, GobanRun *after, const char *path);

G_END_DECLS
