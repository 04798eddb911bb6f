/* graph-view-private.h: state of the graph pane, and the functions that its source files share. */
#pragma once

#include "ui/graph/graph-view.h"

#include "engine/core/jobs/coalescing-worker.h"
#include "engine/session/navigation.h"
#include "engine/session/preview.h"
#include "engine/session/session-edit.h"
#include "ui/draw/drag-chip.h"
#include "ui/draw/graph/graph-painter.h"
#include "ui/draw/graph/graph-pick.h"
#include "ui/draw/graph/graph-plot.h"
#include "ui/graph/graph-controls.h"
#include "ui/graph/graph-view-follower.h"

/* The run that a view of a comparison shows, and its differences from another. All zero in the
 * explorer, which shows the session's run. */
typedef struct
{
  GobanGraphScenes *scenes; /* shared with the other views of a comparison */
  GobanRun *run;            /* (nullable) */
  /* (nullable): the run whose devices are drawn at the left of nodes */
  GobanRun *other;
  GobanRunScene *shown, *shown_other; /* (nullable): scenes of these two, or the previous ones */
  GobanDifference *difference;        /* (nullable) marks */
  GobanUnchanged unchanged;
  /* (nullable): marks of the difference in the plot, or the previous ones */
  GobanRunMarks *changes;
  GobanCompareLook look; /* as last asked for */
  const char *refusal;   /* (nullable): reason why its plan cannot be edited here; static */
  gboolean hides_selection;
  gboolean hides_time;
} GobanComparedRun;

/* Marked items of a plot, computed when they are first asked for. */
typedef struct
{
  GobanOutlineMarks marks; /* valid with is_known */
  gboolean is_known;
} GobanItemMarks;

typedef struct _GobanBaseScene GobanBaseScene;
typedef struct _GobanSceneAnswer GobanSceneAnswer;

/* The scene of a run that the session is about to have. */
typedef struct
{
  GobanCoalescingWorker *maker;
  GobanRun *run;            /* (nullable) */
  GobanSceneAnswer *answer; /* (nullable): its scene */
  GobanEditHold *hold;      /* (nullable): until it is there */
} GobanPendingView;

typedef struct
{
  GobanBaseScene *base;         /* (nullable): of all nodes, for the next scene of the same run */
  GobanGraphScene *items;       /* the plot's scene; NULL with the plot */
  GobanCoalescingWorker *maker; /* of scenes */
  gboolean is_stale;            /* a new scene must be requested */
  guint n_asked;                /* number of requested scenes, for tests */
  GobanPendingView pending;     /* result of an edit, before the session has it */
} GobanViewScenes;

/* Animation from one layout to another of the same outline. */
typedef struct
{
  GobanLayout *from; /* NULL: of the camera alone, if there is a tick */
  GobanCamera camera;
  GobanCamera camera_to;
  gint64 start_us; /* of the frame clock; 0 before the first frame */
  guint tick_id;
} GobanMorph;

/* The point that keeps its position on the surface when the plot changes. */
typedef struct
{
  char *group; /* its path; NULL: the centre of the view */
  gboolean has_pointer;
  GobanPoint pointer;
} GobanAnchor;

/* A plot, and the state shown with it. */
typedef struct
{
  GobanPlot *plot;
  GobanPick *pick;
  GobanGrouping grouping;
  GobanArrangement arrangement;
} GobanNextPlot;

/* The current drag, by pointer or by keys. */
typedef enum
{
  GOBAN_GRAPH_DRAG_NOTHING,
  GOBAN_GRAPH_DRAG_NODES, /* nodes, to be dropped on a device */
  GOBAN_GRAPH_DRAG_LASSO,
  GOBAN_GRAPH_DRAG_EDGE, /* of a drawn graph, from an op to another */
} GobanGraphDragKind;

