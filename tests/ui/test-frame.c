/* Rules of the window's frame: for random sizes and contents, without a display. */
#include "tests/support/test-program.h"
#include "ui/frame/frame-layout.h"

#define N_TRIALS 20000
#define STATUS 26
#define HEADER 46

static gboolean
draw_chance (void)
{
  return g_test_rand_int_range (0, 2) == 1;
}

static int
draw_size (int least, int most)
{
  return draw_chance () ? g_test_rand_int_range (least, most) : 0;
}

/* A frame from a small to a large screen, with any of its slots shown. */
static GobanFrameRequest
draw_request (void)
{
  GobanFrameRequest request = { .width = g_test_rand_int_range (640, 2600),
                                .height = g_test_rand_int_range (434, 1500),
                                .is_left_tall = draw_chance (),
                                .is_right_tall = draw_chance (),
                                .maximized = -1 };
  int n_bars = g_test_rand_int_range (1, 9);

  request.window_height = request.height + HEADER;
  request.wanted[GOBAN_SLOT_LEFT] = draw_size (100, 700);
  request.wanted[GOBAN_SLOT_RIGHT] = draw_size (100, 700);
  request.wanted[GOBAN_SLOT_SIDE] = draw_size (300, 301);
  request.wanted[GOBAN_SLOT_TOOLBAR] = draw_size (32, 33);
  request.wanted[GOBAN_SLOT_PLAYER] = draw_size (54, 55);
  request.wanted[GOBAN_SLOT_DRAWER] = draw_size (120, 500);
  request.wanted[GOBAN_SLOT_STATUS] = STATUS;
  request.least_bars = 26 + 12 * n_bars;
  request.wanted[GOBAN_SLOT_TIME] = draw_size (request.least_bars, 800);
  return request;
}

static gboolean
has_area (const GdkRectangle *area)
{
  return area->width > 0 && area->height > 0;
}

static gint64
size_of (const GdkRectangle *area)
{
  return (gint64) area->width * area->height;
}

/* Slots lie in the frame, beside each other, and leave no gap. */
static void
assert_tiling (const GobanFrameRequest *request, const GdkRectangle *slots)
{
  gint64 covered = 0;

  for (guint i = 0; i < GOBAN_N_SLOTS; i++)
    {
      if (!has_area (&slots[i]))
        continue;
      covered += size_of (&slots[i]);
      g_assert_cmpint (slots[i].x, >=, 0);
      g_assert_cmpint (slots[i].y, >=, 0);
      g_assert_cmpint (slots[i].x + slots[i].width, <=, request->width);
      g_assert_cmpint (slots[i].y + slots[i].height, <=, request->height);
      for (guint k = 0; k < i; k++)
        g_assert_false (has_area (&slots[k])
                        && gdk_rectangle_intersect (&slots[i], &slots[k], NULL));
    }
  /* A column that is not tall ends with the board, and so does nothing below it. */
  g_assert_cmpint (covered, ==, (gint64) request->width * request->height);
}

/* The board's share of the window comes before all others'. */
static void
test_board (void)
{
  for (guint t = 0; t < N_TRIALS; t++)
    {
      GobanFrameRequest request = draw_request ();
      GdkRectangle slots[GOBAN_N_SLOTS];
      const GdkRectangle *board = &slots[GOBAN_SLOT_BOARD];

      goban_frame_lay_out (&request, slots);
      assert_tiling (&request, slots);
      g_assert_cmpint (board->height * 100, >=, request.window_height * GOBAN_FRAME_BOARD_PERCENT);
      if (request.width - slots[GOBAN_SLOT_SIDE].width >= GOBAN_FRAME_BOARD_WIDTH)
        g_assert_cmpint (board->width, >=, GOBAN_FRAME_BOARD_WIDTH);
    }
}

/* The bars are visible wherever the board leaves them room; the toolbar, and then the drawer's
 * height, go first. */
