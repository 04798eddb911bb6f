/* pen.h: drawing interface of the painters, over an image's pixels or any cairo context.
 *
 * Painters are written once. Over an image surface the pen writes pixels itself, fast and the same
 * everywhere; over a cairo context (an SVG or PDF page, a GTK snapshot for overlays) it makes
 * paths. Coordinates are pixels of the surface or units of the context. One thread at a time.
 */
#pragma once

#include "ui/draw/camera.h"
#include "ui/draw/raster.h"
#include "ui/draw/text.h"

G_BEGIN_DECLS

typedef struct _GobanPen GobanPen;

/* @text is borrowed and must outlive the pen: it is worth keeping from one frame to the next.
 * @surface must be an RGB24 image. */
GobanPen *goban_pen_new_for_image (cairo_surface_t *surface,
                                   GobanTextCache *text) G_GNUC_WARN_UNUSED_RESULT;
/* @surface is a part of a picture of @width x @height, its first pixel at (left, top) of the picture, which may be
 * negative. What is drawn is the same as on a surface of the whole. */
GobanPen *goban_pen_new_for_tile (cairo_surface_t *surface, GobanPoint from, double width,
                                  double height, GobanTextCache *text) G_GNUC_WARN_UNUSED_RESULT;
GobanPen *goban_pen_new_for_cairo (cairo_t *cr, double width, double height,
                                   GobanTextCache *text) G_GNUC_WARN_UNUSED_RESULT;
void goban_pen_free (GobanPen *self);

/* The raster where pixels are written directly, NULL for a vector pen. Calling it tells the
 * pen that pixels will change, so ask again after drawing text. */
GobanRaster *goban_pen_get_raster (GobanPen *self);
double goban_pen_get_width (const GobanPen *self);
double goban_pen_get_height (const GobanPen *self);

/* What may be touched, in whole pixels, until the next call; the whole surface at first. */
void goban_pen_set_clip (GobanPen *self, int x, int y, int width, int height);
GobanBox goban_pen_get_clip (const GobanPen *self);

/* Until goban_pen_end_outside(), nothing is drawn within these boxes, which do not overlap. Of what is
 * drawn by cairo: for overlays and vector files. */
void goban_pen_begin_outside (GobanPen *self, const GobanBox *boxes, guint n);
void goban_pen_end_outside (GobanPen *self);

/* What a picture lies upon: as painters have it, or nothing, or, for whoever finds out what shines
 * through by painting twice, one or the other. */
typedef enum
{
  GOBAN_BACKDROP_OWN,
  GOBAN_BACKDROP_NONE, /* not over an image */
  GOBAN_BACKDROP_BLACK,
  GOBAN_BACKDROP_WHITE,
} GobanBackdrop;

void goban_pen_set_backdrop (GobanPen *self, GobanBackdrop backdrop);
/* As goban_pen_rect(), for what lies under everything else. */
void goban_pen_backdrop (GobanPen *self, GobanBox box, GobanRgb rgb);

/* Rectangles are rounded to whole pixels over an image. */
void goban_pen_rect (GobanPen *self, GobanBox box, GobanRgb rgb);
void goban_pen_tint (GobanPen *self, GobanBox box, GobanRgb rgb, guint alpha);
/* A hairline just inside the box. */
void goban_pen_frame (GobanPen *self, GobanBox box, double width, GobanRgb rgb);
void goban_pen_round_rect (GobanPen *self, GobanBox box, double radius, GobanRgb rgb);
/* A ring of @width around the box, outside it. Anti-aliased by cairo: for tens, not thousands. */
void goban_pen_ring (GobanPen *self, GobanBox box, double radius, const GobanStroke *stroke);
void goban_pen_hatch (GobanPen *self, GobanBox box, GobanCue cue, GobanRgb rgb, double scale);

/* Not anti-aliased over an image; the stroke's width counts only in vector files. */
void goban_pen_thin_line (GobanPen *self, GobanPoint a, GobanPoint b, const GobanStroke *stroke);
void goban_pen_line (GobanPen *self, GobanPoint a, GobanPoint b, const GobanStroke *stroke);
/* Tints what the line through @points goes around. Anti-aliased by cairo. */
void goban_pen_area (GobanPen *self, const GobanPoint *points, guint n, GobanRgb rgb, guint alpha);
void goban_pen_cubic (GobanPen *self, const GobanPoint p[4], const GobanStroke *stroke);
/* A head of @size at @tip, pointing down. */
void goban_pen_arrow (GobanPen *self, GobanPoint tip, double size, GobanRgb rgb);

void goban_pen_text (GobanPen *self, const char *text, GobanPoint at, double width,
                     const GobanTextStyle *style);
double goban_pen_text_width (GobanPen *self, const char *text, const GobanTextStyle *style);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanPen, goban_pen_free)

G_END_DECLS
