#include "engine/io/dot/dot-lock.h"

#include "engine/core/error.h"
#include "engine/core/file-read.h"
#include "engine/core/i18n.h"

#include <graphviz/cgraph.h>
#include <inttypes.h>
#include <string.h>

/* Interval between checks for cancellation. */
#define WAIT_US 2000
/* Bytes of a text that are dropped before the next check for cancellation. */
#define STEP_BYTES ((gsize) 1 << 18)

static GMutex mutex;
static GString *gathered; /* guarded by mutex */
static agusererrf previous;

static int
gather (char *text)
{
  g_string_append (gathered, text);
  return 0;
}

gboolean
goban_dot_lock (const GobanProgress *progress, GError **error)
{
  while (!g_mutex_trylock (&mutex))
    {
      if (!goban_progress_check (progress, error))
        return FALSE;
      g_usleep (WAIT_US);
    }
  gathered = g_string_new (NULL);
  previous = agseterrf (gather);
  return TRUE;
}

char *
goban_dot_unlock (void)
{
  g_autofree char *raw = g_string_free (gathered, FALSE);
  /* It quotes a few bytes of the input, and may cut a character in two. */
  char *text = g_utf8_make_valid (raw, -1);

  gathered = NULL;
  agseterrf (previous);
  agreseterrors ();
  g_mutex_unlock (&mutex);
  return text;
}

/* A text with a syntax error that leaves the scanner in its initial state, whatever state it was
 * in: the quote ends a string, or belongs to a comment; then come the ends of a comment, of a
 * comment in markup and of @n_open angle brackets. The rest begins no graph. */
static char *
make_wrong_text (guint n_open)
{
  g_autofree char *brackets = g_strnfill (n_open + 1, '>');

  return g_strconcat ("/*\"*/-->", brackets, " }", NULL);
}

/* A text and what cgraph has read of it. */
typedef struct
{
  const char *at, *end;
  const char *step; /* begins here */
  const GobanReadOptions *options;
  GError *error; /* set if it ended early */
} Source;

/* FALSE if the reading is to end. */
static gboolean
end_step (Source *self)
{
  if (self->options->may_forget)
    goban_file_forget (self->step, self->at);
  self->step = self->at;
  return goban_progress_check (self->options->progress, &self->error);
}

/* Up to a line, as agmemread() does, and nothing at the end. */
static int
read_line (void *data, char *buffer, int room)
{
  Source *self = data;
  gsize left = MIN ((gsize) (self->end - self->at), (gsize) MAX (room, 0));
  const char *line_end;
  gsize n;

  if (left == 0 || self->error != NULL
      || ((gsize) (self->at - self->step) >= STEP_BYTES && !end_step (self)))
    return 0;
  line_end = memchr (self->at, '\n', left);
  n = line_end != NULL ? (gsize) (line_end - self->at) + 1 : left;

  memcpy (buffer, self->at, n);
  self->at += n;
  return (int) n;
}

static Agraph_t *
parse_text (Source *source)
{
  static Agiodisc_t io = { .afread = read_line };
  Agdisc_t functions = AgDefaultDisc;
  Agraph_t *dot;

  functions.io = &io;
  dot = agread (source, &functions);
  if (dot != NULL && source->error != NULL)
    g_clear_pointer (&dot, agclose);
  return dot;
}

/* cgraph's scanner keeps the text after a graph, and whether that ended within a string or a
 * comment, for its next call: a text would begin with the end of another file. Only a syntax error
 * makes it forget both, so one is made; whole graphs may come before it. */
Agraph_t *
goban_dot_parse (const char *text, gsize size, const GobanReadOptions *options, GError **error)
{
  Source source = { text, text + size, text, options, NULL };
  guint n_open = 0;
  g_autofree char *wrong = NULL;
  Agraph_t *dot, *rest;
  gsize heard;

  for (gsize i = 0; i < size; i++)
    n_open += text[i] == '<';
  agreseterrors ();
  dot = parse_text (&source);
  /* After some errors, such as a full stack of its parser, it returns a part of the graph. */
  if (dot != NULL && agerrors () >= AGERR)
    g_clear_pointer (&dot, agclose);
  heard = gathered->len;
  wrong = make_wrong_text (n_open);
  while ((rest = agmemread (wrong)) != NULL)
    agclose (rest);
  g_string_truncate (gathered, heard);
  if (source.error != NULL)
    g_propagate_error (error, source.error);
  return dot;
}

/* cgraph says "Error: syntax error in line 3 near '...'", perhaps after warnings: the line is
 * moved to the front. */
void
goban_dot_set_syntax_error (const char *path, const char *messages, GError **error)
{
  const char *found = strstr (messages, "Error: ");
  g_autofree char *text = g_strdup (found != NULL ? found + strlen ("Error: ") : messages);
  char *line, *rest;
  guint64 number;

  text[strcspn (text, "\n")] = '\0';
  line = strstr (text, " in line ");
  if (line == NULL || (number = g_ascii_strtoull (line + strlen (" in line "), &rest, 10)) == 0)
    {
      goban_set_error (error, GOBAN_ERROR_PARSE, "%s: %s", path,
                       *text != '\0' ? text : "there is no graph in it");
      return;
    }
  *line = '\0';
  /* 10us and 2e6 are two names each to DOT: a number, and what stands behind it. */
  goban_set_error (error, GOBAN_ERROR_PARSE, "%s:%" PRIu64 ": %s%s%s", path, number, text, rest,
                   strstr (messages, "badly delimited number") != NULL
                       ? _ ("; values such as \"10us\" or \"2e6\" need quotes")
                       : "");
}
