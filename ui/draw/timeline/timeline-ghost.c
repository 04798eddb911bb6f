/* timeline-ghost.c: another run behind the one that is shown: outlines in grey, where slices would
 * cover them a strip below.
 *
 * Decision U21 (ui/NOTES.md).
 */
#include "engine/core/quantity.h"
#include "ui/draw/timeline/timeline-painter-private.h"

#include <math.h>

static void
draw_outline (const TimelinePainter *p, GobanBox box)
{
  goban_pen_rect (p->pen, box, goban_rgb_mix (p->colours->panel, p->colours->muted, 0.16));
  goban_pen_frame (p->pen, box, MAX (floor (p->ui), 1),
                   goban_rgb_mix (p->colours->panel, p->colours->muted, 0.75));
}

static void
draw_columns (const TimelinePainter *p, const GobanColumn *columns, guint n, GobanBox row)
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

static void
paint_row (const TimelinePainter *p, const GobanLane *ghost, guint row, GobanBox box,
           GobanColumn *columns)
{
  guint n = (guint) MAX (p->width - p->left, 0);
  double end_us = goban_time_camera_to_us (p->camera, n);
  double whole_us = GOBAN_TIMELINE_WHOLE_PX * p->camera->us_per_px;
  guint first = goban_lane_find (ghost, row, p->camera->start_us);
  g_autofree GobanMerge *merge = g_new (GobanMerge, 1);
  guint end;

  goban_merge_start (merge, columns, n, p->camera->start_us, p->camera->us_per_px);
  for (end = first; end < ghost->row_first[row + 1] && ghost->slices[end].start_us < end_us; end++)
    if (ghost->slices[end].finish_us - ghost->slices[end].start_us < whole_us)
      goban_merge_add (merge, &ghost->slices[end]);
  goban_merge_finish (merge);
  draw_columns (p, columns, n, box);
  for (guint i = first; i < end; i++)
    {
      const GobanSlice *slice = &ghost->slices[i];

      if (slice->finish_us - slice->start_us >= whole_us)
        draw_outline (
            p, (GobanBox){ MAX (goban_timeline_x (p, slice->start_us), p->left - 4), box.y0,
                           MIN (goban_timeline_x (p, slice->finish_us), p->width + 4), box.y1 });
    }
}

void
goban_timeline_paint_ghost (const TimelinePainter *p, const GobanLane *ghost, GobanColumn *columns)
{
  GobanBox box = goban_timeline_lane_box (p, ghost);

  for (guint r = 0; r < ghost->n_rows; r++)
    paint_row (p, ghost, r, goban_timeline_row_box (ghost, box, r), columns);
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
