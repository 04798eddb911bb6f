/* minimap.h: minimap: the whole graph in a corner, with a frame around the visible part.
 *
 * The picture of the graph is painted when the graph or its colours change, the view's frame over
 * it each frame. Plain values; any thread.
 */
#pragma once

#include "ui/draw/graph-painter.h"

G_BEGIN_DECLS

typedef struct
{
  double width; /* pixels, as much of what there was room for as the world's shape needs */
  double height;
  GobanCamera camera; /* of the world on the map */
} GobanMinimap;

/* A map of @world no larger than @max_width x @max_height. */
GobanMinimap goban_minimap_new (GobanBox world, double max_width, double max_height);

/* TRUE where @view, a rectangle of the screen, leaves out some of @world. */
gboolean goban_minimap_is_needed (GobanBox world, const GobanCamera *camera, GobanBox view);

/* What @view shows, on the map and no larger than it. */
GobanBox goban_minimap_view_box (const GobanMinimap *self, const GobanCamera *camera,
                                 GobanBox view);

/* Fills @pen with the graph as @picture colours it; the picture's camera and size of words do not count. */
void goban_minimap_paint (const GobanMinimap *self, const GobanGraphPicture *picture,
                          GobanPen *pen);
/* Over it: a frame around what the view shows, and a veil upon the rest. */
void goban_minimap_paint_view (const GobanMinimap *self, const GobanCamera *camera, GobanBox view,
                               GobanTheme theme, GobanPen *pen);

G_END_DECLS
