#include "ui/widgets/toplevels.h"

#include "ui/widgets/theme.h"

/* For the surface of a window that is gone. */
static void
compute_size_cb (GdkToplevel *surface, GdkToplevelSize *size, gpointer data)
{
  gdk_toplevel_size_set_size (size, MAX (gdk_surface_get_width (GDK_SURFACE (surface)), 1),
                              MAX (gdk_surface_get_height (GDK_SURFACE (surface)), 1));
}

/* Before GTK lets go of the surface. */
static void
unrealize_cb (GtkWidget *window, gpointer data)
{
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (window));
  guint n = g_signal_handlers_disconnect_matched (
      surface, G_SIGNAL_MATCH_ID | G_SIGNAL_MATCH_DATA,
      g_signal_lookup ("compute-size", GDK_TYPE_TOPLEVEL), 0, NULL, NULL, window);

  if (n > 0)
    g_signal_connect (surface, "compute-size", G_CALLBACK (compute_size_cb), NULL);
}

static void
set_class (GtkWidget *window, const char *name, gboolean is_set)
{
  if (is_set)
    gtk_widget_add_css_class (window, name);
  else
    gtk_widget_remove_css_class (window, name);
}

static void
theme_changed_cb (GtkWidget *window)
{
  GobanTheme theme = goban_theme_of (window);

  set_class (window, "dark", goban_theme_is_dark (theme));
  set_class (window, "high-contrast", goban_theme_is_high_contrast (theme));
}

static void
items_changed_cb (GListModel *windows, guint position, guint n_removed, guint n_added,
                  gpointer data)
{
  for (guint i = position; i < position + n_added; i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

      g_signal_connect (window, "unrealize", G_CALLBACK (unrealize_cb), NULL);
      goban_theme_follow (window, G_CALLBACK (theme_changed_cb));
    }
}

void
goban_toplevels_watch (void)
{
  static gboolean is_watching = FALSE;
  GListModel *windows = gtk_window_get_toplevels ();

  if (is_watching)
    return;
  is_watching = TRUE;
  g_signal_connect (windows, "items-changed", G_CALLBACK (items_changed_cb), NULL);
  items_changed_cb (windows, 0, 0, g_list_model_get_n_items (windows), NULL);
}
