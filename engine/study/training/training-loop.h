/* training-loop.h: steps of a training until it is done or stopped, with files and log kept up to
 * date.
 */
#pragma once

#include "engine/study/training/training-kind.h"

G_BEGIN_DECLS

typedef struct _GobanTrainingLoop GobanTrainingLoop;

/* (transfer full) (nullable): as goban_training_run(). The options have been checked. */
GobanTrainingReport *goban_training_loop_run (const GobanTrainingKind *kind,
                                              const GobanTrainingOptions *options,
                                              GobanTrainingLog *log, const GobanProgress *progress,
                                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Path of the network: the output, or the run that is resumed without its suffix. (transfer full)
 * (nullable): %NULL with %GOBAN_ERROR_INVALID set if neither is given. */
char *goban_training_loop_choose_output (const GobanTrainingOptions *options,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * goban_training_loop_follow:
 * @path: the run file
 *
 * Follows a training of another process (training-follow.c). The file, which is replaced as a
 * whole about once a minute and at every trial, has all points; it is read again whenever it has
 * changed. So jobs on other machines can be watched that share nothing but a folder.
 *
 * Returns: (transfer full) (nullable): when the run is done or the job is cancelled; %NULL with
 *   @error set if the file was never there
 */
GobanTrainingReport *goban_training_loop_follow (const GobanTrainingKind *kind, const char *path,
                                                 GobanTrainingLog *log,
                                                 const GobanProgress *progress,
                                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The network of a run that is followed: the run file without its suffix. Its film is beside it.
 * (transfer full) */
char *goban_training_loop_dup_followed_output (const char *path) G_GNUC_WARN_UNUSED_RESULT;

/* --- of a loop's own run, or of one that is followed ------------------------------------------ */

double goban_training_loop_get_fraction (const GobanTrainingKind *kind, gpointer run);
/* Appends "step 120 of 4000, validation 0.93". */
void goban_training_loop_describe (const GobanTrainingKind *kind, gpointer run,
                                   GobanTrainingLog *log, GString *text);
/* A report without its end and the kind's own part. Takes ownership of @output. (transfer full) */
GobanTrainingReport *
goban_training_loop_new_report (const GobanTrainingKind *kind, gpointer run, char *output,
                                const char *run_path) G_GNUC_WARN_UNUSED_RESULT;

/* --- for requests of a trainer ---------------------------------------------------------------- */

const GobanTrainingKind *goban_training_loop_get_kind (const GobanTrainingLoop *self);
gpointer goban_training_loop_get_run (GobanTrainingLoop *self);
/* One step of the run, an update or a trial, with log and files kept up to date. Files that cannot
 * be written are tried again later; the words of the progress say so. */
gboolean goban_training_loop_advance (GobanTrainingLoop *self, const GobanProgress *progress,
                                      GError **error);
/* Writes the present network, or the kept one, to @path, NULL: to its own file, and the run beside
 * it. */
gboolean goban_training_loop_save_as (GobanTrainingLoop *self, const char *path,
                                      gboolean is_present, GError **error);
/* What the report would be if it ended now. (transfer full) */
GobanTrainingReport *
goban_training_loop_report (const GobanTrainingLoop *self) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
