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
#include "ui/draw/export/export.h"
#include "ui/draw/graph/graph-picture.h"
#include "ui/widgets/picture.h"

#define GOBAN_TYPE_GRAPH_VIEW (goban_graph_view_get_type ())
G_DECLARE_FINAL_TYPE (GobanGraphView, goban_graph_view, GOBAN, GRAPH_VIEW, GobanPicture)

GtkWidget *goban_graph_view_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

void goban_graph_view_fit (GobanGraphView *self);
/* Shows the selection; everything if nothing is selected. */
void goban_graph_view_show_selection (GobanGraphView *self);
void goban_graph_view_set_show_critical (GobanGraphView *self, gboolean show);

/* Centres a point of the world without changing the zoom. */
void goban_graph_view_look_at (GobanGraphView *self, GobanPoint world);

/* The present contents of the picture, borrowed until the session or the view changes; FALSE if it
 * is empty. */
gboolean goban_graph_view_describe (GobanGraphView *self, GobanGraphPicture *picture);

/* Opens the closed groups that contain selected nodes; or closes the innermost open group around
 * the selection, without a selection the one in the centre. FALSE if there is none. */
gboolean goban_graph_view_open_selection (GobanGraphView *self, gboolean open);

/* The search results to mark, with the groups that contain them; (nullable). */
void goban_graph_view_set_matches (GobanGraphView *self, GobanSelection *matches);

/* Following decisions: when a decision is shown, the module it is about is opened, and the one that
 * was opened for the last is closed; what is decided is brought into the middle, and zoomed in on
 * if it is too small to read. The workspace of decisions offers it; only then it happens, and
 * afterwards the view is where it was. */
void goban_graph_view_offer_follow (GobanGraphView *self, gboolean is_offered);

/* FALSE without a graph, during a layout in the worker, and during an animation. */
gboolean goban_graph_view_is_ready (GobanGraphView *self);
double goban_graph_view_get_scale (GobanGraphView *self);
/* Nodes and closed groups that are shown, if there are groups; else 0. */
guint goban_graph_view_get_n_boxes (GobanGraphView *self);

/* The centre of the box of a node, or of its closed group, in device pixels; FALSE if the view is
 * not ready, or the node is hidden. */
gboolean goban_graph_view_locate (GobanGraphView *self, GobanNodeId node, GobanPoint *at);

/* The box of a group in device pixels, and whether it is open; FALSE if it is not visible, because
 * a group around it is closed or all its nodes are hidden. */
gboolean goban_graph_view_locate_group (GobanGraphView *self, const char *path, gboolean *is_open,
                                        GobanBox *box);

/* The box of the node whose decision is followed, in device pixels; FALSE if there is none. */
gboolean goban_graph_view_find_followed (GobanGraphView *self, GobanBox *box);

/* Starts to export the graph, with the present colours, in the format of @path's suffix. @options:
 * (nullable): NULL for the whole graph in the theme of the window. (transfer full) (nullable): a
 * job whose result is the path; NULL with @error set if there is no graph. */
GobanJob *goban_graph_view_export (GobanGraphView *self, const GobanExportOptions *options,
                                   const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;
