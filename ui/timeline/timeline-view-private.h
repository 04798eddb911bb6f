/* timeline-view-private.h: what the timeline's files share: its state, and what the pointer does. */
#pragma once

#include "engine/session/causes.h"
#include "engine/session/preview.h"
#include "ui/draw/timeline-arrows.h"
#include "ui/draw/timeline-painter.h"
#include "ui/timeline/timeline-view.h"

G_BEGIN_DECLS

/* What the pointer is dragging. */
typedef enum
{
  GOBAN_DRAG_NOTHING,
  GOBAN_DRAG_TIME, /* the moment that is played */
  GOBAN_DRAG_AREA,
  GOBAN_DRAG_OPS,  /* to another device */
  GOBAN_DRAG_LANE, /* to another place */
} GobanTimelineDragKind;

typedef struct
{
  GobanTimelineDragKind kind;
  GobanPoint from;
  GobanPoint at;
  double time_us;        /* TIME: where it was */
  guint lane;            /* the one that is dragged */
  GobanSelection *moved; /* OPS */
  guint target_lane;     /* or GOBAN_NO_LANE */
  char *note;            /* (nullable) */
} GobanTimelineDrag;

struct _GobanTimelineView
{
  GobanPicture parent;

  GobanSession *session;
  GobanTimelineScene
      *scene; /* made by goban_timeline_view_get_scene() when it is first needed; NULL
                                without a run */
  GobanTimelineScene
      *ghost;        /* (nullable): what the run was made from, with the lanes of the scene */
  gboolean is_stale; /* the scene is yet to be made */
  GobanTimeCamera camera;
  gboolean is_fitted; /* the camera still shows everything: follow the size */
  gboolean show_critical;

  GobanTimelineHit hit;    /* what is under the pointer */
  double cursor_us;        /* NAN: the pointer is elsewhere */
  GobanSelection *matches; /* (nullable) what a search has found */

  GArray *arrows; /* (nullable): of the selection; NULL where they are yet to be found */
  guint n_hops;

  GtkWidget *why;           /* (nullable): the popover that says why */
  GobanCauses *causes;      /* (nullable): what it says */
  GArray *chain;            /* (nullable): and the same as arrows */
  GobanTimelineHit why_gap; /* the gap it is about; of another kind: an op */

  double area_from_us; /* NAN: none is marked */
  double area_to_us;
  guint8 *area_lanes; /* (n_lanes of the scene) */
  GtkWidget *totals;  /* a panel over the lanes */
  GtkWidget *totals_text;

  GobanTimelineDrag drag;
  GobanPreview *preview;             /* the session's, borrowed */
  GobanTimelineScene *preview_scene; /* (nullable): of its run, with the lanes of scene */

  guint tick_id;        /* while time passes, else 0 */
  gint64 frame_us;      /* when the last frame was, by the frame clock */
  double speed;         /* 1: a run lasts ten seconds */
  GtkWidget *lane_menu; /* (nullable) */
  guint menu_lane;
};

/* (nullable): made when it is first needed; NULL without a run. */
GobanTimelineScene *goban_timeline_view_get_scene (GobanTimelineView *self);
/* The scene, where there is one, as it is looked at now. */
GobanTimelinePicture goban_timeline_view_describe (GobanTimelineView *self);
/* Gives a scene of the session's graph what the view colours by, as far as ops have it. */
void goban_timeline_view_fill (GobanTimelineView *self, GobanTimelineScene *scene);
/* The current run's trace; a run must be there. */
GobanTrace *goban_timeline_view_get_trace (GobanTimelineView *self);
/* Brings a span of time into sight without changing the zoom. */
void goban_timeline_view_reveal (GobanTimelineView *self, double from_us, double to_us);
/* A point of the widget's own coordinates. */
GdkRectangle goban_timeline_view_to_widget (GobanTimelineView *self, GobanBox box);

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

/* timeline-area.c: a marked span of time on some lanes. */
void goban_timeline_view_pick_box (GobanPicture *base, GobanBox box, GdkModifierType modifiers);
void goban_timeline_view_mark_area (GobanTimelineView *self, double from_us, double to_us,
                                    double y0, double y1);
/* Selects the nodes of the area, and says its totals. */
void goban_timeline_view_take_area (GobanTimelineView *self);
void goban_timeline_view_forget_area (GobanTimelineView *self);
void goban_timeline_view_build_totals (GobanTimelineView *self);

/* timeline-drag.c */
gboolean goban_timeline_view_drag_begin (GobanPicture *base, GobanPoint from, GobanPoint at,
                                         GdkModifierType modifiers);
void goban_timeline_view_drag_update (GobanPicture *base, GobanPoint at);
void goban_timeline_view_drag_end (GobanPicture *base, GobanPoint at, gboolean is_cancelled);
void goban_timeline_view_preview_changed (GobanTimelineView *self);
/* Whatever is dragged is no longer there. */
void goban_timeline_view_forget_drag (GobanTimelineView *self);

/* timeline-lanes.c */
void goban_timeline_view_arrange (GobanTimelineView *self, GobanTimelineScene *scene);
void goban_timeline_view_menu (GobanPicture *base, GobanPoint at);
void goban_timeline_view_move_lane (GobanTimelineView *self, guint lane, double y);
/* Where a lane dropped at that height of the surface would go, design pixels. */
double goban_timeline_view_insert_y (GobanTimelineView *self, double y);

G_END_DECLS
