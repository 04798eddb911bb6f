/* frame-layout.h: rectangles of the slots of the window's frame, as a function of plain numbers.
 *
 * In this order: the board has 45 % of the window's height and 360 pixels of width, the bars of the
 * devices are visible, the other slots have the sizes that people gave them. If the height does not
 * suffice, the lanes shrink, then the drawer, then the toolbar of the time hides, then the drawer
 * covers the time. A width that does not suffice narrows the left column, then the right one.
 */
#pragma once

#include <gtk/gtk.h>

/* In the order in which they are drawn. */
typedef enum
{
  GOBAN_SLOT_BOARD,
  GOBAN_SLOT_TOOLBAR, /* of the time */
  GOBAN_SLOT_TIME,
  GOBAN_SLOT_PLAYER,
  GOBAN_SLOT_LEFT,
  GOBAN_SLOT_RIGHT,
  GOBAN_SLOT_DRAWER,
  GOBAN_SLOT_SIDE,
  GOBAN_SLOT_STATUS,
  GOBAN_N_SLOTS
} GobanSlot;

#define GOBAN_FRAME_BOARD_PERCENT 45
#define GOBAN_FRAME_BOARD_WIDTH 360
#define GOBAN_FRAME_NARROW 1000 /* a narrower frame has a right column of 270 and a floating left */
#define GOBAN_FRAME_NARROW_RIGHT 270
#define GOBAN_FRAME_LEAST_DRAWER 120
#define GOBAN_FRAME_LEAST_COLUMN 180

/* Pixels. */
typedef struct
{
  int width;
  int height;
  int window_height; /* of which the board has its share: with header and notices */
  /* Widths of the columns, heights of the others; 0: the slot is hidden. The height of the time is
   * the one that people gave it, or that of its bars and opened rows. */
  int wanted[GOBAN_N_SLOTS];
  int least_bars;         /* height in which all device bars are visible */
  gboolean is_left_tall;  /* the left column reaches down to the status line, */
  gboolean is_right_tall; /* the right one to the player */
  gboolean is_left_over;  /* the left column floats over the board; the right one likewise */
  gboolean is_right_over;
  int maximized; /* the slot that has the others' room, or -1 */
} GobanFrameRequest;

/* A hidden slot has the width 0. */
void goban_frame_lay_out (const GobanFrameRequest *request, GdkRectangle slots[GOBAN_N_SLOTS]);
