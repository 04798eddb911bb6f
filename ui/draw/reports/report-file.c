/* report-file.c: a report's pages as one file. */
#include "ui/draw/reports/report-page.h"

#include "engine/core/error.h"
#include "engine/core/file.h"
#include "engine/study/analysis/difference/matched-difference.h"
#include "ui/draw/export/export-svg.h"
#include "ui/draw/export/export.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>

/* Pixels of a PNG, and of images within the others, for each of the page's. */
#define DENSITY 2.0
#define POINTS_PER_PIXEL 0.75

static cairo_status_t
append_cb (void *closure, const unsigned char *data, unsigned int length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

static cairo_status_t
finish (cairo_surface_t *surface, cairo_t *cr)
{
  cairo_status_t status = cairo_status (cr);

  cairo_destroy (cr);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  return status;
}

static cairo_status_t
write_pdf (const GobanDiffReport *report, const GobanReportLayout *layout, GByteArray *bytes)
{
  cairo_surface_t *surface = cairo_pdf_surface_create_for_stream (
      append_cb, bytes, GOBAN_REPORT_WIDTH * POINTS_PER_PIXEL,
      GOBAN_REPORT_HEIGHT * POINTS_PER_PIXEL);
  cairo_t *cr = cairo_create (surface);

  /* cairo would write the creation time; an invalid date is left out. */
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATE_DATE, "none");
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE, report->title);
  for (guint page = 0; page < layout->n_pages; page++)
    {
      cairo_save (cr);
      cairo_scale (cr, POINTS_PER_PIXEL, POINTS_PER_PIXEL);
      goban_report_page_paint (report, layout, page, cr, DENSITY, FALSE);
      cairo_restore (cr);
      cairo_show_page (cr);
    }
  return finish (surface, cr);
}

/* Pages below each other. */
static void
paint_pages (const GobanDiffReport *report, const GobanReportLayout *layout, cairo_t *cr,
             gboolean as_image)
{
  for (guint page = 0; page < layout->n_pages; page++)
    {
      cairo_save (cr);
      cairo_translate (cr, 0, page * GOBAN_REPORT_HEIGHT);
      goban_report_page_paint (report, layout, page, cr, DENSITY, as_image);
      cairo_restore (cr);
    }
}

static cairo_status_t
write_svg (const GobanDiffReport *report, const GobanReportLayout *layout, GByteArray *bytes)
{
  g_autoptr (GByteArray) raw = g_byte_array_new ();
  g_autoptr (GByteArray) renumbered = NULL;
  cairo_surface_t *surface = cairo_svg_surface_create_for_stream (
      append_cb, raw, GOBAN_REPORT_WIDTH, GOBAN_REPORT_HEIGHT * layout->n_pages);
  cairo_t *cr = cairo_create (surface);
  cairo_status_t status;

  cairo_svg_surface_set_document_unit (surface, CAIRO_SVG_UNIT_PX);
  paint_pages (report, layout, cr, FALSE);
  status = finish (surface, cr);
  renumbered = goban_svg_renumber (raw);
  g_byte_array_append (bytes, renumbered->data, renumbered->len);
  return status;
}

static cairo_status_t
write_png (const GobanDiffReport *report, const GobanReportLayout *layout, GByteArray *bytes)
{
  cairo_surface_t *surface
      = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) (GOBAN_REPORT_WIDTH * DENSITY),
                                    (int) (GOBAN_REPORT_HEIGHT * DENSITY * layout->n_pages));
  cairo_t *cr = cairo_create (surface);
  cairo_status_t status;

  cairo_scale (cr, DENSITY, DENSITY);
  paint_pages (report, layout, cr, TRUE);
  cairo_surface_flush (surface);
  status = cairo_surface_write_to_png_stream (surface, append_cb, bytes);
  if (status != CAIRO_STATUS_SUCCESS)
    {
      finish (surface, cr);
      return status;
    }
  return finish (surface, cr);
}

gboolean
goban_report_page_write (const GobanDiffReport *report, const char *path, GError **error)
{
  GobanReportLayout layout = goban_report_page_lay_out (report);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autofree char *lower = g_ascii_strdown (path, -1);
  cairo_status_t status;

  if (!goban_export_check_path (path, error))
    return FALSE;
  if (g_str_has_suffix (lower, ".pdf"))
    status = write_pdf (report, &layout, bytes);
  else if (g_str_has_suffix (lower, ".png"))
    status = write_png (report, &layout, bytes);
  else
    status = write_svg (report, &layout, bytes);
  if (status != CAIRO_STATUS_SUCCESS)
    return goban_refuse (error, GOBAN_ERROR_IO, "%s: the report cannot be drawn: %s", path,
                         cairo_status_to_string (status));
  return goban_file_write (path, (const char *) bytes->data, bytes->len, error);
}

gboolean
goban_report_page_deliver (const GobanReportOrder *order, const char *path, GError **error)
{
  GobanBreakdownOptions finding = { .progress = order->progress };
  GobanDiffReportOptions options = { .script = order->script, .look = order->look };
  g_autoptr (GobanDeviceMatching) matching = NULL;
  g_autoptr (GobanDifference) difference = NULL;
  g_autoptr (GobanBreakdown) found = NULL;
  g_autoptr (GobanDiffReport) report = NULL;
  g_autoptr (GError) trouble = NULL;

  if (!goban_export_check_path (path, error))
    return FALSE;
  if (!order->has_own_devices)
    matching = goban_device_matching_new (order->before, order->after);
  difference = goban_difference_new_matched (order->before, order->after, matching,
                                             order->min_change_us, error);
  if (difference == NULL)
    return FALSE;
  options.breakdown = found = goban_breakdown_new (difference, &finding, &trouble);
  if (g_error_matches (trouble, GOBAN_ERROR, GOBAN_ERROR_CANCELLED))
    {
      g_propagate_error (error, g_steal_pointer (&trouble));
      return FALSE;
    }
  report = goban_diff_report_new (difference, &options, error);
  return report != NULL && goban_progress_check (order->progress, error)
         && goban_report_page_write (report, path, error);
}
