#include "tests/support/test-program.h"
#include "ui/draw/lasso.h"

#include <math.h>

static GobanPoint
random_point (double reach)
{
  return (GobanPoint){ g_test_rand_double_range (-reach, reach),
                       g_test_rand_double_range (-reach, reach) };
}

/* The slow twin: how often the line turns around the point, by its angles. */
static int
count_turns (const GobanLasso *lasso, GobanPoint at)
{
  guint n;
  const GobanPoint *points = goban_lasso_get_points (lasso, &n);
  double sum = 0;

  for (guint i = 0; i < n; i++)
    {
      GobanPoint a = points[i], b = points[(i + 1) % n];
      double turn = atan2 (b.y - at.y, b.x - at.x) - atan2 (a.y - at.y, a.x - at.x);

      sum += turn > G_PI ? turn - 2 * G_PI : turn < -G_PI ? turn + 2 * G_PI : turn;
    }
  return (int) lround (sum / (2 * G_PI));
}

/* Any line, crossing itself as often as it likes. */
static GobanLasso *
random_lasso (guint n)
{
  GobanLasso *lasso = goban_lasso_new ();

  for (guint i = 0; i < n; i++)
    goban_lasso_add (lasso, random_point (100), 0);
  return lasso;
}

static void
test_contains_equals_angles (void)
{
  guint n_inside = 0;

  for (guint round = 0; round < 60; round++)
    {
      g_autoptr (GobanLasso) lasso = random_lasso (3 + round * 2);

      for (guint i = 0; i < 60; i++)
        {
          GobanPoint at = random_point (110);
          gboolean is_inside = goban_lasso_contains (lasso, at);

          g_assert_cmpint (is_inside, ==, count_turns (lasso, at) != 0);
          n_inside += is_inside;
        }
    }
  g_assert_cmpuint (n_inside, >, 1000);
}

/* Corners at the height of the point asked for count once: a grid of whole numbers hits them all
 * the time. */
static void
test_corners_count_once (void)
{
  for (guint round = 0; round < 40; round++)
    {
      g_autoptr (GobanLasso) lasso = goban_lasso_new ();

      for (guint i = 0; i < 12; i++)
        goban_lasso_add (
            lasso, (GobanPoint){ g_test_rand_int_range (-5, 6), g_test_rand_int_range (-5, 6) }, 0);
      for (int y = -5; y <= 5; y++)
        for (int x = -5; x < 5; x++)
          {
            /* Off all lines that lead through whole numbers so near to each other. */
            GobanPoint at = { x + 0.4871, y };
            gboolean is_on_line = FALSE;
            guint n;
            const GobanPoint *points = goban_lasso_get_points (lasso, &n);

            for (guint i = 0; i < n; i++)
              {
                GobanPoint a = points[i], b = points[(i + 1) % n];

                is_on_line
                    |= (a.y == at.y && b.y == at.y)
                       || fabs ((b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x)) < 1e-9;
              }
            if (!is_on_line)
              g_assert_cmpint (goban_lasso_contains (lasso, at), ==, count_turns (lasso, at) != 0);
          }
    }
}

/* An eight: both of its loops are inside, though they turn against each other; and so is what is
 * gone around twice. */
static void
test_loops_are_inside (void)
{
  static const GobanPoint eight[] = { { 0, 0 }, { 10, 10 }, { 10, 0 }, { 0, 10 } };
  static const GobanPoint twice[]
      = { { 0, 0 }, { 9, 0 }, { 9, 9 }, { 0, 9 }, { 0, 0 }, { 8, 0 }, { 8, 8 }, { 0, 8 } };
  g_autoptr (GobanLasso) a = goban_lasso_new ();
  g_autoptr (GobanLasso) b = goban_lasso_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (eight); i++)
    goban_lasso_add (a, eight[i], 0);
  g_assert_true (goban_lasso_contains (a, (GobanPoint){ 9, 5 }));
  g_assert_true (goban_lasso_contains (a, (GobanPoint){ 1, 5 }));
  g_assert_false (goban_lasso_contains (a, (GobanPoint){ 5, 1 }));
  for (gsize i = 0; i < G_N_ELEMENTS (twice); i++)
    goban_lasso_add (b, twice[i], 0);
  g_assert_true (goban_lasso_contains (b, (GobanPoint){ 4, 4 }));
  g_assert_true (goban_lasso_contains (b, (GobanPoint){ 8.5, 4 }));
}

static void
test_grows_by_points (void)
{
  g_autoptr (GobanLasso) lasso = goban_lasso_new ();
  guint n;

  g_assert_false (goban_lasso_contains (lasso, (GobanPoint){ 0, 0 }));
  g_assert_true (goban_lasso_add (lasso, (GobanPoint){ 0, 0 }, 3));
  g_assert_false (goban_lasso_add (lasso, (GobanPoint){ 2, 1 }, 3));
  g_assert_true (goban_lasso_add (lasso, (GobanPoint){ 10, 0 }, 3));
  g_assert_false (goban_lasso_contains (lasso, (GobanPoint){ 5, 0 }));
  g_assert_true (goban_lasso_add (lasso, (GobanPoint){ 5, 8 }, 3));
  g_assert_true (goban_lasso_contains (lasso, (GobanPoint){ 5, 3 }));
  /* Bands are made anew after a point. */
  g_assert_false (goban_lasso_contains (lasso, (GobanPoint){ 5, -3 }));
  g_assert_true (goban_lasso_add (lasso, (GobanPoint){ -6, -8 }, 3));
  g_assert_true (goban_lasso_add (lasso, (GobanPoint){ 16, -8 }, 3));
  g_assert_true (goban_lasso_contains (lasso, (GobanPoint){ 5, -6 }));
  goban_lasso_get_points (lasso, &n);
  g_assert_cmpuint (n, ==, 5);
  g_assert_cmpfloat (goban_lasso_get_box (lasso).x0, ==, -6);
  g_assert_cmpfloat (goban_lasso_get_box (lasso).y1, ==, 8);
}

TEST_PROGRAM (lasso)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lasso/contains/equals-angles", test_contains_equals_angles);
  g_test_add_func ("/lasso/contains/corners-count-once", test_corners_count_once);
  g_test_add_func ("/lasso/contains/loops-are-inside", test_loops_are_inside);
  g_test_add_func ("/lasso/add/grows-by-points", test_grows_by_points);
  return g_test_run ();
}
