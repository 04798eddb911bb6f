/* timeline-view-private.h: state of the timeline pane, and the functions that its source files
 * share. */
#pragma once

#include "engine/core/jobs/coalescing-worker.h"
#include "engine/session/preview.h"
#include "engine/session/session-edit.h"
#include "engine/study/analysis/causes.h"
#include "ui/draw/timeline/timeline-arrows.h"
#include "ui/draw/timeline/timeline-painter.h"
#include "ui/timeline/timeline-view.h"

/* The object of a drag. */
typedef enum
{
  GOBAN_DRAG_NOTHING,
  GOBAN_DRAG_TIME, /* the time cursor */
  GOBAN_DRAG_AREA,
  GOBAN_DRAG_OPS,  /* ops, to another device */
  GOBAN_DRAG_LANE, /* a lane, to another position */
} GobanTimelineDragKind;

typedef struct
{
  GobanTimelineDragKind kind;
  GobanPoint from;
  GobanPoint at;
  double time_us;        /* TIME: its old value */
  guint lane;            /* the dragged lane */
  GobanSelection *moved; /* OPS */
  guint target;          /* OPS: a device, or GOBAN_NO_DEVICE */
  guint target_lane;     /* that of the target, or GOBAN_NO_LANE */
  char *note;            /* (nullable) */
} GobanTimelineDrag;

typedef struct _GobanTimelineAnswer GobanTimelineAnswer;

/* Scenes: the shown one, the one before, and the next. */
typedef struct
{
  GobanTimelineScene *scene; /* (nullable): the shown one */
  GobanRun
      *run; /* whose scene that is: the current run, or the one before while its scene is made */
  GobanTimelineScene *ghost; /* (nullable): the run before the edit, with the lanes of the scene */
  GobanRun *ghost_run;       /* (nullable): whose scene that is */
  GobanCoalescingWorker *maker; /* of scenes */
  guint n_asked;                /* number of requested scenes, for tests */
  GobanCoalescingWorker *pending_maker;
  GobanRun *pending_run;        /* (nullable): result of an edit, before the session has it */
  GobanTimelineAnswer *pending; /* (nullable): its scene */
  GobanEditHold *pending_hold;  /* (nullable): until it is there */
  gboolean is_stale;            /* a new scene must be requested */
  gboolean is_awaited;          /* a scene has been requested and is not yet made */
} GobanTimelineScenes;

typedef struct
{
  GobanPreview *source;         /* the session's, borrowed */
  GobanTimelineScene *scene;    /* (nullable): of its run, with the lanes of the scene */
  GobanRun *run;                /* whose scene that is */
  GobanCoalescingWorker *maker; /* of that scene */
} GobanTimelinePreview;

/* The explanation of a gap, or of the start of an op. */
typedef struct
{
  GtkWidget *popover;   /* (nullable) */
  GobanCauses *causes;  /* (nullable): its contents */
  GArray *chain;        /* (nullable): the same as arrows */
  GobanTimelineHit gap; /* the gap that it explains; of another kind: an op */
} GobanTimelineWhy;

typedef struct
{
  GtkWidget *of_lane; /* (nullable) */
  guint lane;
  GtkWidget *of_axis;    /* (nullable) */
  GtkWidget *mark_entry; /* (nullable): a popover with an entry for the name */
  double named_us;       /* time of the mark that it renames */
} GobanTimelineMenus;

typedef struct
{
  guint tick_id;    /* during playback, else 0 */
  gint64 frame_us;  /* time of the last frame, by the frame clock */
  double speed;     /* 1: a run lasts ten seconds */
  gboolean is_loop; /* goes on from the start at the end */
} GobanTimelinePlayback;

/* A marked span of time on some lanes, with a panel of its totals. */
typedef struct
{
  double from_us; /* NAN: none is marked */
  double to_us;
  guint8 *lanes;    /* (n_lanes of the scene) */
  GtkWidget *panel; /* over the lanes */
  GtkWidget *text;
} GobanMarkedArea;

/* A focusable child over each device's heading, in the order of the lanes. */
typedef struct
{
  GPtrArray *buttons; /* of GtkWidget, owned as children */
  guint current;      /* the one that Tab reaches */
  guint n_allocated;  /* those after them came while a frame was painted */
  double scroll_y;    /* of the camera, when they were allocated */
  int wanted_height;  /* last announced */
} GobanTimelineHeadings;

struct _GobanTimelineView
{
  GobanPicture parent;

  GobanSession *session;
  GobanTimelineScenes scenes;
  GobanTimelinePreview preview;
  GobanTimeCamera camera;
  gboolean is_fitted; /* the camera fits the whole run, and is refitted on resize */
  GobanRun *current;  /* (nullable): the session's when it was followed last */
  gboolean show_critical;
  GobanTimelineHit hit;    /* item under the pointer */
  double cursor_us;        /* NAN: the pointer is elsewhere */
  GobanSelection *matches; /* (nullable) search results */
  GArray *arrows;          /* (nullable): of the selection; NULL: not yet computed */
  guint n_hops;
  GobanTimelineWhy why;
  GobanMarkedArea area;
  GobanTimelineDrag drag;
  GobanTimelinePlayback playback;
  GobanTimelineMenus menus;
  GobanTimelineHeadings headings;
};

