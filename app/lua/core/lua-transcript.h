/* lua-transcript.h: record of typed lines and clicks, from which a script can be made.
 *
 * A line of the session's log that a typed text has caused is distinguished from one of the mouse,
 * so that the text replaces it. Of the main thread.
 */
#pragma once

#include "app/lua/core/lua-state.h"

void goban_lua_transcript_open (GobanLuaHost *host);
void goban_lua_transcript_free (GobanLuaHost *host);

/* Around a typed text. @is_expression: the text is evaluated for its values. */
void goban_lua_transcript_begin (GobanLuaHost *host, const char *text, gboolean is_expression);
void goban_lua_transcript_end (GobanLuaHost *host, gboolean is_fine);

/* For the prelude: pushes a list of lines in their order. A text that has failed is replaced by the
 * lines that it has caused; the one that runs is left out. */
int goban_lua_transcript (lua_State *L);
