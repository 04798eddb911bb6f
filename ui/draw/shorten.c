#include "ui/draw/shorten.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ELLIPSIS "…"
#define ZERO_WIDTH_SPACE 0x200b
/* Fewer characters of a text say nothing: its first long word is cut instead. */
#define LEAST_KEPT 3

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

/* The cut that keeps the largest part that fits; @most_kept: nothing fits. */
static gboolean
choose (const char *text, GobanKeep keep, double room, GArray *cuts, GobanExtent extent,
        gpointer user_data, gsize *chosen)
{
  gsize length = strlen (text);
  gboolean is_found = FALSE;

  for (guint i = 0; i < cuts->len; i++)
    {
      gsize cut = g_array_index (cuts, gsize, keep == GOBAN_KEEP_END ? i : cuts->len - 1 - i);
      gsize from = keep == GOBAN_KEEP_END ? cut : 0;
      gsize to = keep == GOBAN_KEEP_END ? length : cut;

      if (extent (from, to, user_data) > room)
        continue;
      *chosen = cut;
      is_found = g_utf8_strlen (text + from, (gssize) (to - from)) >= LEAST_KEPT;
      break;
    }
  return is_found;
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

/* Of names and of specs, "gnmt:layers=8,batch=64". */
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

/* --- layouts ---------------------------------------------------------------------------------- */

static double
extent_in_layout (gsize from, gsize to, gpointer layout)
{
  PangoRectangle start, end;

  pango_layout_index_to_pos (layout, (int) from, &start);
  pango_layout_index_to_pos (layout, (int) to, &end);
  return abs (end.x - start.x) / (double) PANGO_SCALE;
}

static double
get_width (PangoLayout *layout)
{
  int width;

  pango_layout_get_size (layout, &width, NULL);
  return width / (double) PANGO_SCALE;
}

gboolean
goban_shorten_layout (PangoLayout *layout, const char *text, GobanKeep keep, int width)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *shortened = NULL;
  double ellipsis;

  pango_layout_set_width (layout, -1);
  pango_layout_set_text (layout, valid, -1);
  if (get_width (layout) <= width)
    return FALSE;
  pango_layout_set_text (layout, ELLIPSIS, -1);
  ellipsis = get_width (layout);
  pango_layout_set_text (layout, valid, -1);
  shortened = goban_shorten (valid, keep, width - ellipsis, extent_in_layout, layout);
  pango_layout_set_text (layout, shortened, -1);
  /* Of letters that join, a piece can be a little wider than it was in the whole. */
  if (get_width (layout) > width)
    {
      pango_layout_set_width (layout, MAX (width, 1) * PANGO_SCALE);
      pango_layout_set_ellipsize (layout, keep == GOBAN_KEEP_END ? PANGO_ELLIPSIZE_START
                                                                 : PANGO_ELLIPSIZE_END);
    }
  return TRUE;
}
