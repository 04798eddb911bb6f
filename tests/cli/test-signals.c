/* Ctrl+C, closed pipes, progress and locales: what surrounds a program that works. */
#include "tests/cli/cli-run.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Enough for a second and more of work, with optimisation or with a sanitizer. */
#ifdef __SANITIZE_ADDRESS__
#define N_TASKS 150000
#else
#define N_TASKS 400000
#endif

/* An STG file of tasks that each wait for one or two shortly before it. */
static char *
large_graph (void)
{
  char *path = cli_temp ("large.stg");
  FILE *file;

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return path;
  file = fopen (path, "w");
  g_assert_nonnull (file);
  fprintf (file, "%d\n0 0 0\n", N_TASKS);
  for (int i = 1; i <= N_TASKS; i++)
    if (i > 40)
      fprintf (file, "%d %d 2 %d %d\n", i, 1 + i % 17, i - 3 - i % 37, i - 2);
    else
      fprintf (file, "%d %d 1 0\n", i, 1 + i % 17);
  fprintf (file, "%d 0 1 %d\n", N_TASKS + 1, N_TASKS);
  g_assert_cmpint (fclose (file), ==, 0);
  return path;
}

/* TRUE once the process handles the signal itself, or has ended, which the caller will see. */
static gboolean
catches (const char *pid, int number)
{
  g_autofree char *path = g_build_filename ("/proc", pid, "status", NULL);
  g_autofree char *status = NULL;
  const char *caught;

  if (!g_file_get_contents (path, &status, NULL, NULL))
    return TRUE;
  caught = strstr (status, "SigCgt:");
  return caught != NULL && (g_ascii_strtoull (caught + 7, NULL, 16) & (1u << (number - 1))) != 0;
}

static gboolean
catches_interrupt (const char *pid)
{
  return catches (pid, SIGINT);
}

/* METIS does while it cuts, in whatever process. */
static gboolean
catches_termination (const char *pid)
{
  return catches (pid, SIGTERM);
}

/* Interrupts the program @delay_ms after it began to listen; its exit code, -1 if killed. */
static int
interrupt (GSubprocess *child, guint delay_ms)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *pid = g_strdup (g_subprocess_get_identifier (child));

  cli_wait (catches_interrupt, pid);
  g_usleep (delay_ms * 1000);
  g_subprocess_send_signal (child, SIGINT);
  g_subprocess_wait (child, NULL, &error);
  g_assert_no_error (error);
  return g_subprocess_get_if_exited (child) ? g_subprocess_get_exit_status (child) : -1;
}

static GSubprocess *
start (GSubprocessFlags flags, const char *first, ...)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  GSubprocess *child;
  va_list rest;

  g_ptr_array_add (argv, (gpointer) cli_program ());
  va_start (rest, first);
  for (const char *word = first; word != NULL; word = va_arg (rest, const char *))
    g_ptr_array_add (argv, (gpointer) word);
  va_end (rest);
  g_ptr_array_add (argv, NULL);
  child = g_subprocess_newv (
      (const char *const *) argv->pdata,
      flags | G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error);
  g_assert_no_error (error);
  return child;
}

static void
test_interrupt_reading (void)
{
  g_autofree char *plan = cli_temp ("never.json");
  g_autoptr (GSubprocess) child
      = start (G_SUBPROCESS_FLAGS_STDIN_PIPE, "place", "-", "-p", "heft", "-o", plan, NULL);

  g_assert_cmpint (interrupt (child, 50), ==, 130);
  g_assert_cmpuint (cli_count_files ("never.json"), ==, 0);
}

static void
test_interrupt_working (void)
{
  static const guint delays_ms[] = { 30, 300 };
  g_autofree char *graph = large_graph ();
  g_autofree char *plan = cli_temp_with ("kept.json", "old", -1);
  g_autofree char *text = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (delays_ms); i++)
    {
      g_autoptr (GSubprocess) child = start (G_SUBPROCESS_FLAGS_NONE, "place", graph, "-p",
                                             "critical-path", "-c", "p100x8", "-o", plan, NULL);

      g_assert_cmpint (interrupt (child, delays_ms[i]), ==, 130);
    }
  text = cli_read (plan, NULL);
  g_assert_cmpstr (text, ==, "old");
  g_assert_cmpuint (cli_count_files ("kept.json"), ==, 1);
}

