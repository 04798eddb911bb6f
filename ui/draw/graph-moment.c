/* graph-moment.c: what nodes do at a moment, laid over a graph's picture: done stays as it is, waiting is
 * veiled, ready is veiled less and hatched, and running has a ring in its device's colour.
 */
#include "ui/draw/graph-painter-private.h"

#include "engine/session/moment.h"

#define WAITING_VEIL 196
#define READY_VEIL 96

static void
veil_node (const Painter *p, guint v, guint alpha)
{
  goban_pen_tint (p->pen, goban_painter_node_box (p, v), p->colours->canvas, alpha);
}

static void
paint_ready (const Painter *p, guint v)
{
  veil_node (p, v, READY_VEIL);
  if (p->node_h >= 5 * p->ui)
    goban_pen_hatch (p->pen, grow (goban_painter_node_box (p, v), -1), GOBAN_CUE_DIAGONAL,
                     p->colours->muted, p->ui);
}

/* Never smaller than what the eye finds among 80,000 specks. */
static void
paint_running (const Painter *p, guint v)
{
  GobanBox box = goban_painter_node_box (p, v);
  double width = p->node_h < 9 * p->ui ? 3 * p->ui : CLAMP (4 * p->scale, 3 * p->ui, 5 * p->ui);
  double gap = p->detail == DETAIL_PIXELS ? 0 : p->ui;
  GobanRgb rgb
      = p->scene->n_devices > 0 ? p->devices[p->scene->nodes[v].device] : p->colours->selection;

  goban_pen_frame (p->pen, grow (box, gap + width + p->ui), p->ui, p->colours->ink);
  goban_pen_frame (p->pen, grow (box, gap + width), width, rgb);
}

void
goban_painter_paint_moment (const Painter *p, const guint8 *states)
{
  double margin = 8 * p->ui / p->scale;

  for (guint v = 0; v < p->layout->n_nodes; v++)
    {
      if (states[v] == GOBAN_NODE_DONE || !goban_painter_sees_node (p, v, 0))
        continue;
      if (states[v] == GOBAN_NODE_WAITING)
        veil_node (p, v, WAITING_VEIL);
      else if (states[v] == GOBAN_NODE_READY)
        paint_ready (p, v);
    }
  /* Last, so that no neighbour covers them. */
  for (guint v = 0; v < p->layout->n_nodes; v++)
    if (states[v] == GOBAN_NODE_RUNNING && goban_painter_sees_node (p, v, margin))
      paint_running (p, v);
}
