/* measure-dialog.h: dialog for a measurement: cores, repeats, and the plans that are run.
 *
 * Plans are those of policies, and those of the list that are for as many devices as cores. Without
 * the library that runs them, the dialog says how to get it. Not modal.
 *
 * Signal: "measure": the choice was confirmed; the dialog is hidden meanwhile.
 */
#pragma once

#include "engine/session/session.h"
#include "engine/study/measure/measurement.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_MEASURE_DIALOG (goban_measure_dialog_get_type ())
G_DECLARE_FINAL_TYPE (GobanMeasureDialog, goban_measure_dialog, GOBAN, MEASURE_DIALOG, GtkWindow)

/* For the open graph of @session, which was read from an ONNX file. */
GtkWidget *goban_measure_dialog_new (GtkWindow *parent,
                                     GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* The present choice, with its line of Lua. (transfer full) */
GobanMeasureOrder *
goban_measure_dialog_make_order (GobanMeasureDialog *self) G_GNUC_WARN_UNUSED_RESULT;

/* Shows the dialog again with the reason, and a button to measure anyway. */
void goban_measure_dialog_refuse (GobanMeasureDialog *self, const char *reason);
