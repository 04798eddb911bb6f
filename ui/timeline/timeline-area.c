/* timeline-area.c: a marked span of time on some lanes: its nodes are the selection, its totals a
 * panel. */
#include "ui/timeline/timeline-view-private.h"

#include "engine/session/session-marks.h"
#include "engine/study/analysis/span-totals.h"
#include "engine/study/analysis/time-shares.h"
#include "ui/widgets/text.h"
#include <math.h>

void
goban_timeline_view_build_area (GobanTimelineView *self)
{
  GobanMarkedArea *area = &self->area;
  GtkWidget *scroller = gtk_scrolled_window_new ();

  area->from_us = NAN;
  area->panel = gtk_frame_new (NULL);
  area->text = gtk_label_new ("");
  gtk_label_set_xalign (GTK_LABEL (area->text), 0.0);
  gtk_label_set_selectable (GTK_LABEL (area->text), TRUE);
  gtk_widget_set_can_focus (area->text, FALSE);
  gtk_widget_add_css_class (area->text, "numeric");
  gtk_widget_add_css_class (area->panel, "timeline-totals");
  gtk_widget_set_visible (area->panel, FALSE);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), area->text);
  gtk_frame_set_child (GTK_FRAME (area->panel), scroller);
  gtk_widget_set_parent (area->panel, GTK_WIDGET (self));
}

void
goban_timeline_view_forget_area (GobanTimelineView *self)
{
  self->area.from_us = NAN;
  g_clear_pointer (&self->area.lanes, g_free);
  goban_set_label_text (self->area.text, "");
  gtk_widget_set_visible (self->area.panel, FALSE);
  goban_picture_invalidate_overlay (GOBAN_PICTURE (self));
}

/* @y0..@y1 are heights of the surface; above the lanes means all of them. */
void
goban_timeline_view_mark_area (GobanTimelineView *self, double from_us, double to_us, double y0,
                               double y1)
{
  const GobanTimelineScene *scene = goban_timeline_view_get_scene (self);
  double ui = goban_picture_get_ui_scale (GOBAN_PICTURE (self));
  double top = GOBAN_TIMELINE_AXIS * ui;
  gboolean is_all = y0 < top;

  goban_timeline_view_forget_area (self);
  self->area.from_us = from_us;
  self->area.to_us = to_us;
  self->area.lanes = g_malloc0 (MAX (scene->n_lanes, 1));
  for (guint l = 0; l < scene->n_lanes; l++)
    {
      const GobanLane *lane = &scene->lanes[l];
      double y = goban_timeline_view_get_lane_top (self, lane);

      self->area.lanes[l] = lane->height > 0 && (is_all || (y + lane->height * ui > y0 && y < y1));
    }
}

/* Ops and transfers on the lanes of the area in its time. (transfer full) */
static GobanSelection *
find_nodes (const GobanMarkedArea *self, const GobanTimelineScene *scene)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));

  for (guint l = 0; l < scene->n_lanes; l++)
    for (guint r = 0; self->lanes[l] && r < scene->lanes[l].n_rows; r++)
      {
        const GobanLane *lane = &scene->lanes[l];

        for (guint s = goban_lane_find (lane, r, self->from_us);
             s < lane->row_first[r + 1] && lane->slices[s].start_us < self->to_us; s++)
          g_array_append_val (ids, lane->slices[s].node);
      }
  return goban_selection_new ((const GobanNodeId *) (gpointer) ids->data, ids->len);
}

static void
show_totals (GobanMarkedArea *self, const GobanTimelineScene *scene, GobanTrace *trace)
{
  guint8 devices[GOBAN_MAX_DEVICES] = { 0 };
  g_autoptr (GobanSpanTotals) totals = NULL;
  g_autoptr (GobanTimeShares) shares = NULL;
  g_autofree char *text = NULL;
  g_autofree char *parts = NULL;
  g_autofree char *all = NULL;

  for (guint l = 0; l < scene->n_lanes; l++)
    devices[scene->lanes[l].device] |= self->lanes[l];
  totals = goban_span_totals_new (trace, self->from_us, self->to_us, devices);
  text = g_strchomp (goban_span_totals_describe (totals, trace));
  shares = goban_time_shares_new (trace, self->from_us, self->to_us);
  parts = g_strchomp (goban_time_shares_describe (shares, trace, devices));
  all = g_strconcat (text, "\n", parts, NULL);
  goban_set_label_text (self->text, all);
  gtk_widget_set_visible (self->panel, TRUE);
}

void
goban_timeline_view_select_area (GobanTimelineView *self)
{
  const GobanTimelineScene *scene = goban_timeline_view_get_scene (self);
  g_autoptr (GobanSelection) nodes = NULL;

  if (scene == NULL || !isfinite (self->area.from_us) || self->area.to_us <= self->area.from_us)
    {
      goban_timeline_view_forget_area (self);
      return;
    }

  nodes = find_nodes (&self->area, scene);
  goban_session_set_selection (self->session, nodes);
  /* Totals are those of the finished run. */
  if (scene->partial.note == NULL)
    show_totals (&self->area, scene, goban_timeline_view_get_trace (self));
  goban_picture_invalidate_overlay (GOBAN_PICTURE (self));
}

void
goban_timeline_view_pick_box (GobanPicture *base, GobanBox box, GdkModifierType modifiers)
{
  GobanTimelineView *self = GOBAN_TIMELINE_VIEW (base);
  const GobanTimelineScene *scene = goban_timeline_view_get_scene (self);
  double left = GOBAN_TIMELINE_HEADER * goban_picture_get_ui_scale (base);
  double from_us, to_us;

  if (scene == NULL)
    return;

  from_us = goban_time_camera_to_us (&self->camera, fmax (box.x0 - left, 0));
  to_us = goban_time_camera_to_us (&self->camera, fmax (box.x1 - left, 0));
  goban_timeline_view_mark_area (self, CLAMP (from_us, 0, scene->end_us),
                                 CLAMP (to_us, 0, scene->end_us), box.y0, box.y1);
  goban_timeline_view_select_area (self);
}