typedef struct
{
  GobanGraphDragKind kind;
  GobanPoint at;
  GobanSelection *moved; /* NODES */
  /* (nullable): the dragged nodes, or the number of nodes inside the lasso */
  char *title;
  char *note;      /* (nullable): effect of a drop */
  guint n_devices; /* devices of most of the moved nodes */
  guint devices[GOBAN_CHIP_DEVICES];
  gboolean is_by_keys; /* started by keys: no pointer position */
  GobanLasso *lasso;   /* LASSO, of the surface */
  GobanNodeId tail;    /* EDGE, with the point where it begins */
  GobanPoint from;
  gboolean is_adding;
} GobanGraphDrag;

/* Result of a hit test: one of the two, or neither. */
typedef struct
{
  guint32 item;
  guint32 hull; /* an open group, at its head */
} GobanGraphHit;

/* The shown part of the graph, and the one that is shown next. */
typedef struct
{
  GobanPlot *plot;        /* NULL until the worker is done */
  GobanPick *pick;        /* of the plot's layout */
  GobanGrouping grouping; /* request of the plot */
  GobanArrangement arrangement;
  /* the plot's, or an intermediate one during the animation; NULL with the plot */
  GobanLayout *layout;
  GobanNextPlot *next; /* (nullable): shown as soon as its scene is there */
  GobanJob *job;       /* the plot being made, else NULL; results of older jobs are dropped */
  GobanSize board;     /* in design pixels: of the view, or of a follower, that shows the plot */
  GobanSize laid_out;  /* the board that the plot was made for */
  guint room_id;       /* another board: a plot for it is about to be asked for, or 0 */
  GobanViewport
      awaited; /* where to look as soon as the plot that is being made is there; else not set */
  GobanAnchor anchor;
  GobanMorph morph;
  gboolean has_follow; /* decisions can be followed (graph-follow.c) ... */
  gboolean follows;    /* ... and are */
  guint controls_id;   /* pending update of the controls, or 0 */
} GobanGraphPlots;

struct _GobanGraphView
{
  GobanPicture parent;

  GobanSession *session;
  GobanGraphView *leader;    /* (nullable): whose plot a follower shows */
  GobanComparedRun compared; /* a follower's */
  GobanGraphPlots plots;
  GobanViewScenes scenes;
  GobanCamera camera;
  gboolean is_fitted; /* the camera fits the whole graph, and is refitted on resize */
  gboolean show_critical;
  GobanGraphHit hover;     /* item under the pointer */
  GobanItemMarks marks;    /* of the selection */
  GobanSelection *matches; /* (nullable) search results */
  GobanItemMarks found;    /* of the matches */
  guint8 *states;          /* (nullable) (nodes of the graph): GobanNodeState at the view's time */
  GobanGraphDrag drag;
  GtkWidget *targets;    /* GobanGraphTargets, over the picture */
  GtkWidget *controls;   /* (nullable): GobanGraphControls, not over a follower */
  GobanPreview *preview; /* the session's, borrowed */
  GobanRun *preview_run; /* (nullable): shown instead of the session's; never that itself */
  GArray *attention;     /* (nullable) of GobanAttentionArrow, between nodes of the graph */
};

static inline GobanPicture *
goban_graph_view_picture (GobanGraphView *self)
{
  return GOBAN_PICTURE (self);
}

/* graph-view.c */
GobanRun *
goban_graph_view_get_run (GobanGraphView *self); /* (nullable): of the session, or its own */
void goban_graph_view_watch_session (GobanGraphView *self, GobanSession *session);
void goban_graph_view_selection_changed (GobanGraphView *self);
/* Shortly after: their sizes change, and the camera moves while the view gets its own. */
void goban_graph_view_update_controls (GobanGraphView *self);
void goban_graph_view_time_changed (GobanGraphView *self);
void goban_graph_view_plot_changed (GobanGraphView *self);
const GobanOutlineMarks *goban_graph_view_get_marks (GobanGraphView *self);
/* The innermost open group around all selected nodes; 0 without a selection. */
guint32 goban_graph_view_find_hull_of_selection (GobanGraphView *self);
void goban_graph_view_camera_moved (GobanGraphView *self);
/* Goes where people have been, as soon as the plot that is being made is there. */
void goban_graph_view_go_to_viewport (GobanGraphView *self, const GobanViewport *viewport);
void goban_graph_view_content_changed (GobanGraphView *self);
/* Updates the accessible description of the picture. */
void goban_graph_view_update_description (GobanGraphView *self);
void goban_graph_view_show_box (GobanGraphView *self, GobanBox box, double max_scale);
/* The camera that fits the whole graph. */
GobanCamera goban_graph_view_fitting (GobanGraphView *self, const GobanLayout *layout);

