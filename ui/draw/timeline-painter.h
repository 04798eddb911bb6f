/* timeline-painter.h: draws the lanes of a run.
 *
 * A column of headers at the left, an axis at the top, lanes below it: ops and transfers as
 * slices, merged into one column a pixel where they are narrower, memory as a staircase.
 * What is idle stays bare. Selection, hover and cursor are an overlay. Any thread; a pen
 * belongs to one.
 */
#pragma once

#include "ui/draw/graph-painter.h"
#include "ui/draw/time-camera.h"
#include "ui/draw/timeline-scene.h"

G_BEGIN_DECLS

/* Design pixels. */
#define GOBAN_TIMELINE_HEADER 206.0
#define GOBAN_TIMELINE_AXIS 26.0

typedef struct
{
  GobanTheme theme;
  GobanFill
      fill; /* OP for families; METRIC and PRIORITY for the scene's levels, of ops alone; else devices */
  gboolean show_critical;
  double ui_scale; /* 0: 1 */
} GobanTimelineStyle;

typedef struct
{
  const GobanTimelineScene *scene;
  GobanTimeCamera camera;
  GobanTimelineStyle style;
} GobanTimelinePicture;

typedef struct
{
  const GobanNodeId *selected; /* (n_selected) their ops and what is sent of theirs */
  guint n_selected;
  GobanNodeId hover;  /* or GOBAN_NO_NODE */
  double cursor_us;   /* NAN: none */
  double gap_from_us; /* a gap to mark on lane gap_lane; NAN: none */
  double gap_to_us;
  guint gap_lane;
  const GobanNodeId *matched; /* (n_matched) what a search has found */
  guint n_matched;
} GobanTimelineOverlay;

/* What is under a point. */
typedef enum
{
  GOBAN_HIT_NOTHING,
  GOBAN_HIT_AXIS,
  GOBAN_HIT_HEADER, /* of a lane */
  GOBAN_HIT_SLICE,
  GOBAN_HIT_GAP, /* of a device or link, from the slice before to the one after */
  GOBAN_HIT_MEMORY,
} GobanHitKind;

typedef struct
{
  GobanHitKind kind;
  guint lane;
  guint slice; /* into the lane's slices */
  double time_us;
  double from_us; /* of the gap */
  double to_us;
  double bytes; /* of memory at that time */
} GobanTimelineHit;

/* Fills the whole surface of the pen. */
void goban_timeline_paint (const GobanTimelinePicture *picture, GobanPen *pen);
void goban_timeline_paint_overlay (const GobanTimelinePicture *picture,
                                   const GobanTimelineOverlay *overlay, GobanPen *pen);

/* @at in pixels of the surface. Slices of less than a pixel are hit from three pixels away. */
GobanTimelineHit goban_timeline_pick (const GobanTimelinePicture *picture, GobanPoint at);

/* Pixels left for lanes beside the headers, and of all lanes with the axis. */
double goban_timeline_lanes_width (const GobanTimelineStyle *style, double width);
double goban_timeline_height (const GobanTimelineScene *scene, const GobanTimelineStyle *style);

G_END_DECLS
