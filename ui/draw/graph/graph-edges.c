/* graph-edges.c: edges of a graph's picture, from below to above: those within a device, those that
 * leave it, and the critical path's.
 *
 * Decision U36 (ui/NOTES.md).
 */
#include "ui/draw/graph/graph-edges.h"
#include "ui/draw/graph/graph-overlays.h"
#include "ui/draw/graph/graph-paint.h"

#include <math.h>

/* If edges would cover the ground more often than this, the finest level draws only every so many:
 * the picture would be a grey plane, and slow. */
#define MAX_COVER 0.75
/* A frame draws about so many of the edges that only pass through. */
#define MAX_PASSING 2000
#define LEAST_BUNDLE 9

/* --- one edge ----------------------------------------------------------------------------- */

GobanStroke
goban_painter_stroke (const Painter *p, double weight, gboolean is_control, EdgePass pass)
{
  double zoom = CLAMP (p->scale / p->ui, 0.45, 1.6) * p->ui;
  GobanStroke stroke = { p->colours->edge, GOBAN_OPAQUE, zoom };

  if (p->detail == DETAIL_FULL)
    stroke.width = (1.1 + 2.2 * weight) * zoom;
  else if (p->detail == DETAIL_PIXELS)
    stroke.alpha = pass == EDGES_LOCAL ? 90 : 130;
  else if (p->detail == DETAIL_RECTS)
    stroke.alpha = pass == EDGES_LOCAL ? 170 : 220;
  if (pass == EDGES_CUT)
    {
      stroke.rgb = p->colours->cut;
      stroke.width += 0.5 * zoom;
    }
  else if (pass == EDGES_CRITICAL)
    {
      stroke.rgb = p->colours->critical;
      stroke.width += 1.2 * zoom;
      stroke.alpha = GOBAN_OPAQUE;
    }
  if (is_control)
    {
      stroke.width *= 0.6;
      stroke.alpha = stroke.alpha * 5 / 8;
    }
  return stroke;
}

/* Many lines that pass by several boxes run beside each other: as strong as others, they would be a
 * dark wall. */
void
goban_painter_thin_distant (const Painter *p, const float *box, EdgePass pass, GobanStroke *stroke)
{
  if (p->detail < DETAIL_CURVES || pass == EDGES_CRITICAL
      || p->layout->routes.n_distant < LEAST_BUNDLE || goban_box_length (box) < GOBAN_DISTANT)
    return;
  stroke->width = MIN (stroke->width, p->ui);
  stroke->alpha /= 2;
}

GobanStroke
goban_painter_edge_stroke (const Painter *p, const GobanSceneEdge *edge, EdgePass pass)
{
  GobanStroke stroke = goban_painter_stroke (p, (double) edge->weight,
                                             (edge->flags & GOBAN_EDGE_CONTROL) != 0, pass);

  if (p->layout->routes.is_long[edge - p->scene->edges])
    stroke.alpha = stroke.alpha * 3 / 8;
  else
    goban_painter_thin_distant (p, p->layout->routes.boxes + 4 * (gsize) (edge - p->scene->edges),
                                pass, &stroke);
  return stroke;
}

static void
draw_thin (const Painter *p, GobanPoint a, GobanPoint b, const GobanStroke *stroke)
{
  if (p->raster != NULL)
    goban_raster_line (p->raster, a.x, a.y, b.x, b.y, stroke);
  else
    goban_pen_thin_line (p->pen, a, b, stroke);
}

/* An upright piece, or a curve that begins and ends upright. */
static void
draw_piece (const Painter *p, GobanPoint a, GobanPoint b, const GobanStroke *stroke)
{
  double bend = (b.y - a.y) / 2;
  GobanPoint curve[4] = { a, { a.x, a.y + bend }, { b.x, b.y - bend }, b };

  if (a.x == b.x || a.y == b.y)
    goban_pen_line (p->pen, a, b, stroke);
  else
    goban_pen_cubic (p->pen, curve, stroke);
}

static double
distance (GobanPoint a, GobanPoint b)
{
  return fabs (b.x - a.x) + fabs (b.y - a.y);
}

/* A point on the way from @b towards @a, both on one horizontal or vertical line. */
static GobanPoint
towards (GobanPoint b, GobanPoint a, double by)
{
  double whole = distance (a, b);
  double t = whole > 0 ? by / whole : 0;

  return (GobanPoint){ b.x + (a.x - b.x) * t, b.y + (a.y - b.y) * t };
}

static gboolean
is_corner (GobanPoint a, GobanPoint b, GobanPoint c)
{
  return (a.x == b.x && b.y == c.y && a.y != b.y && b.x != c.x)
         || (a.y == b.y && b.x == c.x && a.x != b.x && b.y != c.y);
}

