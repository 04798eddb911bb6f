#include "ui/draw/timeline/timeline-painter-private.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"

#include <math.h>
#include <string.h>

TimelinePainter
goban_timeline_painter_start (const GobanTimelinePicture *picture, GobanPen *pen)
{
  const GobanTimelineStyle *style = &picture->style;
  double ui = style->ui_scale > 0 ? style->ui_scale : 1;
  gboolean by_level = style->fill == GOBAN_FILL_METRIC || style->fill == GOBAN_FILL_PRIORITY;
  double scroll_y = picture->camera.scroll_y / ui;

  return (TimelinePainter){ .picture = picture,
                            .scene = picture->scene,
                            .camera = &picture->camera,
                            .colours = goban_palette_get (style->theme),
                            .theme = style->theme,
                            .by_family = style->fill == GOBAN_FILL_OP,
                            .levels = by_level ? picture->scene->levels : NULL,
                            .show_critical = style->show_critical,
                            .pen = pen,
                            .ui = ui,
                            .left = floor (GOBAN_TIMELINE_HEADER * ui),
                            .top = floor (GOBAN_TIMELINE_AXIS * ui),
                            .width = goban_pen_get_width (pen),
                            .height = goban_pen_get_height (pen),
                            .scroll_y = scroll_y,
                            .scrolled
                            = goban_timeline_scene_get_scrolled (picture->scene, scroll_y) };
}

double
goban_timeline_lanes_width (const GobanTimelineStyle *style, double width)
{
  double ui = style->ui_scale > 0 ? style->ui_scale : 1;

  return MAX (width - floor (GOBAN_TIMELINE_HEADER * ui), 1);
}

double
goban_timeline_height (const GobanTimelineScene *scene, const GobanTimelineStyle *style)
{
  double ui = style->ui_scale > 0 ? style->ui_scale : 1;

  return (scene->height + GOBAN_TIMELINE_AXIS) * ui;
}

GobanBox
goban_timeline_lane_box (const TimelinePainter *p, const GobanLane *lane)
{
  double y = floor (p->top + goban_lane_get_top (lane, p->scroll_y) * p->ui + 0.5);

  return (GobanBox){ p->left, y, p->width, y + floor (lane->height * p->ui + 0.5) };
}

GobanBox
goban_timeline_slices_box (const TimelinePainter *p, const GobanLane *lane)
{
  GobanBox box = goban_timeline_lane_box (p, lane);

  if (p->picture->ghost != NULL)
    box.y1 -= floor ((box.y1 - box.y0) * GOBAN_TIMELINE_GHOST_SHARE);
  return box;
}

static gboolean
is_visible (const TimelinePainter *p, const GobanLane *lane)
{
  GobanBox box = goban_timeline_lane_box (p, lane);

  return box.y1 > box.y0 && box.y1 > p->top && box.y0 < p->height;
}

gboolean
goban_timeline_is_in_part (const TimelinePainter *p, const GobanLane *lane, GobanPart part)
{
  double y = goban_lane_get_top (lane, p->scroll_y);

  return is_visible (p, lane) && goban_scrolled_get_part (&p->scrolled, lane, y) == part;
}

gboolean
goban_timeline_clip_part (const TimelinePainter *p, GobanPart part, double left)
{
  double from = floor (p->top + p->scrolled.from_y * p->ui + 0.5);
  double to = floor (MIN (p->top + p->scrolled.to_y * p->ui + 0.5, p->height));
  double y0 = part == GOBAN_PART_TOP ? p->top : part == GOBAN_PART_SCROLLED ? from : to;
  double y1 = part == GOBAN_PART_TOP ? from : part == GOBAN_PART_SCROLLED ? to : p->height;

  goban_pen_set_clip (p->pen, (GobanBox){ left, y0, left + ceil (p->width - left), ceil (y1) });
  return y1 > y0;
}

static GobanRgb
colour_of (const TimelinePainter *p, guint device, guint family)
{
  return p->by_family ? goban_palette_family_colour (p->theme, family)
                      : goban_palette_device (p->theme, device);
}

static GobanRgb
level_colour (const TimelinePainter *p, guint level)
{
  return level < GOBAN_RAMP_LEVELS
             ? goban_palette_ramp (p->theme, level / (GOBAN_RAMP_LEVELS - 1.0))
             : goban_palette_unknown (p->theme);
}

/* Neighbouring ops of one device differ a little in shade, by their type: away from the colour of
 * their text, so that the text of a lane has one colour and no shade lowers its contrast. */
