/* graph-painter.h: painter of graph scenes, with a level of detail that depends on the size on the
 * surface.
 *
 * Of a scene of an outline, nodes are its items; closed groups are stacked boxes, open ones hulls
 * around what is in them, and their edges are drawn as the layout's wires.
 *
 *   node height   nodes                        edges
 *   < 2 px        pixels                       straight, tail to head, one pixel
 *   2 .. 9        rectangles, hatch from 6     along their route, one pixel
 *   9 .. 15       rounded rectangles           curves, anti-aliased
 *   >= 15         outlined, labelled           curves with arrowheads, width by bytes
 *
 * The base picture and the overlay (selection, hover) are apart: a hover never
 * repaints the base. Any thread; a pen belongs to one.
 *
 * Decision U16 (ui/NOTES.md).
 */
#pragma once

#include "ui/draw/compare-marks.h"
#include "ui/draw/graph-layout.h"
#include "ui/draw/graph-scene.h"
#include "ui/draw/pen.h"

G_BEGIN_DECLS

typedef enum
{
  GOBAN_FILL_DEVICE, /* by op if there is no plan */
  GOBAN_FILL_PRIORITY,
  GOBAN_FILL_OP,
  GOBAN_FILL_METRIC, /* the scene's values; as DEVICE if it has none */
} GobanFill;

/* The fill for a word of engine/session/coloring.h. */
GobanFill goban_fill_of_color (const char *color);

typedef struct
{
  GobanTheme theme;
  GobanFill fill;
  gboolean show_critical; /* the critical path, if the scene has one */
  double ui_scale;        /* device pixels per pixel of the design; 0: 1 */
  gboolean is_frame; /* one frame of an animation: some of many edges that only pass through may be
                   skipped */
} GobanGraphStyle;

/* Indices of nodes in the scene; items, for a scene of an outline. */
typedef struct
{
  const guint32 *selected; /* (n_selected) */
  guint n_selected;
  guint32 hover;         /* or GOBAN_NO_NODE */
  const guint32 *partly; /* (n_partly) partly selected groups */
  guint n_partly;
  guint32 hover_hull;     /* an open group, or 0 */
  const guint32 *matched; /* (n_matched) search results, and groups that contain some */
  guint n_matched;
} GobanGraphOverlay;

/* The contents of a picture. */
typedef struct
{
  const GobanGraphScene *scene;
  const GobanLayout *layout; /* of the scene's graph */
  GobanCamera camera;
  GobanGraphStyle style;
  /* (nullable) (nodes of the graph): GobanNodeState of each, of playback-state.h */
  const guint8 *states;
  const GobanCompareLook *compare; /* (nullable): the differences from another plan */
} GobanGraphPicture;

/* Fills the pen's clip with the background, edges and nodes. */
void goban_graph_paint (const GobanGraphPicture *picture, GobanPen *pen);

/* Selection, hover and their edges, to be drawn over the base with a cairo pen. */
void goban_graph_paint_overlay (const GobanGraphPicture *picture, const GobanGraphOverlay *overlay,
                                GobanPen *pen);

/* The legend: devices with colour, hatch and count; priorities as a ramp with its ends; families of
 * ops. Wraps within @width; returns its height. Paints only if @paint. */
double goban_graph_legend (const GobanGraphScene *scene, const GobanGraphStyle *style,
                           GobanPen *pen, GobanBox area, gboolean paint);

G_END_DECLS
