#include "app/lua/core/lua-handle.h"

#include "app/lua/core/lua-account.h"
#include "app/lua/core/lua-put.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-stop.h"
#include "app/lua/core/lua-thread.h"
#include "app/lua/core/lua-value.h"
#include "app/lua/core/lua-work.h"

#include <stdlib.h>
#include <string.h>

/* The collector is charged with the memory of handles in steps of this size. */
#define MIN_STEP_BYTES ((gsize) 64 * 1024)

/* More fields, or methods, than a type has. */
#define MAX_NAMES 128

/* Its address is the key of the table of types in the registry. */
static const char types_key;

/* First member of every value. */
typedef struct
{
  gpointer first;
} Value;

/* Memory charged for the handle at @index; stored behind its value. */
static gsize *
get_charge (lua_State *L, int index)
{
  char *value = lua_touserdata (L, index);

  return (gsize *) (value + lua_rawlen (L, index) - sizeof (gsize));
}

static gsize
get_size (const GobanLuaType *type)
{
  return type->size != 0 ? type->size : sizeof (Value);
}

typedef struct
{
  const GobanLuaType *type;
  Value *value;
} Clearing;

static void
clear_cb (gpointer data)
{
  const Clearing *call = data;

  if (call->type->free != NULL)
    call->type->free (call->value->first);
  else if (call->type->clear != NULL)
    call->type->clear (call->value);
}

static int
clear_handle (lua_State *L)
{
  const GobanLuaType *type = lua_touserdata (L, lua_upvalueindex (1));
  Value *value = luaL_testudata (L, 1, type->name);
  Clearing call;

  if (value == NULL || value->first == NULL)
    return 0;

  call = (Clearing){ type, value };
  if (type->is_on_main)
    goban_lua_on_main (goban_lua_get_host (L), clear_cb, &call);
  else
    clear_cb (&call);
  memset (value, 0, get_size (type));
  goban_lua_get_host (L)->held_bytes -= *get_charge (L, 1);
  *get_charge (L, 1) = 0;
  return 0;
}

/* --- bound functions ----------------------------------------------------------------------- */

/* Upvalues of bound functions. */
enum
{
  BOUND_FUNCTION = 1,
  BOUND_ON_MAIN, /* boolean */
  BOUND_DATA,    /* string or nil */
  BOUND_MAX,     /* how many arguments it takes, -1 for any number */
  BOUND_CALL,    /* how it is called, for messages: "plan.new(g, cluster)" */
  N_BOUND = BOUND_CALL,
};

/* Raises if the last argument but one is nil and the last is the reason: a call that failed, as the
 * last argument, gives both. @is_certain: any text is a reason. */
static void
check_reason (lua_State *L, gboolean is_certain)
{
  const char *call = lua_tostring (L, lua_upvalueindex (BOUND_CALL));
  int last = lua_gettop (L);

  if (last < 2 || !lua_isnil (L, last - 1) || lua_type (L, last) != LUA_TSTRING
      || !(is_certain || goban_lua_is_failure (L, last)))
    return;
  luaL_error (L, "%s: argument %d is nil: %s", call, last - 1 - (strchr (call, ':') != NULL),
              lua_tostring (L, last));
}

static int
raise_too_many (lua_State *L, int n_args, int n_max)
{
  const char *call = lua_tostring (L, lua_upvalueindex (BOUND_CALL));
  gboolean is_method = strchr (call, ':') != NULL; /* if the object is not counted */

  check_reason (L, n_args == n_max + 1);
  return luaL_error (L, "%s: %d argument%s expected, got %d", call, n_max - is_method,
                     n_max - is_method == 1 ? "" : "s", n_args - is_method);
}

static void
check_texts (lua_State *L)
{
  const char *call = lua_tostring (L, lua_upvalueindex (BOUND_CALL));

  for (int i = 1; i <= lua_gettop (L); i++)
    goban_lua_account_check_texts (L, i, call != NULL ? call : "argument");
}

