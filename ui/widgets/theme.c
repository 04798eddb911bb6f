#include "ui/widgets/theme.h"

GobanTheme
goban_theme_of (GtkWidget *widget)
{
  gboolean is_dark = FALSE;

  g_object_get (gtk_widget_get_settings (widget), "gtk-application-prefer-dark-theme", &is_dark,
                NULL);
  return is_dark ? GOBAN_THEME_DARK : GOBAN_THEME_LIGHT;
}

void
goban_theme_follow (GtkWidget *widget, GCallback changed)
{
  g_signal_connect_object (gtk_widget_get_settings (widget),
                           "notify::gtk-application-prefer-dark-theme", changed, widget,
                           G_CONNECT_SWAPPED);
  ((void (*) (GtkWidget *)) changed) (widget);
}
