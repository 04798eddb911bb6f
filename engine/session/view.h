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
 * Time and moment are in view-time.h.
 */
#pragma once

#include "engine/core/names.h"
#include "engine/session/lanes.h"
#include "engine/session/navigation.h"
#include "engine/session/time-marks.h"
#include "engine/study/analysis/hierarchy/grouping.h"
#include "engine/study/analysis/node-values.h"
#include "engine/study/run/selection.h"

#include <glib.h>

/* Each with panes of its own around the graph. */
typedef enum
{
  GOBAN_WORKSPACE_EXPLORE,
  GOBAN_WORKSPACE_DECISIONS,
  GOBAN_WORKSPACE_COMPARE,
  GOBAN_WORKSPACE_TRAIN,
  GOBAN_WORKSPACE_SCRIPT,
  GOBAN_N_WORKSPACES
} GobanWorkspace;

/* "explore", "decisions", …, and back; FALSE: there is no such workspace. */
const char *goban_workspace_name (GobanWorkspace workspace);
gboolean goban_workspace_find (const char *name, GobanWorkspace *workspace);

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

/* Layout of the nodes. */
typedef enum
{
  GOBAN_ARRANGE_AUTO,    /* layered, or wrapped if that would be much longer than wide */
  GOBAN_ARRANGE_LAYERED, /* producers above consumers */
  GOBAN_ARRANGE_WRAPPED, /* the same in columns */
  GOBAN_ARRANGE_LANES,   /* x is when an op starts, y its device: the current run's schedule */
  GOBAN_N_ARRANGEMENTS
} GobanArrangement;

/* Names in scripts and files: "wrapped"; find: %FALSE if there is no such name. */
const char *goban_arrangement_name (GobanArrangement arrangement);
gboolean goban_arrangement_find (const char *name, GobanArrangement *arrangement);

/* --- groups ----------------------------------------------------------------------------------- */

GobanGrouping goban_view_get_grouping (GobanView *self);
void goban_view_set_grouping (GobanView *self, GobanGrouping grouping);

/* The open groups, by full name, sorted; all others are closed. Changing the grouping or the graph
 * closes all. Borrowed. */
const char *const *goban_view_get_expanded (GobanView *self);
/* The same for a worker. (transfer full) */
GobanNames *goban_view_ref_expanded (GobanView *self) G_GNUC_WARN_UNUSED_RESULT;
gboolean goban_view_is_expanded (GobanView *self, const char *group);
void goban_view_set_expanded (GobanView *self, const char *const *groups);
void goban_view_expand (GobanView *self, const char *group, gboolean is_expanded);

GobanArrangement goban_view_get_layout (GobanView *self);
void goban_view_set_layout (GobanView *self, GobanArrangement layout);

/* Without a line in the log, for groups that a picture opens or closes by itself. */
void goban_view_show_expanded (GobanView *self, const char *const *groups);

/* --- lanes ------------------------------------------------------------------------------------ */

const GobanLanes *goban_view_get_lanes (GobanView *self);
/* Copies; NULL within it is an empty list. */
void goban_view_set_lanes (GobanView *self, const GobanLanes *lanes);
/* Adds a name to the open or the pinned ones, or removes it. */
void goban_view_set_lanes_open (GobanView *self, const char *name, gboolean is_open);
void goban_view_set_lane_pinned (GobanView *self, const char *name, gboolean is_pinned);
/* From bars alone to all sub-rows, to strips, and back. Pinned lanes and the order stay. */
void goban_view_cycle_lanes (GobanView *self);

/* --- viewport --------------------------------------------------------------------------------- */

/* The visible part of the graph, set by the graph pane, without a log line. */
const GobanViewport *goban_view_get_viewport (GobanView *self);
void goban_view_set_viewport (GobanView *self, const GobanViewport *viewport);
/* Asks the graph pane to show that part; does nothing if @viewport is not set. */
void goban_view_go_to_viewport (GobanView *self, const GobanViewport *viewport);

/* Stores the view as bookmark @number, 1..9: visible part, colouring, grouping, open groups,
 * layout. recall: %FALSE if there is no such bookmark; logs the changes that it makes. */
void goban_view_snapshot (GobanView *self, guint number);
gboolean goban_view_recall (GobanView *self, guint number);
/* Borrowed; the window records the visited places. */
GobanNavigation *goban_view_get_places (GobanView *self);
