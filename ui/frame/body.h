/* body.h: content of the window: start page, explorer or comparison, timeline, lower pane. */
#pragma once

#include "ui/frame/explorer.h"
#include "ui/frame/lower-pane.h"
#include "ui/frame/pictures.h"
#include "ui/frame/site.h"
#include "ui/frame/workspaces.h"
#include "ui/panels/start-page.h"

#define GOBAN_TYPE_BODY (goban_body_get_type ())
G_DECLARE_FINAL_TYPE (GobanBody, goban_body, GOBAN, BODY, GObject)

/* @cluster_button: of the header, for the toolbar of the time. */
GobanBody *goban_body_new (const GobanSite *site,
                           GtkWidget *cluster_button) G_GNUC_WARN_UNUSED_RESULT;

/* Its widgets and parts, borrowed. */
typedef struct
{
  GobanFrame *frame;
  GobanStartPage *start;
  GobanComparePage *compare;
  GobanExplorer *explorer;
  GobanLowerPane *lower;
  GobanPictures *pictures;
} GobanBodyParts;
const GobanBodyParts *goban_body_get_parts (GobanBody *self);

/* @evaluator (nullable): without one the console is hidden */
void goban_body_set_evaluator (GobanBody *self, GobanConsoleEvaluator *evaluator);
/* Shows the page and the panes that have something to show. */
void goban_body_update (GobanBody *self);
/* Sizes and toggles of panes. */
void goban_body_restore (GobanBody *self, GobanSettings *settings);
void goban_body_remember (GobanBody *self, GobanSettings *settings);