static int
call_bound (lua_State *L)
{
  lua_CFunction function = lua_tocfunction (L, lua_upvalueindex (BOUND_FUNCTION));
  int n_max = (int) lua_tointeger (L, lua_upvalueindex (BOUND_MAX));
  int n;

  if (lua_gettop (L) > 1 && goban_lua_is_figures (L, -1))
    lua_pop (L, 1);
  if (n_max >= 0 && lua_gettop (L) > n_max)
    return raise_too_many (L, lua_gettop (L), n_max);
  check_reason (L, FALSE);
  if (!lua_toboolean (L, lua_upvalueindex (BOUND_ON_MAIN)))
    return function (L);

  /* What touches the session may keep something in it. */
  check_texts (L);
  if (g_atomic_int_get (&goban_lua_get_host (L)->is_over))
    return goban_lua_stop (L);
  n = goban_lua_call_on_main (L, function);
  goban_lua_account_check (L);
  return n;
}

static const char *
skip_mark (const char *name)
{
  return name + (g_str_has_prefix (name, GOBAN_LUA_ON_MAIN) ? strlen (GOBAN_LUA_ON_MAIN) : 0);
}

void
goban_lua_push_bound (lua_State *L, const luaL_Reg *row, const char *data)
{
  lua_pushcfunction (L, row->func);
  lua_pushboolean (L, skip_mark (row->name) != row->name);
  lua_pushstring (L, data);
  lua_pushinteger (L, -1);
  lua_pushstring (L, skip_mark (row->name)); /* until it has a better one */
  lua_pushcclosure (L, call_bound, N_BOUND);
}

int
goban_lua_limit (lua_State *L)
{
  luaL_checkinteger (L, 2);
  luaL_checkstring (L, 3);
  lua_settop (L, 3);
  if (lua_tocfunction (L, 1) != call_bound)
    {
      lua_pushboolean (L, FALSE);
      return 1;
    }
  lua_setupvalue (L, 1, BOUND_CALL);
  lua_setupvalue (L, 1, BOUND_MAX);
  lua_pushboolean (L, TRUE);
  return 1;
}

const char *
goban_lua_get_data (lua_State *L)
{
  return lua_tostring (L, lua_upvalueindex (BOUND_DATA));
}

static gboolean
is_metamethod (const GobanLuaEntry *row)
{
  return g_str_has_prefix (skip_mark (row->name), "__");
}

/* Into the table on top of the stack. */
static void
add_function (lua_State *L, const char *name, lua_CFunction function)
{
  goban_lua_push_bound (L, &(luaL_Reg){ name, function }, NULL);
  lua_setfield (L, -2, skip_mark (name));
}

/* --- types --------------------------------------------------------------------------------- */

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* The keys of the table of functions at @index, which keeps them, in order. Pushes only the values
 * that the buffer needs. */
static void
add_names (lua_State *L, luaL_Buffer *buffer, int index, const char *suffix)
{
  const char *names[MAX_NAMES];
  gsize n = 0;

  for (lua_pushnil (L); lua_next (L, index) != 0; lua_pop (L, 1))
    if (n < MAX_NAMES && lua_type (L, -2) == LUA_TSTRING)
      names[n++] = lua_tostring (L, -2);
  qsort (names, n, sizeof *names, compare_names);
  for (gsize i = 0; i < n; i++)
    {
      luaL_addstring (buffer, " ");
      luaL_addstring (buffer, names[i]);
      luaL_addstring (buffer, suffix);
    }
}

static int
raise_unknown_field (lua_State *L, const GobanLuaType *type)
{
  luaL_Buffer buffer;

  luaL_buffinit (L, &buffer);
  if (type->get_item != NULL)
    luaL_addstring (&buffer, " numbers");
  add_names (L, &buffer, lua_upvalueindex (3), "");
  add_names (L, &buffer, lua_upvalueindex (2), "()");
  luaL_pushresult (&buffer);
  lua_insert (L, 1);
  return luaL_error (L, "a %s has no field '%s'; it has:%s", type->name,
                     goban_lua_push_words (L, -1), lua_tostring (L, 1));
}

static gboolean
is_whole (lua_State *L, int index)
{
  int is_integer;

  lua_tointegerx (L, index, &is_integer);
  return is_integer;
}

