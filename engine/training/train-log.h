/* train-log.h: thread-safe learning curves: written by the training worker, read by any thread.
 *
 * Reference-counted; all functions may be called from any thread.
 */
#pragma once

#include "engine/rl/curve.h"

G_BEGIN_DECLS

typedef struct _GobanTrainLog GobanTrainLog;

GobanTrainLog *goban_train_log_new (void) G_GNUC_WARN_UNUSED_RESULT;
GobanTrainLog *goban_train_log_ref (GobanTrainLog *self);
void goban_train_log_unref (GobanTrainLog *self);

/* What lessons and trials are called, once, before there are points. @names (array length=n_lessons
 * + n_trials): "gnmt:layers=2 on p100x4", the lessons first. */
void goban_train_log_set_names (GobanTrainLog *self, const char *const *names, guint n_lessons,
                                guint n_trials);
/* All there are: those that are new are added. (element-type GobanCurvePoint, GobanCurveTrial) */
void goban_train_log_update (GobanTrainLog *self, const GArray *points, const GArray *trials);

guint goban_train_log_get_n_points (GobanTrainLog *self);
guint goban_train_log_get_n_trials (GobanTrainLog *self);
/* Copies the one at @i and returns what its graph is called; it must be there. Borrowed from the
 * log. */
const char *goban_train_log_get_point (GobanTrainLog *self, guint i, GobanCurvePoint *point);
const char *goban_train_log_get_trial (GobanTrainLog *self, guint i, GobanCurveTrial *trial);

/* The geometric mean of the mean ratios of points first .. end - 1; NAN without any. */
double goban_train_log_get_ratio (GobanTrainLog *self, guint first, guint end);
/* That of the trials' ratios to the expert at the first or the last time they were measured. */
double goban_train_log_get_trial_ratio (GobanTrainLog *self, gboolean is_last);

/* A line per step and per trial, in the order they were made: kind (update, trial), step, graph,
 * the columns of curve.h, expert_ratio, ratio; empty if a kind has none. (transfer full) */
char *goban_train_log_to_csv (GobanTrainLog *self) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanTrainLog, goban_train_log_unref)

G_END_DECLS
