/* lua-sandbox.c: the libraries a script may use.
 *
 * Functions that reach files, other programs or raw bytecode are absent or replaced, and so are
 * those that could stay in C for ever. Code is read from the script's own folder only.
 *
 * All functions that write files, and app.read, are restricted to a few folders (lua-paths.h).
 * Graphs, plans, clusters, suites, sessions and networks are read from anywhere, by the engine's
 * readers.
 *
 * Decision A5 (app/NOTES.md).
 */
#include "app/lua/core/lua-sandbox.h"

#include "app/lua/core/lua-state.h"
#include "app/lua/core/lua-stop.h"
#include "app/lua/core/lua-thread.h"
#include "app/lua/core/lua-value.h"

#include "engine/core/file-read.h"
#include "engine/core/real-path.h"

#include <lualib.h>

/* --- base ----------------------------------------------------------------- */

static int
base_print (lua_State *L)
{
  GobanLuaHost *host = goban_lua_get_host (L);
  int n = lua_gettop (L);

  luaL_checkstack (L, 2 * n + 2, "too many values");
  for (int i = 1; i <= n; i++)
    {
      if (i > 1)
        lua_pushliteral (L, "\t");
      luaL_tolstring (L, i, NULL);
    }
  lua_pushliteral (L, "\n");
  lua_concat (L, lua_gettop (L) - n);

  gsize length;
  const char *text = lua_tolstring (L, -1, &length);

  goban_lua_write (host, text, length);
  return 0;
}

#define PIECE_BYTES 65536

typedef struct
{
  const char *code;
  gsize n;
} Pieces;

/* By pieces, so that compiling a text of any size can be stopped. */
static const char *
next_piece (lua_State *L, void *data, size_t *size)
{
  Pieces *self = data;
  const char *piece = self->code;

  goban_lua_check_stop (L);
  *size = MIN (self->n, PIECE_BYTES);
  self->code += *size;
  self->n -= *size;
  return piece;
}

static int
load_string (lua_State *L)
{
  gboolean has_env = !lua_isnone (L, 4);
  Pieces pieces;
  const char *name;

  pieces.code = lua_tolstring (L, 1, &pieces.n);
  name = luaL_optstring (L, 2, pieces.code);
  lua_settop (L, 4);
  if (lua_load (L, next_piece, &pieces, name, "t") != LUA_OK)
    {
      luaL_pushfail (L);
      lua_insert (L, -2);
      return 2;
    }
  if (has_env)
    {
      lua_pushvalue (L, 4);
      if (lua_setupvalue (L, -2, 1) == NULL)
        lua_pop (L, 1);
    }
  return 1;
}

/* load (text or function, name, mode, env) for text alone: bytecode could break the interpreter. */
static int
base_load (lua_State *L)
{
  if (lua_type (L, 1) == LUA_TSTRING)
    return load_string (L);

  lua_settop (L, MAX (lua_gettop (L), 2));
  if (lua_isnone (L, 3))
    lua_pushnil (L);
  lua_pushliteral (L, "t");
  lua_replace (L, 3);
  lua_pushvalue (L, lua_upvalueindex (1));
  lua_insert (L, 1);
  lua_call (L, lua_gettop (L) - 1, LUA_MULTRET);
  return lua_gettop (L);
}

/* The handler of an error. None runs for the error that stops a script: a hook raises it, and
 * inside of a hook no other hook is called. Upvalue: the script's own. */
static int
handle_error (lua_State *L)
{
  if (goban_lua_is_stopped (goban_lua_get_host (L)))
    return 1;
  lua_pushvalue (L, lua_upvalueindex (1));
  lua_insert (L, 1);
  lua_call (L, lua_gettop (L) - 1, 1);
  return 1;
}

static int
xpcall_done (lua_State *L, int status, lua_KContext context)
{
  return lua_gettop (L);
}

/* Upvalue: Lua's own. */
static int
base_xpcall (lua_State *L)
{
  luaL_checktype (L, 2, LUA_TFUNCTION);
  lua_pushvalue (L, 2);
  lua_pushcclosure (L, handle_error, 1);
  lua_replace (L, 2);
  lua_pushvalue (L, lua_upvalueindex (1));
  lua_insert (L, 1);
  lua_callk (L, lua_gettop (L) - 1, LUA_MULTRET, 0, xpcall_done);
  return lua_gettop (L);
}

/* setmetatable without finalizers: their code would run inside our functions, between any two
 * lines, while these hold what it could free. */
static int
base_setmetatable (lua_State *L)
{
  if (lua_istable (L, 2))
    {
      lua_pushliteral (L, "__gc");
      luaL_argcheck (L, lua_rawget (L, 2) == LUA_TNIL, 2, "__gc is not for scripts");
      lua_pop (L, 1);
    }
  lua_pushvalue (L, lua_upvalueindex (1));
  lua_insert (L, 1);
  lua_call (L, lua_gettop (L) - 1, 1);
  return 1;
}

/* The real name of an existing file inside of the script's folder, to which @path is relative.
 * (transfer full) (nullable) */
static char *
resolve (GobanLuaHost *host, const char *path)
{
  g_autofree char *folder = host->script_dir != NULL ? goban_real_path (host->script_dir) : NULL;
  g_autofree char *joined
      = folder != NULL
            ? (g_path_is_absolute (path) ? g_strdup (path) : g_build_filename (folder, path, NULL))
            : NULL;
  g_autofree char *file = joined != NULL ? goban_real_path (joined) : NULL;

  if (file == NULL || !goban_real_path_is_below (file, folder) || g_str_equal (file, folder)
      || !g_file_test (file, G_FILE_TEST_EXISTS))
    return NULL;
  return g_steal_pointer (&file);
}

