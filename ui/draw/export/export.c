#include "ui/draw/export/export.h"

#include "engine/core/error.h"
#include "engine/core/file.h"
#include "engine/core/quantity.h"
#include "ui/draw/export/export-page.h"
#include "ui/draw/export/painting.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>
#include <string.h>

/* Bound of an image for a vector file, which is in memory whole. */
#define MAX_IMAGE_PIXELS 120e6
#define POINTS_PER_PIXEL 0.75
/* A painting has room, and an end. */
#define MIN_PAINTING_SIDE 64.0
#define MAX_PAINTING_SIDE 10000.0
#define MAX_PAINTING_SCALE 8.0
/* No graph's plane is as large; beyond it, sizes lose their fractions. */
#define MAX_COORDINATE 1e9

typedef enum
{
  FORMAT_SVG,
  FORMAT_PNG,
  FORMAT_PDF,
} Format;

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
  goban_set_error (error, GOBAN_ERROR_UNSUPPORTED,
                   "%s: pictures are written as .svg, .png or .pdf, by the ending of their path",
                   path);
  return FALSE;
}

gboolean
goban_export_check_path (const char *path, GError **error)
{
  Format format;

  return find_format (path, &format, error);
}

gboolean
goban_export_parse_region (const char *text, GobanBox *region, GError **error)
{
  g_auto (GStrv) words = g_strsplit (text, ",", -1);
  double v[4];
  guint n = g_strv_length (words);

  for (guint i = 0; i < MIN (n, 4); i++)
    {
      if (!goban_parse_number (g_strstrip (words[i]), &v[i]) || fabs (v[i]) > MAX_COORDINATE)
        n = 0;
    }
  if (n == 4 && v[0] < v[2] && v[1] < v[3])
    {
      *region = (GobanBox){ v[0], v[1], v[2], v[3] };
      return TRUE;
    }
  goban_set_error (error, GOBAN_ERROR_INVALID,
                   "“%s” is not a region: X0,Y0,X1,Y1, with X0 < X1 and Y0 < Y1, none beyond 1e9",
                   text);
  return FALSE;
}

/* --- ids of SVG ------------------------------------------------------------------------------- */

/* Text that cairo writes before such a number, and whether images or surfaces are counted. No
 * image's data contains a quote or a sharp. */
static const struct
{
  const char *word;
  guint kind;
} words[] = { { "surface", 0 }, { "\"image", 1 }, { "#image", 1 } };

/* The first of the words from @at on; NULL if there is none. */
static const guint8 *
find_word (const guint8 *at, const guint8 *end, guint *which)
{
  const guint8 *first = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      const guint8 *found = memmem (at, (gsize) ((first != NULL ? first : end) - at), words[i].word,
                                    strlen (words[i].word));

      if (found == NULL)
        continue;
      first = found;
      *which = i;
    }
  return first;
}

/* cairo numbers surfaces and images through the whole process, as in id="surface5". Renumbers them
 * in the order in which they appear, so that equal pictures are equal files. (transfer full) */
static GByteArray *
renumber (const GByteArray *svg)
{
  GByteArray *out = g_byte_array_sized_new (svg->len);
  g_autoptr (GHashTable) surfaces = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) images = g_hash_table_new (NULL, NULL);
  GHashTable *const numbers[] = { surfaces, images };
  const guint8 *at = svg->data;
  const guint8 *end = svg->data + svg->len;

  while (at < end)
    {
      guint which = 0;
      const guint8 *found = find_word (at, end, &which);
      const guint8 *digits = found != NULL ? found + strlen (words[which].word) : end;
      GHashTable *known = numbers[words[which].kind];
      guint64 number = 0;
      gpointer is;
      char text[24];

      g_byte_array_append (out, at, (guint) (digits - at));
      for (at = digits; at < end && g_ascii_isdigit (*at); at++)
        number = number * 10 + (*at - '0');
      if (at == digits)
        continue;
      is = g_hash_table_lookup (known, GSIZE_TO_POINTER (number + 1));
      if (is == NULL)
        {
          is = GUINT_TO_POINTER (g_hash_table_size (known) + 1);
          g_hash_table_insert (known, GSIZE_TO_POINTER (number + 1), is);
        }
      g_snprintf (text, sizeof text, "%u", GPOINTER_TO_UINT (is));
      g_byte_array_append (out, (const guint8 *) text, (guint) strlen (text));
    }
  return out;
}

/* --- vector files --------------------------------------------------------------------------- */

/* A picture of @width x @height pixels. */
typedef struct
{
  void (*draw) (gconstpointer data, cairo_t *cr);
  gconstpointer data;
  double width;
  double height;
  const GobanProgress *progress; /* (nullable): checked once it is drawn */
} Vectors;

