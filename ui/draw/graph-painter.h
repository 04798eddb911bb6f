/* graph-painter.h: draws a graph scene, at the level of detail its size on the surface deserves.
 *
 *   node height   nodes                        edges
 *   < 2 px        pixels                       straight, tail to head, one pixel
 *   2 .. 9        rectangles, hatch from 6     along their route, one pixel
 *   9 .. 15       rounded rectangles           curves, anti-aliased
 *   >= 15         outlined, labelled           curves with arrowheads, width by bytes
 *
 * The base picture and the overlay (selection, hover) are apart: a hover never
 * repaints the base. Any thread; a pen belongs to one.
 */
#pragma once

#include "ui/draw/graph-layout.h"
#include "ui/draw/graph-scene.h"
#include "ui/draw/pen.h"

G_BEGIN_DECLS

typedef enum
{
  GOBAN_FILL_DEVICE, /* by op where there is no plan */
  GOBAN_FILL_PRIORITY,
  GOBAN_FILL_OP,
} GobanFill;

typedef struct
{
  GobanTheme theme;
  GobanFill fill;
  gboolean show_critical; /* the critical path, where the scene knows one */
  double ui_scale;        /* device pixels per pixel of the design; 0: 1 */
} GobanGraphStyle;

typedef struct
{
  const GobanNodeId *selected; /* (n_selected) */
  guint n_selected;
  GobanNodeId hover; /* or GOBAN_NO_NODE */
} GobanGraphOverlay;

/* What is painted. */
typedef struct
{
  const GobanGraphScene *scene;
  const GobanLayout *layout; /* of the scene's graph */
  GobanCamera camera;
  GobanGraphStyle style;
  const guint8 *states; /* (nullable) (n_nodes of the scene): GobanNodeState of each, of moment.h */
} GobanGraphPicture;

/* Fills the pen's clip with the background, edges and nodes. */
void goban_graph_paint (const GobanGraphPicture *picture, GobanPen *pen);

/* Selection, hover and their edges, to be drawn over the base with a cairo pen. */
void goban_graph_paint_overlay (const GobanGraphPicture *picture, const GobanGraphOverlay *overlay,
                                GobanPen *pen);

/* Devices with colour, hatch and count; priorities as a ramp with its ends; families of ops. Wraps
 * within @width; returns the height it takes. Paints only where @paint. */
double goban_graph_legend (const GobanGraphScene *scene, const GobanGraphStyle *style,
                           GobanPen *pen, GobanBox area, gboolean paint);

G_END_DECLS
