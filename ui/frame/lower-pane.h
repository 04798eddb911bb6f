/* lower-pane.h: console, table of nodes and notes, in a stack below the pictures; beside it the
 * script and trainings. */
#pragma once

#include "ui/console/script-view.h"
#include "ui/frame/site.h"
#include "ui/panels/notes-view.h"
#include "ui/table/node-table.h"
#include "ui/training/training-view.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_LOWER_PANE (goban_lower_pane_get_type ())
G_DECLARE_FINAL_TYPE (GobanLowerPane, goban_lower_pane, GOBAN, LOWER_PANE, GObject)

GobanLowerPane *goban_lower_pane_new (const GobanSite *site) G_GNUC_WARN_UNUSED_RESULT;

GtkWidget *goban_lower_pane_get_widget (GobanLowerPane *self);
GobanConsoleView *goban_lower_pane_get_console (GobanLowerPane *self);
GobanScriptView *goban_lower_pane_get_script (GobanLowerPane *self);
GobanNodeTable *goban_lower_pane_get_table (GobanLowerPane *self);
GobanNotesView *goban_lower_pane_get_notes (GobanLowerPane *self);
GobanTrainingView *goban_lower_pane_get_training (GobanLowerPane *self);

/* @evaluator (nullable): without one the console is hidden */
void goban_lower_pane_set_evaluator (GobanLowerPane *self, GobanConsoleEvaluator *evaluator);
/* Brings the console, which is on, to the front. */
void goban_lower_pane_show_console (GobanLowerPane *self);
/* Shows the pages whose actions are on and that have something to show. */
void goban_lower_pane_update (GobanLowerPane *self);

G_END_DECLS
