/* The palette's Lua equivalents of commands: valid Lua that begins with an existing name. */
#include "app/lua/lua-chunk.h"
#include "app/lua/lua-host.h"
#include "app/lua/lua-modules.h"
#include "engine/core/lua-text.h"
#include "engine/session/session-graph.h"
#include "tests/support/test-program.h"
#include "tests/support/toys.h"
#include "ui/widgets/actions.h"

/* Compiles it, and asks for "view.color" of 'view.color "device"', without running anything. */
#define CHECK                                                                                      \
  "local code = %s\n"                                                                              \
  "assert(load('return ' .. code) or load(code), code .. ': no Lua')\n"                            \
  "local owner, name = code:match '^([%%a_]+)[.:]([%%w_]+)'\n"                                     \
  "local first = owner or code:match '^[%%a_]+'\n"                                                 \
  "assert(first == 'os' or _G[first] ~= nil, code .. ': no ' .. first)\n"                          \
  "assert(not owner or owner == 'os' or _G[owner][name] ~= nil, code .. ': no ' .. "               \
  "tostring(name))"

/* (transfer full): how it is wrong, or NULL. */
static char *
check (GobanLuaHost *host, const char *lua)
{
  g_autofree char *quoted = goban_lua_text_quote (lua);
  g_autofree char *code = g_strdup_printf (CHECK, quoted);
  g_autoptr (GError) error = NULL;

  goban_lua_host_run_string (host, code, "check", &error);
  return error != NULL ? g_strdup (error->message) : NULL;
}

static void
test_rows (void)
{
  g_autoptr (GobanSession) session = goban_session_new ();
  g_autoptr (GobanLuaHost) host = goban_lua_host_new (session, goban_lua_open_modules);
  g_autoptr (GobanGraph) graph = toy_diamond ();
  g_autofree char *misspelt = check (host, "view.colour \"device\"");
  g_autofree char *broken = check (host, "view.color(\"device\"");
  g_autoptr (GError) error = NULL;
  gsize n, n_checked = 0;
  const GobanActionInfo *actions = goban_actions (&n);

  g_assert_nonnull (misspelt);
  g_assert_nonnull (broken);
  goban_session_set_graph (session, graph, NULL);
  goban_lua_host_run_string (host, "view.show(sim.run(plan.heft(g)))", "set up", &error);
  g_assert_no_error (error);
  for (gsize i = 0; i < n; i++)
    if (actions[i].lua != NULL)
      {
        g_autofree char *wrong = check (host, actions[i].lua);

        g_assert_cmpstr (wrong, ==, NULL);
        n_checked++;
      }
  g_assert_cmpuint (n_checked, >, 30);
}

TEST_PROGRAM (action_words)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/actions/lua-words", test_rows);
  return g_test_run ();
}