/* METIS would take the signal for an error of its own, and the script would go on. */
static void
test_terminate_metis (void)
{
  const char *code = "local g = graph.generate('gnmt:layers=4')\n"
                     "for i = 1, 1e9 do plan.metis(g, { seed = i }) end";
  g_autoptr (GSubprocess) child = start (G_SUBPROCESS_FLAGS_NONE, "-e", code, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *pid = g_strdup (g_subprocess_get_identifier (child));

  cli_wait (catches_termination, pid);
  g_subprocess_send_signal (child, SIGTERM);
  g_subprocess_wait (child, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_exited (child));
  g_assert_cmpint (g_subprocess_get_exit_status (child), ==, 128 + SIGTERM);
}

/* Before the lessons are there, and among them. */
static void
test_interrupt_training (void)
{
  static const guint delays_ms[] = { 20, 1500 };
  g_autofree char *network = cli_temp_with ("kept.net", "old", -1);
  g_autofree char *text = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (delays_ms); i++)
    {
      g_autoptr (GSubprocess) child
          = start (G_SUBPROCESS_FLAGS_NONE, "train", "regal", "-o", network, NULL);

      g_assert_cmpint (interrupt (child, delays_ms[i]), ==, 130);
    }
  text = cli_read (network, NULL);
  g_assert_cmpstr (text, ==, "old");
  g_assert_cmpuint (cli_count_files ("kept.net"), ==, 1);
}

static void
test_interrupt_lua (void)
{
  /* In Lua, in C functions that call Lua or count on their own, and in what runs after an error. */
  static const char *const codes[] = {
    "while true do end",
    "table.sort({ 3, 2, 1 }, function() while true do end end)",
    "xpcall(error, function() while true do end end)",
    "return (('a'):rep(30000)):find(('a-'):rep(30) .. 'b')",
    "table.move({}, 1, 1 << 60, 2)",
    "table.remove(setmetatable({}, { __len = function() return 1 << 60 end }), 1)",
    "error(setmetatable({}, { __tostring = function() while true do end end }))",
    "local x <close> = setmetatable({}, { __close = function() while true do end end }) error 'on'",
    "while true do (''):rep(1 << 62) end",
  };

  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    {
      g_autoptr (GSubprocess) child = start (G_SUBPROCESS_FLAGS_NONE, "-e", codes[i], NULL);

      g_test_message ("%s", codes[i]);
      g_assert_cmpint (interrupt (child, 50), ==, 130);
    }
}

/* The second Ctrl+C waits for nothing, not even for one long step of the interpreter. */
static void
test_interrupt_twice (void)
{
  g_autoptr (GSubprocess) child
      = start (G_SUBPROCESS_FLAGS_NONE, "-e",
               "local s = ('ä'):rep(1e8) while true do utf8.len(s) end", NULL);
  g_autofree char *pid = g_strdup (g_subprocess_get_identifier (child));
  gint64 start_us;

  cli_wait (catches_interrupt, pid);
  g_usleep (2 * G_USEC_PER_SEC);
  start_us = g_get_monotonic_time ();
  g_subprocess_send_signal (child, SIGINT);
  g_usleep (20 * 1000);
  g_assert_cmpint (interrupt (child, 0), ==, 130);
  g_test_message ("%" G_GINT64_FORMAT " ms", (g_get_monotonic_time () - start_us) / 1000);
}

/* A reader that goes away ends the program, by the signal that is meant for it; nothing else. */
static void
test_closed_pipe (void)
{
  g_autofree char *path = project_path ("samples/inception-v3.onnx");
  g_autofree char *line
      = g_strdup_printf ("{ \"$CLI\" convert '%s' - --to json; echo $? >&2; } | head -c 10", path);
  g_auto (CliResult) result = cli_run_shell (line);

  cli_assert (&result, 0);
  g_assert_cmpuint (result.out_size, ==, 10);
  /* 141 by SIGPIPE, 3 where that is ignored, 0 where the pipe took it all */
  g_assert_true (strstr (result.err, "141\n") != NULL || strstr (result.err, "3\n") != NULL
                 || strcmp (result.err, "0\n") == 0);
}

