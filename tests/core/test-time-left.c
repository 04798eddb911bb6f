#include "engine/core/time-left.h"
#include "tests/support/test-program.h"

static void
test_words (void)
{
  static const struct
  {
    double seconds;
    const char *words;
  } cases[] = {
    { 0, "0 s left" },          { 0.6, "1 s left" },
    { 89, "89 s left" },        { 90, "2 min left" },
    { 3600, "60 min left" },    { 5400, "1 h 30 min left" },
    { 7500, "2 h 5 min left" }, { 1e300, "277777777 h 47 min left" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      char text[GOBAN_TIME_LEFT_LEN];

      g_assert_cmpstr (goban_format_time_left (text, cases[i].seconds), ==, cases[i].words);
    }
}

TEST_PROGRAM (time_left)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/time-left/words", test_words);
  return g_test_run ();
}
