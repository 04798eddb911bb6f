/* window-focus.c: where the focus goes when what has it leaves the window: to the picture, whose keys work there.
 *
 * Left to GTK, it goes in its own time to the first button, "Open", and keys that are typed meanwhile press it; and
 * what was hidden and is shown again at once does not get it back at all.
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
