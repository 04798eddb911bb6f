/* graph-scenes.h: background maker of graph scenes for several runs, and of the marks between two
 * of them.
 *
 * For views that follow one leader. Scenes are cached, so that switching between existing ones
 * costs nothing. A request lists all scenes at once; the previous ones stay until all new ones are
 * made, so that all views change together. Scenes of a small graph are made synchronously.
 * Reference-counted; main thread.
 *
 * Decision U46 (ui/NOTES.md).
 */
#pragma once

#include "engine/session/session.h"
#include "ui/draw/graph/compare-marks.h"
#include "ui/draw/graph/graph-plot.h"

typedef struct _GobanGraphScenes GobanGraphScenes;

/* Scenes of one run for a plot; immutable and reference-counted. */
typedef struct
{
  GobanRun *run;
  GobanPlot *plot;
  GobanGraphScene *base;  /* of all nodes; shared with other plots' */
  GobanGraphScene *scene; /* with the values that fill it */
} GobanRunScene;

GobanRunScene *goban_run_scene_ref (GobanRunScene *self);
void goban_run_scene_unref (GobanRunScene *self);

/* Marks of one difference for a plot; immutable and reference-counted. */
typedef struct
{
  GobanDifference *difference;
  GobanPlot *plot;
  GobanCompareMarks *marks;
} GobanRunMarks;

GobanRunMarks *goban_run_marks_ref (GobanRunMarks *self);
void goban_run_marks_unref (GobanRunMarks *self);

/* @ready: called when the requested scenes are made, perhaps before goban_graph_scenes_want()
 * returns. */
GobanGraphScenes *goban_graph_scenes_new (GobanSession *session, void (*ready) (gpointer user_data),
                                          gpointer user_data) G_GNUC_WARN_UNUSED_RESULT;
GobanGraphScenes *goban_graph_scenes_ref (GobanGraphScenes *self);
void goban_graph_scenes_unref (GobanGraphScenes *self);
/* Stops all callbacks. */
void goban_graph_scenes_stop (GobanGraphScenes *self);

typedef struct
{
  GPtrArray *runs; /* GobanRun; runs of another graph than the plot's have no scene */
  GobanPlot *plot;
  GobanDifference *difference; /* (nullable) */
  gboolean has_own_scales;     /* compare-values.h */
} GobanScenesWish;

/* Requests scenes, with the colouring of the session's view. */
void goban_graph_scenes_want (GobanGraphScenes *self, const GobanScenesWish *wish);
/* Whether a requested scene is still missing. */
gboolean goban_graph_scenes_is_busy (const GobanGraphScenes *self);

/* Results, borrowed until the next call of "ready"; all (nullable). */
GobanPlot *goban_graph_scenes_get_plot (const GobanGraphScenes *self);
GobanRunScene *goban_graph_scenes_get (const GobanGraphScenes *self, GobanRun *run);
GobanRunMarks *goban_graph_scenes_get_marks (const GobanGraphScenes *self,
                                             const GobanDifference *difference);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanGraphScenes, goban_graph_scenes_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRunScene, goban_run_scene_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanRunMarks, goban_run_marks_unref)
