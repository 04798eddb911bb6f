/* verb-run.c: the verbs that run Lua: a script, a line of code, a prompt. */
#include "app/cli/cli-fit.h"
#include "app/cli/cli-ranks.h"
#include "app/cli/cli.h"

#include "app/lua/core/lua-paths.h"
#include "app/lua/lua-chunk.h"
#include "app/lua/lua-complete.h"
#include "app/lua/lua-host.h"
#include "app/lua/lua-modules.h"
#include "engine/core/error.h"
#include "engine/core/file-read.h"
#include "engine/core/file.h"

#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef GOBAN_HAS_EDITLINE
#include <histedit.h>
#include <sys/ioctl.h>
#endif

/* An option for the program's own use. */
#define FOLLOW "follow"

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

/* The line of progress of a sweep. */
static void
progress_cb (double fraction, const char *text, gpointer user_data)
{
  if (fraction >= 0)
    goban_progress_step (goban_cli_progress (), fraction, text);
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

/* To the terminal as it is now. */
static void
fit_output (gboolean as_json)
{
  locale_t users = newlocale (LC_CTYPE_MASK, "", (locale_t) 0);
  const char *encoding = users != (locale_t) 0 ? nl_langinfo_l (CODESET, users) : "";

  goban_lua_host_set_terminal (running, goban_cli_get_width (STDOUT_FILENO),
                               !g_str_equal (encoding, "UTF-8"), as_json);
  if (users != (locale_t) 0)
    freelocale (users);
}

/* A host whose script Ctrl+C stops. */
static GobanLuaHost *
make_host (gboolean is_trusted, gboolean as_json)
{
  static const GobanProgress waiting = { NULL, is_interrupted, NULL };
  g_autoptr (GobanSession) session = goban_session_new ();
  struct sigaction action = { .sa_handler = interrupt_cb };

  running = goban_lua_host_new (session, goban_lua_open_modules);
  goban_lua_host_set_output (running, print_cb, NULL, NULL);
  goban_cli_progress (); /* its handler of signals gives way to ours */
  goban_lua_host_set_progress (running, progress_cb, NULL);
  goban_lua_host_set_trusted (running, is_trusted);
  fit_output (as_json);
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

/* For the verbs that run Lua. @is_trusted: gboolean */
#define TRUST_OPTION(is_trusted)                                                                   \
  {                                                                                                \
    "trust", 0, 0, G_OPTION_ARG_NONE, is_trusted,                                                  \
        "Scripts may write files, and read them as text, everywhere, and start programs; without " \
        "it in the working folder, in their own, and in those that their arguments name",          \
        NULL                                                                                       \
  }

/* The script of @argv again, as another process: scripts/prelude/sweep.lua. */
static void
set_followers (GobanLuaHost *host, char **argv, gboolean is_trusted)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL); /* NULL is told there */
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  g_auto (GStrv) list = NULL;

  if (program == NULL || strcmp (argv[1], "-") == 0)
    return;
  g_strv_builder_add_many (words, program, "run", NULL);
  if (is_trusted)
    g_strv_builder_add (words, "--trust");
  g_strv_builder_add (words, "--" FOLLOW);
  g_strv_builder_addv (words, (const char **) argv + 1);
  list = g_strv_builder_end (words);
  goban_lua_host_set_followers (host, (const char *const *) list);
}

static int
run_script (int argc, char **argv)
{
  g_auto (GobanCliOptions) options = { 0 };
  gboolean is_trusted = FALSE, follows = FALSE;
  const GOptionEntry own[]
      = { TRUST_OPTION (&is_trusted),
          { FOLLOW, 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &follows, NULL, NULL },
          { NULL } };
  g_autoptr (GError) error = NULL;
  GobanLuaHost *host;
  int exit_code;

  if (!goban_cli_parse (&goban_verb_run, &argc, &argv, &options, GOBAN_CLI_REST, own, 1, G_MAXINT))
    return GOBAN_EXIT_USAGE;

  host = make_host (is_trusted, FALSE);
  if (follows)
    goban_lua_host_set_followers (host, NULL);
  else if (goban_cli_get_ranks () != NULL)
    goban_lua_host_set_ranks (host, goban_cli_get_ranks ());
  else
    set_followers (host, argv, is_trusted);
  exit_code = goban_lua_host_run_file (host, argv[1], (const char *const *) argv + 2, &error);
  free_host (host);
  return finish (exit_code, error);
}

