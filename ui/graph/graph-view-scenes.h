/* graph-view-scenes.h: requests for the scenes of the graph pane, and their results. */
#pragma once

#include "engine/core/jobs/coalescing-worker.h"
#include "engine/session/session-edit.h"
#include "ui/draw/graph/graph-scene.h"
#include "ui/graph/graph-view.h"

G_BEGIN_DECLS

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

/* The number of requested scenes, for tests. */
guint goban_graph_view_get_n_asked (GobanGraphView *self);

G_END_DECLS
