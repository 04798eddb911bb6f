/* training-curves.h: the points of one training's log as lines of charts, of all graphs or of each.
 *
 * Several trials of one update are one value, their geometric mean; of a single graph they are as
 * measured. One thread at a time.
 */
#pragma once

#include "engine/study/run/training-log.h"
#include "ui/draw/charts/line-charts.h"

G_BEGIN_DECLS

/* Graphs with lines of their own; those that come later have none. */
#define GOBAN_TRAINING_MAX_SUBJECTS 24

typedef struct _GobanTrainingCurves GobanTrainingCurves;

/* @name: of the training, in legends of several; a reference on @log is taken. */
GobanTrainingCurves *goban_training_curves_new (GobanTrainingLog *log,
                                                const char *name) G_GNUC_WARN_UNUSED_RESULT;
void goban_training_curves_free (GobanTrainingCurves *self);

/* Takes over the points that are new. %TRUE if there were any. */
gboolean goban_training_curves_update (GobanTrainingCurves *self);

const char *goban_training_curves_get_name (const GobanTrainingCurves *self);
guint goban_training_curves_get_n_points (const GobanTrainingCurves *self);
guint goban_training_curves_get_last_update (const GobanTrainingCurves *self);
/* Static; @n: (out), 0 before the first update. */
const GobanTrainingSeries *goban_training_curves_get_series (const GobanTrainingCurves *self,
                                                             guint *n);
/* Whether any value of the series was measured. */
gboolean goban_training_curves_has_line (const GobanTrainingCurves *self, guint series);
/* The line of a series, whose values are borrowed until the next update. */
GobanChartLine goban_training_curves_get_line (const GobanTrainingCurves *self, guint series,
                                               const char *title);

/* Graphs that are learned on, and those that are only tried, in the order of their first points. */
guint goban_training_curves_get_n_subjects (const GobanTrainingCurves *self);
/* Its name, "" without one; borrowed. */
const char *goban_training_curves_get_subject (const GobanTrainingCurves *self, guint i,
                                               gboolean *is_trial);
/* %FALSE if the series is no ratio or was not measured; the title is not translated. */
gboolean goban_training_curves_get_subject_line (const GobanTrainingCurves *self, guint i,
                                                 guint series, GobanChartLine *line);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanTrainingCurves, goban_training_curves_free)

G_END_DECLS
