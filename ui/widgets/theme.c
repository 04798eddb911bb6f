#include "ui/widgets/theme.h"

#include <string.h>

/* Pango's resolution without a text scale. */
#define BASE_DPI 96.0

static const char *const followed[] = { "notify::gtk-application-prefer-dark-theme",
                                        "notify::gtk-theme-name", "notify::gtk-xft-dpi" };

/* "HighContrastInverse"; the variable takes precedence, as in GTK. (transfer full) */
static char *
dup_theme_name (GtkSettings *settings)
{
  const char *variable = g_getenv ("GTK_THEME");
  char *name = NULL;

  if (variable != NULL && *variable != '\0')
    return g_strdup (variable);
  g_object_get (settings, "gtk-theme-name", &name, NULL);
  return name != NULL ? name : g_strdup ("");
}

GobanTheme
goban_theme_of (GtkWidget *widget)
{
  GtkSettings *settings = gtk_widget_get_settings (widget);
  g_autofree char *name = dup_theme_name (settings);
  gboolean is_high_contrast
      = g_str_has_prefix (name, "HighContrast") || g_str_has_prefix (name, "Default-hc");
  gboolean is_dark = FALSE;

  g_object_get (settings, "gtk-application-prefer-dark-theme", &is_dark, NULL);
  is_dark = is_dark || strstr (name, "Inverse") != NULL || g_str_has_suffix (name, "dark");
  if (is_high_contrast)
    return is_dark ? GOBAN_THEME_HIGH_CONTRAST_INVERSE : GOBAN_THEME_HIGH_CONTRAST;
  return is_dark ? GOBAN_THEME_DARK : GOBAN_THEME_LIGHT;
}

/* GTK has a style for it, but not under this name, by which desktops choose it. */
static void
follow_inverse (GtkSettings *settings, GParamSpec *property, GtkStyleProvider *inverse)
{
  g_autofree char *name = dup_theme_name (settings);
  GdkDisplay *display = gdk_display_get_default ();

  if (g_str_equal (name, "HighContrastInverse"))
    gtk_style_context_add_provider_for_display (display, inverse,
                                                GTK_STYLE_PROVIDER_PRIORITY_SETTINGS + 1);
  else
    gtk_style_context_remove_provider_for_display (display, inverse);
}

void
goban_theme_init (void)
{
  GtkSettings *settings = gtk_settings_get_default ();
  GtkCssProvider *inverse = gtk_css_provider_new ();

  gtk_css_provider_load_named (inverse, "Default", "hc-dark");
  g_object_set_data_full (G_OBJECT (settings), "goban-inverse", inverse, g_object_unref);
  g_signal_connect_object (settings, "notify::gtk-theme-name", G_CALLBACK (follow_inverse), inverse,
                           0);
  follow_inverse (settings, NULL, GTK_STYLE_PROVIDER (inverse));
}

double
goban_text_scale_of (GtkWidget *widget)
{
  int dpi = -1;

  g_object_get (gtk_widget_get_settings (widget), "gtk-xft-dpi", &dpi, NULL);
  return dpi > 0 ? CLAMP (dpi / (1024 * BASE_DPI), 0.5, 4) : 1;
}

void
goban_theme_connect (GtkWidget *widget, gpointer object, GCallback changed)
{
  for (gsize i = 0; i < G_N_ELEMENTS (followed); i++)
    g_signal_connect_object (gtk_widget_get_settings (widget), followed[i], changed, object,
                             G_CONNECT_SWAPPED);
}

void
goban_theme_follow (GtkWidget *widget, GCallback changed)
{
  goban_theme_connect (widget, widget, changed);
  ((void (*) (GtkWidget *)) changed) (widget);
}