/* The present contents of the picture. */
GobanTimelinePicture goban_timeline_view_describe (GobanTimelineView *self);
/* The trace on display; there must be a scene. */
GobanTrace *goban_timeline_view_get_trace (GobanTimelineView *self);
/* To be called when the scene or its lanes have changed; updates the camera. */
void goban_timeline_view_scene_changed (GobanTimelineView *self);
/* Scrolls a time span into view without changing the zoom. */
void goban_timeline_view_reveal (GobanTimelineView *self, double from_us, double to_us);
/* Converts to the widget's coordinates. */
GdkRectangle goban_timeline_view_to_widget (GobanTimelineView *self, GobanBox box);

/* timeline-scenes.c */
void goban_timeline_view_begin_scenes (GobanTimelineView *self);
void goban_timeline_view_end_scenes (GobanTimelineView *self);
/* (nullable): the scene on display. Requests a new one if it is out of date. */
GobanTimelineScene *goban_timeline_view_get_scene (GobanTimelineView *self);
void goban_timeline_view_forget_scene (GobanTimelineView *self);
void goban_timeline_view_run_changed (GobanTimelineView *self);
/* To be called when an edit is about to change the run. */
void goban_timeline_view_run_pending (GobanTimelineView *self, GobanRun *run, GobanEditHold *hold);
void goban_timeline_view_color_changed (GobanTimelineView *self);
void goban_timeline_view_lanes_changed (GobanTimelineView *self);
/* Shows a preview as soon as its scene is made; NULL: ends the preview. */
void goban_timeline_view_show_preview (GobanTimelineView *self, GobanRun *run);

/* timeline-paint.c */
void goban_timeline_view_paint (GobanPicture *base, GobanPen *pen);
void goban_timeline_view_paint_overlay (GobanPicture *base, GobanPen *pen);

/* timeline-pointer.c */
void goban_timeline_view_hover (GobanPicture *base, const GobanPoint *at);
void goban_timeline_view_click (GobanPicture *base, GobanPoint at, int n_press,
                                GdkModifierType modifiers);
GobanTimelineHit goban_timeline_view_hit (GobanTimelineView *self, GobanPoint at);

/* timeline-why.c: the chain of causes. */
void goban_timeline_view_explain_hit (GobanTimelineView *self, const GobanTimelineHit *hit);
void goban_timeline_view_forget_why (GobanTimelineView *self);

/* timeline-play.c: stops it where it is. */
void goban_timeline_view_end_playback (GobanTimelineView *self);

/* timeline-area.c: a marked span of time on some lanes. */
void goban_timeline_view_build_area (GobanTimelineView *self);
void goban_timeline_view_pick_box (GobanPicture *base, GobanBox box, GdkModifierType modifiers);
void goban_timeline_view_mark_area (GobanTimelineView *self, double from_us, double to_us,
                                    double y0, double y1);
/* Selects the nodes of the area, and shows its totals. */
void goban_timeline_view_select_area (GobanTimelineView *self);
void goban_timeline_view_forget_area (GobanTimelineView *self);

/* timeline-drag.c */
/* "find" and "aimed" (timeline-view.h). */
void goban_timeline_view_add_drag_signals (GobanTimelineViewClass *klass);
gboolean goban_timeline_view_drag_begin (GobanPicture *base, GobanPoint from, GobanPoint at,
                                         GdkModifierType modifiers);
void goban_timeline_view_drag_update (GobanPicture *base, GobanPoint at);
void goban_timeline_view_drag_end (GobanPicture *base, GobanPoint at, gboolean is_cancelled);
void goban_timeline_view_preview_changed (GobanTimelineView *self);
/* Cancels the drag, because the dragged object is gone. */
void goban_timeline_view_forget_drag (GobanTimelineView *self);

/* timeline-marks.c */
/* The mark whose flag is at that time, or NULL. */
const GobanTimeMark *goban_timeline_view_mark_at (GobanTimelineView *self, double time_us);
void goban_timeline_view_marks_menu (GobanTimelineView *self, GobanPoint at);

/* timeline-headings.c */
/* Puts the lanes of all scenes, and the headings, into place for the present height. */
void goban_timeline_view_arrange (GobanTimelineView *self);
void goban_timeline_view_allocate_headings (GobanTimelineView *self);

/* timeline-lanes.c */
/* The top of a lane, in device pixels. */
double goban_timeline_view_get_lane_top (GobanTimelineView *self, const GobanLane *lane);
/* Opens or closes the sub-rows of the lane's device; FALSE if they are so, or there are none. */
gboolean goban_timeline_view_fold_lane (GobanTimelineView *self, guint lane, gboolean is_open);
void goban_timeline_view_menu (GobanPicture *base, GobanPoint at);
/* Opens a menu at a point; *popover is NULL at first, and owned by the view afterwards. */
void goban_timeline_view_show_menu (GobanTimelineView *self, GtkWidget **popover, GMenuModel *menu,
                                    GobanPoint at);
void goban_timeline_view_move_lane (GobanTimelineView *self, guint lane, double y);
/* The insertion line of a lane dropped at that height of the surface, in design pixels below the
 * axis. */
double goban_timeline_view_insert_y (GobanTimelineView *self, double y);
