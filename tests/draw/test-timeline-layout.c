/* The layout of lanes: a bar for every device in any height, sub-rows that open and scroll under
 * the bars. */
#include "tests/draw/draw-fixture.h"
#include "tests/draw/draw-golden.h"
#include "tests/support/test-program.h"
#include "ui/draw/timeline/timeline-scene.h"

#include <math.h>
#include <string.h>

#define WIDTH 400

/* --- scenes ----------------------------------------------------------------------------------- */

static void
name_lane (GobanLane *lane, GobanLaneKind kind, guint device, guint peer)
{
  lane->kind = kind;
  lane->device = (GobanDeviceId) device;
  lane->peer = (GobanDeviceId) peer;
  lane->id = kind == GOBAN_LANE_DEVICE   ? g_strdup_printf ("gpu:%u", device)
             : kind == GOBAN_LANE_MEMORY ? g_strdup_printf ("gpu:%u/memory", device)
                                         : g_strdup_printf ("gpu:%u>gpu:%u", device, peer);
}

/* Each device is busy all the time with ops of its own colour, and sends @colour. */
static GobanTimelineScene *
any_scene (guint n_devices, guint most_links, guint16 colour)
{
  GobanTimelineScene *scene
      = goban_timeline_scene_new_empty (n_devices * (2 + MIN (most_links, n_devices - 1)));
  guint n = 0;

  for (guint d = 0; d < n_devices; d++)
    {
      GobanSlice op = { 0, 100, d, GOBAN_NO_TRANSFER, (guint16) d, 0, FALSE };
      guint n_links
          = (guint) g_test_rand_int_range (0, (gint32) MIN (most_links, n_devices - 1) + 1);

      name_lane (&scene->lanes[n], GOBAN_LANE_DEVICE, d, 0);
      goban_lane_set_slices (&scene->lanes[n++], &op, 1);
      if (g_test_rand_bit ())
        name_lane (&scene->lanes[n++], GOBAN_LANE_MEMORY, d, 0);
      for (guint k = 1; k <= n_links; k++)
        {
          GobanSlice sent[3];

          for (guint i = 0; i < 3; i++)
            sent[i] = (GobanSlice){ 0, 100, d, 3 * n + i, colour, 0, FALSE };
          name_lane (&scene->lanes[n], GOBAN_LANE_LINK, d, (d + k) % n_devices);
          goban_lane_set_slices (&scene->lanes[n++], sent, (guint) g_test_rand_int_range (1, 4));
        }
    }
  for (guint l = 0; l < n; l++)
    if (scene->lanes[l].slices == NULL)
      goban_lane_set_slices (&scene->lanes[l], NULL, 0);
  scene->n_lanes = n;
  scene->end_us = 100;
  return scene;
}

/* Any of the names that options of these lanes may have; lists are NULL-terminated. */
typedef struct
{
  GPtrArray *open, *pinned, *order;
  GobanLanes lanes;
} Options;

static GPtrArray *
any_names (const GobanTimelineScene *scene, gboolean has_words)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  guint n = (guint) g_test_rand_int_range (0, 5);

  for (guint i = 0; i < n; i++)
    {
      const char *id = scene->lanes[g_test_rand_int_range (0, (gint32) scene->n_lanes)].id;

      g_ptr_array_add (names, g_strdup (id));
    }
  if (has_words && g_test_rand_int_range (0, 3) == 0)
    g_ptr_array_add (names, g_strdup (GOBAN_LANES_MEMORY));
  if (has_words && g_test_rand_int_range (0, 3) == 0)
    g_ptr_array_add (names, g_strdup (GOBAN_LANES_LINKS));
  if (has_words && g_test_rand_int_range (0, 3) == 0)
    g_ptr_array_add (names, g_strdup ("gpu:1/links"));
  g_ptr_array_add (names, NULL);
  return names;
}

static Options
any_options (const GobanTimelineScene *scene)
{
  Options options = { .open = any_names (scene, TRUE),
                      .pinned = any_names (scene, FALSE),
                      .order = any_names (scene, FALSE) };

  options.lanes = (GobanLanes){ (const char *const *) options.open->pdata,
                                (const char *const *) options.pinned->pdata,
                                (const char *const *) options.order->pdata,
                                g_test_rand_int_range (0, 6) == 0 };
  return options;
}

