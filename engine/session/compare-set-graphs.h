/* compare-set-graphs.h: runs of other graphs than the open one in a compare set.
 *
 * The set keeps the plans that were shown last of graphs that the session has left: of a derived
 * graph after the way back, of a file after another one was opened. They are offered for comparing,
 * the newest first, while there are few and small ones.
 */
#pragma once

#include "engine/graph/graph-matching.h"
#include "engine/session/session.h"

G_BEGIN_DECLS

#define GOBAN_COMPARE_OTHERS 6
#define GOBAN_COMPARE_OTHER_NODES 400000 /* of all their graphs */

/* GobanRunRow. Borrowed. */
GListModel *goban_compare_set_get_others (GobanCompareSet *self);
/* The name of the graph of a row of that list; NULL of other rows. Borrowed. */
const char *goban_compare_row_get_graph (GobanRunRow *row);
/* Adds @run (nullable) as the newest; those of @graph, which is opened, are listed by the session
 * and are dropped. */
void goban_compare_set_keep_other (GobanCompareSet *self, GobanRun *run, GobanGraph *graph);

/* Whether the runs of the pair are of two graphs. */
gboolean goban_compare_set_has_two_graphs (GobanCompareSet *self);
/* (nullable): nodes of the pair's two graphs; made with the difference, whose place it takes.
 * Borrowed. */
GobanGraphMatching *goban_compare_set_get_graph_matching (GobanCompareSet *self);

G_END_DECLS
