/* timeline-so-far.c: marks of a plan under construction: what the shown decision has decided, and
 * where the schedule ends so far. */
#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "ui/draw/timeline/timeline-painter-private.h"

#include <math.h>
#include <stdlib.h>

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  GobanNodeId x = *(const GobanNodeId *) a, y = *(const GobanNodeId *) b;

  return (x > y) - (x < y);
}

static gboolean
is_decided (const GobanTimelineScene *scene, const GobanSlice *slice)
{
  return bsearch (&slice->node, scene->decided, scene->n_decided, sizeof slice->node, compare_ids)
         != NULL;
}

/* Neighbours have one frame, outside their bar, so that their colours stay visible. */
void
goban_timeline_frame_decided (const TimelinePainter *p, const GobanLane *lane)
{
  gboolean is_bold = goban_theme_is_high_contrast (p->theme);
  double width = MAX (floor ((is_bold ? 3 : 2) * p->ui), 1);

  if (p->scene->n_decided == 0 || lane->kind != GOBAN_LANE_DEVICE)
    return;
  for (guint i = 0; i < lane->n_slices; i++)
    {
      GobanBox box = goban_timeline_slices_box (p, lane);
      guint first = i;

      if (!is_decided (p->scene, &lane->slices[i]))
        continue;
      while (i + 1 < lane->n_slices && is_decided (p->scene, &lane->slices[i + 1]))
        i++;
      box.x0 = goban_timeline_x (p, lane->slices[first].start_us) - width;
      box.x1 = goban_timeline_x (p, lane->slices[i].finish_us) + width;
      box = (GobanBox){ MAX (box.x0, p->left - 2 * width), box.y0 - width,
                        MIN (box.x1, p->width + 2 * width), box.y1 + width };
      if (box.x1 > box.x0)
        goban_pen_frame (p->pen, box, width, p->colours->selection);
    }
}

/* Right of the line nothing is decided, so that the text hides nothing there. */
void
goban_timeline_paint_so_far (const TimelinePainter *p)
{
  GobanTextStyle style = { 10.5 * p->ui, FALSE, GOBAN_ALIGN_LEFT, p->colours->ink };
  double x = floor (goban_timeline_x (p, p->scene->so_far_us));
  char time[GOBAN_QUANTITY_LEN];
  g_autofree char *text = NULL;
  double width, height = 17 * p->ui;
  GobanBox box;

  if (p->scene->note == NULL || p->scene->so_far_us <= 0 || x < p->left || x > p->width)
    return;
  goban_timeline_paint_end (p, p->scene->so_far_us, p->colours->selection, 4 * p->ui);
  text = g_strdup_printf (_ ("so far %s"), goban_format_time (time, p->scene->so_far_us));
  width = goban_pen_text_width (p->pen, text, &style) + 12 * p->ui;
  box.x0 = x + 6 * p->ui + width < p->width ? x + 6 * p->ui : x - 6 * p->ui - width;
  box.y1 = floor (MIN (p->height - 3 * p->ui, p->top + p->scene->height * p->ui));
  box = (GobanBox){ floor (box.x0), MAX (box.y1 - height, p->top), floor (box.x0 + width), box.y1 };
  goban_pen_rect (p->pen, box, p->colours->canvas);
  goban_pen_frame (p->pen, box, MAX (floor (p->ui), 1), p->colours->rule);
  goban_pen_text (p->pen, text, (GobanPoint){ box.x0 + 6 * p->ui, (box.y0 + box.y1) / 2 }, width,
                  &style);
}
