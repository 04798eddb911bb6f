/* camera.h: camera: the transform from world to screen coordinates.
 *
 * screen = world * scale + offset, in pixels of the surface. Plain values.
 */
#pragma once

#include <glib.h>

typedef struct
{
  double x;
  double y;
} GobanPoint;

/* x0 <= x1 and y0 <= y1. */
typedef struct
{
  double x0;
  double y0;
  double x1;
  double y1;
} GobanBox;

typedef struct
{
  double scale; /* pixels per world unit, > 0 */
  double x;     /* position of the world's origin, in pixels */
  double y;
} GobanCamera;

/* Fits @world into a @width x @height view with a margin of @margin pixels, centred, at most at
 * @max_scale. An empty world gives scale @max_scale. */
GobanCamera goban_camera_fit (GobanBox world, double width, double height, double margin,
                              double max_scale);

/* Between two cameras: @a at 0, @b at 1; scales by their ratio. */
GobanCamera goban_camera_blend (const GobanCamera *a, const GobanCamera *b, double t);

GobanPoint goban_camera_to_screen (const GobanCamera *self, GobanPoint world);
GobanPoint goban_camera_to_world (const GobanCamera *self, GobanPoint screen);
GobanBox goban_camera_box_to_screen (const GobanCamera *self, GobanBox world);
GobanBox goban_camera_box_to_world (const GobanCamera *self, GobanBox screen);

/* Multiplies the scale, and keeps the point under @at in place. */
void goban_camera_zoom (GobanCamera *self, double factor, GobanPoint at);
void goban_camera_pan (GobanCamera *self, double dx, double dy);
/* Centres a point of the world in the view. */
void goban_camera_centre (GobanCamera *self, GobanPoint world, double width, double height);

/* Clamps the scale between half of the fitting one and @max_scale, around the centre of the view.
 * Also keeps at least a third of the view's width and height, or all of a smaller world,
 * visible. */
void goban_camera_clamp (GobanCamera *self, GobanBox world, double width, double height,
                         double max_scale);

/* The smallest box that holds both. */
GobanBox goban_box_union (GobanBox a, GobanBox b);
gboolean goban_box_intersects (GobanBox a, GobanBox b);
