/* graph-scenes.h: background maker of graph scenes for several runs, and of the marks between two
 * of them.
 *
 * They are for views that follow one leader, kept while these are looked at by turns: showing
 * another one that is there costs nothing. What is wanted is said all at once; what is there stays
 * until the whole of it is, so that views go from one to the next together. Of a small graph that
 * is at once. Reference-counted; main thread.
 */
#pragma once

#include "engine/session/session.h"
#include "ui/draw/compare-marks.h"
#include "ui/draw/graph-plot.h"

G_BEGIN_DECLS

typedef struct _GobanGraphScenes GobanGraphScenes;

/* What a plot shows of a run; immutable and reference-counted. */
typedef struct
{
  GobanRun *run;
  GobanPlot *plot;
  GobanGraphScene *base;  /* of all nodes; shared with other plots' */
  GobanGraphScene *scene; /* with the values that fill it */
} GobanRunScene;

GobanRunScene *goban_run_scene_ref (GobanRunScene *self);
void goban_run_scene_unref (GobanRunScene *self);

/* What a plot shows of a difference; the same. */
typedef struct
{
  GobanDifference *difference;
  GobanPlot *plot;
  GobanCompareMarks *marks;
} GobanRunMarks;

GobanRunMarks *goban_run_marks_ref (GobanRunMarks *self);
void goban_run_marks_unref (GobanRunMarks *self);

/* @ready: hears when what is wanted is there, perhaps before goban_graph_scenes_want() returns. */
GobanGraphScenes *goban_graph_scenes_new (GobanSession *session, void (*ready) (gpointer user_data),
                                          gpointer user_data) G_GNUC_WARN_UNUSED_RESULT;
GobanGraphScenes *goban_graph_scenes_ref (GobanGraphScenes *self);
void goban_graph_scenes_unref (GobanGraphScenes *self);
/* Nobody hears of it any more. */
void goban_graph_scenes_stop (GobanGraphScenes *self);

typedef struct
{
  GPtrArray *runs; /* GobanRun; those of another graph than the plot's have no scene */
  GobanPlot *plot;
  GobanDifference *difference; /* (nullable) */
  gboolean has_own_scales;     /* compare-values.h */
} GobanScenesWish;

/* Filled by what the session's view colours by. */
void goban_graph_scenes_want (GobanGraphScenes *self, const GobanScenesWish *wish);
/* Whether something that is wanted is yet to come. */
gboolean goban_graph_scenes_is_busy (const GobanGraphScenes *self);

/* Of what is there, borrowed until the next call of "ready"; all (nullable). */
GobanPlot *goban_graph_scenes_get_plot (const GobanGraphScenes *self);
GobanRunScene *goban_graph_scenes_get (const GobanGraphScenes *self, GobanRun *run);
GobanRunMarks *goban_graph_scenes_get_marks (const GobanGraphScenes *self,
                                             const GobanDifference *difference);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanGraphScenes, goban_graph_scenes_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRunScene, goban_run_scene_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRunMarks, goban_run_marks_unref)

G_END_DECLS
