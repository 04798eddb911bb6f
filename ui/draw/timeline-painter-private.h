/* timeline-painter-private.h: what the parts of a timeline's picture draw with in common. */
#pragma once

#include "ui/draw/timeline-painter.h"

G_BEGIN_DECLS

typedef struct
{
  const GobanTimelinePicture *picture;
  const GobanTimelineScene *scene;
  const GobanTimeCamera *camera;
  const GobanColours *colours;
  GobanTheme theme;
  gboolean by_family;
  gboolean show_critical;
  GobanPen *pen;
  double ui;
  double left; /* where lanes begin */
  double top;
  double width;
  double height;
} TimelinePainter;

TimelinePainter goban_timeline_painter_start (const GobanTimelinePicture *picture, GobanPen *pen);

static inline double
goban_timeline_x (const TimelinePainter *p, double time_us)
{
  return p->left + goban_time_camera_to_x (p->camera, time_us);
}

/* From the headers to the right end of the surface, in whole pixels of height. */
GobanBox goban_timeline_lane_box (const TimelinePainter *p, const GobanLane *lane);
/* A row of the lane's box. */
GobanBox goban_timeline_row_box (const GobanLane *lane, GobanBox box, guint row);

void goban_timeline_paint_memory (const TimelinePainter *p, const GobanLane *lane, GobanBox box);
/* The grid where not @labels, else the axis above it. */
void goban_timeline_paint_axis (const TimelinePainter *p, gboolean labels);
void goban_timeline_paint_header (const TimelinePainter *p, const GobanLane *lane);

G_END_DECLS
