/* compare-painter.c: painter of the differences between two plans in a graph's picture: rings
 * around moved nodes, signs for changed priorities and fusion, counts at closed groups; unchanged
 * nodes are dimmed or left out.
 */
#include "ui/draw/graph/graph-overlays.h"
#include "ui/draw/graph/graph-paint.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"

#include <math.h>

/* Opacity of the veil over unchanged items, of 255. */
#define NODE_VEIL 190
#define EDGE_VEIL 130
/* More rings than these around specks would be all there is to see. */
#define MOST_SPECKS 3000
/* Design pixels on the surface: from here on signs and counts can be read. */
#define LEAST_SIGN 9.0
#define LEAST_COUNT 20.0

static const GobanCompareLook *
look_of (const Painter *p)
{
  return p->picture->compare;
}

static gboolean
is_same (const Painter *p, guint v)
{
  return look_of (p)->marks->n_changed[v] == 0;
}

gboolean
goban_painter_leaves_out (const Painter *p, guint v)
{
  return look_of (p) != NULL && look_of (p)->unchanged == GOBAN_UNCHANGED_HIDE && is_same (p, v);
}

typedef struct
{
  guint8 *is_needed; /* (wires) */
} Wires;

static void
need_wire (guint wire, gpointer data)
{
  ((Wires *) data)->is_needed[wire] = TRUE;
}

guint8 *
goban_painter_find_needed_wires (const Painter *p)
{
  Wires wires;

  if (look_of (p) == NULL || look_of (p)->unchanged != GOBAN_UNCHANGED_HIDE
      || p->layout->n_wires == 0)
    return NULL;

  wires.is_needed = g_malloc0 (p->layout->n_wires);
  for (guint e = 0; e < p->scene->n_edges; e++)
    if (!is_same (p, p->scene->edges[e].tail) && !is_same (p, p->scene->edges[e].head))
      goban_layout_each_wire (p->layout, e, need_wire, &wires);
  return wires.is_needed;
}

const GobanGraphScene *
goban_painter_other (const Painter *p)
{
  return look_of (p) != NULL ? look_of (p)->other : NULL;
}

/* --- below and in nodes --------------------------------------------------------------------- */

void
goban_painter_veil_edges (const Painter *p)
{
  if (look_of (p) != NULL && look_of (p)->unchanged == GOBAN_UNCHANGED_DIM)
    goban_pen_tint (p->pen, goban_pen_get_clip (p->pen), p->colours->canvas, EDGE_VEIL);
}

static gboolean
is_ringed (const Painter *p, guint v)
{
  return look_of (p) != NULL && (look_of (p)->marks->kinds[v] & 1 << GOBAN_CHANGE_DEVICE) != 0
         && (p->detail != DETAIL_PIXELS
             || look_of (p)->marks->n_nodes[GOBAN_CHANGE_DEVICE] <= MOST_SPECKS);
}

gboolean
goban_painter_is_over_specks (const Painter *p, guint v)
{
  return is_ringed (p, v);
}

void
goban_painter_ring_change (const Painter *p, GobanBox box, guint v, double radius)
{
  double gap = p->detail >= DETAIL_CURVES ? MAX (floor (p->ui), 1) : 0;
  double ring
      = p->detail == DETAIL_PIXELS ? 1 : MAX (floor (CLAMP (3 * p->scale, 1.5, 3) * p->ui), 1);

  if (!is_ringed (p, v))
    return;
  goban_pen_round_rect (p->pen, grow (box, gap + ring), radius > 0 ? radius + gap + ring : 0,
                        p->colours->ink);
  if (gap > 0)
    goban_pen_round_rect (p->pen, grow (box, gap), radius + gap, p->colours->canvas);
}

static void
draw_band (const Painter *p, GobanBox box, guint device)
{
  GobanRgb rgb = p->inks.devices[device];

  goban_pen_rect (p->pen, box, rgb);
  if (p->node_h >= 6 * p->ui)
    goban_pen_hatch (p->pen, box, goban_palette_cue (device), goban_palette_hatch (rgb), p->ui);
}

void
goban_painter_draw_halves (const Painter *p, GobanBox box, guint v, double width)
{
  const GobanGraphScene *other = goban_painter_other (p);
  GobanBox left = { box.x0, box.y0, box.x0 + width, box.y1 };
  GobanBox right = { box.x1 - width, box.y0, box.x1, box.y1 };

  if (width < 1 || other->n_devices == 0 || p->scene->n_devices == 0)
    return;
  draw_band (p, left, other->nodes[v].device);
  draw_band (p, right, p->scene->nodes[v].device);
  if (width < 3 * p->ui || other->nodes[v].device == p->scene->nodes[v].device)
    return;
  left = (GobanBox){ left.x1, box.y0, left.x1 + p->ui, box.y1 };
  goban_pen_rect (p->pen, left, p->colours->canvas);
}

