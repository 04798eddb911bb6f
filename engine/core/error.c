#include "engine/core/error.h"

#include "engine/core/i18n.h"

G_DEFINE_QUARK (goban_error_quark, goban_error)

gboolean
goban_refuse (GError **error, GobanError code, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_propagate_error (error, g_error_new_valist (GOBAN_ERROR, code, _ (format), args));
  va_end (args);
  return FALSE;
}

void
goban_set_error (GError **error, GobanError code, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_propagate_error (error, g_error_new_valist (GOBAN_ERROR, code, _ (format), args));
  va_end (args);
}
