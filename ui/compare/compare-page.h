/* compare-page.h: page of the window that compares two to four plans side by side.
 *
 * Shows the session's compare set, with nodes at the same positions as in the explorer. Panes share
 * camera, time and selection as the set demands. The panels about the pair and its timeline are
 * made here and placed by the frame.
 *
 * Signal: "hint" (const char *text): description of the item under the pointer, "" for none.
 *
 * Decision U54 (ui/NOTES.md).
 */
#pragma once

#include "ui/compare/compare-pane.h"
#include "ui/compare/compare-panels.h"
#include "ui/compare/compare-timeline.h"

#define GOBAN_TYPE_COMPARE_PAGE (goban_compare_page_get_type ())
G_DECLARE_FINAL_TYPE (GobanComparePage, goban_compare_page, GOBAN, COMPARE_PAGE, GtkWidget)

/* @leader: the explorer's graph. */
GtkWidget *goban_compare_page_new (GobanSession *session,
                                   GobanGraphView *leader) G_GNUC_WARN_UNUSED_RESULT;

/* All pictures, for keys, themes and signal handlers: the panes' graphs, the pair's graph, the
 * timeline. (transfer container) (element-type GobanPicture) */
GPtrArray *goban_compare_page_list_pictures (GobanComparePage *self) G_GNUC_WARN_UNUSED_RESULT;

GobanComparePane *goban_compare_page_get_pane (GobanComparePage *self, guint i);
/* The picture of the pair, in the modes that have one. */
GobanGraphView *goban_compare_page_get_joint (GobanComparePage *self);
GobanCompareTimeline *goban_compare_page_get_timeline (GobanComparePage *self);
GobanComparePanels *goban_compare_page_get_panels (GobanComparePage *self);
/* Whether a worker is making a visible part. */
gboolean goban_compare_page_is_busy (GobanComparePage *self);

/* Plays the records of the plans on one clock (race-bar.h), or ends that; FALSE if it is so. */
gboolean goban_compare_page_race (GobanComparePage *self, gboolean is_racing);
/* Plays or pauses the race; FALSE without one. */
gboolean goban_compare_page_toggle_race (GobanComparePage *self);
/* Whether a race goes on. */
gboolean goban_compare_page_is_undecided (GobanComparePage *self);

/* TRUE shows the other run of the pair. */
void goban_compare_page_blink (GobanComparePage *self, gboolean is_held);

/* compare-page-bar.c: the row of buttons above the panes, which keeps itself up to date. @legend
 * (out): its label, (transfer none). */
GtkWidget *goban_compare_bar_new (GobanSession *session,
                                  GtkWidget **legend) G_GNUC_WARN_UNUSED_RESULT;