/* --- over nodes ----------------------------------------------------------------------------- */

static void
veil_same (const Painter *p)
{
  for (guint v = 0; v < p->layout->n_nodes; v++)
    if (is_same (p, v) && goban_painter_sees_node (p, v, 0))
      {
        goban_pen_tint (p->pen, goban_painter_node_box (p, v), p->colours->canvas, NODE_VEIL);
        goban_painter_label_veiled (p, v, NODE_VEIL / 255.0);
      }
}

/* A plate with a text at a box's upper right corner, within it; returns the right end of the next
 * one to its left. */
static double
draw_plate (const Painter *p, const char *text, double right, double top, double size_px)
{
  GobanTextStyle style = { size_px, TRUE, GOBAN_ALIGN_CENTRE, p->colours->canvas };
  double width = ceil (goban_pen_text_width (p->pen, text, &style) + 6 * p->ui);
  double height = ceil (size_px * 1.35);
  GobanBox plate = { floor (right - width), floor (top), floor (right), floor (top + height) };

  goban_pen_round_rect (p->pen, plate, 3 * p->ui, p->colours->ink);
  goban_pen_text (p->pen, text, (GobanPoint){ plate.x0, (plate.y0 + plate.y1) / 2 },
                  plate.x1 - plate.x0, &style);
  return plate.x0 - 2 * p->ui;
}

/* Signs of a node that the ring cannot show. */
static void
draw_signs (const Painter *p, guint v)
{
  static const struct
  {
    guint8 kind;
    const char *sign;
  } signs[] = { { GOBAN_MARK_SOONER, "▲" },
                { GOBAN_MARK_LATER, "▼" },
                { 1 << GOBAN_CHANGE_FUSION, "▣" } };
  guint8 kinds = look_of (p)->marks->kinds[v];
  GobanBox box = goban_painter_node_box (p, v);
  double size = CLAMP (p->node_h / p->ui * 0.3, 7, 12) * p->ui;
  double right = box.x1 + 2 * p->ui;

  for (gsize i = 0; i < G_N_ELEMENTS (signs); i++)
    if ((kinds & signs[i].kind) != 0)
      right = draw_plate (p, signs[i].sign, right, box.y0 - size * 0.6, size);
}

/* "412 moved", "412 changed", or the number alone if that has no room. */
static void
draw_count (const Painter *p, guint v)
{
  const GobanCompareMarks *marks = look_of (p)->marks;
  guint n = marks->n_changed[v];
  GobanBox box = goban_painter_node_box (p, v);
  double height = (box.y1 - box.y0) / p->ui;
  double size = CLAMP (height * 0.17, 8, 16) * p->ui;
  GobanTextStyle style = { size, TRUE, GOBAN_ALIGN_CENTRE, p->colours->canvas };
  char number[GOBAN_QUANTITY_LEN];
  g_autofree char *text = NULL;

  goban_format_grouped (number, n);
  text = g_strdup_printf ("%s %s", number, marks->n_moved[v] == n ? _ ("moved") : _ ("changed"));
  if (goban_pen_text_width (p->pen, text, &style) > (box.x1 - box.x0) * 0.6)
    {
      g_free (text);
      text = g_strdup (number);
    }
  /* Above the name, in the gap between two boxes. */
  draw_plate (p, text, box.x1 + 3 * p->ui, box.y0 - size * 1.1, size);
}

/* Too small for a count: a frame, the thicker the more of it changed. */
static void
frame_group (const Painter *p, guint v)
{
  const GobanSceneGroup *group = goban_graph_scene_get_group (p->scene, v);
  GobanBox box = goban_painter_node_box (p, v);
  double share = (double) look_of (p)->marks->n_changed[v] / MAX (group->n_nodes, 1);

  if (box.y1 - box.y0 >= 4 * p->ui)
    goban_pen_frame (p->pen, grow (box, p->ui), (share > 0.25 ? 2 : 1) * p->ui, p->colours->ink);
}

void
goban_painter_paint_changes (const Painter *p)
{
  double margin = 12 * p->ui / p->scale;

  if (look_of (p)->unchanged == GOBAN_UNCHANGED_DIM)
    veil_same (p);
  for (guint v = 0; v < p->layout->n_nodes; v++)
    {
      gboolean is_group = goban_graph_scene_get_group (p->scene, v) != NULL;
      GobanBox box;

      if (is_same (p, v) || !goban_painter_sees_node (p, v, margin))
        continue;
      box = goban_painter_node_box (p, v);
      if (!is_group && p->node_h >= LEAST_SIGN * p->ui)
        draw_signs (p, v);
      else if (is_group && box.y1 - box.y0 >= LEAST_COUNT * p->ui)
        draw_count (p, v);
      else if (is_group)
        frame_group (p, v);
    }
}