/* Pushes the chunk, or nil and a message. */
static int
load_path (lua_State *L, const char *path)
{
  const char *name = lua_pushfstring (L, "@%s", path);
  char *file = resolve (goban_lua_get_host (L), path);
  GError *error = NULL;
  GBytes *bytes;
  gconstpointer code;
  gsize length;
  int status;

  if (file == NULL)
    {
      lua_pushfstring (L, "%s is not in the script's folder", path);
      return goban_lua_fail_with (L);
    }

  bytes = goban_file_read (file, GOBAN_FILE_TEXT, &error);
  g_free (file);
  if (bytes == NULL)
    return goban_lua_fail (L, error);

  code = g_bytes_get_data (bytes, &length);
  status = luaL_loadbufferx (L, code != NULL ? code : "", length, name, "t"); /* never raises */
  g_bytes_unref (bytes);
  if (status == LUA_OK)
    return 1;

  lua_pushnil (L);
  lua_insert (L, -2);
  return 2;
}

static int
base_loadfile (lua_State *L)
{
  const char *path = luaL_checkstring (L, 1);

  return load_path (L, path);
}

static int
dofile_done (lua_State *L, int status, lua_KContext context)
{
  return lua_gettop (L) - context;
}

static int
base_dofile (lua_State *L)
{
  const char *path = luaL_checkstring (L, 1);
  int base;

  if (load_path (L, path) != 1)
    return lua_error (L);

  base = lua_gettop (L) - 1;
  lua_callk (L, 0, LUA_MULTRET, base, dofile_done);
  return dofile_done (L, LUA_OK, base);
}

static const luaL_Reg base[] = {
  { "print", base_print },
  { "loadfile", base_loadfile },
  { "dofile", base_dofile },
  { NULL, NULL },
};

/* --- os --------------------------------------------------------------------- */

static int
os_exit (lua_State *L)
{
  GobanLuaHost *host = goban_lua_get_host (L);
  int code = 0;

  if (lua_isboolean (L, 1))
    code = lua_toboolean (L, 1) ? 0 : 1;
  else
    code = luaL_optinteger (L, 1, 0) & 0xff;

  if (host->is_threaded)
    return luaL_error (L, "os.exit ends a script on the command line; here there is app.quit");

  host->exit_code = code;
  host->is_exiting = TRUE;
  return goban_lua_stop (L);
}

/* Each letter of such a format takes work, and no hook interrupts it. */
#define MAX_FORMAT_BYTES 65536

/* Upvalue: Lua's own function, whose first argument is a format. */
static int
call_with_short_format (lua_State *L)
{
  gsize length = 0;

  if (lua_type (L, 1) == LUA_TSTRING)
    lua_tolstring (L, 1, &length);
  luaL_argcheck (L, length <= MAX_FORMAT_BYTES, 1, "the format is too long");
  lua_pushvalue (L, lua_upvalueindex (1));
  lua_insert (L, 1);
  lua_call (L, lua_gettop (L) - 1, LUA_MULTRET);
  return lua_gettop (L);
}

/* Upvalue: Lua's own function, which reads a long text before the hook's next turn. */
static int
call_unless_stopped (lua_State *L)
{
  goban_lua_check_stop (L);
  return lua_tocfunction (L, lua_upvalueindex (1)) (L);
}

/* In the table on top of the stack. */
static void
wrap (lua_State *L, const char *name, lua_CFunction call)
{
  lua_getfield (L, -1, name);
  lua_pushcclosure (L, call, 1);
  lua_setfield (L, -2, name);
}

static void
open_os (lua_State *L)
{
  static const char *const kept[] = { "time", "clock", "date", "difftime" };

  luaL_requiref (L, LUA_OSLIBNAME, luaopen_os, FALSE); /* os */
  lua_createtable (L, 0, G_N_ELEMENTS (kept) + 1);     /* os ours */
  for (gsize i = 0; i < G_N_ELEMENTS (kept); i++)
    {
      lua_getfield (L, -2, kept[i]);
      lua_setfield (L, -2, kept[i]);
    }
  lua_pushcfunction (L, os_exit);
  lua_setfield (L, -2, "exit");
  wrap (L, "date", call_with_short_format);
  lua_setglobal (L, "os");
  lua_pop (L, 1);

  /* luaL_requiref remembers the whole library, and nothing else should reach it. */
  luaL_getsubtable (L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_pushnil (L);
  lua_setfield (L, -2, LUA_OSLIBNAME);
  lua_pop (L, 1);
}

void
goban_lua_open_sandbox (lua_State *L)
{
  luaL_requiref (L, LUA_GNAME, luaopen_base, TRUE); /* _G */
  luaL_setfuncs (L, base, 0);
  wrap (L, "load", base_load);
  wrap (L, "setmetatable", base_setmetatable);
  wrap (L, "xpcall", base_xpcall);
  lua_pop (L, 1);

  luaL_requiref (L, LUA_TABLIBNAME, luaopen_table, TRUE);
  luaL_requiref (L, LUA_MATHLIBNAME, luaopen_math, TRUE);
  luaL_requiref (L, LUA_UTF8LIBNAME, luaopen_utf8, TRUE);
  wrap (L, "len", call_unless_stopped);
  wrap (L, "offset", call_unless_stopped);
  luaL_requiref (L, LUA_STRLIBNAME, luaopen_string, TRUE); /* ... string */
  lua_pushnil (L);
  lua_setfield (L, -2, "dump");
  wrap (L, "pack", call_with_short_format);
  wrap (L, "packsize", call_with_short_format);
  wrap (L, "unpack", call_with_short_format);
  lua_pop (L, 4);
  open_os (L);
}
