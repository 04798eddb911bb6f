#include "app/cli/prompt.h"

#include "app/lua/lua-complete.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef GOBAN_HAS_EDITLINE
#include <histedit.h>
#include <locale.h>
#include <sys/ioctl.h>
#endif

struct _GobanPrompt
{
  GobanLuaHost *host;
  gboolean goes_on;
#ifdef GOBAN_HAS_EDITLINE
  EditLine *editor; /* NULL where nobody types */
  History *history;
  char *path; /* (nullable): of the history, if it may be written */
  gboolean is_dropped;
#endif
};

#ifdef GOBAN_HAS_EDITLINE

#define HISTORY_LINES 2000
#define MOST_LISTED 200
#define USUAL_WIDTH 80

static GobanPrompt *
prompt_of (EditLine *editor)
{
  GobanPrompt *self = NULL;

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
complete_cb (EditLine *editor, int key)
{
  GobanPrompt *self = prompt_of (editor);
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
drop_cb (EditLine *editor, int key)
{
  prompt_of (editor)->is_dropped = TRUE;
  puts ("^C");
  fflush (stdout);
  return CC_EOF;
}

/* --- construction and disposal ---------------------------------------------------------------- */

/* A history that cannot be read is not overwritten. */
static void
open_history (GobanPrompt *self)
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
open_editor (GobanPrompt *self)
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
  el_set (self->editor, EL_ADDFN, "goban-complete", "Complete the word", complete_cb);
  el_set (self->editor, EL_ADDFN, "goban-drop", "Drop the statement", drop_cb);
  el_set (self->editor, EL_BIND, "\t", "goban-complete", NULL);
  el_set (self->editor, EL_BIND, "^R", "em-inc-search-prev", NULL);
  el_set (self->editor, EL_SETTY, "-d", "-isig", NULL); /* Ctrl+C is a key while a line is typed */
  el_set (self->editor, EL_BIND, "^C", "goban-drop", NULL);
  el_source (self->editor, NULL);
}

static GobanPromptAnswer
edit_line (GobanPrompt *self, char **line)
{
  HistEvent event;
  int n = 0;
  const char *typed;

  self->is_dropped = FALSE;
  typed = el_gets (self->editor, &n);
  if (self->is_dropped)
    return GOBAN_PROMPT_DROPPED;
  if (typed == NULL || n <= 0)
    return GOBAN_PROMPT_END;
  *line = g_strndup (typed, (gsize) n);
  g_strchomp (*line);
  if (**line != '\0')
    history (self->history, &event, H_ENTER, *line);
  return GOBAN_PROMPT_LINE;
}
#endif

GobanPrompt *
goban_prompt_new (GobanLuaHost *host)
{
  GobanPrompt *self = g_new0 (GobanPrompt, 1);

  self->host = host;
#ifdef GOBAN_HAS_EDITLINE
  if (goban_prompt_is_terminal (self))
    open_editor (self);
#endif
  return self;
}

void
goban_prompt_free (GobanPrompt *self)
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

gboolean
goban_prompt_is_terminal (const GobanPrompt *self)
{
  return isatty (STDIN_FILENO) && isatty (STDOUT_FILENO);
}

GobanPromptAnswer
goban_prompt_read (GobanPrompt *self, gboolean goes_on, char **line)
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
  if (goban_prompt_is_terminal (self))
    fputs (goes_on ? ".. " : "> ", stdout);
  fflush (stdout);
  length = getline (&bytes, &size, stdin);
  if (length >= 0)
    *line = g_strndup (bytes,
                       (gsize) (length > 0 && bytes[length - 1] == '\n' ? length - 1 : length));
  free (bytes);
  return length >= 0 ? GOBAN_PROMPT_LINE : GOBAN_PROMPT_END;
}
