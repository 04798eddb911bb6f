/* Bars of memory: their words, and pixels of a bar that is longer than its capacity. */
#include "tests/support/test-program.h"
#include "ui/draw/charts/memory-bars.h"

#include <math.h>
#include <string.h>

#define WIDTH 500
#define BAR 366 /* without pads, name and number */

static const GobanRankMemory memory[] = {
  { 10e9, 10e9, 30e9, 50e9, 50e9 },
  { 5e9, 0, 5e9, 10e9, INFINITY },
};
static const char *const names[] = { "gpu:0", "gpu:1" };
static const GobanMemoryBars two = { memory, 2, names, GOBAN_THEME_LIGHT, 1 };

static void
test_words (void)
{
  g_autofree char *words = goban_memory_bars_describe (&two);

  g_assert_cmpstr (words, ==,
                   "Memory of a rank by kind\n"
                   "gpu:0: 100 GB of 50 GB: weights 10 GB, gradients 10 GB, optimiser 30 GB, "
                   "activations 50 GB\n"
                   "gpu:1: 20 GB: weights 5 GB, gradients 0 B, optimiser 5 GB, activations 10 GB");
}

/* Pixels of that colour in a row of the picture. */
static guint
count_pixels (cairo_surface_t *surface, int y, GobanRgb rgb, int *first)
{
  const guint32 *pixels = (const guint32 *) (const void *) cairo_image_surface_get_data (surface);
  int stride = cairo_image_surface_get_stride (surface) / 4;
  guint n = 0;

  for (int x = WIDTH - 1; x >= 0; x--)
    if ((pixels[y * stride + x] & 0xffffff) == rgb)
      {
        *first = x;
        n++;
      }
  return n;
}

/* The kinds have 1 : 1 : 3 : 5 of a bar, and the capacity is in its middle; the next rank has a bar
 * of a fifth, and no line. */
static void
test_bars (void)
{
  int height = (int) goban_memory_bars_get_height (&two, WIDTH), y0 = height - 4 - 2 * 18 + 1;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, height);
  cairo_t *cr = cairo_create (surface);
  g_autoptr (GobanTextCache) text = goban_text_cache_new ();
  g_autoptr (GobanPen) pen = goban_pen_new_for_cairo (cr, WIDTH, height, text);
  GobanRgb weights = goban_palette_ramp (GOBAN_THEME_LIGHT, 0.2);
  GobanRgb ink = goban_palette_get (GOBAN_THEME_LIGHT)->ink;
  int left = 0, line = 0, next = 0;
  guint wide, n;

  goban_memory_bars_paint (&two, pen);
  cairo_surface_flush (surface);
  wide = count_pixels (surface, y0, weights, &left);
  g_assert_cmpint (ABS ((int) wide - BAR / 10), <=, 2);
  n = count_pixels (surface, y0 - 2, ink, &line); /* it is longer than the bar is high */
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpint (ABS (line + 1 - left - BAR / 2), <=, 1);
  n = count_pixels (surface, y0 + 18, weights, &next);
  g_assert_cmpint (next, ==, left);
  g_assert_cmpint (ABS (2 * (int) n - (int) wide), <=, 2);
  g_assert_cmpuint (count_pixels (surface, y0 + 16, ink, &line), ==, 0);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

TEST_PROGRAM (memory_bars)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/memory-bars/words", test_words);
  g_test_add_func ("/memory-bars/bars", test_bars);
  return g_test_run ();
}
