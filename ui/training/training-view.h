/* training-view.h: pane of a training: its state in words, buttons, its learning curves.
 *
 * Shows one of a list of trainings, the newest one by default; the others can be chosen. While one
 * runs, what is new is taken over a few times a second.
 *
 * Signals: "use-network" (const char *path): the user wants to place with the network of a training
 *   that has ended; "closed": the close button.
 */
#pragma once

#include "ui/training/training-charts.h"

#include "engine/training/training-job.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_TRAINING_VIEW (goban_training_view_get_type ())
G_DECLARE_FINAL_TYPE (GobanTrainingView, goban_training_view, GOBAN, TRAINING_VIEW, GtkWidget)

/* @trainings: a list of #GobanTrainingJob; a reference is taken. */
GtkWidget *goban_training_view_new (GListModel *trainings) G_GNUC_WARN_UNUSED_RESULT;

void goban_training_view_set_theme (GobanTrainingView *self, GobanTheme theme);

/* (nullable): the training that is shown; borrowed. */
GobanTrainingJob *goban_training_view_get_training (GobanTrainingView *self);
GobanTrainingCharts *goban_training_view_get_charts (GobanTrainingView *self);
/* What it says of the training; borrowed. */
const char *goban_training_view_get_text (GobanTrainingView *self);

/* The buttons' work. */
void goban_training_view_pause (GobanTrainingView *self, gboolean is_paused);
void goban_training_view_stop (GobanTrainingView *self);

G_END_DECLS