static GobanRgb
slice_colour (const TimelinePainter *p, const GobanSlice *slice)
{
  GobanRgb rgb = colour_of (p, slice->device, slice->family);

  if (p->levels != NULL && slice->transfer == GOBAN_NO_TRANSFER)
    return level_colour (p, p->levels[slice->node]);
  if (p->by_family)
    return rgb;
  return goban_rgb_mix (rgb, ~goban_rgb_text_on (rgb) & 0xffffff, 0.12 * (slice->family % 3));
}

/* --- slices ------------------------------------------------------------------------------- */

static void
draw_critical_bar (const TimelinePainter *p, GobanBox box)
{
  box.y0 = box.y1 - MAX (floor (3 * p->ui), 1);
  goban_pen_rect (p->pen, box, p->colours->critical);
}

static void
draw_whole_slice (const TimelinePainter *p, GobanBox box, const GobanSlice *slice)
{
  GobanRgb rgb = slice_colour (p, slice);
  GobanBox edge = { box.x0, box.y0, box.x0 + p->ui, box.y1 };

  goban_pen_rect (p->pen, box, rgb);
  goban_pen_rect (p->pen, edge, goban_rgb_mix (rgb, p->colours->canvas, 0.55));
  if (!slice->is_critical || !p->show_critical)
    return;
  /* A frame around an item that a normal frame would hide. */
  if (box.x1 - box.x0 >= 12 * p->ui)
    goban_pen_frame (p->pen, box, floor (MIN (2 * p->ui, (box.y1 - box.y0) / 3) + 0.5),
                     p->colours->critical);
  else
    draw_critical_bar (p, box);
}

static void
draw_columns (const TimelinePainter *p, const GobanMerge *merge, GobanBox row)
{
  const GobanColumn *columns = merge->columns;
  guint n = merge->n_columns;

  for (guint i = 0; i < n; i++)
    {
      guint from = i;
      GobanBox box = row;
      GobanRgb rgb;

      if (columns[i].share <= 0)
        continue;
      /* Runs of equal columns are one rectangle, which matters in vector files. */
      while (i + 1 < n && columns[i + 1].share == columns[from].share
             && columns[i + 1].colour == columns[from].colour
             && columns[i + 1].is_critical == columns[from].is_critical)
        i++;
      rgb = merge->levels != NULL ? level_colour (p, columns[from].colour)
                                  : colour_of (p, columns[from].colour, columns[from].colour);
      box.x0 = p->left + from;
      box.x1 = p->left + i + 1;
      goban_pen_rect (
          p->pen, box,
          goban_rgb_mix (p->colours->panel, rgb, 0.35 + 0.65 * (double) columns[from].share));
      if (columns[from].is_critical && p->show_critical)
        draw_critical_bar (p, box);
    }
}

/* The part of a name after its last '/'. */
static const char *
last_scope (const char *name)
{
  const char *slash = strrchr (name, '/');

  return slash != NULL && slash[1] != '\0' ? slash + 1 : name;
}

static void
label_slice (const TimelinePainter *p, GobanBox box, const GobanSlice *slice)
{
  double height = (box.y1 - box.y0) / p->ui;
  GobanTextStyle style = { CLAMP (height * 0.62, 7.5, 11) * p->ui, FALSE, GOBAN_ALIGN_LEFT,
                           goban_rgb_text_on (slice_colour (p, slice)) };
  GobanPoint at = { MAX (box.x0, p->left) + 5 * p->ui, (box.y0 + box.y1) / 2 };
  double room = MIN (box.x1, p->width) - at.x - 3 * p->ui;
  char bytes[GOBAN_QUANTITY_LEN];
  const char *text = NULL;

  if (room < 22 * p->ui || height < 9)
    return;
  if (slice->transfer != GOBAN_NO_TRANSFER && p->scene->bytes != NULL)
    text = goban_format_bytes (bytes, p->scene->bytes[slice->transfer]);
  else if (p->scene->names != NULL)
    text = last_scope (p->scene->names[slice->node]);
  /* The start of a name still helps; the start of a number misleads. */
  if (text != NULL
      && (goban_pen_text_width (p->pen, text, &style) <= room
          || (text != bytes && room >= 40 * p->ui)))
    goban_pen_text (p->pen, text, at, room, &style);
}

GobanBox
goban_timeline_row_box (const GobanLane *lane, GobanBox box, guint row)
{
  double height = (box.y1 - box.y0) / lane->n_rows;

  box.y0 = floor (box.y0 + row * height);
  box.y1 = MAX (box.y0 + floor (height) - (lane->n_rows > 1 && height >= 4), box.y0 + 1);
  return box;
}

