/* pen.h: drawing interface of the painters, over an image's pixels or any cairo context.
 *
 * Painters are written once. Over an image surface the pen writes pixels itself, fast and the same
 * everywhere; over a cairo context (an SVG or PDF page, a GTK snapshot for overlays) it makes
 * paths. Coordinates are pixels of the surface or units of the context. One thread at a time.
 */
#pragma once

#include "ui/draw/camera.h"
#include "ui/draw/palette.h"
#include "ui/draw/raster.h"

/* Shaped text labels: PangoLayouts by text, size, weight and width. One thread at a time. */
typedef struct _GobanTextCache GobanTextCache;

typedef enum
{
  GOBAN_ALIGN_LEFT,
  GOBAN_ALIGN_CENTRE,
  GOBAN_ALIGN_RIGHT,
} GobanAlign;

typedef struct
{
  double size_px; /* of the font; rounded to half pixels */
  gboolean bold;
  GobanAlign align;
  GobanRgb rgb;
} GobanTextStyle;

GobanTextCache *goban_text_cache_new (void) G_GNUC_WARN_UNUSED_RESULT;
void goban_text_cache_free (GobanTextCache *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanTextCache, goban_text_cache_free)

typedef struct _GobanPen GobanPen;

/* @text is borrowed, must outlive the pen and should be kept from frame to frame. @surface must be
 * an RGB24 image. */
GobanPen *goban_pen_new_for_image (cairo_surface_t *surface,
                                   GobanTextCache *text) G_GNUC_WARN_UNUSED_RESULT;
/* @surface is a part of a picture of @width x @height, its first pixel at (left, top) of the
 * picture, which may be negative. The result equals that part of a surface of the whole. */
GobanPen *goban_pen_new_for_tile (cairo_surface_t *surface, GobanPoint from, double width,
                                  double height, GobanTextCache *text) G_GNUC_WARN_UNUSED_RESULT;
GobanPen *goban_pen_new_for_cairo (cairo_t *cr, double width, double height,
                                   GobanTextCache *text) G_GNUC_WARN_UNUSED_RESULT;
void goban_pen_free (GobanPen *self);

/* The raster for direct pixel access, NULL for a vector pen. The pen assumes that pixels will
 * change, so call it again after drawing text. */
GobanRaster *goban_pen_get_raster (GobanPen *self);
double goban_pen_get_width (const GobanPen *self);
double goban_pen_get_height (const GobanPen *self);

/* Sets the clip, to whole pixels; initially the whole surface. */
void goban_pen_set_clip (GobanPen *self, GobanBox box);
GobanBox goban_pen_get_clip (const GobanPen *self);

/* Excludes these boxes, which do not overlap, from drawing until goban_pen_end_outside(). Applies
 * to drawing by cairo: overlays and vector files. */
void goban_pen_begin_outside (GobanPen *self, const GobanBox *boxes, guint n);
void goban_pen_end_outside (GobanPen *self);

/* Background of a picture: the painters' own, none, or, to compute transparency by painting twice,
 * one of two fixed colours. */
typedef enum
{
  GOBAN_BACKDROP_OWN,
  GOBAN_BACKDROP_NONE, /* not over an image */
  GOBAN_BACKDROP_BLACK,
  GOBAN_BACKDROP_WHITE,
} GobanBackdrop;

void goban_pen_set_backdrop (GobanPen *self, GobanBackdrop backdrop);
/* Like goban_pen_rect(), for the background. */
void goban_pen_backdrop (GobanPen *self, GobanBox box, GobanRgb rgb);

/* Rectangles are rounded to whole pixels over an image. */
void goban_pen_rect (GobanPen *self, GobanBox box, GobanRgb rgb);
void goban_pen_tint (GobanPen *self, GobanBox box, GobanRgb rgb, guint alpha);
/* A hairline just inside the box. */
void goban_pen_frame (GobanPen *self, GobanBox box, double width, GobanRgb rgb);
/* The same of dashes, for what is not there yet. @scale: pixels of its width and a design pixel. */
void goban_pen_dashes (GobanPen *self, GobanBox box, double scale, GobanRgb rgb);
void goban_pen_round_rect (GobanPen *self, GobanBox box, double radius, GobanRgb rgb);
/* A ring of @width around the box, outside it. Anti-aliased by cairo: for tens, not thousands. */
void goban_pen_ring (GobanPen *self, GobanBox box, double radius, const GobanStroke *stroke);
void goban_pen_hatch (GobanPen *self, GobanBox box, GobanCue cue, GobanRgb rgb, double scale);

/* Not anti-aliased over an image; the stroke's width counts only in vector files. */
void goban_pen_thin_line (GobanPen *self, GobanPoint a, GobanPoint b, const GobanStroke *stroke);
void goban_pen_line (GobanPen *self, GobanPoint a, GobanPoint b, const GobanStroke *stroke);
/* Tints the area inside the line through @points. Anti-aliased by cairo. */
void goban_pen_area (GobanPen *self, const GobanPoint *points, guint n, GobanRgb rgb, guint alpha);
void goban_pen_cubic (GobanPen *self, const GobanPoint p[4], const GobanStroke *stroke);
/* A head of @size at @tip, pointing down. */
void goban_pen_arrow (GobanPen *self, GobanPoint tip, double size, GobanRgb rgb);

void goban_pen_text (GobanPen *self, const char *text, GobanPoint at, double width,
                     const GobanTextStyle *style);
double goban_pen_text_width (GobanPen *self, const char *text, const GobanTextStyle *style);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanPen, goban_pen_free)