/* To be called when the nodes or the outline have changed. */
void goban_item_marks_forget (GobanItemMarks *self);
/* The menu of nodes at a place, where an item is selected first; and by a key, of the selection. */
void goban_graph_view_menu (GobanPicture *base, GobanPoint at);
void goban_graph_view_open_menu (GtkWidget *widget);

/* graph-view-scenes.c */
void goban_graph_view_begin_scenes (GobanGraphView *self);
void goban_graph_view_end_scenes (GobanGraphView *self);
void goban_graph_view_forget_scenes (GobanGraphView *self);

/* (nullable): the scene on display. Requests a new one if it is out of date. */
GobanGraphScene *goban_graph_view_get_scene (GobanGraphView *self);
/* Requests the scene of the next plot, or of the present one. */
void goban_graph_view_ask_scene (GobanGraphView *self);

/* To be called when the run to show has changed. */
void goban_graph_view_want_scene (GobanGraphView *self);
/* To be called when the run to show is about to change. */
void goban_graph_view_run_pending (GobanGraphView *self, GobanRun *run, GobanEditHold *hold);
/* Drops the prepared scene, because the colouring has changed. */
void goban_graph_view_forget_pending (GobanGraphView *self);

/* graph-view-layout.c */
void goban_graph_view_forget_plot (GobanGraphView *self);
/* Requests a new plot; the present one stays until it is made. */
void goban_graph_view_start_plot (GobanGraphView *self);
/* Shows the next plot with its scene, (transfer full). */
void goban_graph_view_take_next (GobanGraphView *self, GobanGraphScene *scene);

/* graph-view-follower.c */
void goban_compared_run_clear (GobanComparedRun *self);
void goban_compared_run_forget_look (GobanComparedRun *self);

/* (nullable): the differences to show in the plot, if there are any. */
const GobanCompareLook *goban_compared_run_get_look (GobanComparedRun *self, const GobanPlot *plot);
GobanGraphScene *goban_graph_view_get_followers_scene (GobanGraphView *self);
/* FALSE, with a hint shown, if a follower's run cannot be edited; else makes it the session's
 * current run. */
gboolean goban_graph_view_adopt_run (GobanGraphView *self);
/* graph-view-pointer.c */
void goban_graph_view_click (GobanPicture *base, GobanPoint at, int n_press,
                             GdkModifierType modifiers);
void goban_graph_view_pick_box (GobanPicture *base, GobanBox box, GdkModifierType modifiers);
void goban_graph_view_hover (GobanPicture *base, const GobanPoint *at);
GobanGraphHit goban_graph_view_hit (GobanGraphView *self, GobanPoint at);
GobanSelection *goban_graph_view_dup_hit_nodes (GobanGraphView *self,
                                                GobanGraphHit hit) G_GNUC_WARN_UNUSED_RESULT;

/* graph-drag.c */
gboolean goban_graph_view_drag_begin (GobanPicture *base, GobanPoint from, GobanPoint at,
                                      GdkModifierType modifiers);
void goban_graph_view_drag_update (GobanPicture *base, GobanPoint at);
void goban_graph_view_drag_end (GobanPicture *base, GobanPoint at, gboolean is_cancelled);
gboolean goban_graph_view_drag_key (GobanPicture *base, guint keyval);
void goban_graph_view_forget_drag (GobanGraphView *self);
void goban_graph_view_paint_drag (GobanGraphView *self, GobanPen *pen);
void goban_graph_view_preview_changed (GobanGraphView *self);
void goban_graph_view_build_targets (GobanGraphView *self);