int
goban_cli_run_code (int argc, char **argv)
{
  gboolean is_trusted = FALSE, as_json = FALSE, is_known = argc > 1;
  g_autoptr (GError) error = NULL;
  GobanLuaHost *host;
  int exit_code;

  for (int i = 1; i < argc - 1; i++)
    {
      gboolean is_trust = strcmp (argv[i], "--trust") == 0;
      gboolean is_json = strcmp (argv[i], "--json") == 0;

      is_trusted |= is_trust;
      as_json |= is_json;
      is_known &= is_trust || is_json;
    }
  if (!is_known)
    {
      g_printerr ("usage: goban-cli -e [--trust] [--json] CODE\n");
      return GOBAN_EXIT_USAGE;
    }

  host = make_host (is_trusted, as_json);
  exit_code = goban_lua_host_evaluate (host, argv[argc - 1], &error);
  free_host (host);
  return finish (exit_code, error);
}

/* --- typed lines ------------------------------------------------------------------------------ */

typedef enum
{
  PROMPT_LINE,
  PROMPT_DROPPED, /* Ctrl+C: what was typed so far is not meant */
  PROMPT_END,     /* of the input */
} PromptAnswer;

/* Lines that are typed: with editing, completion and a history on a terminal, else plain ones. */
typedef struct
{
  GobanLuaHost *host;
  gboolean goes_on;
#ifdef GOBAN_HAS_EDITLINE
  EditLine *editor; /* NULL where nobody types */
  History *history;
  char *path; /* (nullable): of the history, if it may be written */
  gboolean is_dropped;
#endif
} Prompt;

/* Whether somebody types. */
static gboolean
is_terminal (void)
{
  return isatty (STDIN_FILENO) && isatty (STDOUT_FILENO);
}

#ifdef GOBAN_HAS_EDITLINE

#define HISTORY_LINES 2000
#define MOST_LISTED 200
#define USUAL_WIDTH 80

static Prompt *
prompt_of (EditLine *editor)
{
  Prompt *self = NULL;

  el_get (editor, EL_CLIENTDATA, &self);
  return self;
}

static char *
prompt_cb (EditLine *editor)
{
  static char first[] = "> ", other[] = ".. ";

  return prompt_of (editor)->goes_on ? other : first;
}

/* --- completion ------------------------------------------------------------------------------- */

/* In bytes, of whole characters. */
static gsize
find_common (char *const *answers)
{
  gsize n = strlen (answers[0]);

  for (guint i = 1; answers[i] != NULL; i++)
    for (gsize k = 0; k < n; k++)
      if (answers[i][k] != answers[0][k])
        n = k;
  while (n > 0 && (answers[0][n] & 0xc0) == 0x80)
    n--;
  return n;
}

