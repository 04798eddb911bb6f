#include "engine/core/error.h"

#include "engine/core/i18n.h"

G_DEFINE_QUARK (goban_error_quark, goban_error)

/* Names in a file may be any bytes; messages are UTF-8. */
static void set_error (GError **error, GobanError code, const char *format, va_list args)
    G_GNUC_PRINTF (3, 0);

static void
set_error (GError **error, GobanError code, const char *format, va_list args)
{
  g_autofree char *text = g_strdup_vprintf (_ (format), args);
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  g_propagate_error (error, g_error_new_literal (GOBAN_ERROR, code, valid));
}

gboolean
goban_refuse (GError **error, GobanError code, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  set_error (error, code, format, args);
  va_end (args);
  return FALSE;
}

void
goban_set_error (GError **error, GobanError code, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  set_error (error, code, format, args);
  va_end (args);
}
