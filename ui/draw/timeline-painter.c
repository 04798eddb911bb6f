#include "ui/draw/timeline-painter.h"

#include "engine/base/quantity.h"
#include "ui/draw/timeline-merge.h"

#include <math.h>

/* Slices at least this wide are drawn one by one. */
#define WHOLE_PX 3.0

typedef struct
{
  const GobanTimelinePicture *picture;
  const GobanTimelineScene *scene;
  const GobanTimeCamera *camera;
  const GobanColours *colours;
  GobanTheme theme;
  gboolean by_family;
  const guint16 *levels; /* (nullable) of ops */
  gboolean show_critical;
  GobanPen *pen;
  double ui;
  double left; /* where lanes begin */
  double top;
  double width;
  double height;
} Painter;

static Painter
start (const GobanTimelinePicture *picture, GobanPen *pen)
{
  const GobanTimelineStyle *style = &picture->style;
  double ui = style->ui_scale > 0 ? style->ui_scale : 1;
  gboolean by_level = style->fill == GOBAN_FILL_METRIC || style->fill == GOBAN_FILL_PRIORITY;

  return (Painter){ .picture = picture,
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
                    .height = goban_pen_get_height (pen) };
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

static double
to_x (const Painter *p, double time_us)
{
  return p->left + goban_time_camera_to_x (p->camera, time_us);
}

static GobanBox
lane_box (const Painter *p, const GobanLane *lane)
{
  double y = floor (p->top + lane->y * p->ui - p->camera->scroll_y + 0.5);

  return (GobanBox){ p->left, y, p->width, y + floor (lane->height * p->ui + 0.5) };
}

static GobanRgb
colour_of (const Painter *p, guint device, guint family)
{
  return p->by_family ? goban_palette_family_colour (p->theme, family)
                      : goban_palette_device (p->theme, device);
}

static GobanRgb
level_colour (const Painter *p, guint level)
{
  return level < GOBAN_RAMP_LEVELS
             ? goban_palette_ramp (p->theme, level / (GOBAN_RAMP_LEVELS - 1.0))
             : goban_palette_unknown (p->theme);
}

/* Neighbouring ops of one device differ a little in shade, by what they do: away from the colour
 * of their text, so that the text of a lane is of one colour and no shade makes it paler. */
static GobanRgb
slice_colour (const Painter *p, const GobanSlice *slice)
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
draw_critical_bar (const Painter *p, GobanBox box)
{
  box.y0 = box.y1 - MAX (floor (3 * p->ui), 1);
  goban_pen_rect (p->pen, box, p->colours->critical);
}

static void
draw_whole_slice (const Painter *p, GobanBox box, const GobanSlice *slice)
{
  GobanRgb rgb = slice_colour (p, slice);
  GobanBox edge = { box.x0, box.y0, box.x0 + p->ui, box.y1 };

  goban_pen_rect (p->pen, box, rgb);
  goban_pen_rect (p->pen, edge, goban_rgb_mix (rgb, p->colours->canvas, 0.55));
  if (!slice->is_critical || !p->show_critical)
    return;
  /* A frame around what is hardly wider than a frame would hide it. */
  if (box.x1 - box.x0 >= 12 * p->ui)
    goban_pen_frame (p->pen, box, floor (MIN (2 * p->ui, (box.y1 - box.y0) / 3) + 0.5),
                     p->colours->critical);
  else
    draw_critical_bar (p, box);
}

static void
draw_columns (const Painter *p, const GobanMerge *merge, GobanBox row)
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

static void
label_slice (const Painter *p, GobanBox box, const GobanSlice *slice)
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
    text = goban_last_scope (p->scene->names[slice->node]);
  /* The start of a name still helps; the start of a number misleads. */
  if (text != NULL
      && (goban_pen_text_width (p->pen, text, &style) <= room
          || (text != bytes && room >= 40 * p->ui)))
    goban_pen_text (p->pen, text, at, room, &style);
}

static GobanBox
row_box (const GobanLane *lane, GobanBox box, guint row)
{
  double height = (box.y1 - box.y0) / lane->n_rows;

  box.y0 = floor (box.y0 + row * height);
  box.y1 = MAX (box.y0 + floor (height) - (lane->n_rows > 1 && height >= 4), box.y0 + 1);
  return box;
}

static void
paint_row (const Painter *p, const GobanLane *lane, guint row, GobanBox box, GobanColumn *columns)
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

      if (slice->finish_us - slice->start_us < WHOLE_PX * p->camera->us_per_px)
        goban_merge_add (merge, slice);
    }
  goban_merge_finish (merge);
  draw_columns (p, merge, box);
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = first; i < end; i++)
      {
        const GobanSlice *slice = &lane->slices[i];
        GobanBox whole = { MAX (to_x (p, slice->start_us), p->left - 4), box.y0,
                           MIN (to_x (p, slice->finish_us), p->width + 4), box.y1 };

        if (slice->finish_us - slice->start_us < WHOLE_PX * p->camera->us_per_px)
          continue;
        if (pass == 0)
          draw_whole_slice (p, whole, slice);
        else
          label_slice (p, whole, slice);
      }
}

