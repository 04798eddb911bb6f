#include "ui/draw/shorten.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ELLIPSIS "…"
#define ZERO_WIDTH_SPACE 0x200b
/* Fewer characters of a text say nothing: its first long word is cut instead. */
#define LEAST_KEPT 3
/* Mean width of a text's characters in ems that hardly any is below. Of text that has more of
 * them than fit so, only as many as fit are shaped. */
#define LEAST_GLYPH 0.1

/* --- long texts ------------------------------------------------------------------------------- */

/* Bytes of a character after its first one. */
static gboolean
is_inside_character (char c)
{
  return ((guchar) c & 0xc0) == 0x80;
}

/* At most @max_chars of the characters at the kept end, in valid UTF-8. Reads no more of the text
 * than that, except for its length. (transfer full) */
static char *
dup_end (const char *text, GobanKeep keep, gsize max_chars, gboolean *is_cut)
{
  gsize length = strlen (text);
  gsize n_bytes = MIN (length, max_chars * 4);
  const char *from = keep == GOBAN_KEEP_END ? text + length - n_bytes : text;
  g_autofree char *valid = NULL;
  gsize n_chars;

  for (int i = 0; i < 3 && n_bytes < length && n_bytes > 0; i++)
    if (keep == GOBAN_KEEP_END && is_inside_character (*from))
      from++, n_bytes--;
    else if (keep == GOBAN_KEEP_START && is_inside_character (from[n_bytes]))
      n_bytes--;
  valid = g_utf8_make_valid (from, (gssize) n_bytes);
  n_chars = (gsize) g_utf8_strlen (valid, -1);
  *is_cut = n_bytes < length || n_chars > max_chars;
  if (n_chars <= max_chars)
    return g_steal_pointer (&valid);
  return keep == GOBAN_KEEP_END
             ? g_strdup (g_utf8_offset_to_pointer (valid, (glong) (n_chars - max_chars)))
             : g_utf8_substring (valid, 0, (glong) max_chars);
}

char *
goban_cut_long (const char *text, GobanKeep keep, gsize max_chars)
{
  gboolean is_cut;
  g_autofree char *part = dup_end (text, keep, max_chars, &is_cut);

  if (!is_cut)
    return g_steal_pointer (&part);
  return keep == GOBAN_KEEP_END ? g_strconcat (ELLIPSIS, part, NULL)
                                : g_strconcat (part, ELLIPSIS, NULL);
}

gsize
goban_count_shown_chars (double width, double font_px)
{
  return (gsize) (MAX (width, 0) / (LEAST_GLYPH * MAX (font_px, 1))) + 64;
}

/* --- possible cuts ------------------------------------------------------------------------- */

static gboolean
is_separator (gunichar c)
{
  return c == '/' || c == '_' || c == '.' || c == '-' || c == 0xb7 /* · */;
}

/* Between the characters @before and @after. Ideographs are words of their own. */
static gboolean
is_boundary (gunichar before, gunichar after, GobanKeep keep)
{
  if (g_unichar_isspace (before) || g_unichar_isspace (after))
    return TRUE;
  if (g_unichar_islower (before) && g_unichar_isupper (after))
    return TRUE;
  if (g_unichar_iswide (before) && g_unichar_iswide (after))
    return TRUE;
  /* The separator stays with the end: "…/relu" is seen to be a part of a name. */
  return keep == GOBAN_KEEP_END ? is_separator (after) && !is_separator (before)
                                : is_separator (after) || is_separator (before);
}

/* Offsets in bytes between 0 and the length at which a text may be cut: between words and parts,
 * or (@is_anywhere) between any two characters that people see as two. (transfer full) */
static GArray *
find_cuts (const char *text, GobanKeep keep, gboolean is_anywhere)
{
  GArray *cuts = g_array_new (FALSE, FALSE, sizeof (gsize));
  glong n_chars = g_utf8_strlen (text, -1);
  g_autofree PangoLogAttr *attributes = g_new0 (PangoLogAttr, (gsize) n_chars + 1);
  const char *at = text;

  pango_get_log_attrs (text, -1, -1, pango_language_get_default (), attributes, (int) n_chars + 1);
  for (glong i = 1; i < n_chars; i++)
    {
      gunichar before = g_utf8_get_char (at);
      gsize offset;

      at = g_utf8_next_char (at);
      offset = (gsize) (at - text);
      if (attributes[i].is_cursor_position
          && (is_anywhere || is_boundary (before, g_utf8_get_char (at), keep)))
        g_array_append_val (cuts, offset);
    }
  return cuts;
}

/* --- choosing one ----------------------------------------------------------------------------- */

static char *
cut_at (const char *text, GobanKeep keep, gsize offset)
{
  g_autofree char *kept = NULL;

  if (keep == GOBAN_KEEP_END)
    {
      while (g_ascii_isspace (text[offset]))
        offset++;
      return g_strconcat (ELLIPSIS, text + offset, NULL);
    }
  kept = g_strndup (text, offset);
  return g_strconcat (g_strchomp (kept), ELLIPSIS, NULL);
}

