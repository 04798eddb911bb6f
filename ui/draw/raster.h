/* raster.h: rasteriser that writes pixels directly into a cairo image surface.
 *
 * Five to ten times faster than cairo's own paths for thousands of small shapes, and the
 * same bytes everywhere. Opaque targets only (CAIRO_FORMAT_RGB24). Pixel (i, j) covers
 * [i, i + 1) x [j, j + 1). Everything is clipped; a clip never moves what remains, so that
 * a picture painted strip by strip equals one painted at once. Coordinates may be huge;
 * shapes with a coordinate that is not finite are left out.
 */
#pragma once

#include <cairo.h>

#include "ui/draw/palette.h"

/* Alphas are 0..256. */
#define GOBAN_OPAQUE 256

typedef struct
{
  guint32 *pixels; /* borrowed from the surface */
  int stride;      /* in pixels */
  int left;        /* the coordinates of the surface's first pixel: not 0 in a tile */
  int top;
  int width; /* of the surface */
  int height;
  int x0, y0, x1, y1; /* the clip, half open, within the surface */
} GobanRaster;

/* Style of a line. */
typedef struct
{
  GobanRgb rgb;
  guint alpha;
  double width; /* pixels; ignored by goban_raster_line() */
} GobanStroke;

/* @surface must be an RGB24 image and outlive the raster. Flushes it; call
 * cairo_surface_mark_dirty() before cairo draws upon it again. It may show a part of a larger
 * picture, from the pixel (left, top) on, which may be negative: everything is drawn in coordinates
 * of the whole. */
void goban_raster_init (GobanRaster *self, cairo_surface_t *surface, int left, int top);
void goban_raster_clip (GobanRaster *self, int x, int y, int width, int height);

void goban_raster_rect (GobanRaster *self, int x, int y, int width, int height, GobanRgb rgb);
void goban_raster_tint (GobanRaster *self, int x, int y, int width, int height, GobanRgb rgb,
                        guint alpha);
/* Corners are anti-aliased; @radius is limited by the size. */
void goban_raster_round_rect (GobanRaster *self, int x, int y, int width, int height, double radius,
                              GobanRgb rgb);
/* @scale: pixels per bit of the pattern, which begins at (x, y). */
void goban_raster_hatch (GobanRaster *self, int x, int y, int width, int height, GobanCue cue,
                         GobanRgb rgb, int scale);

/* One pixel wide and aliased, both ends included. */
void goban_raster_line (GobanRaster *self, double x0, double y0, double x1, double y1,
                        const GobanStroke *stroke);
/* Anti-aliased; half open along its longer axis, so that the pieces of a curve join without
 * dots. */
void goban_raster_smooth_line (GobanRaster *self, double x0, double y0, double x1, double y1,
                               const GobanStroke *stroke);
/* Four points, x and y in turn. */
void goban_raster_cubic (GobanRaster *self, const double p[8], const GobanStroke *stroke);
/* Three points, x and y in turn; either orientation. */
void goban_raster_triangle (GobanRaster *self, const double p[6], GobanRgb rgb);
