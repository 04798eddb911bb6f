#include "ui/draw/export.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "ui/draw/export-svg.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>
#include <string.h>

#define MARGIN 24.0
#define TITLE_H 58.0
#define LEGEND_GAP 14.0
#define MAX_SIDE 16384.0
#define MAX_PIXELS 120e6
/* A graph is drawn at its natural size until it has this width or height, then smaller. */
#define USUAL_SIDE 4000.0
#define TIMELINE_W 1600.0

typedef enum
{
  FORMAT_SVG,
  FORMAT_PNG,
  FORMAT_PDF,
} Format;

/* What a page shows, either of the two. */
typedef struct
{
  const GobanGraphScene *graph;
  const GobanLayout *layout;
  const GobanTimelineScene *timeline;
  GobanExportOptions options;
  const char *title;
  const char *subtitle;
  double width; /* of the page */
  double height;
  double legend_h;
  double ui; /* larger pages have larger words */
} Page;

static gboolean
find_format (const char *path, Format *format, GError **error)
{
  static const char *const endings[] = { ".svg", ".png", ".pdf" };
  g_autofree char *lower = g_ascii_strdown (path, -1);

  if (strcmp (path, "-") == 0)
    {
      *format = FORMAT_SVG;
      return TRUE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (lower, endings[i]))
      {
        *format = (Format) i;
        return TRUE;
      }
  g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_UNSUPPORTED,
               "%s: pictures are written as .svg, .png or .pdf, by the ending of their path", path);
  return FALSE;
}

gboolean
goban_export_check_path (const char *path, GError **error)
{
  Format format;

  return find_format (path, &format, error);
}

static GobanGraphStyle
graph_style (const Page *page)
{
  return (GobanGraphStyle){ .theme = page->options.theme,
                            .fill = page->options.fill,
                            .show_critical = page->options.show_critical,
                            .ui_scale = page->ui };
}

static GobanTimelineStyle
timeline_style (const Page *page)
{
  return (GobanTimelineStyle){ page->options.theme, page->options.fill, page->options.show_critical,
                               1 };
}

static double
legend_height (const Page *page, double width)
{
  cairo_surface_t *none = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 1, 1);
  g_autoptr (GobanTextCache) text = goban_text_cache_new ();
  g_autoptr (GobanPen) pen = goban_pen_new_for_image (none, text);
  GobanGraphStyle style = graph_style (page);
  GobanBox area = { MARGIN, 0, MAX (width - MARGIN, MARGIN + 200), 0 };

  cairo_surface_destroy (none);
  return goban_graph_legend (page->graph, &style, pen, area, FALSE);
}

static void
choose_graph_size (Page *page)
{
  GobanBox bounds = page->layout->bounds;
  double w = MAX (bounds.x1 - bounds.x0, 1);
  double h = MAX (bounds.y1 - bounds.y0, 1);
  double scale = MIN (1, USUAL_SIDE / MAX (w, h));

  page->width = page->options.width;
  page->height = page->options.height;
  if (page->width <= 0)
    page->width = page->height > 0 ? MAX (page->height * w / h, 480)
                                   : MAX (ceil (w * scale) + 2 * MARGIN, 480);
  page->ui = CLAMP (page->width / 2000, 1, 3);
  page->legend_h = legend_height (page, page->width);
  if (page->height <= 0)
    page->height = ceil (MIN (scale, (page->width - 2 * MARGIN) / w) * h) + TITLE_H * page->ui
                   + 2 * LEGEND_GAP + page->legend_h + MARGIN;
}

static void
choose_timeline_size (Page *page)
{
  GobanTimelineStyle style = timeline_style (page);

  page->width = page->options.width > 0 ? page->options.width : TIMELINE_W;
  page->height = page->options.height;
  page->ui = 1;
  if (page->height <= 0)
    page->height = ceil (goban_timeline_height (page->timeline, &style)) + TITLE_H + MARGIN;
}

