#include "tests/support/test-program.h"
#include "ui/widgets/text.h"

#include <string.h>

#define MANY (10 * 1000 * 1000)

static void
check_cut (const char *text, GobanTextBounds bounds, const char *shown)
{
  g_autofree char *cut = goban_dup_cut (text, &bounds);

  g_assert_cmpstr (cut, ==, shown);
}

static void
test_beginning (void)
{
  check_cut ("", (GobanTextBounds){ 4, 2 }, "");
  check_cut ("abcd", (GobanTextBounds){ 4, 2 }, "abcd");
  check_cut ("abcde", (GobanTextBounds){ 4, 2 }, "abcd…");
  check_cut ("a\nb", (GobanTextBounds){ 9, 2 }, "a\nb");
  check_cut ("a\nb\nc", (GobanTextBounds){ 9, 2 }, "a\nb…");
}

/* A character is whole or left out, also if it is not UTF-8. */
static void
test_characters (void)
{
  check_cut ("aéé", (GobanTextBounds){ 4, 2 }, "aé…");
  check_cut ("aéé", (GobanTextBounds){ 5, 2 }, "aéé");
  check_cut ("\x80\x80", (GobanTextBounds){ 9, 2 }, "\xEF\xBF\xBD\xEF\xBF\xBD");
}

static void
check_tail (const char *text, GobanTextBounds bounds, const char *shown)
{
  g_assert_cmpstr (text + goban_find_tail (text, strlen (text), &bounds), ==, shown);
}

static void
test_end (void)
{
  check_tail ("", (GobanTextBounds){ 4, 2 }, "");
  check_tail ("abcde", (GobanTextBounds){ 4, 2 }, "bcde");
  check_tail ("a\nb\nc\n", (GobanTextBounds){ 9, 2 }, "b\nc\n");
  check_tail ("a\nb\nc", (GobanTextBounds){ 9, 2 }, "b\nc");
  check_tail ("éa", (GobanTextBounds){ 2, 2 }, "a");
}

/* No more than the bounds is copied. */
static void
test_long_text (void)
{
  g_autofree char *text = g_strnfill (MANY, 'x');
  g_autofree char *cut = goban_dup_cut (text, &goban_label_bounds);

  g_assert_cmpuint (strlen (cut), ==, goban_label_bounds.max_bytes + strlen ("…"));
}

TEST_PROGRAM (cut_text)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cut-text/beginning", test_beginning);
  g_test_add_func ("/cut-text/characters", test_characters);
  g_test_add_func ("/cut-text/end", test_end);
  g_test_add_func ("/cut-text/long-text", test_long_text);
  return g_test_run ();
}
