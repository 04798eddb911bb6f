#include "ui/draw/graph/graph-painter.h"

#include "ui/draw/graph/graph-edges.h"
#include "ui/draw/graph/graph-groups.h"
#include "ui/draw/graph/graph-label.h"
#include "ui/draw/graph/graph-overlays.h"
#include "ui/draw/graph/graph-paint.h"

#include "engine/core/quantity.h"
#include "ui/draw/shorten.h"

#include <math.h>
#include <string.h>

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
        && goban_painter_is_over_specks (p, nodes[i]))
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
set_clip (GobanPen *pen, GobanBox clip)
{
  goban_pen_set_clip (pen, (int) clip.x0, (int) clip.y0, (int) (clip.x1 - clip.x0),
                      (int) (clip.y1 - clip.y0));
}

static void
set_band (const Painter *p, GobanBox clip, guint band)
{
  clip.y0 = p->bands.y0 + (int) band * p->bands.height;
  clip.y1 = MIN (clip.y0 + p->bands.height, p->bands.y1);
  set_clip (p->pen, clip);
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
    goban_painter_find_edges (p, &lines);
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
        goban_painter_paint_edges (p, &lines, band);
      goban_painter_veil_edges (p);
      if (is_speckled (p))
        paint_specks (p, ids, n);
      else
        paint_boxes (p, ids, n);
    }
  if (p->bands.n > 1)
    set_clip (p->pen, clip);
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
