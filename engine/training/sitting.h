/* sitting.h: one sitting of a training: steps until it is done or stopped, with files and log kept
 * up to date.
 */
#pragma once

#include "engine/training/training-kind.h"

G_BEGIN_DECLS

typedef struct _GobanSitting GobanSitting;

/* (transfer full) (nullable): as goban_training_run(). The options have been checked. */
GobanTrainingReport *goban_sitting_run (const GobanTrainingKind *kind,
                                        const GobanTrainingOptions *options, GobanTrainingLog *log,
                                        const GobanProgress *progress,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Where the network goes: the output, or the run that is resumed without its suffix. (transfer
 * full) (nullable): %NULL with %GOBAN_ERROR_INVALID set if neither is given. */
char *goban_sitting_choose_output (const GobanTrainingOptions *options,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * goban_sitting_follow:
 * @path: the run file
 *
 * Follows a sitting of another process (following.c). The file, which is replaced as a whole about
 * once a minute and at every trial, has all points; it is read again whenever it has changed. So
 * jobs on other machines can be watched that share nothing but a folder.
 *
 * Returns: (transfer full) (nullable): when the run is done or the job is cancelled; %NULL with
 *   @error set if the file was never there
 */
GobanTrainingReport *goban_sitting_follow (const GobanTrainingKind *kind, const char *path,
                                           GobanTrainingLog *log, const GobanProgress *progress,
                                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The network of a run that is followed: the run file without its suffix. Its film is beside it.
 * (transfer full) */
char *goban_sitting_dup_followed_output (const char *path) G_GNUC_WARN_UNUSED_RESULT;

/* --- of a sitting's own run, or of one that is followed --------------------------------------- */

double goban_sitting_get_fraction (const GobanTrainingKind *kind, gpointer run);
/* Appends "step 120 of 4000, validation 0.93". */
void goban_sitting_describe (const GobanTrainingKind *kind, gpointer run, GobanTrainingLog *log,
                             GString *text);
/* A report without its end and the kind's own part. Takes ownership of @output. (transfer full) */
GobanTrainingReport *goban_sitting_new_report (const GobanTrainingKind *kind, gpointer run,
                                               char *output,
                                               const char *run_path) G_GNUC_WARN_UNUSED_RESULT;

/* --- for requests of a trainer ---------------------------------------------------------------- */

const GobanTrainingKind *goban_sitting_get_kind (const GobanSitting *self);
gpointer goban_sitting_get_run (GobanSitting *self);
/* One step of the run, an update or a trial, with log and files kept up to date. Files that cannot
 * be written are tried again later; the words of the progress say so. */
gboolean goban_sitting_advance (GobanSitting *self, const GobanProgress *progress, GError **error);
/* Writes the network to @path, the run beside it; NULL: to their own files. */
gboolean goban_sitting_save_as (GobanSitting *self, const char *path, GError **error);

G_END_DECLS
