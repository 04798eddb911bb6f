/* compare-panels.h: panels beside the compared graphs: a sentence, and as tabs reasons, moves,
 * changes and the devices' time.
 *
 * Follow the session's compare set, and request its difference while they are visible.
 */
#pragma once

#include "ui/compare/breakdown-list.h"
#include "ui/compare/change-list.h"
#include "ui/compare/moves-table.h"
#include "ui/widgets/time-shares-view.h"

#define GOBAN_TYPE_COMPARE_PANELS (goban_compare_panels_get_type ())
G_DECLARE_FINAL_TYPE (GobanComparePanels, goban_compare_panels, GOBAN, COMPARE_PANELS, GtkWidget)

GtkWidget *goban_compare_panels_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* Turns to the page of the devices' time. Borrowed. */
GobanTimeSharesView *goban_compare_panels_show_shares (GobanComparePanels *self);
GobanChangeList *goban_compare_panels_get_changes (GobanComparePanels *self);

/* TRUE pauses the breakdown, which uses all processors, so that pictures are made first. */
void goban_compare_panels_set_waiting (GobanComparePanels *self, gboolean is_waiting);
