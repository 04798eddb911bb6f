/* generate-dialog.h: dialog for a generated graph: a family, its parameters, and the resulting
 * spec.
 *
 * Knobs and spec are two views of one thing: changing either changes the other. A spec that cannot
 * be generated leaves the knobs as they are, and the engine's sentence tells why. It is not modal.
 *
 * Signal: "chosen" (const char *spec): the graph is to be generated; opening it is the window's business.
 */
#pragma once

#include "engine/session/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GOBAN_TYPE_GENERATE_DIALOG (goban_generate_dialog_get_type ())
G_DECLARE_FINAL_TYPE (GobanGenerateDialog, goban_generate_dialog, GOBAN, GENERATE_DIALOG, GtkWindow)

/* @parent: the window of @session; the dialog is destroyed with it. */
GtkWidget *goban_generate_dialog_new (GtkWindow *parent,
                                      GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* As if @spec were typed. */
void goban_generate_dialog_set_spec (GobanGenerateDialog *self, const char *spec);
const char *goban_generate_dialog_get_spec (GobanGenerateDialog *self);

/* What is said of the spec: how large its graph will be, or what is wrong with it. */
const char *goban_generate_dialog_get_verdict (GobanGenerateDialog *self);

/* The GtkSpinButton or GtkDropDown of the knob of that name, or NULL. */
GtkWidget *goban_generate_dialog_get_control (GobanGenerateDialog *self, const char *knob);

/* Emits "chosen" and closes the dialog; nothing for a bad spec. */
void goban_generate_dialog_generate (GobanGenerateDialog *self);

G_END_DECLS
