/* timeline-paint.c: painting of the timeline pane: the picture and its temporary overlays. */
#include "engine/session/view-time.h"
#include "ui/timeline/timeline-view-private.h"

#include <math.h>

/* More lanes than there is room for: share and position of the visible ones. */
static void
paint_scroll_mark (GobanTimelineView *self, GobanPen *pen)
{
  const GobanColours *colours = goban_palette_get (goban_picture_get_theme (GOBAN_PICTURE (self)));
  double ui = goban_picture_get_ui_scale (GOBAN_PICTURE (self));
  double top = GOBAN_TIMELINE_AXIS * ui;
  double seen = goban_pen_get_height (pen) - top;
  double all = goban_timeline_view_get_scene (self)->height * ui;
  double room = seen - 4 * ui;
  double length = fmax (room * seen / all, 16 * ui);
  double right = goban_pen_get_width (pen) - 3 * ui;
  GobanBox thumb;

  if (all <= seen || room <= length)
    return;

  thumb.y0 = floor (top + 2 * ui + (room - length) * self->camera.scroll_y / (all - seen));
  thumb = (GobanBox){ right - 4 * ui, thumb.y0, right, thumb.y0 + floor (length) };
  goban_pen_tint (pen, thumb, colours->ink, GOBAN_OPAQUE / 2);
}

void
goban_timeline_view_paint (GobanPicture *base, GobanPen *pen)
{
  GobanTimelineView *self = GOBAN_TIMELINE_VIEW (base);
  const GobanColours *colours = goban_palette_get (goban_picture_get_theme (base));
  GobanTimelinePicture described = goban_timeline_view_describe (self);

  if (goban_timeline_view_get_scene (self) != NULL)
    goban_timeline_paint (&described, pen);
  else
    goban_pen_rect (pen, (GobanBox){ 0, 0, goban_pen_get_width (pen), goban_pen_get_height (pen) },
                    colours->canvas);
}

static void
find_arrows (GobanTimelineView *self)
{
  if (self->arrows == NULL)
    self->arrows = goban_timeline_arrows_new (
        goban_timeline_view_get_scene (self), goban_timeline_view_get_trace (self),
        goban_session_get_selection (self->session), self->n_hops);
}

static void
describe_relations (GobanTimelineView *self, GobanTimelineOverlay *overlay)
{
  /* Arrows of all slices in a selected area would only hide it. */
  if (!isfinite (self->area.from_us))
    {
      find_arrows (self);
      overlay->arrows = (const GobanTimelineArrow *) (gpointer) self->arrows->data;
      overlay->n_arrows = self->arrows->len;
    }
  if (self->why.chain == NULL)
    return;

  overlay->chain = (const GobanTimelineArrow *) (gpointer) self->why.chain->data;
  overlay->n_chain = self->why.chain->len;
}

static void
describe_gap (GobanTimelineView *self, GobanTimelineOverlay *overlay)
{
  const GobanTimelineHit *gap = self->why.chain != NULL ? &self->why.gap : &self->hit;

  if (gap->kind != GOBAN_HIT_GAP)
    return;
  overlay->gap.from_us = gap->from_us;
  overlay->gap.to_us = gap->to_us;
  overlay->gap.lane = gap->lane;
}

static void
describe_drag (GobanTimelineView *self, GobanTimelineOverlay *overlay)
{
  overlay->note = self->drag.note;
  overlay->note_at = self->drag.at;
  if (self->drag.kind == GOBAN_DRAG_OPS)
    overlay->target_lane = self->drag.target_lane;
  if (self->drag.kind == GOBAN_DRAG_LANE)
    overlay->insert_y = goban_timeline_view_insert_y (self, self->drag.at.y);
}

void
goban_timeline_view_paint_overlay (GobanPicture *base, GobanPen *pen)
{
  GobanTimelineView *self = GOBAN_TIMELINE_VIEW (base);
  GobanTimelinePicture described = goban_timeline_view_describe (self);
  GobanTimelineOverlay overlay = goban_timeline_overlay_none ();

  if (described.scene == NULL)
    return;

  overlay.selected
      = goban_selection_get_ids (goban_session_get_selection (self->session), &overlay.n_selected);
  if (self->matches != NULL)
    overlay.matched = goban_selection_get_ids (self->matches, &overlay.n_matched);
  overlay.time_us = goban_view_get_time_us (goban_session_get_view (self->session));
  overlay.marks = goban_time_marks_list (
      goban_view_get_marks (goban_session_get_view (self->session)), &overlay.n_marks);
  /* Places are of the scene: with another one drawn they would mean something else. */
  if (self->preview.scene == NULL)
    {
      overlay.cursor_us = self->cursor_us;
      if (self->hit.kind == GOBAN_HIT_SLICE)
        overlay.hover = self->scenes.scene->lanes[self->hit.lane].slices[self->hit.slice].node;
      overlay.area = (GobanTimelineArea){ self->area.from_us, self->area.to_us, self->area.lanes };
      describe_gap (self, &overlay);
      describe_relations (self, &overlay);
    }
  describe_drag (self, &overlay);
  goban_timeline_paint_overlay (&described, &overlay, pen);
  paint_scroll_mark (self, pen);
}
