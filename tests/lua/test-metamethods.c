/* No binding runs a script's code while it holds what the script could free:
 * every function gets arguments whose metamethods close all handles. With
 * sanitizers a use after free ends the test; without them a call of a
 * metamethod by a bound function fails it. */
#include "app/lua/core/lua-handle.h"
#include "app/lua/core/lua-state.h"
#include "app/lua/lua-chunk.h"
#include "app/lua/lua-host.h"
#include "app/lua/lua-modules.h"
#include "tests/support/folder.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <string.h>
#include <unistd.h>

static char place[128]; /* the function that is called */
static GHashTable *callers;
static GHashTable *libraries; /* functions of Lua's libraries */

/* now (name, number of the hostile argument) */
static int
set_place (lua_State *L)
{
  g_snprintf (place, sizeof place, "%s, argument %d", luaL_checkstring (L, 1),
              (int) luaL_checkinteger (L, 2));
  return 0;
}

static int
fail_to_make (lua_State *L)
{
  g_test_message ("%s: %s", luaL_checkstring (L, 1), luaL_checkstring (L, 2));
  g_test_fail ();
  return 0;
}

/* Whether the function that called the present one is a binding, which holds
 * pointers. */
static gboolean
is_bound_caller (lua_State *L)
{
  lua_Debug ar;
  gconstpointer function;

  if (!lua_getstack (L, 1, &ar) || !lua_getinfo (L, "Sf", &ar))
    return FALSE;
  function = lua_topointer (L, -1);
  lua_pop (L, 1);
  return g_str_equal (ar.what, "C") && !g_hash_table_contains (libraries, function);
}

/* A metamethod. Upvalue: the event. */
static int
run_metamethod (lua_State *L)
{
  const char *event = lua_tostring (L, lua_upvalueindex (1));

  if (is_bound_caller (L) && strcmp (event, "called") != 0)
    g_hash_table_add (callers, g_strdup_printf ("__%s called by %s", event, place));
  lua_pushglobaltable (L);
  lua_getfield (L, -1, "close_all");
  lua_call (L, 0, 0);
  if (g_str_equal (event, "tostring"))
    lua_pushliteral (L, "x");
  else if (g_str_equal (event, "len"))
    lua_pushinteger (L, 3);
  else
    lua_pushnil (L);
  return 1;
}

static int
make_metamethod (lua_State *L)
{
  luaL_checkstring (L, 1);
  lua_settop (L, 1);
  lua_pushcclosure (L, run_metamethod, 1);
  return 1;
}

/* The functions of the table on top. */
static void
note_library (lua_State *L)
{
  for (lua_pushnil (L); lua_next (L, -2) != 0; lua_pop (L, 1))
    if (lua_iscfunction (L, -1))
      g_hash_table_add (libraries, (gpointer) lua_topointer (L, -1));
}

static void
prepare (lua_State *L)
{
  static const char *const names[] = { "string", "table", "coroutine", "math", "utf8", "os" };
  g_autofree char *toy = project_path ("samples/toy.dot");

  lua_pushglobaltable (L);
  note_library (L);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      lua_getfield (L, -1, names[i]);
      note_library (L);
      lua_pop (L, 1);
    }
  lua_getfield (L, -1, "ipairs"); /* whose iterator no table has */
  lua_newtable (L);
  lua_call (L, 1, 1);
  g_hash_table_add (libraries, (gpointer) lua_topointer (L, -1));
  lua_pop (L, 2);
  lua_register (L, "now", set_place);
  lua_register (L, "failed_to_make", fail_to_make);
  lua_register (L, "closer", make_metamethod);
  lua_pushstring (L, toy);
  lua_setglobal (L, "graph_file");
  goban_lua_push_types (L);
  lua_setglobal (L, "types");
}

static void
write_cb (const char *text, gsize n, gpointer user_data)
{
}

static void
test_close_handles (void)
{
  g_autoptr (GobanSession) session = goban_session_new ();
  GobanLuaHost *host = goban_lua_host_new (session, goban_lua_open_modules);
  g_autofree char *script = project_path ("tests/lua/metamethods.lua");
  g_autofree char *folder = g_dir_make_tmp ("goban-lua-XXXXXX", NULL);
  g_autofree char *before = g_get_current_dir ();
  g_autoptr (GError) error = NULL;
  GHashTableIter iter;
  gpointer caller;

  callers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  libraries = g_hash_table_new (NULL, NULL);
  goban_lua_host_set_output (host, write_cb, NULL, NULL);
  prepare (host->L);
  g_assert_cmpint (chdir (folder), ==, 0);
  goban_lua_host_run_file (host, script, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (chdir (before), ==, 0);
  g_hash_table_iter_init (&iter, callers);
  while (g_hash_table_iter_next (&iter, &caller, NULL))
    {
      g_test_message ("%s", (char *) caller);
      g_test_fail ();
    }
  goban_lua_host_free (host);
  remove_folder (folder);
  g_hash_table_unref (callers);
  g_hash_table_unref (libraries);
}

TEST_PROGRAM (metamethods)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lua/metamethods/close-handles", test_close_handles);
  return g_test_run ();
}
