/* Texts shortened to a width: between words and parts of names, and never inside a character. */
#include "tests/support/test-program.h"
#include "ui/draw/shorten.h"

#include <pango/pangocairo.h>
#include <stdlib.h>
#include <string.h>

/* A character is one wide, and what combines with it is not. */
static double
count (gsize from, gsize to, gpointer text)
{
  const char *at = (const char *) text + from;
  double n = 0;

  for (; at < (const char *) text + to; at = g_utf8_next_char (at))
    n += !g_unichar_ismark (g_utf8_get_char (at)) && g_utf8_get_char (at) != 0x200d;
  return n;
}

static void
test_cases (void)
{
  static const struct
  {
    const char *text;
    GobanKeep keep;
    double room;
    const char *shortened;
  } cases[] = {
    /* Names keep their ends, which tell them apart, from a separator on. */
    { "Mixed_6c/branch7x7dbl_3/relu", GOBAN_KEEP_END, 22, "…/branch7x7dbl_3/relu" },
    { "Mixed_6c/branch7x7dbl_3/relu", GOBAN_KEEP_END, 8, "…_3/relu" },
    { "Mixed_6c/branch7x7dbl_3/relu", GOBAN_KEEP_END, 5, "…/relu" },
    { "model.layers.11.mlp", GOBAN_KEEP_END, 9, "….11.mlp" },
    { "a__b", GOBAN_KEEP_END, 3, "…__b" },
    /* Only a single long word is cut inside. */
    { "supercalifragilistic", GOBAN_KEEP_END, 6, "…listic" },
    { "supercalifragilistic", GOBAN_KEEP_START, 6, "superc…" },
    { "conv/supercalifragilistic", GOBAN_KEEP_END, 6, "…listic" },
    /* Sentences and types keep their starts. */
    { "Step 60 of 313: conv1 to gpu:2", GOBAN_KEEP_START, 13, "Step 60 of…" },
    { "Step 60 of 313: conv1 to gpu:2", GOBAN_KEEP_START, 29, "Step 60 of 313: conv1 to…" },
    { "BatchNormalization", GOBAN_KEEP_START, 9, "Batch…" },
    { "Mixed_5c/branch1x1", GOBAN_KEEP_START, 12, "Mixed_5c/…" },
    /* Ideographs are words; accents stay with their letters, and joined pictures together. */
    { "卷积神经网络的放置", GOBAN_KEEP_START, 4, "卷积神经…" },
    { "卷积神经网络的放置", GOBAN_KEEP_END, 4, "…络的放置" },
    { "ae\xcc\x81ie\xcc\x81ou", GOBAN_KEEP_START, 4, "ae\xcc\x81ie\xcc\x81…" },
    { "ae\xcc\x81ie\xcc\x81ou", GOBAN_KEEP_END, 3, "…e\xcc\x81ou" },
    { "ab👩\xe2\x80\x8d🔬", GOBAN_KEEP_END, 1, "…👩\xe2\x80\x8d🔬" },
    /* Right to left: the same order of characters. */
    { "שלום/עולם/גדול", GOBAN_KEEP_END, 6, "…/גדול" },
    { "مرحبا بالعالم", GOBAN_KEEP_START, 8, "مرحبا…" },
    /* No room at all leaves one character; nothing to cut stays. */
    { "conv/relu", GOBAN_KEEP_END, 0, "…u" },
    { "conv/relu", GOBAN_KEEP_START, -5, "c…" },
    { "x", GOBAN_KEEP_END, 0, "x" },
    { "", GOBAN_KEEP_START, 0, "" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *got = goban_shorten (cases[i].text, cases[i].keep, cases[i].room, count,
                                            (gpointer) cases[i].text);

      g_assert_cmpstr (got, ==, cases[i].shortened);
    }
}

/* More room never shows less, all that is shown is of the text, and it fits. */
static void
test_grows (void)
{
  static const char *const texts[]
      = { "a/very-long.name_of/oneNode", "one two three four", "貓/cat_кот", "ää/öö/üü" };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    for (int keep = GOBAN_KEEP_START; keep <= GOBAN_KEEP_END; keep++)
      {
        gsize least = 0;

        for (guint room = 3; room < (guint) g_utf8_strlen (texts[i], -1); room++)
          {
            g_autofree char *got
                = goban_shorten (texts[i], (GobanKeep) keep, room, count, (gpointer) texts[i]);
            const char *kept = keep == GOBAN_KEEP_END ? got + strlen ("…") : got;
            gsize length = strlen (got) - strlen ("…");

            g_assert_true (g_utf8_validate (got, -1, NULL));
            g_assert_cmpfloat (count (0, length, (gpointer) kept), <=, room);
            g_assert_true (keep == GOBAN_KEEP_END ? g_str_has_suffix (texts[i], kept)
                                                  : strncmp (texts[i], kept, length) == 0);
            if (room >= 8)
              g_assert_cmpuint (length, >=, least);
            least = room >= 8 ? length : 0;
          }
      }
}

/* A layout is as wide as it may be, and what fits is left alone. */
static void
test_layout (void)
{
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  PangoLayout *layout = pango_layout_new (context);
  int width;

  g_assert_false (goban_shorten_layout (layout, "relu", GOBAN_KEEP_END, 1000));
  g_assert_cmpstr (pango_layout_get_text (layout), ==, "relu");
  pango_layout_get_pixel_size (layout, &width, NULL);
  for (int room = 2 * width; room < 260; room += 7)
    {
      int shown;

      if (!goban_shorten_layout (layout, "Mixed_6c/branch7x7dbl_3/sub/relu", GOBAN_KEEP_END, room))
        break;
      pango_layout_get_pixel_size (layout, &shown, NULL);
      g_assert_cmpint (shown, <=, room);
      g_assert_true (g_str_has_suffix (pango_layout_get_text (layout), "/relu"));
    }
  g_assert_true (goban_shorten_layout (layout, "\xff\xfe broken bytes", GOBAN_KEEP_START, 30));
  g_assert_true (g_utf8_validate (pango_layout_get_text (layout), -1, NULL));
  g_object_unref (layout);
  g_object_unref (context);
}

/* The name is the same without the places to wrap. */
static void
test_breakable (void)
{
  g_autofree char *name = goban_dup_breakable ("gradients/coarse_2//relu · µ/x y");
  g_autofree char *plain = goban_dup_breakable ("plain words");

  g_assert_cmpstr (name, ==, "gradients/\u200bcoarse_\u200b2//\u200brelu · µ/\u200bx y");
  g_assert_cmpstr (plain, ==, "plain words");
}

/* --- against the plain algorithm, which measures once a character ----------------------------- */

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

static char *
cut_at (const char *text, GobanKeep keep, gsize offset)
{
  g_autofree char *kept = NULL;

  if (keep == GOBAN_KEEP_END)
    {
      while (g_ascii_isspace (text[offset]))
        offset++;
      return g_strconcat ("…", text + offset, NULL);
    }
  kept = g_strndup (text, offset);
  return g_strconcat (g_strchomp (kept), "…", NULL);
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
      is_found = g_utf8_strlen (text + from, (gssize) (to - from)) >= 3;
      break;
    }
  return is_found;
}

