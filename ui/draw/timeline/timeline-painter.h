/* timeline-painter.h: painter of the timeline of a run.
 *
 * A column of headers at the left, an axis at the top, lanes below it: ops and transfers as slices,
 * merged into one column a pixel where they are narrower, memory as a staircase. Idle time stays
 * bare. Selection, hover and cursor are an overlay. Any thread; a pen belongs to one.
 */
#pragma once

#include "engine/session/time-marks.h"
#include "ui/draw/graph/graph-painter.h"
#include "ui/draw/time-camera.h"
#include "ui/draw/timeline/timeline-scene.h"

/* Design pixels. */
#define GOBAN_TIMELINE_HEADER 150.0
#define GOBAN_TIMELINE_AXIS 26.0
/* Width of the triangle or pin at the left of a heading, and where it works. */
#define GOBAN_TIMELINE_FOLD 24.0
/* Slices at least this wide are drawn one by one. */
#define GOBAN_TIMELINE_WHOLE_PX 3.0
/* Share of a lane's height that is reserved for a ghost. */
#define GOBAN_TIMELINE_GHOST_SHARE 0.25

typedef struct
{
  GobanTheme theme;
  /* OP for families; METRIC and PRIORITY for the scene's levels, of ops alone; else devices */
  GobanFill fill;
  gboolean show_critical;
  gboolean has_folds; /* triangles and pins in the headings, of a view in which they work */
  double ui_scale;    /* 0: 1 */
} GobanTimelineStyle;

typedef struct
{
  const GobanTimelineScene *scene;
  GobanTimeCamera camera;
  GobanTimelineStyle style;
  /* (nullable): another run, with the lanes of @scene if it has them, drawn behind */
  const GobanTimelineScene *ghost;
} GobanTimelinePicture;

/* An arrow from the end of a slice to the start of another. */
typedef struct
{
  GobanSlicePlace from;
  GobanSlicePlace to;
} GobanTimelineArrow;

/* A span of time on some lanes. */
typedef struct
{
  double from_us; /* NAN: there is none */
  double to_us;
  const guint8 *lanes; /* (n_lanes) whether each lane is in it */
} GobanTimelineArea;

/* A gap of a lane that is marked. */
typedef struct
{
  double from_us; /* NAN: there is none */
  double to_us;
  guint lane;
} GobanTimelineGap;

typedef struct
{
  const GobanNodeId *selected; /* (n_selected) nodes whose ops and transfers are highlighted */
  guint n_selected;
  GobanNodeId hover; /* or GOBAN_NO_NODE */
  double cursor_us;  /* NAN: none */
  GobanTimelineGap gap;
  const GobanTimelineArrow *arrows; /* (n_arrows) dependencies of the selection */
  guint n_arrows;
  const GobanTimelineArrow *chain; /* (n_chain) causes of a gap, each the cause of the next */
  guint n_chain;
  GobanTimelineArea area;
  double time_us;    /* of playback; NAN: none */
  guint target_lane; /* target lane of a drag, or GOBAN_NO_LANE */
  double insert_y;   /* insertion line of a dragged lane, design pixels below the axis; NAN: none */
  const char *note;  /* (nullable) at note_at */
  GobanPoint note_at;         /* pixels of the surface */
  const GobanNodeId *matched; /* (n_matched) search results */
  guint n_matched;
  const GobanTimeMark *marks; /* (n_marks) flags in the axis */
  guint n_marks;
} GobanTimelineOverlay;

/* An empty overlay. */
GobanTimelineOverlay goban_timeline_overlay_none (void);

/* Kind of a hit. */
typedef enum
{
  GOBAN_HIT_NOTHING,
  GOBAN_HIT_AXIS,
  GOBAN_HIT_FOLD,   /* the triangle of a device, or the pin of a sub-row */
  GOBAN_HIT_HEADER, /* of a lane */
  GOBAN_HIT_SLICE,
  GOBAN_HIT_GAP, /* of a device or link, from the previous slice to the next */
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

/* Whether the hit is at a time: on the axis, or beside the headings. */
gboolean goban_timeline_hit_has_time (const GobanTimelineHit *self);

/* Fills the whole surface of the pen. */
void goban_timeline_paint (const GobanTimelinePicture *picture, GobanPen *pen);
void goban_timeline_paint_overlay (const GobanTimelinePicture *picture,
                                   const GobanTimelineOverlay *overlay, GobanPen *pen);

/* Hit test. @at in pixels of the surface. Slices narrower than a pixel are hit within three
 * pixels. */
GobanTimelineHit goban_timeline_pick (const GobanTimelinePicture *picture, GobanPoint at);
/* The lane at a height of the surface, or GOBAN_NO_LANE. */
guint goban_timeline_lane_at (const GobanTimelinePicture *picture, double y);

/* "−3.1 %": the change of the makespan against the ghost; (nullable) (transfer full). */
char *
goban_timeline_describe_difference (const GobanTimelineScene *scene,
                                    const GobanTimelineScene *ghost) G_GNUC_WARN_UNUSED_RESULT;

/* Width for lanes beside the headers, and height of all lanes with the axis. */
double goban_timeline_lanes_width (const GobanTimelineStyle *style, double width);
double goban_timeline_height (const GobanTimelineScene *scene, const GobanTimelineStyle *style);
