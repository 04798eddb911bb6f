/* timeline-frame.c: painter of the frame of a timeline: the time axis and the headers. */
#include "ui/draw/timeline/timeline-painter-private.h"

#include "engine/core/quantity.h"

#include <math.h>

/* At the right end of the run, or of the axis if that is out of sight. */
static void
paint_difference_text (const TimelinePainter *p)
{
  GobanTextStyle style = { 11 * p->ui, TRUE, GOBAN_ALIGN_LEFT, p->colours->ink };
  g_autofree char *text = p->scene->note == NULL
                              ? goban_timeline_describe_difference (p->scene, p->picture->ghost)
                              : NULL;
  double width, right;
  GobanBox box;

  if (text == NULL)
    return;
  width = goban_pen_text_width (p->pen, text, &style) + 12 * p->ui;
  right = MIN (goban_timeline_x (p, p->scene->end_us), p->width);
  right = MAX (floor (right), p->left + width);
  box = (GobanBox){ right - width, 4 * p->ui, right, p->top - 4 * p->ui };
  goban_pen_round_rect (p->pen, box, 4 * p->ui, p->colours->ink);
  style.rgb = p->colours->canvas;
  goban_pen_text (p->pen, text, (GobanPoint){ box.x0 + 6 * p->ui, (box.y0 + box.y1) / 2 }, width,
                  &style);
}

static void
paint_note (const TimelinePainter *p)
{
  GobanTextStyle style = { 10.5 * p->ui, FALSE, GOBAN_ALIGN_LEFT, p->colours->ink };

  if (p->scene->note != NULL)
    goban_pen_text (p->pen, p->scene->note, (GobanPoint){ 10 * p->ui, p->top / 2 },
                    p->left - 20 * p->ui, &style);
}

void
goban_timeline_paint_axis (const TimelinePainter *p, gboolean labels)
{
  double step = goban_time_step (p->camera->us_per_px, 100 * p->ui);
  double first = ceil (MAX (p->camera->start_us, 0) / step);
  double end_us = goban_time_camera_to_us (p->camera, p->width - p->left);
  GobanTextStyle style = { 10.5 * p->ui, FALSE, GOBAN_ALIGN_LEFT, p->colours->muted };

  if (labels)
    {
      goban_pen_backdrop (p->pen, (GobanBox){ 0, 0, p->width, p->top }, p->colours->canvas);
      goban_pen_rect (p->pen, (GobanBox){ 0, p->top - p->ui, p->width, p->top }, p->colours->rule);
    }
  for (double k = first; k * step <= end_us; k++)
    {
      double x = floor (goban_timeline_x (p, k * step));
      char tick[GOBAN_QUANTITY_LEN];

      if (!labels)
        goban_pen_rect (p->pen, (GobanBox){ x, p->top, x + p->ui, p->height }, p->colours->rule);
      else
        {
          goban_pen_rect (p->pen, (GobanBox){ x, p->top - 7 * p->ui, x + p->ui, p->top },
                          p->colours->muted);
          goban_time_tick (tick, k * step, step);
          if (x + 5 * p->ui + goban_pen_text_width (p->pen, tick, &style) < p->width)
            goban_pen_text (p->pen, tick, (GobanPoint){ x + 5 * p->ui, p->top / 2 - p->ui }, 0,
                            &style);
        }
    }
  if (labels)
    {
      paint_note (p);
      paint_difference_text (p);
    }
}

void
goban_timeline_paint_header (const TimelinePainter *p, const GobanLane *lane)
{
  gboolean is_device = lane->kind == GOBAN_LANE_DEVICE;
  GobanBox box = goban_timeline_lane_box (p, lane);
  double middle = (box.y0 + box.y1) / 2;
  double size = is_device ? 12 : 9.5;
  GobanTextStyle name = { size * p->ui, is_device, GOBAN_ALIGN_LEFT,
                          is_device ? p->colours->ink : p->colours->muted };
  GobanTextStyle detail = { MIN (size, 11) * p->ui, FALSE, GOBAN_ALIGN_RIGHT, p->colours->muted };
  double pad = 10 * p->ui;
  double text_x = pad + 20 * p->ui;
  double detail_w
      = goban_pen_text_width (p->pen, lane->detail != NULL ? lane->detail : "", &detail);

  if (lane->kind != GOBAN_LANE_MEMORY)
    {
      guint device = is_device ? lane->device : lane->peer;
      GobanRgb rgb = goban_palette_device (p->theme, device);
      double half = MIN ((is_device ? 7 : 4) * p->ui, (box.y1 - box.y0) / 2);
      GobanBox swatch = { pad + 7 * p->ui - half, floor (middle - half), pad + 7 * p->ui + half,
                          floor (middle + half) };

      goban_pen_round_rect (p->pen, swatch, 3 * p->ui, rgb);
      goban_pen_hatch (p->pen, swatch, goban_palette_cue (device), goban_palette_hatch (rgb),
                       p->ui);
    }
  if (lane->detail != NULL)
    goban_pen_text (p->pen, lane->detail, (GobanPoint){ p->left - pad - detail_w, middle },
                    detail_w + 1, &detail);
  if (lane->name != NULL)
    goban_pen_text (p->pen, lane->name, (GobanPoint){ text_x, middle },
                    MAX (p->left - pad - detail_w - 6 * p->ui - text_x, 20 * p->ui), &name);
}
