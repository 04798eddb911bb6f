/* timeline-overlay.c: painter of a timeline's overlay, which follows pointer and selection. */
#include "ui/draw/timeline/timeline-painter-private.h"

#include <math.h>

/* Beyond the surface, so that frames of partly visible items stay open there. */
#define OUTSIDE 8
/* So many are drawn thinner. */
#define MANY_ARROWS 24

GobanTimelineOverlay
goban_timeline_overlay_none (void)
{
  return (GobanTimelineOverlay){
    .hover = GOBAN_NO_NODE,
    .cursor_us = NAN,
    .gap.from_us = NAN,
    .gap.to_us = NAN,
    .gap.lane = GOBAN_NO_LANE,
    .area = { .from_us = NAN },
    .time_us = NAN,
    .target_lane = GOBAN_NO_LANE,
    .insert_y = NAN,
  };
}

static double
visible_x (const TimelinePainter *p, double time_us)
{
  return CLAMP (goban_timeline_x (p, time_us), p->left - OUTSIDE, p->width + OUTSIDE);
}

/* --- slices ------------------------------------------------------------------------------- */

/* Small slices beside each other in one row that are not painted yet. */
typedef struct
{
  GobanBox box;
  GobanRgb rgb;
  gboolean is_empty;
} Specks;

static void
paint_specks (const TimelinePainter *p, Specks *specks)
{
  if (!specks->is_empty)
    goban_pen_rect (p->pen, specks->box, specks->rgb);
  specks->is_empty = TRUE;
}

/* A slice as small as its frame is filled. Small slices of the same colour that touch are painted
 * as one, because most of tens of thousands do. */
