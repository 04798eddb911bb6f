#include "tests/draw/draw-fixture.h"
#include "tests/draw/draw-golden.h"
#include "tests/support/test-program.h"
#include "ui/draw/timeline/timeline-merge.h"
#include "ui/draw/timeline/timeline-scene.h"

#include <math.h>

#define WIDTH 420
#define HEIGHT 220

/* Back to back with gaps, some shorter than a nanosecond and some long. */
static GArray *
any_slices (guint n)
{
  GArray *slices = g_array_new (FALSE, TRUE, sizeof (GobanSlice));
  double at = g_test_rand_double_range (0, 10);

  for (guint i = 0; i < n; i++)
    {
      GobanSlice slice = { .start_us = at, .node = i, .transfer = GOBAN_NO_TRANSFER };

      at += pow (10, g_test_rand_double_range (-3, 1.3));
      slice.finish_us = at;
      slice.device = (guint16) g_test_rand_int_range (0, 5);
      slice.is_critical = g_test_rand_int_range (0, 9) == 0;
      g_array_append_val (slices, slice);
      if (g_test_rand_bit ())
        at += g_test_rand_double_range (0, 4);
    }
  return slices;
}

static double
overlap (const GobanSlice *slice, double from, double to)
{
  return MAX (MIN (slice->finish_us, to) - MAX (slice->start_us, from), 0);
}

static void
test_merge_equals_naive (void)
{
  for (guint round = 0; round < 40; round++)
    {
      g_autoptr (GArray) slices = any_slices (300);
      double start = g_test_rand_double_range (-20, 200);
      double us_per_px = pow (10, g_test_rand_double_range (-1, 1.5));
      GobanColumn columns[120];
      g_autofree GobanMerge *merge = g_new (GobanMerge, 1);

      goban_merge_start (merge, columns, 120, start, us_per_px);
      for (guint i = 0; i < slices->len; i++)
        goban_merge_add (merge, &g_array_index (slices, GobanSlice, i));
      goban_merge_finish (merge);
      for (guint c = 0; c < 120; c++)
        {
          double from = start + c * us_per_px;
          double busy[5] = { 0 };
          double sum = 0, most = 0;

          for (guint i = 0; i < slices->len; i++)
            {
              const GobanSlice *slice = &g_array_index (slices, GobanSlice, i);

              busy[slice->device] += overlap (slice, from, from + us_per_px);
            }
          for (guint k = 0; k < 5; k++)
            {
              sum += busy[k];
              most = MAX (most, busy[k]);
            }
          g_assert_cmpfloat_with_epsilon ((double) columns[c].share, sum / us_per_px, 1e-5);
          if (sum > 1e-9 * us_per_px)
            g_assert_cmpfloat_with_epsilon (busy[columns[c].colour], most, 1e-6 * us_per_px);
        }
    }
}

static void
test_rows_hold_no_overlaps (void)
{
  for (guint round = 0; round < 20; round++)
    {
      GobanSlice slices[200] = { 0 };
      GobanLane lane = { 0 };
      guint n_together = 0;

      for (guint i = 0; i < 200; i++)
        {
          slices[i].start_us = g_test_rand_double_range (0, 100);
          slices[i].finish_us = slices[i].start_us + g_test_rand_double_range (0, 8);
        }
      goban_lane_set_slices (&lane, slices, 200);
      for (guint r = 0; r < lane.n_rows; r++)
        for (guint i = lane.row_first[r] + 1; i < lane.row_first[r + 1]; i++)
          g_assert_cmpfloat (lane.slices[i].start_us, >=, lane.slices[i - 1].finish_us);
      /* As few rows as slices that run together. */
      for (guint i = 0; i < 200; i++)
        {
          guint n = 0;

          for (guint k = 0; k < 200; k++)
            n += slices[k].start_us <= slices[i].start_us
                 && slices[k].finish_us > slices[i].start_us;
          n_together = MAX (n_together, n);
        }
      g_assert_cmpuint (lane.n_rows, ==, n_together);
      g_free (lane.slices);
      g_free (lane.row_first);
    }
}

/* gpu:0   AAAA  B    CC.....   memory   transfer to gpu:1 of A, twice at once
 *         0  40 50 70 99 100   */
static GobanTimelineScene *
toy_scene (void)
{
  GobanTimelineScene *scene = goban_timeline_scene_new_empty (3);
  const GobanSlice ops[] = { { 0, 40, 0, GOBAN_NO_TRANSFER, 0, 0, TRUE },
                             { 50, 70, 1, GOBAN_NO_TRANSFER, 0, 1, FALSE },
                             { 99, 100, 2, GOBAN_NO_TRANSFER, 0, 2, TRUE } };
  const GobanSlice sends[] = { { 40, 80, 0, 0, 1, 0, TRUE }, { 45, 60, 0, 1, 1, 0, FALSE } };
  const GobanMemoryPoint memory[] = { { 0, 100 }, { 40, 700 }, { 40.001, 300 }, { 70, 0 } };

  for (guint i = 0; i < 3; i++)
    scene->lanes[i].kind = (GobanLaneKind) i;
  scene->lanes[2].peer = 1;
  goban_lane_set_slices (&scene->lanes[0], ops, 3);
  goban_lane_set_slices (&scene->lanes[1], NULL, 0);
  goban_lane_set_slices (&scene->lanes[2], sends, 2);
  scene->lanes[1].points = g_memdup2 (memory, sizeof memory);
  scene->lanes[1].n_points = 4;
  scene->lanes[1].peak_bytes = 700;
  scene->lanes[1].capacity_bytes = 500;
  scene->end_us = 100;
  goban_timeline_scene_arrange (scene, NULL, INFINITY);
  return scene;
}

