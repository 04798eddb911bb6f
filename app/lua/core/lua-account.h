/* lua-account.h: one account of the memory that scripts make the program hold.
 *
 * Values of the interpreter and of handles are counted as they are made; names, notes, runs in
 * lists, undo states and whatever else the engine keeps for a script are found by measuring what
 * the program has allocated. What it had before the chunk, and what others allocated between
 * chunks, is not the script's. A chunk that is over the limit ends, past any pcall().
 *
 * Decision A17 (app/NOTES.md).
 */
#pragma once

#include "app/lua/core/lua-state.h"

/* Counts what is allocated now, if it may matter. */
void goban_lua_account_look (GobanLuaHost *self);

/* Around a chunk. */
void goban_lua_account_begin (GobanLuaHost *self);
void goban_lua_account_end (GobanLuaHost *self);

/* Whether scripts hold more than they may; then the chunk stops (lua-stop.h).
 * Any thread. */
gboolean goban_lua_account_is_over (GobanLuaHost *self);
/* Counts a refused allocation, an error that a script can catch. A script that goes on at the limit
 * without freeing an eighth of it is ended after a while. In the thread that uses the
 * interpreter. */
void goban_lua_account_refuse (GobanLuaHost *self);
/* The same as is_over(), asked now and then, for work that asks all the time. */
gboolean goban_lua_account_is_over_meanwhile (GobanLuaHost *self);
/* Stops the chunk if it is over the limit after a collection, too. In the thread of the chunk,
 * which holds nothing. */
void goban_lua_account_check (lua_State *L);
/* The message of a chunk that has ended so. */
void goban_lua_account_set_error (const GobanLuaHost *self, GError **error);

/* Raises if the text at @index, or one in a table there, is longer than names
 * and captions are;
 * @call: the function, for the message. */
void goban_lua_account_check_texts (lua_State *L, int index, const char *call);
