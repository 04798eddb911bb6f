/* training-log-summary.h: means of the trials of a training log, and the log as CSV. */
#pragma once

#include "engine/study/run/training-log.h"

G_BEGIN_DECLS

/* The geometric mean of a series of trials when they were first or last measured; NAN without. */
double goban_training_log_get_trial_mean (GobanTrainingLog *self, guint series, gboolean is_last);

/* A line per point: kind (update, trial), step, graph and a column per series, empty if it was not
 * measured. (transfer full) */
char *goban_training_log_to_csv (GobanTrainingLog *self) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
