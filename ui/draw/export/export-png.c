#include "ui/draw/export/export-png.h"

#include "engine/core/error.h"
#include "engine/core/file-stream.h"

#include <png.h>
#include <string.h>

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
