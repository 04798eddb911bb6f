/* timeline-overlay.c: what follows pointer and selection, over a timeline. */
#include "ui/draw/timeline-painter-private.h"

#include <math.h>

static void
ring_slice (const TimelinePainter *p, GobanBox row, const GobanSlice *slice, GobanRgb rgb)
{
  GobanBox box = { goban_timeline_x (p, slice->start_us), row.y0,
                   goban_timeline_x (p, slice->finish_us), row.y1 };
  double width = MAX (floor (2 * p->ui), 1);

  box.x1 = MIN (MAX (box.x1, box.x0 + 2), p->width + 8);
  box.x0 = MAX (box.x0, p->left - 8);
  if (box.x1 - box.x0 < 3 * width || box.y1 - box.y0 < 3 * width)
    goban_pen_rect (p->pen, box, rgb);
  else
    goban_pen_frame (p->pen, box, width, rgb);
}

static void
ring_row (const TimelinePainter *p, const GobanLane *lane, guint row, const guint8 *chosen,
          guint32 n_nodes)
{
  double end_us = goban_time_camera_to_us (p->camera, p->width - p->left);
  GobanBox box = goban_timeline_row_box (lane, goban_timeline_lane_box (p, lane), row);
  double last_x = -1;

  for (guint i = goban_lane_find (lane, row, p->camera->start_us);
       i < lane->row_first[row + 1] && lane->slices[i].start_us < end_us; i++)
    {
      const GobanSlice *slice = &lane->slices[i];
      guint8 how = slice->node < n_nodes ? chosen[slice->node] : 0;
      double x = floor (goban_timeline_x (p, slice->finish_us));

      /* Specks of one pixel are marked once. */
      if (how == 0 || (x == last_x && how == 1))
        continue;
      last_x = x;
      ring_slice (p, box, slice, how == 2 ? p->colours->hover : p->colours->selection);
    }
}

void
goban_timeline_paint_overlay (const GobanTimelinePicture *picture,
                              const GobanTimelineOverlay *overlay, GobanPen *pen)
{
  TimelinePainter p = goban_timeline_painter_start (picture, pen);
  guint32 n = overlay->hover == GOBAN_NO_NODE ? 0 : overlay->hover + 1;
  g_autofree guint8 *chosen = NULL;

  for (guint i = 0; i < overlay->n_selected; i++)
    n = MAX (n, overlay->selected[i] + 1);
  chosen = g_malloc0 (MAX (n, 1));
  for (guint i = 0; i < overlay->n_selected; i++)
    chosen[overlay->selected[i]] = 1;
  if (overlay->hover != GOBAN_NO_NODE)
    chosen[overlay->hover] = 2;

  goban_pen_set_clip (pen, (int) p.left, (int) p.top, (int) (p.width - p.left),
                      (int) (p.height - p.top));
  if (isfinite (overlay->gap_from_us) && overlay->gap_lane < p.scene->n_lanes)
    {
      GobanBox box = goban_timeline_lane_box (&p, &p.scene->lanes[overlay->gap_lane]);

      box.x0 = MAX (goban_timeline_x (&p, overlay->gap_from_us), p.left - 8);
      box.x1 = MIN (goban_timeline_x (&p, overlay->gap_to_us), p.width + 8);
      goban_pen_tint (pen, box, p.colours->selection, 60);
      goban_pen_frame (pen, box, p.ui, p.colours->selection);
    }
  for (guint i = 0; n > 0 && i < p.scene->n_lanes; i++)
    for (guint r = 0; p.scene->lanes[i].kind != GOBAN_LANE_MEMORY && r < p.scene->lanes[i].n_rows;
         r++)
      ring_row (&p, &p.scene->lanes[i], r, chosen, n);
  if (isfinite (overlay->cursor_us))
    {
      double x = floor (goban_timeline_x (&p, overlay->cursor_us));

      goban_pen_rect (pen, (GobanBox){ x, p.top, x + p.ui, p.height }, p.colours->ink);
    }
  goban_pen_set_clip (pen, 0, 0, (int) ceil (p.width), (int) ceil (p.height));
}
