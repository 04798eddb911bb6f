/* calibrate-dialog.h: dialog that fits the efficiencies of a kind of device to measured times: of
 * the ops of a trace or a profile, or of iterations in a table (engine/study/measure).
 *
 * Shows the constants with the errors of the fit beside those of the data sheet, and gives the
 * session the cluster with them as one undoable change. Not modal.
 *
 * Signal: "choose-file" (): a file is wanted.
 */
#pragma once

#include "engine/session/session.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_CALIBRATE_DIALOG (goban_calibrate_dialog_get_type ())
G_DECLARE_FINAL_TYPE (GobanCalibrateDialog, goban_calibrate_dialog, GOBAN, CALIBRATE_DIALOG,
                      GtkWindow)

GtkWidget *goban_calibrate_dialog_new (GtkWindow *parent,
                                       GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* Fits to a file, or (NULL) to the times of the open graph. */
void goban_calibrate_dialog_set_file (GobanCalibrateDialog *self, const char *path);

/* Whether no fit is being made; and the fit, or the reason why there is none. Borrowed. */
gboolean goban_calibrate_dialog_is_settled (GobanCalibrateDialog *self);
