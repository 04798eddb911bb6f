#include "ui/draw/export/export-page.h"

#include "engine/core/error.h"
#include "engine/core/file-stream.h"
#include "ui/draw/charts/histogram.h"
#include "ui/draw/graph/graph-paint.h"
#include "ui/draw/graph/graph-painter.h"

#include <math.h>
#include <png.h>
#include <string.h>

#define MARGIN 24.0
#define TITLE_H 58.0
#define LEGEND_GAP 14.0
/* A graph is drawn at its natural size until it has this width or height, then smaller. */
#define USUAL_SIDE 4000.0
/* Width of a timeline, and of a part of a graph. */
#define USUAL_W 1600.0
#define LEAST_W 480.0
#define HISTOGRAM_W 320.0
/* Small graphs in large pictures are enlarged until a node is this much larger than it is by
 * nature. */
#define MOST_ENLARGED 8.0

static double
margin (const GobanPage *self)
{
  return floor (MARGIN * self->scale);
}

static double
gap (const GobanPage *self)
{
  return floor (LEGEND_GAP * self->scale);
}

static double
title_height (const GobanPage *self)
{
  return floor (TITLE_H * self->ui);
}

static gboolean
has_histogram (const GobanPage *self)
{
  return self->options.has_histogram && self->graph != NULL && self->graph->values != NULL
         && goban_graph_shown_fill (self->graph, self->options.fill) == GOBAN_FILL_METRIC;
}

static GobanGraphStyle
graph_style (const GobanPage *self)
{
  return (GobanGraphStyle){ .theme = self->options.theme,
                            .fill = self->options.fill,
                            .show_critical = self->options.show_critical,
                            .ui_scale = self->ui };
}

static GobanTimelineStyle
timeline_style (const GobanPage *self)
{
  return (GobanTimelineStyle){ .theme = self->options.theme,
                               .fill = self->options.fill,
                               .show_critical = self->options.show_critical,
                               .ui_scale = self->ui };
}

/* --- sizes ---------------------------------------------------------------------------------- */

static double
histogram_width (const GobanPage *self)
{
  return has_histogram (self) ? floor (HISTOGRAM_W * self->ui) : 0;
}

/* The legend's share of the width of a page. */
static GobanBox
legend_area (const GobanPage *self, double width)
{
  double left = margin (self);
  double right = MAX (width - left, left + 200 * self->scale);

  if (has_histogram (self))
    right = MAX (right - histogram_width (self) - 2 * gap (self), left + 200 * self->scale);
  return (GobanBox){ left, 0, right, 0 };
}

static double
legend_height (const GobanPage *self, double width)
{
  cairo_surface_t *none = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 1, 1);
  g_autoptr (GobanTextCache) text = goban_text_cache_new ();
  g_autoptr (GobanPen) pen = goban_pen_new_for_image (none, text);
  GobanGraphStyle style = graph_style (self);
  double height;

  cairo_surface_destroy (none);
  height = goban_graph_legend (self->graph, &style, pen, legend_area (self, width), FALSE);
  return ceil (MAX (height, has_histogram (self) ? floor (GOBAN_HISTOGRAM_HEIGHT * self->ui) : 0));
}

/* The part of the world that is shown. */
static GobanBox
shown_world (const GobanPage *self)
{
  GobanBox region = self->options.region;

  return region.x1 > region.x0 && region.y1 > region.y0 ? region : self->layout->bounds;
}

static gboolean
shows_part (const GobanPage *self)
{
  return self->options.region.x1 > self->options.region.x0;
}

/* Pixels per unit of the world, if no size is given. */
static double
natural_scale (const GobanPage *self, double w, double h)
{
  if (shows_part (self))
    return self->scale * MIN (MOST_ENLARGED, USUAL_W / w);
  return self->scale * MIN (1, USUAL_SIDE / MAX (w, h));
}