static GobanTimelinePicture
picture_of (const GobanTimelineScene *scene)
{
  GobanTimelineStyle style = { .show_critical = TRUE };
  double width = goban_timeline_lanes_width (&style, WIDTH);

  return (GobanTimelinePicture){ .scene = scene, .camera = { 0, 100 / width, 0 }, .style = style };
}

static int
lane_middle (const GobanTimelineScene *scene, guint lane)
{
  return (int) (GOBAN_TIMELINE_AXIS + scene->lanes[lane].y + scene->lanes[lane].height / 2);
}

static int
x_at (const GobanTimelinePicture *picture, double time_us)
{
  return (int) (GOBAN_TIMELINE_HEADER + goban_time_camera_to_x (&picture->camera, time_us));
}

static void
test_paints_busy_idle_and_overflow (void)
{
  g_autoptr (GobanTimelineScene) scene = toy_scene ();
  GobanTimelinePicture picture = picture_of (scene);
  cairo_surface_t *surface = draw_timeline_new (&picture, WIDTH, HEIGHT);
  const GobanColours *colours = goban_palette_get (GOBAN_THEME_LIGHT);
  int y = lane_middle (scene, 0);

  cairo_surface_flush (surface);
  g_assert_cmphex (draw_pixel (surface, x_at (&picture, 20), y), ==, goban_palette_device (0, 0));
  g_assert_cmphex (draw_pixel (surface, x_at (&picture, 85), y), ==, colours->panel);
  g_assert_cmphex (draw_pixel (surface, x_at (&picture, 62), y), !=, colours->panel);
  /* A peak of a nanosecond beyond the capacity still shows. */
  y = (int) (GOBAN_TIMELINE_AXIS + scene->lanes[1].y) + 4;
  g_assert_cmphex (draw_pixel (surface, x_at (&picture, 40), y), ==, colours->critical);
  cairo_surface_destroy (surface);
}

static void
test_narrow_slices_show (void)
{
  g_autoptr (GobanTimelineScene) scene = toy_scene ();
  GobanTimelinePicture picture = picture_of (scene);
  cairo_surface_t *surface;

  picture.camera.us_per_px = 5;
  surface = draw_timeline_new (&picture, WIDTH, HEIGHT);
  cairo_surface_flush (surface);
  g_assert_cmphex (draw_pixel (surface, x_at (&picture, 99.5), lane_middle (scene, 0)), !=,
                   goban_palette_get (GOBAN_THEME_LIGHT)->canvas);
  cairo_surface_destroy (surface);
}

static GobanTimelineHit
pick (const GobanTimelinePicture *picture, double time_us, guint lane, double dy)
{
  return goban_timeline_pick (
      picture,
      (GobanPoint){ GOBAN_TIMELINE_HEADER + goban_time_camera_to_x (&picture->camera, time_us),
                    lane_middle (picture->scene, lane) + dy });
}

static void
test_pick (void)
{
  g_autoptr (GobanTimelineScene) scene = toy_scene ();
  GobanTimelinePicture picture = picture_of (scene);
  GobanTimelineHit hit = pick (&picture, 20, 0, 0);

  g_assert_cmpint (hit.kind, ==, GOBAN_HIT_SLICE);
  g_assert_cmpuint (scene->lanes[0].slices[hit.slice].node, ==, 0);
  hit = pick (&picture, 85, 0, 0);
  g_assert_cmpint (hit.kind, ==, GOBAN_HIT_GAP);
  g_assert_cmpfloat (hit.from_us, ==, 70);
  g_assert_cmpfloat (hit.to_us, ==, 99);
  hit = pick (&picture, 45, 1, 0);
  g_assert_cmpint (hit.kind, ==, GOBAN_HIT_MEMORY);
  g_assert_cmpfloat (hit.bytes, ==, 300);
  hit = pick (&picture, 50, 2, 6);
  g_assert_cmpint (hit.kind, ==, GOBAN_HIT_SLICE);
  g_assert_cmpuint (scene->lanes[2].slices[hit.slice].transfer, ==, 1);
  hit = goban_timeline_pick (&picture, (GobanPoint){ 20, lane_middle (scene, 2) });
  g_assert_cmpint (hit.kind, ==, GOBAN_HIT_HEADER);
  g_assert_cmpuint (hit.lane, ==, 2);
  hit = goban_timeline_pick (&picture, (GobanPoint){ 300, 5 });
  g_assert_cmpint (hit.kind, ==, GOBAN_HIT_AXIS);
  hit = goban_timeline_pick (&picture, (GobanPoint){ 300, 5000 });
  g_assert_cmpint (hit.kind, ==, GOBAN_HIT_NOTHING);
  /* A microsecond is a fifth of a pixel here; two pixels off still mean it. */
  picture.camera.us_per_px = 5;
  hit = pick (&picture, 99 - 10, 0, 0);
  g_assert_cmpint (hit.kind, ==, GOBAN_HIT_SLICE);
  g_assert_cmpuint (scene->lanes[0].slices[hit.slice].node, ==, 2);
}