/* The cut that keeps the largest part that fits; FALSE if that says nothing. The larger a part, the
 * wider it is, so that few of the cuts have to be measured. */
static gboolean
choose (const char *text, GobanKeep keep, double room, GArray *cuts, GobanExtent extent,
        gpointer user_data, gsize *chosen)
{
  gsize length = strlen (text);
  guint fits = cuts->len; /* counted from the largest part: the first one known to fit */

  for (guint low = 0; low < fits;)
    {
      guint i = low + (fits - low) / 2;
      gsize cut = g_array_index (cuts, gsize, keep == GOBAN_KEEP_END ? i : cuts->len - 1 - i);
      double width
          = keep == GOBAN_KEEP_END ? extent (cut, length, user_data) : extent (0, cut, user_data);

      if (width > room)
        {
          low = i + 1;
          continue;
        }
      fits = i;
      *chosen = cut;
    }
  if (fits == cuts->len)
    return FALSE;
  return keep == GOBAN_KEEP_END ? g_utf8_strlen (text + *chosen, -1) >= LEAST_KEPT
                                : g_utf8_strlen (text, (gssize) *chosen) >= LEAST_KEPT;
}

char *
goban_shorten (const char *text, GobanKeep keep, double room, GobanExtent extent,
               gpointer user_data)
{
  g_autoptr (GArray) cuts = find_cuts (text, keep, FALSE);
  g_autoptr (GArray) all = NULL;
  gsize chosen = 0;

  if (choose (text, keep, room, cuts, extent, user_data, &chosen))
    return cut_at (text, keep, chosen);
  all = find_cuts (text, keep, TRUE);
  if (all->len == 0)
    return g_strdup (text);
  chosen = g_array_index (all, gsize, keep == GOBAN_KEEP_END ? all->len - 1 : 0);
  choose (text, keep, room, all, extent, user_data, &chosen);
  return cut_at (text, keep, chosen);
}

/* Whether a name or a spec such as "gnmt:layers=8,batch=64" may be broken after @c. */
static gboolean
may_break_after (gunichar c)
{
  return is_separator (c) || c == ':' || c == ',' || c == '=';
}

char *
goban_dup_breakable (const char *text)
{
  GString *broken = g_string_new (NULL);

  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at))
    {
      gunichar before = at > text ? g_utf8_get_char (g_utf8_prev_char (at)) : 0;
      gunichar after = g_utf8_get_char (at);

      if (may_break_after (before) && !may_break_after (after) && !g_unichar_isspace (after))
        g_string_append_unichar (broken, ZERO_WIDTH_SPACE);
      g_string_append_unichar (broken, after);
    }
  return g_string_free (broken, FALSE);
}

/* --- paths ------------------------------------------------------------------------------------ */

/* The first @n_kept characters of @word but for the half of them, which are its last. (transfer
 * full) */
static char *
join_ends (const char *word, glong n, glong n_kept)
{
  glong n_end = n_kept / 2;
  g_autofree char *begin = g_utf8_substring (word, 0, n_kept - n_end);

  return g_strconcat (begin, ELLIPSIS, g_utf8_offset_to_pointer (word, n - n_end), NULL);
}

/* All that can be shown of both ends. (transfer full) */
static char *
dup_both_ends (const char *word, gsize max_chars)
{
  gboolean is_cut;
  g_autofree char *begin = dup_end (word, GOBAN_KEEP_START, 2 * max_chars, &is_cut);
  g_autofree char *end = NULL;

  if (!is_cut)
    return g_steal_pointer (&begin);
  g_free (begin);
  begin = dup_end (word, GOBAN_KEEP_START, max_chars, &is_cut);
  end = dup_end (word, GOBAN_KEEP_END, max_chars, &is_cut);
  return g_strconcat (begin, end, NULL);
}

/* "bran…bl_2": both ends of a name that does not fit, because names of one graph differ at their
 * ends. (transfer full) */
static char *
cut_middle (const char *word, double room, gsize max_chars, GobanMeasure width_of,
            gpointer user_data)
{
  g_autofree char *ends = dup_both_ends (word, max_chars);
  glong n = g_utf8_strlen (ends, -1);
  double whole = width_of (ends, user_data);
  glong least = 3;
  glong most = MIN (n - 1, (glong) ((double) n * room / MAX (whole, 1)));
  glong at = most; /* it is likely to fit */
  char *found = NULL;

  while (whole > room && least <= most)
    {
      g_autofree char *text = join_ends (ends, n, at);

      if (width_of (text, user_data) <= room)
        {
          g_free (found);
          found = g_steal_pointer (&text);
          least = at + 1;
        }
      else
        most = at - 1;
      at = least + (most - least) / 2;
    }
  return found != NULL ? found : g_steal_pointer (&ends);
}

