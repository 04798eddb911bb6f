#include "ui/draw/timeline/timeline-painter.h"

#include <math.h>

/* How far from a slice of less than a pixel a click still means it. */
#define REACH_PX 3.0

/* The slice of a row at a time, or the nearest speck within reach; n_slices if there is none. */
static guint
find_slice (const GobanLane *lane, guint row, double time_us, double reach_us)
{
  guint first = lane->row_first[row];
  guint end = lane->row_first[row + 1];
  guint after = goban_lane_find (lane, row, time_us);
  guint best = lane->n_slices;
  double least = reach_us;

  if (after < end && lane->slices[after].start_us <= time_us)
    return after;
  /* Only the slices right before and after may be nearest: they do not overlap. */
  for (guint i = after > first ? after - 1 : after; i <= after && i < end; i++)
    {
      const GobanSlice *slice = &lane->slices[i];
      double off = MAX (slice->start_us - time_us, time_us - slice->finish_us);

      if (slice->finish_us - slice->start_us <= reach_us && off <= least)
        {
          least = off;
          best = i;
        }
    }
  return best;
}

static void
hit_lane (const GobanTimelinePicture *picture, GobanTimelineHit *hit, double share)
{
  const GobanLane *lane = &picture->scene->lanes[hit->lane];
  double ui = picture->style.ui_scale > 0 ? picture->style.ui_scale : 1;
  guint row = MIN ((guint) (share * lane->n_rows), lane->n_rows - 1);
  guint after;

  hit->slice = find_slice (lane, row, hit->time_us, REACH_PX * ui * picture->camera.us_per_px);
  if (hit->slice < lane->n_slices)
    {
      hit->kind = GOBAN_HIT_SLICE;
      return;
    }
  if (hit->time_us < 0 || hit->time_us > picture->scene->end_us)
    return;
  after = goban_lane_find (lane, row, hit->time_us);
  hit->kind = GOBAN_HIT_GAP;
  hit->from_us = after > lane->row_first[row] ? lane->slices[after - 1].finish_us : 0;
  hit->to_us
      = after < lane->row_first[row + 1] ? lane->slices[after].start_us : picture->scene->end_us;
}

static void
hit_memory (const GobanLane *lane, GobanTimelineHit *hit)
{
  hit->kind = GOBAN_HIT_MEMORY;
  hit->bytes = goban_lane_get_bytes (lane, hit->time_us);
}

guint
goban_timeline_lane_at (const GobanTimelinePicture *picture, double y)
{
  const GobanTimelineScene *scene = picture->scene;
  double ui = picture->style.ui_scale > 0 ? picture->style.ui_scale : 1;
  double scroll_y = picture->camera.scroll_y / ui;
  double at = (y - floor (GOBAN_TIMELINE_AXIS * ui)) / ui;
  GobanScrolled scrolled = goban_timeline_scene_get_scrolled (scene, scroll_y);
  GobanPart part = at < scrolled.from_y ? GOBAN_PART_TOP
                   : at < scrolled.to_y ? GOBAN_PART_SCROLLED
                                        : GOBAN_PART_BOTTOM;

  for (guint i = 0; at >= 0 && i < scene->n_lanes; i++)
    {
      const GobanLane *lane = &scene->lanes[i];
      double top = goban_lane_get_top (lane, scroll_y);

      if (at >= top && at < top + lane->height
          && goban_scrolled_get_part (&scrolled, lane, top) == part)
        return i;
    }
  return GOBAN_NO_LANE;
}

/* How far down its slices a point of a lane is, 0..1; a ghost's strip belongs to the lowest row. */
static double
share_of_lane (const GobanTimelinePicture *picture, const GobanLane *lane, double y)
{
  double ui = picture->style.ui_scale > 0 ? picture->style.ui_scale : 1;
  double below = (y - floor (GOBAN_TIMELINE_AXIS * ui)) / ui
                 - goban_lane_get_top (lane, picture->camera.scroll_y / ui);
  double height = lane->height * (picture->ghost != NULL ? 1 - GOBAN_TIMELINE_GHOST_SHARE : 1);

  return below / height;
}

gboolean
goban_timeline_hit_has_time (const GobanTimelineHit *self)
{
  return self->kind != GOBAN_HIT_NOTHING && self->kind != GOBAN_HIT_FOLD
         && self->kind != GOBAN_HIT_HEADER;
}

GobanTimelineHit
goban_timeline_pick (const GobanTimelinePicture *picture, GobanPoint at)
{
  double ui = picture->style.ui_scale > 0 ? picture->style.ui_scale : 1;
  double left = floor (GOBAN_TIMELINE_HEADER * ui);
  GobanTimelineHit hit = { .kind = GOBAN_HIT_NOTHING,
                           .time_us = goban_time_camera_to_us (&picture->camera, at.x - left) };
  guint lane;

  if (at.y < floor (GOBAN_TIMELINE_AXIS * ui))
    {
      hit.kind = GOBAN_HIT_AXIS;
      return hit;
    }
  lane = goban_timeline_lane_at (picture, at.y);
  if (lane == GOBAN_NO_LANE)
    return hit;
  hit.lane = lane;
  if (at.x < left)
    hit.kind = picture->style.has_folds && at.x < GOBAN_TIMELINE_FOLD * ui
                       && (picture->scene->lanes[lane].kind != GOBAN_LANE_DEVICE
                           || picture->scene->lanes[lane].place.fold != GOBAN_FOLD_NONE)
                   ? GOBAN_HIT_FOLD
                   : GOBAN_HIT_HEADER;
  else if (picture->scene->lanes[lane].kind == GOBAN_LANE_MEMORY)
    hit_memory (&picture->scene->lanes[lane], &hit);
  else
    hit_lane (picture, &hit, share_of_lane (picture, &picture->scene->lanes[lane], at.y));
  return hit;
}
