/* Figures: where points are, what they say, what is behind them, and that painting shows them. */
#include "tests/support/test-program.h"
#include "tests/support/toys.h"
#include "ui/draw/figures/figure-painter.h"
#include "ui/draw/figures/figure.h"

#include <math.h>
#include <string.h>

#define WIDTH 400
#define HEIGHT 240

static double *
copy (const double *values, guint n)
{
  return g_memdup2 (values, n * sizeof *values);
}

/* A series of n points on y = 2 x, in seconds. */
static GobanFigure *
new_figure (GobanFigureKind kind, guint n)
{
  GobanFigure *self = goban_figure_new (kind, 1);
  GobanFigureSeries *series = &self->series[0];

  series->name = g_strdup ("one");
  series->n = n;
  series->x = g_new (double, n);
  series->y = g_new (double, n);
  for (guint i = 0; i < n; i++)
    {
      series->x[i] = i;
      series->y[i] = 2e-3 * i;
    }
  g_free (self->y.unit);
  self->y.unit = g_strdup ("s");
  g_free (self->y.label);
  self->y.label = g_strdup ("makespan");
  return self;
}

static GobanFigure *
new_heat (void)
{
  static const double x[] = { 0, 1, 0, 1 }, y[] = { 0, 0, 1, 1 }, z[] = { 1, 2, 3, NAN };
  GobanFigure *self = goban_figure_new (GOBAN_FIGURE_HEAT, 1);

  self->series[0] = (GobanFigureSeries){
    .name = g_strdup (""), .n = 4, .x = copy (x, 4), .y = copy (y, 4), .z = copy (z, 4)
  };
  self->x.words = g_strsplit ("a b", " ", -1);
  self->y.words = g_strsplit ("c d", " ", -1);
  return self;
}

/* The pointer on a point finds it; each kind. */
static void
test_find (void)
{
  for (GobanFigureKind kind = 0; kind < GOBAN_FIGURE_N_KINDS; kind++)
    {
      g_autoptr (GobanFigure) figure
          = kind == GOBAN_FIGURE_HEAT ? new_heat () : new_figure (kind, 5);
      GobanFigurePicture picture = { .figure = figure };
      GobanFigureLayout layout;
      guint n;

      if (kind == GOBAN_FIGURE_BARS)
        figure->x.words = g_strsplit ("a b c d e", " ", -1);
      figure->n_bins = kind == GOBAN_FIGURE_HISTOGRAM ? 5 : 0;
      g_assert_true (goban_figure_complete (figure, NULL));
      layout = goban_figure_lay_out (figure, WIDTH, HEIGHT, 1);
      n = kind == GOBAN_FIGURE_HISTOGRAM ? figure->n_bins : figure->series[0].n;
      for (guint i = 0; i < n; i++)
        {
          GobanFigurePoint point = { 0, i }, found = { 9, 9 };
          GobanPoint at;

          g_assert_true (goban_figure_layout_place (&layout, point, &at));
          g_assert_true (at.x >= layout.plot.x0 && at.x <= layout.plot.x1);
          g_assert_true (at.y >= layout.plot.y0 && at.y <= layout.plot.y1);
          g_assert_true (goban_figure_find (&picture, WIDTH, HEIGHT, at, &found));
          g_assert_cmpuint (found.i, ==, i);
        }
      g_assert_false (goban_figure_find (&picture, WIDTH, HEIGHT, (GobanPoint){ 2, 2 },
                                         &(GobanFigurePoint){ 0 }));
    }
}

static void
test_words (void)
{
  g_autoptr (GobanFigure) figure = new_figure (GOBAN_FIGURE_LINES, 3);
  g_autoptr (GobanFigure) heat = new_heat ();
  g_autofree char *point = goban_figure_describe_point (figure, (GobanFigurePoint){ 0, 2 });
  g_autofree char *all = goban_figure_describe (figure);
  g_autofree char *cell = goban_figure_describe_point (heat, (GobanFigurePoint){ 0, 2 });
  g_autofree char *csv = goban_figure_to_csv (heat);
  char buffer[GOBAN_QUANTITY_LEN];
  GobanFigurePoint at = { 0, 1 };

  g_assert_cmpstr (point, ==, "2, makespan 4 ms");
  g_assert_cmpstr (all, ==, "Lines of makespan: 3 points, 0 µs to 4 ms");
  g_assert_cmpstr (cell, ==, "a, d, 3");
  g_assert_cmpstr (csv, ==, "series,x,y,value,label\n1,a,c,1,\n1,b,c,2,\n1,a,d,3,\n1,b,d,,\n");
  g_assert_cmpstr (goban_figure_format (&figure->y, buffer, 2e-5), ==, "20 µs");
  g_assert_true (goban_figure_step (figure, &at, 1, 0));
  g_assert_cmpuint (at.i, ==, 2);
  g_assert_false (goban_figure_step (figure, &at, 1, 0));
  g_assert_false (goban_figure_step (figure, &at, 0, 1));
}