static void
test_no_progress_in_a_file (void)
{
  g_autofree char *graph = large_graph ();
  g_auto (CliResult) result
      = cli_run ("compare", graph, "-p", "critical-path,heft", "--json", NULL);
  g_autoptr (JsonNode) root = NULL;

  cli_assert (&result, 0);
  g_assert_cmpstr (result.err, ==, "");
  root = cli_json (&result);
  g_assert_true (JSON_NODE_HOLDS_OBJECT (root));
}

/* All that is written to the terminal behind @fd until its last writer has gone. */
static char *
read_terminal (int fd)
{
  g_autoptr (GString) text = g_string_new (NULL);
  char block[4096];
  gssize n;

  while ((n = read (fd, block, sizeof block)) > 0)
    g_string_append_len (text, block, n);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
test_progress_on_a_terminal (void)
{
  g_autofree char *graph = large_graph ();
  g_autoptr (GSubprocessLauncher) launcher
      = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE);
  g_autoptr (GSubprocess) child = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *shown = NULL;
  int terminal = posix_openpt (O_RDWR | O_NOCTTY);

  if (terminal < 0 || grantpt (terminal) != 0 || unlockpt (terminal) != 0)
    {
      g_test_skip ("no pseudo terminal");
      return;
    }
  g_subprocess_launcher_take_stderr_fd (launcher, open (ptsname (terminal), O_WRONLY | O_NOCTTY));
  child = g_subprocess_launcher_spawn (launcher, &error, cli_program (), "compare", graph, "-p",
                                       "critical-path,heft", "-c", "p100x8", NULL);
  g_assert_no_error (error);
  /* Read meanwhile: a program that works for long says more than a terminal keeps. */
  g_clear_object (&launcher);
  shown = read_terminal (terminal);
  g_assert_true (g_subprocess_wait_check (child, NULL, &error));
  close (terminal);
  g_assert_nonnull (strstr (shown, " %"));
  g_assert_true (g_str_has_suffix (shown, "\r\033[K")); /* and the line is clean at the end */
}

/* --- searches -------------------------------------------------------------------------------- */

/* A program whose standard error is a terminal. */
typedef struct
{
  GSubprocess *child;
  int terminal;
  GString *shown;
} OnTerminal;

/* FALSE without a pseudo terminal: the test is skipped. */
static gboolean
start_on_terminal (OnTerminal *self, const char *const *words)
{
  g_autoptr (GSubprocessLauncher) launcher
      = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE);
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;

  *self = (OnTerminal){ .terminal = posix_openpt (O_RDWR | O_NOCTTY) };
  if (self->terminal < 0 || grantpt (self->terminal) != 0 || unlockpt (self->terminal) != 0)
    {
      g_test_skip ("no pseudo terminal");
      return FALSE;
    }
  g_ptr_array_add (argv, (gpointer) cli_program ());
  for (guint i = 0; words[i] != NULL; i++)
    g_ptr_array_add (argv, (gpointer) words[i]);
  g_ptr_array_add (argv, NULL);
  g_subprocess_launcher_take_stderr_fd (launcher,
                                        open (ptsname (self->terminal), O_WRONLY | O_NOCTTY));
  self->child = g_subprocess_launcher_spawnv (launcher, (const char *const *) argv->pdata, &error);
  g_assert_no_error (error);
  self->shown = g_string_new (NULL);
  return TRUE;
}

/* Until the program has shown @text; "" reads to its end. */
static void
read_until (OnTerminal *self, const char *text)
{
  char block[4096];
  gssize n;

  while ((*text == '\0' || strstr (self->shown->str, text) == NULL)
         && (n = read (self->terminal, block, sizeof block)) > 0)
    g_string_append_len (self->shown, block, n);
  if (strstr (self->shown->str, text) == NULL)
    g_error ("“%s” was never shown: %s", text, self->shown->str);
}

