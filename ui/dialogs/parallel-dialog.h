/* parallel-dialog.h: dialog for a training on a whole cluster, a pipeline, copies of the model or a
 * collective.
 *
 * Each change simulates the choice in a worker, the newest only, and shows the result or the error
 * message, and for a training the memory of ranks; a choice that fails cannot be confirmed. If the
 * graph would be too large for that, its size is shown instead. Not modal.
 *
 * Signals: "make": the choice was confirmed; the dialog is hidden meanwhile. "choose-file": a file
 *   dialog for the schedule is asked for.
 */
#pragma once

#include "engine/session/session.h"
#include "engine/study/run/parallel-order.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_PARALLEL_DIALOG (goban_parallel_dialog_get_type ())
G_DECLARE_FINAL_TYPE (GobanParallelDialog, goban_parallel_dialog, GOBAN, PARALLEL_DIALOG, GtkWindow)

/* Without an open graph a collective is the only kind. */
GtkWidget *goban_parallel_dialog_new (GtkWindow *parent, GobanSession *session,
                                      GobanParallelKind kind) G_GNUC_WARN_UNUSED_RESULT;

/* The present choice. (transfer full) */
GobanParallelOrder *
goban_parallel_dialog_make_order (GobanParallelDialog *self) G_GNUC_WARN_UNUSED_RESULT;

/* TRUE once the present choice has its verdict. */
gboolean goban_parallel_dialog_is_settled (GobanParallelDialog *self);

/* Chooses a schedule from a file. */
void goban_parallel_dialog_set_file (GobanParallelDialog *self, const char *path);

/* Shows the dialog again with the reason. */
void goban_parallel_dialog_refuse (GobanParallelDialog *self, const char *reason);