/* Upvalues: the type, its methods, its fields. */
static int
index_handle (lua_State *L)
{
  const GobanLuaType *type = lua_touserdata (L, lua_upvalueindex (1));

  /* As in tables, 2.0 is 2: elements of arrays are floats. */
  if (type->get_item != NULL && lua_type (L, 2) == LUA_TNUMBER && is_whole (L, 2))
    return type->get_item (L);

  lua_pushvalue (L, 2);
  if (lua_rawget (L, lua_upvalueindex (2)) != LUA_TNIL)
    return 1;

  lua_pushvalue (L, 2);
  if (lua_rawget (L, lua_upvalueindex (3)) == LUA_TNIL)
    {
      lua_settop (L, 2);
      return raise_unknown_field (L, type);
    }

  lua_pushvalue (L, 1);
  lua_pushvalue (L, 2);
  lua_call (L, 2, 1);
  return 1;
}

/* Upvalues: the type, its setters. */
static int
set_field (lua_State *L)
{
  const GobanLuaType *type = lua_touserdata (L, lua_upvalueindex (1));

  lua_pushvalue (L, 2);
  if (lua_rawget (L, lua_upvalueindex (2)) == LUA_TNIL)
    return luaL_error (L, "the field '%s' of a %s cannot be set", goban_lua_push_words (L, 2),
                       type->name);

  lua_insert (L, 1);
  lua_call (L, 3, 0);
  return 0;
}

/* --- fields --------------------------------------------------------------------------------- */

#define GET(Type) (((Type (*) (gconstpointer)) row->get) (value->first))

/* Upvalues: the row, the type. */
static int
get_field (lua_State *L)
{
  const GobanLuaEntry *row = lua_touserdata (L, lua_upvalueindex (1));
  const Value *value = goban_lua_check_handle (L, 1, lua_touserdata (L, lua_upvalueindex (2)));
  char *text;

  switch (row->kind)
    {
    case GOBAN_LUA_FIELD_FUNCTION:
    case GOBAN_LUA_FIELD_METHOD:
      g_return_val_if_reached (0);
    case GOBAN_LUA_FIELD_TEXT:
      lua_pushstring (L, GET (const char *));
      break;
    case GOBAN_LUA_FIELD_TAKEN_TEXT:
      text = GET (char *);
      goban_lua_take_string (L, text != NULL ? text : g_strdup (""));
      break;
    case GOBAN_LUA_FIELD_LIST:
      goban_lua_push_texts (L, GET (const char *const *));
      break;
    case GOBAN_LUA_FIELD_WHOLE:
      lua_pushinteger (L, GET (guint));
      break;
    case GOBAN_LUA_FIELD_NUMBER:
      goban_lua_push_number (L, GET (double));
      break;
    case GOBAN_LUA_FIELD_COUNT:
      goban_lua_push_count (L, GET (double));
      break;
    case GOBAN_LUA_FIELD_TIME:
      goban_lua_push_number (L, GET (double) / 1e6);
      break;
    case GOBAN_LUA_FIELD_BOOLEAN:
      lua_pushboolean (L, GET (gboolean));
      break;
    }
  return 1;
}

/* Adds the help of an entry of a type or a module, whose usual name is @variable. */
static void
add_entry_doc (lua_State *L, const char *owner, const char *variable, char separator,
               const GobanLuaEntry *row)
{
  const char *name = skip_mark (row->name);

  if (row->sentence == NULL)
    return;

  if (*name == '\0')
    {
      goban_lua_add_doc (L, owner, owner, NULL, row->sentence, row->example);
      return;
    }
  lua_pushfstring (L, "%s.%s", owner, name);
  lua_pushfstring (L, "%s%c%s", variable, separator, name);
  goban_lua_add_doc (L, lua_tostring (L, -2), lua_tostring (L, -1), row->arguments, row->sentence,
                     row->example);
  lua_pop (L, 2);
}