/* The exit code. */
static int
end_on_terminal (OnTerminal *self)
{
  g_autoptr (GError) error = NULL;
  int exit_code;

  read_until (self, "");
  g_subprocess_wait (self->child, NULL, &error);
  g_assert_no_error (error);
  exit_code
      = g_subprocess_get_if_exited (self->child) ? g_subprocess_get_exit_status (self->child) : -1;
  close (self->terminal);
  g_clear_object (&self->child);
  return exit_code;
}

/* The best plan that the line of progress has told is what is written, by policies that search in
 * different ways; the time left is told, too. */
static void
test_interrupt_search (void)
{
  static const char *const policies[]
      = { "anneal", "local-search", "brkga", "go-oneshot", "go-finetune" };
  g_autofree char *graph = project_path ("samples/gnmt-coarse.json");

  for (guint i = 0; i < G_N_ELEMENTS (policies); i++)
    {
      g_autofree char *plan = cli_temp ("best.plan.json");
      const char *const words[]
          = { "place", graph, "-p", policies[i], "--seconds", "1000", "-o", plan, NULL };
      g_auto (CliResult) simulated = { 0 };
      OnTerminal search;

      g_remove (plan);
      if (!start_on_terminal (&search, words))
        return;
      read_until (&search, "best ");
      g_subprocess_send_signal (search.child, SIGINT);
      g_assert_cmpint (end_on_terminal (&search), ==, 130);
      g_test_message ("%s: %s", policies[i], search.shown->str);
      g_assert_nonnull (strstr (search.shown->str,
                                "interrupted: the search ended early with the best plan so far ("));
      g_assert_nonnull (strstr (search.shown->str, "written to "));
      g_string_free (search.shown, TRUE);
      simulated = cli_run ("simulate", graph, "--plan", plan, NULL);
      cli_assert (&simulated, 0);
    }
}

/* Every verb that takes long tells its time left on a terminal, and Ctrl+C ends it. */
static void
test_time_left (void)
{
  g_autofree char *graph = project_path ("samples/gnmt-coarse.json");
  g_autofree char *network = cli_temp ("left.net");
  g_autofree char *film = cli_temp ("left.apng");
  g_autofree char *journal = cli_temp ("left.jsonl");
  g_autofree char *script
      = cli_temp_with ("left.lua",
                       "sweep{ x = range(1, 1000), run = function()\n"
                       "  local n = 0 for i = 1, 3e6 do n = n + i end return n end }",
                       -1);
  const char *const calls[][9] = {
    { "place", graph, "-p", "anneal", "--seconds", "20" },
    { "place", graph, "-p", "anneal", "--evals", "500000", "--restarts", "3" },
    { "compare", graph, "-p", "heft,anneal", "--evals", "2000000" },
    { "bench", "quick", "-p", "anneal", "--evals", "200000", "--journal", journal },
    { "train", "moves", "-o", network },
    { "render", graph, "-p", "heft", "-o", film },
    { "replicas", "gnmt:layers=8", "-n", "4" },
    { "run", script },
  };

  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      OnTerminal work;

      if (!start_on_terminal (&work, calls[i]))
        return;
      read_until (&work, " left");
      g_subprocess_send_signal (work.child, SIGINT);
      g_assert_cmpint (end_on_terminal (&work), ==, 130);
      g_test_message ("%s: %s", calls[i][0], work.shown->str);
      g_string_free (work.shown, TRUE);
    }
}

/* Restarts keep the best of those that are finished and the one under way; a comparison has the
 * plans so far; a picture is made of the best. */
static void
test_interrupt_verbs (void)
{
  g_autofree char *graph = project_path ("samples/gnmt-coarse.json");
  g_autofree char *plan = cli_temp ("restarts.plan.json");
  g_autofree char *picture = cli_temp ("ended.svg");
  const char *const calls[][14] = {
    { "place", graph, "-p", "anneal", "--restarts", "5", "--seconds", "1000", "-o", plan },
    { "compare", graph, "-p", "heft,anneal,metis", "--seconds", "1000" },
    { "render", graph, "-p", "anneal", "--seconds", "1000", "-o", picture },
  };

  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      OnTerminal search;

      if (!start_on_terminal (&search, calls[i]))
        return;
      read_until (&search, "best ");
      g_subprocess_send_signal (search.child, SIGINT);
      g_assert_cmpint (end_on_terminal (&search), ==, 130);
      g_test_message ("%s", search.shown->str);
      g_assert_nonnull (strstr (search.shown->str, "interrupted: the search ended early with "));
      g_string_free (search.shown, TRUE);
    }
  g_assert_true (g_file_test (plan, G_FILE_TEST_IS_REGULAR));
  g_assert_true (g_file_test (picture, G_FILE_TEST_IS_REGULAR));
}

