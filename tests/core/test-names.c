#include "engine/core/names.h"
#include "tests/support/test-program.h"

static void
assert_names (const GobanNames *names, const char *expected)
{
  g_autofree char *text = g_strjoinv (" ", (char **) goban_names_get (names));

  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpuint (goban_names_get_n (names), ==,
                    g_strv_length ((char **) goban_names_get (names)));
}

static void
test_sorted_once (void)
{
  static const char *const given[] = { "b", "a/x", "c", "a", "b", NULL };
  static const char *const nothing[] = { NULL };
  g_autoptr (GobanNames) names = goban_names_new (given);
  g_autoptr (GobanNames) none = goban_names_new (nothing);

  assert_names (names, "a a/x b c");
  assert_names (none, "");
  g_assert_true (goban_names_contain (names, "a/x"));
  g_assert_false (goban_names_contain (names, "a/"));
  g_assert_false (goban_names_contain (none, ""));
}

/* What is ascending is not sorted, and what is twice in it is once all the same. */
static void
test_twice_in_order (void)
{
  static const char *const given[] = { "a", "a", "b", NULL };
  g_autoptr (GobanNames) names = goban_names_new (given);

  assert_names (names, "a b");
}

static void
test_one_more_one_less (void)
{
  static const char *const given[] = { "b", "d", NULL };
  g_autoptr (GobanNames) names = goban_names_new (given);
  g_autoptr (GobanNames) first = goban_names_with (names, "a");
  g_autoptr (GobanNames) middle = goban_names_with (first, "c");
  g_autoptr (GobanNames) last = goban_names_with (middle, "e");
  g_autoptr (GobanNames) again = goban_names_with (last, "c");
  g_autoptr (GobanNames) without = goban_names_without (last, "c");
  g_autoptr (GobanNames) as_before = goban_names_without (without, "c");

  assert_names (last, "a b c d e");
  g_assert_true (goban_names_equal (again, last));
  assert_names (without, "a b d e");
  g_assert_true (goban_names_equal (as_before, without));
  assert_names (names, "b d");
}

/* The same bytes cut elsewhere are other names. */
static void
test_equal (void)
{
  static const char *const ab[] = { "a", "b", NULL };
  static const char *const joined[] = { "ab", NULL };
  static const char *const other[] = { "a", "c", NULL };
  g_autoptr (GobanNames) a = goban_names_new (ab);
  g_autoptr (GobanNames) b = goban_names_new (ab);
  g_autoptr (GobanNames) c = goban_names_new (joined);
  g_autoptr (GobanNames) d = goban_names_new (other);

  g_assert_true (goban_names_equal (a, b));
  g_assert_false (goban_names_equal (a, c));
  g_assert_false (goban_names_equal (a, d));
}

TEST_PROGRAM (names)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/names/sorted-once", test_sorted_once);
  g_test_add_func ("/base/names/twice-in-order", test_twice_in_order);
  g_test_add_func ("/base/names/one-more-one-less", test_one_more_one_less);
  g_test_add_func ("/base/names/equal", test_equal);
  return g_test_run ();
}
