#include "ui/draw/time-camera.h"

#include "engine/core/quantity.h"

#include <math.h>
#include <string.h>

#define LEAST_US_PER_PX 1e-3

GobanTimeCamera
goban_time_camera_fit (double start_us, double end_us, double width)
{
  double span = MAX (end_us - start_us, 1e-3);

  return (GobanTimeCamera){ start_us, span * 1.02 / MAX (width, 1), 0 };
}

double
goban_time_camera_to_x (const GobanTimeCamera *self, double time_us)
{
  return (time_us - self->start_us) / self->us_per_px;
}

double
goban_time_camera_to_us (const GobanTimeCamera *self, double x)
{
  return self->start_us + x * self->us_per_px;
}

void
goban_time_camera_zoom (GobanTimeCamera *self, double factor, double x)
{
  double at = goban_time_camera_to_us (self, x);

  self->us_per_px /= factor;
  self->start_us = at - x * self->us_per_px;
}

void
goban_time_camera_pan (GobanTimeCamera *self, double dx, double dy)
{
  self->start_us -= dx * self->us_per_px;
  self->scroll_y -= dy;
}

void
goban_time_camera_clamp (GobanTimeCamera *self, double end_us, double width, double lanes_height,
                         double view_height)
{
  double most = 2 * MAX (end_us, 1e-3) / MAX (width, 1);
  double keep;

  if (self->us_per_px > most)
    goban_time_camera_zoom (self, self->us_per_px / most, width / 2);
  else if (self->us_per_px < LEAST_US_PER_PX)
    goban_time_camera_zoom (self, self->us_per_px / LEAST_US_PER_PX, width / 2);
  keep = MIN (width * self->us_per_px / 3, end_us);
  self->start_us = CLAMP (self->start_us, keep - width * self->us_per_px, end_us - keep);
  self->scroll_y = MAX (MIN (self->scroll_y, lanes_height - view_height), 0);
}

double
goban_time_step (double us_per_px, double min_px)
{
  double least = us_per_px * min_px;
  double power = pow (10, floor (log10 (least)));

  if (power >= least)
    return power;
  if (2 * power >= least)
    return 2 * power;
  return 5 * power >= least ? 5 * power : 10 * power;
}

const char *
goban_time_tick (char *buffer, double time_us, double step_us)
{
  double unit = step_us >= 1e5 ? 1e6 : step_us >= 100 ? 1e3 : 1;
  const char *name = unit > 1e5 ? "s" : unit > 1 ? "ms" : GOBAN_MICROSECONDS;
  int decimals = (int) CLAMP (-floor (log10 (step_us / unit) + 1e-9), 0, 9);
  char format[8] = { '%', '.', (char) ('0' + decimals), 'f', '\0' };

  if (fabs (time_us) < step_us / 2)
    return strcpy (buffer, "0");
  g_ascii_formatd (buffer, GOBAN_QUANTITY_LEN - 4, format, time_us / unit);
  strcat (buffer, " ");
  return strcat (buffer, name);
}
