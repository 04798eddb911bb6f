/* training-log.h: thread-safe learning curves: written by the worker that learns, a training's or a
 * policy's, and read by any thread.
 *
 * A curve is a list of points, in the order in which they were measured: one per update of the
 * network, and one per trial of a graph or of a set of graphs that are not learned on. Each
 * training has its own series, named once. Reference-counted; all functions may be called from any
 * thread.
 */
#pragma once

#include <glib.h>

#define GOBAN_TRAINING_MAX_SERIES 12

/* Quantity of a series, for axes that several share. */
typedef enum
{
  GOBAN_SERIES_RATIO,    /* makespan over a reference's: lower is better, 1 is as good */
  GOBAN_SERIES_REWARD,   /* higher is better */
  GOBAN_SERIES_ENTROPY,  /* nats of a choice: 0 means that chance is gone */
  GOBAN_SERIES_SHARE,    /* between 0 and 1 */
  GOBAN_SERIES_PROPOSAL, /* share of proposals, between 0 and 1 */
  GOBAN_SERIES_GRADIENT, /* norm */
  GOBAN_SERIES_ERROR,    /* mean square */
  GOBAN_SERIES_SECONDS,
  GOBAN_SERIES_N_KINDS
} GobanSeriesKind;

/* Static. */
typedef struct
{
  const char *name;  /* "mean_ratio": column of the CSV and key in Lua */
  const char *title; /* marked for translation: "Sample mean" */
  GobanSeriesKind kind;
  gboolean is_trial; /* measured in trials, not in updates */
} GobanTrainingSeries;

/* NAN where a series was not measured. */
typedef struct
{
  guint step;        /* number of updates made */
  guint subject;     /* which graph: its number among the names */
  gboolean is_trial; /* else an update, and the subject is a lesson */
  double values[GOBAN_TRAINING_MAX_SERIES];
} GobanTrainingPoint;

typedef struct _GobanTrainingLog GobanTrainingLog;

GobanTrainingLog *goban_training_log_new (void) G_GNUC_WARN_UNUSED_RESULT;
GobanTrainingLog *goban_training_log_ref (GobanTrainingLog *self);
void goban_training_log_unref (GobanTrainingLog *self);

/* --- writing ---------------------------------------------------------------------------------- */

/* Once, before there are points. @series: static. @names: (nullable) NULL-terminated, copied:
 * "gnmt:layers=2 on p100x4"; without names points have none. */
void goban_training_log_begin (GobanTrainingLog *self, const GobanTrainingSeries *series,
                               guint n_series, const char *const *names);
/* A point of which nothing was measured yet. */
GobanTrainingPoint goban_training_point_new (guint step, guint subject, gboolean is_trial);
void goban_training_log_add (GobanTrainingLog *self, const GobanTrainingPoint *point);
/* @warning: (nullable) static: in words, how the network has collapsed. */
void goban_training_log_set_warning (GobanTrainingLog *self, const char *warning);

/* --- reading ---------------------------------------------------------------------------------- */

/* All series; @n: (out), 0 before it has begun. Static. */
const GobanTrainingSeries *goban_training_log_get_series (GobanTrainingLog *self, guint *n);
/* Name of a point's subject; "" without names. Borrowed from the log. */
const char *goban_training_log_get_name (GobanTrainingLog *self, guint subject);
guint goban_training_log_get_n_points (GobanTrainingLog *self);
/* The update of the last point; 0 without any. */
guint goban_training_log_get_last_step (GobanTrainingLog *self);
/* Copies at most @n points from @first on into @points, and returns how many there were. */
guint goban_training_log_read (GobanTrainingLog *self, guint first, GobanTrainingPoint *points,
                               guint n);
/* (nullable) static */
const char *goban_training_log_get_warning (GobanTrainingLog *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanTrainingLog, goban_training_log_unref)

/* End of a training log, and callbacks for its beginning and its end.
 *
 * Part of engine/study/run/training-log.h, for learning that has no job of its own. Any thread.
 */

/* There will be no more points. @why: (nullable): the error that ended the learning; copied */
void goban_training_log_end (GobanTrainingLog *self, const GError *why);
/* %FALSE before the end. @why: (out) (optional) (nullable): borrowed from the log */
gboolean goban_training_log_has_ended (GobanTrainingLog *self, const GError **why);

/* Calls @func in the default main context soon after the log has begun and soon after it has ended,
 * also if either was before; perhaps once for both. A log has one watcher, until its end; a
 * second one is never called. @destroy frees @data in the thread of the last reference. */
typedef void (*GobanTrainingLogFunc) (GobanTrainingLog *self, gpointer data);
void goban_training_log_watch (GobanTrainingLog *self, GobanTrainingLogFunc func, gpointer data,
                               GDestroyNotify destroy);

/* The geometric mean of a series of trials when they were first or last measured; NAN without. */
double goban_training_log_get_trial_mean (GobanTrainingLog *self, guint series, gboolean is_last);

/* A line per point: kind (update, trial), step, graph and a column per series, empty if it was not
 * measured. (transfer full) */
char *goban_training_log_to_csv (GobanTrainingLog *self) G_GNUC_WARN_UNUSED_RESULT;