/* The tables of methods and of fields are on top of the stack. */
static void
add_entries (lua_State *L, const GobanLuaType *type, const GobanLuaEntry *row)
{
  for (; row != NULL && row->name != NULL; row++)
    {
      const char *name = skip_mark (row->name);
      gboolean is_method = row->kind == GOBAN_LUA_FIELD_METHOD;

      if (is_metamethod (row))
        continue;
      if (is_method || row->kind == GOBAN_LUA_FIELD_FUNCTION)
        goban_lua_push_bound (L, &(luaL_Reg){ row->name, (lua_CFunction) row->get }, NULL);
      else
        {
          lua_pushlightuserdata (L, (gpointer) row);
          lua_pushlightuserdata (L, (gpointer) type);
          lua_pushcclosure (L, get_field, 2);
        }
      lua_setfield (L, is_method ? -3 : -2, name);
      add_entry_doc (L, type->name, type->variable != NULL ? type->variable : type->name,
                     is_method ? ':' : '.', row);
    }
}

/* --- registration --------------------------------------------------------------------------- */

void
goban_lua_push_types (lua_State *L)
{
  if (lua_rawgetp (L, LUA_REGISTRYINDEX, &types_key) != LUA_TNIL)
    return;

  lua_pop (L, 1);
  lua_newtable (L);
  lua_pushvalue (L, -1);
  lua_rawsetp (L, LUA_REGISTRYINDEX, &types_key);
}

/* Fills the metatable on top of the stack with what makes objects of the methods, fields and
 * setters, and keeps these in the table of types. */
static void
add_parts (lua_State *L, const GobanLuaType *type)
{
  gpointer key = (gpointer) type;

  lua_newtable (L); /* meta methods */
  lua_newtable (L); /* meta methods fields */
  add_entries (L, type, type->entries);
  if (type->sentence != NULL)
    goban_lua_add_doc (L, type->name, type->name, NULL, type->sentence, type->example);
  lua_newtable (L); /* meta methods fields setters */
  for (const GobanLuaEntry *row = type->entries; row != NULL && row->name != NULL; row++)
    if (row->set != NULL)
      add_function (L, row->name, row->set);

  lua_pushlightuserdata (L, key);
  lua_pushvalue (L, -4);
  lua_pushvalue (L, -4);
  lua_pushcclosure (L, index_handle, 3);
  lua_setfield (L, -5, "__index");

  lua_pushlightuserdata (L, key);
  lua_pushvalue (L, -2);
  lua_pushcclosure (L, set_field, 2);
  lua_setfield (L, -5, "__newindex");

  goban_lua_push_types (L);  /* meta methods fields setters types */
  lua_createtable (L, 0, 5); /* ... types parts */
  lua_rotate (L, -5, 2);     /* meta types parts methods fields setters */
  lua_setfield (L, -4, "setters");
  lua_setfield (L, -3, "fields");
  lua_setfield (L, -2, "methods"); /* meta types parts */
  goban_lua_put_text (L, "variable", type->variable);
  lua_pushlightuserdata (L, key);
  lua_setfield (L, -2, "type");
  lua_setfield (L, -2, type->name);
  lua_pop (L, 1); /* meta */
}

void
goban_lua_register (lua_State *L, const GobanLuaType *type)
{
  if (luaL_newmetatable (L, type->name))
    {
      add_parts (L, type);
      lua_pushlightuserdata (L, (gpointer) type);
      lua_pushcclosure (L, clear_handle, 1);
      lua_pushvalue (L, -1);
      lua_setfield (L, -3, "__gc");
      lua_setfield (L, -2, "__close");
      for (const GobanLuaEntry *row = type->entries; row != NULL && row->name != NULL; row++)
        if (is_metamethod (row))
          add_function (L, row->name, (lua_CFunction) row->get);
      /* Scripts see a name in place of the metatable, so that they cannot change it. */
      goban_lua_put_text (L, "__metatable", type->name);
    }
  lua_pop (L, 1);
}

void
goban_lua_extend (lua_State *L, const char *name, const GobanLuaEntry *entries)
{
  const GobanLuaType *type;

  goban_lua_push_types (L);
  if (lua_getfield (L, -1, name) != LUA_TTABLE) /* types parts */
    luaL_error (L, "the type %s is not registered yet", name);
  lua_getfield (L, -1, "type");
  type = lua_touserdata (L, -1);
  lua_getfield (L, -2, "methods");
  lua_getfield (L, -3, "fields");
  add_entries (L, type, entries);
  lua_pop (L, 5);
}

