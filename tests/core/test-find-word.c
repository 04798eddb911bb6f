#include "engine/core/find-word.h"
#include "tests/support/test-program.h"

#include <string.h>

static const char *const words[] = { "memory", "name", "bandwidth", "to", "placement" };

static void
test_find (void)
{
  g_assert_cmpint (goban_find_word (words, G_N_ELEMENTS (words), "bandwidth"), ==, 2);
  g_assert_cmpint (goban_find_word (words, G_N_ELEMENTS (words), "Memory"), ==, -1);
  g_assert_cmpint (goban_find_word (words, 2, "bandwidth"), ==, -1);
}

static void
test_nearest (void)
{
  g_autofree char *longest = g_strnfill (64, 'm');
  g_autofree char *longer = g_strnfill (65, 'm');
  static const struct
  {
    const char *word;
    int nearest;
  } cases[] = {
    { "memory", 0 },   { "memroy", 0 },    { "meory", 0 },    { "memorry", 0 },
    { "nema", -1 },    { "nmae", 1 },      { "naem", 1 },     { "Name", 1 },
    { "bandwith", 2 }, { "bandwidht", 2 }, { "placment", 4 }, { "speed", -1 },
    { "t", -1 },       { "ot", 3 },        { "", -1 },        { "memorandum", -1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (goban_find_nearest_word (words, G_N_ELEMENTS (words), cases[i].word), ==,
                     cases[i].nearest);
  g_assert_cmpint (goban_find_nearest_word (words, G_N_ELEMENTS (words), longest), ==, -1);
  g_assert_cmpint (goban_find_nearest_word ((const char *const[]){ longer, longest }, 2, longest),
                   ==, 1);
  g_assert_cmpint (goban_find_nearest_word ((const char *const[]){ longer }, 1, longer), ==, -1);
}

TEST_PROGRAM (find_word)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/find-word/find", test_find);
  g_test_add_func ("/find-word/nearest", test_nearest);
  return g_test_run ();
}