static void
test_overlay (void)
{
  g_autoptr (GobanTimelineScene) scene = toy_scene ();
  GobanTimelinePicture picture = picture_of (scene);
  GobanNodeId selected[] = { 1 };
  GobanNodeId matched[] = { 1, 2 };
  GobanTimelineOverlay overlay = goban_timeline_overlay_none ();
  cairo_surface_t *surface = draw_timeline_new (&picture, WIDTH, HEIGHT);
  GobanRgb colour = goban_palette_get (GOBAN_THEME_LIGHT)->selection;
  GobanRgb match = goban_palette_get (GOBAN_THEME_LIGHT)->match;

  overlay.selected = selected;
  overlay.n_selected = 1;
  overlay.matched = matched;
  overlay.n_matched = 2;
  g_assert_cmpuint (draw_count_pixels (surface, colour), ==, 0);
  g_assert_cmpuint (draw_count_pixels (surface, match), ==, 0);
  draw_timeline_overlay (surface, &picture, &overlay);
  g_assert_cmpuint (draw_count_pixels (surface, colour), >, 20);
  g_assert_cmpuint (draw_count_pixels (surface, match), >, 5);
  cairo_surface_destroy (surface);
}

/* Into whole pixels, unlike draw_timeline_overlay(). */
static void
overlay_in_pixels (cairo_surface_t *surface, const GobanTimelinePicture *picture,
                   const GobanTimelineOverlay *overlay)
{
  g_autoptr (GobanTextCache) text = goban_text_cache_new ();
  g_autoptr (GobanPen) pen = goban_pen_new_for_image (surface, text);

  goban_timeline_paint_overlay (picture, overlay, pen);
}

/* Slices of a pixel and more, from back to back to some pixels apart: marked together they are
 * painted as each alone. */
static void
test_overlay_of_many (void)
{
  g_autoptr (GobanTimelineScene) scene = toy_scene ();
  GobanTimelinePicture picture = picture_of (scene);
  g_autoptr (GArray) slices = g_array_new (FALSE, TRUE, sizeof (GobanSlice));
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  GobanTimelineOverlay all = goban_timeline_overlay_none (), one = all;
  cairo_surface_t *together, *alone;
  double at_px = 0;

  for (guint32 i = 0; i < 60; i++)
    {
      GobanSlice slice = { .node = i, .transfer = GOBAN_NO_TRANSFER };

      slice.start_us = at_px * picture.camera.us_per_px;
      at_px += g_test_rand_double_range (1, i % 10 == 0 ? 20 : 4);
      slice.finish_us = at_px * picture.camera.us_per_px;
      g_array_append_val (slices, slice);
      if (i % 7 != 3)
        g_array_append_val (ids, i);
      if (g_test_rand_bit ())
        at_px += g_test_rand_double_range (0, 4);
    }
  goban_lane_set_slices (&scene->lanes[0], (const GobanSlice *) (gpointer) slices->data,
                         slices->len);
  together = draw_timeline_new (&picture, WIDTH, HEIGHT);
  alone = draw_timeline_new (&picture, WIDTH, HEIGHT);
  all.selected = (const GobanNodeId *) (gpointer) ids->data;
  all.n_selected = ids->len;
  overlay_in_pixels (together, &picture, &all);
  one.n_selected = 1;
  for (guint i = 0; i < ids->len; i++)
    {
      one.selected = &g_array_index (ids, GobanNodeId, i);
      overlay_in_pixels (alone, &picture, &one);
    }
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      g_assert_cmphex (draw_pixel (together, x, y), ==, draw_pixel (alone, x, y));
  cairo_surface_destroy (together);
  cairo_surface_destroy (alone);
}

TEST_PROGRAM (timeline)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/timeline/merge-equals-naive", test_merge_equals_naive);
  g_test_add_func ("/draw/timeline/rows-hold-no-overlaps", test_rows_hold_no_overlaps);
  g_test_add_func ("/draw/timeline/paints-busy-idle-and-overflow",
                   test_paints_busy_idle_and_overflow);
  g_test_add_func ("/draw/timeline/narrow-slices-show", test_narrow_slices_show);
  g_test_add_func ("/draw/timeline/pick", test_pick);
  g_test_add_func ("/draw/timeline/overlay", test_overlay);
  g_test_add_func ("/draw/timeline/overlay-of-many", test_overlay_of_many);
  return g_test_run ();
}
