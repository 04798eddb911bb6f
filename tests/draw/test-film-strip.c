/* Small timelines of a film: busy shares, places and the scale that all share. */
#include "tests/support/test-program.h"
#include "tests/support/toys.h"
#include "ui/draw/charts/film-strip.h"

#include <cairo.h>

#define N 40
#define WIDTH 800
#define HEIGHT 72

typedef struct
{
  GobanFilmPicture pictures[N];
  GobanFilmStrip strip;
} Fixture;

/* Everything on one device, and in turn on both. */
static GobanFilmPicture
new_picture (guint update, gboolean is_spread)
{
  g_autoptr (GobanGraph) graph = toy_two_chains (4);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x2");
  g_autoptr (GobanPlan) plan = goban_plan_new (graph, 2);
  g_autoptr (GobanRun) run = NULL;

  for (GobanNodeId v = 0; is_spread && v < goban_plan_get_n_nodes (plan); v++)
    goban_plan_set_device (plan, v, v % 2);
  run = goban_run_new (costs, plan, "plan");
  return goban_film_picture_new (run, update);
}

static void
set_up (Fixture *self, gconstpointer data)
{
  for (guint i = 0; i < N; i++)
    self->pictures[i] = goban_film_picture_new_empty (i);
  self->pictures[0] = new_picture (0, FALSE);
  self->pictures[1] = new_picture (1, TRUE);
  self->strip = (GobanFilmStrip){ .pictures = self->pictures, .n_pictures = 3, .selected = -1 };
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  for (guint i = 0; i < N; i++)
    goban_film_picture_clear (&self->pictures[i]);
}

/* A device that has all work is busy all the time, the other never; shares sum to the work. */
static void
test_busy (Fixture *self, gconstpointer data)
{
  const GobanFilmPicture *single = &self->pictures[0], *spread = &self->pictures[1];
  double work = 0;

  g_assert_cmpuint (single->n_devices, ==, 2);
  for (guint c = 0; c < GOBAN_FILM_COLUMNS; c++)
    {
      g_assert_cmpuint (single->busy[c], ==, 255);
      g_assert_cmpuint (single->busy[GOBAN_FILM_COLUMNS + c], ==, 0);
    }
  for (guint i = 0; i < 2 * GOBAN_FILM_COLUMNS; i++)
    work += spread->busy[i] / 255.0 / GOBAN_FILM_COLUMNS * spread->makespan_us;
  g_assert_cmpfloat_with_epsilon (work, single->makespan_us, 0.01 * single->makespan_us);
}

/* All where there is room, else evenly spaced ones with the first and the last. */
static void
test_places (Fixture *self, gconstpointer data)
{
  gint last = -1;

  g_assert_cmpint (goban_film_strip_find (&self->strip, WIDTH, 0), ==, 0);
  g_assert_cmpint (goban_film_strip_find (&self->strip, WIDTH, 100), ==, 1);
  g_assert_cmpint (goban_film_strip_find (&self->strip, WIDTH, WIDTH), ==, 2);
  self->strip.n_pictures = N;
  for (guint x = 0; x < WIDTH; x += 10)
    {
      gint i = goban_film_strip_find (&self->strip, WIDTH, x);

      g_assert_true (i >= last && i < N);
      last = i;
    }
  g_assert_cmpint (last, ==, N - 1);
  self->strip.n_pictures = 0;
  g_assert_cmpint (goban_film_strip_find (&self->strip, WIDTH, 0), ==, -1);
}

static void
test_best (Fixture *self, gconstpointer data)
{
  gboolean is_spread_shorter = self->pictures[1].makespan_us < self->pictures[0].makespan_us;

  g_assert_cmpint (goban_film_strip_find_best (&self->strip), ==, is_spread_shorter ? 1 : 0);
  self->strip.pictures = &self->pictures[2]; /* which are not made */
  g_assert_cmpint (goban_film_strip_find_best (&self->strip), ==, -1);
}

/* The rightmost pixel of the first lane in the first cell's colour: as far as the plan is long. */
static int
find_end (Fixture *self)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  g_autoptr (GobanTextCache) text = goban_text_cache_new ();
  g_autoptr (GobanPen) pen = goban_pen_new_for_image (surface, text);
  const guint8 *row;
  int end = 0;

  goban_film_strip_paint (&self->strip, pen);
  cairo_surface_flush (surface);
  row = cairo_image_surface_get_data (surface)
        + (gsize) 18 * (gsize) cairo_image_surface_get_stride (surface);
  for (int x = 6; x < 78; x++)
    if (((const guint32 *) (const void *) row)[x] == ((const guint32 *) (const void *) row)[6])
      end = x;
  cairo_surface_destroy (surface);
  return end;
}

/* A longer plan makes the others' pictures narrower. */
static void
test_scale (Fixture *self, gconstpointer data)
{
  int whole = find_end (self);
  GobanFilmPicture longer = self->pictures[1];

  g_assert_cmpint (whole, >, 60);
  self->pictures[1].makespan_us = 2 * self->pictures[0].makespan_us;
  g_assert_cmpint (find_end (self), <, whole - 25);
  self->pictures[1] = longer;
}

TEST_PROGRAM (film_strip)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/draw/film-strip/busy", Fixture, NULL, set_up, test_busy, tear_down);
  g_test_add ("/draw/film-strip/places", Fixture, NULL, set_up, test_places, tear_down);
  g_test_add ("/draw/film-strip/best", Fixture, NULL, set_up, test_best, tear_down);
  g_test_add ("/draw/film-strip/scale", Fixture, NULL, set_up, test_scale, tear_down);
  return g_test_run ();
}
