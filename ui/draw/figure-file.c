/* figure-file.c: a figure as a file: .svg, .png, .pdf, or its points as .csv. */
#include "ui/draw/figure-painter.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "ui/draw/export-svg.h"
#include "ui/draw/export.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <string.h>

#define WIDTH 640.0
#define HEIGHT 360.0
#define MIN_SIDE 64.0
#define MAX_SIDE 10000.0
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

static cairo_surface_t *
paint_image (const GobanFigurePicture *picture, const GobanFigureFile *size)
{
  g_autoptr (GobanTextCache) text = goban_text_cache_new ();
  cairo_surface_t *image = cairo_image_surface_create (
      CAIRO_FORMAT_RGB24, (int) (size->width * size->scale), (int) (size->height * size->scale));
  GobanFigurePicture scaled = *picture;
  g_autoptr (GobanPen) pen = NULL;

  if (cairo_surface_status (image) != CAIRO_STATUS_SUCCESS)
    return image;
  scaled.ui_scale = size->scale;
  pen = goban_pen_new_for_image (image, text);
  goban_figure_paint (&scaled, pen);
  g_clear_pointer (&pen, goban_pen_free);
  cairo_surface_flush (image);
  return image;
}

/* Many points are an image within the page: viewers cannot open megabytes of paths. */
static void
paint_page (const GobanFigurePicture *picture, const GobanFigureFile *size, cairo_t *cr)
{
  g_autoptr (GobanTextCache) text = goban_text_cache_new ();
  g_autoptr (GobanPen) pen = NULL;
  cairo_surface_t *image;

  if (goban_figure_count_points (picture->figure) <= GOBAN_MAX_VECTOR_ELEMENTS
      || picture->figure->kind == GOBAN_FIGURE_HISTOGRAM)
    {
      pen = goban_pen_new_for_cairo (cr, size->width, size->height, text);
      goban_figure_paint (picture, pen);
      return;
    }
  image = paint_image (picture, size);
  cairo_scale (cr, 1 / size->scale, 1 / size->scale);
  cairo_set_source_surface (cr, image, 0, 0);
  cairo_paint (cr);
  cairo_surface_destroy (image);
}

static cairo_status_t
write_vectors (const GobanFigurePicture *picture, const GobanFigureFile *size, Format format,
               GByteArray *bytes)
{
  double unit = format == FORMAT_PDF ? POINTS_PER_PIXEL : 1;
  cairo_surface_t *surface
      = format == FORMAT_PDF
            ? cairo_pdf_surface_create_for_stream (append_cb, bytes, size->width * unit,
                                                   size->height * unit)
            : cairo_svg_surface_create_for_stream (append_cb, bytes, size->width, size->height);
  cairo_t *cr = cairo_create (surface);
  cairo_status_t status;

  if (format == FORMAT_PDF)
    cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATE_DATE, "none");
  else
    cairo_svg_surface_set_document_unit (surface, CAIRO_SVG_UNIT_PX);
  cairo_scale (cr, unit, unit);
  paint_page (picture, size, cr);
  status = cairo_status (cr);
  cairo_destroy (cr);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  return status;
}

static cairo_status_t
write_image (const GobanFigurePicture *picture, const GobanFigureFile *size, GByteArray *bytes)
{
  cairo_surface_t *image = paint_image (picture, size);
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

static gboolean
is_table (const char *path)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);

  return g_str_has_suffix (lower, ".csv");
}

/* Sizes that are not said are chosen; others are refused where no figure has room or end. */
static gboolean
check_size (GobanFigureFile *size, const char *path, GError **error)
{
  size->width = size->width > 0 ? size->width : WIDTH;
  size->height = size->height > 0 ? size->height : HEIGHT;
  size->scale = size->scale > 0 ? size->scale : 2;
  if (size->width >= MIN_SIDE && size->height >= MIN_SIDE && size->width <= MAX_SIDE
      && size->height <= MAX_SIDE && size->scale <= 8)
    return TRUE;
  return goban_refuse (error, GOBAN_ERROR_INVALID,
                       "%s: a figure has sides of %.0f to %.0f pixels and a scale of at most 8",
                       path, MIN_SIDE, MAX_SIDE);
}

gboolean
goban_figure_write (const GobanFigure *figure, const GobanFigureFile *options, const char *path,
                    GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  GobanFigureFile size = *options;
  GobanFigurePicture picture = { .figure = figure, .theme = options->theme, .ui_scale = 1 };
  cairo_status_t status;
  Format format;

  if (is_table (path))
    {
      g_autofree char *csv = goban_figure_to_csv (figure);

      return goban_file_write (path, csv, strlen (csv), error);
    }
  if (!goban_export_check_path (path, error) || !check_size (&size, path, error))
    return FALSE;
  format = find_format (path);
  status = format == FORMAT_PNG ? write_image (&picture, &size, bytes)
                                : write_vectors (&picture, &size, format, bytes);
  if (status != CAIRO_STATUS_SUCCESS)
    return goban_refuse (error, GOBAN_ERROR_IO, "%s: the figure cannot be drawn: %s", path,
                         cairo_status_to_string (status));
  if (format == FORMAT_SVG)
    {
      GByteArray *renumbered = goban_svg_renumber (bytes);

      g_byte_array_unref (bytes);
      bytes = renumbered;
    }
  return goban_file_write (path, (const char *) bytes->data, bytes->len, error);
}
