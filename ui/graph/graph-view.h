/* graph-view.h: graph pane of a session: pan, zoom, pick, open and close groups.
 *
 * It shows what the session's view says: grouping, open groups, hidden nodes, arrangement. The
 * layout is made in a worker, anew only when one of these changes: plans, colours and selections
 * never move anything, but in lanes, which are of the run that is shown.
 *
 * Boxes can be lifted and dropped on a device; meanwhile, and whenever something else tries a
 * change (preview.h), it shows what the change would give.
 *
 * Signals: "camera-changed": another part is shown; "content-changed": what there is to see, or its
 * colours; "plot-changed": where things are, or what there is; "offer-over": a device was chosen
 * among those offered.
 */
#pragma once

#include "engine/session/session.h"
#include "ui/draw/export.h"
#include "ui/graph/graph-scenes.h"
#include "ui/graph/graph-targets.h"
#include "ui/widgets/picture.h"

G_BEGIN_DECLS

#define GOBAN_TYPE_GRAPH_VIEW (goban_graph_view_get_type ())
G_DECLARE_FINAL_TYPE (GobanGraphView, goban_graph_view, GOBAN, GRAPH_VIEW, GobanPicture)

GtkWidget *goban_graph_view_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* --- views of other runs (graph-view-follower.c) ---------------------------------------------- */

/* A view of a run of its own, which lays out nothing: all is where @leader has it, at once with it. @scenes: shared by
 * those that follow the same. */
GtkWidget *goban_graph_view_new_follower (GobanGraphView *leader,
                                          GobanGraphScenes *scenes) G_GNUC_WARN_UNUSED_RESULT;
/* @run: (nullable). */
void goban_graph_view_set_run (GobanGraphView *self, GobanRun *run);
/* Boxes can be lifted here, too: that makes the run the session's current one, so that an edit is of it. @refusal: (nullable):
 * unless told, a static string says why not. */
void goban_graph_view_set_refusal (GobanGraphView *self, const char *refusal);
/* (nullable): what is where, as shown. */
GobanPlot *goban_graph_view_get_plot (GobanGraphView *self);
/* Takes the leader's plot, after its "plot-changed". */
void goban_graph_view_follow_plot (GobanGraphView *self);
/* The scenes have what was wanted of them. */
void goban_graph_view_scenes_changed (GobanGraphView *self);
/* (nullable): the numbers that fill its nodes; borrowed until the next change. */
GobanNodeValues *goban_graph_view_get_values (GobanGraphView *self);

typedef struct
{
  GobanDifference *difference; /* (nullable): what is marked */
  GobanUnchanged unchanged;
  GobanRun *other; /* (nullable): its devices are at the left of nodes */
} GobanGraphMarks;

void goban_graph_view_set_changes (GobanGraphView *self, const GobanGraphMarks *marks);
/* Whether the session's selection and moment are shown; both are unless told. */
void goban_graph_view_set_shows (GobanGraphView *self, gboolean selection, gboolean time);
/* Looks where another one looks, which has about the same size, and says nothing of it. */
void goban_graph_view_look_like (GobanGraphView *self, GobanGraphView *other);
/* What the picture's signs mean, with their numbers, "" if nothing is marked. (transfer full) */
char *goban_graph_view_dup_marks_legend (GobanGraphView *self) G_GNUC_WARN_UNUSED_RESULT;

/* --- any view ----------------------------------------------------------------------------------- */

void goban_graph_view_fit (GobanGraphView *self);
/* Shows the selection; everything if nothing is selected. */
void goban_graph_view_show_selection (GobanGraphView *self);
void goban_graph_view_set_show_critical (GobanGraphView *self, gboolean show);

/* Brings a place of the world into the middle, as large as it is. */
void goban_graph_view_look_at (GobanGraphView *self, GobanPoint world);

/* What is painted now, borrowed until the session or the view changes; FALSE if that is nothing yet. */
gboolean goban_graph_view_describe (GobanGraphView *self, GobanGraphPicture *picture);

/* Shows the devices the selection can go to, until it is over: for keys. aim: the next, or with -1 the one before;
 * drop: moves the selection there. FALSE if nothing is offered, or aimed at. */
void goban_graph_view_offer_devices (GobanGraphView *self, gboolean is_offered);
gboolean goban_graph_view_aim (GobanGraphView *self, int step);
gboolean goban_graph_view_drop (GobanGraphView *self);
GobanGraphTargets *goban_graph_view_get_targets (GobanGraphView *self);
/* (nullable): what dropping here would do, in words: "to gpu:1: -3.1 %, 182.4 ms". */
const char *goban_graph_view_get_note (GobanGraphView *self);

/* Opens the closed groups that hold some of the selection; FALSE if there is none. */
gboolean goban_graph_view_expand_selection (GobanGraphView *self);
/* Closes the innermost open group around the selection; without one, that in the middle. */
void goban_graph_view_collapse_selection (GobanGraphView *self);

/* What a search has found, to be marked: nodes, and the groups some are in; (nullable). */
void goban_graph_view_set_matches (GobanGraphView *self, GobanSelection *matches);
GobanSelection *goban_graph_view_get_matches (GobanGraphView *self);

/* FALSE while the worker lays the graph out or boxes are on their way, and without a graph. */
gboolean goban_graph_view_is_ready (GobanGraphView *self);
/* How many scenes have been asked for, ever. */
guint goban_graph_view_get_n_asked (GobanGraphView *self);
double goban_graph_view_get_scale (GobanGraphView *self);

/* The middle of a node's box, or of the group's that it is in, in device pixels; FALSE if the view is
 * not ready, and of what is hidden. */
gboolean goban_graph_view_locate (GobanGraphView *self, GobanNodeId node, GobanPoint *at);

/* The box of a group in device pixels, and whether it is open; FALSE if it is not to be seen, for what
 * is around it is closed, or all of it hidden. */
gboolean goban_graph_view_locate_group (GobanGraphView *self, const char *path, gboolean *is_open,
                                        GobanBox *box);

/* Begins to write the graph, as coloured here, in the format of @path's ending. @options: (nullable): NULL for the
 * whole in the theme of the window. (transfer full) (nullable): a job whose result is the path; NULL with @error set
 * if there is none. */
GobanJob *goban_graph_view_export (GobanGraphView *self, const GobanExportOptions *options,
                                   const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
