#include "ui/shell/notice-bar.h"

#define GOOD_NEWS_SECONDS 6

struct _GobanNoticeBar
{
  GtkWidget parent;

  GtkWidget *revealer;
  GtkWidget *box;
  GtkWidget *icon;
  GtkWidget *label;
  guint timeout_id;
};

G_DEFINE_FINAL_TYPE (GobanNoticeBar, goban_notice_bar, GTK_TYPE_WIDGET)

static gboolean
timeout_cb (gpointer user_data)
{
  GobanNoticeBar *self = user_data;

  self->timeout_id = 0;
  goban_notice_bar_hide (self);
  return G_SOURCE_REMOVE;
}

static void
goban_notice_bar_dispose (GObject *object)
{
  GobanNoticeBar *self = GOBAN_NOTICE_BAR (object);

  g_clear_handle_id (&self->timeout_id, g_source_remove);
  g_clear_pointer (&self->revealer, gtk_widget_unparent);

  G_OBJECT_CLASS (goban_notice_bar_parent_class)->dispose (object);
}

static void
goban_notice_bar_class_init (GobanNoticeBarClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_notice_bar_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "notice");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_ALERT);
}

static void
goban_notice_bar_init (GobanNoticeBar *self)
{
  GtkWidget *close = gtk_button_new_from_icon_name ("window-close-symbolic");

  self->icon = gtk_image_new ();
  self->label = g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "hexpand", TRUE, "wrap", TRUE,
                              "wrap-mode", PANGO_WRAP_WORD_CHAR, "selectable", TRUE, NULL);
  gtk_widget_add_css_class (close, "flat");
  gtk_widget_set_valign (close, GTK_ALIGN_START);
  gtk_widget_set_valign (self->icon, GTK_ALIGN_START);
  gtk_widget_set_tooltip_text (close, "Close this notice");
  gtk_accessible_update_property (GTK_ACCESSIBLE (close), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Close this notice", -1);
  g_signal_connect_swapped (close, "clicked", G_CALLBACK (goban_notice_bar_hide), self);

  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  gtk_box_append (GTK_BOX (self->box), self->icon);
  gtk_box_append (GTK_BOX (self->box), self->label);
  gtk_box_append (GTK_BOX (self->box), close);

  self->revealer = gtk_revealer_new ();
  gtk_revealer_set_child (GTK_REVEALER (self->revealer), self->box);
  gtk_widget_set_parent (self->revealer, GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *
goban_notice_bar_new (void)
{
  return g_object_new (GOBAN_TYPE_NOTICE_BAR, NULL);
}

void
goban_notice_bar_show (GobanNoticeBar *self, gboolean is_error, const char *text)
{
  g_return_if_fail (GOBAN_IS_NOTICE_BAR (self));
  g_return_if_fail (text != NULL);

  g_clear_handle_id (&self->timeout_id, g_source_remove);
  if (!is_error)
    self->timeout_id = g_timeout_add_seconds (GOOD_NEWS_SECONDS, timeout_cb, self);

  gtk_label_set_text (GTK_LABEL (self->label), text);
  gtk_image_set_from_icon_name (GTK_IMAGE (self->icon),
                                is_error ? "dialog-error-symbolic" : "dialog-information-symbolic");
  if (is_error)
    gtk_widget_add_css_class (GTK_WIDGET (self), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "error");

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->revealer), TRUE);
}

/* Hidden at once: a bar that slides away takes clicks meant for what is below it. */
void
goban_notice_bar_hide (GobanNoticeBar *self)
{
  g_return_if_fail (GOBAN_IS_NOTICE_BAR (self));

  g_clear_handle_id (&self->timeout_id, g_source_remove);
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->revealer), FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

const char *
goban_notice_bar_get_text (GobanNoticeBar *self)
{
  g_return_val_if_fail (GOBAN_IS_NOTICE_BAR (self), NULL);

  if (!gtk_widget_get_visible (GTK_WIDGET (self)))
    return NULL;
  return gtk_label_get_text (GTK_LABEL (self->label));
}