static cairo_status_t
append_cb (void *closure, const unsigned char *data, unsigned int length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

static gboolean
fail (cairo_status_t status, const char *path, GError **error)
{
  return goban_refuse (error, GOBAN_ERROR_IO, "%s: the picture cannot be drawn: %s", path,
                       cairo_status_to_string (status));
}

static gboolean
write_vectors (const Vectors *self, Format format, const char *path, GError **error)
{
  double unit = format == FORMAT_PDF ? POINTS_PER_PIXEL : 1;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  cairo_surface_t *surface
      = format == FORMAT_PDF
            ? cairo_pdf_surface_create_for_stream (append_cb, bytes, self->width * unit,
                                                   self->height * unit)
            : cairo_svg_surface_create_for_stream (append_cb, bytes, self->width, self->height);
  cairo_t *cr = cairo_create (surface);
  cairo_status_t status;

  if (format == FORMAT_SVG)
    cairo_svg_surface_set_document_unit (surface, CAIRO_SVG_UNIT_PX);
  cairo_scale (cr, unit, unit);
  self->draw (self->data, cr);
  status = cairo_status (cr);
  cairo_destroy (cr);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  if (status != CAIRO_STATUS_SUCCESS)
    return fail (status, path, error);
  if (!goban_progress_check (self->progress, error))
    return FALSE;
  if (format == FORMAT_SVG)
    {
      GByteArray *renumbered = renumber (bytes);

      g_byte_array_unref (g_steal_pointer (&bytes));
      bytes = renumbered;
    }
  return goban_file_write (path, (const char *) bytes->data, bytes->len, error);
}

/* --- pages ------------------------------------------------------------------------------------ */

/* Pixels of the content, for a file that would have too many paths. */
static cairo_surface_t *
render_content (const GobanPage *page, GobanTextCache *text)
{
  GobanBox box = goban_page_get_box (page, GOBAN_PAGE_CONTENT);
  cairo_surface_t *image = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) (box.x1 - box.x0),
                                                       (int) (box.y1 - box.y0));
  g_autoptr (GobanPen) pen = NULL;

  if (cairo_surface_status (image) != CAIRO_STATUS_SUCCESS)
    return image;
  pen = goban_pen_new_for_image (image, text);
  goban_page_paint (page, GOBAN_PAGE_CONTENT, pen);
  return image;
}

static void
draw_part (const GobanPage *page, GobanPagePart part, GobanBox box, cairo_t *cr,
           GobanTextCache *text)
{
  double width = box.x1 - box.x0;
  double height = box.y1 - box.y0;
  g_autoptr (GobanPen) pen = goban_pen_new_for_cairo (cr, width, height, text);

  if (page->options.is_transparent)
    goban_pen_set_backdrop (pen, GOBAN_BACKDROP_NONE);
  if (part != GOBAN_PAGE_FRAME)
    {
      cairo_rectangle (cr, 0, 0, width, height);
      cairo_clip (cr);
    }
  goban_page_paint (page, part, pen);
}

static void
draw_page (gconstpointer data, cairo_t *cr)
{
  const GobanPage *page = data;
  g_autoptr (GobanTextCache) text = goban_text_cache_new ();

  for (GobanPagePart part = 0; part < GOBAN_N_PAGE_PARTS; part++)
    {
      GobanBox box = goban_page_get_box (page, part);

      if (box.x1 <= box.x0)
        continue;
      cairo_save (cr);
      cairo_translate (cr, box.x0, box.y0);
      if (part == GOBAN_PAGE_CONTENT && goban_page_is_too_large_for_paths (page))
        {
          cairo_surface_t *image = render_content (page, text);

          cairo_set_source_surface (cr, image, 0, 0);
          cairo_paint (cr);
          cairo_surface_destroy (image);
        }
      else
        draw_part (page, part, box, cr, text);
      cairo_restore (cr);
    }
}

static gboolean
check_page_size (const GobanPage *page, Format format, const char *path, GError **error)
{
  gboolean fits = page->width >= 16 && page->height >= 16 && page->width <= GOBAN_MAX_EXPORT_SIDE
                  && page->height <= GOBAN_MAX_EXPORT_SIDE;

  if (!fits)
    return goban_refuse (
        error, GOBAN_ERROR_INVALID,
        "%s: a picture of %.0f x %.0f pixels cannot be written; each side may have 16 to "
        "%.0f pixels",
        path, page->width, page->height, GOBAN_MAX_EXPORT_SIDE);
  if (format == FORMAT_PNG || page->width * page->height <= MAX_IMAGE_PIXELS
      || !goban_page_is_too_large_for_paths (page))
    return TRUE;
  return goban_refuse (
      error, GOBAN_ERROR_INVALID,
      "%s: so much would be an image within the file, and one of %.0f x %.0f pixels is too "
      "large for that; write a .png, or a part of it",
      path, page->width, page->height);
}

