#include "app/lua/core/lua-docs.h"

#include "app/lua/core/lua-put.h"

#include <lauxlib.h>
#include <string.h>

/* Its address is the key of the table of help in the registry. */
static const char docs_key;

void
goban_lua_push_docs (lua_State *L)
{
  if (lua_rawgetp (L, LUA_REGISTRYINDEX, &docs_key) != LUA_TNIL)
    return;

  lua_pop (L, 1);
  lua_newtable (L);
  lua_pushvalue (L, -1);
  lua_rawsetp (L, LUA_REGISTRYINDEX, &docs_key);
}

void
goban_lua_add_doc (lua_State *L, const char *key, const char *signature, const char *arguments,
                   const char *sentence, const char *example)
{
  goban_lua_push_docs (L);
  lua_createtable (L, 0, 3);
  lua_pushfstring (L, "%s%s", signature, arguments != NULL ? arguments : "");
  lua_setfield (L, -2, "signature");
  goban_lua_put_text (L, "sentence", sentence);
  goban_lua_put_text (L, "example", example);
  lua_setfield (L, -2, key);
  lua_pop (L, 1);
}

void
goban_lua_add_entry_doc (lua_State *L, const char *owner, const char *variable, char separator,
                         const GobanLuaEntry *row)
{
  const char *name = row->name;

  if (row->sentence == NULL)
    return;

  if (g_str_has_prefix (name, GOBAN_LUA_ON_MAIN))
    name += strlen (GOBAN_LUA_ON_MAIN);
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
