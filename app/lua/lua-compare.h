/* lua-compare.h: what the files of the module compare show each other: lua-compare.c, lua-shares.c. */
#pragma once

#include "app/lua/lua-modules.h"

G_BEGIN_DECLS

/* The first two runs of the comparison at 1, or raises where they have no difference. Borrowed. */
gboolean goban_lua_check_diff (lua_State *L, GobanRun **before, GobanRun **after);
/* lua-shares.c: methods of comparisons, and their report as a file of pages. */
int goban_lua_diff_explain (lua_State *L);
int goban_lua_diff_revert (lua_State *L);
int goban_lua_diff_shares (lua_State *L);
int goban_lua_diff_try (lua_State *L);
int goban_lua_write_report (lua_State *L, GobanRun *before, GobanRun *after, const char *path);

G_END_DECLS