/* --- memory ------------------------------------------------------------------------------- */

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
draw_memory_run (const Painter *p, const GobanLane *lane, GobanBox box, double bytes)
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
static void
paint_memory (const Painter *p, const GobanLane *lane, GobanBox box)
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

      GobanBox ceiling = { MAX (to_x (p, 0), p->left), y,
                           MIN (to_x (p, p->scene->end_us), p->width), y + p->ui };

      if (ceiling.x1 > ceiling.x0)
        goban_pen_rect (p->pen, ceiling, p->colours->muted);
    }
}

/* --- axis, lanes, headers ----------------------------------------------------------------- */

static void
paint_axis (const Painter *p, gboolean labels)
{
  double step = goban_time_step (p->camera->us_per_px, 100 * p->ui);
  double first = ceil (MAX (p->camera->start_us, 0) / step);
  double end_us = goban_time_camera_to_us (p->camera, p->width - p->left);
  GobanTextStyle style = { 10.5 * p->ui, FALSE, GOBAN_ALIGN_LEFT, p->colours->muted };

  if (labels)
    {
      goban_pen_rect (p->pen, (GobanBox){ 0, 0, p->width, p->top }, p->colours->canvas);
      goban_pen_rect (p->pen, (GobanBox){ 0, p->top - p->ui, p->width, p->top }, p->colours->rule);
    }
  for (double k = first; k * step <= end_us; k++)
    {
      double x = floor (to_x (p, k * step));
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
}

static void
paint_lane (const Painter *p, const GobanLane *lane, GobanColumn *columns)
{
  GobanBox box = lane_box (p, lane);

  if (box.y1 <= p->top || box.y0 >= p->height)
    return;
  if (lane->kind == GOBAN_LANE_MEMORY)
    {
      paint_memory (p, lane, box);
      return;
    }
  for (guint r = 0; r < lane->n_rows; r++)
    paint_row (p, lane, r, row_box (lane, box, r), columns);
}

/* What is idle: a lane's own ground, drawn below the grid. */
static void
paint_ground (const Painter *p, const GobanLane *lane)
{
  GobanBox box = lane_box (p, lane);

  box.x0 = MAX (to_x (p, 0), p->left);
  box.x1 = MIN (to_x (p, p->scene->end_us), p->width);
  if (box.x1 > box.x0)
    goban_pen_rect (p->pen, box, p->colours->panel);
}

static void
paint_header (const Painter *p, const GobanLane *lane)
{
  gboolean is_device = lane->kind == GOBAN_LANE_DEVICE;
  GobanBox box = lane_box (p, lane);
  double middle = (box.y0 + box.y1) / 2;
  double size = is_device ? 12 : 9.5;
  GobanTextStyle name = { size * p->ui, is_device, GOBAN_ALIGN_LEFT,
                          is_device ? p->colours->ink : p->colours->muted };
  GobanTextStyle detail = { MIN (size, 11) * p->ui, FALSE, GOBAN_ALIGN_RIGHT, p->colours->muted };
  double pad = 10 * p->ui;
  double text_x = pad + 20 * p->ui;
  double detail_w
      = goban_pen_text_width (p->pen, lane->detail != NULL ? lane->detail : "", &detail);

  if (box.y1 <= p->top || box.y0 >= p->height)
    return;
  if (lane->kind != GOBAN_LANE_MEMORY)
    {
      guint device = is_device ? lane->device : lane->peer;
      GobanRgb rgb = goban_palette_device (p->theme, device);
      double half = (is_device ? 7 : 4) * p->ui;
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

void
goban_timeline_paint (const GobanTimelinePicture *picture, GobanPen *pen)
{
  Painter p = start (picture, pen);
  g_autofree GobanColumn *columns = g_new (GobanColumn, (gsize) MAX (p.width, 1));

  goban_pen_rect (pen, (GobanBox){ 0, 0, p.width, p.height }, p.colours->canvas);
  for (guint i = 0; i < p.scene->n_lanes; i++)
    paint_ground (&p, &p.scene->lanes[i]);
  paint_axis (&p, FALSE);
  for (guint i = 0; i < p.scene->n_lanes; i++)
    paint_lane (&p, &p.scene->lanes[i], columns);
  goban_pen_rect (pen, (GobanBox){ 0, p.top, p.left, p.height }, p.colours->canvas);
  goban_pen_rect (pen, (GobanBox){ p.left - p.ui, p.top, p.left, p.height }, p.colours->rule);
  for (guint i = 0; i < p.scene->n_lanes; i++)
    paint_header (&p, &p.scene->lanes[i]);
  paint_axis (&p, TRUE);
}

/* --- overlay ------------------------------------------------------------------------------ */

static void
ring_slice (const Painter *p, GobanBox row, const GobanSlice *slice, GobanRgb rgb)
{
  GobanBox box = { to_x (p, slice->start_us), row.y0, to_x (p, slice->finish_us), row.y1 };
  double width = MAX (floor (2 * p->ui), 1);

  box.x1 = MIN (MAX (box.x1, box.x0 + 2), p->width + 8);
  box.x0 = MAX (box.x0, p->left - 8);
  if (box.x1 - box.x0 < 3 * width || box.y1 - box.y0 < 3 * width)
    goban_pen_rect (p->pen, box, rgb);
  else
    goban_pen_frame (p->pen, box, width, rgb);
}

/* What a search has found is underlined: device and selection stay to be seen. */
static void
underline_slice (const Painter *p, GobanBox row, const GobanSlice *slice)
{
  double height = MAX (floor ((row.y1 - row.y0) / 5), 2 * p->ui);
  GobanBox box = { to_x (p, slice->start_us), row.y1 - height, to_x (p, slice->finish_us), row.y1 };

  box.x1 = MIN (MAX (box.x1, box.x0 + 2), p->width + 8);
  box.x0 = MAX (box.x0, p->left - 8);
  goban_pen_rect (p->pen, box, p->colours->match);
}

/* Why a slice is marked; of several reasons the highest is seen. */
typedef enum
{
  MARK_NONE,
  MARK_MATCHED,
  MARK_SELECTED,
  MARK_HOVERED,
} Mark;

static void
ring_row (const Painter *p, const GobanLane *lane, guint row, const guint8 *chosen, guint32 n_nodes)
{
  double end_us = goban_time_camera_to_us (p->camera, p->width - p->left);
  GobanBox box = row_box (lane, lane_box (p, lane), row);
  double last_x = -1;
  guint8 last_how = MARK_NONE;

  for (guint i = goban_lane_find (lane, row, p->camera->start_us);
       i < lane->row_first[row + 1] && lane->slices[i].start_us < end_us; i++)
    {
      const GobanSlice *slice = &lane->slices[i];
      guint8 how = slice->node < n_nodes ? chosen[slice->node] : 0;
      double x = floor (to_x (p, slice->finish_us));

      /* Specks of one pixel are marked once. */
      if (how == MARK_NONE || (x == last_x && how <= last_how && how != MARK_HOVERED))
        continue;
      last_x = x;
      last_how = how;
      if (how == MARK_MATCHED)
        underline_slice (p, box, slice);
      else
        ring_slice (p, box, slice, how == MARK_HOVERED ? p->colours->hover : p->colours->selection);
    }
}

void
goban_timeline_paint_overlay (const GobanTimelinePicture *picture,
                              const GobanTimelineOverlay *overlay, GobanPen *pen)
{
  Painter p = start (picture, pen);
  guint32 n = overlay->hover == GOBAN_NO_NODE ? 0 : overlay->hover + 1;
  g_autofree guint8 *chosen = NULL;

  for (guint i = 0; i < overlay->n_selected; i++)
    n = MAX (n, overlay->selected[i] + 1);
  for (guint i = 0; i < overlay->n_matched; i++)
    n = MAX (n, overlay->matched[i] + 1);
  chosen = g_malloc0 (MAX (n, 1));
  for (guint i = 0; i < overlay->n_matched; i++)
    chosen[overlay->matched[i]] = MARK_MATCHED;
  for (guint i = 0; i < overlay->n_selected; i++)
    chosen[overlay->selected[i]] = MARK_SELECTED;
  if (overlay->hover != GOBAN_NO_NODE)
    chosen[overlay->hover] = MARK_HOVERED;

  goban_pen_set_clip (pen, (int) p.left, (int) p.top, (int) (p.width - p.left),
                      (int) (p.height - p.top));
  if (isfinite (overlay->gap_from_us) && overlay->gap_lane < p.scene->n_lanes)
    {
      GobanBox box = lane_box (&p, &p.scene->lanes[overlay->gap_lane]);

      box.x0 = MAX (to_x (&p, overlay->gap_from_us), p.left - 8);
      box.x1 = MIN (to_x (&p, overlay->gap_to_us), p.width + 8);
      goban_pen_tint (pen, box, p.colours->selection, 60);
      goban_pen_frame (pen, box, p.ui, p.colours->selection);
    }
  for (guint i = 0; n > 0 && i < p.scene->n_lanes; i++)
    for (guint r = 0; p.scene->lanes[i].kind != GOBAN_LANE_MEMORY && r < p.scene->lanes[i].n_rows;
         r++)
      ring_row (&p, &p.scene->lanes[i], r, chosen, n);
  if (isfinite (overlay->cursor_us))
    {
      double x = floor (to_x (&p, overlay->cursor_us));

      goban_pen_rect (pen, (GobanBox){ x, p.top, x + p.ui, p.height }, p.colours->ink);
    }
  goban_pen_set_clip (pen, 0, 0, (int) ceil (p.width), (int) ceil (p.height));
}
