/* graph-overlay.c: marks over the nodes of a graph: differences, a step, a moment, selection.
 *
 * Decisions U22 and U40 (ui/NOTES.md).
 */
#include "ui/draw/graph/graph-paint.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/study/analysis/playback-state.h"
#include "ui/draw/graph/graph-painter.h"

#include <math.h>

/* --- differences from another plan ------------------------------------------------------------ */

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

static void
need_wire (guint wire, gpointer data)
{
  ((guint8 *) data)[wire] = TRUE;
}

guint8 *
goban_painter_find_needed_wires (const Painter *p)
{
  guint8 *is_needed;

  if (look_of (p) == NULL || look_of (p)->unchanged != GOBAN_UNCHANGED_HIDE
      || p->layout->n_wires == 0)
    return NULL;

  is_needed = g_malloc0 (p->layout->n_wires);
  for (guint e = 0; e < p->scene->n_edges; e++)
    if (!is_same (p, p->scene->edges[e].tail) && !is_same (p, p->scene->edges[e].head))
      goban_layout_each_wire (p->layout, e, need_wire, is_needed);
  return is_needed;
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

gboolean
goban_painter_is_ringed (const Painter *p, guint v)
{
  return look_of (p) != NULL && (look_of (p)->marks->kinds[v] & 1 << GOBAN_CHANGE_DEVICE) != 0
         && (p->detail != DETAIL_PIXELS
             || look_of (p)->marks->n_nodes[GOBAN_CHANGE_DEVICE] <= MOST_SPECKS);
}

void
goban_painter_ring_change (const Painter *p, GobanBox box, guint v, double radius)
{
  double gap = p->detail >= DETAIL_CURVES ? MAX (floor (p->ui), 1) : 0;
  double ring
      = p->detail == DETAIL_PIXELS ? 1 : MAX (floor (CLAMP (3 * p->scale, 1.5, 3) * p->ui), 1);

  if (!goban_painter_is_ringed (p, v))
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

/* --- the nodes that a step has changed -------------------------------------------------------- */

/* A fifth of the box, and never so narrow that its colour cannot be recognised. */
static void
draw_stripe (const Painter *p, guint v)
{
  const GobanSceneNode *node = &p->scene->nodes[v];
  GobanBox box = goban_painter_node_box (p, v);
  double width = MIN (fmax (floor ((box.x1 - box.x0) / 5), 4 * p->ui), box.x1 - box.x0);
  GobanBox stripe = { box.x0, box.y0, box.x0 + width, box.y1 };

  if (node->had >= p->scene->n_devices || p->detail == DETAIL_PIXELS)
    return;
  goban_pen_rect (p->pen, stripe, p->inks.devices[node->had]);
  if (p->node_h >= 6 * p->ui)
    goban_pen_hatch (p->pen, stripe, goban_palette_cue (node->had),
                     goban_palette_hatch (p->inks.devices[node->had]), p->ui);
  goban_pen_rect (
      p->pen, (GobanBox){ stripe.x1, stripe.y0, stripe.x1 + fmax (floor (p->ui), 1), stripe.y1 },
      p->colours->canvas);
}

/* Zoomed out, the ring has the colour of the node's present device, and the least visible size. */
static void
ring_changed (const Painter *p, guint v)
{
  GobanBox box = goban_painter_node_box (p, v);
  double gap = p->detail == DETAIL_PIXELS ? 0 : p->ui;
  double width = p->node_h < 9 * p->ui ? 2 * p->ui : CLAMP (3 * p->scale, 2 * p->ui, 4 * p->ui);

  if (p->detail == DETAIL_PIXELS && p->scene->n_devices > 0)
    goban_pen_rect (p->pen, grow (box, 2 * p->ui), p->inks.devices[p->scene->nodes[v].device]);
  if (p->detail == DETAIL_PIXELS)
    box = grow (box, 2 * p->ui);
  goban_pen_frame (p->pen, grow (box, gap + width), width, p->colours->ink);
  goban_pen_frame (p->pen, grow (box, gap), gap, p->colours->canvas);
}

void
goban_painter_paint_step (const Painter *p)
{
  double margin = 8 * p->ui / p->scale;

  for (guint v = 0; p->scene->has_step && v < p->layout->n_nodes; v++)
    if ((p->scene->nodes[v].flags & GOBAN_NODE_CHANGED) != 0
        && goban_painter_sees_node (p, v, margin))
      {
        draw_stripe (p, v);
        ring_changed (p, v);
      }
}

/* --- a moment of playback --------------------------------------------------------------------- */

#define WAITING_VEIL 196
#define READY_VEIL 96

/* Number of an item's nodes in each state. */
typedef struct
{
  guint32 n[GOBAN_N_NODE_STATES];
} Tally;

/* (transfer full) (n_nodes of the scene) */
static Tally *
count_states (const Painter *p, const guint8 *states)
{
  const GobanOutline *outline = p->scene->outline;
  Tally *tallies = g_new0 (Tally, MAX (p->scene->n_nodes, 1));
  guint n = outline != NULL ? goban_graph_get_n_nodes (outline->graph) : p->scene->n_nodes;

  for (guint v = 0; v < n; v++)
    {
      guint32 item = outline != NULL ? outline->item_of[v] : v;

      if (item < p->scene->n_nodes)
        tallies[item].n[states[v]]++;
    }
  return tallies;
}

static void
veil (const Painter *p, GobanBox box, guint alpha)
{
  if (box.x1 > box.x0)
    goban_pen_tint (p->pen, box, p->colours->canvas, alpha);
}

/* The finished part is at the left, as in a progress bar. */
static void
veil_group (const Painter *p, guint v, const Tally *tally)
{
  guint all = tally->n[GOBAN_NODE_DONE] + tally->n[GOBAN_NODE_RUNNING] + tally->n[GOBAN_NODE_READY]
              + tally->n[GOBAN_NODE_WAITING];
  GobanBox box = goban_painter_node_box (p, v);

  box.x0 += floor ((box.x1 - box.x0) * tally->n[GOBAN_NODE_DONE] / MAX (all, 1));
  veil (p, box, WAITING_VEIL);
}

static void
veil_node (const Painter *p, guint v, const Tally *tally)
{
  GobanBox box = goban_painter_node_box (p, v);

  if (tally->n[GOBAN_NODE_WAITING] > 0)
    veil (p, box, WAITING_VEIL);
  if (tally->n[GOBAN_NODE_READY] == 0)
    return;
  veil (p, box, READY_VEIL);
  if (p->node_h >= 5 * p->ui)
    goban_pen_hatch (p->pen, grow (box, -1), GOBAN_CUE_DIAGONAL, p->colours->muted, p->ui);
}

/* Never smaller than the eye can find among 80,000 specks. */
static void
ring_running (const Painter *p, guint v)
{
  GobanBox box = goban_painter_node_box (p, v);
  double width = p->node_h < 9 * p->ui ? 3 * p->ui : CLAMP (4 * p->scale, 3 * p->ui, 5 * p->ui);
  double gap = p->detail == DETAIL_PIXELS ? 0 : p->ui;
  GobanRgb rgb = p->scene->n_devices > 0 ? p->inks.devices[p->scene->nodes[v].device]
                                         : p->colours->selection;

  goban_pen_frame (p->pen, grow (box, gap + width + p->ui), p->ui, p->colours->ink);
  goban_pen_frame (p->pen, grow (box, gap + width), width, rgb);
}

void
goban_painter_paint_moment (const Painter *p, const guint8 *states)
{
  g_autofree Tally *tallies = count_states (p, states);
  double margin = 8 * p->ui / p->scale;

  for (guint v = 0; v < p->layout->n_nodes; v++)
    {
      if (!goban_painter_sees_node (p, v, 0))
        continue;
      if (goban_graph_scene_get_group (p->scene, v) != NULL)
        veil_group (p, v, &tallies[v]);
      else
        veil_node (p, v, &tallies[v]);
    }
  /* Last, so that no neighbour covers them. */
  for (guint v = 0; v < p->layout->n_nodes; v++)
    if (tallies[v].n[GOBAN_NODE_RUNNING] > 0 && goban_painter_sees_node (p, v, margin))
      ring_running (p, v);
}

/* --- selection and hover ---------------------------------------------------------------------- */

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
