/* output-lock.h: files that trainings write, so that two never write the same.
 *
 * A run that is not done is refused by its file, but a training has none in its first minute. A
 * file OUTPUT.lock keeps other processes away. Any thread.
 */
#pragma once

#include "engine/study/training/training-queue.h"

G_BEGIN_DECLS

typedef struct _GobanOutputLock GobanOutputLock;

/**
 * goban_output_lock_take:
 * @output: the file of a network
 * @trainer: (nullable): borrowed until the release: whose training it is
 *
 * Takes the file for one training. Waits for the end of another one if its trainer is closed, for
 * that ends soon, and scripts close one and begin the next.
 *
 * Returns: (transfer full) (nullable): to be released; %NULL with %GOBAN_ERROR_INVALID set if
 *   another training has it
 */
GobanOutputLock *goban_output_lock_take (const char *output, GobanTrainer *trainer,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* @self: (transfer full) */
void goban_output_lock_release (GobanOutputLock *self);

G_END_DECLS
