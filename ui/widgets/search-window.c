#include "ui/widgets/search-window.h"

#include "ui/widgets/template.h"

struct _GobanSearchWindow
{
  GtkWindow parent;

  GtkWidget *entry;
  GtkWidget *scrolled;
  GtkWidget *list;
  GtkWidget *none;
};

G_DEFINE_FINAL_TYPE (GobanSearchWindow, goban_search_window, GTK_TYPE_WINDOW)

static void
changed_cb (GobanSearchWindow *self)
{
  gtk_list_box_invalidate_filter (GTK_LIST_BOX (self->list));
  gtk_list_box_invalidate_sort (GTK_LIST_BOX (self->list));
  gtk_list_box_invalidate_headers (GTK_LIST_BOX (self->list));
  gtk_adjustment_set_value (
      gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scrolled)), 0);
}

/* Escape in the entry. */
static void
stop_cb (GobanSearchWindow *self)
{
  gtk_window_close (GTK_WINDOW (self));
}

static void
goban_search_window_class_init (GobanSearchWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  goban_template_set (widget_class, "widgets/search-window.ui");
  GOBAN_TEMPLATE_CHILDREN (widget_class, GobanSearchWindow, entry, scrolled, list, none);
  GOBAN_TEMPLATE_CALLBACKS (widget_class, changed_cb, stop_cb);
}

static void
goban_search_window_init (GobanSearchWindow *self)
{
  goban_template_init (GTK_WIDGET (self));
}

GtkWidget *
goban_search_window_new (GtkWindow *parent, const char *title, const char *what, const char *none)
{
  GobanSearchWindow *self
      = g_object_new (GOBAN_TYPE_SEARCH_WINDOW, "transient-for", parent, "title", title, NULL);

  g_object_set (self->entry, "placeholder-text", what, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL, what,
                                  -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                  -1);
  gtk_label_set_text (GTK_LABEL (self->none), none);
  return GTK_WIDGET (self);
}

GtkListBox *
goban_search_window_get_list (GobanSearchWindow *self)
{
  g_return_val_if_fail (GOBAN_IS_SEARCH_WINDOW (self), NULL);

  return GTK_LIST_BOX (self->list);
}

GtkWidget *
goban_search_window_add (GobanSearchWindow *self, GtkWidget *child, const char *label,
                         const char *description)
{
  GtkWidget *row = gtk_list_box_row_new ();

  g_return_val_if_fail (GOBAN_IS_SEARCH_WINDOW (self), NULL);

  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), child);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
  return row;
}

const char *
goban_search_window_get_words (GobanSearchWindow *self)
{
  g_return_val_if_fail (GOBAN_IS_SEARCH_WINDOW (self), "");

  return gtk_editable_get_text (GTK_EDITABLE (self->entry));
}

void
goban_search_window_search (GobanSearchWindow *self, const char *words)
{
  g_return_if_fail (GOBAN_IS_SEARCH_WINDOW (self));

  gtk_editable_set_text (GTK_EDITABLE (self->entry), words);
  changed_cb (self); /* the entry waits a while before it says so */
}
