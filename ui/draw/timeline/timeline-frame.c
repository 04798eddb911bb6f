/* timeline-frame.c: painter of the frame of a timeline: the time axis, the ends of runs and of a
 * plan under construction, and the headings. */
#include "ui/draw/timeline/timeline-painter-private.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"

#include <math.h>

/* At the right end of the run, or of the axis if that is out of sight. Returns its place, which is
 * empty without a difference: no label of the axis fits there. */
static GobanBox
paint_difference_text (const TimelinePainter *p)
{
  GobanTextStyle style = { 11 * p->ui, TRUE, GOBAN_ALIGN_LEFT, p->colours->canvas };
  g_autofree char *text = p->scene->partial.note == NULL
                              ? goban_timeline_describe_difference (p->scene, p->picture->ghost)
                              : NULL;
  double width, right;
  GobanBox box;

  if (text == NULL)
    return (GobanBox){ 0 };
  width = goban_pen_text_width (p->pen, text, &style) + 12 * p->ui;
  right = MIN (goban_timeline_x (p, p->scene->end_us), p->width);
  right = MAX (floor (right), p->left + width);
  box = (GobanBox){ right - width, 4 * p->ui, right, p->top - 4 * p->ui };
  goban_pen_round_rect (p->pen, box, 4 * p->ui, p->colours->ink);
  goban_pen_text (p->pen, text, (GobanPoint){ box.x0 + 6 * p->ui, (box.y0 + box.y1) / 2 }, width,
                  &style);
  return box;
}

static void
paint_note (const TimelinePainter *p)
{
  GobanTextStyle style = { 10.5 * p->ui, FALSE, GOBAN_ALIGN_LEFT, p->colours->ink };

  if (p->scene->partial.note != NULL)
    goban_pen_text (p->pen, p->scene->partial.note, (GobanPoint){ 10 * p->ui, p->top / 2 },
                    p->left - 20 * p->ui, &style);
}

/* Dashes down the lanes, at a time. */
static void
paint_end (const TimelinePainter *p, double end_us, GobanRgb rgb, double dash)
{
  double x = floor (goban_timeline_x (p, end_us));

  if (x < p->left || x >= p->width)
    return;
  for (double y = p->top; y < p->height; y += 2 * dash)
    goban_pen_rect (p->pen, (GobanBox){ x, y, x + p->ui, y + dash }, rgb);
}

void
goban_timeline_paint_difference (const TimelinePainter *p)
{
  const GobanTimelineScene *ghost = p->picture->ghost;

  if (ghost == NULL || ghost->end_us == p->scene->end_us)
    return;
  paint_end (p, ghost->end_us, p->colours->muted, 3 * p->ui);
  paint_end (p, p->scene->end_us, p->colours->ink, 6 * p->ui);
}

/* Right of the line nothing is decided, so that the text hides nothing there. */
static void
paint_so_far (const TimelinePainter *p)
{
  GobanTextStyle style = { 10.5 * p->ui, FALSE, GOBAN_ALIGN_LEFT, p->colours->ink };
  double x = floor (goban_timeline_x (p, p->scene->partial.so_far_us));
  char time[GOBAN_QUANTITY_LEN];
  g_autofree char *text = NULL;
  double width, height = 17 * p->ui;
  GobanBox box;

  if (p->scene->partial.note == NULL || p->scene->partial.so_far_us <= 0 || x < p->left
      || x > p->width)
    return;
  paint_end (p, p->scene->partial.so_far_us, p->colours->selection, 4 * p->ui);
  text = g_strdup_printf (_ ("so far %s"), goban_format_time (time, p->scene->partial.so_far_us));
  width = goban_pen_text_width (p->pen, text, &style) + 12 * p->ui;
  box.x0 = x + 6 * p->ui + width < p->width ? x + 6 * p->ui : x - 6 * p->ui - width;
  box.y1 = floor (MIN (p->height - 3 * p->ui, p->top + p->scene->height * p->ui));
  box = (GobanBox){ floor (box.x0), MAX (box.y1 - height, p->top), floor (box.x0 + width), box.y1 };
  goban_pen_rect (p->pen, box, p->colours->canvas);
  goban_pen_frame (p->pen, box, MAX (floor (p->ui), 1), p->colours->rule);
  goban_pen_text (p->pen, text, (GobanPoint){ box.x0 + 6 * p->ui, (box.y0 + box.y1) / 2 }, width,
                  &style);
}

void
goban_timeline_paint_axis (const TimelinePainter *p, gboolean labels)
{
  double step = goban_time_step (p->camera->us_per_px, 100 * p->ui);
  double first = ceil (MAX (p->camera->start_us, 0) / step);
  double end_us = goban_time_camera_to_us (p->camera, p->width - p->left);
  GobanTextStyle style = { 10.5 * p->ui, FALSE, GOBAN_ALIGN_LEFT, p->colours->muted };
  GobanBox difference = { 0 };

  if (labels)
    {
      paint_so_far (p);
      goban_pen_backdrop (p->pen, (GobanBox){ 0, 0, p->width, p->top }, p->colours->canvas);
      goban_pen_rect (p->pen, (GobanBox){ 0, p->top - p->ui, p->width, p->top }, p->colours->rule);
      paint_note (p);
      difference = paint_difference_text (p);
    }
  for (double k = first; k * step <= end_us; k++)
    {
      double x = floor (goban_timeline_x (p, k * step)), right;
      char tick[GOBAN_QUANTITY_LEN];

      if (!labels)
        goban_pen_rect (p->pen, (GobanBox){ x, p->top, x + p->ui, p->height }, p->colours->rule);
      else
        {
          goban_pen_rect (p->pen, (GobanBox){ x, p->top - 7 * p->ui, x + p->ui, p->top },
                          p->colours->muted);
          goban_time_tick (tick, k * step, step);
          right = x + 5 * p->ui + goban_pen_text_width (p->pen, tick, &style);
          if (right < p->width
              && (right + 3 * p->ui < difference.x0 || x + 2 * p->ui > difference.x1))
            goban_pen_text (p->pen, tick, (GobanPoint){ x + 5 * p->ui, p->top / 2 - p->ui }, 0,
                            &style);
        }
    }
}