static char *
shorten_plainly (const char *text, GobanKeep keep, double room, GobanExtent extent,
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

static double
extent_in_layout (gsize from, gsize to, gpointer layout)
{
  PangoRectangle start, end;

  pango_layout_index_to_pos (layout, (int) from, &start);
  pango_layout_index_to_pos (layout, (int) to, &end);
  return abs (end.x - start.x) / (double) PANGO_SCALE;
}

/* Words and parts of names, accents, joined pictures, ideographs; letters from right to left. */
static const char *const rightward[] = { "conv",
                                         "Relu",
                                         "x",
                                         "_3",
                                         "/",
                                         "7x7",
                                         ".",
                                         " ",
                                         "-",
                                         "e\xcc\x81",
                                         "ß",
                                         "卷积",
                                         "·",
                                         "W",
                                         "i",
                                         "é",
                                         "ﬁ",
                                         "Ω",
                                         "👩\xe2\x80\x8d🔬",
                                         "a\xcc\x88\xcc\x8a" };
static const char *const leftward[]
    = { "שלום", "/", "ע\xd6\xb8ו", " ", "مرحبا", "بال", "_", "ל", "م", "ب\xd9\x8e" };

static char *
new_text (GRand *rand, gboolean is_leftward, guint n)
{
  GString *text = g_string_new (is_leftward ? leftward[0] : NULL);

  for (guint i = 0; i < n; i++)
    if (is_leftward)
      g_string_append (text, leftward[g_rand_int_range (rand, 0, G_N_ELEMENTS (leftward))]);
    else
      g_string_append (text, rightward[g_rand_int_range (rand, 0, G_N_ELEMENTS (rightward))]);
  return g_string_free (text, FALSE);
}

/* Of a layout of the whole text. (transfer full) */
static char *
shorten_whole (PangoLayout *layout, const char *text, GobanKeep keep, int width)
{
  int whole, ellipsis;

  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_NONE);
  pango_layout_set_width (layout, -1);
  pango_layout_set_text (layout, "…", -1);
  pango_layout_get_size (layout, &ellipsis, NULL);
  pango_layout_set_text (layout, text, -1);
  pango_layout_get_size (layout, &whole, NULL);
  return whole <= width * PANGO_SCALE
             ? g_strdup (text)
             : shorten_plainly (text, keep, width - ellipsis / (double) PANGO_SCALE,
                                extent_in_layout, layout);
}

