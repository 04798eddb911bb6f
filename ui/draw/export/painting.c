#include "ui/draw/export/painting.h"

#include "engine/core/error.h"
#include "engine/core/file.h"
#include "ui/draw/export/export-svg.h"
#include "ui/draw/export/export.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>

#define MIN_SIDE 64.0
#define MAX_SIDE 10000.0
#define MAX_SCALE 8.0
#define POINTS_PER_PIXEL 0.75

typedef enum
{
  FORMAT_SVG,
  FORMAT_PNG,
  FORMAT_PDF,
} Format;

static cairo_status_t
append_cb (void *closure, const unsigned char *data, unsigned int length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

cairo_surface_t *
goban_painting_draw (const GobanPainting *self)
{
  g_autoptr (GobanTextCache) text = goban_text_cache_new ();
  cairo_surface_t *image = cairo_image_surface_create (
      CAIRO_FORMAT_RGB24, (int) (self->width * self->scale), (int) (self->height * self->scale));
  GobanPen *pen;

  if (cairo_surface_status (image) != CAIRO_STATUS_SUCCESS)
    return image;
  pen = goban_pen_new_for_image (image, text);
  self->paint (self->data, pen, self->scale);
  goban_pen_free (pen);
  cairo_surface_flush (image);
  return image;
}

static void
paint_page (const GobanPainting *self, cairo_t *cr)
{
  g_autoptr (GobanTextCache) text = goban_text_cache_new ();
  g_autoptr (GobanPen) pen = NULL;
  cairo_surface_t *image;

  if (!self->is_image)
    {
      pen = goban_pen_new_for_cairo (cr, self->width, self->height, text);
      self->paint (self->data, pen, 1);
      return;
    }
  image = goban_painting_draw (self);
  cairo_scale (cr, 1 / self->scale, 1 / self->scale);
  cairo_set_source_surface (cr, image, 0, 0);
  cairo_paint (cr);
  cairo_surface_destroy (image);
}

static cairo_status_t
write_vectors (const GobanPainting *self, Format format, GByteArray *bytes)
{
  double unit = format == FORMAT_PDF ? POINTS_PER_PIXEL : 1;
  cairo_surface_t *surface
      = format == FORMAT_PDF
            ? cairo_pdf_surface_create_for_stream (append_cb, bytes, self->width * unit,
                                                   self->height * unit)
            : cairo_svg_surface_create_for_stream (append_cb, bytes, self->width, self->height);
  cairo_t *cr = cairo_create (surface);
  cairo_status_t status;

  /* cairo would write the creation time; an invalid date is left out. */
  if (format == FORMAT_PDF)
    cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATE_DATE, "none");
  else
    cairo_svg_surface_set_document_unit (surface, CAIRO_SVG_UNIT_PX);
  cairo_scale (cr, unit, unit);
  paint_page (self, cr);
  status = cairo_status (cr);
  cairo_destroy (cr);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  return status;
}

static cairo_status_t
write_image (const GobanPainting *self, GByteArray *bytes)
{
  cairo_surface_t *image = goban_painting_draw (self);
  cairo_status_t status = cairo_surface_write_to_png_stream (image, append_cb, bytes);

  cairo_surface_destroy (image);
  return status;
}

static Format
find_format (const char *path)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);

  return g_str_has_suffix (lower, ".png")   ? FORMAT_PNG
         : g_str_has_suffix (lower, ".pdf") ? FORMAT_PDF
                                            : FORMAT_SVG;
}

/* Sizes at which a picture has room, and an end. */
static gboolean
check_size (const GobanPainting *self, const char *path, GError **error)
{
  if (self->width >= MIN_SIDE && self->height >= MIN_SIDE && self->width <= MAX_SIDE
      && self->height <= MAX_SIDE && self->scale <= MAX_SCALE)
    return TRUE;
  return goban_refuse (error, GOBAN_ERROR_INVALID,
                       "%s: a picture has sides of %.0f to %.0f pixels and a scale of at most %.0f",
                       path, MIN_SIDE, MAX_SIDE, MAX_SCALE);
}

gboolean
goban_painting_write (const GobanPainting *self, const char *path, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  Format format = find_format (path);
  cairo_status_t status;

  if (!goban_export_check_path (path, error) || !check_size (self, path, error))
    return FALSE;
  status = format == FORMAT_PNG ? write_image (self, bytes) : write_vectors (self, format, bytes);
  if (status != CAIRO_STATUS_SUCCESS)
    return goban_refuse (error, GOBAN_ERROR_IO, "%s: the picture cannot be drawn: %s", path,
                         cairo_status_to_string (status));
  if (format == FORMAT_SVG)
    {
      GByteArray *renumbered = goban_svg_renumber (bytes);

      g_byte_array_unref (bytes);
      bytes = renumbered;
    }
  return goban_file_write (path, (const char *) bytes->data, bytes->len, error);
}
