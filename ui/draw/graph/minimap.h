/* minimap.h: minimap: the whole graph in a corner, with a frame around the visible part.
 *
 * The picture of the graph is painted when the graph or its colours change, the view's frame over
 * it each frame. Plain values; any thread.
 *
 * Decision U18 (ui/NOTES.md).
 */
#pragma once

#include "ui/draw/graph/graph-painter.h"

typedef struct
{
  double width; /* pixels, within the maximum, with the aspect ratio of the world */
  double height;
  GobanCamera camera; /* of the world on the map */
} GobanMinimap;

/* A map of @world no larger than @max_width x @max_height. */
GobanMinimap goban_minimap_new (GobanBox world, double max_width, double max_height);

/* TRUE if @view, a rectangle of the screen, does not show all of @world. */
gboolean goban_minimap_is_needed (GobanBox world, const GobanCamera *camera, GobanBox view);

/* The part shown by @view, in map coordinates and clipped to the map. */
GobanBox goban_minimap_view_box (const GobanMinimap *self, const GobanCamera *camera,
                                 GobanBox view);

/* Fills @pen with the graph, with the colours of @picture; its camera and text scale are
 * ignored. */
void goban_minimap_paint (const GobanMinimap *self, const GobanGraphPicture *picture,
                          GobanPen *pen);
/* Paints over it a frame around the visible part, and a veil over the rest. */
void goban_minimap_paint_view (const GobanMinimap *self, const GobanCamera *camera, GobanBox view,
                               GobanTheme theme, GobanPen *pen);
