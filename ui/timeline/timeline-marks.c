/* timeline-marks.c: marks of times: made and taken away by a key, their names, and the menu of the
 * axis. */
#include "ui/timeline/timeline-view-private.h"
#include "ui/timeline/timeline-view.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/session/view-time.h"

#include <math.h>

/* How near to a mark's line it is meant. */
#define REACH_PX 6.0

static GobanTimeMarks *
marks (GobanTimelineView *self)
{
  return goban_view_get_marks (goban_session_get_view (self->session));
}

const GobanTimeMark *
goban_timeline_view_mark_at (GobanTimelineView *self, double time_us)
{
  double ui = goban_picture_get_ui_scale (GOBAN_PICTURE (self));

  return goban_time_marks_find_near (marks (self), time_us, REACH_PX * ui * self->camera.us_per_px);
}

/* As many digits as a pixel's worth of time, for readability. */
static double
round_time (GobanTimelineView *self, double time_us)
{
  double per_step = pow (10, ceil (-log10 (self->camera.us_per_px)));

  return fmax (round (time_us * per_step) / per_step, 0);
}

/* The time under the pointer, else the moment that is shown; NAN: neither. */
static double
find_time (GobanTimelineView *self)
{
  const GobanTimelineScene *scene = goban_timeline_view_get_scene (self);
  GobanPoint at;

  if (scene == NULL)
    return NAN;
  if (goban_picture_get_pointer (GOBAN_PICTURE (self), &at))
    {
      GobanTimelineHit hit = goban_timeline_view_hit (self, at);

      if (goban_timeline_hit_has_time (&hit))
        return MIN (round_time (self, hit.time_us), scene->end_us);
    }
  return goban_view_get_time_us (goban_session_get_view (self->session));
}

gboolean
goban_timeline_view_mark (GobanTimelineView *self)
{
  const GobanTimeMark *mark;
  double time_us;

  g_return_val_if_fail (GOBAN_IS_TIMELINE_VIEW (self), FALSE);

  time_us = find_time (self);
  if (!isfinite (time_us))
    return FALSE;
  mark = goban_timeline_view_mark_at (self, time_us);
  if (mark != NULL)
    goban_time_marks_remove (marks (self), mark->time_us);
  else
    goban_time_marks_put (marks (self), time_us, NULL);
  return TRUE;
}

/* --- going there ---------------------------------------------------------------------------- */

static gboolean
show (GobanTimelineView *self, const GobanTimeMark *mark)
{
  double time_us;

  if (mark == NULL)
    return FALSE;
  time_us = mark->time_us;
  goban_view_set_time_us (goban_session_get_view (self->session), time_us);
  goban_timeline_view_reveal (self, time_us, time_us);
  return TRUE;
}

gboolean
goban_timeline_view_step_mark (GobanTimelineView *self, int direction)
{
  g_return_val_if_fail (GOBAN_IS_TIMELINE_VIEW (self), FALSE);

  return show (
      self, goban_time_marks_step (marks (self),
                                   goban_view_get_time_us (goban_session_get_view (self->session)),
                                   direction));
}

gboolean
goban_timeline_view_show_mark (GobanTimelineView *self, const char *name)
{
  g_return_val_if_fail (GOBAN_IS_TIMELINE_VIEW (self) && name != NULL, FALSE);

  return show (self, goban_time_marks_find (marks (self), name));
}

/* --- names ------------------------------------------------------------------------------------ */

static void
named_cb (GtkEntry *entry, GobanTimelineView *self)
{
  const char *name = gtk_editable_get_text (GTK_EDITABLE (entry));
  double time_us = self->menus.named_us;

  gtk_popover_popdown (GTK_POPOVER (self->menus.mark_entry));
  if (*name != '\0' && goban_time_marks_find_near (marks (self), time_us, 0) != NULL)
    goban_time_marks_put (marks (self), time_us, name);
}

static GdkRectangle
place_of (GobanTimelineView *self, double time_us)
{
  double ui = goban_picture_get_ui_scale (GOBAN_PICTURE (self));
  double left = GOBAN_TIMELINE_HEADER * ui;
  double x = left + goban_time_camera_to_x (&self->camera, time_us);

  x = CLAMP (x, left, fmax (goban_picture_get_width (GOBAN_PICTURE (self)) - 1, left));
  return goban_timeline_view_to_widget (self, (GobanBox){ x, 0, x + 1, GOBAN_TIMELINE_AXIS * ui });
}

