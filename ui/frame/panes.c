#include "ui/frame/panes.h"

static gboolean
divide_cb (gpointer user_data)
{
  GtkPaned *paned = user_data;
  int size = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (paned), "goban-end-size"));
  GtkWidget *end = gtk_paned_get_end_child (paned);
  gboolean is_wide
      = gtk_orientable_get_orientation (GTK_ORIENTABLE (paned)) == GTK_ORIENTATION_HORIZONTAL;
  int all = gtk_paned_get_position (paned)
            + (is_wide ? gtk_widget_get_width (end) : gtk_widget_get_height (end));

  gtk_paned_set_position (paned, MAX (all - size, 0));
  return G_SOURCE_REMOVE;
}

static void
first_division_cb (GtkPaned *paned, GParamSpec *pspec, gpointer user_data)
{
  g_signal_handlers_disconnect_by_func (paned, first_division_cb, user_data);
  g_idle_add_full (G_PRIORITY_HIGH_IDLE, divide_cb, g_object_ref (paned), g_object_unref);
}

void
goban_paned_give_end (GtkWidget *paned, int size)
{
  g_object_set_data (G_OBJECT (paned), "goban-end-size", GINT_TO_POINTER (size));
  g_signal_connect (paned, "notify::max-position", G_CALLBACK (first_division_cb), NULL);
}

void
goban_pane_remember (GobanSettings *settings, const char *key, int size)
{
  if (size > 0)
    goban_settings_set_int (settings, key, size);
}
