/* training-charts.h: picture of a training's curves, which grow while it runs.
 *
 * The same updates are on all x axes. The wheel zooms, a drag pans, a drag with Shift or Ctrl zooms
 * to the updates between its ends, a double click shows everything again; Left and Right move a
 * cursor, whose values are read out.
 */
#pragma once

#include "engine/study/run/training-log.h"
#include "ui/widgets/picture.h"

#define GOBAN_TYPE_TRAINING_CHARTS (goban_training_charts_get_type ())
G_DECLARE_FINAL_TYPE (GobanTrainingCharts, goban_training_charts, GOBAN, TRAINING_CHARTS,
                      GobanPicture)

/**
 * goban_training_charts_set_logs:
 * @logs: (array length=n): references are taken
 * @names: (array length=n): of the trainings, in the legends of several
 * @n: 0: an empty picture
 *
 * Of one log there is a chart per kind of series; of several, a chart per series of the first, with
 * a line of each training.
 */
void goban_training_charts_set_logs (GobanTrainingCharts *self, GobanTrainingLog *const *logs,
                                     const char *const *names, guint n);
/* With one log: a chart for each graph, with its ratios, in place of one for each kind of series.
 * */
void goban_training_charts_set_by_graph (GobanTrainingCharts *self, gboolean is_by_graph);
/* Whether it would make a difference: the one training names several graphs and measured them. */
gboolean goban_training_charts_has_graphs (GobanTrainingCharts *self);
/* Takes over the points that are new. %TRUE if there were any. */
gboolean goban_training_charts_update (GobanTrainingCharts *self);

/* "update 120: reward 0.31, entropy 0.42": the values at the cursor, or the last ones; "" without
 * points. (transfer full) */
char *goban_training_charts_describe (GobanTrainingCharts *self) G_GNUC_WARN_UNUSED_RESULT;
/* Number of charts, and of points taken over of the first log: for tests. */
guint goban_training_charts_get_n_charts (GobanTrainingCharts *self);
guint goban_training_charts_get_n_points (GobanTrainingCharts *self);
/* The visible range of updates. */
void goban_training_charts_get_range (GobanTrainingCharts *self, double *x0, double *x1);
/* Moves the cursor by a share of the visible range; to the last update if there is none. */
void goban_training_charts_move_cursor (GobanTrainingCharts *self, double share);
/* Shows that part of the visible range, 0..1. */
void goban_training_charts_brush (GobanTrainingCharts *self, double from, double to);
/* Shows all updates again. */
void goban_training_charts_fit (GobanTrainingCharts *self);
