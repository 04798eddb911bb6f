#include "ui/draw/pen.h"

#include "ui/draw/shorten.h"

#include <math.h>
#include <pango/pangocairo.h>
#include <string.h>

/* A screenful of labels a few times over; then the cache starts afresh. */
#define MAX_LAYOUTS 4096
/* Wider than any surface, and no overflow in Pango's units. */
#define MAX_WIDTH 100000
/* Characters of a text of any width: more than fit across a screen. */
#define MAX_UNLIMITED 1024

/* --- cached text ------------------------------------------------------------------------------ */

typedef struct
{
  char *text;   /* at most as much as can be shown */
  gsize length; /* of the whole text in bytes */
  int half_px;  /* size of the font in half pixels */
  int width;    /* 0: unlimited */
  gboolean bold;
} Key;

typedef struct
{
  Key key;
  PangoLayout *layout;
  double x;      /* of the ink's line box within the layout */
  double width;  /* as laid out, ellipsis included */
  double middle; /* from the layout's top to the middle of the line */
} Entry;

struct _GobanTextCache
{
  PangoContext *context;
  GHashTable *entries; /* Entry, keyed by itself */
};

static guint
hash_entry (gconstpointer p)
{
  const Key *key = p;

  return g_str_hash (key->text) ^ (guint) key->length ^ (guint) key->half_px << 20
         ^ (guint) key->width << 4 ^ (guint) key->bold;
}

static gboolean
equal_entries (gconstpointer pa, gconstpointer pb)
{
  const Key *a = pa;
  const Key *b = pb;

  return a->half_px == b->half_px && a->width == b->width && a->bold == b->bold
         && a->length == b->length && g_str_equal (a->text, b->text);
}

static void
free_entry (gpointer p)
{
  Entry *entry = p;

  g_free (entry->key.text);
  g_object_unref (entry->layout);
  g_free (entry);
}

GobanTextCache *
goban_text_cache_new (void)
{
  GobanTextCache *self = g_new0 (GobanTextCache, 1);
  cairo_font_options_t *options = cairo_font_options_create ();

  self->context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  /* Unhinted grey text keeps its proportions at every zoom and in vector files. */
  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  pango_cairo_context_set_font_options (self->context, options);
  pango_cairo_context_set_resolution (self->context, 72);
  cairo_font_options_destroy (options);
  self->entries = g_hash_table_new_full (hash_entry, equal_entries, NULL, free_entry);
  return self;
}

void
goban_text_cache_free (GobanTextCache *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->entries);
  g_object_unref (self->context);
  g_free (self);
}

