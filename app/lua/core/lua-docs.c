#include "app/lua/core/lua-docs.h"

#include "app/lua/core/lua-put.h"

#include <lauxlib.h>

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
