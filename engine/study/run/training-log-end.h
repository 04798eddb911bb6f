/* training-log-end.h: end of a training log, and callbacks for its beginning and its end.
 *
 * Part of engine/study/run/training-log.h, for learning that has no job of its own. Any thread.
 */
#pragma once

#include "engine/study/run/training-log.h"

G_BEGIN_DECLS

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

G_END_DECLS
