/* lua-value.h: plain values between Lua and the engine.
 *
 * Options are a table of known keys: a wrong type is refused by its path ("opts.seed: number
 * expected, got string"), an unknown key with the list of the known ones. Times in Lua are
 * seconds and sizes bytes; if a number is asked, a string with a unit will do ("1.5ms").
 */
#pragma once

#include <glib.h>
#include <lauxlib.h>
#include <lua.h>

typedef enum
{
  GOBAN_LUA_BOOLEAN, /* gboolean */
  GOBAN_LUA_INTEGER, /* gint64, not negative */
  GOBAN_LUA_NUMBER,  /* double, not negative */
  GOBAN_LUA_TIME_US, /* double; a number of seconds, or "20us" */
  GOBAN_LUA_STRING,  /* const char *, borrowed from the table */
  GOBAN_LUA_ANY,     /* int: the stack index of a copy the call pushes, 0 when absent */
} GobanLuaKind;

typedef struct
{
  const char *key;
  GobanLuaKind kind;
  gsize offset; /* into the struct */
} GobanLuaOption;

/* Fills @options from the table at @index (none or nil: nothing). Rows end with a NULL key. Pushes
 * one value per GOBAN_LUA_ANY row, and nothing else. */
void goban_lua_check_options (lua_State *L, int index, const char *what, const GobanLuaOption *rows,
                              gpointer options);

/* lua_getfield() without metamethods, whose code would run in the middle of a bound function:
 * decision A16 (app/NOTES.md). */
int goban_lua_raw_field (lua_State *L, int index, const char *key);

/* Pushes the key or value at @index in the words of a message: a text or a
 * number as it is, else the name of its type. No __tostring or __name of a
 * script's has a say. */
const char *goban_lua_push_words (lua_State *L, int index);

/* Raises if the table at @index has metamethods in place of contents, which are
 * read raw; @what: its name in the message. */
void goban_lua_check_plain (lua_State *L, int index, const char *what);

/* A number of seconds or "1.5ms", as microseconds; a number of bytes or "16GB".
 */
double goban_lua_check_time_us (lua_State *L, int index);
double goban_lua_check_bytes (lua_State *L, int index);

/* Pushes nil and the message, frees @error, returns 2. */
int goban_lua_fail (lua_State *L, GError *error);
/* The same of a message on top, which it takes. */
int goban_lua_fail_with (lua_State *L);
/* Whether the value at @index is the message of the last goban_lua_fail(). */
gboolean goban_lua_is_failure (lua_State *L, int index);
/* core.last_failure(): the message of the last goban_lua_fail() since the last call, or nil. */
int goban_lua_last_failure (lua_State *L);
/* TRUE, or the same: answers of functions that only do something. */
int goban_lua_answer (lua_State *L, gboolean is_done, GError **error);
/* The path at @index, or the same: of functions that write a file. */
int goban_lua_answer_path (lua_State *L, int index, gboolean is_done, GError **error);
/* Marks the table on top as a second answer beside a value. A call that is the last argument of
 * another one passes it on, too: functions leave it out. */
void goban_lua_mark_figures (lua_State *L);
gboolean goban_lua_is_figures (lua_State *L, int index);

/* Raises the message with the place in the script; frees @error. */
int goban_lua_raise (lua_State *L, GError *error);

/* The same as luaL_argerror() with the message; frees @error. */
int goban_lua_raise_argument (lua_State *L, int index, GError *error);

/* Pushes a copy of @text and frees it, also when Lua is out of memory. */
void goban_lua_take_string (lua_State *L, char *text);

/* Pushes a number; nil for NAN. */
void goban_lua_push_number (lua_State *L, double value);
/* The same, as an integer where it is whole: bytes and counts. */
void goban_lua_push_count (lua_State *L, double value);
