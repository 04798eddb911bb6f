/* graph-view.h: graph pane of a session: pan, zoom, pick, open and close groups.
 *
 * Shows the state of the session's view: grouping, open groups, hidden nodes, arrangement. A worker
 * computes the layout again only when one of these changes. Plans, colours and selections never
 * move anything, except in lanes, which depend on the run.
 *
 * Boxes can be dragged onto a device. During a drag, and for every other preview (preview.h), the
 * pane shows the result of the edit.
 *
 * Signals: "camera-changed": the visible part changed; "content-changed": the contents or their
 * colours changed; "plot-changed": the plot or its layout changed; "offer-over": one of the offered
 * devices was chosen.
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

/* A view of a run of its own, which uses the layout and the animations of @leader. @scenes: shared
 * by the followers of one leader. */
GtkWidget *goban_graph_view_new_follower (GobanGraphView *leader,
                                          GobanGraphScenes *scenes) G_GNUC_WARN_UNUSED_RESULT;
/* @run: (nullable). */
void goban_graph_view_set_run (GobanGraphView *self, GobanRun *run);
/* Boxes can be dragged here, too: that makes the run the session's current one, so that the edit
 * applies to it. @refusal: (nullable): a static string, the reason if that is not possible. */
void goban_graph_view_set_refusal (GobanGraphView *self, const char *refusal);
/* (nullable): the present plot. */
GobanPlot *goban_graph_view_get_plot (GobanGraphView *self);
/* Adopts the leader's plot, after its "plot-changed". */
void goban_graph_view_follow_plot (GobanGraphView *self);
/* To be called when the requested scenes are made. */
void goban_graph_view_scenes_changed (GobanGraphView *self);
/* (nullable): the values that colour its nodes; borrowed until the next change. */
GobanNodeValues *goban_graph_view_get_values (GobanGraphView *self);

typedef struct
{
  GobanDifference *difference; /* (nullable): what is marked */
  GobanUnchanged unchanged;
  GobanRun *other; /* (nullable): the run whose devices are drawn at the left of nodes */
} GobanGraphMarks;

void goban_graph_view_set_changes (GobanGraphView *self, const GobanGraphMarks *marks);
/* Whether the session's selection and time are shown; both are by default. */
void goban_graph_view_set_shows (GobanGraphView *self, gboolean selection, gboolean time);
/* Copies the camera of another view of about the same size, without a signal. */
void goban_graph_view_look_like (GobanGraphView *self, GobanGraphView *other);
/* Legend of the picture's marks, with their counts, "" if nothing is marked. (transfer full) */
char *goban_graph_view_dup_marks_legend (GobanGraphView *self) G_GNUC_WARN_UNUSED_RESULT;

/* --- any view ----------------------------------------------------------------------------------- */

void goban_graph_view_fit (GobanGraphView *self);
/* Shows the selection; everything if nothing is selected. */
void goban_graph_view_show_selection (GobanGraphView *self);
void goban_graph_view_set_show_critical (GobanGraphView *self, gboolean show);

/* Centres a point of the world without changing the zoom. */
void goban_graph_view_look_at (GobanGraphView *self, GobanPoint world);

/* The present contents of the picture, borrowed until the session or the view changes; FALSE if it
 * is empty. */
gboolean goban_graph_view_describe (GobanGraphView *self, GobanGraphPicture *picture);

/* Offers the devices for moving the selection by keys. aim: highlights the next one, or with -1 the
 * previous; drop: moves the selection there. FALSE if nothing is offered, or highlighted. */
void goban_graph_view_offer_devices (GobanGraphView *self, gboolean is_offered);
gboolean goban_graph_view_aim (GobanGraphView *self, int step);
gboolean goban_graph_view_drop (GobanGraphView *self);
GobanGraphTargets *goban_graph_view_get_targets (GobanGraphView *self);
/* (nullable): the effect of a drop here: "to gpu:1: -3.1 %, 182.4 ms". */
const char *goban_graph_view_get_note (GobanGraphView *self);

/* Opens the closed groups that contain selected nodes; FALSE if there is none. */
gboolean goban_graph_view_expand_selection (GobanGraphView *self);
/* Closes the innermost open group around the selection; without a selection, the one in the
 * centre. */
void goban_graph_view_collapse_selection (GobanGraphView *self);

/* The search results to mark, with the groups that contain them; (nullable). */
void goban_graph_view_set_matches (GobanGraphView *self, GobanSelection *matches);
GobanSelection *goban_graph_view_get_matches (GobanGraphView *self);

/* FALSE without a graph, during a layout in the worker, and during an animation. */
gboolean goban_graph_view_is_ready (GobanGraphView *self);
/* The number of requested scenes, for tests. */
guint goban_graph_view_get_n_asked (GobanGraphView *self);
double goban_graph_view_get_scale (GobanGraphView *self);

/* The centre of the box of a node, or of its closed group, in device pixels; FALSE if the view is
 * not ready, or the node is hidden. */
gboolean goban_graph_view_locate (GobanGraphView *self, GobanNodeId node, GobanPoint *at);

/* The box of a group in device pixels, and whether it is open; FALSE if it is not visible, because
 * a group around it is closed or all its nodes are hidden. */
gboolean goban_graph_view_locate_group (GobanGraphView *self, const char *path, gboolean *is_open,
                                        GobanBox *box);

/* Starts to export the graph, with the present colours, in the format of @path's suffix. @options:
 * (nullable): NULL for the whole graph in the theme of the window. (transfer full) (nullable): a
 * job whose result is the path; NULL with @error set if there is no graph. */
GobanJob *goban_graph_view_export (GobanGraphView *self, const GobanExportOptions *options,
                                   const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
