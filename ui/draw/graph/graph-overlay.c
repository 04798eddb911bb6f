#include "ui/draw/graph/graph-edges.h"
#include "ui/draw/graph/graph-paint.h"
#include "ui/draw/graph/graph-painter.h"

#include <math.h>

#define MOST_BOXES 600
/* More would only paint the picture over. */
#define MOST_EDGES 1000

/* If nodes are specks, the selection is shown by cells of the surface, each once for all its
 * nodes. */
static void
mark_cells (const Painter *p, const guint32 *items, guint n, GobanRgb rgb)
{
  double size = MAX (2 * p->ui, 3);
  guint columns = (guint) (goban_pen_get_width (p->pen) / size) + 2;
  guint rows = (guint) (goban_pen_get_height (p->pen) / size) + 2;
  g_autofree guint8 *cells = g_malloc0 ((gsize) columns * rows);

  for (guint i = 0; i < n; i++)
    {
      guint v = items[i];
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

/* Some of a group is selected: a thin ring, and a spot at the corner. */
static void
draw_part_mark (const Painter *p, guint v)
{
  GobanBox box = goban_painter_node_box (p, v);
  double side = CLAMP ((box.y1 - box.y0) / 5, 4 * p->ui, 12 * p->ui);
  GobanBox spot
      = { box.x1 - side * 0.6, box.y0 - side * 0.4, box.x1 + side * 0.4, box.y0 + side * 0.6 };

  if (box.y1 - box.y0 >= 9 * p->ui)
    draw_ring (p, v, p->colours->selection, 1.2 * p->ui);
  goban_pen_round_rect (p->pen, grow (spot, p->ui), side / 2 + p->ui, p->colours->canvas);
  goban_pen_round_rect (p->pen, spot, side / 2, p->colours->selection);
}

static void
draw_hull_frame (const Painter *p, guint hull)
{
  GobanBox box = goban_camera_box_to_screen (&p->picture->camera, p->layout->hulls[hull]);
  GobanStroke ring = { p->colours->hover, GOBAN_OPAQUE, 1.5 * p->ui };

  goban_pen_ring (p->pen, box, MIN (8 * p->scale, 10 * p->ui), &ring);
}

/* (n_nodes) 2 for nodes under the pointer, 1 for selected ones, unless all are: a thousand edges
 * would be marked at random, which takes half of a frame. (transfer full) */
static guint8 *
list_chosen (const Painter *p, const GobanGraphOverlay *overlay)
{
  guint8 *chosen = g_malloc0 (MAX (p->scene->n_nodes, 1));
  guint n_selected = overlay->n_selected < p->scene->n_nodes ? overlay->n_selected : 0;

  for (guint i = 0; i < n_selected; i++)
    chosen[overlay->selected[i]] = 1;
  if (overlay->hover < p->scene->n_nodes)
    chosen[overlay->hover] = 2;
  return chosen;
}

static void
set_marked (const Painter *p, GobanStroke *stroke, guint8 how)
{
  stroke->rgb = how == 2 ? p->colours->hover : p->colours->selection;
  stroke->alpha = GOBAN_OPAQUE;
  stroke->width = MAX (stroke->width, 1.5 * p->ui);
}

static void
paint_touching_edges (const Painter *p, const GobanGraphOverlay *overlay)
{
  g_autofree guint8 *chosen = list_chosen (p, overlay);
  guint left = MOST_EDGES;

  for (guint e = 0; e < p->scene->n_edges && left > 0; e++)
    {
      const GobanSceneEdge *edge = &p->scene->edges[e];
      guint8 how = MAX (chosen[edge->tail], chosen[edge->head]);
      GobanStroke stroke;

      if (how == 0 || !goban_painter_sees_edge (p, e))
        continue;
      stroke = goban_painter_edge_stroke (p, edge, EDGES_LOCAL);
      set_marked (p, &stroke, how);
      goban_painter_draw_edge (p, edge, &stroke);
      left--;
    }
}

typedef struct
{
  guint8 *how; /* (wires) */
  guint8 mark;
} WireMarks;

static void
mark_wire (guint wire, gpointer data)
{
  const WireMarks *marks = data;

  marks->how[wire] = MAX (marks->how[wire], marks->mark);
}

/* The same if edges are made of wires: each once, however many of its edges are chosen. */
static void
paint_touching_wires (const Painter *p, const GobanGraphOverlay *overlay)
{
  g_autofree guint8 *chosen = list_chosen (p, overlay);
  g_autofree guint8 *how = g_malloc0 (p->layout->n_wires);
  GobanPoint points[GOBAN_MAX_ROUTE];
  guint left = MOST_EDGES;

  for (guint e = 0; e < p->scene->n_edges; e++)
    {
      const GobanSceneEdge *edge = &p->scene->edges[e];
      WireMarks marks = { how, MAX (chosen[edge->tail], chosen[edge->head]) };

      if (marks.mark > 0)
        goban_layout_each_wire (p->layout, e, mark_wire, &marks);
    }
  for (guint w = 0; w < p->layout->n_wires && left > 0; w++)
    if (how[w] > 0 && goban_painter_sees_wire (p, w))
      {
        GobanStroke stroke
            = goban_painter_stroke (p, (double) p->scene->wires[w].weight, FALSE, EDGES_LOCAL);
        guint n = goban_layout_route_wire (p->layout, w, points);

        set_marked (p, &stroke, how[w]);
        goban_painter_draw_points (p, points, n,
                                   goban_layout_wire_end (p->layout, w) != GOBAN_NO_ITEM, &stroke);
        left--;
      }
}

/* Edges that pass below boxes: those of groups, and all in lanes. */
static gboolean
passes_below (const Painter *p)
{
  return p->layout->n_wires > 0 || p->layout->kind == GOBAN_LAYOUT_LANES;
}

static void
add_box (const Painter *p, GArray *boxes, GobanBox box)
{
  box = (GobanBox){ MAX (floor (box.x0), 0), MAX (floor (box.y0), 0),
                    MIN (ceil (box.x1), goban_pen_get_width (p->pen)),
                    MIN (ceil (box.y1), goban_pen_get_height (p->pen)) };
  if (box.x0 < box.x1 && box.y0 < box.y1)
    g_array_append_val (boxes, box);
}

/* Boxes and heads in sight; none if they are too many to be read. */
static GArray *
list_boxes (const Painter *p)
{
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (GobanBox));
  double head = GOBAN_HEAD_HEIGHT * p->scale;

  for (guint v = 0; v < p->layout->n_nodes && boxes->len <= MOST_BOXES; v++)
    if (goban_painter_sees_node (p, v, 0))
      add_box (p, boxes, goban_painter_node_box (p, v));
  for (guint h = 1; h < p->layout->n_hulls && boxes->len <= MOST_BOXES; h++)
    if (goban_box_intersects (p->layout->hulls[h], p->view))
      {
        GobanBox box = goban_camera_box_to_screen (&p->picture->camera, p->layout->hulls[h]);

        box.y1 = box.y0 + head;
        add_box (p, boxes, box);
      }
  if (boxes->len > MOST_BOXES)
    g_array_set_size (boxes, 0);
  return boxes;
}

static void
paint_edges_below (const Painter *p, const GobanGraphOverlay *overlay)
{
  g_autoptr (GArray) boxes = list_boxes (p);

  goban_pen_begin_outside (p->pen, (const GobanBox *) (gpointer) boxes->data, boxes->len);
  if (p->layout->n_wires > 0)
    paint_touching_wires (p, overlay);
  else
    paint_touching_edges (p, overlay);
  goban_pen_end_outside (p->pen);
}

static void
mark_items (const Painter *p, const guint32 *items, guint n, GobanRgb rgb, double width)
{
  if (p->node_h < 5 * p->ui && n > 200)
    mark_cells (p, items, n, rgb);
  else
    for (guint i = 0; i < n; i++)
      if (goban_painter_sees_node (p, items[i], 0))
        draw_ring (p, items[i], rgb, width);
}

/* --- attention -------------------------------------------------------------------------------- */

static GobanPoint
find_middle (GobanBox box)
{
  return (GobanPoint){ (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2 };
}

/* The line, and two short ones at its end. */
static void
draw_arrow (const Painter *p, GobanPoint from, GobanPoint to, const GobanStroke *stroke)
{
  double length = hypot (to.x - from.x, to.y - from.y);
  double size = MIN (5 * p->ui + 1.5 * stroke->width, length / 3);
  double dx = (to.x - from.x) / MAX (length, 1), dy = (to.y - from.y) / MAX (length, 1);

  goban_pen_line (p->pen, from, to, stroke);
  for (int side = -1; side <= 1; side += 2)
    goban_pen_line (
        p->pen,
        (GobanPoint){ to.x - size * (dx + side * 0.6 * dy), to.y - size * (dy - side * 0.6 * dx) },
        to, stroke);
}

/* Over everything, with a halo: they lead past many nodes. The most attended is drawn last. */
static void
paint_attention (const Painter *p, const GobanGraphOverlay *overlay)
{
  for (guint i = overlay->n_arrows; i-- > 0;)
    {
      const GobanAttentionArrow *arrow = &overlay->arrows[i];
      GobanPoint from = find_middle (goban_painter_node_box (p, arrow->from));
      GobanPoint to = find_middle (goban_painter_node_box (p, arrow->to));
      double width = (1 + 4 * arrow->share) * p->ui;
      GobanStroke halo = { p->colours->canvas, GOBAN_OPAQUE, width + 2 * p->ui };
      GobanStroke stroke = { p->colours->hover, GOBAN_OPAQUE, width };
      double radius = width + 1.5 * p->ui;
      GobanBox disc = { from.x - radius, from.y - radius, from.x + radius, from.y + radius };

      draw_arrow (p, from, to, &halo);
      draw_arrow (p, from, to, &stroke);
      goban_pen_round_rect (p->pen, disc, radius, p->colours->hover);
    }
}

void
goban_graph_paint_overlay (const GobanGraphPicture *picture, const GobanGraphOverlay *overlay,
                           GobanPen *pen)
{
  Painter *p = g_new (Painter, 1);

  goban_painter_start (p, picture, pen);
  mark_items (p, overlay->matched, overlay->n_matched, p->colours->match, 2 * p->ui);
  if (passes_below (p))
    paint_edges_below (p, overlay);
  else
    paint_touching_edges (p, overlay);
  mark_items (p, overlay->selected, overlay->n_selected, p->colours->selection, 2.5 * p->ui);
  for (guint i = 0; i < overlay->n_partly; i++)
    if (goban_painter_sees_node (p, overlay->partly[i], 0))
      draw_part_mark (p, overlay->partly[i]);
  if (overlay->hover_hull > 0 && overlay->hover_hull < p->layout->n_hulls)
    draw_hull_frame (p, overlay->hover_hull);
  if (overlay->hover < p->scene->n_nodes)
    draw_ring (p, overlay->hover, p->colours->hover, 2 * p->ui);
  paint_attention (p, overlay);
  goban_painter_finish (p);
}
