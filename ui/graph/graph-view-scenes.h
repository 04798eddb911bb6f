/* graph-view-scenes.h: requests for the scenes of the graph pane, and their results. Private to the
 * pane. */
#pragma once

#include "engine/session/latest.h"
#include "ui/draw/graph-scene.h"
#include "ui/graph/graph-view.h"

G_BEGIN_DECLS

typedef struct _GobanBaseScene GobanBaseScene;
typedef struct _GobanSceneAnswer GobanSceneAnswer;

/* The scene of a run that the session is about to have (engine/session/coming.h). */
typedef struct
{
  GobanLatest *maker;
  GobanRun *run;            /* (nullable) */
  GobanSceneAnswer *answer; /* (nullable): its scene */
  guint ticket;             /* with which the session is held, or 0 */
} GobanComing;

void goban_graph_view_begin_scenes (GobanGraphView *self);
void goban_graph_view_end_scenes (GobanGraphView *self);
void goban_graph_view_forget_scenes (GobanGraphView *self);

/* (nullable): what is shown. Where it is no longer what it should be, that is asked for. */
GobanGraphScene *goban_graph_view_get_scene (GobanGraphView *self);
/* For the plot that comes next, or the one that is shown. */
void goban_graph_view_ask_scene (GobanGraphView *self);

/* There is another run to be seen. */
void goban_graph_view_want_scene (GobanGraphView *self);
/* There will be. */
void goban_graph_view_run_coming (GobanGraphView *self, GobanRun *run);
/* What is to come is coloured otherwise than it was asked for. */
void goban_graph_view_forget_coming (GobanGraphView *self);

G_END_DECLS
