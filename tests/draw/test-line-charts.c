/* Charts of lines: places, values and pictures. */
#include "tests/draw/draw-golden.h"
#include "tests/support/test-program.h"
#include "ui/draw/charts/line-charts.h"

#include <math.h>

#define WIDTH 600
#define HEIGHT 400
#define N_POINTS 3000

typedef struct
{
  double x[N_POINTS];
  double noisy[N_POINTS];
  double falling[N_POINTS];
  double few_x[4];
  double few_y[4];
  GobanChartLine lines[3];
  GobanChart charts[3];
  GobanLineCharts all;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  for (guint i = 0; i < N_POINTS; i++)
    {
      self->x[i] = i + 1;
      self->noisy[i] = 2 + sin (i * 12.9898);
      self->falling[i] = i % 100 == 7 ? (double) NAN : 1.5 - 0.7 * i / N_POINTS;
    }
  for (guint i = 0; i < 4; i++)
    {
      self->few_x[i] = 1000 * i;
      self->few_y[i] = i == 2 ? (double) NAN : 0.9 - 0.05 * i;
    }
  self->lines[0] = (GobanChartLine){ "noisy", self->x, self->noisy, N_POINTS, FALSE };
  self->lines[1] = (GobanChartLine){ "falling", self->x, self->falling, N_POINTS, FALSE };
  self->lines[2] = (GobanChartLine){ "few", self->few_x, self->few_y, 4, TRUE };
  self->charts[0] = (GobanChart){ "Two lines", self->lines, 2, NAN, TRUE };
  self->charts[1] = (GobanChart){ "Trials", &self->lines[2], 1, 1, FALSE };
  self->charts[2] = (GobanChart){ "Empty", NULL, 0, NAN, FALSE };
  self->all = (GobanLineCharts){
    .charts = self->charts, .n_charts = 3, .x0 = 0, .x1 = N_POINTS, .hover = NAN
  };
}

static void
tear_down (Fixture *self, gconstpointer data)
{
}

static cairo_surface_t *
paint (const GobanLineCharts *charts, int width, int height)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  g_autoptr (GobanTextCache) text = goban_text_cache_new ();
  g_autoptr (GobanPen) pen = goban_pen_new_for_image (surface, text);

  goban_line_charts_paint (charts, pen);
  cairo_surface_mark_dirty (surface);
  return surface;
}

/* Plots lie inside the picture, apart from each other, and are found where they are. */
static void
test_places (Fixture *self, gconstpointer data)
{
  static const int widths[] = { 160, 300, 600, 1600 };

  for (guint w = 0; w < G_N_ELEMENTS (widths); w++)
    for (guint i = 0; i < self->all.n_charts; i++)
      {
        GobanBox plot = goban_line_charts_get_plot (&self->all, widths[w], HEIGHT, i);
        GobanPoint middle = { (plot.x0 + plot.x1) / 2, (plot.y0 + plot.y1) / 2 };
        guint chart = G_MAXUINT;
        double x = 0;

        g_assert_true (plot.x0 >= 0 && plot.x1 <= widths[w] && plot.x0 < plot.x1);
        g_assert_true (plot.y0 >= 0 && plot.y1 <= HEIGHT && plot.y0 < plot.y1);
        g_assert_true (goban_line_charts_find (&self->all, widths[w], HEIGHT, middle, &chart, &x));
        g_assert_cmpuint (chart, ==, i);
        g_assert_cmpfloat_with_epsilon (x, N_POINTS / 2.0, 1);
        middle.y = plot.y0 - 4;
        g_assert_false (goban_line_charts_find (&self->all, widths[w], HEIGHT, middle, &chart, &x));
      }
}

/* A low picture has charts beside each other, and only those that have room. */
static void
test_low (Fixture *self, gconstpointer data)
{
  GobanBox first = goban_line_charts_get_plot (&self->all, WIDTH, 120, 0);
  GobanBox last = goban_line_charts_get_plot (&self->all, WIDTH, 120, 2);
  guint chart;
  double x;

  g_assert_cmpfloat (first.y1, ==, last.y1);
  g_assert_cmpfloat (first.x1, <, last.x0);
  g_assert_cmpfloat (first.y1 - first.y0, >, 40);
  for (double at = 0; at < 200; at++)
    g_assert_true (
        !goban_line_charts_find (&self->all, 200, 120, (GobanPoint){ at, 60 }, &chart, &x)
        || chart == 0);
}

/* The last measured value at or before an x. */
static void
test_values (Fixture *self, gconstpointer data)
{
  const GobanChartLine *few = &self->lines[2];

  g_assert_true (isnan (goban_chart_line_get (few, -1)));
  g_assert_cmpfloat (goban_chart_line_get (few, 0), ==, self->few_y[0]);
  g_assert_cmpfloat (goban_chart_line_get (few, 1999), ==, self->few_y[1]);
  g_assert_cmpfloat (goban_chart_line_get (few, 2500), ==, self->few_y[1]); /* one is missing */
  g_assert_cmpfloat (goban_chart_line_get (few, 1e9), ==, self->few_y[3]);
  g_assert_true (isnan (goban_chart_line_get (&(GobanChartLine){ .n = 0 }, 0)));
}

/* Each line has its colour in its own plot, and none in the others. */
static void
test_lines (Fixture *self, gconstpointer data)
{
  cairo_surface_t *surface = paint (&self->all, WIDTH, HEIGHT);
  GobanRgb first = goban_palette_device (GOBAN_THEME_LIGHT, 0);

  for (guint i = 0; i < 3; i++)
    {
      GobanBox plot = goban_line_charts_get_plot (&self->all, WIDTH, HEIGHT, i);
      guint n = 0;

      for (int y = (int) plot.y0; y < (int) plot.y1; y++)
        for (int x = (int) plot.x0; x < (int) plot.x1; x++)
          n += draw_pixel (surface, x, y) == first;
      g_assert_true (i < 2 ? n >= 20 : n == 0);
    }
  cairo_surface_destroy (surface);
}