static void
lay_out_graph (GobanPage *self)
{
  GobanBox world = shown_world (self);
  double w = MAX (world.x1 - world.x0, 1);
  double h = MAX (world.y1 - world.y0, 1);
  double scale = natural_scale (self, w, h);
  double least = LEAST_W * self->scale;

  self->width = floor (self->options.width);
  self->height = floor (self->options.height);
  if (self->width <= 0)
    self->width = self->height > 0 ? MAX (floor (self->height * w / h), least)
                                   : MAX (ceil (w * scale) + 2 * margin (self), least);
  else
    scale = MOST_ENLARGED * self->scale;
  self->ui = self->scale * CLAMP (self->width / self->scale / 2000, 1, 3);
  self->legend_h = legend_height (self, self->width);
  if (self->height <= 0)
    self->height = ceil (MIN (scale, (self->width - 2 * margin (self)) / w) * h)
                   + title_height (self) + 2 * gap (self) + self->legend_h + margin (self);
}

static void
lay_out_timeline (GobanPage *self)
{
  GobanTimelineStyle style;

  self->ui = self->scale;
  style = timeline_style (self);
  self->width
      = self->options.width > 0 ? floor (self->options.width) : floor (USUAL_W * self->scale);
  self->height = floor (self->options.height);
  if (self->height <= 0)
    self->height = ceil (goban_timeline_height (self->timeline, &style)) + title_height (self)
                   + margin (self);
}

void
goban_page_lay_out (GobanPage *self)
{
  self->scale = self->options.scale > 0 ? self->options.scale : 1;
  if (self->graph != NULL)
    lay_out_graph (self);
  else
    lay_out_timeline (self);
}

static GobanBox
content_box (const GobanPage *self)
{
  GobanBox box = { margin (self), title_height (self), self->width - margin (self),
                   self->height - margin (self) };

  if (self->graph != NULL)
    box.y1 -= self->legend_h + 2 * gap (self) - margin (self);
  else
    box.x0 = 0;
  return (GobanBox){ box.x0, box.y0, floor (MAX (box.x1, box.x0 + 1)),
                     floor (MAX (box.y1, box.y0 + 1)) };
}

static GobanBox
histogram_box (const GobanPage *self)
{
  double x1 = self->width - margin (self);
  double y0 = floor (self->height - gap (self) - self->legend_h);

  if (!has_histogram (self))
    return (GobanBox){ 0, 0, 0, 0 };
  return (GobanBox){ x1 - histogram_width (self), y0, x1,
                     y0 + floor (GOBAN_HISTOGRAM_HEIGHT * self->ui) };
}

GobanBox
goban_page_get_box (const GobanPage *self, GobanPagePart part)
{
  switch (part)
    {
    case GOBAN_PAGE_CONTENT:
      return content_box (self);
    case GOBAN_PAGE_HISTOGRAM:
      return histogram_box (self);
    default:
      return (GobanBox){ 0, 0, self->width, self->height };
    }
}

/* --- painting ------------------------------------------------------------------------------- */

static GobanGraphPicture
graph_picture (const GobanPage *self, double width, double height)
{
  gboolean may_grow = self->options.width > 0 || self->options.height > 0 || shows_part (self);
  double most = self->scale * (may_grow ? MOST_ENLARGED : 1);

  return (GobanGraphPicture){ .scene = self->graph,
                              .layout = self->layout,
                              .camera
                              = goban_camera_fit (shown_world (self), width, height, 0, most),
                              .style = graph_style (self) };
}

static GobanTimelinePicture
timeline_picture (const GobanPage *self, double width)
{
  GobanTimelineStyle style = timeline_style (self);
  double from = self->options.from_us;
  double to = self->options.to_us > from ? self->options.to_us : self->timeline->end_us;
  double lanes_w = goban_timeline_lanes_width (&style, width);

  return (GobanTimelinePicture){ .scene = self->timeline,
                                 .camera = goban_time_camera_fit (from, to, lanes_w),
                                 .style = style };
}

static void
paint_content (const GobanPage *self, GobanPen *pen)
{
  double width = goban_pen_get_width (pen);

  if (self->graph != NULL)
    {
      GobanGraphPicture picture = graph_picture (self, width, goban_pen_get_height (pen));

      goban_graph_paint (&picture, pen);
    }
  else
    {
      GobanTimelinePicture picture = timeline_picture (self, width);

      goban_timeline_paint (&picture, pen);
    }
}

