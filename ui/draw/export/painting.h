/* painting.h: one picture of a painter as a file: .svg, .png or .pdf. */
#pragma once

#include "ui/draw/palette.h"
#include "ui/draw/pen.h"

/* Options of a picture. */
typedef struct
{
  GobanTheme theme;
  double width; /* pixels; 0: chosen */
  double height;
  double scale;
} GobanPaintingOptions;

typedef struct
{
  /* Fills the pen's surface, with text @ui_scale times as large. */
  void (*paint) (gconstpointer data, GobanPen *pen, double ui_scale);
  gconstpointer data;
  double width; /* pixels, of a PNG times the scale */
  double height;
  double scale;
  gboolean is_image; /* too many elements for paths: vector files have an image of it */
} GobanPainting;

/* FALSE with GOBAN_ERROR_UNSUPPORTED (another ending), INVALID (a size) or IO set. */
gboolean goban_painting_write (const GobanPainting *self, const char *path, GError **error);
/* An RGB24 image at its scale. (transfer full) */
cairo_surface_t *goban_painting_draw (const GobanPainting *self) G_GNUC_WARN_UNUSED_RESULT;
