/* verb-run.c: the verbs that run Lua: a script, a line of code, a prompt. */
#include "app/cli/cli.h"
#include "app/cli/prompt.h"

#include "app/lua/core/lua-paths.h"
#include "app/lua/lua-chunk.h"
#include "app/lua/lua-host.h"
#include "app/lua/lua-modules.h"
#include "engine/core/error.h"
#include "engine/core/file-read.h"
#include "engine/core/file.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static GobanLuaHost *running;
static volatile sig_atomic_t n_interrupts; /* since the last line of a prompt */
static GError *output_error;               /* the first failure to print */

/* A second Ctrl+C ends the program whatever the script is in the middle of. */
static void
interrupt_cb (int signal_number)
{
  if (n_interrupts++ > 0)
    _exit (GOBAN_EXIT_INTERRUPTED);
  if (running != NULL)
    goban_lua_host_interrupt (running);
}

/* Whether reading a pipe is to end. */
static gboolean
is_interrupted (gpointer data)
{
  return n_interrupts > 0;
}

/* The line of progress of a sweep, on a terminal. */
static void
progress_cb (double fraction, const char *text, gpointer user_data)
{
  if (fraction >= 0)
    goban_cli_progress_show (fraction, text);
  else
    goban_cli_progress_end ();
}

/* A script whose output is lost is stopped, because its work would be useless. */
static void
print_cb (const char *text, gsize n, gpointer user_data)
{
  goban_cli_progress_end ();
  if (output_error == NULL && !goban_file_write ("-", text, n, &output_error))
    goban_lua_host_interrupt (running);
}

/* A host whose script Ctrl+C stops. */
static GobanLuaHost *
make_host (gboolean is_trusted)
{
  static const GobanProgress waiting = { NULL, is_interrupted, NULL };
  g_autoptr (GobanSession) session = goban_session_new ();
  struct sigaction action = { .sa_handler = interrupt_cb };

  running = goban_lua_host_new (session, goban_lua_open_modules);
  goban_lua_host_set_output (running, print_cb, NULL);
  if (isatty (STDERR_FILENO))
    goban_lua_host_set_progress (running, progress_cb, NULL);
  goban_lua_host_set_trusted (running, is_trusted);
  sigaction (SIGINT, &action, NULL);
  goban_file_set_progress (&waiting);
  return running;
}

static void
free_host (GobanLuaHost *host)
{
  running = NULL;
  goban_lua_host_free (host);
}

static int
finish (int exit_code, const GError *error)
{
  goban_cli_progress_end ();
  if (output_error != NULL)
    {
      g_printerr ("goban-cli: %s\n", output_error->message);
      g_clear_error (&output_error);
      return GOBAN_EXIT_FILE;
    }
  if (error != NULL)
    g_printerr ("goban-cli: %s\n", error->message);
  return exit_code;
}

/* Drops a first argument --trust, and returns whether it was there. */
static gboolean
take_trust (int *argc, char ***argv)
{
  if (*argc < 2 || strcmp ((*argv)[1], "--trust") != 0)
    return FALSE;
  (*argv)[1] = (*argv)[0];
  (*argv)++;
  (*argc)--;
  return TRUE;
}

static int
run_script (int argc, char **argv)
{
  gboolean is_trusted = take_trust (&argc, &argv);
  g_autoptr (GError) error = NULL;
  GobanLuaHost *host;
  int exit_code;

  /* Arguments after the script's name belong to the script, options too. */
  if (argc < 2 || strcmp (argv[1], "--help") == 0 || strcmp (argv[1], "-h") == 0)
    {
      const char *text
          = "usage: goban-cli run [--trust] SCRIPT.lua [ARGUMENT…]\n\n"
            "Runs a Lua script; the arguments are its own, in the table arg.\n"
            "“-” reads the script from standard input.\n\n"
            "The script may write files, and read them as text, in the working folder, in\n"
            "its own, and in those that the arguments name. With --trust it may do so\n"
            "everywhere, and start programs (policy.external).\n";

      if (argc >= 2)
        return goban_cli_print (text);
      g_printerr ("goban-cli run: which script?\n%s", text);
      return GOBAN_EXIT_USAGE;
    }

  host = make_host (is_trusted);
  exit_code = goban_lua_host_run_file (host, argv[1], (const char *const *) argv + 2, &error);
  free_host (host);
  return finish (exit_code, error);
}

/* Lua that evaluates @code as a prompt would, an expression or statements, and prints its first
 * value as JSON. The code is quoted by a long bracket of a level that it does not contain. */
