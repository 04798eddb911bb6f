/* window-focus.c: focus handling: if the focused widget is hidden, the focus moves to the picture,
 * whose keys then work.
 *
 * GTK alone would move it, with a delay, to the first button, "Open", which keys typed in the
 * meantime would press; and a widget that is hidden and shown again at once would not get it back.
 */
#include "ui/shell/window-private.h"

void
goban_window_keep_focus (GobanWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  GtkWidget *picture = GTK_WIDGET (self->last_picture);

  if ((focus == NULL || !gtk_widget_get_mapped (focus)) && gtk_widget_get_mapped (picture))
    gtk_widget_grab_focus (picture);
}

void
goban_window_focus_picture (GobanWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  gboolean is_used
      = GTK_IS_TOGGLE_BUTTON (focus) || GTK_IS_TEXT (focus) || GTK_IS_TEXT_VIEW (focus);

  if (!is_used || !gtk_widget_get_mapped (focus))
    gtk_widget_grab_focus (GTK_WIDGET (self->last_picture));
}

/* The search bar and the palette are left with the focus still in them. */
static void
closed_cb (GobanWindow *self, GtkWidget *closed)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  if (focus != NULL && gtk_widget_is_ancestor (focus, closed))
    gtk_widget_grab_focus (GTK_WIDGET (self->last_picture));
  else
    goban_window_keep_focus (self);
}

void
goban_window_follow_focus (GobanWindow *self)
{
  GtkWidget *const closing[] = { self->search_bar, self->palette, self->notice };

  for (gsize i = 0; i < G_N_ELEMENTS (closing); i++)
    g_signal_connect_object (closing[i], "closed", G_CALLBACK (closed_cb), self, G_CONNECT_SWAPPED);
}
