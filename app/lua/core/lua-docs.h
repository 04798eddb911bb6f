/* lua-docs.h: tables of functions, methods and fields with their help, which help() shows. */
#pragma once

#include <glib-object.h>
#include <lua.h>

/* Marks the name of a function in a table of functions, fields or setters that touches the session:
 * the main thread runs it, whichever thread the script is in. It must run no Lua. */
#define GOBAN_LUA_ON_MAIN "!"

typedef enum
{
  GOBAN_LUA_FIELD_FUNCTION,   /* lua_CFunction, called with the object and the field's name */
  GOBAN_LUA_FIELD_METHOD,     /* lua_CFunction: a method, or a function of a module */
  GOBAN_LUA_FIELD_TEXT,       /* const char *(*) (T *) */
  GOBAN_LUA_FIELD_TAKEN_TEXT, /* char *(*) (T *), (transfer full); NULL is "" */
  GOBAN_LUA_FIELD_LIST,       /* const char *const *(*) (T *), up to a NULL */
  GOBAN_LUA_FIELD_WHOLE,      /* guint (*) (T *) */
  GOBAN_LUA_FIELD_NUMBER,     /* double (*) (T *); NAN is nil */
  GOBAN_LUA_FIELD_COUNT,      /* the same, an integer if it is whole */
  GOBAN_LUA_FIELD_TIME,       /* the same, in microseconds; seconds in Lua */
  GOBAN_LUA_FIELD_BOOLEAN,    /* gboolean (*) (T *) */
} GobanLuaFieldKind;

/* A function, method or field, and its help. Getters get the pointer that the value begins with, a
 * T *. Tables of entries end with one without a name. */
typedef struct
{
  const char *name; /* "" for the module itself */
  GobanLuaFieldKind kind;
  GCallback get;
  const char *arguments; /* of a function: "(device)" */
  const char *sentence;  /* (nullable): only the prelude calls it */
  const char *example;   /* (nullable): one line that runs with samples/toy.dot open */
  lua_CFunction set; /* (nullable): of a field: called with the object, the name and the value */
} GobanLuaEntry;

/* A field: name, kind without its prefix, getter, sentence, example (optional). */
#define GOBAN_LUA_FIELD(field, type, getter, ...)                                                  \
  {                                                                                                \
    .name = field, .kind = GOBAN_LUA_FIELD_##type, .get = G_CALLBACK (getter), .arguments = NULL,  \
    __VA_ARGS__                                                                                    \
  }

/* A method, or a function of a module: name, function, arguments, sentence, example (optional). */
#define GOBAN_LUA_FUNCTION(function_name, function, ...)                                           \
  {                                                                                                \
    .name = function_name, .kind = GOBAN_LUA_FIELD_METHOD, .get = G_CALLBACK (function),           \
    __VA_ARGS__                                                                                    \
  }

/* A metamethod of a type: "__len" and its function. */
#define GOBAN_LUA_META(metamethod, function)                                                       \
  {                                                                                                \
    .name = metamethod, .kind = GOBAN_LUA_FIELD_METHOD, .get = G_CALLBACK (function)               \
  }

/* The help of the module: sentence, example. In one of the module's tables. */
#define GOBAN_LUA_MODULE(...)                                                                      \
  {                                                                                                \
    .name = "", .kind = GOBAN_LUA_FIELD_METHOD, .get = NULL, .arguments = NULL, __VA_ARGS__        \
  }

/* Pushes the help of everything: "graph.load", "Set.move", "Run" or the name of a global to
 * { signature =, sentence =, example = (optional) }. */
void goban_lua_push_docs (lua_State *L);
/* Adds to it; @signature without its end, @arguments; both they and @example are nullable. */
void goban_lua_add_doc (lua_State *L, const char *key, const char *signature, const char *arguments,
                        const char *sentence, const char *example);
