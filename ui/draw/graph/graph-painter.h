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

#include "ui/draw/graph/graph-picture.h"
#include "ui/draw/pen.h"

/* The fill for a word of engine/study/analysis/coloring.h. */
GobanFill goban_fill_of_color (const char *color);

/* Fills the pen's clip with the background, edges and nodes. */
void goban_graph_paint (const GobanGraphPicture *picture, GobanPen *pen);

/* Selection, hover and their edges, to be drawn over the base with a cairo pen. */
void goban_graph_paint_overlay (const GobanGraphPicture *picture, const GobanGraphOverlay *overlay,
                                GobanPen *pen);

/* The legend: devices with colour, hatch and count; priorities as a ramp with its ends; families of
 * ops. Wraps within @width; returns its height. Paints only if @paint. */
double goban_graph_legend (const GobanGraphScene *scene, const GobanGraphStyle *style,
                           GobanPen *pen, GobanBox area, gboolean paint);