gboolean
goban_page_is_too_large_for_paths (const GobanPage *self)
{
  const GobanLayout *layout = self->layout;
  GobanBox world;
  guint n = 0;

  if (self->graph == NULL)
    return FALSE;
  if (self->graph->n_nodes + self->graph->n_edges <= GOBAN_MAX_VECTOR_ELEMENTS)
    return FALSE;

  world = shown_world (self);
  for (guint v = 0; v < layout->n_nodes; v++)
    n += goban_box_intersects (goban_layout_node_box (layout, v), world);
  for (guint e = 0; e < layout->n_edges; e++)
    {
      const float *box = layout->routes.boxes + 4 * (gsize) e;

      n += goban_box_intersects (
          (GobanBox){ (double) box[0], (double) box[1], (double) box[2], (double) box[3] }, world);
    }
  return n > GOBAN_MAX_VECTOR_ELEMENTS;
}

static void
paint_title (const GobanPage *self, GobanPen *pen)
{
  const GobanColours *colours = goban_palette_get (self->options.theme);
  GobanTextStyle title = { 17 * self->ui, TRUE, GOBAN_ALIGN_LEFT, colours->ink };
  GobanTextStyle subtitle = { 12 * self->ui, FALSE, GOBAN_ALIGN_LEFT, colours->muted };
  double room = self->width - 2 * margin (self);

  goban_pen_text (pen, self->title, (GobanPoint){ margin (self), 22 * self->ui }, room, &title);
  goban_pen_text (pen, self->subtitle, (GobanPoint){ margin (self), 42 * self->ui }, room,
                  &subtitle);
}

static void
paint_legend (const GobanPage *self, GobanPen *pen)
{
  GobanGraphStyle style = graph_style (self);
  GobanBox area = legend_area (self, self->width);

  area.y0 = self->height - gap (self) - self->legend_h;
  area.y1 = self->height;
  goban_graph_legend (self->graph, &style, pen, area, TRUE);
}

/* Far from the clip there is nothing to be measured and laid out. */
static void
paint_frame (const GobanPage *self, GobanPen *pen)
{
  GobanBox clip = goban_pen_get_clip (pen);

  goban_pen_backdrop (pen, (GobanBox){ 0, 0, self->width, self->height },
                      goban_palette_get (self->options.theme)->canvas);
  if (clip.y0 <= title_height (self))
    paint_title (self, pen);
  if (self->graph != NULL && clip.y1 >= self->height - gap (self) - self->legend_h)
    paint_legend (self, pen);
}

static void
paint_histogram (const GobanPage *self, GobanPen *pen)
{
  GobanHistogram histogram = { .theme = self->options.theme, .ui_scale = self->ui };

  goban_histogram_count (&histogram, self->graph->values, NULL);
  goban_histogram_paint (&histogram, pen);
}

void
goban_page_paint (const GobanPage *self, GobanPagePart part, GobanPen *pen)
{
  switch (part)
    {
    case GOBAN_PAGE_CONTENT:
      paint_content (self, pen);
      break;
    case GOBAN_PAGE_HISTOGRAM:
      paint_histogram (self, pen);
      break;
    default:
      paint_frame (self, pen);
      break;
    }
}

/* --- PNG -------------------------------------------------------------------------------------- */

#define TILE_W 4096
#define TILE_H 512
#define BAND_BYTES (64 << 20)
/* Pictures of areas and letters: a higher level takes twice the time and saves a twentieth. */
#define COMPRESSION 6

typedef struct
{
  const GobanPage *page;
  GobanFileStream *stream;
  GobanTextCache *text;
  GError *error; /* the first thing that went wrong */
  png_structp png;
  png_infop info;
  int width;
  int height;
  int band_h;
  guint8 *band; /* rows of RGB or RGBA */
  gsize row_bytes;
  cairo_surface_t *tile;
  cairo_surface_t *over_white; /* (nullable): the same tile, to see what shines through */
} Writer;