/* Makes a locale with decimal commas; NULL, with the test skipped, where the tools are missing. */
static char *
make_comma_locale (void)
{
  g_autofree char *localedef = g_find_program_in_path ("localedef");
  g_autofree char *folder = cli_temp ("locale");
  g_autofree char *path = g_build_filename (folder, "de_DE.UTF-8", NULL);
  g_autofree char *line
      = g_strdup_printf ("localedef --no-archive -i de_DE -f UTF-8 '%s' >/dev/null 2>&1", path);
  gboolean speaks;

  if (localedef != NULL)
    {
      g_auto (CliResult) made = { 0 };

      g_mkdir (folder, 0700);
      made = cli_run_shell (line);
      g_setenv ("LOCPATH", folder, TRUE);
    }
  speaks = setlocale (LC_ALL, "de_DE.UTF-8") != NULL && *localeconv ()->decimal_point == ',';
  setlocale (LC_ALL, "C");
  g_unsetenv ("LOCPATH");
  if (speaks)
    return g_steal_pointer (&folder);
  g_test_skip ("no locale with decimal commas");
  return NULL;
}

static void
test_comma_locale (void)
{
  static const char *const lines[] = {
    "info '%s'",        "info '%s' --json", "convert '%s' - --to dot", "place '%s' -p heft -o -",
    "render '%s' -o -", "place --help '%s'"
  };
  g_autofree char *locale = make_comma_locale ();
  g_autofree char *toy = project_path ("samples/inception-v3.onnx");

  if (locale == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_auto (GStrv) parts = g_strsplit (lines[i], "%s", 2);
      g_autofree char *call = g_strconcat ("\"$CLI\" ", parts[0], toy, parts[1], NULL);
      g_autofree char *german
          = g_strdup_printf ("LOCPATH='%s' LC_ALL=de_DE.UTF-8 %s", locale, call);
      g_auto (CliResult) plain = cli_run_shell (call);
      g_auto (CliResult) comma = cli_run_shell (german);

      cli_assert (&plain, 0);
      cli_assert (&comma, 0);
      g_assert_cmpstr (comma.out, ==, plain.out);
    }
  {
    g_autofree char *remove = g_strdup_printf ("rm -r '%s'", locale);
    g_auto (CliResult) gone = cli_run_shell (remove);

    cli_assert (&gone, 0);
  }
}

TEST_PROGRAM (signals)
{
  cli_init (&argc, &argv);
  g_test_add_func ("/cli/interrupt/reading", test_interrupt_reading);
  g_test_add_func ("/cli/interrupt/working", test_interrupt_working);
  g_test_add_func ("/cli/interrupt/training", test_interrupt_training);
  g_test_add_func ("/cli/interrupt/lua", test_interrupt_lua);
  g_test_add_func ("/cli/terminate/metis", test_terminate_metis);
  g_test_add_func ("/cli/interrupt/twice", test_interrupt_twice);
  g_test_add_func ("/cli/interrupt/search", test_interrupt_search);
  g_test_add_func ("/cli/interrupt/verbs", test_interrupt_verbs);
  g_test_add_func ("/cli/progress/time-left", test_time_left);
  g_test_add_func ("/cli/pipe/closed", test_closed_pipe);
  g_test_add_func ("/cli/progress/not-in-a-file", test_no_progress_in_a_file);
  g_test_add_func ("/cli/progress/on-a-terminal", test_progress_on_a_terminal);
  g_test_add_func ("/cli/locale/comma", test_comma_locale);
  return cli_end ();
}
