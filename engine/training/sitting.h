/* sitting.h: one sitting of a training: steps until it is done or stopped, with files and log kept
 * up to date.
 */
#pragma once

#include "engine/training/training-kind.h"

G_BEGIN_DECLS

/* (transfer full) (nullable): as goban_training_run(). The options have been checked. */
GobanTrainingReport *goban_sitting_run (const GobanTrainingKind *kind,
                                        const GobanTrainingOptions *options, GobanTrainingLog *log,
                                        const GobanProgress *progress,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Where the network goes: the output, or the run that is resumed without its suffix. (transfer
 * full) (nullable): %NULL with %GOBAN_ERROR_INVALID set if neither is given. */
char *goban_sitting_choose_output (const GobanTrainingOptions *options,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
