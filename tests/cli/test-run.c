/* The verbs of Lua: a script with arguments, a line of code, a prompt, and what they exit with. */
#include "tests/cli/cli-run.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <string.h>

static void
test_code (void)
{
  g_auto (CliResult) value = cli_run ("-e", "1 + 1", NULL);
  g_auto (CliResult) printed = cli_run ("-e", "print ('a', 'b')", NULL);
  g_auto (CliResult) mistake = cli_run ("-e", "error 'no good'", NULL);
  g_auto (CliResult) torn = cli_run ("-e", "for", NULL);
  g_auto (CliResult) code = cli_run ("-e", "os.exit (7)", NULL);
  g_auto (CliResult) plot = cli_run ("-e", "plot{ 1, 4, 9 }", NULL);

  cli_assert (&value, 0);
  g_assert_cmpstr (value.out, ==, "2\n");
  cli_assert (&printed, 0);
  g_assert_cmpstr (printed.out, ==, "a\tb\n");
  cli_assert (&mistake, 1);
  g_assert_cmpstr (mistake.out, ==, "");
  g_assert_nonnull (strstr (mistake.err, "no good"));
  cli_assert (&torn, 1);
  cli_assert (&code, 7);
  cli_assert (&plot, 0);
  g_assert_true (g_str_has_prefix (plot.out, "Lines of value over i: 3 points, 1 to 9\n9 │"));
  g_assert_nonnull (strstr (plot.out, "\n1 │⣀⣀⠤"));
}

static void
test_code_as_json (void)
{
  g_auto (CliResult) expression = cli_run ("-e", "--json", "{1, a}", NULL);
  g_auto (CliResult) statement = cli_run ("-e", "--json", "local t = ']=]'; return {t}", NULL);
  g_auto (CliResult) failure = cli_run ("-e", "--json", "graph.load '/nowhere.dot'", NULL);
  g_auto (CliResult) torn = cli_run ("-e", "--json", "for", NULL);
  g_auto (CliResult) several = cli_run ("-e", "--json", "1, nil, {a = 'b\\nc'}", NULL);

  cli_assert (&expression, 0);
  g_assert_cmpstr (expression.out, ==, "[1]\n");
  cli_assert (&statement, 0);
  g_assert_cmpstr (statement.out, ==, "[\"]=]\"]\n");
  cli_assert (&several, 0);
  g_assert_cmpstr (several.out, ==, "1\nnull\n{\"a\": \"b\\nc\"}\n");
  cli_assert (&failure, 1);
  g_assert_cmpstr (failure.out, ==, "");
  g_assert_nonnull (strstr (failure.err, "/nowhere.dot"));
  cli_assert (&torn, 1);
}

static void
test_script (void)
{
  g_autofree char *script = cli_temp_with ("s.lua", "print (#arg, arg[1], arg[2], ...)", -1);
  g_autofree char *missing = cli_temp ("missing.lua");
  g_auto (CliResult) result = cli_run ("run", script, "one", "--json", NULL);
  g_auto (CliResult) input = cli_run_with_input (script, "run", "-", "x", NULL);
  g_auto (CliResult) absent = cli_run ("run", missing, NULL);

  cli_assert (&result, 0);
  g_assert_cmpstr (result.out, ==, "2\tone\t--json\tone\t--json\n");
  cli_assert (&input, 0);
  g_assert_cmpstr (input.out, ==, "1\tx\tnil\tx\n");
  cli_assert (&absent, 3);
  g_assert_nonnull (strstr (absent.err, missing));
}

/* Scripts have the same graphs as the verbs. */
static void
test_same_engine (void)
{
  g_autofree char *toy = project_path ("samples/toy.dot");
  g_autofree char *script
      = cli_temp_with ("n.lua", "print (#assert (graph.load (arg[1])):nodes ())", -1);
  g_auto (CliResult) result = cli_run ("run", script, toy, NULL);

  cli_assert (&result, 0);
  g_assert_cmpstr (result.out, ==, "12\n");
}

static void
test_prompt (void)
{
  g_autofree char *lines
      = cli_temp_with ("lines",
                       "x = 20\nfor i = 1, 2 do\n  x = x + i\nend\nx * 2\nnonsense (\n)\n"
                       "error 'one'\n'still here'\n",
                       -1);
  g_autofree char *leave = cli_temp_with ("leave", "os.exit (5)\nprint 'never'\n", -1);
  g_auto (CliResult) result = cli_run_with_input (lines, "repl", NULL);
  g_auto (CliResult) left = cli_run_with_input (leave, "repl", NULL);
  g_auto (CliResult) json = cli_run_with_input (lines, "repl", "--json", NULL);

  cli_assert (&result, 0);
  g_assert_true (g_str_has_prefix (result.out, "46\n"));
  g_assert_nonnull (strstr (result.err, "one"));
  g_assert_nonnull (strstr (result.out, "still here"));
  cli_assert (&left, 5);
  g_assert_cmpstr (left.out, ==, "");
  cli_assert (&json, 0);
  g_assert_cmpstr (json.out, ==, "46\n\"still here\"\n");
  g_assert_nonnull (strstr (json.err, "one"));
}

TEST_PROGRAM (run)
{
  cli_init (&argc, &argv);
  g_test_add_func ("/cli/run/code", test_code);
  g_test_add_func ("/cli/run/code-as-json", test_code_as_json);
  g_test_add_func ("/cli/run/script", test_script);
  g_test_add_func ("/cli/run/same-engine", test_same_engine);
  g_test_add_func ("/cli/run/prompt", test_prompt);
  return cli_end ();
}
