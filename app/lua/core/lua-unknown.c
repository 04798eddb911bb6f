#include "app/lua/core/lua-unknown.h"

#include "engine/core/find-word.h"

#include <glib.h>
#include <lauxlib.h>
#include <string.h>

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

const char *
goban_lua_find_nearest_key (lua_State *L, int index, const char *word)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  int nearest;

  index = lua_absindex (L, index);
  for (lua_pushnil (L); lua_next (L, index) != 0; lua_pop (L, 1))
    if (lua_type (L, -2) == LUA_TSTRING)
      g_ptr_array_add (names, (gpointer) lua_tostring (L, -2)); /* held by the table */
  /* The table has no order. */
  g_ptr_array_sort (names, compare_names);
  nearest = goban_find_nearest_word ((const char *const *) names->pdata, names->len, word);
  return nearest >= 0 ? g_ptr_array_index (names, nearest) : NULL;
}

/* __index of a module, with its name as upvalue. Numbers and other keys are nil, as in any table:
 * who walks through a value of unknown type asks for them. */
static int
index_module (lua_State *L)
{
  const char *module = lua_tostring (L, lua_upvalueindex (1));
  const char *nearest, *name;

  if (lua_type (L, 2) != LUA_TSTRING)
    return 0;
  name = lua_tostring (L, 2);
  nearest = goban_lua_find_nearest_key (L, 1, name);
  if (nearest != NULL)
    return luaL_error (L, "there is no %s.%s; did you mean %s.%s?", module, name, module, nearest);
  return luaL_error (L, "there is no %s.%s; help \"%s\" lists what there is", module, name, module);
}

void
goban_lua_open_unknown (lua_State *L)
{
  static const char *const modules[]
      = { "app",     "array", "bench",  "cluster", "compare", "graph", "job",
          "measure", "plan",  "policy", "scene",   "sim",     "ui",    "view" };

  for (gsize i = 0; i < G_N_ELEMENTS (modules); i++)
    {
      lua_getglobal (L, modules[i]);
      if (!lua_getmetatable (L, -1))
        lua_newtable (L); /* module meta */
      lua_pushstring (L, modules[i]);
      lua_pushcclosure (L, index_module, 1);
      lua_setfield (L, -2, "__index");
      lua_setmetatable (L, -2);
      lua_pop (L, 1);
    }
}
