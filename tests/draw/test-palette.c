#include "tests/support/test-program.h"
#include "ui/draw/palette.h"

static void
check_label (GobanTheme theme, GobanRgb fill)
{
  g_assert_cmpfloat (goban_rgb_contrast (fill, goban_rgb_text_on (fill)), >=,
                     goban_theme_is_high_contrast (theme) ? 7 : 4.5);
}

static void
test_labels_are_readable (void)
{
  for (GobanTheme theme = 0; theme < GOBAN_N_THEMES; theme++)
    {
      const GobanColours *colours = goban_palette_get (theme);

      for (guint d = 0; d < GOBAN_N_DEVICE_COLOURS; d++)
        check_label (theme, goban_palette_device (theme, d));
      for (guint f = 0; f < GOBAN_N_FAMILIES; f++)
        check_label (theme, goban_palette_family_colour (theme, f));
      for (guint i = 0; i <= 1000; i++)
        check_label (theme, goban_palette_ramp (theme, i / 1000.0));
      check_label (theme, goban_palette_unknown (theme));
      g_assert_cmpfloat (goban_rgb_contrast (colours->ink, colours->canvas), >=, 7);
      g_assert_cmpfloat (goban_rgb_contrast (colours->ink, colours->panel), >=, 7);
      g_assert_cmpfloat (goban_rgb_contrast (colours->muted, colours->canvas), >=, 4.5);
      g_assert_cmpfloat (goban_rgb_contrast (colours->muted, colours->panel), >=, 4.5);
      g_assert_cmpfloat (goban_rgb_contrast (colours->critical, colours->canvas), >=, 3);
      g_assert_cmpfloat (goban_rgb_contrast (colours->selection, colours->canvas), >=, 3);
      g_assert_cmpfloat (goban_rgb_contrast (colours->cut, colours->canvas), >=, 7);
    }
  for (guint i = 0; i < 1000; i++)
    check_label (GOBAN_THEME_LIGHT, (GobanRgb) g_test_rand_int_range (0, 0x1000000));
}

/* In high contrast all text and all lines, in both, and the ground is black or white. */
static void
test_high_contrast (void)
{
  static const GobanTheme themes[]
      = { GOBAN_THEME_HIGH_CONTRAST, GOBAN_THEME_HIGH_CONTRAST_INVERSE };

  g_assert_false (goban_theme_is_dark (GOBAN_THEME_LIGHT));
  g_assert_true (goban_theme_is_dark (GOBAN_THEME_DARK));
  g_assert_false (goban_theme_is_high_contrast (GOBAN_THEME_DARK));
  for (gsize i = 0; i < G_N_ELEMENTS (themes); i++)
    {
      const GobanColours *colours = goban_palette_get (themes[i]);
      const GobanRgb inks[]
          = { colours->ink,      colours->muted, colours->rule,      colours->edge, colours->cut,
              colours->critical, colours->hover, colours->selection, colours->match };

      g_assert_true (goban_theme_is_high_contrast (themes[i]));
      g_assert_cmphex (colours->canvas, ==, goban_theme_is_dark (themes[i]) ? 0x000000 : 0xffffff);
      for (gsize k = 0; k < G_N_ELEMENTS (inks); k++)
        {
          g_assert_cmpfloat (goban_rgb_contrast (inks[k], colours->canvas), >=, 7);
          g_assert_cmpfloat (goban_rgb_contrast (inks[k], colours->panel), >=, 7);
        }
    }
}

static void
test_devices_differ (void)
{
  for (GobanTheme theme = 0; theme < GOBAN_N_THEMES; theme++)
    for (guint a = 0; a < GOBAN_N_DEVICE_COLOURS; a++)
      {
        GobanRgb fill = goban_palette_device (theme, a);

        for (guint b = 0; b < a; b++)
          g_assert_cmphex (fill, !=, goban_palette_device (theme, b));
        g_assert_cmpfloat (goban_rgb_contrast (fill, goban_palette_hatch (fill)), >=, 1.25);
      }
  /* Colour and cue together tell 64 devices apart. */
  for (guint a = 0; a < 64; a++)
    for (guint b = 0; b < a; b++)
      g_assert_true (goban_palette_device (GOBAN_THEME_LIGHT, a)
                         != goban_palette_device (GOBAN_THEME_LIGHT, b)
                     || goban_palette_cue (a) != goban_palette_cue (b));
}

static void
test_ramp_is_ordered (void)
{
  for (GobanTheme theme = 0; theme < GOBAN_N_THEMES; theme++)
    {
      double last = -1;

      for (guint i = 0; i <= 255; i++)
        {
          double luminance = goban_rgb_luminance (goban_palette_ramp (theme, i / 255.0));

          /* Neighbours may be a rounding step apart; a tenth of the ramp is not. */
          g_assert_cmpfloat (luminance, >, last - 1e-3);
          g_assert_true (i < 25
                         || luminance
                                > goban_rgb_luminance (goban_palette_ramp (theme, (i - 25) / 255.0))
                                      + 0.005);
          last = luminance;
        }
      g_assert_cmphex (goban_palette_ramp (theme, -3), ==, goban_palette_ramp (theme, 0));
      g_assert_cmphex (goban_palette_ramp (theme, 7), ==, goban_palette_ramp (theme, 1));
      g_assert_cmphex (goban_palette_ramp (theme, 0.0 / 0.0), ==, goban_palette_ramp (theme, 0));
      /* Its ends can be told from the ground. */
      g_assert_cmpfloat (
          goban_rgb_contrast (goban_palette_ramp (theme, 0), goban_palette_get (theme)->canvas), >=,
          1.5);
    }
}

static void
test_families (void)
{
  g_assert_cmpint (goban_palette_family ("Conv2d"), ==, GOBAN_FAMILY_CONVOLUTION);
  g_assert_cmpint (goban_palette_family ("MatMul"), ==, GOBAN_FAMILY_MATRIX);
  g_assert_cmpint (goban_palette_family ("LSTM"), ==, GOBAN_FAMILY_RECURRENT);
  g_assert_cmpint (goban_palette_family ("BatchNormalization"), ==, GOBAN_FAMILY_NORMALISATION);
  g_assert_cmpint (goban_palette_family ("ReLU"), ==, GOBAN_FAMILY_ACTIVATION);
  g_assert_cmpint (goban_palette_family ("MaxPool"), ==, GOBAN_FAMILY_POOLING);
  g_assert_cmpint (goban_palette_family ("Add"), ==, GOBAN_FAMILY_ELEMENTWISE);
  g_assert_cmpint (goban_palette_family ("Concat"), ==, GOBAN_FAMILY_SHAPE);
  g_assert_cmpint (goban_palette_family (""), ==, GOBAN_FAMILY_OTHER);
}

static void
test_known_contrasts (void)
{
  g_assert_cmpfloat_with_epsilon (goban_rgb_contrast (0x000000, 0xffffff), 21, 1e-9);
  g_assert_cmpfloat_with_epsilon (goban_rgb_contrast (0x777777, 0xffffff), 4.478, 1e-3);
}

TEST_PROGRAM (palette)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/palette/labels-are-readable", test_labels_are_readable);
  g_test_add_func ("/draw/palette/high-contrast", test_high_contrast);
  g_test_add_func ("/draw/palette/devices-differ", test_devices_differ);
  g_test_add_func ("/draw/palette/ramp-is-ordered", test_ramp_is_ordered);
  g_test_add_func ("/draw/palette/families", test_families);
  g_test_add_func ("/draw/palette/known-contrasts", test_known_contrasts);
  return g_test_run ();
}