static void
test_like_plain (void)
{
  GRand *rand = g_rand_new_with_seed (7);
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  PangoLayout *layout = pango_layout_new (context);
  PangoLayout *plain_layout = pango_layout_new (context);

  for (guint i = 0; i < 400; i++)
    {
      g_autofree char *text = new_text (rand, i % 4 == 0, (guint) g_rand_int_range (rand, 1, 90));
      GobanKeep keep = i % 2 == 0 ? GOBAN_KEEP_END : GOBAN_KEEP_START;
      int room = g_rand_int_range (rand, 1, 60);
      int width = g_rand_int_range (rand, 20, 400);
      g_autofree char *plain = shorten_plainly (text, keep, room, count, text);
      g_autofree char *got = goban_shorten (text, keep, room, count, text);
      g_autofree char *plain_shown = shorten_whole (plain_layout, text, keep, width);

      g_assert_cmpstr (got, ==, plain);
      pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_NONE);
      goban_shorten_layout (layout, text, keep, width);
      /* Places at the end of a text from right to left are not what the plain algorithm takes them
       * for: it kept more than fits. */
      if (i % 4 == 0)
        {
          int shown;

          pango_layout_get_pixel_size (layout, &shown, NULL);
          g_assert_cmpint (shown, <=, width);
        }
      else
        g_assert_cmpstr (pango_layout_get_text (layout), ==, plain_shown);
    }
  g_object_unref (plain_layout);
  g_object_unref (layout);
  g_object_unref (context);
  g_rand_free (rand);
}

/* --- long texts ----------------------------------------------------------------------------------
   */

typedef struct
{
  const char *text;
  guint n; /* measurements */
  gsize longest;
} Counter;

static double
count_calls (gsize from, gsize to, gpointer user_data)
{
  Counter *counter = user_data;

  counter->n++;
  return (double) (to - from);
}

static double
count_texts (const char *text, gpointer user_data)
{
  Counter *counter = user_data;

  counter->n++;
  counter->longest = MAX (counter->longest, strlen (text));
  return (double) g_utf8_strlen (text, -1);
}

/* A million characters: a handful of measurements, of parts that are not much longer than what is
 * shown. */
