/* timeline-memory.c: painter of a device's memory use over time, a staircase below its capacity. */
#include "ui/draw/timeline/timeline-painter-private.h"

#include <math.h>

/* The most that a lane shows; a ghost may need more. */
static double
memory_top (const GobanLane *lane, const GobanLane *ghost)
{
  double peak_bytes = MAX (lane->peak_bytes, ghost != NULL ? ghost->peak_bytes : 0);

  /* If memory is hardly used its ceiling would flatten the curve to nothing. */
  if (isfinite (lane->capacity_bytes) && peak_bytes > lane->capacity_bytes / 10)
    return MAX (peak_bytes, lane->capacity_bytes) * 1.08;
  return peak_bytes * 1.15;
}

/* A lane's staircase, as it is being drawn. */
typedef struct
{
  const TimelinePainter *p;
  const GobanLane *lane;
  GobanBox box;
  double top_bytes;
  double end_us;
  gboolean is_ghost;
} Stairs;

static void
draw_run (const Stairs *stairs, double x0, double x1, double bytes)
{
  const TimelinePainter *p = stairs->p;
  double height = (stairs->box.y1 - stairs->box.y0) * bytes / stairs->top_bytes;
  GobanRgb rgb = goban_palette_device (p->theme, stairs->lane->device);
  GobanBox bar = { x0, stairs->box.y1 - MAX (height, 1), x1, stairs->box.y1 };

  if (bytes <= 0 || x1 <= x0)
    return;
  if (!stairs->is_ghost)
    {
      goban_pen_rect (p->pen, bar, goban_rgb_mix (p->colours->panel, rgb, 0.38));
      if (bytes > stairs->lane->capacity_bytes)
        {
          bar.y1 = stairs->box.y1
                   - (stairs->box.y1 - stairs->box.y0) * stairs->lane->capacity_bytes
                         / stairs->top_bytes;
          goban_pen_rect (p->pen, bar, p->colours->critical);
        }
    }
  bar.y1 = bar.y0 + p->ui;
  goban_pen_rect (p->pen, bar, stairs->is_ghost ? p->colours->muted : rgb);
}

/* The most that was in use within each pixel: a peak of a nanosecond still shows. */
static void
draw_stairs (const Stairs *stairs)
{
  const TimelinePainter *p = stairs->p;
  const GobanLane *lane = stairs->lane;
  guint n = (guint) MAX (p->width - p->left, 0);
  guint run = 0;
  double run_bytes = 0;
  guint at = goban_lane_find_point (lane, p->camera->start_us);

  for (guint x = 0; x <= n; x++)
    {
      double from = goban_time_camera_to_us (p->camera, x);
      double to = goban_time_camera_to_us (p->camera, x + 1);
      double bytes = at < lane->n_points && from < stairs->end_us ? lane->points[at].bytes : 0;
      guint next = at < lane->n_points ? at + 1 : 0;

      while (next < lane->n_points && lane->points[next].time_us < to)
        {
          bytes = MAX (bytes, lane->points[next].bytes);
          at = next++;
        }
      if (x > 0 && (x == n || bytes != run_bytes))
        {
          draw_run (stairs, p->left + run, p->left + x, run_bytes);
          run = x;
        }
      run_bytes = bytes;
    }
}

void
goban_timeline_paint_memory (const TimelinePainter *p, const GobanLane *lane,
                             const GobanLane *ghost)
{
  GobanBox box = goban_timeline_lane_box (p, lane);
  Stairs stairs = { p, lane, box, memory_top (lane, ghost), p->scene->end_us, FALSE };

  if (lane->n_points == 0 || stairs.top_bytes <= 0)
    return;

  draw_stairs (&stairs);
  if (ghost != NULL && ghost->n_points > 0)
    {
      stairs.lane = ghost;
      stairs.end_us = p->picture->ghost->end_us;
      stairs.is_ghost = TRUE;
      draw_stairs (&stairs);
    }
  if (isfinite (lane->capacity_bytes) && lane->capacity_bytes < stairs.top_bytes)
    {
      double y = floor (box.y1 - (box.y1 - box.y0) * lane->capacity_bytes / stairs.top_bytes);
      GobanBox ceiling = { MAX (goban_timeline_x (p, 0), p->left), y,
                           MIN (goban_timeline_x (p, p->scene->end_us), p->width), y + p->ui };

      if (ceiling.x1 > ceiling.x0)
        goban_pen_rect (p->pen, ceiling, p->colours->muted);
    }
}
