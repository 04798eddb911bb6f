#include "ui/draw/timeline/timeline-painter-private.h"

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

  goban_pen_set_clip (p->pen, (int) left, (int) y0, (int) ceil (p->width - left),
                      (int) ceil (MAX (y1 - y0, 0)));
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

static void
paint_row (const TimelinePainter *p, const GobanLane *lane, guint row, GobanBox box,
           GobanColumn *columns)
{
  guint n = (guint) MAX (p->width - p->left, 0);
  double end_us = goban_time_camera_to_us (p->camera, n);
  guint first = goban_lane_find (lane, row, p->camera->start_us);
  g_autofree GobanMerge *merge = g_new (GobanMerge, 1);
  guint end;

  goban_merge_start (merge, columns, n, p->camera->start_us, p->camera->us_per_px);
  merge->by_family = p->by_family;
  merge->levels = lane->kind == GOBAN_LANE_DEVICE ? p->levels : NULL;
  for (end = first; end < lane->row_first[row + 1] && lane->slices[end].start_us < end_us; end++)
    {
      const GobanSlice *slice = &lane->slices[end];

      if (slice->finish_us - slice->start_us < GOBAN_TIMELINE_WHOLE_PX * p->camera->us_per_px)
        goban_merge_add (merge, slice);
    }
  goban_merge_finish (merge);
  draw_columns (p, merge, box);
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = first; i < end; i++)
      {
        const GobanSlice *slice = &lane->slices[i];
        GobanBox whole = { MAX (goban_timeline_x (p, slice->start_us), p->left - 4), box.y0,
                           MIN (goban_timeline_x (p, slice->finish_us), p->width + 4), box.y1 };

        if (slice->finish_us - slice->start_us < GOBAN_TIMELINE_WHOLE_PX * p->camera->us_per_px)
          continue;
        if (pass == 0)
          draw_whole_slice (p, whole, slice);
        else
          label_slice (p, whole, slice);
      }
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
      goban_timeline_paint_memory (p, lane, ghost);
      return;
    }
  if (ghost != NULL)
    goban_timeline_paint_ghost (p, ghost, columns);
  if (own.levels != NULL && lane->levels != NULL)
    own.levels = lane->levels;
  for (guint r = 0; r < lane->n_rows; r++)
    paint_row (&own, lane, r, goban_timeline_row_box (lane, box, r), columns);
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
  goban_timeline_paint_difference (p);
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
  goban_pen_set_clip (pen, 0, 0, (int) ceil (p.width), (int) ceil (p.height));
  goban_timeline_paint_axis (&p, TRUE);
}