static gboolean
write_page (GobanPage *page, const GobanExportOptions *options, const char *path, GError **error)
{
  Format format;

  if (!find_format (path, &format, error))
    return FALSE;
  if (options != NULL)
    page->options = *options;
  goban_page_lay_out (page);
  if (!check_page_size (page, format, path, error))
    return FALSE;
  return format == FORMAT_PNG ? goban_page_write_png (page, path, error)
                              : write_vectors (&(Vectors){ draw_page, page, page->width,
                                                           page->height, page->options.progress },
                                               format, path, error);
}

gboolean
goban_export_graph (const GobanGraphScene *scene, const GobanLayout *layout,
                    const GobanExportOptions *options, const char *path, GError **error)
{
  GobanPage page
      = { .graph = scene, .layout = layout, .title = scene->title, .subtitle = scene->subtitle };

  return write_page (&page, options, path, error);
}

gboolean
goban_export_timeline (const GobanTimelineScene *scene, const GobanExportOptions *options,
                       const char *path, GError **error)
{
  GobanPage page = { .timeline = scene, .title = scene->title, .subtitle = scene->subtitle };

  return write_page (&page, options, path, error);
}

/* --- images ----------------------------------------------------------------------------------- */

static cairo_surface_t *
draw_image (GobanPage *page, const GobanExportOptions *options)
{
  g_autoptr (GobanTextCache) text = goban_text_cache_new ();
  cairo_surface_t *image;

  page->options = *options;
  goban_page_lay_out (page);
  image = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) page->width, (int) page->height);
  if (cairo_surface_status (image) == CAIRO_STATUS_SUCCESS)
    goban_page_paint_tile (page, text, GOBAN_BACKDROP_OWN, (GobanPoint){ 0, 0 }, image);
  cairo_surface_flush (image);
  return image;
}

cairo_surface_t *
goban_export_graph_image (const GobanGraphScene *scene, const GobanLayout *layout,
                          const GobanExportOptions *options)
{
  GobanPage page
      = { .graph = scene, .layout = layout, .title = scene->title, .subtitle = scene->subtitle };

  return draw_image (&page, options);
}

cairo_surface_t *
goban_export_timeline_image (const GobanTimelineScene *scene, const GobanExportOptions *options)
{
  GobanPage page = { .timeline = scene, .title = scene->title, .subtitle = scene->subtitle };

  return draw_image (&page, options);
}

/* --- pictures of other painters --------------------------------------------------------------- */

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
draw_painting (gconstpointer data, cairo_t *cr)
{
  const GobanPainting *self = data;
  g_autoptr (GobanTextCache) text = goban_text_cache_new ();
  g_autoptr (GobanPen) pen = NULL;
  cairo_surface_t *image;

  /* cairo would write the creation time; an invalid date is left out. */
  if (cairo_surface_get_type (cairo_get_target (cr)) == CAIRO_SURFACE_TYPE_PDF)
    cairo_pdf_surface_set_metadata (cairo_get_target (cr), CAIRO_PDF_METADATA_CREATE_DATE, "none");
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

/* Sizes at which a picture has room, and an end. */
static gboolean
check_painting_size (const GobanPainting *self, const char *path, GError **error)
{
  if (self->width >= MIN_PAINTING_SIDE && self->height >= MIN_PAINTING_SIDE
      && self->width <= MAX_PAINTING_SIDE && self->height <= MAX_PAINTING_SIDE
      && self->scale <= MAX_PAINTING_SCALE)
    return TRUE;
  return goban_refuse (error, GOBAN_ERROR_INVALID,
                       "%s: a picture has sides of %.0f to %.0f pixels and a scale of at most %.0f",
                       path, MIN_PAINTING_SIDE, MAX_PAINTING_SIDE, MAX_PAINTING_SCALE);
}

static gboolean
write_image (const GobanPainting *self, const char *path, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  cairo_surface_t *image = goban_painting_draw (self);
  cairo_status_t status = cairo_surface_write_to_png_stream (image, append_cb, bytes);

  cairo_surface_destroy (image);
  return status == CAIRO_STATUS_SUCCESS
             ? goban_file_write (path, (const char *) bytes->data, bytes->len, error)
             : fail (status, path, error);
}

gboolean
goban_painting_write (const GobanPainting *self, const char *path, GError **error)
{
  Format format;

  if (!find_format (path, &format, error) || !check_painting_size (self, path, error))
    return FALSE;
  return format == FORMAT_PNG
             ? write_image (self, path, error)
             : write_vectors (&(Vectors){ draw_painting, self, self->width, self->height, NULL },
                              format, path, error);
}
