#include "ui/widgets/signals.h"

void
goban_signal_add (gpointer klass, const char *name, guint n_params, ...)
{
  va_list types;

  va_start (types, n_params);
  g_signal_new_valist (name, G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, NULL, NULL, NULL, NULL,
                       G_TYPE_NONE, n_params, types);
  va_end (types);
}
