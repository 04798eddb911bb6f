#include "tests/draw/draw-golden.h"
#include "tests/support/test-program.h"
#include "ui/draw/raster.h"

#include <math.h>

#define SIDE 96

static cairo_surface_t *
new_image (GobanRaster *raster)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, SIDE, SIDE);

  goban_raster_init (raster, surface, 0, 0);
  goban_raster_rect (raster, 0, 0, SIDE, SIDE, 0xffffff);
  return surface;
}

static double
any_coordinate (void)
{
  static const double odd[] = { 0, -0.5, 1e7, -1e7, 1e30, -1e30, 1e300, NAN, INFINITY, -INFINITY };

  return g_test_rand_int_range (0, 4) == 0 ? odd[g_test_rand_int_range (0, G_N_ELEMENTS (odd))]
                                           : g_test_rand_double_range (-40, SIDE + 40);
}

/* Everything at once, at places given by the seed. */
static void
draw_anything (GobanRaster *raster, const double *v)
{
  GobanStroke stroke = { 0x205080, 140, 2.7 };
  GobanStroke wide = { 0x805020, 200, 9.5 };

  goban_raster_line (raster, v[0], v[1], v[2], v[3], &stroke);
  goban_raster_smooth_line (raster, v[2], v[3], v[4], v[5], &stroke);
  goban_raster_cubic (raster, v, &stroke);
  goban_raster_cubic (raster, v, &wide);
  goban_raster_triangle (raster, v, 0xa02000);
}

static void
test_clip_moves_nothing (void)
{
  for (guint round = 0; round < 60; round++)
    {
      GobanRaster whole, parts;
      cairo_surface_t *a = new_image (&whole);
      cairo_surface_t *b = new_image (&parts);
      double v[12][8];
      int at = g_test_rand_int_range (1, SIDE - 1);

      for (guint i = 0; i < 12; i++)
        for (guint k = 0; k < 8; k++)
          v[i][k] = any_coordinate ();
      for (guint i = 0; i < 12; i++)
        draw_anything (&whole, v[i]);
      for (guint part = 0; part < 4; part++)
        {
          int x = part % 2 == 0 ? 0 : at;
          int y = part < 2 ? 0 : at;

          goban_raster_clip (&parts, x, y, x == 0 ? at : SIDE - at, y == 0 ? at : SIDE - at);
          for (guint i = 0; i < 12; i++)
            draw_anything (&parts, v[i]);
        }
      g_assert_true (draw_images_equal (a, b));
      cairo_surface_destroy (a);
      cairo_surface_destroy (b);
    }
}

static void
test_line_ends_and_slopes (void)
{
  GobanRaster raster;
  cairo_surface_t *image = new_image (&raster);
  GobanStroke stroke = { 0, GOBAN_OPAQUE, 1 };

  goban_raster_line (&raster, 10.5, 10.5, 20.5, 10.5, &stroke);
  g_assert_cmphex (draw_pixel (image, 10, 10), ==, 0);
  g_assert_cmphex (draw_pixel (image, 20, 10), ==, 0);
  g_assert_cmpuint (draw_count_pixels (image, 0), ==, 11);
  /* Whatever the direction, a line is the same, and has a pixel a step of its longer axis. */
  goban_raster_line (&raster, 30.5, 40.5, 50.5, 80.5, &stroke);
  g_assert_cmpuint (draw_count_pixels (image, 0), ==, 11 + 41);
  goban_raster_line (&raster, 50.5, 80.5, 30.5, 40.5, &stroke);
  g_assert_cmpuint (draw_count_pixels (image, 0), ==, 11 + 41);
  cairo_surface_destroy (image);
}

static void
test_huge_line_crosses_where_it_should (void)
{
  GobanRaster raster;
  cairo_surface_t *image = new_image (&raster);
  GobanStroke stroke = { 0, GOBAN_OPAQUE, 1 };

  goban_raster_line (&raster, -1e9 + 0.5, -1e9 + 0.5, 1e9 + 0.5, 1e9 + 0.5, &stroke);
  for (int i = 1; i < SIDE - 1; i++)
    g_assert_true (draw_pixel (image, i, i) == 0 || draw_pixel (image, i, i - 1) == 0
                   || draw_pixel (image, i, i + 1) == 0);
  cairo_surface_destroy (image);
}