/* A bin of a histogram stands for all nodes whose values lie in it. */
static void
test_references (void)
{
  g_autoptr (GobanGraph) graph = toy_two_chains (4);
  g_autoptr (GobanFigure) figure = new_figure (GOBAN_FIGURE_HISTOGRAM, 6);
  g_autoptr (GobanFigure) empty = new_figure (GOBAN_FIGURE_LINES, 0);
  g_autoptr (GError) error = NULL;
  GPtrArray *references = figure->series[0].references = goban_references_new ();
  GobanReference *behind;
  guint n;

  for (GobanNodeId v = 0; v < 6; v++)
    {
      g_autoptr (GobanSelection) node = goban_selection_new (&v, 1);

      g_ptr_array_add (references, v == 4 ? NULL : goban_reference_new (graph, node, NULL));
    }
  figure->n_bins = 2;
  g_assert_true (goban_figure_complete (figure, NULL));
  g_assert_cmpfloat (figure->counts[1], ==, 3);
  behind = goban_figure_dup_reference (figure, (GobanFigurePoint){ 0, 1 });
  g_assert_cmpuint (goban_selection_get_ids (behind->nodes, &n)[0], ==, 3);
  g_assert_cmpuint (n, ==, 2);
  goban_reference_free (behind);
  g_assert_false (goban_figure_complete (empty, &error));
  g_assert_cmpstr (error->message, ==, "there is no number to plot");
}

static gboolean
has_pixel (cairo_surface_t *surface, GobanPoint at, GobanRgb rgb)
{
  const guint8 *data = cairo_image_surface_get_data (surface);
  int stride = cairo_image_surface_get_stride (surface);

  for (int y = MAX ((int) at.y - 2, 0); y <= MIN ((int) at.y + 2, HEIGHT - 1); y++)
    for (int x = MAX ((int) at.x - 2, 0); x <= MIN ((int) at.x + 2, WIDTH - 1); x++)
      if ((((const guint32 *) (const void *) (data + y * stride))[x] & 0xffffff) == rgb)
        return TRUE;
  return FALSE;
}

/* Whether something darker than panel and rules is next to it, above. */
static gboolean
has_ink (cairo_surface_t *surface, GobanPoint at)
{
  const guint8 *data = cairo_image_surface_get_data (surface);
  int stride = cairo_image_surface_get_stride (surface);
  guint8 least = 255;

  for (int y = (int) at.y - 6; y < (int) at.y - 1; y++)
    for (int x = (int) at.x; x < (int) at.x + 12; x++)
      least = MIN (least, data[y * stride + 4 * x]);
  return least < 160;
}

/* Points are painted at their places, in both themes, on a linear and on a logarithmic axis. */
static void
test_paint (void)
{
  for (int variant = 0; variant < 4; variant++)
    {
      g_autoptr (GobanFigure) figure = new_figure (GOBAN_FIGURE_LINES, 4);
      g_autoptr (GobanTextCache) text = goban_text_cache_new ();
      cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
      GobanFigurePoint hover = { 0, 2 };
      GobanFigurePicture picture = { .figure = figure,
                                     .theme = variant % 2 ? GOBAN_THEME_DARK : GOBAN_THEME_LIGHT,
                                     .hover = variant / 2 ? &hover : NULL };
      GobanPen *pen = goban_pen_new_for_image (surface, text);
      GobanFigureLayout layout;
      GobanPoint at;

      figure->y.is_log = variant / 2;
      layout = goban_figure_lay_out (figure, WIDTH, HEIGHT, 1);
      goban_figure_paint (&picture, pen);
      goban_pen_free (pen);
      cairo_surface_flush (surface);
      /* The logarithm of 0 has no place. */
      g_assert_true (goban_figure_layout_place (&layout, (GobanFigurePoint){ 0, 0 }, &at)
                     == (variant / 2 == 0));
      g_assert_true (goban_figure_layout_place (&layout, (GobanFigurePoint){ 0, 3 }, &at));
      g_assert_true (has_pixel (surface, at, goban_palette_device (picture.theme, 0)));
      g_assert_true (
          has_pixel (surface, (GobanPoint){ 3, 3 }, goban_palette_get (picture.theme)->panel));
      cairo_surface_destroy (surface);
    }
}

