/* graph-controls.h: controls that float over the corners of a graph view: the way back and the path
 * to the group in sight, the grouping, whether decisions are followed, and the zoom.
 *
 * They lie over the view, which leaves room for them when it fits the graph; between them the view
 * has the pointer.
 *
 * Signal: "go-to" (const char *path): a group of the path was clicked.
 */
#pragma once

#include "engine/session/session.h"
#include "ui/draw/graph/outline.h"
#include "ui/widgets/picture.h"

#define GOBAN_TYPE_GRAPH_CONTROLS (goban_graph_controls_get_type ())
G_DECLARE_FINAL_TYPE (GobanGraphControls, goban_graph_controls, GOBAN, GRAPH_CONTROLS, GtkWidget)

/* @view: their parent, borrowed */
GtkWidget *goban_graph_controls_new (GobanPicture *view,
                                     GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

typedef struct
{
  const char *title;           /* of the graph */
  const GobanOutline *outline; /* the path is to @hull of it */
  guint32 hull;
  double scale;
  gboolean has_follow; /* offers to follow decisions */
} GobanGraphControlsState;

void goban_graph_controls_show (GobanGraphControls *self, const GobanGraphControlsState *state);