static void
test_smooth_line_covers_its_width (void)
{
  GobanRaster raster;
  cairo_surface_t *image = new_image (&raster);
  GobanStroke stroke = { 0, GOBAN_OPAQUE, 2.5 };
  double ink = 0;

  goban_raster_smooth_line (&raster, 10, 20.3, 90, 33.7, &stroke);
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++)
      ink += 1 - (draw_pixel (image, x, y) & 0xff) / 255.0;
  g_assert_cmpfloat_with_epsilon (ink, 2.5 * hypot (80, 13.4), 4);
  cairo_surface_destroy (image);
}

static void
test_shapes_golden (void)
{
  GobanRaster raster;
  cairo_surface_t *image = new_image (&raster);
  GobanStroke stroke = { 0xd0003c, GOBAN_OPAQUE, 3 };
  const double curve[8] = { 8, 6, 8, 50, 88, 10, 88, 60 };
  const double triangle[6] = { 70, 80, 64, 66, 76, 66 };

  for (guint cue = 0; cue < GOBAN_N_CUES; cue++)
    {
      int x = 2 + (int) (cue % 4) * 23;
      int y = 4 + (int) (cue / 4) * 24;

      goban_raster_round_rect (&raster, x, y, 21, 20, 5, goban_palette_device (0, cue));
      goban_raster_hatch (&raster, x + 3, y + 3, 15, 14, cue, 0x202020, 1);
    }
  goban_raster_cubic (&raster, curve, &stroke);
  goban_raster_triangle (&raster, triangle, 0x30363d);
  goban_raster_tint (&raster, 40, 40, 30, 40, 0x0072b2, 64);
  draw_golden_check_image (image, "draw-shapes");
  cairo_surface_destroy (image);
}

/* No wedge is left out where a wide curve turns: within its width all is ink. */
static void
test_wide_curve_is_whole (void)
{
  const double p[8] = { 16, 80, 16, 10, 20, 12, 84, 12 };
  GobanStroke stroke = { 0x000000, GOBAN_OPAQUE, 20 };
  GobanRaster raster;
  cairo_surface_t *image = new_image (&raster);

  goban_raster_cubic (&raster, p, &stroke);
  for (double t = 0.05; t < 0.95; t += 0.01)
    {
      double s = 1 - t;
      double x = s * s * s * p[0] + 3 * s * s * t * p[2] + 3 * s * t * t * p[4] + t * t * t * p[6];
      double y = s * s * s * p[1] + 3 * s * s * t * p[3] + 3 * s * t * t * p[5] + t * t * t * p[7];
      double dx = s * s * (p[2] - p[0]) + 2 * s * t * (p[4] - p[2]) + t * t * (p[6] - p[4]);
      double dy = s * s * (p[3] - p[1]) + 2 * s * t * (p[5] - p[3]) + t * t * (p[7] - p[5]);
      double length = hypot (dx, dy);

      for (double across = -8; across <= 8; across += 1)
        {
          int u = (int) floor (x - across * dy / length);
          int v = (int) floor (y + across * dx / length);

          g_assert_cmphex (raster.pixels[v * raster.stride + u] & 0xffffff, ==, 0);
        }
    }
  cairo_surface_destroy (image);
}

TEST_PROGRAM (raster)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/raster/clip-moves-nothing", test_clip_moves_nothing);
  g_test_add_func ("/draw/raster/line-ends-and-slopes", test_line_ends_and_slopes);
  g_test_add_func ("/draw/raster/huge-line-crosses", test_huge_line_crosses_where_it_should);
  g_test_add_func ("/draw/raster/smooth-line-covers-its-width", test_smooth_line_covers_its_width);
  g_test_add_func ("/draw/raster/wide-curve-is-whole", test_wide_curve_is_whole);
  g_test_add_func ("/draw/raster/shapes-golden", test_shapes_golden);
  return g_test_run ();
}