/* --- tiles ---------------------------------------------------------------------------------- */

void
goban_page_paint_tile (const GobanPage *page, GobanTextCache *text, GobanBackdrop backdrop,
                       GobanPoint from, cairo_surface_t *surface)
{
  GobanBox seen = { from.x, from.y, from.x + cairo_image_surface_get_width (surface),
                    from.y + cairo_image_surface_get_height (surface) };

  for (GobanPagePart part = 0; part < GOBAN_N_PAGE_PARTS; part++)
    {
      GobanBox box = goban_page_get_box (page, part);
      g_autoptr (GobanPen) pen = NULL;

      if (box.x1 <= box.x0 || !goban_box_intersects (seen, box))
        continue;
      pen = goban_pen_new_for_tile (surface, (GobanPoint){ from.x - box.x0, from.y - box.y0 },
                                    box.x1 - box.x0, box.y1 - box.y0, text);
      goban_pen_set_backdrop (pen, backdrop);
      goban_page_paint (page, part, pen);
    }
}

static const guint32 *
row_of (cairo_surface_t *tile, int y)
{
  const guint8 *data = cairo_image_surface_get_data (tile);

  return (const guint32 *) (gconstpointer) (data
                                            + (gsize) y * cairo_image_surface_get_stride (tile));
}

static void
copy_opaque (guint8 *to, const guint32 *from, int n)
{
  for (int i = 0; i < n; i++, to += 3)
    {
      to[0] = (guint8) (from[i] >> 16);
      to[1] = (guint8) (from[i] >> 8);
      to[2] = (guint8) from[i];
    }
}

/* A pixel that is the same over black and over white is opaque; one that differs by the full range
 * is transparent. Over black a colour appears as itself times its opacity. */
static void
copy_transparent (guint8 *to, const guint32 *black, const guint32 *white, int n)
{
  for (int i = 0; i < n; i++, to += 4)
    {
      int shines = 0;
      int opaque;

      for (int shift = 0; shift <= 16; shift += 8)
        shines = MAX (shines, (int) (white[i] >> shift & 0xff) - (int) (black[i] >> shift & 0xff));
      opaque = 255 - shines;
      for (int c = 0; c < 3; c++)
        {
          int part = (int) (black[i] >> (16 - 8 * c) & 0xff);

          to[c] = opaque > 0 ? (guint8) MIN ((part * 255 + opaque / 2) / opaque, 255) : 0;
        }
      to[3] = (guint8) opaque;
    }
}

static void
take_tile (Writer *self, int x, int n_rows)
{
  int n = MIN (TILE_W, self->width - x);
  gsize step = self->over_white != NULL ? 4 : 3;

  cairo_surface_flush (self->tile);
  for (int y = 0; y < n_rows; y++)
    {
      guint8 *to = self->band + (gsize) y * self->row_bytes + (gsize) x * step;

      if (self->over_white != NULL)
        copy_transparent (to, row_of (self->tile, y), row_of (self->over_white, y), n);
      else
        copy_opaque (to, row_of (self->tile, y), n);
    }
}

static gboolean
paint_band (Writer *self, int y)
{
  const GobanProgress *progress = self->page->options.progress;
  int n_rows = MIN (self->band_h, self->height - y);

  for (int x = 0; x < self->width; x += TILE_W)
    {
      GobanPoint from = { x, y };

      if (!goban_progress_check (progress, &self->error))
        return FALSE;
      goban_progress_step (progress, (y + (double) n_rows * x / self->width) / self->height,
                           "painting");
      if (self->over_white != NULL)
        {
          goban_page_paint_tile (self->page, self->text, GOBAN_BACKDROP_BLACK, from, self->tile);
          goban_page_paint_tile (self->page, self->text, GOBAN_BACKDROP_WHITE, from,
                                 self->over_white);
          cairo_surface_flush (self->over_white);
        }
      else
        goban_page_paint_tile (self->page, self->text, GOBAN_BACKDROP_OWN, from, self->tile);
      take_tile (self, x, n_rows);
    }
  return TRUE;
}