/* --- headings ------------------------------------------------------------------------------- */

/* Texts of lower lanes could not be read. */
#define LEAST_TEXT 8.0

static void
paint_triangle (const TimelinePainter *p, gboolean is_open, GobanPoint at)
{
  double r = 3.5 * p->ui;
  const GobanPoint right[]
      = { { at.x - 0.7 * r, at.y - r }, { at.x + 0.7 * r, at.y }, { at.x - 0.7 * r, at.y + r } };
  const GobanPoint down[]
      = { { at.x - r, at.y - 0.7 * r }, { at.x + r, at.y - 0.7 * r }, { at.x, at.y + 0.7 * r } };

  goban_pen_area (p->pen, is_open ? down : right, 3, p->colours->ink, GOBAN_OPAQUE);
}

/* A head and a needle; hollow if the row is not pinned. */
static void
paint_pin (const TimelinePainter *p, gboolean is_pinned, GobanPoint at)
{
  GobanRgb rgb = is_pinned ? p->colours->selection : p->colours->muted;
  GobanBox head = { floor (at.x - 2.5 * p->ui), floor (at.y - 4 * p->ui), 0, 0 };
  double line = MAX (floor (p->ui), 1);

  head.x1 = head.x0 + 5 * p->ui;
  head.y1 = head.y0 + 5 * p->ui;
  goban_pen_rect (p->pen, (GobanBox){ at.x - line / 2, head.y1, at.x + line / 2, at.y + 4 * p->ui },
                  rgb);
  if (is_pinned)
    goban_pen_rect (p->pen, head, rgb);
  else
    goban_pen_frame (p->pen, head, line, rgb);
}

static void
paint_swatch (const TimelinePainter *p, const GobanLane *lane, double x, double height)
{
  gboolean is_device = lane->kind == GOBAN_LANE_DEVICE;
  guint device = is_device ? lane->device : lane->peer;
  GobanRgb rgb = goban_palette_device (p->theme, device);
  GobanBox box = goban_timeline_lane_box (p, lane);
  double middle = (box.y0 + box.y1) / 2;
  double half = MIN ((is_device ? 6 : 4) * p->ui, height / 2);
  GobanBox swatch
      = { floor (x - half), floor (middle - half), floor (x + half), floor (middle + half) };

  goban_pen_round_rect (p->pen, swatch, MIN (3 * p->ui, half / 2), rgb);
  goban_pen_hatch (p->pen, swatch, goban_palette_cue (device), goban_palette_hatch (rgb), p->ui);
}

void
goban_timeline_paint_header (const TimelinePainter *p, const GobanLane *lane)
{
  gboolean is_device = lane->kind == GOBAN_LANE_DEVICE;
  GobanBox box = goban_timeline_lane_box (p, lane);
  double middle = (box.y0 + box.y1) / 2;
  double size = is_device ? MIN (12, lane->height + p->scene->bar_gap - 3) : 9.5;
  GobanTextStyle name = { size * p->ui, is_device, GOBAN_ALIGN_LEFT,
                          is_device ? p->colours->ink : p->colours->muted };
  GobanTextStyle detail = { MIN (size, 11) * p->ui, FALSE, GOBAN_ALIGN_RIGHT, p->colours->muted };
  double indent = (p->picture->style.has_folds ? GOBAN_TIMELINE_FOLD : 8) * p->ui;
  double pad = 8 * p->ui;
  double text_x = indent + 21 * p->ui;
  GobanPoint fold = { 14 * p->ui, middle };
  double detail_w;

  if (lane->kind != GOBAN_LANE_MEMORY)
    paint_swatch (p, lane, indent + 9 * p->ui, box.y1 - box.y0);
  if (p->picture->style.has_folds && !is_device)
    paint_pin (p, lane->place.is_pinned, fold);
  else if (p->picture->style.has_folds && lane->place.fold != GOBAN_FOLD_NONE)
    paint_triangle (p, lane->place.fold == GOBAN_FOLD_OPEN, fold);
  if (size < LEAST_TEXT)
    return;

  detail_w = goban_pen_text_width (p->pen, lane->detail != NULL ? lane->detail : "", &detail);
  if (lane->detail != NULL)
    goban_pen_text (p->pen, lane->detail, (GobanPoint){ p->left - pad - detail_w, middle },
                    detail_w + 1, &detail);
  if (lane->name != NULL)
    goban_pen_text (p->pen, lane->name, (GobanPoint){ text_x, middle },
                    MAX (p->left - pad - detail_w - 6 * p->ui - text_x, 20 * p->ui), &name);
}