static void
ring_slice (const TimelinePainter *p, GobanBox row, const GobanSlice *slice, Specks *specks,
            GobanRgb rgb)
{
  GobanBox box = { goban_timeline_x (p, slice->start_us), row.y0,
                   goban_timeline_x (p, slice->finish_us), row.y1 };
  double width = MAX (floor (2 * p->ui), 1);

  box.x1 = MIN (MAX (box.x1, box.x0 + 2), p->width + OUTSIDE);
  box.x0 = MAX (box.x0, p->left - OUTSIDE);
  if (box.x1 - box.x0 < 3 * width || box.y1 - box.y0 < 3 * width)
    {
      if (!specks->is_empty && specks->rgb == rgb && box.x0 <= specks->box.x1)
        specks->box.x1 = MAX (specks->box.x1, box.x1);
      else
        {
          paint_specks (p, specks);
          *specks = (Specks){ .box = box, .rgb = rgb };
        }
      return;
    }
  paint_specks (p, specks);
  goban_pen_frame (p->pen, box, width, rgb);
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
ring_row (const TimelinePainter *p, const GobanLane *lane, guint row, const guint8 *chosen,
          guint32 n_nodes)
{
  double end_us = goban_time_camera_to_us (p->camera, p->width - p->left);
  GobanBox box = goban_timeline_row_box (lane, goban_timeline_slices_box (p, lane), row);
  const GobanRgb rgbs[] = { 0, p->colours->match, p->colours->selection, p->colours->hover };
  double last_x = -1;
  guint8 last_how = MARK_NONE;
  Specks specks = { .is_empty = TRUE };

  for (guint i = goban_lane_find (lane, row, p->camera->start_us);
       i < lane->row_first[row + 1] && lane->slices[i].start_us < end_us; i++)
    {
      const GobanSlice *slice = &lane->slices[i];
      guint8 how = slice->node < n_nodes ? chosen[slice->node] : 0;
      double x = floor (goban_timeline_x (p, slice->finish_us));

      /* Specks of one pixel are marked once. */
      if (how == MARK_NONE || (x == last_x && how <= last_how && how != MARK_HOVERED))
        continue;
      last_x = x;
      last_how = how;
      ring_slice (p, box, slice, &specks, rgbs[how]);
    }
  paint_specks (p, &specks);
}

/* (transfer full): why each of the first n nodes is marked, 0 if it is not. */
static guint8 *
mark_nodes (const GobanTimelineOverlay *overlay, guint32 *n)
{
  guint8 *chosen;

  *n = overlay->hover == GOBAN_NO_NODE ? 0 : overlay->hover + 1;
  for (guint i = 0; i < overlay->n_selected; i++)
    *n = MAX (*n, overlay->selected[i] + 1);
  for (guint i = 0; i < overlay->n_matched; i++)
    *n = MAX (*n, overlay->matched[i] + 1);
  chosen = g_malloc0 (MAX (*n, 1));
  for (guint i = 0; i < overlay->n_matched; i++)
    chosen[overlay->matched[i]] = MARK_MATCHED;
  for (guint i = 0; i < overlay->n_selected; i++)
    chosen[overlay->selected[i]] = MARK_SELECTED;
  if (overlay->hover != GOBAN_NO_NODE)
    chosen[overlay->hover] = MARK_HOVERED;
  return chosen;
}

/* --- arrows ------------------------------------------------------------------------------- */

static const GobanLane *
find_bar (const TimelinePainter *p, const GobanLane *row)
{
  guint bar = goban_timeline_scene_find_device (p->scene, row->device);

  return bar != GOBAN_NO_LANE ? &p->scene->lanes[bar] : row;
}

/* The box of a slice; of one in a closed sub-row it is on the bar of its device. */
static GobanBox
place_box (const TimelinePainter *p, GobanSlicePlace place)
{
  const GobanLane *lane = &p->scene->lanes[place.lane];
  const GobanSlice *slice = &lane->slices[place.slice];
  GobanBox box;

  if (lane->height > 0)
    box = goban_timeline_row_box (lane, goban_timeline_slices_box (p, lane),
                                  goban_lane_row_of (lane, place.slice));
  else
    box = goban_timeline_slices_box (p, find_bar (p, lane));
  box.x0 = goban_timeline_x (p, slice->start_us);
  box.x1 = goban_timeline_x (p, slice->finish_us);
  return box;
}

static void
draw_head (const TimelinePainter *p, GobanPoint tip, double size, const GobanStroke *stroke)
{
  goban_pen_line (p->pen, (GobanPoint){ tip.x - size, tip.y - size * 0.6 }, tip, stroke);
  goban_pen_line (p->pen, (GobanPoint){ tip.x - size, tip.y + size * 0.6 }, tip, stroke);
}

/* Along one lane, from slice to slice: below them, where it hides no label. Adjacent slices need
 * none. */
static void
draw_arc (const TimelinePainter *p, GobanBox from, GobanBox to, const GobanStroke *stroke)
{
  double length = to.x0 - from.x1;
  double dip = CLAMP (length / 6, 6 * p->ui, 22 * p->ui);
  GobanPoint a = { from.x1, from.y1 };
  GobanPoint b = { to.x0, to.y1 };
  GobanPoint curve[4] = { a, { a.x + length / 5, a.y + dip }, { b.x - length / 5, b.y + dip }, b };

  if (length >= 6 * p->ui)
    goban_pen_cubic (p->pen, curve, stroke);
}

static void
draw_curve (const TimelinePainter *p, GobanBox from, GobanBox to, const GobanStroke *stroke)
{
  GobanPoint a = { from.x1, (from.y0 + from.y1) / 2 };
  GobanPoint b = { to.x0, (to.y0 + to.y1) / 2 };
  double reach = CLAMP (fabs (b.x - a.x) / 2, 14 * p->ui, 90 * p->ui);
  GobanPoint curve[4] = { a, { a.x + reach, a.y }, { b.x - reach, b.y }, b };

  goban_pen_cubic (p->pen, curve, stroke);
  draw_head (p, b, 4 * p->ui + stroke->width, stroke);
}

static void
draw_arrow (const TimelinePainter *p, const GobanTimelineArrow *arrow, const GobanStroke *stroke)
{
  GobanBox from = place_box (p, arrow->from);
  GobanBox to = place_box (p, arrow->to);

  if (from.y1 <= from.y0 || to.y1 <= to.y0 || MAX (from.x1, to.x0) < p->left
      || MIN (from.x1, to.x0) > p->width)
    return;
  if (from.y1 == to.y1)
    draw_arc (p, from, to, stroke);
  else
    draw_curve (p, from, to, stroke);
}

/* A light line around each keeps it apart from the slices below it. */
static void
draw_arrows (const TimelinePainter *p, const GobanTimelineArrow *arrows, guint n, GobanRgb rgb,
             double width)
{
  GobanStroke halo = { p->colours->canvas, 200, (width + 2) * p->ui };
  GobanStroke stroke = { rgb, GOBAN_OPAQUE, width * p->ui };

  for (guint i = 0; i < n; i++)
    draw_arrow (p, &arrows[i], &halo);
  for (guint i = 0; i < n; i++)
    draw_arrow (p, &arrows[i], &stroke);
}

static void
ring_chain (const TimelinePainter *p, const GobanTimelineOverlay *overlay)
{
  for (guint i = 0; i < overlay->n_chain; i++)
    for (guint end = 0; end < 2; end++)
      {
        GobanSlicePlace place = end == 0 ? overlay->chain[i].from : overlay->chain[i].to;
        const GobanLane *lane = &p->scene->lanes[place.lane];
        Specks specks = { .is_empty = TRUE };

        if (lane->height > 0)
          ring_slice (p, place_box (p, place), &lane->slices[place.slice], &specks,
                      p->colours->critical);
        paint_specks (p, &specks);
      }
}

/* --- areas, gaps, moments ----------------------------------------------------------------- */

static void
draw_gap (const TimelinePainter *p, const GobanTimelineGap *gap, GobanPart part)
{
  GobanBox box;

  if (!isfinite (gap->from_us) || gap->lane >= p->scene->n_lanes
      || !goban_timeline_is_in_part (p, &p->scene->lanes[gap->lane], part))
    return;
  box = goban_timeline_lane_box (p, &p->scene->lanes[gap->lane]);
  box.x0 = visible_x (p, gap->from_us);
  box.x1 = visible_x (p, gap->to_us);
  goban_pen_tint (p->pen, box, p->colours->selection, 60);
  goban_pen_frame (p->pen, box, p->ui, p->colours->selection);
}

static void
tint_area (const TimelinePainter *p, const GobanTimelineArea *area, GobanPart part)
{
  double x0 = floor (visible_x (p, area->from_us));

  for (guint i = 0; isfinite (area->from_us) && i < p->scene->n_lanes; i++)
    {
      GobanBox box = goban_timeline_lane_box (p, &p->scene->lanes[i]);

      box.x0 = x0;
      box.x1 = MAX (floor (visible_x (p, area->to_us)), x0 + 1);
      if (area->lanes[i] && goban_timeline_is_in_part (p, &p->scene->lanes[i], part))
        goban_pen_tint (p->pen, box, p->colours->selection, 56);
    }
}

static void
draw_area_ends (const TimelinePainter *p, const GobanTimelineArea *area)
{
  const double ends_us[] = { area->from_us, area->to_us };

  for (guint i = 0; isfinite (area->from_us) && i < G_N_ELEMENTS (ends_us); i++)
    {
      double x = floor (visible_x (p, ends_us[i]));

      goban_pen_rect (p->pen, (GobanBox){ x, p->top, x + p->ui, p->height }, p->colours->selection);
    }
}

static void
draw_target (const TimelinePainter *p, const GobanTimelineOverlay *overlay)
{
  if (overlay->target_lane < p->scene->n_lanes)
    {
      GobanBox box = goban_timeline_lane_box (p, &p->scene->lanes[overlay->target_lane]);

      box.x1 += OUTSIDE;
      goban_pen_tint (p->pen, box, p->colours->selection, 70);
      goban_pen_frame (p->pen, box, 2 * p->ui, p->colours->selection);
    }
  if (isfinite (overlay->insert_y))
    {
      double y = floor (p->top + overlay->insert_y * p->ui);

      goban_pen_rect (p->pen, (GobanBox){ 0, y - p->ui, p->width, y + p->ui },
                      p->colours->selection);
    }
}

/* The moment that is played: a line with a handle in the axis. */
static void
draw_time (const TimelinePainter *p, double time_us)
{
  double x = isfinite (time_us) ? floor (goban_timeline_x (p, time_us)) : -1;

  if (x < p->left || x > p->width)
    return;
  goban_pen_rect (p->pen, (GobanBox){ x, p->top - 6 * p->ui, x + 2 * p->ui, p->height },
                  p->colours->selection);
  goban_pen_arrow (p->pen, (GobanPoint){ x + p->ui, p->top - p->ui }, 13 * p->ui,
                   p->colours->selection);
}

/* A flag in the axis that says its name, and a thin line through the lanes. Of flags that would lie
 * upon each other the later one has no name. */
static void
draw_marks (const TimelinePainter *p, const GobanTimelineOverlay *overlay)
{
  GobanTextStyle style = { 10 * p->ui, TRUE, GOBAN_ALIGN_LEFT, p->colours->canvas };
  double free_x = p->left;

  for (guint i = 0; i < overlay->n_marks; i++)
    {
      const char *name = overlay->marks[i].name;
      double x = floor (goban_timeline_x (p, overlay->marks[i].time_us));
      double width = MIN (goban_pen_text_width (p->pen, name, &style), 120 * p->ui) + 8 * p->ui;
      double next = i + 1 < overlay->n_marks
                        ? floor (goban_timeline_x (p, overlay->marks[i + 1].time_us))
                        : (double) INFINITY;
      GobanBox flag = { x, p->top - 16 * p->ui, x + width, p->top - 2 * p->ui };

      if (x < p->left || x > p->width)
        continue;
      goban_pen_rect (p->pen, (GobanBox){ x, flag.y0, x + p->ui, p->height }, p->colours->ink);
      if (x < free_x)
        continue;
      flag.x1 = MIN (flag.x1, MAX (next - p->ui, x + 6 * p->ui));
      free_x = flag.x1;
      goban_pen_rect (p->pen, flag, p->colours->ink);
      goban_pen_text (p->pen, name, (GobanPoint){ x + 4 * p->ui, (flag.y0 + flag.y1) / 2 },
                      flag.x1 - x - 5 * p->ui, &style);
    }
}

static void
draw_note (const TimelinePainter *p, const GobanTimelineOverlay *overlay)
{
  GobanTextStyle style = { 11.5 * p->ui, TRUE, GOBAN_ALIGN_LEFT, p->colours->canvas };
  double width, height = 22 * p->ui;
  GobanBox box;

  if (overlay->note == NULL)
    return;
  width = goban_pen_text_width (p->pen, overlay->note, &style) + 16 * p->ui;
  box.x0 = MIN (overlay->note_at.x + 14 * p->ui, p->width - width - 4 * p->ui);
  box.y0 = overlay->note_at.y + 16 * p->ui;
  if (box.y0 + height > p->height)
    box.y0 = overlay->note_at.y - height - 10 * p->ui;
  box.x1 = box.x0 + width;
  box.y1 = box.y0 + height;
  goban_pen_round_rect (p->pen, box, 5 * p->ui, p->colours->ink);
  goban_pen_text (p->pen, overlay->note, (GobanPoint){ box.x0 + 8 * p->ui, box.y0 + height / 2 },
                  width, &style);
}

/* --- all of it ---------------------------------------------------------------------------- */

static void
ring_lanes (const TimelinePainter *p, const guint8 *chosen, guint32 n, GobanPart part)
{
  for (guint i = 0; n > 0 && i < p->scene->n_lanes; i++)
    {
      const GobanLane *lane = &p->scene->lanes[i];

      if (lane->kind == GOBAN_LANE_MEMORY || !goban_timeline_is_in_part (p, lane, part))
        continue;
      for (guint r = 0; r < lane->n_rows; r++)
        ring_row (p, lane, r, chosen, n);
    }
}

void
goban_timeline_paint_overlay (const GobanTimelinePicture *picture,
                              const GobanTimelineOverlay *overlay, GobanPen *pen)
{
  TimelinePainter p = goban_timeline_painter_start (picture, pen);
  guint32 n;
  g_autofree guint8 *chosen = mark_nodes (overlay, &n);

  for (GobanPart part = 0; part < GOBAN_N_PARTS; part++)
    if (goban_timeline_clip_part (&p, part, p.left))
      {
        ring_lanes (&p, chosen, n, part);
        tint_area (&p, &overlay->area, part);
        draw_gap (&p, &overlay->gap, part);
      }
  goban_pen_set_clip (pen, (GobanBox){ p.left, p.top, p.width, p.height });
  draw_area_ends (&p, &overlay->area);
  draw_arrows (&p, overlay->arrows, overlay->n_arrows, p.colours->selection,
               overlay->n_arrows > MANY_ARROWS ? 1 : 1.5);
  ring_chain (&p, overlay);
  draw_arrows (&p, overlay->chain, overlay->n_chain, p.colours->critical, 2);
  if (isfinite (overlay->cursor_us))
    {
      double x = floor (goban_timeline_x (&p, overlay->cursor_us));

      goban_pen_rect (pen, (GobanBox){ x, p.top, x + p.ui, p.height }, p.colours->ink);
    }
  goban_pen_set_clip (pen, (GobanBox){ 0, 0, p.width, p.height });
  draw_target (&p, overlay);
  draw_marks (&p, overlay);
  draw_time (&p, overlay->time_us);
  draw_note (&p, overlay);
}