gpointer
goban_lua_push_handle (lua_State *L, const GobanLuaType *type, int n_uservalues)
{
  gsize size = (get_size (type) + sizeof (gsize) - 1) / sizeof (gsize) * sizeof (gsize);
  gpointer value = lua_newuserdatauv (L, size + sizeof (gsize), n_uservalues);

  memset (value, 0, size + sizeof (gsize));
  luaL_setmetatable (L, type->name);
  return value;
}

typedef struct
{
  gpointer pointer;
  GDestroyNotify free;
} Kept;

static void
clear_kept (gpointer value)
{
  Kept *kept = value;

  kept->free (kept->pointer);
}

static const GobanLuaType kept_type = {
  .name = "Kept",
  .size = sizeof (Kept),
  .clear = clear_kept,
};

gpointer *
goban_lua_push_kept (lua_State *L, GDestroyNotify free)
{
  Kept *kept;

  goban_lua_register (L, &kept_type);
  kept = goban_lua_push_handle (L, &kept_type, 0);
  kept->free = free;
  return &kept->pointer;
}

void
goban_lua_charge (lua_State *L, int index, gsize size_bytes)
{
  GobanLuaHost *host = goban_lua_get_host (L);
  gsize limit;

  *get_charge (L, index) += size_bytes;
  host->held_bytes += size_bytes;
  host->owed_bytes += size_bytes;
  if (host->is_lenient)
    return;
  if (host->owed_bytes >= MIN_STEP_BYTES)
    goban_lua_account_is_over (host); /* measures; the limit is below */

  /* A sixteenth is left for values, so that a script, or a prompt, can still drop objects. */
  limit = host->max_bytes - host->max_bytes / 16;
  if (host->used_bytes + host->held_bytes + host->engine_bytes > limit)
    {
      lua_gc (L, LUA_GCCOLLECT);
      goban_lua_account_look (host);
      if (host->used_bytes + host->held_bytes + host->engine_bytes > limit)
        {
          goban_lua_account_refuse (host);
          lua_pushliteral (L, "not enough memory: graphs, clusters, plans, runs and sets "
                              "that are kept take more than a script may have");
          lua_error (L);
        }
    }
  if (host->owed_bytes >= MIN_STEP_BYTES)
    {
      int n_kib = (int) MIN (host->owed_bytes / 1024, G_MAXINT);

      host->owed_bytes = 0;
      lua_gc (L, LUA_GCSTEP, n_kib);
    }
}

gpointer
goban_lua_check_handle (lua_State *L, int index, const GobanLuaType *type)
{
  Value *value = luaL_checkudata (L, index, type->name);

  luaL_argcheck (L, value->first != NULL, index, "it is closed");
  return value;
}

gpointer
goban_lua_test_handle (lua_State *L, int index, const GobanLuaType *type)
{
  Value *value = luaL_testudata (L, index, type->name);

  return value != NULL && value->first != NULL ? value : NULL;
}

gpointer
goban_lua_check_pointer (lua_State *L, int index, const GobanLuaType *type)
{
  return ((Value *) goban_lua_check_handle (L, index, type))->first;
}

gpointer
goban_lua_test_pointer (lua_State *L, int index, const GobanLuaType *type)
{
  Value *value = goban_lua_test_handle (L, index, type);

  return value != NULL ? value->first : NULL;
}

void
goban_lua_module (lua_State *L, const char *name, const GobanLuaEntry *row)
{
  if (lua_getglobal (L, name) != LUA_TTABLE)
    {
      lua_pop (L, 1);
      lua_newtable (L);
      lua_pushvalue (L, -1);
      lua_setglobal (L, name);
    }

  for (; row->name != NULL; row++)
    {
      if (row->get != NULL)
        add_function (L, row->name, (lua_CFunction) row->get);
      add_entry_doc (L, name, name, '.', row);
    }
  lua_pop (L, 1);
}