static void
test_few_measurements (void)
{
  static const char *const parts[] = { "x", "a/", "/", "word ", "e\xcc\x81", "卷", "camelCase" };

  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      GString *text = g_string_new ("first/");
      Counter counter = { 0 };
      g_autofree char *path = NULL;

      while (text->len < 1000000)
        g_string_append (text, parts[i]);
      g_string_append (text, "/relu");
      path = goban_shorten_path (text->str, 20, 100, count_texts, &counter);
      g_assert_cmpuint (g_utf8_strlen (path, -1), <=, 20);
      g_assert_true (g_str_has_suffix (path, "/relu"));
      g_assert_cmpuint (counter.n, <=, 12);
      g_assert_cmpuint (counter.longest, <=, 4 * 201);

      g_string_truncate (text, 1500);
      for (int keep = GOBAN_KEEP_START; keep <= GOBAN_KEEP_END; keep++)
        {
          g_autofree char *valid = g_utf8_make_valid (text->str, -1);
          g_autofree char *got = NULL;

          counter.n = 0;
          got = goban_shorten (valid, (GobanKeep) keep, 30, count_calls, &counter);
          g_assert_cmpuint (strlen (got), <=, 30 + strlen ("…"));
          g_assert_cmpuint (counter.n, <=, 2 * 12);
        }
      g_string_free (text, TRUE);
    }
}

/* Both ends of a single long word, as wide as possible. */
static void
test_path (void)
{
  static const struct
  {
    const char *name;
    double room;
    const char *shown;
  } cases[] = {
    { "a/b/relu", 8, "a/b/relu" },
    { "a/b/relu", 7, "…/relu" },
    { "block/a/b/relu", 9, "…/b/relu" },
    { "/a/relu", 6, "…/relu" },
    { "block/branch7x7dbl_2", 9, "bran…bl_2" },
    { "supercalifragilistic", 6, "sup…ic" },
    { "supercalifragilistic", 1, "supercalifragilistic" },
    { "scope/", 4, "…/" },
    { "", 4, "" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Counter counter = { 0 };
      g_autofree char *got
          = goban_shorten_path (cases[i].name, cases[i].room, 100, count_texts, &counter);

      g_assert_cmpstr (got, ==, cases[i].shown);
    }
}

static void
test_cut_long (void)
{
  static const struct
  {
    const char *text;
    GobanKeep keep;
    const char *cut;
  } cases[] = {
    { "four", GOBAN_KEEP_START, "four" },
    { "twelve", GOBAN_KEEP_START, "twel…" },
    { "twelve", GOBAN_KEEP_END, "…elve" },
    { "ääää", GOBAN_KEEP_END, "ääää" },
    { "éèäöüß", GOBAN_KEEP_START, "éèäö…" },
    { "éèäöüß", GOBAN_KEEP_END, "…äöüß" },
    { "卷积神经网络", GOBAN_KEEP_START, "卷积神经…" },
    { "卷积神经网络", GOBAN_KEEP_END, "…神经网络" },
    { "x👩👩👩👩👩", GOBAN_KEEP_START, "x👩👩👩…" },
    { "👩👩👩👩👩x", GOBAN_KEEP_END, "…👩👩👩x" },
    { "", GOBAN_KEEP_END, "" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *got = goban_cut_long (cases[i].text, cases[i].keep, 4);

      g_assert_cmpstr (got, ==, cases[i].cut);
    }
  for (int keep = GOBAN_KEEP_START; keep <= GOBAN_KEEP_END; keep++)
    {
      g_autofree char *got = goban_cut_long ("\x80\x80\x80\x80\x80\x80\xff\xe2\x80", keep, 1);

      g_assert_true (g_utf8_validate (got, -1, NULL));
      g_assert_cmpint (g_utf8_strlen (got, -1), <=, 2);
    }
}

TEST_PROGRAM (shorten)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/shorten/cases", test_cases);
  g_test_add_func ("/shorten/grows", test_grows);
  g_test_add_func ("/shorten/layout", test_layout);
  g_test_add_func ("/shorten/breakable", test_breakable);
  g_test_add_func ("/shorten/like-plain", test_like_plain);
  g_test_add_func ("/shorten/few-measurements", test_few_measurements);
  g_test_add_func ("/shorten/path", test_path);
  g_test_add_func ("/shorten/cut-long", test_cut_long);
  return g_test_run ();
}
