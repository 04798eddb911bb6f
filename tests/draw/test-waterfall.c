/* Rows of a waterfall: where bars are, what they say, and that painting stays in its lane. */
#include "tests/support/test-program.h"
#include "tests/support/toys.h"
#include "ui/draw/charts/waterfall.h"

#include <string.h>

static GobanBreakdown *
new_breakdown (void)
{
  g_autoptr (GobanGraph) graph = toy_two_chains (4);
  g_autoptr (GobanCostModel) costs = toy_costs (graph, "p100x2");
  g_autoptr (GobanPlan) single = goban_plan_new (graph, 2);
  g_autoptr (GobanPlan) spread = goban_plan_new (graph, 2);
  g_autoptr (GobanRun) a = goban_run_new (costs, single, "single");
  g_autoptr (GobanRun) b = NULL;
  g_autoptr (GobanDifference) difference = NULL;
  GobanBreakdown *breakdown;

  for (GobanNodeId v = 0; v < goban_plan_get_n_nodes (spread); v++)
    goban_plan_set_device (spread, v, v % 2);
  b = goban_run_new (costs, spread, "spread");
  difference = goban_difference_new (a, b, 0, NULL);
  breakdown = goban_breakdown_new (difference, NULL, NULL);
  g_assert_nonnull (breakdown);
  return breakdown;
}

static void
test_rows (void)
{
  g_autoptr (GobanBreakdown) breakdown = new_breakdown ();
  g_autoptr (GobanWaterfall) all
      = goban_waterfall_new (breakdown, (const char *const[]){ "A", "B" }, TRUE);
  g_autoptr (GobanWaterfall) folded = goban_waterfall_new (breakdown, NULL, FALSE);
  g_autofree char *first = goban_waterfall_describe_row (all, 0);
  guint n_groups = 0;

  g_assert_cmpstr (first, ==, "A: 80 µs");
  g_assert_cmpuint (all->rows->len, ==, breakdown->n_bars);
  for (guint i = 0; i < all->rows->len; i++)
    {
      const GobanWaterfallRow *row = goban_waterfall_get_row (all, i);

      n_groups += row->kind == GOBAN_BAR_GROUP;
      g_assert_true (row->from >= 0 && row->from <= 1 + 1e-9 && row->to >= 0
                     && row->to <= 1 + 1e-9);
      /* Never by colour alone. */
      g_assert_true ((row->sense < 0) == (strstr (row->value, "▼ −") != NULL));
      g_assert_true ((row->sense > 0) == (strstr (row->value, "▲ +") != NULL));
    }
  g_assert_cmpuint (n_groups, >, 1);
  g_assert_cmpuint (folded->rows->len, ==, breakdown->n_bars - n_groups);
  g_assert_cmpstr (goban_waterfall_get_row (folded, 0)->label, ==, "single");
}

/* Nothing is painted outside of the lane, and something within. */
static void
test_lane (void)
{
  g_autoptr (GobanBreakdown) breakdown = new_breakdown ();
  g_autoptr (GobanWaterfall) waterfall = goban_waterfall_new (breakdown, NULL, TRUE);
  GobanBox lane = { 20, 10, 120, 28 };

  for (guint row = 0; row < waterfall->rows->len; row++)
    {
      cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 140, 40);
      cairo_t *cr = cairo_create (surface);
      g_autoptr (GobanTextCache) text = goban_text_cache_new ();
      g_autoptr (GobanPen) pen = goban_pen_new_for_cairo (cr, 140, 40, text);
      const guint32 *pixels;
      int stride;
      guint n_inside = 0;

      goban_waterfall_paint_bar (waterfall, row, pen, lane, GOBAN_THEME_DARK);
      cairo_surface_flush (surface);
      pixels = (const guint32 *) (const void *) cairo_image_surface_get_data (surface);
      stride = cairo_image_surface_get_stride (surface) / 4;
      for (int y = 0; y < 40; y++)
        for (int x = 0; x < 140; x++)
          {
            gboolean is_inside = x >= 20 && x < 121 && y >= 10 && y < 28;
            gboolean is_painted = (pixels[y * stride + x] & 0xffffff) != 0;

            g_assert_true (is_inside || !is_painted);
            n_inside += is_painted;
          }
      g_assert_cmpuint (n_inside, >, 8);
      cairo_destroy (cr);
      cairo_surface_destroy (surface);
    }
}

TEST_PROGRAM (waterfall)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/waterfall/rows", test_rows);
  g_test_add_func ("/waterfall/lane", test_lane);
  return g_test_run ();
}
