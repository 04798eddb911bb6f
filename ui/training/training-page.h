/* training-page.h: page that asks which network to train, for how many steps, and for its file.
 *
 * While it is seen, a short trial measures how long that takes on this computer.
 *
 * Signals: "train": the choice was confirmed, and the page hides; "cancelled": the user wants
 * it hidden.
 */
#pragma once

#include "engine/study/training/training.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_TRAINING_PAGE (goban_training_page_get_type ())
G_DECLARE_FINAL_TYPE (GobanTrainingPage, goban_training_page, GOBAN, TRAINING_PAGE, GtkWidget)

GtkWidget *goban_training_page_new (void) G_GNUC_WARN_UNUSED_RESULT;

/* The present choice; its texts are borrowed from the page. */
GobanTrainingOptions goban_training_page_get_options (GobanTrainingPage *self);
/* Whether the networks to begin with have been read, which a worker does. */
gboolean goban_training_page_has_networks (GobanTrainingPage *self);
/* Emits "train" and hides. */
void goban_training_page_confirm (GobanTrainingPage *self);

/* The Lua line that starts a training. (transfer full) */
char *goban_training_dup_code (const GobanTrainingOptions *options) G_GNUC_WARN_UNUSED_RESULT;
