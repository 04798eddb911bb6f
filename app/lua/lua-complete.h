/* lua-complete.h: completion and help for a prompt. */
#pragma once

#include "app/lua/core/lua-types.h"

/**
 * goban_lua_host_complete:
 * @cursor: in bytes; the text before it is completed
 * @start: (out): in bytes; what the answers replace, up to @cursor
 * @details: (out) (optional) (transfer full): of each answer, its signature, a newline and a
 *   sentence, or ""
 *
 * Returns: (transfer full): a sorted, NULL-terminated list, empty if nothing fits
 */
char **goban_lua_host_complete (GobanLuaHost *self, const char *text, gsize cursor, gsize *start,
                                char ***details) G_GNUC_WARN_UNUSED_RESULT;

/* Help on the word at the cursor, in several lines; (transfer full) (nullable): %NULL without
 * memory for it, or if a chunk is in the middle of a long step. May be called at any time. */
char *goban_lua_host_help (GobanLuaHost *self, const char *text,
                           gsize cursor) G_GNUC_WARN_UNUSED_RESULT;