static void
draw_title (const Page *page, GobanPen *pen)
{
  const GobanColours *colours = goban_palette_get (page->options.theme);
  GobanTextStyle title = { 17 * page->ui, TRUE, GOBAN_ALIGN_LEFT, colours->ink };
  GobanTextStyle subtitle = { 12 * page->ui, FALSE, GOBAN_ALIGN_LEFT, colours->muted };
  double room = page->width - 2 * MARGIN;

  goban_pen_text (pen, page->title, (GobanPoint){ MARGIN, 22 * page->ui }, room, &title);
  goban_pen_text (pen, page->subtitle, (GobanPoint){ MARGIN, 42 * page->ui }, room, &subtitle);
}

static GobanGraphPicture
graph_picture (const Page *page, double width, double height)
{
  GobanGraphPicture picture
      = { .scene = page->graph,
          .layout = page->layout,
          .camera = goban_camera_fit (page->layout->bounds, width, height, 0, 1),
          .style = graph_style (page) };

  return picture;
}

static GobanTimelinePicture
timeline_picture (const Page *page, double width)
{
  GobanTimelineStyle style = timeline_style (page);
  double from = page->options.from_us;
  double to = page->options.to_us > from ? page->options.to_us : page->timeline->end_us;
  double lanes_w = goban_timeline_lanes_width (&style, width);

  return (GobanTimelinePicture){ .scene = page->timeline,
                                 .camera = goban_time_camera_fit (from, to, lanes_w),
                                 .style = style };
}

static void
paint_content (const Page *page, GobanPen *pen)
{
  double width = goban_pen_get_width (pen);
  double height = goban_pen_get_height (pen);

  if (page->graph != NULL)
    {
      GobanGraphPicture picture = graph_picture (page, width, height);

      goban_graph_paint (&picture, pen);
    }
  else
    {
      GobanTimelinePicture picture = timeline_picture (page, width);

      goban_timeline_paint (&picture, pen);
    }
}

/* The area that the graph or the lanes have of the page. */
static GobanBox
content_box (const Page *page)
{
  GobanBox box = { MARGIN, TITLE_H * page->ui, page->width - MARGIN, page->height - MARGIN };

  if (page->graph != NULL)
    box.y1 -= page->legend_h + 2 * LEGEND_GAP - MARGIN;
  else
    box.x0 = 0;
  return (GobanBox){ box.x0, box.y0, floor (MAX (box.x1, box.x0 + 1)),
                     floor (MAX (box.y1, box.y0 + 1)) };
}

static gboolean
is_too_large_for_paths (const Page *page)
{
  return page->graph != NULL
         && page->graph->n_nodes + page->graph->n_edges > GOBAN_MAX_VECTOR_ELEMENTS;
}

/* Pixels of the content, @density of them per unit of the page. */
static cairo_surface_t *
render_content (const Page *page, GobanTextCache *text, double density)
{
  GobanBox box = content_box (page);
  cairo_surface_t *image = cairo_image_surface_create (
      CAIRO_FORMAT_RGB24, (int) ((box.x1 - box.x0) * density), (int) ((box.y1 - box.y0) * density));
  g_autoptr (GobanPen) pen = NULL;

  if (cairo_surface_status (image) != CAIRO_STATUS_SUCCESS)
    return image;
  pen = goban_pen_new_for_image (image, text);
  paint_content (page, pen);
  return image;
}

static void
draw_page (const Page *page, cairo_t *cr, gboolean as_image)
{
  g_autoptr (GobanTextCache) text = goban_text_cache_new ();
  g_autoptr (GobanPen) pen = goban_pen_new_for_cairo (cr, page->width, page->height, text);
  GobanGraphStyle style = graph_style (page);
  GobanBox box = content_box (page);

  goban_pen_rect (pen, (GobanBox){ 0, 0, page->width, page->height },
                  goban_palette_get (page->options.theme)->canvas);
  draw_title (page, pen);
  if (page->graph != NULL)
    goban_graph_legend (page->graph, &style, pen,
                        (GobanBox){ MARGIN, page->height - LEGEND_GAP - page->legend_h,
                                    page->width - MARGIN, page->height },
                        TRUE);
  cairo_save (cr);
  cairo_translate (cr, box.x0, box.y0);
  if (as_image)
    {
      cairo_surface_t *image = render_content (page, text, 1);

      cairo_set_source_surface (cr, image, 0, 0);
      cairo_paint (cr);
      cairo_surface_destroy (image);
    }
  else
    {
      g_autoptr (GobanPen) inner
          = goban_pen_new_for_cairo (cr, box.x1 - box.x0, box.y1 - box.y0, text);

      cairo_rectangle (cr, 0, 0, box.x1 - box.x0, box.y1 - box.y0);
      cairo_clip (cr);
      paint_content (page, inner);
    }
  cairo_restore (cr);
}

