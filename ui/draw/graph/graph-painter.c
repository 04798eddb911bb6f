/* Decision U36 (ui/NOTES.md). */
#include "ui/draw/graph/graph-painter.h"

#include "engine/core/quantity.h"
#include "ui/draw/graph/graph-label.h"
#include "ui/draw/graph/graph-paint.h"
#include "ui/draw/shorten.h"

#include <math.h>
#include <string.h>

/* --- edges and wires -------------------------------------------------------------------------- */

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

      goban_pen_thin_line (
          p->pen, goban_painter_place (p, (double) x[edge->tail], (double) y[edge->tail]),
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
        goban_pen_thin_line (p->pen, at, points[i], stroke);
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
        goban_pen_thin_line (p->pen, points[i - 1], points[i], stroke);
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
static void
find_edges (const Painter *p, GobanVisibleItems *visible)
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

static void
paint_edges (const Painter *p, const GobanVisibleItems *visible, guint band)
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

/* --- the picture ------------------------------------------------------------------------------ */

/* Height of a node that the smallest label fits, in pixels. */
#define FIT 10.5

GobanFill
goban_fill_of_color (const char *color)
{
  return g_str_equal (color, "device")                                    ? GOBAN_FILL_DEVICE
         : g_str_equal (color, "op")                                      ? GOBAN_FILL_OP
         : g_str_equal (color, "priority") || g_str_equal (color, "prio") ? GOBAN_FILL_PRIORITY
                                                                          : GOBAN_FILL_METRIC;
}

GobanFill
goban_graph_shown_fill (const GobanGraphScene *scene, GobanFill fill)
{
  if (fill == GOBAN_FILL_METRIC && scene->values != NULL)
    return fill;
  if (scene->n_devices == 0)
    return GOBAN_FILL_OP;

  return fill == GOBAN_FILL_METRIC ? GOBAN_FILL_DEVICE : fill;
}

static void
choose_inks (Inks *inks, GobanTheme theme, guint n_devices)
{
  inks->unknown = goban_palette_unknown (theme);
  for (guint d = 0; d < MIN (n_devices, GOBAN_MAX_DEVICES); d++)
    inks->devices[d] = goban_palette_device (theme, d);
  for (guint i = 0; i < 256; i++)
    inks->ramp[i] = goban_palette_ramp (theme, i / 255.0);
  for (guint f = 0; f < GOBAN_N_FAMILIES; f++)
    inks->families[f] = goban_palette_family_colour (theme, f);
}

/* @height: of a node, in pixels; @ui: the scale of texts and lines. Larger texts are worth reading
 * at the zoom at which smaller ones are, as long as the smallest of a label fits. */
static Detail
detail_of (double height, double ui)
{
  double scaled = height / ui;

  return scaled < 2                                                              ? DETAIL_PIXELS
         : scaled < 9                                                            ? DETAIL_RECTS
         : scaled < CLAMP (GOBAN_LEAST_DETAILED / ui, FIT, GOBAN_LEAST_DETAILED) ? DETAIL_CURVES
                                                                                 : DETAIL_FULL;
}

/* Vector output is drawn as a whole, and so is everything that goes through cairo. */
static GobanBands
bands_of (const Painter *p)
{
  GobanBox clip = goban_pen_get_clip (p->pen);
  GobanBands bands = goban_bands_of ((int) clip.y0, (int) clip.y1, (int) (clip.x1 - clip.x0));

  if (p->raster == NULL || p->picture->compare != NULL)
    bands = (GobanBands){ 1, bands.y0, bands.y1, bands.y1 - bands.y0 };
  return bands;
}

static guint16 *
pack_devices (const GobanGraphScene *scene)
{
  guint16 *devices = g_new (guint16, MAX (scene->n_nodes, 1));

  for (guint v = 0; v < scene->n_nodes; v++)
    devices[v] = scene->nodes[v].device;
  return devices;
}

void
goban_painter_start (Painter *p, const GobanGraphPicture *picture, GobanPen *pen)
{
  const GobanGraphStyle *style = &picture->style;

  p->picture = picture;
  p->scene = picture->scene;
  p->layout = picture->layout;
  p->colours = goban_palette_get (style->theme);
  p->pen = pen;
  p->raster = goban_pen_get_raster (pen);
  p->mode = goban_graph_shown_fill (picture->scene, style->fill);
  p->scale = picture->camera.scale;
  p->ui = style->ui_scale > 0 ? style->ui_scale : 1;
  p->node_w = GOBAN_NODE_WIDTH * p->scale;
  p->node_h = GOBAN_NODE_HEIGHT * p->scale;
  p->half_w = (double) picture->layout->largest.width / 2;
  p->half_h = (double) picture->layout->largest.height / 2;
  p->detail = detail_of (p->node_h, p->ui);
  p->view = goban_camera_box_to_world (&picture->camera, goban_pen_get_clip (pen));
  p->whole = goban_camera_box_to_world (
      &picture->camera, (GobanBox){ 0, 0, goban_pen_get_width (pen), goban_pen_get_height (pen) });
  p->bands = bands_of (p);
  p->devices_of = NULL;
  if (p->scene->n_devices > 0 && p->scene->outline == NULL)
    p->devices_of = pack_devices (p->scene);
  choose_inks (&p->inks, style->theme, p->scene->n_devices);
  p->needed_wires = goban_painter_find_needed_wires (p);
}

void
goban_painter_finish (Painter *p)
{
  g_free (p->devices_of);
  g_free (p->needed_wires);
  g_free (p);
}

static inline GobanRgb
node_colour (const Painter *p, const GobanSceneNode *node)
{
  if ((node->flags & GOBAN_NODE_UNDECIDED) != 0)
    return goban_rgb_mix (p->inks.unknown, p->colours->canvas, 0.6);
  if (p->mode == GOBAN_FILL_DEVICE)
    return p->inks.devices[node->device];
  if (p->mode == GOBAN_FILL_PRIORITY)
    return p->inks.ramp[(guint) (node->priority * 255)];
  if (p->mode == GOBAN_FILL_METRIC)
    return isnan (node->value) ? p->inks.unknown : p->inks.ramp[(guint) (node->value * 255)];
  return p->inks.families[node->family];
}

GobanRgb
goban_painter_node_colour (const Painter *p, guint v)
{
  return node_colour (p, &p->scene->nodes[v]);
}

/* --- nodes -------------------------------------------------------------------------------- */

/* Boxes have whole sizes at whole places, so that equal nodes look equal. */
GobanBox
goban_painter_node_box (const Painter *p, guint v)
{
  GobanBox box = goban_layout_node_box (p->layout, v);
  GobanPoint at = goban_painter_place (p, box.x0, box.y0);
  double w = p->layout->sizes != NULL ? (double) p->layout->sizes[v].width * p->scale : p->node_w;
  double h = p->layout->sizes != NULL ? (double) p->layout->sizes[v].height * p->scale : p->node_h;

  if (p->raster != NULL)
    {
      at.x = floor (at.x + 0.5);
      at.y = floor (at.y + 0.5);
      w = MAX (floor (w + 0.5), 1);
      h = MAX (floor (h + 0.5), 1);
    }
  return (GobanBox){ at.x, at.y, at.x + w, at.y + h };
}

gboolean
goban_painter_sees_node (const Painter *p, guint v, double margin)
{
  double x = (double) p->layout->x[v];
  double y = (double) p->layout->y[v];

  if (p->picture->compare != NULL && goban_painter_leaves_out (p, v))
    return FALSE;
  return x >= p->view.x0 - margin - p->half_w && x <= p->view.x1 + margin + p->half_w
         && y >= p->view.y0 - margin - p->half_h && y <= p->view.y1 + margin + p->half_h;
}

static gboolean
has_stripe (const Painter *p)
{
  return p->scene->n_devices > 0
         && (p->mode == GOBAN_FILL_PRIORITY || p->mode == GOBAN_FILL_METRIC);
}

/* The device of a node coloured by something else: a stripe at its left, apart from the fill, whose
 * colour may be as good as the same. */
static void
draw_stripe (const Painter *p, GobanBox box, const GobanSceneNode *node, double width)
{
  GobanRgb rgb = p->inks.devices[node->device];

  box.x1 = box.x0 + width;
  if (width >= 3 * p->ui)
    goban_pen_rect (p->pen, (GobanBox){ box.x1, box.y0, box.x1 + p->ui, box.y1 },
                    p->colours->canvas);
  goban_pen_rect (p->pen, box, rgb);
  if (p->node_h >= 6 * p->ui)
    goban_pen_hatch (p->pen, box, goban_palette_cue (node->device), goban_palette_hatch (rgb),
                     p->ui);
}

/* Width of the device stripe of a node too small for a band: a pixel or two of its edge at first,
 * then a quarter. */
static double
stripe_width (const Painter *p)
{
  return p->node_h < 4 * p->ui ? MAX (floor (1.5 * p->ui), 1) : floor (p->node_w / 4);
}

/* Grey alone might be a value. */
static void
draw_unknown (const Painter *p, GobanBox box, const GobanSceneNode *node)
{
  if (p->mode == GOBAN_FILL_METRIC && isnan (node->value) && p->node_h >= 6 * p->ui)
    goban_pen_hatch (p->pen, grow (box, -1), GOBAN_CUE_DIAGONAL,
                     goban_palette_hatch (p->inks.unknown), p->ui);
}

/* So many pixels a dash has room in; smaller ones are grey. */
#define LEAST_DASHED 6.0

static gboolean
draw_undecided (const Painter *p, guint v)
{
  GobanBox box;

  if ((p->scene->nodes[v].flags & GOBAN_NODE_UNDECIDED) == 0 || goban_painter_other (p) != NULL)
    return FALSE;
  box = goban_painter_node_box (p, v);
  if (box.y1 - box.y0 < LEAST_DASHED * p->ui)
    return FALSE;
  goban_pen_rect (p->pen, box, p->colours->canvas);
  goban_pen_dashes (p->pen, box, p->ui, p->colours->muted);
  return TRUE;
}

static void
draw_simple_node (const Painter *p, guint v)
{
  const GobanSceneNode *node = &p->scene->nodes[v];
  GobanBox box = goban_painter_node_box (p, v);
  GobanRgb fill = node_colour (p, node);

  goban_painter_ring_change (p, box, v, p->detail == DETAIL_CURVES ? 2 * p->ui : 0);
  if (goban_painter_is_critical (p, node->flags))
    goban_pen_rect (p->pen, grow (box, p->detail == DETAIL_PIXELS ? 1 : 1.5 * p->ui),
                    p->colours->critical);
  if (p->detail == DETAIL_CURVES)
    goban_pen_round_rect (p->pen, box, 2 * p->ui, fill);
  else
    goban_pen_rect (p->pen, box, fill);
  draw_unknown (p, box, node);
  if (goban_painter_other (p) != NULL)
    {
      goban_painter_draw_halves (p, box, v, floor (p->node_w / 3));
      return;
    }
  if (p->scene->n_devices == 0 || p->detail == DETAIL_PIXELS || p->mode == GOBAN_FILL_OP)
    return;
  if (has_stripe (p))
    draw_stripe (p, box, node, stripe_width (p));
  else if (p->node_h >= 6 * p->ui)
    goban_pen_hatch (p->pen, grow (box, -1), goban_palette_cue (node->device),
                     goban_palette_hatch (fill), p->ui);
}

static double
band_width (const Painter *p)
{
  if (goban_painter_other (p) != NULL)
    return floor (CLAMP (20 * p->scale, 8 * p->ui, 26 * p->ui) + 0.5);
  return floor (CLAMP (10 * p->scale, 5 * p->ui, 14 * p->ui) + 0.5);
}

static void
draw_full_node (const Painter *p, guint v)
{
  const GobanSceneNode *node = &p->scene->nodes[v];
  GobanBox box = goban_painter_node_box (p, v);
  GobanRgb fill = node_colour (p, node);
  double radius = CLAMP (5 * p->scale, 2.5 * p->ui, 8 * p->ui);
  double line = MAX (floor (p->ui + 0.5), 1);
  GobanBox inner = grow (box, -line);

  goban_painter_ring_change (p, box, v, radius);
  if (goban_painter_is_critical (p, node->flags))
    {
      double ring = MAX (floor (CLAMP (3.5 * p->scale, 3 * p->ui, 5 * p->ui)), 1);

      goban_pen_round_rect (p->pen, grow (box, ring), radius + ring, p->colours->critical);
      goban_pen_round_rect (p->pen, grow (box, line), radius + line, p->colours->canvas);
    }
  goban_pen_round_rect (p->pen, box, radius, goban_rgb_mix (fill, 0, 0.28));
  goban_pen_round_rect (p->pen, inner, radius - line, fill);
  if (p->scene->n_devices == 0 || (p->mode == GOBAN_FILL_OP && goban_painter_other (p) == NULL))
    return;
  /* A little away from the corners, which are round. */
  inner.y0 += floor (radius / 3);
  inner.y1 -= floor (radius / 3);
  if (goban_painter_other (p) != NULL)
    goban_painter_draw_halves (p, inner, v, band_width (p));
  else if (has_stripe (p))
    draw_stripe (p, inner, node, band_width (p));
  else if (p->mode != GOBAN_FILL_METRIC)
    {
      inner.x1 = inner.x0 + band_width (p);
      goban_pen_hatch (p->pen, inner, goban_palette_cue (node->device), goban_palette_hatch (fill),
                       p->ui);
    }
}

/* "1.2 ms · Conv · gpu:0", as far as it is known. The time, or the value of the colouring, comes
 * first, because the end is cut off and half a number misleads. */
static char *
second_line (const Painter *p, guint v, gboolean with_device)
{
  const GobanSceneNode *node = &p->scene->nodes[v];
  const GobanNodeValues *values = p->scene->values;
  GString *text = g_string_new (NULL);
  char time[GOBAN_QUANTITY_LEN];

  if (p->mode == GOBAN_FILL_METRIC)
    g_string_append_printf (
        text, "%s · ",
        goban_node_values_format (values, time,
                                  values->values[goban_graph_scene_get_id (p->scene, v)]));
  else if (isfinite (node->time_us))
    g_string_append_printf (text, "%s · ", goban_format_time (time, node->time_us));
  g_string_append (text, node->op);
  if (with_device && p->scene->n_devices > 0)
    g_string_append_printf (text, " · %s", p->scene->devices[node->device].name);
  return g_string_free (text, FALSE);
}

typedef struct
{
  const Painter *painter;
  const GobanTextStyle *style;
} Ruler;

static double
measure (const char *text, gpointer user_data)
{
  const Ruler *ruler = user_data;

  return goban_pen_text_width (ruler->painter->pen, text, ruler->style);
}

char *
goban_painter_fit_name (const Painter *p, const char *name, double width, GobanTextStyle *style)
{
  double least_px = MIN (GOBAN_READABLE_LABEL * p->ui, style->size_px);
  Ruler ruler = { p, style };
  gsize max_chars = goban_count_shown_chars (width, least_px);

  /* Names from files may be megabytes long. */
  if (strnlen (name, max_chars + 1) > max_chars)
    return goban_shorten_path (name, width, max_chars, measure, &ruler);
  while (style->size_px - 0.5 * p->ui >= least_px && measure (name, &ruler) > width)
    style->size_px -= 0.5 * p->ui;
  return goban_shorten_path (name, width, max_chars, measure, &ruler);
}

/* @veil: the share of the canvas that covers the node. */
static void
draw_label (const Painter *p, guint v, double veil)
{
  const GobanSceneNode *node = &p->scene->nodes[v];
  GobanBox box = goban_painter_node_box (p, v);
  GobanRgb fill = goban_rgb_mix (node_colour (p, node), p->colours->canvas, veil);
  gboolean is_veiled = veil > 0 || (node->flags & GOBAN_NODE_UNDECIDED) != 0;
  GobanRgb ink = is_veiled ? p->colours->muted : goban_rgb_text_on (fill);
  double height = p->node_h / p->ui;
  gboolean has_lines = height >= GOBAN_LEAST_TWO_LINES;
  double pad = CLAMP (6 * p->scale, 3 * p->ui, 9 * p->ui);
  double left = box.x0 + pad;
  double width;
  double size_px = goban_label_size_of_node (MAX (height, GOBAN_LEAST_LABELLED)) * p->ui;
  GobanTextStyle style = { size_px, has_lines, GOBAN_ALIGN_LEFT, ink };
  g_autofree char *name = NULL;
  g_autofree char *below = NULL;

  if (p->scene->n_devices > 0 && p->mode != GOBAN_FILL_OP)
    left += band_width (p) + (has_stripe (p) ? p->ui : 0);
  width = box.x1 - pad - left - (goban_painter_other (p) != NULL ? band_width (p) : 0);
  if (width < 14 * p->ui)
    return;
  name = goban_painter_fit_name (p, node->name, width, &style);
  goban_pen_text (p->pen, name, (GobanPoint){ left, box.y0 + p->node_h * (has_lines ? 0.33 : 0.5) },
                  width, &style);
  if (!has_lines)
    return;
  style.size_px = 0.86 * size_px;
  style.bold = FALSE;
  below = second_line (p, v, height >= 52);
  goban_pen_text (p->pen, below, (GobanPoint){ left, box.y0 + p->node_h * 0.70 }, width, &style);
}

static gboolean
has_names (const Painter *p)
{
  return p->detail == DETAIL_FULL
         || (p->detail == DETAIL_CURVES && p->node_h >= GOBAN_LEAST_LABELLED * p->ui);
}

void
goban_painter_label_veiled (const Painter *p, guint v, double veil)
{
  if (has_names (p) && goban_graph_scene_get_group (p->scene, v) == NULL)
    draw_label (p, v, veil);
}

static gboolean
is_speckled (const Painter *p)
{
  return p->raster != NULL && p->detail == DETAIL_PIXELS;
}

/* Rounding, fringes and rings, and the cards behind a group. */
static double
node_margin (const Painter *p)
{
  if (is_speckled (p))
    return 3 / p->scale;
  return (p->scene->groups.n_closed > 0 ? 12 : 6) * p->ui / p->scale;
}

static void
find_nodes (const Painter *p, GobanVisibleItems *visible)
{
  double margin = node_margin (p);
  double reach = (p->half_h + margin) * p->scale + 1;

  goban_visible_items_init (visible, &p->bands, 1, p->layout->n_nodes);
  for (guint v = 0; v < p->layout->n_nodes; v++)
    if (goban_painter_sees_node (p, v, margin))
      {
        double y = (double) p->layout->y[v] * p->scale + p->picture->camera.y;

        goban_visible_items_add (visible, v, 0, y - reach, y + reach);
      }
  goban_visible_items_sort (visible);
}

/* paint_boxes() for nodes of a pixel or two, without the calls in between. */
static void
paint_specks (const Painter *p, const guint32 *nodes, guint n)
{
  const GobanCamera *camera = &p->picture->camera;
  int w = MAX ((int) (p->node_w + 0.5), 1);
  int h = MAX ((int) (p->node_h + 0.5), 1);
  guint n_critical = 0;

  for (guint i = 0; i < n; i++)
    {
      guint v = nodes[i];
      double x = ((double) p->layout->x[v] - GOBAN_NODE_WIDTH / 2) * p->scale + camera->x;
      double y = ((double) p->layout->y[v] - GOBAN_NODE_HEIGHT / 2) * p->scale + camera->y;

      n_critical += goban_painter_is_critical (p, p->scene->nodes[v].flags);
      if (goban_graph_scene_get_group (p->scene, v) != NULL)
        goban_painter_draw_group (p, v);
      else
        goban_raster_rect (p->raster, (int) floor (x + 0.5), (int) floor (y + 0.5), w, h,
                           node_colour (p, &p->scene->nodes[v]));
    }
  for (guint i = 0; p->picture->compare != NULL && i < n; i++)
    if (goban_graph_scene_get_group (p->scene, nodes[i]) == NULL
        && goban_painter_is_ringed (p, nodes[i]))
      draw_simple_node (p, nodes[i]);
  /* The critical path lies over its neighbours, or specks would hide it. */
  for (guint i = 0; n_critical > 0 && i < n; i++)
    if (goban_painter_is_critical (p, p->scene->nodes[nodes[i]].flags))
      draw_simple_node (p, nodes[i]);
}

static void
paint_boxes (const Painter *p, const guint32 *nodes, guint n)
{
  for (guint i = 0; i < n; i++)
    if (goban_graph_scene_get_group (p->scene, nodes[i]) != NULL)
      goban_painter_draw_group (p, nodes[i]);
    else if (draw_undecided (p, nodes[i]))
      continue;
    else if (has_names (p))
      draw_full_node (p, nodes[i]);
    else
      draw_simple_node (p, nodes[i]);
}

/* All boxes first: pixels and text take turns on the surface only once. */
static void
label_nodes (const Painter *p)
{
  for (guint v = 0; v < p->layout->n_nodes; v++)
    if (goban_graph_scene_get_group (p->scene, v) == NULL && goban_painter_sees_node (p, v, 0))
      draw_label (p, v, 0);
}

/* Closed groups are larger than nodes, and read from further away. */
static void
label_groups (const Painter *p)
{
  for (guint v = 0; v < p->layout->n_nodes; v++)
    if (p->scene->groups.of_node[v] != GOBAN_NO_GROUP && goban_painter_sees_node (p, v, 0))
      goban_painter_label_group (p, v);
}

static void
set_band (const Painter *p, GobanBox clip, guint band)
{
  clip.y0 = p->bands.y0 + (int) band * p->bands.height;
  clip.y1 = MIN (clip.y0 + p->bands.height, p->bands.y1);
  goban_pen_set_clip (p->pen, clip);
}

/* Items below the names, band by band. */
static void
paint_ground (const Painter *p)
{
  GobanBox clip = goban_pen_get_clip (p->pen);
  gboolean has_wires = p->layout->n_wires > 0;
  GobanVisibleItems hulls, lines, nodes;

  goban_painter_find_hulls (p, &hulls);
  if (has_wires)
    goban_painter_find_wires (p, &lines);
  else
    find_edges (p, &lines);
  find_nodes (p, &nodes);
  for (guint band = 0; band < p->bands.n; band++)
    {
      guint n;
      const guint32 *ids = goban_visible_items_get (&nodes, band, 0, &n);

      if (p->bands.n > 1)
        set_band (p, clip, band);
      goban_pen_backdrop (p->pen, goban_pen_get_clip (p->pen), p->colours->canvas);
      goban_painter_paint_lanes (p);
      goban_painter_paint_hulls (p, &hulls, band);
      if (has_wires)
        goban_painter_paint_wires (p, &lines, band);
      else
        paint_edges (p, &lines, band);
      goban_painter_veil_edges (p);
      if (is_speckled (p))
        paint_specks (p, ids, n);
      else
        paint_boxes (p, ids, n);
    }
  if (p->bands.n > 1)
    goban_pen_set_clip (p->pen, clip);
  goban_visible_items_clear (&hulls);
  goban_visible_items_clear (&lines);
  goban_visible_items_clear (&nodes);
}

void
goban_graph_paint (const GobanGraphPicture *picture, GobanPen *pen)
{
  Painter *p = g_new (Painter, 1);

  g_return_if_fail (picture->scene->n_nodes == picture->layout->n_nodes);
  g_return_if_fail (picture->scene->n_edges == picture->layout->n_edges);
  g_return_if_fail (picture->layout->n_wires == 0
                    || picture->scene->n_wires == picture->layout->n_wires);

  goban_painter_start (p, picture, pen);
  paint_ground (p);
  if (has_names (p))
    label_nodes (p);
  goban_painter_paint_step (p);
  if (picture->states != NULL)
    goban_painter_paint_moment (p, picture->states);
  if (p->scene->groups.n_closed > 0)
    label_groups (p);
  if (picture->compare != NULL)
    goban_painter_paint_changes (p);
  goban_painter_paint_heads (p);
  goban_painter_label_lanes (p);
  goban_painter_finish (p);
}