static void
options_clear (Options *options)
{
  g_ptr_array_unref (options->open);
  g_ptr_array_unref (options->pinned);
  g_ptr_array_unref (options->order);
}

/* --- what must hold --------------------------------------------------------------------------- */

static gboolean
should_show (const GobanLane *lane, const GobanLanes *lanes)
{
  const char *word = lane->kind == GOBAN_LANE_MEMORY ? "memory" : "links";
  g_autofree char *device = g_strdup_printf ("gpu:%u", lane->device);
  g_autofree char *own = g_strdup_printf ("%s/%s", device, word);

  if (lane->kind == GOBAN_LANE_DEVICE || g_strv_contains (lanes->pinned, lane->id))
    return TRUE;
  return !lanes->is_strips
         && (g_strv_contains (lanes->open, word) || g_strv_contains (lanes->open, device)
             || g_strv_contains (lanes->open, own));
}

/* Each sub-row is below its own device, and each lane is there once. */
static void
check_order (const GobanTimelineScene *scene)
{
  g_autofree guint8 *is_seen = g_malloc0 (scene->n_lanes);
  guint device = G_MAXUINT;

  for (guint i = 0; i < scene->n_lanes; i++)
    {
      const GobanLane *lane = &scene->lanes[scene->order[i]];

      g_assert_false (is_seen[scene->order[i]]);
      is_seen[scene->order[i]] = TRUE;
      if (lane->kind == GOBAN_LANE_DEVICE)
        device = lane->device;
      g_assert_cmpuint (lane->device, ==, device);
    }
}

/* The listed devices come first, in the order of their list, after the pinned ones. */
static void
check_wishes (const GobanTimelineScene *scene, const GobanLanes *lanes)
{
  const char *const *const lists[] = { lanes->pinned, lanes->order };
  g_autoptr (GPtrArray) wanted = g_ptr_array_new ();
  guint n = 0;

  for (guint k = 0; k < G_N_ELEMENTS (lists); k++)
    for (guint i = 0; lists[k][i] != NULL; i++)
      if (strpbrk (lists[k][i], "/>") == NULL
          && !g_ptr_array_find_with_equal_func (wanted, lists[k][i], g_str_equal, NULL))
        g_ptr_array_add (wanted, (gpointer) lists[k][i]);
  for (guint i = 0; i < scene->n_lanes && n < wanted->len; i++)
    if (scene->lanes[scene->order[i]].kind == GOBAN_LANE_DEVICE)
      g_assert_cmpstr (scene->lanes[scene->order[i]].id, ==, g_ptr_array_index (wanted, n++));
}

static guint
count_bars (const GobanTimelineScene *scene)
{
  guint n = 0;

  for (guint l = 0; l < scene->n_lanes; l++)
    n += scene->lanes[l].kind == GOBAN_LANE_DEVICE;
  return n;
}

/* Bars are in sight, in their order, and as far apart as each other or further. Those that cannot
 * all be visible scroll under pinned ones. */
static void
check_bars (const GobanTimelineScene *scene, const GobanLanes *lanes, double room, double scroll_y)
{
  guint n_bars = count_bars (scene);
  double least = lanes->is_strips ? GOBAN_BAR_STRIP_PITCH : GOBAN_BAR_LEAST_PITCH;
  gboolean must_fit = room >= n_bars * least, free_is_stuck = FALSE;
  double free_y = -INFINITY;

  for (guint i = 0; i < scene->n_lanes; i++)
    {
      const GobanLane *bar = &scene->lanes[scene->order[i]];
      double top = goban_lane_get_top (bar, scroll_y);

      if (bar->kind != GOBAN_LANE_DEVICE)
        continue;
      g_assert_cmpfloat (bar->height + scene->bar_gap, >=, least);
      g_assert_cmpfloat (bar->height + scene->bar_gap, <=, GOBAN_BAR_MOST_PITCH);
      if (!must_fit && !bar->place.is_stuck && free_is_stuck)
        free_y = -INFINITY;
      free_is_stuck = bar->place.is_stuck;
      g_assert_cmpfloat (top, >=, free_y);
      free_y = top + bar->height + scene->bar_gap;
      if (!must_fit)
        continue;
      g_assert_cmpfloat (top, >=, 0);
      g_assert_cmpfloat (top + bar->height, <=, room + 0.5);
    }
}