/* A line on which both numbers are the same, as far as both axes have them. */
static void
test_identity (void)
{
  for (guint has_identity = 0; has_identity < 2; has_identity++)
    {
      const double x[] = { 0, 4 }, y[] = { 1, 3 };
      g_autoptr (GobanFigure) figure = goban_figure_new (GOBAN_FIGURE_SCATTER, 1);
      g_autoptr (GobanTextCache) text = goban_text_cache_new ();
      cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
      GobanFigurePicture picture = { .figure = figure };
      GobanPen *pen = goban_pen_new_for_image (surface, text);
      GobanFigureLayout layout;
      GobanBox plot;

      figure->has_identity = has_identity;
      figure->series[0] = (GobanFigureSeries){
        .name = g_strdup (""), .n = 2, .x = copy (x, 2), .y = copy (y, 2)
      };
      g_assert_true (goban_figure_complete (figure, NULL));
      layout = goban_figure_lay_out (figure, WIDTH, HEIGHT, 1);
      plot = layout.plot;
      goban_figure_paint (&picture, pen);
      goban_pen_free (pen);
      cairo_surface_flush (surface);
      /* It begins where the axis with the higher begin has its first value. */
      g_assert_true (has_ink (surface, (GobanPoint){ plot.x0
                                                         + goban_axis_place (&layout.x, layout.y.v0)
                                                               * (plot.x1 - plot.x0),
                                                     plot.y1 })
                     == has_identity);
      cairo_surface_destroy (surface);
    }
}

/* The axis has room for error bars, and CSV has their lengths. */
static void
test_errors (void)
{
  g_autoptr (GobanFigure) figure = new_figure (GOBAN_FIGURE_LINES, 3);
  g_autoptr (GobanFigure) plain = new_figure (GOBAN_FIGURE_LINES, 3);
  static const double errors[] = { 1e-3, NAN, 3e-3 };
  g_autofree char *csv = NULL;
  GobanFigureLayout layout;

  g_assert_true (goban_figure_complete (plain, NULL));
  layout = goban_figure_lay_out (plain, WIDTH, HEIGHT, 1);
  g_assert_cmpfloat (layout.y.v1, <, 6e-3);
  figure->series[0].errors = copy (errors, 3);
  g_assert_true (goban_figure_complete (figure, NULL));
  layout = goban_figure_lay_out (figure, WIDTH, HEIGHT, 1);
  g_assert_cmpfloat (layout.y.v1, >, 7e-3);
  g_assert_cmpfloat (layout.y.v0, <, -1e-3);
  csv = goban_figure_to_csv (figure);
  g_assert_cmpstr (csv, ==,
                   "series,x,makespan_s,error,label\none,0,0,0.001,\none,1,0.002,,\n"
                   "one,2,0.004,0.003,\n");
}

