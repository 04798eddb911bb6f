/* view.h: view state shared by all panes; saved with the session, not undoable.
 *
 * A GObject of the main thread; a session owns one. Mouse, keys and Lua change it by the same
 * calls; each change emits "log" with a line of Lua, which the session forwards.
 *
 * Properties: "color" (string), "hidden" (GobanSelection), "grouping" (int, GobanGrouping),
 *   "expanded" (GStrv), "layout" (int, GobanArrangement), "time" (double), "lanes" (pointer,
 *   GobanLanes), "step" (int).
 * Signals: "log" (const char *lua); "look" (const GobanSight *): asks the graph pane to show that
 *   place; "bookmarked" (): a bookmark was added. Time marks have signals of their own
 *   (time-marks.h).
 */
#pragma once

#include "engine/session/names.h"
#include "engine/session/node-values.h"
#include "engine/session/places.h"
#include "engine/session/selection.h"
#include "engine/session/time-marks.h"

G_BEGIN_DECLS

typedef struct _GobanSetWords GobanSetWords;

#define GOBAN_TYPE_VIEW (goban_view_get_type ())
G_DECLARE_FINAL_TYPE (GobanView, goban_view, GOBAN, VIEW, GObject)

/* What nodes are put together by. */
typedef enum
{
  GOBAN_GROUPING_AUTO, /* if the graph has too many nodes to be read: scopes, or parameters; else none */
  GOBAN_GROUPING_NONE,
  GOBAN_GROUPING_SCOPE,     /* the scopes of names, "decoder/layer_1" within "decoder" */
  GOBAN_GROUPING_LAYER,     /* numbered layers alone, whatever stands before and after the number */
  GOBAN_GROUPING_STEP,      /* time steps of what is unrolled */
  GOBAN_GROUPING_PARAMETER, /* the parameter that ops work for, and within it its uses */
  GOBAN_GROUPING_USE,       /* the k-th use of every parameter, and within it the parameters */
  GOBAN_GROUPING_CLUSTER,   /* what the current plan fuses */
  GOBAN_N_GROUPINGS
} GobanGrouping;

/* Where nodes are put. */
typedef enum
{
  GOBAN_ARRANGE_AUTO,    /* layered, wrapped if that would be a sliver */
  GOBAN_ARRANGE_LAYERED, /* producers above consumers */
  GOBAN_ARRANGE_WRAPPED, /* the same in columns */
  GOBAN_ARRANGE_LANES,   /* x is when an op starts, y its device: the current run's schedule */
  GOBAN_N_ARRANGEMENTS
} GobanArrangement;

GobanView *goban_view_new (void) G_GNUC_WARN_UNUSED_RESULT;

/* Words as scripts and files have them: "scope", "wrapped"; find: %FALSE if there is none such. */
const char *goban_grouping_name (GobanGrouping grouping);
gboolean goban_grouping_find (const char *name, GobanGrouping *grouping);
const char *goban_arrangement_name (GobanArrangement arrangement);
gboolean goban_arrangement_find (const char *name, GobanArrangement *arrangement);

/* What fills nodes: a word of coloring.h. */
const char *goban_view_get_color (GobanView *self);
void goban_view_set_color (GobanView *self, const char *color);

/* Numbers that a script found for the nodes of the open graph, (nullable): they show while the colour is
 * "script", which setting them makes it. They are kept while another colour shows. */
GobanNodeValues *goban_view_get_script_values (GobanView *self);
void goban_view_set_script_values (GobanView *self, GobanNodeValues *values);

/* Nodes that are not shown; nothing else forgets them. @graph is for the log's names. */
GobanSelection *goban_view_get_hidden (GobanView *self);
void goban_view_set_hidden (GobanView *self, GobanSelection *hidden, GobanGraph *graph);

GobanGrouping goban_view_get_grouping (GobanView *self);
void goban_view_set_grouping (GobanView *self, GobanGrouping grouping);

/* Groups that are open, by their full names, sorted; all others are closed. Another grouping or graph
 * closes all. Borrowed. */
const char *const *goban_view_get_expanded (GobanView *self);
/* The same for a worker. (transfer full) */
GobanNames *goban_view_ref_expanded (GobanView *self) G_GNUC_WARN_UNUSED_RESULT;
gboolean goban_view_is_expanded (GobanView *self, const char *group);
void goban_view_set_expanded (GobanView *self, const char *const *groups);
void goban_view_expand (GobanView *self, const char *group, gboolean is_expanded);

GobanArrangement goban_view_get_layout (GobanView *self);
void goban_view_set_layout (GobanView *self, GobanArrangement layout);

/* The moment of the run that the graph shows: NAN for none. Playback moves it without a line in the log. */
double goban_view_get_time_us (GobanView *self);
void goban_view_set_time_us (GobanView *self, double time_us);
void goban_view_play_to (GobanView *self, double time_us);

/* The step of the current run's decisions that is shown in its place, GOBAN_NO_STEP (-1) for none: step.h. Another run
 * shows none. Playing moves it without a line in the log. */
int goban_view_get_step (GobanView *self);
void goban_view_set_step (GobanView *self, int step);
void goban_view_play_step (GobanView *self, int step);

/* Lanes of the timeline, by their names "gpu:0", "gpu:0/memory", "gpu:0>gpu:1": those that stay at the top, those that
 * are not shown, and those that come first, each in its order. Lists end in NULL; borrowed. */
typedef struct
{
  const char *const *pinned;
  const char *const *hidden;
  const char *const *order;
} GobanLanes;

/* Owned lists, of which none is NULL. */
GobanLanes goban_lanes_copy (const GobanLanes *lanes) G_GNUC_WARN_UNUSED_RESULT;
void goban_lanes_clear (GobanLanes *lanes);

const GobanLanes *goban_view_get_lanes (GobanView *self);
/* Copies; NULL within it is an empty list. */
void goban_view_set_lanes (GobanView *self, const GobanLanes *lanes);

/* Moments that are marked on the timeline; borrowed. */
GobanTimeMarks *goban_view_get_marks (GobanView *self);

/* What the graph pane shows of its world: it says so itself, without a line in the log. */
const GobanSight *goban_view_get_sight (GobanView *self);
void goban_view_set_sight (GobanView *self, const GobanSight *sight);
/* Sends the graph pane there; nothing if @sight is not set. */
void goban_view_look (GobanView *self, const GobanSight *sight);

/* Keeps how it is looked at as bookmark @number, 1..9: sight, colour, grouping, open groups, layout.
 * recall: %FALSE if there is no such bookmark; what it changes is logged by the changes. */
void goban_view_snapshot (GobanView *self, guint number);
gboolean goban_view_recall (GobanView *self, guint number);
/* Borrowed; visited places are the window's to keep. */
GobanPlaces *goban_view_get_places (GobanView *self);
/* How the log says sets of nodes; borrowed: set-words.h. */
GobanSetWords *goban_view_get_words (GobanView *self);

/* Forgets what is of one graph alone: hidden nodes, open groups, the moment, places, what a script
 * found. */
void goban_view_reset (GobanView *self);

G_END_DECLS
