#include "engine/study/log/measure-line.h"
#include "tests/support/test-program.h"

static void
assert_line (const GobanMeasureWords *words, const char *expected)
{
  g_autofree char *line = goban_log_measure (words);

  g_assert_cmpstr (line, ==, expected);
}

static void
test_names_what_is_given (void)
{
  const char *const policies[] = { "heft", "m-etf", NULL };
  const char *const plans[] = { "/a \"b\".plan", NULL };
  guint place = 3;
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (guint));
  GobanMeasureWords words = { .model = "/m.onnx" };

  assert_line (&words, "assert(measure.run{ model = \"/m.onnx\" }):show()");
  g_array_append_val (places, place);
  words = (GobanMeasureWords){ .model = "/m.onnx",
                               .policies = policies,
                               .plans = plans,
                               .places = places,
                               .n_cores = 2,
                               .n_runs = 5,
                               .is_forced = TRUE };
  assert_line (&words,
               "assert(measure.run{ model = \"/m.onnx\", policies = { \"heft\", \"m-etf\" }, "
               "plans = { 3, \"/a \\\"b\\\".plan\" }, cores = 2, runs = 5, "
               "force = true }):show()");
}

TEST_PROGRAM (measure_line)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/measure-line/names-what-is-given", test_names_what_is_given);
  return g_test_run ();
}
