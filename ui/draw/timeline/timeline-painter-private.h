/* timeline-painter-private.h: shared parts of the timeline painter. */
#pragma once

#include "ui/draw/timeline/timeline-merge.h"
#include "ui/draw/timeline/timeline-painter.h"

typedef struct
{
  const GobanTimelinePicture *picture;
  const GobanTimelineScene *scene;
  const GobanTimeCamera *camera;
  const GobanColours *colours;
  GobanTheme theme;
  gboolean by_family;
  const guint16 *levels; /* (nullable) of ops */
  gboolean show_critical;
  GobanPen *pen;
  double ui;
  double left; /* start of the lanes */
  double top;
  double width;
  double height;
  double scroll_y; /* design pixels */
  GobanScrolled scrolled;
} TimelinePainter;

TimelinePainter goban_timeline_painter_start (const GobanTimelinePicture *picture, GobanPen *pen);

static inline double
goban_timeline_x (const TimelinePainter *p, double time_us)
{
  return p->left + goban_time_camera_to_x (p->camera, time_us);
}

/* From the headers to the right end of the surface, in whole pixels of height. */
GobanBox goban_timeline_lane_box (const TimelinePainter *p, const GobanLane *lane);
/* The part of it for the lane's slices; a ghost is drawn below them. */
GobanBox goban_timeline_slices_box (const TimelinePainter *p, const GobanLane *lane);
/* FALSE if the lane is hidden, scrolled out of the picture, or in another part of it. */
gboolean goban_timeline_is_in_part (const TimelinePainter *p, const GobanLane *lane,
                                    GobanPart part);
/* Clips to a part, from @left; FALSE if it is empty. */
gboolean goban_timeline_clip_part (const TimelinePainter *p, GobanPart part, double left);
/* A row of the lane's box. */
GobanBox goban_timeline_row_box (const GobanLane *lane, GobanBox box, guint row);

/* Paints the axis if @labels, else the grid. */
void goban_timeline_paint_axis (const TimelinePainter *p, gboolean labels);
void goban_timeline_paint_header (const TimelinePainter *p, const GobanLane *lane);
