#include "tests/support/test-program.h"
#include "ui/panels/command-palette.h"

#include <string.h>

static void
test_matches (void)
{
  static const struct
  {
    const char *typed;
    const char *text;
    gboolean fits;
  } cases[] = {
    { "", "Anything", TRUE },
    { "  ", "Anything", TRUE },
    { "opn", "Open…", TRUE },
    { "OPEN", "open", TRUE },
    { "nepo", "Open", FALSE },
    { "heft", "", FALSE },
    { "heft pl", "Place with heft", TRUE },
    { "heft xx", "Place with heft", FALSE },
    { "größ", "eine größere", TRUE },
    { "openopen", "open", FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("'%s' in '%s'", cases[i].typed, cases[i].text);
      g_assert_cmpint (goban_fuzzy_score (cases[i].typed, cases[i].text) > 0, ==, cases[i].fits);
    }
}

/* What people mean comes first. */
static void
test_ranks (void)
{
  static const char *const cases[][3] = {
    /* typed, better, worse */
    { "op", "Open", "Stop" },
    { "fit", "Fit", "Show the first item" },
    { "ep", "Export plan", "Sleep" },
    { "cp", "Critical path", "Open capture" },
    { "place", "Place with heft", "Replace" },
    { "nt", "NodeTable", "Notable unit" },
    { "l2", "layer_2", "layer_12" },
    { "conv", "encoder/conv", "c/o/n/v" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s: %s before %s", cases[i][0], cases[i][1], cases[i][2]);
      g_assert_cmpint (goban_fuzzy_score (cases[i][0], cases[i][1]), >,
                       goban_fuzzy_score (cases[i][0], cases[i][2]));
    }
}

/* --- the slow twin: every way to find the letters --------------------------------------------- */

static int
twin_place (const char *text, int at)
{
  gboolean is_upper = g_ascii_isupper (text[at]) && at > 0 && g_ascii_islower (text[at - 1]);
  gboolean is_behind = at > 0 && !g_ascii_isalnum (text[at - 1]) && g_ascii_isalnum (text[at]);

  return 16 + (at == 0 ? 16 : is_upper || is_behind ? 12 : 0);
}

static int
twin (const char *word, const char *text, int from, int last)
{
  int best = -100000;

  if (*word == '\0')
    return 0;
  for (int at = from; text[at] != '\0'; at++)
    {
      int gap = last < 0 ? at : at - last - 1;
      int link = last >= 0 && gap == 0 ? 16 : -MIN (gap, 8);

      if (g_ascii_tolower (text[at]) == g_ascii_tolower (*word))
        best = MAX (best, twin_place (text, at) + link + twin (word + 1, text, at + 1, at));
    }
  return best;
}

static void
fill (char *text, int n, const char *letters)
{
  for (int i = 0; i < n; i++)
    text[i] = letters[g_test_rand_int_range (0, (int) strlen (letters))];
  text[n] = '\0';
}

static void
test_best_of_all_ways (void)
{
  guint n_found = 0;

  for (int i = 0; i < 20000; i++)
    {
      char word[5], text[24];
      int expected;

      fill (word, g_test_rand_int_range (1, 5), "abC");
      fill (text, g_test_rand_int_range (1, 24), "abcABC_/xxxx");
      expected = twin (word, text, 0, -1);
      g_assert_cmpint (goban_fuzzy_score (word, text), ==, expected > 0 ? expected + 1 : 0);
      n_found += expected > 0;
    }
  g_assert_cmpuint (n_found, >, 2000);
}

static void
test_endless (void)
{
  g_autofree char *text = g_strnfill (100000, 'a');

  g_assert_cmpint (goban_fuzzy_score (text, text), >, 0);
  text[GOBAN_FUZZY_MOST_TEXT + 5] = 'z';
  g_assert_cmpint (goban_fuzzy_score ("z", text), ==, 0);
  g_assert_cmpint (goban_fuzzy_score ("aaaa", text), >, 0);
}

TEST_PROGRAM (fuzzy)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fuzzy/matches", test_matches);
  g_test_add_func ("/fuzzy/ranks", test_ranks);
  g_test_add_func ("/fuzzy/best-of-all-ways", test_best_of_all_ways);
  g_test_add_func ("/fuzzy/endless", test_endless);
  return g_test_run ();
}
