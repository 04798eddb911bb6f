#include "ui/draw/graph-painter-private.h"

/* Where nodes are specks, what is chosen is shown by cells of the surface, each once, however many
 * nodes share it. */
static void
mark_cells (const Painter *p, const GobanNodeId *ids, guint n, GobanRgb rgb)
{
  double size = MAX (2 * p->ui, 3);
  guint columns = (guint) (goban_pen_get_width (p->pen) / size) + 2;
  guint rows = (guint) (goban_pen_get_height (p->pen) / size) + 2;
  g_autofree guint8 *cells = g_malloc0 ((gsize) columns * rows);

  for (guint i = 0; i < n; i++)
    {
      guint v = ids[i];
      GobanBox box = goban_painter_node_box (p, v);

      if (!goban_painter_sees_node (p, v, 0))
        continue;
      for (double y = MAX (box.y0, 0); y < MAX (box.y1, box.y0 + 1); y += size)
        for (double x = MAX (box.x0, 0); x < MAX (box.x1, box.x0 + 1); x += size)
          if (x / size < columns && y / size < rows)
            cells[(guint) (y / size) * columns + (guint) (x / size)] = 1;
    }
  for (guint y = 0; y < rows; y++)
    for (guint x = 0; x < columns; x++)
      {
        guint from = x;

        while (x < columns && cells[y * columns + x])
          x++;
        if (x > from)
          goban_pen_rect (p->pen, (GobanBox){ from * size, y * size, x * size, (y + 1) * size },
                          rgb);
      }
}

static void
draw_ring (const Painter *p, guint v, GobanRgb rgb, double width)
{
  GobanBox box = goban_painter_node_box (p, v);
  double gap = p->node_h >= 9 * p->ui ? p->ui : 0;
  double radius = CLAMP (5 * p->scale, 0, 8 * p->ui);
  GobanStroke between = { p->colours->canvas, GOBAN_OPAQUE, gap };
  GobanStroke ring = { rgb, GOBAN_OPAQUE, width };

  if (gap > 0)
    goban_pen_ring (p->pen, box, radius, &between);
  goban_pen_ring (p->pen, grow (box, gap), radius + gap, &ring);
}

static void
paint_touching_edges (const Painter *p, const GobanGraphOverlay *overlay)
{
  g_autofree guint8 *chosen = g_malloc0 (MAX (p->scene->n_nodes, 1));
  guint left = 1000; /* more would only paint the picture over */

  for (guint i = 0; i < overlay->n_selected; i++)
    chosen[overlay->selected[i]] = 1;
  if (overlay->hover < p->scene->n_nodes)
    chosen[overlay->hover] = 2;
  for (guint e = 0; e < p->scene->n_edges && left > 0; e++)
    {
      const GobanSceneEdge *edge = &p->scene->edges[e];
      guint8 how = MAX (chosen[edge->tail], chosen[edge->head]);
      GobanStroke stroke;

      if (how == 0 || !goban_painter_sees_edge (p, e))
        continue;
      stroke = goban_painter_edge_stroke (p, edge, EDGES_LOCAL);
      stroke.rgb = how == 2 ? p->colours->hover : p->colours->selection;
      stroke.alpha = GOBAN_OPAQUE;
      stroke.width = MAX (stroke.width, 1.5 * p->ui);
      goban_painter_draw_edge (p, edge, &stroke);
      left--;
    }
}

static void
mark_nodes (const Painter *p, const GobanNodeId *ids, guint n, GobanRgb rgb, double width)
{
  if (p->node_h < 5 * p->ui && n > 200)
    mark_cells (p, ids, n, rgb);
  else
    for (guint i = 0; i < n; i++)
      if (goban_painter_sees_node (p, ids[i], 0))
        draw_ring (p, ids[i], rgb, width);
}

void
goban_graph_paint_overlay (const GobanGraphPicture *picture, const GobanGraphOverlay *overlay,
                           GobanPen *pen)
{
  Painter *p = g_new (Painter, 1);

  goban_painter_start (p, picture, pen);
  mark_nodes (p, overlay->matched, overlay->n_matched, p->colours->match, 2 * p->ui);
  paint_touching_edges (p, overlay);
  mark_nodes (p, overlay->selected, overlay->n_selected, p->colours->selection, 2.5 * p->ui);
  if (overlay->hover < p->scene->n_nodes)
    draw_ring (p, overlay->hover, p->colours->hover, 2 * p->ui);
  goban_painter_finish (p);
}
