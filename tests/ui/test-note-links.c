#include "tests/support/test-program.h"
#include "ui/panels/notes-view.h"

static void
check (const char *text, const char *expected)
{
  g_autoptr (GArray) names = goban_note_names (text);
  g_autoptr (GString) found = g_string_new (NULL);

  for (guint i = 0; i < names->len; i++)
    {
      const GobanNoteName *name = &g_array_index (names, GobanNoteName, i);

      g_string_append_printf (found, "%s%s%s@%zu-%zu", i > 0 ? " " : "",
                              name->is_plan ? "plan " : "", name->name, name->from, name->to);
    }
  g_assert_cmpstr (found->str, ==, expected);
}

static void
test_words (void)
{
  check ("", "");
  check ("see decoder/add_1:0, then b.", "see@0-3 decoder/add_1:0@4-19 then@21-25 b@26-27");
  check ("Größe: x", "Größe@0-7 x@9-10");
  check ("...", "");
}

static void
test_brackets (void)
{
  check ("[[a b]]", "a b@0-7");
  check ("[[plan:heft (2)]] [[]] [[x\n]]", "plan heft (2)@0-17 x@25-26");
  check ("[[open", "open@2-6");
}

static void
test_plans (void)
{
  check ("plan:heft.", "plan heft@0-9");
  check ("plan: heft", "plan@0-4 heft@6-10");
}

TEST_PROGRAM (note_links)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ui/note-links/words", test_words);
  g_test_add_func ("/ui/note-links/brackets", test_brackets);
  g_test_add_func ("/ui/note-links/plans", test_plans);
  return g_test_run ();
}