static Entry *
shape (GobanTextCache *self, const Key *key)
{
  Entry *entry = g_new0 (Entry, 1);
  PangoFontDescription *font = pango_font_description_from_string ("Sans");
  PangoRectangle line;

  entry->key = *key;
  entry->key.text = g_strdup (key->text);
  entry->layout = pango_layout_new (self->context);
  pango_font_description_set_absolute_size (font, key->half_px * 0.5 * PANGO_SCALE);
  pango_font_description_set_weight (font, key->bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
  pango_layout_set_font_description (entry->layout, font);
  pango_font_description_free (font);
  pango_layout_set_single_paragraph_mode (entry->layout, TRUE);
  if (key->width > 0)
    goban_shorten_layout (entry->layout, key->text, GOBAN_KEEP_START, key->width);
  else
    {
      g_autofree char *valid = g_utf8_make_valid (key->text, -1);

      pango_layout_set_text (entry->layout, valid, -1);
    }
  pango_layout_get_extents (entry->layout, NULL, &line);
  entry->x = line.x / (double) PANGO_SCALE;
  entry->width = line.width / (double) PANGO_SCALE;
  entry->middle = (line.y + line.height / 2.0) / PANGO_SCALE;
  return entry;
}

static Entry *
find_key (GobanTextCache *self, const Key *key)
{
  Entry *entry = g_hash_table_lookup (self->entries, key);

  if (entry != NULL)
    return entry;
  if (g_hash_table_size (self->entries) >= MAX_LAYOUTS)
    g_hash_table_remove_all (self->entries);
  entry = shape (self, key);
  g_hash_table_add (self->entries, entry);
  return entry;
}

static Entry *
find (GobanTextCache *self, const char *text, double width, const GobanTextStyle *style)
{
  Key key = { (char *) text, strlen (text), (int) CLAMP (style->size_px * 2 + 0.5, 2, 2000),
              (int) CLAMP (width, 0, MAX_WIDTH), style->bold };
  /* Twice, so that what remains does not fit. */
  gsize max_chars
      = key.width > 0 ? 2 * goban_count_shown_chars (key.width, key.half_px * 0.5) : MAX_UNLIMITED;
  g_autofree char *part = NULL;

  if (key.length > max_chars)
    key.text = part = goban_cut_long (text, GOBAN_KEEP_START, max_chars);
  return find_key (self, &key);
}

/* Draws one line of @text, shortened with an ellipsis where it exceeds @width (0: as long as it
 * is, up to a thousand characters), with the middle of the line at @y and aligned between @x and @x
 * + @width. */
static void
draw_text (GobanTextCache *self, cairo_t *cr, const char *text, double x, double y, double width,
           const GobanTextStyle *style)
{
  Entry *entry = find (self, text, width, style);

  if (style->align == GOBAN_ALIGN_CENTRE)
    x += (width - entry->width) / 2;
  else if (style->align == GOBAN_ALIGN_RIGHT)
    x += width - entry->width;
  cairo_set_source_rgb (cr, (style->rgb >> 16 & 0xff) / 255.0, (style->rgb >> 8 & 0xff) / 255.0,
                        (style->rgb & 0xff) / 255.0);
  /* Whole pixels keep the rows of a table of labels alike. */
  cairo_move_to (cr, floor (x - entry->x + 0.5), floor (y - entry->middle + 0.5));
  pango_cairo_show_layout (cr, entry->layout);
}

/* Width of the whole text in pixels, of a thousand characters at most. */
static double
measure_text (GobanTextCache *self, const char *text, const GobanTextStyle *style)
{
  return find (self, text, 0, style)->width;
}

/* --- the pen ---------------------------------------------------------------------------------- */

struct _GobanPen
{
  cairo_t *cr;
  cairo_surface_t *surface; /* NULL for a vector pen */
  gboolean is_tile;
  GobanRaster raster;
  GobanTextCache *text;
  gboolean pixels_changed; /* behind cairo's back */
  gboolean cairo_drew;     /* and may not have reached the pixels */
  double width;
  double height;
  GobanBox clip;
  GobanBackdrop backdrop;
};

GobanPen *
goban_pen_new_for_image (cairo_surface_t *surface, GobanTextCache *text)
{
  GobanPen *self = g_new0 (GobanPen, 1);

  self->surface = cairo_surface_reference (surface);
  self->cr = cairo_create (surface);
  self->text = text;
  goban_raster_init (&self->raster, surface, 0, 0);
  self->width = self->raster.width;
  self->height = self->raster.height;
  self->clip = (GobanBox){ 0, 0, self->width, self->height };
  return self;
}

GobanPen *
goban_pen_new_for_tile (cairo_surface_t *surface, GobanPoint from, double width, double height,
                        GobanTextCache *text)
{
  GobanPen *self = goban_pen_new_for_image (surface, text);

  goban_raster_init (&self->raster, surface, (int) from.x, (int) from.y);
  cairo_translate (self->cr, -from.x, -from.y);
  self->is_tile = TRUE;
  self->width = width;
  self->height = height;
  goban_pen_set_clip (self, (GobanBox){ 0, 0, width, height });
  return self;
}

GobanPen *
goban_pen_new_for_cairo (cairo_t *cr, double width, double height, GobanTextCache *text)
{
  GobanPen *self = g_new0 (GobanPen, 1);

  self->cr = cairo_reference (cr);
  self->text = text;
  self->width = width;
  self->height = height;
  self->clip = (GobanBox){ 0, 0, width, height };
  return self;
}

void
goban_pen_free (GobanPen *self)
{
  if (self == NULL)
    return;
  cairo_destroy (self->cr);
  if (self->surface != NULL)
    {
      cairo_surface_mark_dirty (self->surface);
      cairo_surface_destroy (self->surface);
    }
  g_free (self);
}

GobanRaster *
goban_pen_get_raster (GobanPen *self)
{
  if (self->surface == NULL)
    return NULL;
  if (self->cairo_drew)
    cairo_surface_flush (self->surface);
  self->cairo_drew = FALSE;
  self->pixels_changed = TRUE;
  return &self->raster;
}

/* The context, ready for cairo to draw over the raster's pixels. */
static cairo_t *
get_cairo (GobanPen *self)
{
  if (self->pixels_changed)
    cairo_surface_mark_dirty (self->surface);
  self->pixels_changed = FALSE;
  self->cairo_drew = TRUE;
  return self->cr;
}

double
goban_pen_get_width (const GobanPen *self)
{
  return self->width;
}

double
goban_pen_get_height (const GobanPen *self)
{
  return self->height;
}

/* Clips to the part of the picture that is on the tile's surface. */
static void
clip_to_tile (GobanPen *self)
{
  const GobanRaster *raster = &self->raster;
  GobanBox *clip = &self->clip;

  goban_raster_clip (&self->raster, (int) clip->x0, (int) clip->y0, (int) (clip->x1 - clip->x0),
                     (int) (clip->y1 - clip->y0));
  *clip = (GobanBox){ raster->x0, raster->y0, raster->x1, raster->y1 };
}

void
goban_pen_set_clip (GobanPen *self, GobanBox box)
{
  int x = (int) box.x0, width = (int) MAX (box.x1 - box.x0, 0);
  int y = (int) box.y0, height = (int) MAX (box.y1 - box.y0, 0);

  self->clip = (GobanBox){ MAX (x, 0), MAX (y, 0), MIN (x + width, self->width),
                           MIN (y + height, self->height) };
  cairo_reset_clip (self->cr);
  if (self->surface != NULL)
    clip_to_tile (self);
  /* A tile may be larger than the picture, and pixels beside the picture must not be touched. */
  if (x <= 0 && y <= 0 && x + width >= self->width && y + height >= self->height && !self->is_tile)
    return;
  cairo_rectangle (self->cr, self->clip.x0, self->clip.y0, self->clip.x1 - self->clip.x0,
                   self->clip.y1 - self->clip.y0);
  cairo_clip (self->cr);
}

GobanBox
goban_pen_get_clip (const GobanPen *self)
{
  return self->clip;
}

void
goban_pen_begin_outside (GobanPen *self, const GobanBox *boxes, guint n)
{
  cairo_t *cr = get_cairo (self);

  cairo_save (cr);
  cairo_set_fill_rule (cr, CAIRO_FILL_RULE_EVEN_ODD);
  cairo_rectangle (cr, 0, 0, self->width, self->height);
  for (guint i = 0; i < n; i++)
    cairo_rectangle (cr, boxes[i].x0, boxes[i].y0, boxes[i].x1 - boxes[i].x0,
                     boxes[i].y1 - boxes[i].y0);
  cairo_clip (cr);
  cairo_set_fill_rule (cr, CAIRO_FILL_RULE_WINDING);
}

void
goban_pen_end_outside (GobanPen *self)
{
  cairo_restore (self->cr);
}

static void
set_source (cairo_t *cr, GobanRgb rgb, guint alpha)
{
  double r = (rgb >> 16 & 0xff) / 255.0;
  double g = (rgb >> 8 & 0xff) / 255.0;
  double b = (rgb & 0xff) / 255.0;

  if (alpha >= GOBAN_OPAQUE)
    cairo_set_source_rgb (cr, r, g, b);
  else
    cairo_set_source_rgba (cr, r, g, b, alpha / (double) GOBAN_OPAQUE);
}

/* Far beyond any surface, and safe to add and subtract. */
static int
to_pixel (double v)
{
  return (int) floor (CLAMP (v, -1e8, 1e8) + 0.5);
}

void
goban_pen_rect (GobanPen *self, GobanBox box, GobanRgb rgb)
{
  goban_pen_tint (self, box, rgb, GOBAN_OPAQUE);
}

void
goban_pen_set_backdrop (GobanPen *self, GobanBackdrop backdrop)
{
  self->backdrop = backdrop;
}

void
goban_pen_backdrop (GobanPen *self, GobanBox box, GobanRgb rgb)
{
  switch (self->backdrop)
    {
    case GOBAN_BACKDROP_OWN:
      goban_pen_rect (self, box, rgb);
      break;
    case GOBAN_BACKDROP_NONE:
      break;
    case GOBAN_BACKDROP_BLACK:
      goban_pen_rect (self, box, 0x000000);
      break;
    case GOBAN_BACKDROP_WHITE:
      goban_pen_rect (self, box, 0xffffff);
      break;
    }
}

void
goban_pen_tint (GobanPen *self, GobanBox box, GobanRgb rgb, guint alpha)
{
  GobanRaster *raster = goban_pen_get_raster (self);
  cairo_t *cr;
  int x, y;

  if (raster != NULL)
    {
      x = to_pixel (box.x0);
      y = to_pixel (box.y0);
      if (alpha >= GOBAN_OPAQUE)
        goban_raster_rect (raster, x, y, to_pixel (box.x1) - x, to_pixel (box.y1) - y, rgb);
      else
        goban_raster_tint (raster, x, y, to_pixel (box.x1) - x, to_pixel (box.y1) - y, rgb, alpha);
      return;
    }
  cr = get_cairo (self);
  set_source (cr, rgb, alpha);
  cairo_rectangle (cr, box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0);
  cairo_fill (cr);
}

void
goban_pen_frame (GobanPen *self, GobanBox box, double width, GobanRgb rgb)
{
  goban_pen_rect (self, (GobanBox){ box.x0, box.y0, box.x1, box.y0 + width }, rgb);
  goban_pen_rect (self, (GobanBox){ box.x0, box.y1 - width, box.x1, box.y1 }, rgb);
  goban_pen_rect (self, (GobanBox){ box.x0, box.y0 + width, box.x0 + width, box.y1 - width }, rgb);
  goban_pen_rect (self, (GobanBox){ box.x1 - width, box.y0 + width, box.x1, box.y1 - width }, rgb);
}

static void
add_round_rect (cairo_t *cr, GobanBox box, double radius)
{
  radius = MAX (MIN (radius, MIN (box.x1 - box.x0, box.y1 - box.y0) / 2), 0);
  if (radius == 0)
    {
      cairo_rectangle (cr, box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0);
      return;
    }
  cairo_new_sub_path (cr);
  cairo_arc (cr, box.x1 - radius, box.y0 + radius, radius, -G_PI_2, 0);
  cairo_arc (cr, box.x1 - radius, box.y1 - radius, radius, 0, G_PI_2);
  cairo_arc (cr, box.x0 + radius, box.y1 - radius, radius, G_PI_2, G_PI);
  cairo_arc (cr, box.x0 + radius, box.y0 + radius, radius, G_PI, 3 * G_PI_2);
  cairo_close_path (cr);
}

#define DASH 4.0
#define DASH_GAP 3.0

void
goban_pen_dashes (GobanPen *self, GobanBox box, double scale, GobanRgb rgb)
{
  double width = MAX (floor (scale + 0.5), 1);
  double step = (DASH + DASH_GAP) * scale;

  for (double x = box.x0; x < box.x1; x += step)
    {
      double end = MIN (x + DASH * scale, box.x1);

      goban_pen_rect (self, (GobanBox){ x, box.y0, end, box.y0 + width }, rgb);
      goban_pen_rect (self, (GobanBox){ x, box.y1 - width, end, box.y1 }, rgb);
    }
  for (double y = box.y0; y < box.y1; y += step)
    {
      double end = MIN (y + DASH * scale, box.y1);

      goban_pen_rect (self, (GobanBox){ box.x0, y, box.x0 + width, end }, rgb);
      goban_pen_rect (self, (GobanBox){ box.x1 - width, y, box.x1, end }, rgb);
    }
}

void
goban_pen_round_rect (GobanPen *self, GobanBox box, double radius, GobanRgb rgb)
{
  GobanRaster *raster = goban_pen_get_raster (self);
  cairo_t *cr;
  int x, y;

  if (raster != NULL)
    {
      x = to_pixel (box.x0);
      y = to_pixel (box.y0);
      goban_raster_round_rect (raster, x, y, to_pixel (box.x1) - x, to_pixel (box.y1) - y, radius,
                               rgb);
      return;
    }
  cr = get_cairo (self);
  set_source (cr, rgb, GOBAN_OPAQUE);
  add_round_rect (cr, box, radius);
  cairo_fill (cr);
}

void
goban_pen_ring (GobanPen *self, GobanBox box, double radius, const GobanStroke *stroke)
{
  cairo_t *cr = get_cairo (self);
  double half = stroke->width / 2;

  set_source (cr, stroke->rgb, stroke->alpha);
  cairo_set_line_width (cr, stroke->width);
  add_round_rect (cr, (GobanBox){ box.x0 - half, box.y0 - half, box.x1 + half, box.y1 + half },
                  radius + half);
  cairo_stroke (cr);
}

/* The part of a line u = across the slope that lies within the box, added to the path. */
static void
add_slanted (cairo_t *cr, GobanBox box, double sum, int direction)
{
  /* Points with (x - x0) + direction' (y - y0) = sum, where a back diagonal is mirrored. */
  double w = box.x1 - box.x0;
  double h = box.y1 - box.y0;
  double from = MAX (0, sum - h);
  double to = MIN (w, sum);

  if (from >= to)
    return;
  if (direction > 0)
    {
      cairo_move_to (cr, box.x0 + from, box.y0 + sum - from);
      cairo_line_to (cr, box.x0 + to, box.y0 + sum - to);
    }
  else
    {
      cairo_move_to (cr, box.x1 - from, box.y0 + sum - from);
      cairo_line_to (cr, box.x1 - to, box.y0 + sum - to);
    }
}

static void
hatch_with_lines (cairo_t *cr, GobanBox box, GobanCue cue, double step)
{
  gboolean across = cue == GOBAN_CUE_HORIZONTAL || cue == GOBAN_CUE_GRID;
  gboolean down = cue == GOBAN_CUE_VERTICAL || cue == GOBAN_CUE_GRID;
  gboolean slash = cue == GOBAN_CUE_DIAGONAL || cue == GOBAN_CUE_CROSS;
  gboolean back = cue == GOBAN_CUE_BACK_DIAGONAL || cue == GOBAN_CUE_CROSS;

  for (double y = box.y0 + step / 2; across && y < box.y1; y += step)
    {
      cairo_move_to (cr, box.x0, y);
      cairo_line_to (cr, box.x1, y);
    }
  for (double x = box.x0 + step / 2; down && x < box.x1; x += step)
    {
      cairo_move_to (cr, x, box.y0);
      cairo_line_to (cr, x, box.y1);
    }
  for (double sum = step / 2; sum < box.x1 - box.x0 + box.y1 - box.y0; sum += step)
    {
      if (slash)
        add_slanted (cr, box, sum, 1);
      if (back)
        add_slanted (cr, box, sum, -1);
    }
  cairo_stroke (cr);
}

void
goban_pen_hatch (GobanPen *self, GobanBox box, GobanCue cue, GobanRgb rgb, double scale)
{
  GobanRaster *raster = goban_pen_get_raster (self);
  double step = 4 * scale;
  cairo_t *cr;
  int x, y;

  if (cue == GOBAN_CUE_SOLID)
    return;
  if (raster != NULL)
    {
      x = to_pixel (box.x0);
      y = to_pixel (box.y0);
      goban_raster_hatch (raster, x, y, to_pixel (box.x1) - x, to_pixel (box.y1) - y, cue, rgb,
                          (int) MAX (scale + 0.5, 1));
      return;
    }
  cr = get_cairo (self);
  set_source (cr, rgb, GOBAN_OPAQUE);
  cairo_set_line_width (cr, scale);
  if (cue != GOBAN_CUE_DOTS)
    {
      hatch_with_lines (cr, box, cue, step);
      return;
    }
  for (double v = box.y0 + step / 2; v + scale < box.y1; v += step)
    for (double u = box.x0 + step / 2; u + scale < box.x1; u += step)
      cairo_rectangle (cr, u - scale, v - scale, 2 * scale, 2 * scale);
  cairo_fill (cr);
}

void
goban_pen_thin_line (GobanPen *self, GobanPoint a, GobanPoint b, const GobanStroke *stroke)
{
  GobanRaster *raster = goban_pen_get_raster (self);

  if (raster != NULL)
    goban_raster_line (raster, a.x, a.y, b.x, b.y, stroke);
  else
    goban_pen_line (self, a, b, stroke);
}

void
goban_pen_line (GobanPen *self, GobanPoint a, GobanPoint b, const GobanStroke *stroke)
{
  GobanRaster *raster = goban_pen_get_raster (self);
  cairo_t *cr;

  if (raster != NULL)
    {
      goban_raster_smooth_line (raster, a.x, a.y, b.x, b.y, stroke);
      return;
    }
  cr = get_cairo (self);
  set_source (cr, stroke->rgb, stroke->alpha);
  cairo_set_line_width (cr, stroke->width);
  cairo_move_to (cr, a.x, a.y);
  cairo_line_to (cr, b.x, b.y);
  cairo_stroke (cr);
}

void
goban_pen_area (GobanPen *self, const GobanPoint *points, guint n, GobanRgb rgb, guint alpha)
{
  cairo_t *cr = get_cairo (self);

  set_source (cr, rgb, alpha);
  cairo_new_path (cr); /* a text leaves its place as the current point */
  for (guint i = 0; i < n; i++)
    cairo_line_to (cr, points[i].x, points[i].y);
  cairo_close_path (cr);
  cairo_fill (cr);
}

void
goban_pen_cubic (GobanPen *self, const GobanPoint p[4], const GobanStroke *stroke)
{
  GobanRaster *raster = goban_pen_get_raster (self);
  cairo_t *cr;

  if (raster != NULL)
    {
      double flat[8] = { p[0].x, p[0].y, p[1].x, p[1].y, p[2].x, p[2].y, p[3].x, p[3].y };

      goban_raster_cubic (raster, flat, stroke);
      return;
    }
  cr = get_cairo (self);
  set_source (cr, stroke->rgb, stroke->alpha);
  cairo_set_line_width (cr, stroke->width);
  cairo_move_to (cr, p[0].x, p[0].y);
  cairo_curve_to (cr, p[1].x, p[1].y, p[2].x, p[2].y, p[3].x, p[3].y);
  cairo_stroke (cr);
}

void
goban_pen_arrow (GobanPen *self, GobanPoint tip, double size, GobanRgb rgb)
{
  GobanRaster *raster = goban_pen_get_raster (self);
  double half = size * 0.45;
  cairo_t *cr;

  if (raster != NULL)
    {
      double flat[6] = { tip.x, tip.y, tip.x - half, tip.y - size, tip.x + half, tip.y - size };

      goban_raster_triangle (raster, flat, rgb);
      return;
    }
  cr = get_cairo (self);
  set_source (cr, rgb, GOBAN_OPAQUE);
  cairo_move_to (cr, tip.x, tip.y);
  cairo_line_to (cr, tip.x - half, tip.y - size);
  cairo_line_to (cr, tip.x + half, tip.y - size);
  cairo_close_path (cr);
  cairo_fill (cr);
}

void
goban_pen_text (GobanPen *self, const char *text, GobanPoint at, double width,
                const GobanTextStyle *style)
{
  draw_text (self->text, get_cairo (self), text, at.x, at.y, width, style);
}

double
goban_pen_text_width (GobanPen *self, const char *text, const GobanTextStyle *style)
{
  return measure_text (self->text, text, style);
}