/* In columns of the terminal, below the line. */
static void
list_answers (char *const *answers)
{
  struct winsize size = { 0 };
  guint n = MIN (g_strv_length ((char **) answers), MOST_LISTED), width = 0, n_columns, n_rows;

  for (guint i = 0; i < n; i++)
    width = MAX (width, (guint) g_utf8_strlen (answers[i], -1));
  if (ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    size.ws_col = USUAL_WIDTH;
  n_columns = MAX (1, size.ws_col / (width + 2));
  n_rows = (n + n_columns - 1) / n_columns;
  putchar ('\n');
  for (guint row = 0; row < n_rows; row++)
    {
      for (guint i = row; i < n; i += n_rows)
        printf ("%s%*s", answers[i],
                i + n_rows < n ? (int) (width + 2 - (guint) g_utf8_strlen (answers[i], -1)) : 0,
                "");
      putchar ('\n');
    }
  if (answers[n] != NULL)
    puts ("…");
  fflush (stdout);
}

static unsigned char
complete_cb (EditLine *editor, wint_t key)
{
  Prompt *self = prompt_of (editor);
  const LineInfo *info = el_line (editor);
  g_autofree char *text = g_strndup (info->buffer, (gsize) (info->cursor - info->buffer));
  gsize start, cursor = strlen (text), common;
  g_auto (GStrv) answers = goban_lua_host_complete (self->host, text, cursor, &start, NULL);
  g_autofree char *rest = NULL;

  if (answers[0] == NULL)
    return CC_REFRESH_BEEP;
  common = find_common (answers);
  if (common > cursor - start || answers[1] == NULL)
    {
      rest = g_strndup (answers[0], common);
      el_deletestr (editor, (int) g_utf8_strlen (text + start, -1));
      return el_insertstr (editor, rest) == 0 ? CC_REFRESH : CC_REFRESH_BEEP;
    }
  list_answers (answers);
  return CC_REDISPLAY;
}

/* --- keys ------------------------------------------------------------------------------------- */

static unsigned char
drop_cb (EditLine *editor, wint_t key)
{
  prompt_of (editor)->is_dropped = TRUE;
  puts ("^C");
  fflush (stdout);
  return CC_EOF;
}

/* --- construction and disposal ---------------------------------------------------------------- */

/* A history that cannot be read is not overwritten. */
static void
open_history (Prompt *self)
{
  g_autofree char *folder = g_build_filename (g_get_user_state_dir (), "goban", NULL);
  g_autofree char *path = g_build_filename (folder, "prompt-history", NULL);
  HistEvent event;

  self->history = history_init ();
  history (self->history, &event, H_SETSIZE, HISTORY_LINES);
  history (self->history, &event, H_SETUNIQUE, 1);
  if (g_file_test (path, G_FILE_TEST_EXISTS) && history (self->history, &event, H_LOAD, path) < 0)
    return;
  if (g_mkdir_with_parents (folder, 0700) == 0)
    self->path = g_steal_pointer (&path);
}

static void
open_editor (Prompt *self)
{
  /* Text that is typed is in the terminal's encoding; numbers keep their points. */
  setlocale (LC_CTYPE, "");
  self->editor = el_init ("goban-cli", stdin, stdout, stderr);
  if (self->editor == NULL)
    return;
  open_history (self);
  el_set (self->editor, EL_CLIENTDATA, self);
  el_set (self->editor, EL_PROMPT, prompt_cb);
  el_set (self->editor, EL_EDITOR, "emacs");
  el_set (self->editor, EL_HIST, history, self->history);
  el_set (self->editor, EL_SIGNAL, 1); /* of a window that changes its size */
  /* Wide texts: libedit copies narrow ones, and loses the copies. */
  el_wset (self->editor, EL_ADDFN, L"goban-complete", L"Complete the word", complete_cb);
  el_wset (self->editor, EL_ADDFN, L"goban-drop", L"Drop the statement", drop_cb);
  el_set (self->editor, EL_BIND, "\t", "goban-complete", NULL);
  el_set (self->editor, EL_BIND, "^R", "em-inc-search-prev", NULL);
  el_set (self->editor, EL_SETTY, "-d", "-isig", NULL); /* Ctrl+C is a key while a line is typed */
  el_set (self->editor, EL_BIND, "^C", "goban-drop", NULL);
  el_source (self->editor, NULL);
}

static PromptAnswer
edit_line (Prompt *self, char **line)
{
  int n = 0;
  const char *typed;

  self->is_dropped = FALSE;
  typed = el_gets (self->editor, &n);
  if (self->is_dropped)
    return PROMPT_DROPPED;
  if (typed == NULL || n <= 0)
    return PROMPT_END;
  *line = g_strndup (typed, (gsize) n);
  g_strchomp (*line);
  return PROMPT_LINE;
}
#endif

/* The host completes. The history is that of the last prompts of this user. */
static Prompt *
prompt_new (GobanLuaHost *host)
{
  Prompt *self = g_new0 (Prompt, 1);

  self->host = host;
#ifdef GOBAN_HAS_EDITLINE
  if (is_terminal ())
    open_editor (self);
#endif
  return self;
}

static void
prompt_free (Prompt *self)
{
#ifdef GOBAN_HAS_EDITLINE
  HistEvent event;

  if (self->path != NULL)
    history (self->history, &event, H_SAVE, self->path);
  if (self->editor != NULL)
    el_end (self->editor);
  if (self->history != NULL)
    history_end (self->history);
  g_free (self->path);
#endif
  g_free (self);
}

/* @goes_on: it is not the first line of a statement. @line: (out) (transfer full): without its end;
 * NULL unless there is one. */
static PromptAnswer
prompt_read (Prompt *self, gboolean goes_on, char **line)
{
  size_t size = 0;
  ssize_t length;
  char *bytes = NULL;

  *line = NULL;
  self->goes_on = goes_on;
#ifdef GOBAN_HAS_EDITLINE
  if (self->editor != NULL)
    return edit_line (self, line);
#endif
  if (is_terminal ())
    fputs (goes_on ? ".. " : "> ", stdout);
  fflush (stdout);
  length = getline (&bytes, &size, stdin);
  if (length >= 0)
    *line = g_strndup (bytes,
                       (gsize) (length > 0 && bytes[length - 1] == '\n' ? length - 1 : length));
  free (bytes);
  return length >= 0 ? PROMPT_LINE : PROMPT_END;
}

/* A statement is one entry of the history, however many lines it has: Up gives them all back. */
static void
prompt_remember (Prompt *self, const char *statement)
{
#ifdef GOBAN_HAS_EDITLINE
  HistEvent event;

  if (self->editor != NULL && *statement != '\0')
    history (self->history, &event, H_ENTER, statement);
#endif
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Prompt, prompt_free)

/* One statement, over as many lines as it needs; %FALSE at the end of the input. @code: (out)
 * (transfer full): "" of a statement that was dropped. */
static gboolean
read_statement (GobanLuaHost *host, Prompt *prompt, char **code)
{
  g_autoptr (GString) lines = g_string_new (NULL);
  gboolean goes_on = FALSE;

  for (;;)
    {
      g_autofree char *line = NULL;
      PromptAnswer answer = prompt_read (prompt, goes_on, &line);

      if (answer == PROMPT_END && !goes_on)
        return FALSE;
      if (answer == PROMPT_DROPPED)
        g_string_truncate (lines, 0);
      else if (answer == PROMPT_LINE)
        g_string_append_printf (lines, "%s%s", goes_on ? "\n" : "", line);
      goes_on = TRUE;
      if (answer != PROMPT_LINE || goban_lua_host_is_complete (host, lines->str))
        break;
    }
  prompt_remember (prompt, lines->str);
  *code = g_string_free (g_steal_pointer (&lines), FALSE);
  return TRUE;
}

static int
run_repl (int argc, char **argv)
{
  g_auto (GobanCliOptions) options = { 0 };
  gboolean is_trusted = FALSE;
  const GOptionEntry own[] = { TRUST_OPTION (&is_trusted), { NULL } };
  g_autoptr (Prompt) prompt = NULL;
  GobanLuaHost *host;
  int exit_code = GOBAN_EXIT_OK;

  if (!goban_cli_parse (&goban_verb_repl, &argc, &argv, &options, 0, own, 0, 0))
    return GOBAN_EXIT_USAGE;

  host = make_host (is_trusted, options.json);
  prompt = prompt_new (host);
  if (is_terminal ())
    printf ("Goban " GOBAN_VERSION ": help () tells what there is, Ctrl+D leaves.\n");
  while (!goban_lua_host_is_exiting (host))
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *code = NULL;

      if (!read_statement (host, prompt, &code))
        break;
      n_interrupts = 0;
      fit_output (options.json);
      exit_code = goban_lua_host_evaluate (host, code, &error);
      if (output_error != NULL)
        break;
      if (error != NULL)
        g_printerr ("%s\n", error->message);
      /* A mistake at the prompt can be mended there, so only os.exit() sets the exit code. */
      if (!goban_lua_host_is_exiting (host))
        exit_code = GOBAN_EXIT_OK;
    }
  if (is_terminal ())
    printf ("\n");
  g_clear_pointer (&prompt, prompt_free);
  free_host (host);
  return finish (exit_code, NULL);
}

const GobanVerb goban_verb_run
    = { "run", "SCRIPT.lua [ARGS]",
        "Run a Lua script (- is standard input); the arguments are its own, in the table arg",
        run_script };
const GobanVerb goban_verb_repl = { "repl", "", "Type Lua at a prompt", run_repl };
