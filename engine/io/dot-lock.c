#include "engine/io/dot-lock.h"

#include "engine/base/error.h"

#include <graphviz/cgraph.h>
#include <string.h>

static GMutex mutex;
static GString *gathered; /* guarded by mutex */
static agusererrf previous;

static int
gather (char *text)
{
  g_string_append (gathered, text);
  return 0;
}

void
goban_dot_lock (void)
{
  g_mutex_lock (&mutex);
  gathered = g_string_new (NULL);
  previous = agseterrf (gather);
}

char *
goban_dot_unlock (void)
{
  char *text = g_string_free (gathered, FALSE);

  gathered = NULL;
  agseterrf (previous);
  agreseterrors ();
  g_mutex_unlock (&mutex);
  return text;
}

/* cgraph keeps what follows the first graph for the next call, which would then begin with the
 * end of another file. Reading nothing takes that, and fails once all of it is gone. */
Agraph_t *
goban_dot_parse (const char *text)
{
  Agraph_t *dot = agmemread (text);
  gsize heard = gathered->len;
  Agraph_t *rest;

  while (dot != NULL && (rest = agmemread ("")) != NULL)
    agclose (rest);
  g_string_truncate (gathered, heard);
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
      g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE, "%s: %s", path,
                   *text != '\0' ? text : "there is no graph in it");
      return;
    }
  *line = '\0';
  g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_PARSE, "%s:%" G_GUINT64_FORMAT ": %s%s", path,
               number, text, rest);
}