/* The first update is seen as soon as it is made: a line of one point is a mark. */
static void
test_first_point (Fixture *self, gconstpointer data)
{
  double x = 1, y = 0.5;
  GobanChartLine line = { "one", &x, &y, 1, FALSE };
  GobanChart chart = { "One", &line, 1, NAN, FALSE };
  GobanLineCharts one = { .charts = &chart, .n_charts = 1, .x0 = 0, .x1 = 1, .hover = NAN };
  cairo_surface_t *surface = paint (&one, WIDTH, HEIGHT);
  GobanBox plot = goban_line_charts_get_plot (&one, WIDTH, HEIGHT, 0);
  guint n = 0;

  for (int at_y = (int) plot.y0; at_y < (int) plot.y1; at_y++)
    for (int at_x = (int) plot.x0; at_x < (int) plot.x1; at_x++)
      n += draw_pixel (surface, at_x, at_y) == goban_palette_device (GOBAN_THEME_LIGHT, 0);
  g_assert_cmpuint (n, >=, 4);
  cairo_surface_destroy (surface);
}

/* A long title is shortened, but not the value beside it. */
static void
test_long_title (Fixture *self, gconstpointer data)
{
  double x = 1, values[] = { 0.125, 0.875 };
  GobanChartLine line = { "the square of all errors of the gains that were predicted of moves", &x,
                          NULL, 1, FALSE };
  GobanChart chart = { "One", &line, 1, NAN, FALSE };
  GobanLineCharts one = { .charts = &chart, .n_charts = 1, .x0 = 0, .x1 = 1, .hover = NAN };
  GobanBox plot = goban_line_charts_get_plot (&one, 160, HEIGHT, 0);
  cairo_surface_t *surfaces[2];
  guint n = 0;

  for (guint i = 0; i < 2; i++)
    {
      line.y = &values[i];
      surfaces[i] = paint (&one, 160, HEIGHT);
    }
  for (int at_y = 0; at_y < (int) plot.y0; at_y++)
    for (int at_x = 0; at_x < 160; at_x++)
      n += draw_pixel (surfaces[0], at_x, at_y) != draw_pixel (surfaces[1], at_x, at_y);
  g_assert_cmpuint (n, >, 0);
  for (guint i = 0; i < 2; i++)
    cairo_surface_destroy (surfaces[i]);
}

/* The plots alone: fonts differ between machines. */
static void
test_golden (Fixture *self, gconstpointer data)
{
  static const char *const names[] = { "draw-charts-noisy", "draw-charts-trials" };

  self->all.hover = 1234;
  for (guint i = 0; i < 2; i++)
    {
      cairo_surface_t *whole = paint (&self->all, WIDTH, HEIGHT);
      GobanBox plot = goban_line_charts_get_plot (&self->all, WIDTH, HEIGHT, i);
      cairo_surface_t *part = cairo_image_surface_create (
          CAIRO_FORMAT_RGB24, (int) (plot.x1 - plot.x0), (int) (plot.y1 - plot.y0));
      cairo_t *cr = cairo_create (part);

      cairo_set_source_surface (cr, whole, -plot.x0, -plot.y0);
      cairo_paint (cr);
      cairo_destroy (cr);
      draw_golden_check_image (part, names[i]);
      cairo_surface_destroy (part);
      cairo_surface_destroy (whole);
    }
}

/* Nothing measured, one point, a range of a single update, tiny pictures: nothing to divide by. */
static void
test_edges (Fixture *self, gconstpointer data)
{
  double x = 1, y = NAN;
  GobanChartLine line = { "one", &x, &y, 1, TRUE };
  GobanChart chart = { "One", &line, 1, NAN, FALSE };
  GobanLineCharts one = { .charts = &chart, .n_charts = 1, .x0 = 0, .x1 = 1, .hover = 0.5 };

  cairo_surface_destroy (paint (&one, WIDTH, HEIGHT));
  y = 0;
  cairo_surface_destroy (paint (&one, WIDTH, HEIGHT));
  y = 1e300;
  cairo_surface_destroy (paint (&one, WIDTH, HEIGHT));
  cairo_surface_destroy (paint (&one, 8, 8));
  one.n_charts = 0;
  cairo_surface_destroy (paint (&one, WIDTH, HEIGHT));
  cairo_surface_destroy (paint (&self->all, 40, 30));
}

TEST_PROGRAM (line_charts)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/draw/line-charts/places", Fixture, NULL, set_up, test_places, tear_down);
  g_test_add ("/draw/line-charts/first-point", Fixture, NULL, set_up, test_first_point, tear_down);
  g_test_add ("/draw/line-charts/long-title", Fixture, NULL, set_up, test_long_title, tear_down);
  g_test_add ("/draw/line-charts/low", Fixture, NULL, set_up, test_low, tear_down);
  g_test_add ("/draw/line-charts/values", Fixture, NULL, set_up, test_values, tear_down);
  g_test_add ("/draw/line-charts/lines", Fixture, NULL, set_up, test_lines, tear_down);
  g_test_add ("/draw/line-charts/golden", Fixture, NULL, set_up, test_golden, tear_down);
  g_test_add ("/draw/line-charts/edges", Fixture, NULL, set_up, test_edges, tear_down);
  return g_test_run ();
}
