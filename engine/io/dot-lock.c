#include "engine/io/dot-lock.h"

#include <graphviz/cgraph.h>

static GMutex mutex;
static GString *messages; /* guarded by mutex */
static agusererrf previous;

static int
gather (char *text)
{
  g_string_append (messages, text);
  return 0;
}

void
goban_dot_lock (void)
{
  g_mutex_lock (&mutex);
  messages = g_string_new (NULL);
  previous = agseterrf (gather);
}

char *
goban_dot_unlock (void)
{
  char *text = g_string_free (messages, FALSE);

  messages = NULL;
  agseterrf (previous);
  agreseterrors ();
  g_mutex_unlock (&mutex);
  return text;
}