static void
draw_route (const Painter *p, const GobanPoint *points, guint n, const GobanStroke *stroke)
{
  GobanPoint at = points[0];

  for (guint i = 1; i < n; i++)
    {
      GobanPoint b = points[i];

      if (i + 1 < n && is_corner (points[i - 1], b, points[i + 1]))
        {
          double radius = MIN (16 * p->scale,
                               MIN (distance (points[i - 1], b), distance (b, points[i + 1])) / 2);
          GobanPoint from = towards (b, points[i - 1], radius);
          GobanPoint to = towards (b, points[i + 1], radius);
          GobanPoint bend[4] = { from, b, b, to };

          draw_piece (p, at, from, stroke);
          goban_pen_cubic (p->pen, bend, stroke);
          at = to;
          continue;
        }
      draw_piece (p, at, b, stroke);
      at = b;
    }
}

void
goban_painter_draw_edge (const Painter *p, const GobanSceneEdge *edge, const GobanStroke *stroke)
{
  GobanPoint points[GOBAN_MAX_ROUTE];
  guint n;

  if (p->detail == DETAIL_PIXELS || p->layout->kind == GOBAN_LAYOUT_LANES)
    {
      const float *x = p->layout->x;
      const float *y = p->layout->y;

      draw_thin (p, goban_painter_place (p, (double) x[edge->tail], (double) y[edge->tail]),
                 goban_painter_place (p, (double) x[edge->head], (double) y[edge->head]), stroke);
      return;
    }
  n = goban_layout_route (p->layout, (guint) (edge - p->scene->edges), edge->tail, edge->head,
                          points);
  goban_painter_draw_points (p, points, n, TRUE, stroke);
}

/* Whether a point of a fine line can be left out: its bend is less than a pixel, or the line goes
 * on straight. Drawn piece by piece, a line's joints would be darker, and it has five times as many
 * pieces as can be seen. */
static gboolean
says_nothing (GobanPoint before, GobanPoint at, GobanPoint after)
{
  if (fabs (at.x - before.x) < 1 && fabs (at.y - before.y) < 1)
    return TRUE;
  return before.x == at.x && at.x == after.x && (at.y - before.y) * (after.y - at.y) >= 0;
}

static void
draw_fine_route (const Painter *p, const GobanPoint *points, guint n, const GobanStroke *stroke)
{
  GobanPoint at = points[0];

  for (guint i = 1; i < n; i++)
    if (i + 1 == n || !says_nothing (at, points[i], points[i + 1]))
      {
        draw_thin (p, at, points[i], stroke);
        at = points[i];
      }
}

/* A route of the world, with a head where it leads to a node. */
void
goban_painter_draw_points (const Painter *p, GobanPoint *points, guint n, gboolean has_head,
                           const GobanStroke *stroke)
{
  for (guint i = 0; i < n; i++)
    points[i] = goban_painter_place (p, points[i].x, points[i].y);
  if (p->detail == DETAIL_PIXELS)
    {
      draw_fine_route (p, points, n, stroke);
      return;
    }
  if (p->detail == DETAIL_RECTS)
    {
      for (guint i = 1; i < n; i++)
        draw_thin (p, points[i - 1], points[i], stroke);
      return;
    }
  if (p->detail == DETAIL_FULL && has_head)
    {
      double down = points[n - 1].y < points[n - 2].y ? -1 : 1;

      double head_size
          = (4.5 + 1.8 * stroke->width / p->ui) * CLAMP (p->scale / p->ui, 0.55, 1.4) * p->ui;
      goban_pen_arrow (p->pen, points[n - 1], down * head_size, stroke->rgb);
      points[n - 1].y -= down * head_size * 0.8;
    }
  draw_route (p, points, n, stroke);
}

static EdgePass
pass_of (const Painter *p, guint e)
{
  const GobanSceneEdge *edge = &p->scene->edges[e];

  if (goban_painter_is_critical (p, edge->flags))
    return EDGES_CRITICAL;
  if (p->scene->outline != NULL)
    return (edge->flags & GOBAN_EDGE_CUT) != 0 ? EDGES_CUT : EDGES_LOCAL;
  if (p->devices_of == NULL)
    return EDGES_LOCAL;
  return p->devices_of[edge->tail] != p->devices_of[edge->head] ? EDGES_CUT : EDGES_LOCAL;
}

gboolean
goban_painter_sees_line (const Painter *p, const float *box)
{
  double margin = 12 * p->ui / p->scale; /* half of the widest head */

  return (double) box[0] <= p->view.x1 + margin && (double) box[2] >= p->view.x0 - margin
         && (double) box[1] <= p->view.y1 + margin && (double) box[3] >= p->view.y0 - margin;
}

void
goban_painter_add_line (const Painter *p, GobanVisibleItems *visible, guint32 id, EdgePass pass,
                        const float *box)
{
  double scale = p->picture->camera.scale;
  double y = p->picture->camera.y;
  /* A line to a speck ends in its middle, and not at its side; heads are wide. */
  double margin = (p->detail <= DETAIL_RECTS ? 3 : 14) * p->ui + 1;

  goban_visible_items_add (visible, id, pass, (double) box[1] * scale + y - margin,
                           (double) box[3] * scale + y + margin);
}

