#include "ui/timeline/time-pane.h"

struct _GobanTimePane
{
  GtkWidget parent;

  GtkWidget *toolbar;
  GtkWidget *timeline;
};

G_DEFINE_FINAL_TYPE (GobanTimePane, goban_time_pane, GTK_TYPE_WIDGET)

static void
goban_time_pane_dispose (GObject *object)
{
  GobanTimePane *self = GOBAN_TIME_PANE (object);

  /* The toolbar borrows the timeline. */
  g_clear_pointer (&self->toolbar, gtk_widget_unparent);
  g_clear_pointer (&self->timeline, gtk_widget_unparent);

  G_OBJECT_CLASS (goban_time_pane_parent_class)->dispose (object);
}

static void
goban_time_pane_class_init (GobanTimePaneClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_time_pane_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "timepane");
}

static void
goban_time_pane_init (GobanTimePane *self)
{
  gtk_orientable_set_orientation (
      GTK_ORIENTABLE (gtk_widget_get_layout_manager (GTK_WIDGET (self))), GTK_ORIENTATION_VERTICAL);
}

GtkWidget *
goban_time_pane_new (GobanSession *session)
{
  GobanTimePane *self = g_object_new (GOBAN_TYPE_TIME_PANE, NULL);

  self->timeline = goban_timeline_view_new (session);
  self->toolbar = goban_transport_bar_new (session, GOBAN_TIMELINE_VIEW (self->timeline));
  gtk_widget_set_vexpand (self->timeline, TRUE);
  gtk_widget_set_parent (self->toolbar, GTK_WIDGET (self));
  gtk_widget_set_parent (self->timeline, GTK_WIDGET (self));
  return GTK_WIDGET (self);
}

GobanTimelineView *
goban_time_pane_get_timeline (GobanTimePane *self)
{
  g_return_val_if_fail (GOBAN_IS_TIME_PANE (self), NULL);

  return GOBAN_TIMELINE_VIEW (self->timeline);
}

GobanTransportBar *
goban_time_pane_get_toolbar (GobanTimePane *self)
{
  g_return_val_if_fail (GOBAN_IS_TIME_PANE (self), NULL);

  return GOBAN_TRANSPORT_BAR (self->toolbar);
}

void
goban_time_pane_set_toolbar_shown (GobanTimePane *self, gboolean is_shown)
{
  g_return_if_fail (GOBAN_IS_TIME_PANE (self));

  gtk_widget_set_visible (self->toolbar, is_shown);
}

void
goban_time_pane_set_start (GobanTimePane *self, GtkWidget *widget)
{
  g_return_if_fail (GOBAN_IS_TIME_PANE (self));

  goban_transport_bar_set_start (GOBAN_TRANSPORT_BAR (self->toolbar), widget);
}

void
goban_time_pane_get_heights (GobanTimePane *self, gboolean has_toolbar, int *least, int *wanted)
{
  int toolbar = 0;

  g_return_if_fail (GOBAN_IS_TIME_PANE (self));

  /* A hidden widget measures 0. */
  if (has_toolbar)
    toolbar = goban_transport_bar_get_height (GOBAN_TRANSPORT_BAR (self->toolbar));
  goban_timeline_view_get_heights (GOBAN_TIMELINE_VIEW (self->timeline), has_toolbar, least,
                                   wanted);
  *least += toolbar;
  *wanted += toolbar;
}