/* --- memory: a staircase below the capacity --------------------------------------------------- */

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

/* @ghost: (nullable): the same device's memory in another run. */
static void
paint_memory (const TimelinePainter *p, const GobanLane *lane, const GobanLane *ghost)
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

/* --- another run, behind: outlines in grey, or a strip below (decision U21, ui/NOTES.md) ------ */

static void
draw_outline (const TimelinePainter *p, GobanBox box)
{
  goban_pen_rect (p->pen, box, goban_rgb_mix (p->colours->panel, p->colours->muted, 0.16));
  goban_pen_frame (p->pen, box, MAX (floor (p->ui), 1),
                   goban_rgb_mix (p->colours->panel, p->colours->muted, 0.75));
}

static void
draw_ghost_columns (const TimelinePainter *p, const GobanColumn *columns, guint n, GobanBox row)
{
  for (guint i = 0; i < n; i++)
    {
      double share = (double) columns[i].share;
      GobanBox box = { p->left + i, row.y0, p->left + i + 1, row.y1 };

      if (share <= 0)
        continue;
      while (i + 1 < n && columns[i + 1].share == columns[i].share)
        i++;
      box.x1 = p->left + i + 1;
      goban_pen_rect (p->pen, box,
                      goban_rgb_mix (p->colours->panel, p->colours->muted, 0.1 + 0.35 * share));
    }
}

/* A row of a lane, or of the other run's, whose slices lie below those of this one. @columns:
 * memory for the picture's columns. */
static void
paint_row (const TimelinePainter *p, const GobanLane *lane, guint row, GobanBox box,
           gboolean is_ghost, GobanColumn *columns)
{
  guint n = (guint) MAX (p->width - p->left, 0);
  double end_us = goban_time_camera_to_us (p->camera, n);
  double whole_us = GOBAN_TIMELINE_WHOLE_PX * p->camera->us_per_px;
  guint first = goban_lane_find (lane, row, p->camera->start_us);
  g_autofree GobanMerge *merge = g_new (GobanMerge, 1);
  guint end;

  goban_merge_start (merge, columns, n, p->camera->start_us, p->camera->us_per_px);
  merge->by_family = p->by_family;
  merge->levels = lane->kind == GOBAN_LANE_DEVICE && !is_ghost ? p->levels : NULL;
  for (end = first; end < lane->row_first[row + 1] && lane->slices[end].start_us < end_us; end++)
    if (lane->slices[end].finish_us - lane->slices[end].start_us < whole_us)
      goban_merge_add (merge, &lane->slices[end]);
  goban_merge_finish (merge);
  if (is_ghost)
    draw_ghost_columns (p, columns, n, box);
  else
    draw_columns (p, merge, box);
  for (guint pass = 0; pass < (is_ghost ? 1 : 2); pass++)
    for (guint i = first; i < end; i++)
      {
        const GobanSlice *slice = &lane->slices[i];
        GobanBox whole = { MAX (goban_timeline_x (p, slice->start_us), p->left - 4), box.y0,
                           MIN (goban_timeline_x (p, slice->finish_us), p->width + 4), box.y1 };

        if (slice->finish_us - slice->start_us < whole_us)
          continue;
        if (is_ghost)
          draw_outline (p, whole);
        else if (pass == 0)
          draw_whole_slice (p, whole, slice);
        else
          label_slice (p, whole, slice);
      }
}

char *
goban_timeline_describe_difference (const GobanTimelineScene *scene,
                                    const GobanTimelineScene *ghost)
{
  char text[GOBAN_QUANTITY_LEN];

  if (ghost == NULL || ghost->end_us <= 0 || scene->end_us <= 0)
    return NULL;
  return g_strdup (goban_format_percent_change (text, ghost->end_us, scene->end_us));
}

/* --- the axis, and the ends of runs ----------------------------------------------------------- */

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

/* Marks the ends of the two runs, and their difference. */
static void
paint_difference (const TimelinePainter *p)
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

/* --- lanes -------------------------------------------------------------------------------- */

static void
paint_lane (const TimelinePainter *p, guint l, GobanColumn *columns)
{
  const GobanLane *lane = &p->scene->lanes[l];
  const GobanLane *ghost = p->picture->ghost != NULL ? &p->picture->ghost->lanes[l] : NULL;
  GobanBox box = goban_timeline_slices_box (p, lane);
  TimelinePainter own = *p;

  if (lane->kind == GOBAN_LANE_MEMORY)
    {
      paint_memory (p, lane, ghost);
      return;
    }
  for (guint r = 0; ghost != NULL && r < ghost->n_rows; r++)
    paint_row (p, ghost, r, goban_timeline_row_box (ghost, goban_timeline_lane_box (p, ghost), r),
               TRUE, columns);
  if (own.levels != NULL && lane->levels != NULL)
    own.levels = lane->levels;
  for (guint r = 0; r < lane->n_rows; r++)
    paint_row (&own, lane, r, goban_timeline_row_box (lane, box, r), FALSE, columns);
}

