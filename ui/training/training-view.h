/* training-view.h: pane of a training: its state in words, buttons, its learning curves.
 *
 * Shows one of a list of trainings, the newest one by default; the others can be chosen. While one
 * runs, what is new is taken over at most twice a second.
 *
 * The curves of others can be drawn beside it, and a film has the plans that its network made of
 * the open graph after earlier updates.
 *
 * Signals: "play" (uint i, boolean is_kept): the plan of the film's picture i is to be shown, or
 * kept; "compared": the user chose other trainings to be drawn beside it; "use-network" (const
 * char *path): the user wants to place with the network of a training that has ended;
 * "finish-placing": a policy that learns on the graph is to end with its best plan.
 */
#pragma once

#include "ui/training/film-maker.h"
#include "ui/training/training-charts.h"

#include "engine/study/training/training-list.h"

#define GOBAN_TYPE_TRAINING_VIEW (goban_training_view_get_type ())
G_DECLARE_FINAL_TYPE (GobanTrainingView, goban_training_view, GOBAN, TRAINING_VIEW, GtkWidget)

/* @trainings: a list of #GobanTrainingJob; a reference is taken. */
GtkWidget *goban_training_view_new (GListModel *trainings) G_GNUC_WARN_UNUSED_RESULT;

void goban_training_view_set_theme (GobanTrainingView *self, GobanTheme theme);

/* (nullable): the training that is shown; borrowed. */
GobanTrainingJob *goban_training_view_get_training (GobanTrainingView *self);
GobanTrainingCharts *goban_training_view_get_charts (GobanTrainingView *self);

/* @costs: (nullable): of the graph whose plans the film shows */
void goban_training_view_set_costs (GobanTrainingView *self, GobanCostModel *costs);
/* The film of the shown training. Borrowed. */
GobanFilmMaker *goban_training_view_get_film (GobanTrainingView *self);

/* @filming: (nullable): the job that writes the film as a file: the button cancels it then. */
void goban_training_view_set_filming (GobanTrainingView *self, GobanJob *filming);

/* Draws the curves of the training at that place in the list beside the shown one's, or not. */
void goban_training_view_compare (GobanTrainingView *self, guint i, gboolean is_compared);
/* The same for all of the list. */
void goban_training_view_compare_all (GobanTrainingView *self);
/* Places in the list, from 0, of all trainings whose curves are drawn, the shown one's first.
 * (transfer full) (element-type guint) */
GArray *goban_training_view_dup_drawn (GobanTrainingView *self) G_GNUC_WARN_UNUSED_RESULT;

/* Whether another picture is to be made: of the age of the last one, of the processor time that the
 * process has taken since, and of the picture's own. The pane takes at most 1 % of the time of the
 * work, unless its picture becomes too old. */
gboolean goban_training_view_is_due (gint64 age_us, gint64 process_us, gint64 cost_us);

/* The buttons' work. */
void goban_training_view_pause (GobanTrainingView *self, gboolean is_paused);
void goban_training_view_stop (GobanTrainingView *self);
