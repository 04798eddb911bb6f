/* text.h: cache of shaped text labels.
 *
 * A cache of PangoLayouts by text, size, weight and width. One thread at a time.
 */
#pragma once

#include <cairo.h>

#include "ui/draw/palette.h"

G_BEGIN_DECLS

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

/* Draws one line of @text, shortened with an ellipsis where it exceeds @width (0: as long as it
 * is, up to a thousand characters), with the middle of the line at @y and aligned between @x and @x
 * + @width. */
void goban_text_draw (GobanTextCache *self, cairo_t *cr, const char *text, double x, double y,
                      double width, const GobanTextStyle *style);

/* Width of the whole text in pixels, of a thousand characters at most. */
double goban_text_width (GobanTextCache *self, const char *text, const GobanTextStyle *style);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanTextCache, goban_text_cache_free)

G_END_DECLS
