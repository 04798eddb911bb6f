/* lua-handle.h: handles: the userdata pattern by which Lua owns objects of the engine.
 *
 * A handle is a userdata with a value inside. It is pushed empty and filled next, so that
 * nothing is owned when Lua raises for want of memory. The value's first member is a pointer,
 * NULL while the handle is empty; collecting and closing clear it once.
 */
#pragma once

#include <glib-object.h>
#include <lauxlib.h>
#include <lua.h>

G_BEGIN_DECLS

/* Marks the name of a function in a table of functions, fields or setters that touches the session:
 * the main thread runs it, whichever thread the script is in. It must run no Lua. */
#define GOBAN_LUA_ON_MAIN "!"

typedef enum
{
  GOBAN_LUA_FIELD_FUNCTION,   /* lua_CFunction, called with the object and the field's name */
  GOBAN_LUA_FIELD_METHOD,     /* lua_CFunction: no field, but a method, as GOBAN_LUA_METHOD() has */
  GOBAN_LUA_FIELD_TEXT,       /* const char *(*) (T *) */
  GOBAN_LUA_FIELD_TAKEN_TEXT, /* char *(*) (T *), (transfer full); NULL is "" */
  GOBAN_LUA_FIELD_LIST,       /* const char *const *(*) (T *), up to a NULL */
  GOBAN_LUA_FIELD_WHOLE,      /* guint (*) (T *) */
  GOBAN_LUA_FIELD_NUMBER,     /* double (*) (T *); NAN is nil */
  GOBAN_LUA_FIELD_COUNT,      /* the same, an integer if it is whole */
  GOBAN_LUA_FIELD_TIME,       /* the same, in microseconds; seconds in Lua */
  GOBAN_LUA_FIELD_BOOLEAN,    /* gboolean (*) (T *) */
} GobanLuaFieldKind;

/* A field, or a method, and its help. Getters get the pointer that the value begins with, a T *. */
typedef struct
{
  const char *name;
  GobanLuaFieldKind kind;
  GCallback get;
  const char *sentence;  /* (nullable): documented elsewhere */
  const char *example;   /* (nullable): the field itself */
  const char *arguments; /* of a method, for help: "(device)" */
} GobanLuaField;

/* A row of fields: name, kind without its prefix, getter, sentence, and an example if any. */
#define GOBAN_LUA_FIELD(field, type, getter, ...)                                                  \
  {                                                                                                \
    .name = field, .kind = GOBAN_LUA_FIELD_##type, .get = G_CALLBACK (getter), __VA_ARGS__         \
  }

/* A row of methods: name, function, arguments, sentence, example. */
#define GOBAN_LUA_METHOD(method, function, args, help, line)                                       \
  {                                                                                                \
    .name = method, .kind = GOBAN_LUA_FIELD_METHOD, .get = G_CALLBACK (function),                  \
    .arguments = args, .sentence = help, .example = line                                           \
  }

typedef struct
{
  const char *name;               /* display name in messages: "Graph" */
  const char *variable;           /* (nullable): its usual name in help: "g" */
  gsize size;                     /* of the value; 0: it is a pointer alone */
  void (*clear) (gpointer value); /* (nullable) */
  GDestroyNotify free;            /* in place of clear, of a pointer alone */
  const luaL_Reg *methods;
  const GobanLuaField *fields; /* (nullable) */
  const luaL_Reg *setters;     /* (nullable): called with the object, the name and the new value */
  const luaL_Reg *meta;        /* (nullable): __tostring, __len, ... */
  gboolean is_on_main;         /* values are cleared by the main thread */
} GobanLuaType;

/* Does nothing for a type that is registered. Its tables are kept for help() and completion. */
void goban_lua_register (lua_State *L, const GobanLuaType *type);
/* Adds methods and fields (nullable) to a registered type. */
void goban_lua_extend (lua_State *L, const char *type, const luaL_Reg *methods,
                       const GobanLuaField *fields);
/* Pushes the table of all types: name to { methods =, fields =, setters =, variable =, docs = };
 * docs have the help of fields by name: { sentence =, example = }. */
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
void goban_lua_module (lua_State *L, const char *name, const luaL_Reg *functions);

G_END_DECLS
