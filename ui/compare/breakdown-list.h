/* breakdown-list.h: the difference of two plans as a waterfall (ui/draw/charts/waterfall.h): a row
 * for each plan, part and group; of plans for two graphs, for each cause.
 *
 * Each row has its cause, its change, a bar, the number of nodes, and a button that tries the
 * second plan without it. Choosing a row selects its nodes; choosing the placement also shows or
 * hides its groups. Found while the list is visible; the search can be stopped and restarted.
 *
 * Signal: "changed": the rows have changed.
 */
#pragma once

#include "engine/session/attributor.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_BREAKDOWN_LIST (goban_breakdown_list_get_type ())
G_DECLARE_FINAL_TYPE (GobanBreakdownList, goban_breakdown_list, GOBAN, BREAKDOWN_LIST, GtkWidget)

GtkWidget *goban_breakdown_list_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* @difference: (nullable); @pair: (nullable): without it, two runs of different graphs. Results for
 * the same two runs are kept. */
void goban_breakdown_list_set_difference (GobanBreakdownList *self, GobanDifference *difference,
                                          GobanRun *const pair[2]);

GobanAttributor *goban_breakdown_list_get_attributor (GobanBreakdownList *self);

/* The difference as a sentence with the letters of the plans, and how it was found; "" without one.
 * (transfer full) */
char *goban_breakdown_list_dup_sentence (GobanBreakdownList *self);
