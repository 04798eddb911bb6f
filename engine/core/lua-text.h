/* lua-text.h: writer of Lua string literals and of fields of Lua tables. */
#pragma once

#include <glib.h>

/* A string literal of the bytes of @text, in UTF-8 whatever they are. */
void goban_lua_text_append (GString *code, const char *text);
/* The same as a text of its own. (transfer full) */
char *goban_lua_text_quote (const char *text) G_GNUC_WARN_UNUSED_RESULT;

/* ", key = \"value\""; nothing if @value is %NULL. */
void goban_lua_text_add (GString *code, const char *key, const char *value);
