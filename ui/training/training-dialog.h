/* training-dialog.h: dialog that asks which network to train, for how long, and for its file.
 *
 * Signal: "train": the choice was confirmed. The dialog closes itself afterwards.
 */
#pragma once

#include "engine/study/training/training.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define GOBAN_TYPE_TRAINING_DIALOG (goban_training_dialog_get_type ())
G_DECLARE_FINAL_TYPE (GobanTrainingDialog, goban_training_dialog, GOBAN, TRAINING_DIALOG, GtkWindow)

GtkWidget *goban_training_dialog_new (GtkWindow *parent) G_GNUC_WARN_UNUSED_RESULT;

/* The present choice; its texts are borrowed from the dialog. */
GobanTrainingOptions goban_training_dialog_get_options (GobanTrainingDialog *self);
/* Chooses a network by its place in goban_training_get_networks(), as the list does. */
void goban_training_dialog_choose (GobanTrainingDialog *self, guint network);
void goban_training_dialog_set_steps (GobanTrainingDialog *self, guint n_steps);
/* Sets a row of those that not every network takes, "minutes", or by the place of the choice
 * "suite", "tasks" and "from". %FALSE if the row is hidden. */
gboolean goban_training_dialog_set (GobanTrainingDialog *self, const char *row, guint value);
/* Whether the networks to begin with have been read, which a worker does. */
gboolean goban_training_dialog_has_networks (GobanTrainingDialog *self);
/* Emits "train" and closes. */
void goban_training_dialog_confirm (GobanTrainingDialog *self);

/* The Lua line that starts a training. (transfer full) */
char *goban_training_dup_code (const GobanTrainingOptions *options) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