static gboolean
is_decided (const GobanTimelineScene *scene, guint l, guint slice)
{
  const GobanLane *lane = &scene->lanes[l];

  return slice < lane->n_slices
         && goban_selection_contains (scene->partial.decided, lane->slices[slice].node);
}

/* Neighbours have one frame, outside their bar, so that their colours stay visible. */
static void
frame_decided (const TimelinePainter *p, guint l)
{
  const GobanSlice *slices = p->scene->lanes[l].slices;
  gboolean is_bold = goban_theme_is_high_contrast (p->theme);
  double width = MAX (floor ((is_bold ? 3 : 2) * p->ui), 1);
  guint n = 0;
  const GobanNodeId *ids = p->scene->partial.decided != NULL
                               ? goban_selection_get_ids (p->scene->partial.decided, &n)
                               : NULL;

  for (guint i = 0; i < n; i++)
    {
      GobanSlicePlace place = goban_timeline_scene_find_op (p->scene, ids[i]);
      GobanBox box = goban_timeline_slices_box (p, &p->scene->lanes[l]);
      guint last = place.slice;

      if (place.lane != l || is_decided (p->scene, l, place.slice - 1))
        continue;
      while (is_decided (p->scene, l, last + 1))
        last++;
      box.x0 = goban_timeline_x (p, slices[place.slice].start_us) - width;
      box.x1 = goban_timeline_x (p, slices[last].finish_us) + width;
      box = (GobanBox){ MAX (box.x0, p->left - 2 * width), box.y0 - width,
                        MIN (box.x1, p->width + 2 * width), box.y1 + width };
      if (box.x1 > box.x0)
        goban_pen_frame (p->pen, box, width, p->colours->selection);
    }
}

/* Idle time: a lane's own ground, drawn below the grid. */
static void
paint_ground (const TimelinePainter *p, const GobanLane *lane)
{
  GobanBox box = goban_timeline_lane_box (p, lane);

  box.x0 = MAX (goban_timeline_x (p, 0), p->left);
  box.x1 = MIN (goban_timeline_x (p, p->scene->end_us), p->width);
  if (box.x1 > box.x0)
    goban_pen_rect (p->pen, box, p->colours->panel);
}

/* Paints the lanes of a part from the top downwards, and their headers. */
static void
paint_part (const TimelinePainter *p, GobanPart part, GobanColumn *columns)
{
  const GobanLane *lanes = p->scene->lanes;

  for (guint i = 0; i < p->scene->n_lanes; i++)
    if (goban_timeline_is_in_part (p, &lanes[i], part))
      paint_ground (p, &lanes[i]);
  goban_timeline_paint_axis (p, FALSE);
  for (guint i = 0; i < p->scene->n_lanes; i++)
    if (goban_timeline_is_in_part (p, &lanes[i], part))
      {
        paint_lane (p, i, columns);
        frame_decided (p, i);
      }
  paint_difference (p);
  goban_pen_backdrop (p->pen, (GobanBox){ 0, p->top, p->left, p->height }, p->colours->canvas);
  goban_pen_rect (p->pen, (GobanBox){ p->left - p->ui, p->top, p->left, p->height },
                  p->colours->rule);
  for (guint i = 0; i < p->scene->n_lanes; i++)
    if (goban_timeline_is_in_part (p, &lanes[i], part))
      goban_timeline_paint_header (p, &lanes[i]);
}

void
goban_timeline_paint (const GobanTimelinePicture *picture, GobanPen *pen)
{
  TimelinePainter p = goban_timeline_painter_start (picture, pen);
  g_autofree GobanColumn *columns = g_new (GobanColumn, (gsize) MAX (p.width, 1));

  goban_pen_backdrop (pen, (GobanBox){ 0, 0, p.width, p.height }, p.colours->canvas);
  for (GobanPart part = 0; part < GOBAN_N_PARTS; part++)
    if (goban_timeline_clip_part (&p, part, 0))
      paint_part (&p, part, columns);
  goban_pen_set_clip (pen, (GobanBox){ 0, 0, ceil (p.width), ceil (p.height) });
  goban_timeline_paint_axis (&p, TRUE);
}
