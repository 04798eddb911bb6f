/* view.h: view state shared by all panes; saved with the session, not undoable.
 *
 * A GObject of the main thread; a session owns one. Mouse, keys and Lua change it by the same
 * calls; each change emits "log" with a line of Lua, which the session forwards.
 *
 * Properties: "color" (string), "hidden" (GobanSelection), "grouping" (int, GobanGrouping),
 *   "expanded" (GStrv), "layout" (int, GobanArrangement), "time" (double), "lanes" (pointer,
 *   GobanLanes), "step" (int).
 * Signals: "log" (const char *lua); "look" (const GobanViewport *): asks the graph pane to show that
 *   place; "bookmarked" (): a bookmark was added. Time marks have signals of their own
 *   (time-marks.h).
 */
#pragma once

#include "engine/analysis/grouping.h"
#include "engine/analysis/node-values.h"
#include "engine/base/names.h"
#include "engine/run/selection.h"
#include "engine/session/navigation.h"
#include "engine/session/time-marks.h"

G_BEGIN_DECLS

typedef struct _GobanSetWords GobanSetWords; /* set-words.h */

#define GOBAN_TYPE_VIEW (goban_view_get_type ())
G_DECLARE_FINAL_TYPE (GobanView, goban_view, GOBAN, VIEW, GObject)

/* Layout of the nodes. */
typedef enum
{
  GOBAN_ARRANGE_AUTO,    /* layered, or wrapped if that would be much longer than wide */
  GOBAN_ARRANGE_LAYERED, /* producers above consumers */
  GOBAN_ARRANGE_WRAPPED, /* the same in columns */
  GOBAN_ARRANGE_LANES,   /* x is when an op starts, y its device: the current run's schedule */
  GOBAN_N_ARRANGEMENTS
} GobanArrangement;

GobanView *goban_view_new (void) G_GNUC_WARN_UNUSED_RESULT;

/* Names in scripts and files: "wrapped"; find: %FALSE if there is no such name. */
const char *goban_arrangement_name (GobanArrangement arrangement);
gboolean goban_arrangement_find (const char *name, GobanArrangement *arrangement);

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

/* The time of the run that the graph shows: NAN for none. Playback changes it without a log
 * line. */
double goban_view_get_time_us (GobanView *self);
void goban_view_set_time_us (GobanView *self, double time_us);
void goban_view_play_to (GobanView *self, double time_us);

/* The decision step shown in place of the current run, GOBAN_NO_STEP (-1) for none: step.h. Reset
 * if the run changes. Playback changes it without a log line. */
int goban_view_get_step (GobanView *self);
void goban_view_set_step (GobanView *self, int step);
void goban_view_play_step (GobanView *self, int step);

/* Options of the timeline's lanes, by names such as "gpu:0", "gpu:0/memory", "gpu:0>gpu:1": pinned
 * to the top, hidden, and sorted first, each list in its order. NULL-terminated; borrowed. */
typedef struct
{
  const char *const *pinned;
  const char *const *hidden;
  const char *const *order;
} GobanLanes;

/* Copies with owned lists, none of them NULL. */
GobanLanes goban_lanes_copy (const GobanLanes *lanes) G_GNUC_WARN_UNUSED_RESULT;
void goban_lanes_clear (GobanLanes *lanes);

const GobanLanes *goban_view_get_lanes (GobanView *self);
/* Copies; NULL within it is an empty list. */
void goban_view_set_lanes (GobanView *self, const GobanLanes *lanes);

/* The time marks of the timeline; borrowed. */
GobanTimeMarks *goban_view_get_marks (GobanView *self);

/* The visible part of the graph, set by the graph pane, without a log line. */
const GobanViewport *goban_view_get_sight (GobanView *self);
void goban_view_set_sight (GobanView *self, const GobanViewport *sight);
/* Asks the graph pane to show that part; does nothing if @sight is not set. */
void goban_view_look (GobanView *self, const GobanViewport *sight);

/* Stores the view as bookmark @number, 1..9: visible part, colouring, grouping, open groups,
 * layout. recall: %FALSE if there is no such bookmark; logs the changes that it makes. */
void goban_view_snapshot (GobanView *self, guint number);
gboolean goban_view_recall (GobanView *self, guint number);
/* Borrowed; the window records the visited places. */
GobanNavigation *goban_view_get_places (GobanView *self);
/* Short expressions for sets of nodes in the log; borrowed: set-words.h. */
GobanSetWords *goban_view_get_words (GobanView *self);

/* Resets everything that belongs to one graph: hidden nodes, open groups, time, places, script
 * values. */
void goban_view_reset (GobanView *self);

G_END_DECLS
