#include "ui/draw/text.h"

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

void
goban_text_draw (GobanTextCache *self, cairo_t *cr, const char *text, double x, double y,
                 double width, const GobanTextStyle *style)
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

double
goban_text_width (GobanTextCache *self, const char *text, const GobanTextStyle *style)
{
  return find (self, text, 0, style)->width;
}
