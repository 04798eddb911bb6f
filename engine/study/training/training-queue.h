/* training-queue.h: requests to the worker of a training, which answers them one at a time.
 *
 * The queue of a trainer (engine/study/training/trainer.h). Reference-counted. Requests may come
 * from any thread but the worker's.
 */
#pragma once

#include "engine/core/progress.h"

G_BEGIN_DECLS

typedef struct _GobanTrainer GobanTrainer;

GobanTrainer *goban_trainer_new (void) G_GNUC_WARN_UNUSED_RESULT;
GobanTrainer *goban_trainer_ref (GobanTrainer *self);
void goban_trainer_unref (GobanTrainer *self);

/* --- the owner -------------------------------------------------------------------------------- */

/* The worker writes its state and ends. */
void goban_trainer_close (GobanTrainer *self);

/* Any thread. */
gboolean goban_trainer_is_closed (GobanTrainer *self);

/* Answers a request in the worker's thread. */
typedef gboolean (*GobanTrainerFunc) (gpointer worker, const GobanProgress *progress, gpointer data,
                                      GError **error);

/* Waits for the answer. %FALSE with its error set, or with %GOBAN_ERROR_CANCELLED if @progress asks
 * to stop or the training has ended. */
gboolean goban_trainer_ask (GobanTrainer *self, GobanTrainerFunc func, gpointer data,
                            const GobanProgress *progress, GError **error);

/* --- the worker ------------------------------------------------------------------------------- */

/* Answers requests until the owner closes the queue: %TRUE then, %FALSE if @progress, which may
 * pause, says to stop. */
gboolean goban_trainer_serve (GobanTrainer *self, gpointer worker, const GobanProgress *progress);

/* Refuses all further requests. @why: (nullable): the error of the training */
void goban_trainer_end (GobanTrainer *self, const GError *why);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanTrainer, goban_trainer_unref)

G_END_DECLS
