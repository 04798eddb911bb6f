/* timeline-view-private.h: state of the timeline pane, and the functions that its source files
 * share. */
#pragma once

#include "engine/session/causes.h"
#include "engine/session/latest.h"
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

typedef struct _GobanTimelineAnswer GobanTimelineAnswer;

struct _GobanTimelineView
{
  GobanPicture parent;

  GobanSession *session;
  GobanTimelineScene *scene; /* (nullable): what is shown */
  GobanRun
      *run; /* whose scene that is: the current run, or the one before while its scene is made */
  GobanTimelineScene
      *ghost;          /* (nullable): what the run was made from, with the lanes of the scene */
  GobanRun *ghost_run; /* (nullable): whose scene that is */
  GobanLatest *maker;  /* of scenes */
  guint n_asked;       /* scenes, ever */
  GobanLatest *coming_maker;
  GobanRun *coming_run;        /* (nullable): what an edit gives, before the session has it */
  GobanTimelineAnswer *coming; /* (nullable): its scene */
  guint coming_ticket;         /* with which the session is held, or 0 */
  gboolean is_stale;           /* another scene is yet to be asked for */
  gboolean is_awaited;         /* it has been, and is not there */
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
  GobanRun *preview_run;             /* whose scene that is */
  GobanLatest *preview_maker;        /* of that scene */

  guint tick_id;        /* while time passes, else 0 */
  gint64 frame_us;      /* when the last frame was, by the frame clock */
  double speed;         /* 1: a run lasts ten seconds */
  GtkWidget *lane_menu; /* (nullable) */
  guint menu_lane;
  GtkWidget *mark_menu;  /* (nullable): of the axis */
  GtkWidget *mark_entry; /* (nullable): a popover that asks for a name */
  double named_us;       /* what it gives the name to */
};

/* The scene, if there is one, as it is looked at now. */
GobanTimelinePicture goban_timeline_view_describe (GobanTimelineView *self);
/* The trace of what is shown; a scene must be there. */
GobanTrace *goban_timeline_view_get_trace (GobanTimelineView *self);
/* Another scene, or its lanes elsewhere: the camera follows. */
void goban_timeline_view_scene_changed (GobanTimelineView *self);
/* Brings a span of time into sight without changing the zoom. */
void goban_timeline_view_reveal (GobanTimelineView *self, double from_us, double to_us);
/* A point of the widget's own coordinates. */
GdkRectangle goban_timeline_view_to_widget (GobanTimelineView *self, GobanBox box);

/* timeline-scenes.c */
void goban_timeline_view_begin_scenes (GobanTimelineView *self);
void goban_timeline_view_end_scenes (GobanTimelineView *self);
/* (nullable): what is shown. Where it is no longer what it should be, that is asked for. */
GobanTimelineScene *goban_timeline_view_get_scene (GobanTimelineView *self);
void goban_timeline_view_forget_scene (GobanTimelineView *self);
void goban_timeline_view_run_changed (GobanTimelineView *self);
/* An edit will give another run. */
void goban_timeline_view_run_coming (GobanTimelineView *self, GobanRun *run);
void goban_timeline_view_color_changed (GobanTimelineView *self);
void goban_timeline_view_lanes_changed (GobanTimelineView *self);
/* What a change would give is shown as soon as its scene is there; NULL: what is. */
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

/* timeline-marks.c */
/* The mark whose flag is at that time, or NULL. */
const GobanTimeMark *goban_timeline_view_mark_at (GobanTimelineView *self, double time_us);
void goban_timeline_view_marks_menu (GobanTimelineView *self, GobanPoint at);
/* Popovers follow the size. */
void goban_timeline_view_place_marks (GobanTimelineView *self);
void goban_timeline_view_end_marks (GobanTimelineView *self);

/* timeline-lanes.c */
void goban_timeline_view_arrange (GobanTimelineView *self, GobanTimelineScene *scene);
void goban_timeline_view_menu (GobanPicture *base, GobanPoint at);
/* Opens a menu there; *popover is NULL at first, and the view's from then on. */
void goban_timeline_view_show_menu (GobanTimelineView *self, GtkWidget **popover, GMenuModel *menu,
                                    GobanPoint at);
void goban_timeline_view_move_lane (GobanTimelineView *self, guint lane, double y);
/* Where a lane dropped at that height of the surface would go, design pixels. */
double goban_timeline_view_insert_y (GobanTimelineView *self, double y);

G_END_DECLS
