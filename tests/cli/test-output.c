/* Success is told only of output that arrived, and no locale changes what a script computes. */
#include "tests/cli/cli-run.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

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

/* --- width --------------------------------------------------------------------------------- */

/* What a call prints on a terminal of that many columns. (transfer full) (nullable): without
 * pseudo terminals, with the test skipped */
static char *
print_on_terminal (const char *const *words, guint n_columns)
{
  g_autoptr (GSubprocessLauncher) launcher
      = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  g_autoptr (GSubprocess) child = NULL;
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  struct winsize size = { .ws_row = 24, .ws_col = (unsigned short) n_columns };
  int terminal = posix_openpt (O_RDWR | O_NOCTTY);
  char block[4096];
  gssize n;

  if (terminal < 0 || grantpt (terminal) != 0 || unlockpt (terminal) != 0)
    {
      g_test_skip ("no pseudo terminal");
      return NULL;
    }
  g_assert_cmpint (ioctl (terminal, TIOCSWINSZ, &size), ==, 0);
  g_ptr_array_add (argv, (gpointer) cli_program ());
  for (guint i = 0; words[i] != NULL; i++)
    g_ptr_array_add (argv, (gpointer) words[i]);
  g_ptr_array_add (argv, NULL);
  g_subprocess_launcher_take_stdout_fd (launcher, open (ptsname (terminal), O_WRONLY | O_NOCTTY));
  child = g_subprocess_launcher_spawnv (launcher, (const char *const *) argv->pdata, &error);
  g_assert_no_error (error);
  g_clear_object (&launcher);
  while ((n = read (terminal, block, sizeof block)) > 0)
    g_string_append_len (text, block, n);
  g_assert_true (g_subprocess_wait_check (child, NULL, &error));
  close (terminal);
  g_string_replace (text, "\r\n", "\n", 0);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static glong
find_widest (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  glong widest = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    widest = MAX (widest, g_utf8_strlen (lines[i], -1));
  return widest;
}

/* The words of a text, without what lies between them. (transfer full) */
static char *
squeeze (const char *text)
{
  GString *squeezed = g_string_new (NULL);

  for (; *text != '\0'; text++)
    if (!g_ascii_isspace (*text))
      g_string_append_c (squeezed, *text);
  return g_string_free (squeezed, FALSE);
}

/* On a terminal no line is wider than it, nothing is lost, and --wide is as a pipe gets it. A
 * terminal that does not say how wide it is has 80 columns. */
static void
test_width (void)
{
  g_autofree char *graph = project_path ("samples/gnmt-coarse.json");
  const char *const shown[][5] = {
    { "--help" },
    { "apply", "--help" },
    { "bench", "--help" },
    { "collective", "--help" },
    { "compare", "--help" },
    { "convert", "--help" },
    { "generate", "--help" },
    { "info", "--help" },
    { "measure", "--help" },
    { "pipeline", "--help" },
    { "place", "--help" },
    { "policies", "--help" },
    { "render", "--help" },
    { "repl", "--help" },
    { "replicas", "--help" },
    { "simulate", "--help" },
    { "train", "--help" },
    { "policies" },
    { "policies", "go-one" },
    { "generate" },
    { "info", graph },
    { "compare", graph, "-c", "p100x8" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (shown); i++)
    {
      const char *const *words = shown[i];
      g_autofree char *narrow = print_on_terminal (words, 60);
      g_autofree char *usual = print_on_terminal (words, 0);
      g_auto (CliResult) piped = words[1] == NULL ? cli_run (words[0], NULL)
                                 : words[2] == NULL
                                     ? cli_run (words[0], words[1], NULL)
                                     : cli_run (words[0], words[1], words[2], words[3], NULL);

      if (narrow == NULL || usual == NULL)
        return;
      cli_assert (&piped, 0);
      g_test_message ("%s", usual);
      g_assert_cmpint (find_widest (narrow), <=, 60);
      g_assert_cmpint (find_widest (usual), <=, 80);
      /* Searches and simulations tell their time. */
      if (!g_str_equal (words[0], "compare"))
        {
          g_autofree char *all = squeeze (piped.out);
          g_autofree char *fit = squeeze (narrow);

          g_assert_cmpstr (fit, ==, all);
        }
    }
}

static void
test_wide (void)
{
  g_autofree char *wide
      = print_on_terminal ((const char *const[]){ "policies", "--wide", NULL }, 60);
  g_auto (CliResult) piped = cli_run ("policies", NULL);

  if (wide != NULL)
    g_assert_cmpstr (wide, ==, piped.out);
}

/* Summaries begin in one column, whatever letters stand before them. */
static void
test_help_is_aligned (void)
{
  g_auto (CliResult) help = cli_run ("--help", NULL);
  g_auto (GStrv) lines = g_strsplit (help.out, "\n", -1);
  const char *bench = NULL, *compare = NULL;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (g_str_has_prefix (lines[i], "  bench "))
        bench = lines[i];
      if (g_str_has_prefix (lines[i], "  compare "))
        compare = lines[i];
    }
  g_assert_cmpint (g_utf8_pointer_to_offset (bench, strstr (bench, "Measure")), ==,
                   g_utf8_pointer_to_offset (compare, strstr (compare, "Rank policies")));
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

TEST_PROGRAM (output)
{
  cli_init (&argc, &argv);
  g_test_add_func ("/cli/output/full-disk", test_full_disk);
  g_test_add_func ("/cli/output/closed", test_closed_output);
  g_test_add_func ("/cli/output/files-are-not-printed-into", test_files_are_not_printed_into);
  g_test_add_func ("/cli/output/silence-needs-none", test_silence_needs_no_output);
  g_test_add_func ("/cli/output/endless-ends", test_endless_output_ends);
  g_test_add_func ("/cli/output/width", test_width);
  g_test_add_func ("/cli/output/wide", test_wide);
  g_test_add_func ("/cli/output/help-is-aligned", test_help_is_aligned);
  g_test_add_func ("/cli/locale/turkish", test_turkish);
  return cli_end ();
}
