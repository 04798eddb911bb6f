/* timeline-area.c: a marked span of time on some lanes: its nodes are the selection, its totals a
 * panel. */
#include "ui/timeline/timeline-view-private.h"

#include "engine/session/session-marks.h"
#include "engine/study/analysis/span-totals.h"
#include <math.h>

void
goban_timeline_view_forget_area (GobanTimelineView *self)
{
  goban_time_area_clear (&self->area);
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

void
goban_timeline_view_select_area (GobanTimelineView *self)
{
  const GobanTimelineScene *scene = goban_timeline_view_get_scene (self);
  g_autoptr (GobanSelection) nodes = NULL;

  if (scene == NULL || !goban_time_area_is_marked (&self->area))
    {
      goban_timeline_view_forget_area (self);
      return;
    }

  nodes = goban_time_area_find_nodes (&self->area, scene);
  goban_session_set_selection (self->session, nodes);
  /* Totals are those of the finished run. */
  if (scene->partial.note == NULL)
    goban_time_area_show_totals (&self->area, scene, goban_timeline_view_get_trace (self));
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

const char *
goban_timeline_view_get_totals (GobanTimelineView *self)
{
  g_return_val_if_fail (GOBAN_IS_TIMELINE_VIEW (self), NULL);

  return gtk_label_get_text (GTK_LABEL (self->area.text));
}