gboolean
goban_painter_sees_edge (const Painter *p, guint e)
{
  if (p->picture->compare != NULL
      && (goban_painter_leaves_out (p, p->scene->edges[e].tail)
          || goban_painter_leaves_out (p, p->scene->edges[e].head)))
    return FALSE;
  return goban_painter_sees_line (p, p->layout->routes.boxes + 4 * (gsize) e);
}

/* --- all edges ---------------------------------------------------------------------------- */

/* One in so many of the finest lines is drawn. Counted over the whole graph, not over the visible
 * part, so that strips of a picture fit together. */
static guint
choose_stride (const Painter *p)
{
  GobanBox world = p->layout->bounds;

  if (p->detail != DETAIL_PIXELS && p->layout->kind != GOBAN_LAYOUT_LANES)
    return 1;
  return 1
         + (guint) MIN (
             p->layout->routes.length
                 / ((world.x1 - world.x0) * (world.y1 - world.y0) * p->scale * MAX_COVER),
             1000);
}

static gboolean
is_passing (const Painter *p, guint e, guint8 pass)
{
  const GobanSceneEdge *edge = &p->scene->edges[e];

  return p->layout->routes.is_long[e] && pass != EDGES_CRITICAL
         && !goban_painter_sees_node (p, edge->tail, 0)
         && !goban_painter_sees_node (p, edge->head, 0);
}

/* Most visible edges that are too long to be routed around boxes begin and end out of sight: tens
 * of thousands of lines, and a grey plane. A frame leaves most of these out; edges with a visible
 * end are kept. One in @share of all edges is drawn. */
static void
thin_out (const Painter *p, GobanVisibleItems *visible, guint share)
{
  g_autofree guint8 *is_idle = g_malloc (MAX (visible->n, 1));
  guint n_passing = 0;
  guint n_kept = 0;
  guint stride;

  for (guint i = 0; i < visible->n; i++)
    {
      is_idle[i] = is_passing (p, visible->seen[i].id, visible->seen[i].pass);
      n_passing += is_idle[i];
    }
  stride = 1 + n_passing * share / MAX_PASSING;
  for (guint i = 0; i < visible->n; i++)
    if (!is_idle[i] || visible->seen[i].id % stride == 0)
      visible->seen[n_kept++] = visible->seen[i];
  visible->n = n_kept;
}

/* Linear scans: looking at 120,000 boxes takes 0.2 ms, less than any index would save. */
void
goban_painter_find_edges (const Painter *p, GobanVisibleItems *visible)
{
  guint stride = choose_stride (p);
  guint next = 0;

  goban_visible_items_init (visible, &p->bands, N_EDGE_PASSES, p->layout->n_edges);
  for (guint e = 0; e < p->layout->n_edges; e++)
    {
      gboolean is_due = e == next;

      next += is_due ? stride : 0;
      if ((is_due || goban_painter_is_critical (p, p->scene->edges[e].flags))
          && goban_painter_sees_edge (p, e))
        goban_painter_add_line (p, visible, e, pass_of (p, e),
                                p->layout->routes.boxes + 4 * (gsize) e);
    }
  if (p->picture->style.is_frame)
    thin_out (p, visible, stride);
  goban_visible_items_sort (visible);
}

/* The strokes of specks depend on nothing but the pass and the length, and lines go straight to the
 * raster. */
static void
paint_fine_edges (const Painter *p, EdgePass pass, const guint32 *edges, guint n)
{
  static const guint alphas[N_EDGE_PASSES] = { 90, 130, GOBAN_OPAQUE };
  const GobanRgb colours[N_EDGE_PASSES]
      = { p->colours->edge, p->colours->cut, p->colours->critical };
  const GobanStroke near = { colours[pass], alphas[pass], 1 };
  const GobanStroke far = { colours[pass], alphas[pass] * 3 / 8, 1 };
  const float *x = p->layout->x;
  const float *y = p->layout->y;

  for (guint i = 0; i < n; i++)
    {
      const GobanSceneEdge *edge = &p->scene->edges[edges[i]];
      GobanPoint a = goban_painter_place (p, (double) x[edge->tail], (double) y[edge->tail]);
      GobanPoint b = goban_painter_place (p, (double) x[edge->head], (double) y[edge->head]);

      goban_raster_line (p->raster, a.x, a.y, b.x, b.y,
                         p->layout->routes.is_long[edges[i]] ? &far : &near);
    }
}

void
goban_painter_paint_edges (const Painter *p, const GobanVisibleItems *visible, guint band)
{
  for (EdgePass pass = EDGES_LOCAL; pass < N_EDGE_PASSES; pass++)
    {
      guint n;
      const guint32 *edges = goban_visible_items_get (visible, band, pass, &n);

      if (p->raster != NULL && p->detail == DETAIL_PIXELS)
        {
          paint_fine_edges (p, pass, edges, n);
          continue;
        }
      for (guint i = 0; i < n; i++)
        {
          const GobanSceneEdge *edge = &p->scene->edges[edges[i]];
          GobanStroke stroke = goban_painter_edge_stroke (p, edge, pass);

          goban_painter_draw_edge (p, edge, &stroke);
        }
    }
}
