/* output-lock.h: files that the trainings of this process write, so that two never write the same.
 *
 * A run that is not done is refused by its file, but a training has none in its first minute. Any
 * thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Takes the file of a network for one training. (transfer full) (nullable): to be released; %NULL
 * with %GOBAN_ERROR_INVALID set if another training has it. */
char *goban_output_lock_take (const char *output, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* @lock: (transfer full) */
void goban_output_lock_release (char *lock);

G_END_DECLS
