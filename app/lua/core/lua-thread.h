/* lua-thread.h: the thread of a started chunk, and its traffic with the main thread. */
#pragma once

#include "app/lua/core/lua-state.h"

/* Whether this is the thread of the host's started chunk. */
gboolean goban_lua_is_in_thread (GobanLuaHost *self);
/* Runs @function in the main thread, at once or in a turn of its loop, and waits for its end. Must
 * not be called with a lock held that the main thread may want. */
void goban_lua_on_main (GobanLuaHost *self, GobanLuaMainFunc function, gpointer data);
/* Around long work that does not use the interpreter, in the thread that uses it. */
void goban_lua_leave (GobanLuaHost *self);
void goban_lua_enter (GobanLuaHost *self);
/* In the main thread, around a use of the interpreter. FALSE if the chunk cannot let it go now. */
gboolean goban_lua_visit (GobanLuaHost *self);
void goban_lua_end_visit (GobanLuaHost *self);
/* In the chunk's thread: gives the main thread access if it waits for it. */
void goban_lua_admit_visit (GobanLuaHost *self);
/* In another thread: waits until no chunk uses the interpreter, and then belongs to the host as a
 * chunk's thread does. FALSE if the task is stopped meanwhile. @before: (out): for the end. */
gboolean goban_lua_become_guest (GobanLuaHost *self, const GobanGuestTask *task, gpointer *before);
void goban_lua_end_guest (GobanLuaHost *self, gpointer before);
/* Around a chunk. FALSE if it cannot begin because a policy runs in another thread. */
gboolean goban_lua_set_at_work (GobanLuaHost *self, gboolean is_at_work);
/* Stops policies in other threads. FALSE if they do not end for seconds. */
gboolean goban_lua_wait_for_guests (GobanLuaHost *self);

/* Prints at once, or in a turn of the main loop. */
void goban_lua_write (GobanLuaHost *self, const char *text, gsize n);

/* Runs the host's chunk_main in a new thread, and its chunk_ended in the main loop afterwards. */
void goban_lua_start_thread (GobanLuaHost *self);
/* When no other thread uses the host any more: joins that of the chunk, if there is one, prints
 * pending output, and removes sources that threads have attached to the main loop, which lives
 * longer. */
void goban_lua_end_threads (GobanLuaHost *self);
/* Handles the chunk's requests until it has ended. FALSE if it does not end for seconds. */
gboolean goban_lua_wait_for_thread (GobanLuaHost *self);
