/* view.h: view state shared by all panes; saved with the session, not undoable.
 *
 * A GObject of the main thread; a session owns one. Mouse, keys and Lua change it by the same
 * calls; each change emits "log" with a line of Lua, which the session forwards.
 *
 * Properties: "color" (string), "hidden" (GobanSelection), "grouping" (int, GobanGrouping),
 *   "expanded" (GStrv), "layout" (int, GobanArrangement), "time" (double), "lanes" (pointer,
 *   GobanLanes), "moment" (int), "level" (int: the level or which stops), "workspace" (int,
 *   GobanWorkspace).
 * Signals: "log" (const char *lua); "look" (const GobanViewport *): asks the graph pane to show
 * that
 *   place; "bookmarked" (): a bookmark was added. Time marks have signals of their own
 *   (time-marks.h).
 *
 * Colours and hidden nodes are here; the rest is in its parts: view-groups.h (groups and layout),
 * view-time.h (time and moment), view-lanes.h, view-viewport.h (visible part, places, bookmarks).
 */
#pragma once

#include "engine/session/time-marks.h"
#include "engine/session/workspace.h"
#include "engine/study/analysis/node-values.h"
#include "engine/study/run/selection.h"

G_BEGIN_DECLS

typedef struct _GobanSetDescription GobanSetDescription; /* set-description.h */

#define GOBAN_TYPE_VIEW (goban_view_get_type ())
G_DECLARE_FINAL_TYPE (GobanView, goban_view, GOBAN, VIEW, GObject)

GobanView *goban_view_new (void) G_GNUC_WARN_UNUSED_RESULT;

/* The workspace that the window shows. */
GobanWorkspace goban_view_get_workspace (GobanView *self);
void goban_view_set_workspace (GobanView *self, GobanWorkspace workspace);

/* The colouring of the nodes: a word of coloring.h. */
const char *goban_view_get_color (GobanView *self);
void goban_view_set_color (GobanView *self, const char *color);

/* Node values computed by a script, (nullable). They are shown while the colouring is "script";
 * setting them selects it. They are kept under other colourings. */
GobanNodeValues *goban_view_get_script_values (GobanView *self);
void goban_view_set_script_values (GobanView *self, GobanNodeValues *values);

/* Hidden nodes; they are left out of the picture only. @graph gives the names for the log. */
GobanSelection *goban_view_get_hidden (GobanView *self);
void goban_view_set_hidden (GobanView *self, GobanSelection *hidden, GobanGraph *graph);

/* The time marks of the timeline; borrowed. */
GobanTimeMarks *goban_view_get_marks (GobanView *self);
/* Short expressions for sets of nodes in the log; borrowed: set-description.h. */
GobanSetDescription *goban_view_get_words (GobanView *self);

/* Resets everything that belongs to one graph: hidden nodes, open groups, time, places, script
 * values. */
void goban_view_reset (GobanView *self);

G_END_DECLS