/* --- the file ------------------------------------------------------------------------------- */

/* libpng leaves by longjmp() from here, to write_rows(), which owns nothing. */
static void
write_cb (png_structp png, png_bytep data, png_size_t size)
{
  Writer *self = png_get_io_ptr (png);

  if (!goban_file_stream_write (self->stream, data, size, &self->error))
    png_error (png, "write");
}

static void
flush_cb (png_structp png)
{
}

static void
error_cb (png_structp png, png_const_charp message)
{
  Writer *self = png_get_error_ptr (png);

  if (self->error == NULL)
    self->error
        = g_error_new (GOBAN_ERROR, GOBAN_ERROR_IO, "the picture cannot be written: %s", message);
  png_longjmp (png, 1);
}

static void
warning_cb (png_structp png, png_const_charp message)
{
  g_debug ("libpng: %s", message);
}

static gboolean
write_rows (Writer *self)
{
  if (setjmp (png_jmpbuf (self->png)) != 0)
    return FALSE;

  png_set_write_fn (self->png, self, write_cb, flush_cb);
  png_set_user_limits (self->png, (guint32) GOBAN_MAX_EXPORT_SIDE, (guint32) GOBAN_MAX_EXPORT_SIDE);
  png_set_compression_level (self->png, COMPRESSION);
  png_set_filter (self->png, PNG_FILTER_TYPE_BASE,
                  PNG_FILTER_NONE | PNG_FILTER_SUB | PNG_FILTER_UP);
  png_set_IHDR (self->png, self->info, (guint32) self->width, (guint32) self->height, 8,
                self->over_white != NULL ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB,
                PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info (self->png, self->info);
  for (int y = 0; y < self->height; y += self->band_h)
    {
      if (!paint_band (self, y))
        return FALSE;
      for (int j = 0; j < MIN (self->band_h, self->height - y); j++)
        png_write_row (self->png, self->band + (gsize) j * self->row_bytes);
    }
  png_write_end (self->png, self->info);
  return TRUE;
}

static cairo_surface_t *
new_tile (const Writer *self)
{
  return cairo_image_surface_create (CAIRO_FORMAT_RGB24, MIN (TILE_W, self->width), self->band_h);
}

static void
writer_start (Writer *self, const GobanPage *page)
{
  gboolean is_transparent = page->options.is_transparent;

  self->page = page;
  self->width = (int) page->width;
  self->height = (int) page->height;
  self->row_bytes = (gsize) self->width * (is_transparent ? 4 : 3);
  self->band_h = CLAMP ((int) (BAND_BYTES / self->row_bytes), 1, TILE_H);
  self->band_h = MIN (self->band_h, self->height);
  self->band = g_malloc (self->row_bytes * (gsize) self->band_h);
  self->text = goban_text_cache_new ();
  self->tile = new_tile (self);
  self->over_white = is_transparent ? new_tile (self) : NULL;
  self->png = png_create_write_struct (PNG_LIBPNG_VER_STRING, self, error_cb, warning_cb);
  self->info = png_create_info_struct (self->png);
}

static void
writer_clear (Writer *self)
{
  png_destroy_write_struct (&self->png, &self->info);
  cairo_surface_destroy (self->tile);
  g_clear_pointer (&self->over_white, cairo_surface_destroy);
  goban_text_cache_free (self->text);
  g_free (self->band);
}

gboolean
goban_page_write_png (const GobanPage *page, const char *path, GError **error)
{
  g_autoptr (GobanFileStream) stream = goban_file_stream_new (path, error);
  Writer writer = { .stream = stream };
  gboolean is_written;

  if (stream == NULL)
    return FALSE;

  writer_start (&writer, page);
  is_written = write_rows (&writer);
  writer_clear (&writer);
  if (!is_written)
    {
      g_propagate_error (error, writer.error);
      return FALSE;
    }
  return goban_file_stream_commit (stream, error);
}
