#include "engine/session/session-log.h"

#include "engine/core/i18n.h"
#include "engine/core/lua-text.h"
#include "engine/session/session-private.h"
#include "engine/study/log/set-description.h"

#include <string.h>

void
goban_session_say (GobanSession *self, gboolean is_error, const char *format, ...)
{
  g_autofree char *text = NULL;
  g_autofree char *shown = NULL;
  va_list args;

  va_start (args, format);
  /* Formatting 10 MB takes a tenth of a second. */
  text = g_str_equal (format, "%s") ? g_strdup (va_arg (args, const char *))
                                    : g_strdup_vprintf (_ (format), args);
  va_end (args);
  /* File names need not be UTF-8, but displayed text must be. Long texts are not copied for it. */
  if (!g_utf8_validate (text, -1, NULL))
    shown = g_utf8_make_valid (text, -1);
  g_signal_emit_by_name (self, "message", is_error, shown != NULL ? shown : text);
}

/* --- the log ---------------------------------------------------------------------------------- */

/* A line without its text: to find the shortest expression of nodes, or to quote long notes, takes
 * time, and it may never be read. */
typedef struct
{
  guint line;
  GRefString *notes; /* (nullable): nothing below is set if this is */
  char *before;      /* the expression */
  GobanGraph *graph;
  GobanSelection *nodes;
  GobanRunSource *run; /* (nullable): in view when it was logged; a run would keep its trace */
  char *after;
} Unworded;

static void
unworded_free (gpointer data)
{
  Unworded *self = data;

  g_clear_pointer (&self->notes, g_ref_string_release);
  g_clear_pointer (&self->graph, goban_graph_unref);
  g_clear_pointer (&self->nodes, goban_selection_unref);
  g_clear_pointer (&self->run, goban_run_source_unref);
  g_free (self->before);
  g_free (self->after);
  g_free (self);
}

void
goban_session_log (GobanSession *self, const char *lua)
{
  g_return_if_fail (GOBAN_IS_SESSION (self) && lua != NULL);

  g_ptr_array_add (self->log, g_strdup (lua));
  g_signal_emit_by_name (self, "log", self->log->len - 1);
}

/* Adds a line that @unworded (transfer full) will be the text of. */
static void
log_unworded (GobanSession *self, Unworded *unworded)
{
  unworded->line = self->log->len;
  if (self->unworded == NULL)
    self->unworded = g_ptr_array_new_with_free_func (unworded_free);
  g_ptr_array_add (self->unworded, unworded);
  g_ptr_array_add (self->log, NULL);
  g_signal_emit_by_name (self, "log", unworded->line);
}

void
goban_session_log_notes (GobanSession *self)
{
  Unworded *unworded;

  g_return_if_fail (GOBAN_IS_SESSION (self));

  unworded = g_new0 (Unworded, 1);
  unworded->notes = g_ref_string_acquire (self->notes);
  log_unworded (self, unworded);
}

void
goban_session_log_nodes (GobanSession *self, const char *before, GobanSelection *nodes,
                         GobanRun *run, const char *after)
{
  Unworded *unworded;

  g_return_if_fail (GOBAN_IS_SESSION (self) && self->graph != NULL && nodes != NULL);

  unworded = g_new0 (Unworded, 1);
  unworded->before = g_strdup (before);
  unworded->graph = goban_graph_ref (self->graph);
  unworded->nodes = goban_selection_ref (nodes);
  unworded->run = run != NULL ? goban_run_source_ref (goban_run_get_source (run)) : NULL;
  unworded->after = g_strdup (after);
  log_unworded (self, unworded);
}

/* (transfer full) */
static char *
word_notes (const char *notes)
{
  GString *line = g_string_new ("app.notes ");

  goban_lua_text_append (line, notes);
  return g_string_free (line, FALSE);
}

/* (transfer full) */
static char *
word (GobanSession *self, const Unworded *unworded)
{
  g_autofree char *what = NULL;

  if (unworded->notes != NULL)
    return word_notes (unworded->notes);
  what = goban_set_description_to_lua (goban_view_get_words (self->view), unworded->graph,
                                       unworded->nodes, unworded->run);
  return g_strconcat (unworded->before, what, unworded->after, NULL);
}

const GPtrArray *
goban_session_get_log (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  /* An expression is exact whenever it is made: a query counts only in the run that was in view. */
  for (guint i = 0; self->unworded != NULL && i < self->unworded->len; i++)
    {
      const Unworded *unworded = g_ptr_array_index (self->unworded, i);

      g_ptr_array_index (self->log, unworded->line) = word (self, unworded);
    }
  g_clear_pointer (&self->unworded, g_ptr_array_unref);
  return self->log;
}

char *
goban_session_dup_log_start (GobanSession *self, guint line, gsize max_bytes)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self) && line < self->log->len, NULL);

  for (guint i = 0; self->unworded != NULL && i < self->unworded->len; i++)
    {
      const Unworded *unworded = g_ptr_array_index (self->unworded, i);
      gsize n = unworded->line == line && unworded->notes != NULL
                    ? strnlen (unworded->notes, max_bytes + 1)
                    : 0;

      if (n > max_bytes)
        {
          const char *end = g_utf8_find_prev_char (unworded->notes, unworded->notes + n);
          g_autofree char *start = g_strndup (unworded->notes, (gsize) (end - unworded->notes));
          g_autofree char *worded = word_notes (start);

          worded[strlen (worded) - 1] = '\0'; /* no end of the text */
          return g_strconcat (worded, "…", NULL);
        }
    }
  return g_strdup (g_ptr_array_index (goban_session_get_log (self), line));
}

void
goban_session_zoom (GobanSession *self, const char *what)
{
  g_return_if_fail (GOBAN_IS_SESSION (self));

  g_signal_emit_by_name (self, "zoom", what);
}

void
goban_session_log_line (GobanSession *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  goban_session_log (self, text);
}
