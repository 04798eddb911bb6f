/* generate-dialog.h: dialog for a generated graph: a family, its parameters, and the resulting
 * spec.
 *
 * The parameter controls and the spec show the same thing: a change of one updates the other. An
 * invalid spec leaves the controls unchanged, and the engine's error message is shown. Not modal.
 *
 * Signal: "chosen" (const char *spec): the graph is to be generated; the window opens it.
 *
 * Decision U10 (ui/NOTES.md).
 */
#pragma once

#include "engine/session/session.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_GENERATE_DIALOG (goban_generate_dialog_get_type ())
G_DECLARE_FINAL_TYPE (GobanGenerateDialog, goban_generate_dialog, GOBAN, GENERATE_DIALOG, GtkWindow)

/* @parent: the window of @session; the dialog is destroyed with it. */
GtkWidget *goban_generate_dialog_new (GtkWindow *parent,
                                      GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* The GtkSpinButton or GtkDropDown of the parameter of that name, or NULL. */
GtkWidget *goban_generate_dialog_get_control (GobanGenerateDialog *self, const char *knob);
