/* lower-pane.h: drawer of the window: console, table of nodes and notes as tabs; and the views of
 * scripts and trainings, which the body mounts. */
#pragma once

#include "ui/console/script-view.h"
#include "ui/frame/site.h"
#include "ui/panels/notes-view.h"
#include "ui/table/node-table.h"
#include "ui/training/training-page.h"
#include "ui/training/training-view.h"

typedef enum
{
  GOBAN_DRAWER_CONSOLE,
  GOBAN_DRAWER_NODES,
  GOBAN_DRAWER_NOTES,
  GOBAN_N_DRAWER_PAGES
} GobanDrawerPage;

/* The toggles of the pages: on while the drawer is open with that page in front. */
extern const char *const goban_drawer_actions[GOBAN_N_DRAWER_PAGES];

#define GOBAN_TYPE_LOWER_PANE (goban_lower_pane_get_type ())
G_DECLARE_FINAL_TYPE (GobanLowerPane, goban_lower_pane, GOBAN, LOWER_PANE, GObject)

GobanLowerPane *goban_lower_pane_new (const GobanSite *site) G_GNUC_WARN_UNUSED_RESULT;

/* Its widgets and parts, borrowed. */
typedef struct
{
  GtkWidget *box;
  GobanConsoleView *console;
  GobanScriptView *script;
  GobanNodeTable *table;
  GobanNotesView *notes;
  GobanTrainingView *training;
  GtkWidget *new_training; /* a GobanTrainingPage, hidden at first */
} GobanLowerPaneParts;
const GobanLowerPaneParts *goban_lower_pane_get_parts (GobanLowerPane *self);

/* @evaluator (nullable): without one the drawer is hidden */
void goban_lower_pane_set_evaluator (GobanLowerPane *self, GobanConsoleEvaluator *evaluator);

GobanDrawerPage goban_lower_pane_get_page (GobanLowerPane *self);
void goban_lower_pane_show_page (GobanLowerPane *self, GobanDrawerPage page);
/* Gives the shown page the focus. */
void goban_lower_pane_focus_page (GobanLowerPane *self);
/* Offers the pages that have something to show. */
void goban_lower_pane_update (GobanLowerPane *self);