static cairo_status_t
append_cb (void *closure, const unsigned char *data, unsigned int length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

static gboolean
check_size (const Page *page, Format format, const char *path, GError **error)
{
  gboolean fits = page->width >= 16 && page->height >= 16 && page->width <= MAX_SIDE
                  && page->height <= MAX_SIDE;

  if (fits && (format != FORMAT_PNG || page->width * page->height <= MAX_PIXELS))
    return TRUE;
  g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID,
               "%s: a picture of %.0f x %.0f pixels cannot be written; each side may have 16 to "
               "%.0f pixels, and a PNG %.0f million in all",
               path, page->width, page->height, MAX_SIDE, MAX_PIXELS / 1e6);
  return FALSE;
}

static cairo_surface_t *
make_surface (const Page *page, Format format, GByteArray *bytes)
{
  cairo_surface_t *surface;

  if (format == FORMAT_PNG)
    return cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) page->width, (int) page->height);
  if (format == FORMAT_PDF)
    return cairo_pdf_surface_create_for_stream (append_cb, bytes, page->width * 0.75,
                                                page->height * 0.75);
  surface = cairo_svg_surface_create_for_stream (append_cb, bytes, page->width, page->height);
  cairo_svg_surface_set_document_unit (surface, CAIRO_SVG_UNIT_PX);
  return surface;
}

static gboolean
write_page (const Page *page, Format format, const char *path, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  cairo_surface_t *surface;
  cairo_status_t status;
  cairo_t *cr;

  if (!check_size (page, format, path, error))
    return FALSE;
  surface = make_surface (page, format, bytes);
  cr = cairo_create (surface);
  if (format == FORMAT_PDF)
    cairo_scale (cr, 0.75, 0.75);
  draw_page (page, cr, format == FORMAT_PNG || is_too_large_for_paths (page));
  status = cairo_status (cr);
  cairo_destroy (cr);
  if (format == FORMAT_PNG && status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_write_to_png_stream (surface, append_cb, bytes);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  if (status != CAIRO_STATUS_SUCCESS)
    {
      g_set_error (error, GOBAN_ERROR, GOBAN_ERROR_IO, "%s: the picture cannot be drawn: %s", path,
                   cairo_status_to_string (status));
      return FALSE;
    }
  if (format == FORMAT_SVG)
    {
      GByteArray *renumbered = goban_svg_renumber (bytes);

      g_byte_array_unref (g_steal_pointer (&bytes));
      bytes = renumbered;
    }
  return goban_file_write (path, (const char *) bytes->data, bytes->len, error);
}

gboolean
goban_export_graph (const GobanGraphScene *scene, const GobanLayout *layout,
                    const GobanExportOptions *options, const char *path, GError **error)
{
  Page page
      = { .graph = scene, .layout = layout, .title = scene->title, .subtitle = scene->subtitle };
  Format format;

  if (!find_format (path, &format, error))
    return FALSE;
  if (options != NULL)
    page.options = *options;
  choose_graph_size (&page);
  return write_page (&page, format, path, error);
}

gboolean
goban_export_timeline (const GobanTimelineScene *scene, const GobanExportOptions *options,
                       const char *path, GError **error)
{
  Page page = { .timeline = scene, .title = scene->title, .subtitle = scene->subtitle };
  Format format;

  if (!find_format (path, &format, error))
    return FALSE;
  if (options != NULL)
    page.options = *options;
  choose_timeline_size (&page);
  return write_page (&page, format, path, error);
}
