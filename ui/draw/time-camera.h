/* time-camera.h: camera of the timeline: the transform from time to x, and the ticks of the time
 * axis.
 *
 * Plain values. Times are microseconds, x is in pixels from the left of the lanes.
 */
#pragma once

#include <glib.h>

typedef struct
{
  double start_us;  /* at x = 0 */
  double us_per_px; /* > 0 */
  double scroll_y;  /* vertical scroll position in pixels */
} GobanTimeCamera;

/* start..end over @width pixels, with a little left free at the end. */
GobanTimeCamera goban_time_camera_fit (double start_us, double end_us, double width);
double goban_time_camera_to_x (const GobanTimeCamera *self, double time_us);
double goban_time_camera_to_us (const GobanTimeCamera *self, double x);
/* @factor > 1 zooms in; the time at @x stays in place. */
void goban_time_camera_zoom (GobanTimeCamera *self, double factor, double x);
void goban_time_camera_pan (GobanTimeCamera *self, double dx, double dy);
/* Clamps the zoom between twice the length @end_us and a nanosecond per pixel. Also keeps at least
 * a third of @width or all of the run visible, and the lanes from scrolling off the top. */
void goban_time_camera_clamp (GobanTimeCamera *self, double end_us, double width,
                              double lanes_height, double view_height);

/* Tick distance: 1, 2 or 5 times a power of ten microseconds, at least @min_px apart. */
double goban_time_step (double us_per_px, double min_px);
/* "12.4 ms": the text of a tick, with the unit and the decimals that fit @step_us; buffer of
 * GOBAN_QUANTITY_LEN, returned. */
const char *goban_time_tick (char *buffer, double time_us, double step_us);