static GobanTimelinePicture
picture_of (const GobanTimelineScene *scene, double scroll_y)
{
  GobanTimelineStyle style = { .ui_scale = 1 };

  return (GobanTimelinePicture){ .scene = scene,
                                 .camera = { 0, 100 / goban_timeline_lanes_width (&style, WIDTH),
                                             scroll_y },
                                 .style = style };
}

/* A point is of the lane that is seen there: a stuck bar hides what scrolls under it. */
static void
check_points (const GobanTimelineScene *scene, double room, double scroll_y)
{
  GobanTimelinePicture picture = picture_of (scene, scroll_y);

  for (double y = 0.25; y < MIN (room, 600); y += 0.5)
    {
      guint hit = goban_timeline_lane_at (&picture, GOBAN_TIMELINE_AXIS + y);
      guint n_over = 0;

      for (guint l = 0; l < scene->n_lanes; l++)
        {
          double top = goban_lane_get_top (&scene->lanes[l], scroll_y);

          if (y < top || y >= top + scene->lanes[l].height)
            continue;
          n_over++;
          if (scene->lanes[l].place.is_stuck)
            g_assert_cmpuint (hit, ==, l);
        }
      g_assert_cmpint (hit != GOBAN_NO_LANE, <=, n_over);
      if (hit != GOBAN_NO_LANE)
        {
          g_assert_cmpfloat (y, >=, goban_lane_get_top (&scene->lanes[hit], scroll_y));
          g_assert_cmpfloat (
              y, <, goban_lane_get_top (&scene->lanes[hit], scroll_y) + scene->lanes[hit].height);
        }
    }
}

static void
test_any_lanes (void)
{
  for (guint round = 0; round < 400; round++)
    {
      guint n_devices = (guint) g_test_rand_int_range (1, round % 4 == 0 ? 20 : 9);
      g_autoptr (GobanTimelineScene) scene = any_scene (n_devices, 4, 0);
      Options options = any_options (scene);
      double room = g_test_rand_int_range (10, 600);
      double most;

      goban_timeline_scene_arrange (scene, &options.lanes, room);
      check_order (scene);
      check_wishes (scene, &options.lanes);
      for (guint l = 0; l < scene->n_lanes; l++)
        g_assert_cmpint (scene->lanes[l].height > 0, ==,
                         should_show (&scene->lanes[l], &options.lanes));
      most = MAX (scene->height - room, 0);
      for (guint k = 0; k <= 4; k++)
        {
          check_bars (scene, &options.lanes, room, most * k / 4);
          check_points (scene, room, most * k / 4);
        }
      options_clear (&options);
    }
}

/* All of up to eight devices, whatever is open; of more, the first eight while nothing is. */
static void
test_least_heights (void)
{
  const GobanLanes all = { (const char *const[]){ "memory", "links", NULL }, NULL, NULL, FALSE };
  const GobanLanes none = { NULL };

  for (guint n = 1; n <= 12; n++)
    {
      g_autoptr (GobanTimelineScene) scene = any_scene (n, 3, 0);
      double least = goban_bars_get_least_height (n);

      g_assert_cmpfloat (least, ==, MIN (n, 8) * 12.0);
      for (double room = least; room < 400; room++)
        {
          guint n_seen = 0;

          goban_timeline_scene_arrange (scene, n <= 8 ? &all : &none, room);
          for (guint l = 0; l < scene->n_lanes; l++)
            if (scene->lanes[l].kind == GOBAN_LANE_DEVICE)
              {
                double top = goban_lane_get_top (&scene->lanes[l], 0);

                n_seen += top >= 0 && top + scene->lanes[l].height <= room;
              }
          g_assert_cmpuint (n_seen, >=, MIN (n, 8));
        }
    }
  g_assert_cmpfloat (goban_bars_get_wanted_height (4, TRUE), ==, 168 - 32 - GOBAN_TIMELINE_AXIS);
  g_assert_cmpfloat (goban_bars_get_wanted_height (8, TRUE), ==, 216 - 32 - GOBAN_TIMELINE_AXIS);
  g_assert_cmpfloat (goban_bars_get_wanted_height (4, FALSE), ==, 126 - GOBAN_TIMELINE_AXIS);
}

