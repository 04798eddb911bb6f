/* Texts shortened to a width: between words and parts of names, and never inside a character. */
#include "ui/draw/shorten.h"

#include <pango/pangocairo.h>
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/shorten/cases", test_cases);
  g_test_add_func ("/shorten/grows", test_grows);
  g_test_add_func ("/shorten/layout", test_layout);
  g_test_add_func ("/shorten/breakable", test_breakable);
  return g_test_run ();
}
