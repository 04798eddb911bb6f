/* compare-set.h: the runs of a session that are compared side by side, and the options of the
 * comparison.
 *
 * A GObject of the main thread; a session owns one. Up to four runs of the session's list; the
 * first is the reference for the others. Two of them are the pair, for which there is a difference.
 * Mouse, keys and Lua change the set by the same calls; each change emits "log" with a line of Lua,
 * which the session forwards.
 *
 * A run that is removed from the list is removed from the set, and returns to its place if an undo
 * restores it. A run that an edit or another cluster replaces is replaced here, too. Neither is
 * logged, because the command that caused it was.
 *
 * An empty set is closed. Its options are in compare-set-looks.h, the pair's difference in
 * compare-set-difference.h.
 *
 * Properties: "open" (boolean: the window shows the comparison), "runs" (pointer, GPtrArray of
 *   GobanRun), "pair" (pointer), "mode" (int), "unchanged" (int), "min-change" (double), "sync"
 *   (uint), "scales" (boolean: own ones), "lanes" (boolean: all), "devices" (boolean:
 *   own ones), "difference" (pointer, nullable), "racing" (boolean).
 * Signal: "log" (const char *lua).
 */
#pragma once

#include "engine/graph/graph-matching.h"
#include "engine/session/state.h"
#include "engine/study/run/run-list.h"

#include <gio/gio.h>

#define GOBAN_COMPARE_MAX 4

#define GOBAN_TYPE_COMPARE_SET (goban_compare_set_get_type ())
G_DECLARE_FINAL_TYPE (GobanCompareSet, goban_compare_set, GOBAN, COMPARE_SET, GObject)

gboolean goban_compare_set_is_open (GobanCompareSet *self);
/* Opens the set. If it has fewer than two runs, it takes the current run and the one that it was
 * edited from, else the best with another makespan, else the newest of another graph. Without a
 * plan it stays closed. If another run has become the current one since it was closed, and is not
 * among them, it replaces the second of the pair, so that a comparison has the shown run. */
void goban_compare_set_open (GobanCompareSet *self);
void goban_compare_set_close (GobanCompareSet *self);

/* The chosen runs that are in the list, in order; possibly 0 or 1. */
guint goban_compare_set_get_n_runs (GobanCompareSet *self);
GobanRun *goban_compare_set_get_run (GobanCompareSet *self, guint i);
/* The index of @run in the set; -1 if it is not a member. */
int goban_compare_set_find (GobanCompareSet *self, GobanRun *run);

/* Replaces the members by @runs, at most GOBAN_COMPARE_MAX different runs of the session's list,
 * and opens the set; closes it if @n is 0. The pair is kept if both are still members, else it is
 * the first two. */
void goban_compare_set_show (GobanCompareSet *self, GobanRun *const *runs, guint n);
/* Replaces member @i by @run; if @run is a member already, the two change places. */
void goban_compare_set_replace (GobanCompareSet *self, guint i, GobanRun *run);

/* The indices of the pair; %FALSE if there are fewer than two members. */
gboolean goban_compare_set_get_pair (GobanCompareSet *self, guint *before, guint *after);
void goban_compare_set_set_pair (GobanCompareSet *self, guint before, guint after);
/* The two of the pair change places. */
void goban_compare_set_swap (GobanCompareSet *self);
void goban_compare_set_restore (GobanCompareSet *self, GobanRun *const *runs, guint n,
                                const guint pair[2], gboolean is_open);

/* --- for the session that owns it ------------------------------------------------------------- */

/* @runs: the session's list, which outlives it. (transfer full) */
GobanCompareSet *goban_compare_set_new (GListModel *runs) G_GNUC_WARN_UNUSED_RESULT;
/* To be called after the session has changed from @last to @next and has updated its list. */
void goban_compare_set_follow (GobanCompareSet *self, const GobanState *last, GobanState *next);
/* Drops everything that belongs to one graph, and closes. */
void goban_compare_set_reset (GobanCompareSet *self);

/* --- plans of other graphs -------------------------------------------------------------------- */

/* Runs of other graphs than the open one in a compare set.
 *
 * The set keeps the plans that were shown last of graphs that the session has left: of a derived
 * graph after the way back, of a file after another one was opened. They are offered for comparing,
 * the newest first, while there are few and small ones.
 */

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
