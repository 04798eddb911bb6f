#include "ui/frame/frame-layout.h"

/* The height of the axis: with less, the time is hidden behind the drawer. */
#define LEAST_TIME 30

typedef struct
{
  int left;
  int right;
} Columns;

static int
least_board_height (const GobanFrameRequest *request)
{
  return (request->window_height * GOBAN_FRAME_BOARD_PERCENT + 99) / 100;
}

/* Floating columns take nothing from the board. */
static Columns
find_columns (const GobanFrameRequest *request, int width)
{
  Columns columns = { request->is_left_over ? 0 : request->wanted[GOBAN_SLOT_LEFT],
                      request->is_right_over ? 0 : request->wanted[GOBAN_SLOT_RIGHT] };
  int room = MAX (width - GOBAN_FRAME_BOARD_WIDTH, 0);

  if (columns.left + columns.right > room && columns.left > 0)
    columns.left = MAX (room - columns.right, MIN (columns.left, GOBAN_FRAME_LEAST_COLUMN));
  if (columns.left + columns.right > room && columns.right > 0)
    columns.right = MAX (room - columns.left, MIN (columns.right, GOBAN_FRAME_LEAST_COLUMN));
  /* A column of which next to nothing is left hides. */
  if (columns.left + columns.right > room)
    columns.left = 0;
  if (columns.right > room)
    columns.right = 0;
  return columns;
}

/* Shrinks toolbar, time and drawer to @room, in the order of the header. */
static void
fit_heights (const GobanFrameRequest *request, int room, int *toolbar, int *time, int *drawer)
{
  int least_time = MIN (*time, request->least_bars);

  *time = CLAMP (room - *toolbar - *drawer, least_time, *time);
  if (*toolbar + *time + *drawer > room)
    *drawer = CLAMP (room - *toolbar - *time, MIN (*drawer, GOBAN_FRAME_LEAST_DRAWER), *drawer);
  if (*toolbar + *time + *drawer > room)
    *toolbar = 0;
  *drawer = CLAMP (*drawer, 0, MAX (room, 0));
  *time = CLAMP (*time, 0, MAX (room - *drawer, 0));
  if (*time < LEAST_TIME)
    *time = 0;
}

static GdkRectangle
rectangle (int x, int y, int width, int height)
{
  return (GdkRectangle){ x, y, height > 0 ? MAX (width, 0) : 0, width > 0 ? MAX (height, 0) : 0 };
}

/* Side, status and player keep their places, and the time its toolbar; the rest is the maximized
 * slot's. */
static void
lay_out_maximized (const GobanFrameRequest *request, GdkRectangle room,
                   GdkRectangle slots[GOBAN_N_SLOTS])
{
  int player = request->maximized != GOBAN_SLOT_PLAYER ? request->wanted[GOBAN_SLOT_PLAYER] : 0;

  slots[GOBAN_SLOT_PLAYER] = rectangle (room.x, room.y + room.height - player, room.width, player);
  slots[request->maximized] = rectangle (room.x, room.y, room.width, room.height - player);
}

static void
lay_out_slots (const GobanFrameRequest *request, GdkRectangle room,
               GdkRectangle slots[GOBAN_N_SLOTS])
{
  const int *wanted = request->wanted;
  Columns columns = find_columns (request, room.width);
  int player = wanted[GOBAN_SLOT_PLAYER];
  int toolbar = wanted[GOBAN_SLOT_TOOLBAR];
  int time = wanted[GOBAN_SLOT_TIME];
  int drawer = wanted[GOBAN_SLOT_DRAWER];
  int low_x = room.x + (request->is_left_tall ? columns.left : 0);
  int low_width = room.x + room.width - low_x;
  int time_width = low_width - (request->is_right_tall ? columns.right : 0);
  int board, y;

  fit_heights (request, room.height - player - least_board_height (request), &toolbar, &time,
               &drawer);
  board = room.height - player - toolbar - time - drawer;
  slots[GOBAN_SLOT_BOARD]
      = rectangle (room.x + columns.left, 0, room.width - columns.left - columns.right, board);
  y = board;
  slots[GOBAN_SLOT_TOOLBAR] = rectangle (low_x, y, time_width, toolbar);
  y += toolbar;
  slots[GOBAN_SLOT_TIME] = rectangle (low_x, y, time_width, time);
  y += time;
  slots[GOBAN_SLOT_PLAYER] = rectangle (low_x, y, low_width, player);
  y += player;
  slots[GOBAN_SLOT_DRAWER] = rectangle (low_x, y, low_width, drawer);

  if (request->is_left_over)
    columns.left = MIN (wanted[GOBAN_SLOT_LEFT], room.width);
  if (request->is_right_over)
    columns.right = MIN (wanted[GOBAN_SLOT_RIGHT], room.width);
  slots[GOBAN_SLOT_LEFT]
      = rectangle (room.x, 0, columns.left, request->is_left_tall ? room.height : board);
  slots[GOBAN_SLOT_RIGHT] = rectangle (room.x + room.width - columns.right, 0, columns.right,
                                       request->is_right_tall ? board + toolbar + time : board);
}

void
goban_frame_lay_out (const GobanFrameRequest *request, GdkRectangle slots[GOBAN_N_SLOTS])
{
  int status = MIN (request->wanted[GOBAN_SLOT_STATUS], request->height);
  int height = request->height - status;
  int side = CLAMP (request->wanted[GOBAN_SLOT_SIDE], 0,
                    MAX (request->width - GOBAN_FRAME_BOARD_WIDTH, 0));
  GdkRectangle room = { side, 0, request->width - side, height };

  for (guint i = 0; i < GOBAN_N_SLOTS; i++)
    slots[i] = (GdkRectangle){ 0 };
  slots[GOBAN_SLOT_STATUS] = rectangle (0, height, request->width, status);
  slots[GOBAN_SLOT_SIDE] = rectangle (0, 0, side, height);
  if (request->maximized >= 0)
    lay_out_maximized (request, room, slots);
  else
    lay_out_slots (request, room, slots);
}
