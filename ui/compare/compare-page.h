/* compare-page.h: page of the window that compares two to four plans side by side.
 *
 * It shows what the session's compare set says, in the places where the explorer has its nodes;
 * panes share camera, time and selection as far as the set says so. Below them are the panels about
 * the pair and its timeline.
 *
 * Signal: "hint" (const char *text): what is under the pointer, "" for nothing.
 */
#pragma once

#include "ui/compare/compare-pane.h"
#include "ui/compare/compare-panels.h"
#include "ui/compare/compare-timeline.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_COMPARE_PAGE (goban_compare_page_get_type ())
G_DECLARE_FINAL_TYPE (GobanComparePage, goban_compare_page, GOBAN, COMPARE_PAGE, GtkWidget)

/* @leader: the explorer's graph. */
GtkWidget *goban_compare_page_new (GobanSession *session,
                                   GobanGraphView *leader) G_GNUC_WARN_UNUSED_RESULT;

/* The pictures, for keys, themes and whoever watches them: the panes' graphs, that of a pair, the timeline. (transfer
 * container) (element-type GobanPicture) */
GPtrArray *goban_compare_page_list_pictures (GobanComparePage *self) G_GNUC_WARN_UNUSED_RESULT;

GobanComparePane *goban_compare_page_get_pane (GobanComparePage *self, guint i);
/* The picture of the pair, in the modes that have one. */
GobanGraphView *goban_compare_page_get_joint (GobanComparePage *self);
GobanCompareTimeline *goban_compare_page_get_timeline (GobanComparePage *self);
GobanComparePanels *goban_compare_page_get_panels (GobanComparePage *self);
/* Whether something of what is to be seen is being made in a worker. */
gboolean goban_compare_page_is_busy (GobanComparePage *self);
/* What the ramps of colours say, "" if no numbers fill nodes. */
const char *goban_compare_page_get_ramps (GobanComparePage *self);
/* What the legend says. */
const char *goban_compare_page_get_legend (GobanComparePage *self);

/* While it is TRUE the two of the pair are shown in each other's place. */
void goban_compare_page_blink (GobanComparePage *self, gboolean is_held);

/* compare-page-bar.c: the rows of buttons above and below the panes, which keep themselves up to date. @legend is put into the
 * lower one. */
GtkWidget *goban_compare_bar_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;
GtkWidget *goban_compare_footer_new (GobanSession *session,
                                     GtkWidget *legend) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