static void
test_bars (void)
{
  for (guint t = 0; t < N_TRIALS; t++)
    {
      GobanFrameRequest request = draw_request ();
      GdkRectangle slots[GOBAN_N_SLOTS];
      int board = (request.window_height * GOBAN_FRAME_BOARD_PERCENT + 99) / 100;
      int room = request.height - STATUS - request.wanted[GOBAN_SLOT_PLAYER] - board;
      int drawer = MIN (request.wanted[GOBAN_SLOT_DRAWER], GOBAN_FRAME_LEAST_DRAWER);

      if (request.wanted[GOBAN_SLOT_TIME] == 0)
        continue;
      goban_frame_lay_out (&request, slots);
      if (request.least_bars + drawer <= room)
        g_assert_cmpint (slots[GOBAN_SLOT_TIME].height, >=, request.least_bars);
      if (request.least_bars + drawer + request.wanted[GOBAN_SLOT_TOOLBAR] <= room)
        g_assert_cmpint (slots[GOBAN_SLOT_TOOLBAR].height, ==, request.wanted[GOBAN_SLOT_TOOLBAR]);
      /* What is covered is the time, not the board. */
      if (request.wanted[GOBAN_SLOT_DRAWER] > 0 && room >= drawer)
        g_assert_cmpint (slots[GOBAN_SLOT_DRAWER].height, >=, drawer);
    }
}

/* With room for all, each slot has the size that it asked for. */
static void
test_wishes (void)
{
  GobanFrameRequest request
      = { .width = 1280, .height = 754, .window_height = 800, .least_bars = 74, .maximized = -1 };
  GdkRectangle slots[GOBAN_N_SLOTS];

  request.wanted[GOBAN_SLOT_LEFT] = 208;
  request.wanted[GOBAN_SLOT_RIGHT] = 264;
  request.wanted[GOBAN_SLOT_TOOLBAR] = 32;
  request.wanted[GOBAN_SLOT_TIME] = 136;
  request.wanted[GOBAN_SLOT_STATUS] = STATUS;
  goban_frame_lay_out (&request, slots);
  /* The figures of the design, for Explore. */
  g_assert_cmpint (slots[GOBAN_SLOT_BOARD].height, ==, 560);
  g_assert_cmpint (slots[GOBAN_SLOT_BOARD].width, ==, 808);
  g_assert_cmpint (slots[GOBAN_SLOT_TIME].width, ==, 1280);
  g_assert_cmpint (slots[GOBAN_SLOT_TIME].y, ==, 592);

  /* Decisions: the right column is as high as board and time. */
  request.wanted[GOBAN_SLOT_LEFT] = 0;
  request.wanted[GOBAN_SLOT_RIGHT] = 360;
  request.wanted[GOBAN_SLOT_TOOLBAR] = 0;
  request.wanted[GOBAN_SLOT_TIME] = 126;
  request.wanted[GOBAN_SLOT_PLAYER] = 54;
  request.is_right_tall = TRUE;
  goban_frame_lay_out (&request, slots);
  g_assert_cmpint (slots[GOBAN_SLOT_BOARD].height, ==, 548);
  g_assert_cmpint (slots[GOBAN_SLOT_RIGHT].height, ==, 548 + 126);
  g_assert_cmpint (slots[GOBAN_SLOT_TIME].width, ==, 920);
  g_assert_cmpint (slots[GOBAN_SLOT_PLAYER].width, ==, 1280);
}

/* A maximized slot has all but the side panel, the player and the status line; a floating column
 * takes nothing from the board. */
static void
test_maximized (void)
{
  for (guint t = 0; t < N_TRIALS; t++)
    {
      GobanFrameRequest request = draw_request ();
      GdkRectangle slots[GOBAN_N_SLOTS], docked;

      request.maximized = draw_chance () ? GOBAN_SLOT_BOARD : GOBAN_SLOT_TIME;
      goban_frame_lay_out (&request, slots);
      assert_tiling (&request, slots);
      g_assert_false (has_area (&slots[GOBAN_SLOT_LEFT]));
      g_assert_false (has_area (&slots[GOBAN_SLOT_DRAWER]));
      g_assert_cmpint (slots[request.maximized].width, ==,
                       request.width - slots[GOBAN_SLOT_SIDE].width);

      request.maximized = -1;
      request.wanted[GOBAN_SLOT_LEFT] = 0;
      request.wanted[GOBAN_SLOT_RIGHT] = 0;
      goban_frame_lay_out (&request, slots);
      docked = slots[GOBAN_SLOT_BOARD];
      request.is_left_over = TRUE;
      request.wanted[GOBAN_SLOT_LEFT] = 208;
      goban_frame_lay_out (&request, slots);
      g_assert_true (gdk_rectangle_equal (&docked, &slots[GOBAN_SLOT_BOARD]));
      g_assert_cmpint (slots[GOBAN_SLOT_LEFT].width, ==, 208);
    }
}

TEST_PROGRAM (frame)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/frame/board", test_board);
  g_test_add_func ("/frame/bars", test_bars);
  g_test_add_func ("/frame/wishes", test_wishes);
  g_test_add_func ("/frame/maximized", test_maximized);
  return g_test_run ();
}
