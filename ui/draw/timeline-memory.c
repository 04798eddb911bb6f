/* timeline-memory.c: what a device holds over time, as a staircase below its capacity. */
#include "ui/draw/timeline-painter-private.h"

#include <math.h>

/* The last point at or before a time; n_points where there is none. */
static guint
find_point (const GobanLane *lane, double time_us)
{
  guint low = 0;
  guint high = lane->n_points;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (lane->points[middle].time_us <= time_us)
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 ? low - 1 : lane->n_points;
}

static double
memory_top (const GobanLane *lane)
{
  /* Where memory is hardly used its ceiling would flatten the curve to nothing. */
  if (isfinite (lane->capacity_bytes) && lane->peak_bytes > lane->capacity_bytes / 10)
    return MAX (lane->peak_bytes, lane->capacity_bytes) * 1.08;
  return lane->peak_bytes * 1.15;
}

static void
draw_memory_run (const TimelinePainter *p, const GobanLane *lane, GobanBox box, double bytes)
{
  double top = memory_top (lane);
  double height = (box.y1 - box.y0) * bytes / top;
  GobanRgb rgb = goban_palette_device (p->theme, lane->device);
  GobanBox bar = box;

  if (bytes <= 0 || top <= 0 || box.x1 <= box.x0)
    return;
  bar.y0 = box.y1 - MAX (height, 1);
  goban_pen_rect (p->pen, bar, goban_rgb_mix (p->colours->panel, rgb, 0.38));
  if (bytes > lane->capacity_bytes)
    {
      bar.y1 = box.y1 - (box.y1 - box.y0) * lane->capacity_bytes / top;
      goban_pen_rect (p->pen, bar, p->colours->critical);
    }
  bar.y1 = bar.y0 + p->ui;
  goban_pen_rect (p->pen, bar, rgb);
}

/* The most that was in use within each pixel: a peak of a nanosecond still shows. */
void
goban_timeline_paint_memory (const TimelinePainter *p, const GobanLane *lane, GobanBox box)
{
  guint n = (guint) MAX (p->width - p->left, 0);
  guint run = 0;
  double run_bytes = 0;
  guint at;

  if (lane->n_points == 0)
    return;
  at = find_point (lane, p->camera->start_us);
  for (guint x = 0; x <= n; x++)
    {
      double from = goban_time_camera_to_us (p->camera, x);
      double to = goban_time_camera_to_us (p->camera, x + 1);
      double bytes = at < lane->n_points && from < p->scene->end_us ? lane->points[at].bytes : 0;
      guint next = at < lane->n_points ? at + 1 : 0;

      while (next < lane->n_points && lane->points[next].time_us < to)
        {
          bytes = MAX (bytes, lane->points[next].bytes);
          at = next++;
        }
      if (x > 0 && (x == n || bytes != run_bytes))
        {
          GobanBox bar = { p->left + run, box.y0, p->left + x, box.y1 };

          draw_memory_run (p, lane, bar, run_bytes);
          run = x;
        }
      run_bytes = bytes;
    }
  if (isfinite (lane->capacity_bytes) && lane->peak_bytes > lane->capacity_bytes / 10)
    {
      double y = floor (box.y1 - (box.y1 - box.y0) * lane->capacity_bytes / memory_top (lane));

      GobanBox ceiling = { MAX (goban_timeline_x (p, 0), p->left), y,
                           MIN (goban_timeline_x (p, p->scene->end_us), p->width), y + p->ui };

      if (ceiling.x1 > ceiling.x0)
        goban_pen_rect (p->pen, ceiling, p->colours->muted);
    }
}
