/* main.c: goban-cli, everything but the window. */
#include "app/cli/cli-fit.h"
#include "app/cli/cli-ranks.h"
#include "app/cli/cli.h"
#include "engine/core/end-signal.h"
#include "engine/core/find-word.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CALL_WIDTH 24

const GobanVerb *const goban_verbs[] = {
  &goban_verb_info,        &goban_verb_generate,
  &goban_verb_convert,     &goban_verb_place,
  &goban_verb_simulate,    &goban_verb_parallel,
  &goban_verb_pipeline,    &goban_verb_replicas,
  &goban_verb_collective,  &goban_verb_apply,
  &goban_verb_compare,     &goban_verb_measure,
  &goban_verb_calibrate,   &goban_verb_bench,
  &goban_verb_train,       &goban_verb_render,
  &goban_verb_policies,    &goban_verb_run,
  &goban_verb_repl,        &goban_verb_serve,
  &goban_verb_completions, NULL,
};

/* Aligned by characters: printf() counts bytes. */
static void
add_line (GString *text, const char *call, const char *summary)
{
  int n_spaces = (int) MAX (CALL_WIDTH - g_utf8_strlen (call, -1), 0);

  g_string_append_printf (text, "  %s%*s  %s\n", call, n_spaces, "", summary);
}

static char *
make_help (void)
{
  g_autoptr (GString) text = g_string_new ("usage: goban-cli VERB [OPTION…] [ARGUMENT…]\n\n");

  for (guint i = 0; goban_verbs[i] != NULL; i++)
    {
      const GobanVerb *verb = goban_verbs[i];
      g_autofree char *call = g_strdup_printf ("%s %s", verb->name, verb->arguments);

      add_line (text, call, verb->summary);
    }
  add_line (text, "-e CODE", "Run Lua code and print its values");
  g_string_append (text, "\ngoban-cli VERB --help tells a verb's options; --version the version.\n"
                         "“-” stands for standard input or output. Exit codes: 0 ok, 1 worse or\n"
                         "invalid result, 2 usage, 3 file error, 130 interrupted.\n");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* On standard error, which is a terminal of its own. */
static void
complain (const char *text)
{
  guint width = goban_cli_get_width (STDERR_FILENO);
  g_autofree char *fit = width > 0 ? goban_cli_fit (text, width) : NULL;

  g_printerr ("%s", fit != NULL ? fit : text);
}

static int
run_verb (int argc, char **argv, const char *help)
{
  const char *names[G_N_ELEMENTS (goban_verbs)];
  g_autofree char *problem = NULL;
  guint n = 0;
  int nearest;

  for (; goban_verbs[n] != NULL; n++)
    {
      names[n] = goban_verbs[n]->name;
      if (strcmp (argv[0], names[n]) == 0)
        return goban_cli_run_in_ranks (goban_verbs[n], argc, argv);
    }

  nearest = goban_find_nearest_word (names, n, argv[0]);
  if (nearest >= 0)
    problem = g_strdup_printf ("goban-cli: there is no verb “%s”; did you mean “%s”? goban-cli "
                               "--help lists all\n",
                               argv[0], names[nearest]);
  else
    problem = g_strdup_printf ("goban-cli: there is no verb “%s”\n\n%s", argv[0], help);
  complain (problem);
  return GOBAN_EXIT_USAGE;
}

static int
run (int argc, char **argv)
{
  g_autofree char *help = make_help ();
  const char *name = argc > 1 ? argv[1] : NULL;

  if (name == NULL)
    {
      complain (help);
      return GOBAN_EXIT_USAGE;
    }
  if (strcmp (name, "help") == 0 && argc == 3)
    {
      char *asked[] = { argv[2], (char *) "--help", NULL };

      return run_verb (2, asked, help);
    }
  if (strcmp (name, "--help") == 0 || strcmp (name, "-h") == 0 || strcmp (name, "help") == 0)
    return goban_cli_print (help);
  if (strcmp (name, "--version") == 0)
    return goban_cli_print ("goban-cli " GOBAN_VERSION "\n");
  if (strcmp (name, "-e") == 0)
    return goban_cli_run_code (argc - 1, argv + 1);

  return run_verb (argc - 1, argv + 1, help);
}

/* Messages are UTF-8 as results are; GLib would write a '?' for a quote if the locale is C. */
static void
print_error (const char *text)
{
  g_autofree char *plain = goban_cli_dup_plain (text);

  fputs (plain, stderr);
}

/* --- standard output --------------------------------------------------------------------- */

/* Exit code of the verb; 0 until then, as when GOption prints help and exits. */
static int exit_code = GOBAN_EXIT_OK;

/* Every byte printed has arrived, or the program fails: a full disk must not look like success.
 * A verb that has failed already has said why. */
static void
close_output (void)
{
  gboolean is_lost = fflush (stdout) != 0 || ferror (stdout);

  /* fclose() of a descriptor that was closed from the start fails even if nothing was printed. */
  if (!is_lost)
    is_lost = fclose (stdout) != 0 && errno != EBADF;
  if (!is_lost || exit_code != GOBAN_EXIT_OK)
    return;

  g_printerr ("goban-cli: standard output: not everything could be written\n");
  _exit (GOBAN_EXIT_FILE);
}

/* Without this the next file to be opened would become standard output, and be printed into. The
 * null device is opened the wrong way round, so that using it still fails. */
static void
keep_descriptors (void)
{
  for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
    if (fcntl (i, F_GETFD) < 0 && errno == EBADF
        && open ("/dev/null", i == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
      return;
}

/* Everything is the same everywhere: decimal points, the order of letters, names of days, and
 * English, for messages of libraries in another language would stand between our own.
 *
 * Decision U33 (ui/NOTES.md). */
static void
choose_locale (void)
{
  setlocale (LC_ALL, "C");
  /* For names of files and the terminal; a system without C.UTF-8 has bytes. */
  setlocale (LC_CTYPE, "C.UTF-8");
}

int
main (int argc, char **argv)
{
  keep_descriptors ();
  goban_end_signal_begin ();
  choose_locale ();
  g_set_printerr_handler (print_error);
  atexit (close_output);

  exit_code = run (argc, argv);
  return exit_code;
}