/* All sub-rows can be scrolled into the room that the bars leave. */
static void
test_rows_are_reached (void)
{
  const GobanLanes all = { (const char *const[]){ "memory", "links", NULL }, NULL, NULL, FALSE };

  for (guint round = 0; round < 40; round++)
    {
      guint n_devices = (guint) g_test_rand_int_range (2, 9);
      g_autoptr (GobanTimelineScene) scene = any_scene (n_devices, 4, 0);
      double room = n_devices * 12 + 90;

      goban_timeline_scene_arrange (scene, &all, room);
      for (guint l = 0; l < scene->n_lanes; l++)
        {
          const GobanLane *lane = &scene->lanes[l];
          gboolean is_reached = lane->kind == GOBAN_LANE_DEVICE;

          for (double y = 0; y <= MAX (scene->height - room, 0) && !is_reached; y++)
            {
              GobanScrolled part = goban_timeline_scene_get_scrolled (scene, y);
              double top = goban_lane_get_top (lane, y);

              is_reached = top >= part.from_y && top + lane->height <= MIN (part.to_y, room);
            }
          g_assert_true (is_reached);
        }
    }
}

static guint
count_in_rows (cairo_surface_t *surface, GobanRgb rgb, int y0, int y1)
{
  guint n = 0;

  for (int y = y0; y < y1; y++)
    for (int x = (int) GOBAN_TIMELINE_HEADER; x < WIDTH; x++)
      n += draw_pixel (surface, x, y) == rgb;
  return n;
}

/* Links of a colour of their own are painted between the stuck bars, and nowhere over them. */
static void
test_rows_are_clipped (void)
{
  const GobanLanes links = { (const char *const[]){ "links", NULL }, NULL, NULL, FALSE };
  GobanRgb rgb = goban_palette_device (GOBAN_THEME_LIGHT, 6);

  for (guint round = 0; round < 12; round++)
    {
      g_autoptr (GobanTimelineScene) scene = any_scene (4, 3, 6);
      int room = g_test_rand_int_range (70, 130);
      guint n_shown = 0;

      goban_timeline_scene_arrange (scene, &links, room);
      for (double y = 0; y <= MAX (scene->height - room, 0); y += 7)
        {
          GobanTimelinePicture picture = picture_of (scene, y);
          GobanScrolled part = goban_timeline_scene_get_scrolled (scene, y);
          int top = (int) GOBAN_TIMELINE_AXIS;
          int from = top + (int) part.from_y;
          int to = top + (int) MIN (part.to_y, room);
          cairo_surface_t *surface = draw_timeline_new (&picture, WIDTH, top + room);

          cairo_surface_flush (surface);
          n_shown += count_in_rows (surface, rgb, from, to);
          g_assert_cmpuint (count_in_rows (surface, rgb, 0, from), ==, 0);
          g_assert_cmpuint (count_in_rows (surface, rgb, to, top + room), ==, 0);
          draw_check_devices_show (surface, GOBAN_THEME_LIGHT, 4);
          cairo_surface_destroy (surface);
        }
      g_assert_cmpuint (n_shown > 0, ==, scene->rows_height > 0);
    }
}

TEST_PROGRAM (timeline_layout)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/draw/timeline-layout/any-lanes", test_any_lanes);
  g_test_add_func ("/draw/timeline-layout/least-heights", test_least_heights);
  g_test_add_func ("/draw/timeline-layout/rows-are-reached", test_rows_are_reached);
  g_test_add_func ("/draw/timeline-layout/rows-are-clipped", test_rows_are_clipped);
  return g_test_run ();
}
