/* Success is told only of output that arrived, and no locale changes what a script computes. */
#include "tests/cli/cli-run.h"
#include "tests/support/shared-data.h"

#include <glib/gstdio.h>
#include <string.h>

/* A call per way of printing; %s is a graph. */
static const char *const calls[] = {
  "-e 'print(1)'",
  "-e '1 + 1'",
  "-e --json '1 + 1'",
  "--help",
  "--version",
  "info --help",
  "info '%s'",
  "info '%s' --json",
  "convert '%s' - --to json",
  "place '%s' -p heft",
  "place '%s' -p heft -o -",
  "place '%s' -p heft --json",
  "compare '%s' --policies heft,metis",
  "compare '%s' --policies heft,metis --json",
  "render '%s' -o -",
  "render '%s' --view table -o -",
  "policies",
  "policies --json",
  "generate",
};

static void
assert_fails (const char *call, const char *redirection)
{
  g_autofree char *toy = project_path ("samples/toy.dot");
  g_auto (GStrv) parts = g_strsplit (call, "%s", 2);
  g_autofree char *whole = g_strjoinv (toy, parts);
  g_autofree char *line = g_strconcat ("\"$CLI\" ", whole, redirection, NULL);
  g_auto (CliResult) result = cli_run_shell (line);

  g_test_message ("%s", line);
  cli_assert (&result, 3);
  g_assert_nonnull (strstr (result.err, "goban-cli: standard output: "));
}

static void
test_full_disk (void)
{
  if (!g_file_test ("/dev/full", G_FILE_TEST_EXISTS))
    {
      g_test_skip ("there is no /dev/full");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    assert_fails (calls[i], " >/dev/full");
}

static void
test_closed_output (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    assert_fails (calls[i], " >&-");
}

/* A file opened while standard output is closed must not be printed into. */
static void
test_files_are_not_printed_into (void)
{
  g_autofree char *toy = project_path ("samples/toy.dot");
  g_autofree char *plan = cli_temp ("plan.json");
  g_autofree char *to_file = g_strdup_printf ("\"$CLI\" place '%s' -p heft -o '%s' >&- <&-; "
                                              "\"$CLI\" simulate '%s' --plan '%s'",
                                              toy, plan, toy, plan);
  g_auto (CliResult) result = cli_run_shell (to_file);

  cli_assert (&result, 0);
}

/* What printed nothing has lost nothing. */
static void
test_silence_needs_no_output (void)
{
  g_auto (CliResult) result = cli_run_shell ("\"$CLI\" -e 'x = 1' >&-");

  cli_assert (&result, 0);
  g_assert_cmpstr (result.err, ==, "");
}

/* An endless script whose reader is gone, or whose disk is full, ends. */
static void
test_endless_output_ends (void)
{
  g_auto (CliResult) full
      = cli_run_shell ("\"$CLI\" -e 'while true do print(1) end' >/dev/full; test $? -eq 3");
  g_auto (CliResult) gone
      = cli_run_shell ("{ \"$CLI\" -e 'while true do print(1) end'; echo $? >&2; } | head -1");

  cli_assert (&full, 0);
  cli_assert (&gone, 0);
  g_assert_cmpstr (gone.out, ==, "1\n");
  /* 141 by SIGPIPE, without a word; 3 where whoever runs the tests ignores it */
  g_assert_true (strcmp (gone.err, "141\n") == 0 || g_str_has_suffix (gone.err, "3\n"));
}

/* --- locales ------------------------------------------------------------------------------- */

/* A folder for LOCPATH that holds tr_TR.UTF-8; NULL where it cannot be built. (transfer full) */
static char *
make_turkish (void)
{
  g_autofree char *folder = cli_temp ("locale");
  g_autofree char *line
      = g_strdup_printf ("mkdir '%s' && localedef --no-archive -i tr_TR -f UTF-8 "
                         "'%s/tr_TR.UTF-8' >/dev/null 2>&1; LOCPATH='%s' LC_ALL=tr_TR.UTF-8 "
                         "locale charmap",
                         folder, folder, folder);
  g_auto (CliResult) made = cli_run_shell (line);

  return strcmp (made.out, "UTF-8\n") == 0 ? g_steal_pointer (&folder) : NULL;
}

static void
test_turkish (void)
{
  static const char code[]
      = "return (\"TITLE\"):lower(), (\"title\"):upper(), \"I\" < \"a\", \"Z\" < \"a\","
        " \"ç\" < \"d\", os.date(\"!%A\", 0), 1.5, #graph.load(arg[1]):where(\"CONV\")";
  g_autofree char *path = cli_temp_with ("turkish.lua", "", 0);
  g_autofree char *graph = cli_temp_with (
      "turkish.dot", "digraph { \"conv_i\" [op=\"x\"]; \"CONV_I\"; \"É_CONV\" }", -1);
  g_autofree char *folder = make_turkish ();
  g_autofree char *script = g_strdup_printf ("print((function(...) %s end)())", code);
  g_autofree char *turkish = NULL;
  g_auto (CliResult) plain = { 0 }, other = { 0 };

  if (folder == NULL)
    {
      g_test_skip ("localedef cannot build tr_TR.UTF-8 here");
      return;
    }
  g_assert_true (g_file_set_contents (path, script, -1, NULL));
  turkish = g_strdup_printf ("LOCPATH='%s' LC_ALL=tr_TR.UTF-8 \"$CLI\" run '%s' '%s'", folder, path,
                             graph);
  plain = cli_run ("run", path, graph, NULL);
  other = cli_run_shell (turkish);
  cli_assert (&plain, 0);
  g_assert_cmpstr (plain.out, ==, "title\tTITLE\ttrue\ttrue\tfalse\tThursday\t1.5\t3\n");
  cli_assert (&other, 0);
  g_assert_cmpstr (other.out, ==, plain.out);
}

int
main (int argc, char **argv)
{
  cli_init (&argc, &argv);
  g_test_add_func ("/cli/output/full-disk", test_full_disk);
  g_test_add_func ("/cli/output/closed", test_closed_output);
  g_test_add_func ("/cli/output/files-are-not-printed-into", test_files_are_not_printed_into);
  g_test_add_func ("/cli/output/silence-needs-none", test_silence_needs_no_output);
  g_test_add_func ("/cli/output/endless-ends", test_endless_output_ends);
  g_test_add_func ("/cli/locale/turkish", test_turkish);
  return cli_end ();
}
