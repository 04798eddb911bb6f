/* timeline-painter-private.h: shared parts of the timeline painter. */
#pragma once

#include "ui/draw/timeline-merge.h"
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
  const guint16 *levels; /* (nullable) of ops */
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
/* Of that, what the lane's slices have: a ghost shows below them. */
GobanBox goban_timeline_slices_box (const TimelinePainter *p, const GobanLane *lane);
/* FALSE for what is hidden, or scrolled out of the picture. */
gboolean goban_timeline_sees_lane (const TimelinePainter *p, const GobanLane *lane);
/* Nothing of what scrolls shows above it. */
double goban_timeline_scroll_top (const TimelinePainter *p);
/* A row of the lane's box. */
GobanBox goban_timeline_row_box (const GobanLane *lane, GobanBox box, guint row);

/* @ghost: (nullable): the same device's memory in another run. */
void goban_timeline_paint_memory (const TimelinePainter *p, const GobanLane *lane,
                                  const GobanLane *ghost);
/* The other run's slices, to be drawn below those of this one. @columns: room for a picture's. */
void goban_timeline_paint_ghost (const TimelinePainter *p, const GobanLane *ghost,
                                 GobanColumn *columns);
/* Where the two runs end, and by how much. */
void goban_timeline_paint_difference (const TimelinePainter *p);
/* The grid where not @labels, else the axis above it. */
void goban_timeline_paint_axis (const TimelinePainter *p, gboolean labels);
void goban_timeline_paint_header (const TimelinePainter *p, const GobanLane *lane);

G_END_DECLS
