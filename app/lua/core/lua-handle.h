/* lua-handle.h: handles: the userdata pattern by which Lua owns objects of the engine.
 *
 * A handle is a userdata with a value inside. It is pushed empty and filled next, so that
 * nothing is owned when Lua raises for want of memory. The value's first member is a pointer,
 * NULL while the handle is empty; collecting and closing clear it once.
 */
#pragma once

#include "app/lua/core/lua-docs.h"

#include <lauxlib.h>
#include <lua.h>

typedef struct
{
  const char *name;               /* display name in messages: "Graph" */
  const char *variable;           /* (nullable): its usual name in help: "g" */
  const char *sentence;           /* (nullable): its help */
  const char *example;            /* (nullable) */
  gsize size;                     /* of the value; 0: it is a pointer alone */
  void (*clear) (gpointer value); /* (nullable) */
  GDestroyNotify free;            /* in place of clear, if only the first pointer is owned */
  const GobanLuaEntry *entries;   /* (nullable): methods, fields and metamethods */
  lua_CFunction get_item; /* (nullable): called with the object and an integer, as its key */
  gboolean is_on_main;    /* values are cleared by the main thread */
} GobanLuaType;

/* Does nothing for a type that is registered. Its tables are kept for help() and completion. */
void goban_lua_register (lua_State *L, const GobanLuaType *type);
/* Adds methods and fields to a registered type. */
void goban_lua_extend (lua_State *L, const char *type, const GobanLuaEntry *entries);
/* Pushes the table of all types: name to { methods =, fields =, setters =, variable = }. */
void goban_lua_push_types (lua_State *L);

/* Pushes an empty handle with @n_uservalues. Borrowed from Lua: zeroes, to be filled. */
gpointer goban_lua_push_handle (lua_State *L, const GobanLuaType *type, int n_uservalues);

/* Pushes a handle that frees the contents of its slot with @free, for values that live while tables
 * are made of them. */
gpointer *goban_lua_push_kept (lua_State *L, GDestroyNotify free);

/* Adds the external memory of the handle at @index to the interpreter's account until it is
 * cleared: the collector runs sooner, and the memory limit counts it. Raises if the limit is
 * exceeded, so the handle must own the value already. Not for shared values. */
void goban_lua_charge (lua_State *L, int index, gsize size_bytes);

/* The value at @index, or raises: wrong type, or closed. */
gpointer goban_lua_check_handle (lua_State *L, int index, const GobanLuaType *type);
/* (nullable): the value at @index, NULL for anything else. Never raises. */
gpointer goban_lua_test_handle (lua_State *L, int index, const GobanLuaType *type);

/* The same for types whose value is a pointer alone: the pointer. */
gpointer goban_lua_check_pointer (lua_State *L, int index, const GobanLuaType *type);
gpointer goban_lua_test_pointer (lua_State *L, int index, const GobanLuaType *type);

/* Pushes a bound function by its row; @data, if any, is its goban_lua_get_data(). */
void goban_lua_push_bound (lua_State *L, const luaL_Reg *row, const char *data);
/* (nullable): in a bound function. */
const char *goban_lua_get_data (lua_State *L);

/* For the prelude, (function, number, call): makes a bound function refuse more arguments, with
 * messages that show the call. FALSE for other functions. */
int goban_lua_limit (lua_State *L);

/* Adds a module's functions to the global table of that name. */
void goban_lua_module (lua_State *L, const char *name, const GobanLuaEntry *row);