static void
ask_name (GobanTimelineView *self, const GobanTimeMark *mark)
{
  GdkRectangle place = place_of (self, mark->time_us);
  GtkWidget *entry;

  if (self->menus.mark_entry == NULL)
    {
      self->menus.mark_entry = gtk_popover_new ();
      entry = gtk_entry_new ();
      gtk_entry_set_max_length (GTK_ENTRY (entry), 60);
      gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      _ ("Name of the mark"), -1);
      g_signal_connect (entry, "activate", G_CALLBACK (named_cb), self);
      gtk_popover_set_child (GTK_POPOVER (self->menus.mark_entry), entry);
      gtk_widget_set_parent (self->menus.mark_entry, GTK_WIDGET (self));
    }
  self->menus.named_us = mark->time_us;
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), FALSE);
  entry = gtk_popover_get_child (GTK_POPOVER (self->menus.mark_entry));
  gtk_editable_set_text (GTK_EDITABLE (entry), mark->name);
  gtk_editable_select_region (GTK_EDITABLE (entry), 0, -1);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menus.mark_entry), &place);
  gtk_popover_popup (GTK_POPOVER (self->menus.mark_entry));
  gtk_widget_grab_focus (entry);
}

gboolean
goban_timeline_view_name_mark (GobanTimelineView *self)
{
  const GobanTimeMark *mark = NULL;
  double time_us;

  g_return_val_if_fail (GOBAN_IS_TIMELINE_VIEW (self), FALSE);

  /* A popover of a hidden widget has no room for its entry. */
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return FALSE;
  time_us = find_time (self);
  if (isfinite (time_us))
    mark = goban_timeline_view_mark_at (self, time_us);
  if (mark == NULL)
    mark = goban_timeline_view_mark_at (
        self, goban_view_get_time_us (goban_session_get_view (self->session)));
  if (mark == NULL)
    return FALSE;
  ask_name (self, mark);
  return TRUE;
}

/* --- the menu --------------------------------------------------------------------------------- */

/* "A  ·  12.4 ms", which goes there. */
static void
append_mark (GMenu *menu, const GobanTimeMark *mark)
{
  char time[GOBAN_QUANTITY_LEN];
  g_autofree char *label
      = g_strdup_printf ("%s  ·  %s", mark->name, goban_format_time (time, mark->time_us));
  g_auto (GStrv) parts = g_strsplit (label, "_", -1);
  g_autofree char *plain = g_strjoinv ("__", parts);
  g_autoptr (GMenuItem) item = g_menu_item_new (plain, NULL);

  g_menu_item_set_action_and_target (item, "win.show-mark", "s", mark->name);
  g_menu_append_item (menu, item);
}

static GMenuModel *
make_menu (GobanTimelineView *self, gboolean is_mark)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) one = g_menu_new ();
  g_autoptr (GMenu) list = g_menu_new ();
  g_autoptr (GMenu) all = g_menu_new ();
  guint n;
  const GobanTimeMark *list_of = goban_time_marks_list (marks (self), &n);

  /* The pointer is over the menu by then: use the time that was clicked. */
  g_menu_append (one, is_mark ? _ ("_Remove This Mark") : _ ("_Mark this time"), "win.mark");
  if (is_mark)
    g_menu_append (one, _ ("_Name This Mark…"), "win.name-mark");
  for (guint i = 0; i < n; i++)
    append_mark (list, &list_of[i]);
  g_menu_append (all, _ ("Take _All Marks Away"), "win.clear-marks");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (one));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (list));
  if (n > 0)
    g_menu_append_section (menu, NULL, G_MENU_MODEL (all));
  return G_MENU_MODEL (menu);
}

void
goban_timeline_view_marks_menu (GobanTimelineView *self, GobanPoint at)
{
  GobanTimelineScene *scene = goban_timeline_view_get_scene (self);
  GobanTimelineHit hit = goban_timeline_view_hit (self, at);
  const GobanTimeMark *mark = goban_timeline_view_mark_at (self, hit.time_us);
  g_autoptr (GMenuModel) menu = NULL;

  if (scene == NULL)
    return;
  goban_view_set_time_us (goban_session_get_view (self->session),
                          mark != NULL ? mark->time_us : CLAMP (hit.time_us, 0, scene->end_us));
  menu = make_menu (self, mark != NULL);
  goban_timeline_view_show_menu (self, &self->menus.of_axis, menu, at);
}
