#include "ui/draw/camera.h"
#include "ui/draw/time-camera.h"

#include "engine/core/quantity.h"
#include "tests/support/test-program.h"

static GobanCamera
any_camera (void)
{
  return (GobanCamera){ g_test_rand_double_range (0.01, 8), g_test_rand_double_range (-1e4, 1e4),
                        g_test_rand_double_range (-1e4, 1e4) };
}

static void
test_round_trip (void)
{
  for (guint i = 0; i < 200; i++)
    {
      GobanCamera camera = any_camera ();
      GobanPoint point
          = { g_test_rand_double_range (-1e5, 1e5), g_test_rand_double_range (-1e5, 1e5) };
      GobanPoint back = goban_camera_to_world (&camera, goban_camera_to_screen (&camera, point));

      g_assert_cmpfloat_with_epsilon (back.x, point.x, 1e-6);
      g_assert_cmpfloat_with_epsilon (back.y, point.y, 1e-6);
    }
}

static void
test_zoom_keeps_point (void)
{
  for (guint i = 0; i < 200; i++)
    {
      GobanCamera camera = any_camera ();
      GobanPoint at = { 300, 200 };
      GobanPoint before = goban_camera_to_world (&camera, at);
      GobanPoint after;

      goban_camera_zoom (&camera, 1.7, at);
      after = goban_camera_to_world (&camera, at);
      g_assert_cmpfloat_with_epsilon (before.x, after.x, 1e-6 * (1 + ABS (before.x)));
      g_assert_cmpfloat_with_epsilon (before.y, after.y, 1e-6 * (1 + ABS (before.y)));
    }
}

static void
test_fit_shows_all (void)
{
  GobanBox world = { -100, 50, 900, 4050 };
  GobanCamera camera = goban_camera_fit (world, 800, 600, 20, 2);
  GobanBox seen = goban_camera_box_to_screen (&camera, world);

  g_assert_cmpfloat_with_epsilon (seen.y0, 20, 1e-9);
  g_assert_cmpfloat_with_epsilon (seen.y1, 580, 1e-9);
  g_assert_cmpfloat_with_epsilon (seen.x0 + seen.x1, 800, 1e-9);
  camera = goban_camera_fit ((GobanBox){ 5, 5, 5, 5 }, 800, 600, 20, 2);
  g_assert_cmpfloat (camera.scale, ==, 2);
}

static void
test_clamp (void)
{
  GobanBox world = { 0, 0, 1000, 1000 };
  GobanCamera camera = { 1e-9, 0, 0 };
  GobanBox seen;

  goban_camera_clamp (&camera, world, 500, 500, 4);
  g_assert_cmpfloat_with_epsilon (camera.scale, 0.25, 1e-9);
  camera = (GobanCamera){ 100, 0, 0 };
  goban_camera_clamp (&camera, world, 500, 500, 4);
  g_assert_cmpfloat_with_epsilon (camera.scale, 4, 1e-9);
  camera = (GobanCamera){ 1, 1e9, -1e9 };
  goban_camera_clamp (&camera, world, 500, 500, 4);
  seen = goban_camera_box_to_screen (&camera, world);
  g_assert_cmpfloat (seen.x0, <=, 500 - 500 / 3.0 + 1e-6);
  g_assert_cmpfloat (seen.y1, >=, 500 / 3.0 - 1e-6);
}

static void
test_time_round_trip (void)
{
  GobanTimeCamera camera = goban_time_camera_fit (0, 5000, 1000);
  double at = goban_time_camera_to_us (&camera, 300);

  g_assert_cmpfloat (goban_time_camera_to_x (&camera, 5000), <=, 1000);
  goban_time_camera_zoom (&camera, 40, 300);
  g_assert_cmpfloat_with_epsilon (goban_time_camera_to_us (&camera, 300), at, 1e-6);
  goban_time_camera_pan (&camera, 50, 0);
  g_assert_cmpfloat_with_epsilon (goban_time_camera_to_us (&camera, 350), at, 1e-6);
  camera.us_per_px = 1e12;
  goban_time_camera_clamp (&camera, 5000, 1000, 100, 300);
  g_assert_cmpfloat (camera.us_per_px, <=, 10 + 1e-9);
  g_assert_cmpfloat (camera.scroll_y, ==, 0);
}

static void
check_tick (double time_us, double step_us, const char *expected)
{
  char buffer[GOBAN_QUANTITY_LEN];

  g_assert_cmpstr (goban_time_tick (buffer, time_us, step_us), ==, expected);
}

static void
test_ticks (void)
{
  g_assert_cmpfloat_with_epsilon (goban_time_step (1, 100), 100, 1e-9);
  g_assert_cmpfloat_with_epsilon (goban_time_step (1.01, 100), 200, 1e-9);
  g_assert_cmpfloat_with_epsilon (goban_time_step (3, 100), 500, 1e-9);
  g_assert_cmpfloat_with_epsilon (goban_time_step (6, 100), 1000, 1e-9);
  check_tick (0, 100, "0");
  check_tick (1500, 500, "1.5 ms");
  check_tick (2000, 1000, "2 ms");
  check_tick (12, 2, "12 µs");
  check_tick (0.5, 0.1, "0.5 µs");
  check_tick (2.5e6, 5e5, "2.5 s");
  check_tick (20000, 10000, "20 ms");
}

TEST_PROGRAM (camera)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/camera/round-trip", test_round_trip);
  g_test_add_func ("/draw/camera/zoom-keeps-point", test_zoom_keeps_point);
  g_test_add_func ("/draw/camera/fit-shows-all", test_fit_shows_all);
  g_test_add_func ("/draw/camera/clamp", test_clamp);
  g_test_add_func ("/draw/camera/time-round-trip", test_time_round_trip);
  g_test_add_func ("/draw/camera/ticks", test_ticks);
  return g_test_run ();
}
