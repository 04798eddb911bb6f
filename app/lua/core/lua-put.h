/* lua-put.h: fields of tables, and lists of texts. */
#pragma once

#include <glib.h>
#include <lua.h>

/* Each puts a value into the table on top, under a key; none for a text that is NULL or a number
 * that is NAN. */
void goban_lua_put_text (lua_State *L, const char *key, const char *text);
void goban_lua_put_number (lua_State *L, const char *key, double value);
void goban_lua_put_count (lua_State *L, const char *key, double value); /* an integer if whole */
void goban_lua_put_integer (lua_State *L, const char *key, gint64 value);
void goban_lua_put_boolean (lua_State *L, const char *key, gboolean value);

/* Pushes a list of texts, which end with NULL. */
void goban_lua_push_texts (lua_State *L, const char *const *texts);
/* Raises if the table at @index has other keys than 1 to @n; @what: its name in the message. */
void goban_lua_check_list (lua_State *L, int index, lua_Integer n, const char *what);
/* Raises unless the value at @index is a list of texts; @what: its name in messages. */
void goban_lua_check_texts (lua_State *L, int index, const char *what);
/* The list of texts at @index, which has been checked. Never raises. (transfer full) */
char **goban_lua_dup_texts (lua_State *L, int index) G_GNUC_WARN_UNUSED_RESULT;