/* Bars from where the last one ended, on an axis that leaves out what all have in common. */
static void
test_steps (void)
{
  static const double x[] = { 0, 1, 2, 3 }, y[] = { 10, 12, 11, 11 }, from[] = { NAN, 10, 12, NAN };
  g_autoptr (GobanFigure) figure = goban_figure_new (GOBAN_FIGURE_BARS, 1);
  g_autofree char *csv = NULL, *point = NULL, *sketch = NULL;
  char buffer[GOBAN_QUANTITY_LEN];
  GobanFigureLayout layout;
  GobanBox boxes[4];

  figure->series[0] = (GobanFigureSeries){
    .name = g_strdup (""), .n = 4, .x = copy (x, 4), .y = copy (y, 4), .z = copy (from, 4)
  };
  figure->x.words = g_strsplit ("a b c d", " ", -1);
  g_assert_true (goban_figure_complete (figure, NULL));
  layout = goban_figure_lay_out (figure, WIDTH, HEIGHT, 1);
  for (guint i = 0; i < 4; i++)
    boxes[i] = goban_figure_layout_get_box (&layout, (GobanFigurePoint){ 0, i });
  g_assert_cmpfloat (layout.y.v0, >, 9);
  g_assert_cmpfloat (boxes[0].y1, ==, layout.plot.y1);
  g_assert_cmpfloat (boxes[1].y1, ==, boxes[0].y0);
  g_assert_cmpfloat (boxes[2].y0, ==, boxes[1].y0);
  g_assert_cmpfloat (boxes[2].y1, ==, boxes[3].y0);
  csv = goban_figure_to_csv (figure);
  g_assert_cmpstr (csv, ==,
                   "series,x,y,from,label\n1,a,10,0,\n1,b,12,10,\n1,c,11,12,\n1,d,11,0,\n");
  point = goban_figure_describe_point (figure, (GobanFigurePoint){ 0, 2 });
  g_assert_cmpstr (point, ==, "c, 11, -1");
  g_assert_cmpstr (goban_figure_format_bar (figure, buffer, (GobanFigurePoint){ 0, 1 }), ==, "+2");
  sketch = goban_figure_sketch (figure, 18, TRUE);
  g_assert_cmpstr (sketch, ==,
                   "a ### 10\n"
                   "b    ########## +2\n"
                   "c         ##### -1\n"
                   "d ######## 11\n");
}

/* Bars below 0 are on the other side of a line. */
static void
test_negative_bars (void)
{
  static const double x[] = { 0, 1, 2 }, y[] = { -2, 4, 0 };
  g_autoptr (GobanFigure) figure = goban_figure_new (GOBAN_FIGURE_BARS, 1);
  g_autofree char *sketch = NULL, *ascii = NULL;

  figure->series[0]
      = (GobanFigureSeries){ .name = g_strdup (""), .n = 3, .x = copy (x, 3), .y = copy (y, 3) };
  figure->x.words = g_strsplit ("a b c", " ", -1);
  g_assert_true (goban_figure_complete (figure, NULL));
  sketch = goban_figure_sketch (figure, 17, FALSE);
  g_assert_cmpstr (sketch, ==, "a ████│ -2\nb     │███████ 4\nc     │ 0\n");
  ascii = goban_figure_sketch (figure, 17, TRUE);
  g_assert_cmpstr (ascii, ==, "a ####| -2\nb     |####### 4\nc     | 0\n");
}

/* Marks of the first six series are told apart without colours. */
static void
test_marks (void)
{
  g_autoptr (GobanFigure) figure = goban_figure_new (GOBAN_FIGURE_SCATTER, 6);
  g_autoptr (GobanTextCache) text = goban_text_cache_new ();
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  GobanFigurePicture picture = { .figure = figure };
  GobanPen *pen = goban_pen_new_for_image (surface, text);
  GobanFigureLayout layout;

  for (guint k = 0; k < 6; k++)
    {
      const double at = k;

      figure->series[k] = (GobanFigureSeries){
        .name = g_strdup (""), .n = 1, .x = copy (&at, 1), .y = copy (&at, 1)
      };
    }
  g_assert_true (goban_figure_complete (figure, NULL));
  layout = goban_figure_lay_out (figure, WIDTH, HEIGHT, 1);
  goban_figure_paint (&picture, pen);
  goban_pen_free (pen);
  cairo_surface_flush (surface);
  for (guint k = 1; k < 6; k += 3) /* squares, which have no smooth edges */
    {
      GobanPoint at;

      g_assert_true (goban_figure_layout_place (&layout, (GobanFigurePoint){ k, 0 }, &at));
      g_assert_true (has_pixel (surface, at, goban_palette_get (picture.theme)->panel) == (k == 4));
    }
  cairo_surface_destroy (surface);
}

TEST_PROGRAM (figure)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/figure/find", test_find);
  g_test_add_func ("/draw/figure/words", test_words);
  g_test_add_func ("/draw/figure/references", test_references);
  g_test_add_func ("/draw/figure/paint", test_paint);
  g_test_add_func ("/draw/figure/identity", test_identity);
  g_test_add_func ("/draw/figure/errors", test_errors);
  g_test_add_func ("/draw/figure/steps", test_steps);
  g_test_add_func ("/draw/figure/negative-bars", test_negative_bars);
  g_test_add_func ("/draw/figure/marks", test_marks);
  return g_test_run ();
}