char *
goban_shorten_path (const char *name, double room, gsize max_chars, GobanMeasure width_of,
                    gpointer user_data)
{
  gboolean is_cut;
  g_autofree char *shown = dup_end (name, GOBAN_KEEP_END, max_chars, &is_cut);
  g_autoptr (GArray) slashes = g_array_new (FALSE, FALSE, sizeof (gsize));
  const char *last = strrchr (name, '/');
  guint fits;

  if (!is_cut && width_of (shown, user_data) <= room)
    return g_steal_pointer (&shown);
  for (gsize i = 0; shown[i] != '\0'; i++)
    if (shown[i] == '/')
      g_array_append_val (slashes, i);
  fits = slashes->len;
  for (guint low = 0; low < fits;)
    {
      guint i = low + (fits - low) / 2;
      g_autofree char *text
          = g_strconcat (ELLIPSIS, shown + g_array_index (slashes, gsize, i), NULL);

      if (width_of (text, user_data) > room)
        low = i + 1;
      else
        fits = i;
    }
  if (fits < slashes->len)
    return g_strconcat (ELLIPSIS, shown + g_array_index (slashes, gsize, fits), NULL);
  return cut_middle (last != NULL && last[1] != '\0' ? last + 1 : name, room, max_chars, width_of,
                     user_data);
}

/* --- layouts ---------------------------------------------------------------------------------- */

static void
add_run (PangoLayoutRun *run, const char *text, int *widths)
{
  g_autofree int *of_chars = g_new0 (int, (gsize) run->item->num_chars);
  const char *at = text + run->item->offset;

  pango_glyph_item_get_logical_widths (run, text, of_chars);
  for (int i = 0; i < run->item->num_chars; i++, at = g_utf8_next_char (at))
    widths[at - text] = of_chars[i];
}

/* For each byte of the text and for its end, the width of the characters before it in Pango's
 * units, whatever their direction. (transfer full) */
static int *
measure (PangoLayout *layout)
{
  const char *text = pango_layout_get_text (layout);
  gsize length = strlen (text);
  int *before = g_new0 (int, length + 1);
  int sum = 0;

  for (GSList *line = pango_layout_get_lines_readonly (layout); line != NULL; line = line->next)
    for (GSList *run = ((PangoLayoutLine *) line->data)->runs; run != NULL; run = run->next)
      add_run (run->data, text, before);
  for (gsize i = 0; i <= length; i++)
    {
      int width = before[i];

      before[i] = sum;
      sum += width;
    }
  return before;
}

static double
extent_in_layout (gsize from, gsize to, gpointer user_data)
{
  const int *before = user_data;

  return (before[to] - before[from]) / (double) PANGO_SCALE;
}

static double
get_width (PangoLayout *layout)
{
  int width;

  pango_layout_get_size (layout, &width, NULL);
  return width / (double) PANGO_SCALE;
}

static double
get_font_px (PangoLayout *layout)
{
  PangoContext *context = pango_layout_get_context (layout);
  const PangoFontDescription *font = pango_layout_get_font_description (layout);
  PangoFontMetrics *metrics = pango_context_get_metrics (context, font, NULL);
  double height = pango_font_metrics_get_ascent (metrics) / (double) PANGO_SCALE;

  pango_font_metrics_unref (metrics);
  return height;
}

gboolean
goban_shorten_layout (PangoLayout *layout, const char *text, GobanKeep keep, int width)
{
  gboolean is_cut;
  gsize max_chars = goban_count_shown_chars (width, get_font_px (layout));
  g_autofree char *part = keep == GOBAN_KEEP_ENDS ? dup_both_ends (text, max_chars)
                                                  : dup_end (text, keep, max_chars, &is_cut);
  g_autofree char *shortened = NULL;
  g_autofree int *before = NULL;
  double ellipsis;

  pango_layout_set_width (layout, -1);
  pango_layout_set_text (layout, part, -1);
  if (keep == GOBAN_KEEP_ENDS)
    {
      pango_layout_set_width (layout, MAX (width, 1) * PANGO_SCALE);
      pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_MIDDLE);
      return pango_layout_is_ellipsized (layout);
    }
  if (get_width (layout) <= width && !is_cut)
    return FALSE;
  before = measure (layout);
  pango_layout_set_text (layout, ELLIPSIS, -1);
  ellipsis = get_width (layout);
  shortened = goban_shorten (part, keep, width - ellipsis, extent_in_layout, before);
  pango_layout_set_text (layout, shortened, -1);
  /* If letters join, a piece can be a little wider than it was in the whole. */
  if (get_width (layout) > width)
    {
      pango_layout_set_width (layout, MAX (width, 1) * PANGO_SCALE);
      pango_layout_set_ellipsize (layout, keep == GOBAN_KEEP_END ? PANGO_ELLIPSIZE_START
                                                                 : PANGO_ELLIPSIZE_END);
    }
  return TRUE;
}
