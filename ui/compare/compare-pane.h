/* compare-pane.h: one pane of the comparison: a plan's name, its makespan against the first, and
 * its graph.
 *
 * The n-th pane shows the n-th run of the session's compare set.
 *
 * Decision U47 (ui/NOTES.md).
 */
#pragma once

#include "ui/graph/graph-view-follower.h"

#define GOBAN_TYPE_COMPARE_PANE (goban_compare_pane_get_type ())
G_DECLARE_FINAL_TYPE (GobanComparePane, goban_compare_pane, GOBAN, COMPARE_PANE, GtkWidget)

GtkWidget *goban_compare_pane_new (GobanSession *session, GobanGraphView *leader,
                                   GobanGraphScenes *scenes, guint place) G_GNUC_WARN_UNUSED_RESULT;

GobanGraphView *goban_compare_pane_get_view (GobanComparePane *self);
/* Updates head and graph from the set. */
void goban_compare_pane_update (GobanComparePane *self);
/* FALSE shows the head only, for modes with one picture for the pair. */
void goban_compare_pane_set_has_graph (GobanComparePane *self, gboolean has_graph);

/* "−20.4 % ▼", "+3.1 % ▲", "as the first", "" if one cannot run. Sign and arrow both show the
 * direction. (transfer full) */
char *goban_compare_describe_change (GobanRun *first, GobanRun *run) G_GNUC_WARN_UNUSED_RESULT;
