#include "engine/core/lua-text.h"
#include "tests/support/test-program.h"

static void
assert_quoted (const char *text, const char *expected)
{
  g_autofree char *quoted = goban_lua_text_quote (text);

  g_assert_cmpstr (quoted, ==, expected);
}

/* A line of a log is UTF-8, and repeats the bytes of a text that is not. */
static void
test_literals (void)
{
  assert_quoted ("", "\"\"");
  assert_quoted ("conv 1", "\"conv 1\"");
  assert_quoted ("a \"b\" \\ c", "\"a \\\"b\\\" \\\\ c\"");
  assert_quoted ("a\nb\t\x7f", "\"a\\010b\\009\\127\"");
  assert_quoted ("größe", "\"größe\"");
  assert_quoted ("gr\xf6\xdf", "\"gr\\246\\223\"");
}

static void
test_fields (void)
{
  g_autoptr (GString) code = g_string_new ("{ n = 1");

  goban_lua_text_add (code, "name", NULL);
  g_assert_cmpstr (code->str, ==, "{ n = 1");
  goban_lua_text_add (code, "name", "a \"b\"");
  g_assert_cmpstr (code->str, ==, "{ n = 1, name = \"a \\\"b\\\"\"");
}

TEST_PROGRAM (lua_text)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lua-text/literals", test_literals);
  g_test_add_func ("/lua-text/fields", test_fields);
  return g_test_run ();
}
