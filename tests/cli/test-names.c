/* Files whose names are odd: bytes that are not UTF-8, dashes, quotes, new lines. */
#include "tests/cli/cli-run.h"
#include "tests/support/test-program.h"

#include <string.h>

#define GRAPH "digraph { a -> b -> c }"

static const char *const names[]
    = { "caf\xe9", "\xff\xfe", "line\nbreak", "q\"uo'te", "100%25 %s %n", "--help", " a b " };

/* (transfer full) */
static char *
in_temp (const char *name, const char *ending)
{
  g_autofree char *file = g_strconcat (name, ending, NULL);

  return cli_temp (file);
}

static void
assert_run (CliResult result)
{
  cli_assert (&result, 0);
  cli_result_clear (&result);
}

/* Each is read by one verb and written by another. */
static void
test_odd (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *file = g_strconcat (names[i], ".dot", NULL);
      g_autofree char *graph = cli_temp_with (file, GRAPH, -1);
      g_autofree char *plan = in_temp (names[i], ".json");
      g_autofree char *picture = in_temp (names[i], ".svg");
      g_autofree char *report = in_temp (names[i], ".html");
      g_autofree char *copy = in_temp (names[i], ".copy.json");

      assert_run (cli_run ("info", graph, NULL));
      assert_run (cli_run ("convert", graph, copy, NULL));
      assert_run (cli_run ("place", graph, "--policy", "heft", "-o", plan, NULL));
      assert_run (cli_run ("simulate", graph, "--plan", plan, NULL));
      assert_run (cli_run ("render", graph, "--plan", plan, "-o", picture, NULL));
      assert_run (cli_run ("compare", graph, plan, plan, "--report", report, NULL));
      g_assert_true (g_file_test (copy, G_FILE_TEST_IS_REGULAR));
      g_assert_true (g_file_test (picture, G_FILE_TEST_IS_REGULAR));
      g_assert_true (g_file_test (report, G_FILE_TEST_IS_REGULAR));
    }
}

/* The schedule of a pipeline may be such a file, too, which names its plan. */
static void
test_schedule (void)
{
  g_autofree char *graph = cli_temp_with ("s.dot", GRAPH, -1);
  g_autofree char *csv = cli_temp ("caf\xe9.csv");
  g_autofree char *plan = cli_temp ("s.plan.json");
  g_autofree char *text = NULL;

  assert_run (cli_run ("pipeline", graph, "-c", "equal:2", "--schedule", "gpipe", "-m", "2",
                       "--csv", csv, NULL));
  assert_run (
      cli_run ("pipeline", graph, "-c", "equal:2", "--schedule", csv, "--plan-output", plan, NULL));
  assert_run (cli_run ("pipeline", graph, "-c", "equal:2", "--schedule", csv, "--json", NULL));
  text = cli_read (plan, NULL);
  g_assert_true (g_utf8_validate (text, -1, NULL));
}

static void
test_dash (void)
{
  g_autofree char *graph = cli_temp_with ("-dash.dot", GRAPH, -1);
  g_autofree char *folder = g_path_get_dirname (graph);
  g_autofree char *quoted = g_shell_quote (folder);
  g_autofree char *line = g_strdup_printf ("cd %s && \"$CLI\" info -- -dash.dot", quoted);

  assert_run (cli_run_shell (line));
}

/* Scripts have the bytes of the name, and a session that one saves finds its graph again. */
static void
test_script (void)
{
  g_autofree char *graph = cli_temp_with ("lua\xe9.dot", GRAPH, -1);
  g_autofree char *script = cli_temp_with ("s\xe9.lua",
                                           "local folder = arg[1]\n"
                                           "local g = assert(app.open(folder .. '/lua\\xe9.dot'))\n"
                                           "assert(app.save_session(folder .. '/lua\\xe9.goban'))\n"
                                           "assert(g:save(folder .. '/lua\\xe9.json'))\n"
                                           "assert(app.open(folder .. '/lua\\xe9.goban'))\n"
                                           "assert(app.write(folder .. '/out\\xe9.txt', 'a'))\n"
                                           "assert(app.read(folder .. '/out\\xe9.txt') == 'a')\n",
                                           -1);
  g_autofree char *folder = g_path_get_dirname (graph);

  assert_run (cli_run ("run", script, folder, NULL));
}

TEST_PROGRAM (names)
{
  cli_init (&argc, &argv);
  g_test_add_func ("/cli/names/odd", test_odd);
  g_test_add_func ("/cli/names/schedule", test_schedule);
  g_test_add_func ("/cli/names/dash", test_dash);
  g_test_add_func ("/cli/names/script", test_script);
  return cli_end ();
}