static char *
make_json_code (const char *code)
{
  g_autoptr (GString) level = g_string_new ("=");

  for (;;)
    {
      g_autofree char *closing = g_strdup_printf ("]%s]", level->str);

      if (strstr (code, closing) == NULL)
        break;
      g_string_append_c (level, '=');
    }
  return g_strdup_printf ("local code = [%s[\n%s]%s]\n"
                          "local chunk = load ('return ' .. code, '=command line')\n"
                          "if not chunk then\n"
                          "  local why\n"
                          "  chunk, why = load (code, '=command line')\n"
                          "  if not chunk then error (why, 0) end\n"
                          "end\n"
                          "local value, why = chunk ()\n"
                          "if value == nil and type (why) == 'string' then error (why, 0) end\n"
                          "print (json (value))\n",
                          level->str, code, level->str);
}

int
goban_cli_run_code (int argc, char **argv)
{
  gboolean is_trusted = take_trust (&argc, &argv);
  gboolean as_json = argc == 3 && strcmp (argv[1], "--json") == 0;
  const char *code = argv[argc - 1];
  g_autoptr (GError) error = NULL;
  GobanLuaHost *host;
  int exit_code;

  if (argc != 2 && !as_json)
    {
      g_printerr ("usage: goban-cli -e [--trust] [--json] CODE\n");
      return GOBAN_EXIT_USAGE;
    }

  host = make_host (is_trusted);
  if (as_json)
    {
      g_autofree char *wrapped = make_json_code (code);

      exit_code = goban_lua_host_run_string (host, wrapped, "command line", &error);
    }
  else
    exit_code = goban_lua_host_evaluate (host, code, &error);
  free_host (host);
  return finish (exit_code, error);
}

/* One statement, over as many lines as it needs; %FALSE at the end of the input. @code: (out)
 * (transfer full): "" of a statement that was dropped. */
static gboolean
read_statement (GobanLuaHost *host, GobanPrompt *prompt, char **code)
{
  g_autoptr (GString) lines = g_string_new (NULL);
  gboolean goes_on = FALSE;

  for (;;)
    {
      g_autofree char *line = NULL;
      GobanPromptAnswer answer = goban_prompt_read (prompt, goes_on, &line);

      if (answer == GOBAN_PROMPT_END && !goes_on)
        return FALSE;
      if (answer == GOBAN_PROMPT_DROPPED)
        g_string_truncate (lines, 0);
      else if (answer == GOBAN_PROMPT_LINE)
        g_string_append_printf (lines, "%s%s", goes_on ? "\n" : "", line);
      goes_on = TRUE;
      if (answer != GOBAN_PROMPT_LINE || goban_lua_host_is_complete (host, lines->str))
        break;
    }
  *code = g_string_free (g_steal_pointer (&lines), FALSE);
  return TRUE;
}

static int
run_repl (int argc, char **argv)
{
  g_auto (GobanCliOptions) options = { 0 };
  gboolean is_trusted = FALSE;
  const GOptionEntry own[] = {
    { "trust", 0, 0, G_OPTION_ARG_NONE, &is_trusted,
      "Scripts may write and read files everywhere, not in the working folder alone, and start "
      "programs",
      NULL },
    { NULL },
  };
  g_autoptr (GobanPrompt) prompt = NULL;
  GobanLuaHost *host;
  int exit_code = GOBAN_EXIT_OK;

  if (!goban_cli_parse (&goban_verb_repl, &argc, &argv, &options, 0, own, 0, 0))
    return GOBAN_EXIT_USAGE;

  host = make_host (is_trusted);
  prompt = goban_prompt_new (host);
  if (goban_prompt_is_terminal (prompt))
    printf ("Goban " GOBAN_VERSION ": help () tells what there is, Ctrl+D leaves.\n");
  while (!goban_lua_host_is_exiting (host))
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *code = NULL;

      if (!read_statement (host, prompt, &code))
        break;
      n_interrupts = 0;
      exit_code = goban_lua_host_evaluate (host, code, &error);
      if (output_error != NULL)
        break;
      if (error != NULL)
        g_printerr ("%s\n", error->message);
      /* A mistake at the prompt can be mended there, so only os.exit() sets the exit code. */
      if (!goban_lua_host_is_exiting (host))
        exit_code = GOBAN_EXIT_OK;
    }
  if (goban_prompt_is_terminal (prompt))
    printf ("\n");
  g_clear_pointer (&prompt, goban_prompt_free);
  free_host (host);
  return finish (exit_code, NULL);
}

const GobanVerb goban_verb_run
    = { "run", "SCRIPT.lua [ARGS]", "Run a Lua script with arguments", run_script };
const GobanVerb goban_verb_repl = { "repl", "", "Type Lua at a prompt", run_repl };
