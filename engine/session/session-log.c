#include "engine/session/session-log.h"

#include "engine/core/i18n.h"
#include "engine/session/session-private.h"

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

void
goban_session_log (GobanSession *self, const char *lua)
{
  g_return_if_fail (GOBAN_IS_SESSION (self) && lua != NULL);

  g_ptr_array_add (self->log, g_strdup (lua));
  g_signal_emit_by_name (self, "log", lua);
}

const GPtrArray *
goban_session_get_log (GobanSession *self)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (self), NULL);

  return self->log;
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
