/* graph-groups.c: groups: closed ones as stacked boxes, open ones as hulls with a head; lanes of
 * devices.
 *
 * A group that is too small to read has its name over its contents, as large as there is room. */
#include "ui/draw/graph/graph-label.h"
#include "ui/draw/graph/graph-paint.h"

#include "engine/core/quantity.h"

#include <math.h>
#include <string.h>

/* Least sizes of a hull, in design pixels on the surface: to be drawn, to have its name written
 * over it, and to have a readable head. */
#define LEAST_HULL 3.0
#define LEAST_NAMED_WIDTH 44.0
#define LEAST_NAMED_HEIGHT 15.0
#define LEAST_TAGGED 120.0
#define MOST_OF_PARENT 0.5
#define LEAST_HEAD 11.0
#define LEAST_SHARE 0.0005 /* of the makespan that is named: 0.1 % when rounded */
#define MOST_NAMES 160

/* If a hull is so many names high, its name is at its upper edge, and its contents are bare. */
#define MOST_COVERED 2.5

/* The name over a group that is too small to read. */
typedef struct
{
  const char *text;
  GobanBox box; /* of the plate under it */
  double size_px;
} Name;

/* --- colours -------------------------------------------------------------------------------- */

static GobanRgb
hull_colour (const Painter *p, guint depth)
{
  GobanRgb tint = goban_rgb_mix (p->colours->muted, 0x3f6fd0, 0.5);

  return goban_rgb_mix (p->colours->canvas, tint, MIN (0.045 + 0.05 * depth, 0.33));
}

static GobanRgb
border_colour (const Painter *p, guint depth)
{
  return goban_rgb_mix (hull_colour (p, depth), p->colours->ink, 0.28);
}

static GobanRgb
share_colour (const Painter *p, guint share)
{
  return p->scene->n_devices > 0 ? p->inks.devices[share] : p->inks.families[share];
}

/* Composition of a group: its kinds of nodes side by side, as wide as their share of its time. */
static void
draw_shares (const Painter *p, GobanBox box, const GobanSceneGroup *group)
{
  double x = box.x0;
  double sum = 0;

  for (guint i = 0; i < p->scene->groups.n_shares; i++)
    {
      GobanRgb rgb = share_colour (p, i);
      GobanBox part = box;

      if (group->shares[i] <= 0)
        continue;
      sum += (double) group->shares[i];
      part.x0 = x;
      part.x1 = MIN (box.x0 + (box.x1 - box.x0) * sum, box.x1);
      if (p->raster != NULL)
        part.x1 = floor (part.x1 + 0.5);
      if (part.x1 <= part.x0)
        continue;
      goban_pen_rect (p->pen, part, rgb);
      if (p->scene->n_devices > 0 && part.x1 - part.x0 >= 4 * p->ui && box.y1 - box.y0 >= 4 * p->ui)
        goban_pen_hatch (p->pen, part, goban_palette_cue (i), goban_palette_hatch (rgb), p->ui);
      x = part.x1;
    }
  if (sum >= 0.999)
    return;
  goban_pen_rect (p->pen, (GobanBox){ x, box.y0, box.x1, box.y1 }, p->colours->panel);
  if (box.y1 - box.y0 >= 4 * p->ui)
    goban_pen_dashes (p->pen, (GobanBox){ x, box.y0, box.x1, box.y1 }, p->ui, p->colours->muted);
}

/* The same of another plan at the left, if there is one to be compared with. */
static void
draw_all_shares (const Painter *p, GobanBox box, guint v)
{
  const GobanGraphScene *other = goban_painter_other (p);
  double middle = floor ((box.x0 + box.x1) / 2);
  GobanBox left = { box.x0, box.y0, middle - p->ui, box.y1 };
  GobanBox right = { middle + p->ui, box.y0, box.x1, box.y1 };

  if (other == NULL || other->groups.n_shares != p->scene->groups.n_shares || left.x1 <= left.x0)
    {
      draw_shares (p, box, goban_graph_scene_get_group (p->scene, v));
      return;
    }
  draw_shares (p, left, goban_graph_scene_get_group (other, v));
  draw_shares (p, right, goban_graph_scene_get_group (p->scene, v));
}

/* --- closed groups -------------------------------------------------------------------------- */

static gboolean
is_filled (const Painter *p)
{
  return p->mode != GOBAN_FILL_DEVICE && p->mode != GOBAN_FILL_OP;
}

static GobanRgb
group_fill (const Painter *p, guint v)
{
  return is_filled (p) ? goban_painter_node_colour (p, v) : p->colours->panel;
}

/* Two cards behind the box, so that it looks like many. */
static void
draw_stack (const Painter *p, GobanBox box, double radius, GobanRgb fill, GobanRgb line)
{
  double step = floor (CLAMP (3.5 * p->scale, 2 * p->ui, 5 * p->ui));

  for (int i = 2; i > 0; i--)
    {
      GobanBox card
          = { box.x0 + i * step, box.y0 + i * step, box.x1 + i * step, box.y1 + i * step };

      goban_pen_round_rect (p->pen, card, radius, line);
      goban_pen_round_rect (p->pen, grow (card, -p->ui), radius - p->ui,
                            goban_rgb_mix (fill, p->colours->canvas, 0.25 * i));
    }
}

static gboolean
is_critical (const Painter *p, const GobanSceneGroup *group)
{
  return p->picture->style.show_critical && group->n_critical > 0;
}

void
goban_painter_draw_group (const Painter *p, guint v)
{
  const GobanSceneGroup *group = goban_graph_scene_get_group (p->scene, v);
  GobanBox box = goban_painter_node_box (p, v);
  double height = (box.y1 - box.y0) / p->ui;
  GobanRgb fill = group_fill (p, v);
  GobanRgb line = goban_rgb_mix (p->colours->muted, p->colours->canvas, 0.25);
  double width = MAX (floor (p->ui + 0.5), 1);
  double radius = CLAMP (7 * p->scale, 0, 11 * p->ui);
  GobanBox inner = grow (box, -width);

  if (height < GOBAN_LEAST_NAMED_GROUP)
    {
      if (is_critical (p, group))
        goban_pen_rect (p->pen, grow (box, p->ui), p->colours->critical);
      goban_pen_rect (p->pen, box, line);
      draw_all_shares (p, height > 4 ? inner : box, v);
      return;
    }
  draw_stack (p, box, radius, fill, line);
  if (is_critical (p, group))
    goban_pen_round_rect (p->pen, grow (box, 2 * p->ui), radius + 2 * p->ui, p->colours->critical);
  goban_pen_round_rect (p->pen, box, radius, line);
  goban_pen_round_rect (p->pen, inner, radius - width, fill);
  inner.y0 = floor (box.y0 + (box.y1 - box.y0) * (height < GOBAN_LEAST_GROUP_LINES ? 0.66 : 0.76));
  inner.y1 = floor (box.y0 + (box.y1 - box.y0) * 0.91);
  inner.x0 += floor (radius);
  inner.x1 -= floor (radius);
  draw_all_shares (p, inner, v);
}

/* "1 234 ops · 5.6 ms", or "41.3 % critical · 1 234 ops" while the critical path is shown. */
static char *
count_line (const Painter *p, const GobanSceneGroup *group)
{
  char count[GOBAN_QUANTITY_LEN], time[GOBAN_QUANTITY_LEN];

  goban_format_grouped (count, group->n_nodes);
  if (is_critical (p, group) && group->critical_share >= LEAST_SHARE)
    return g_strdup_printf (
        group->n_nodes == 1 ? "%s %% critical · %s op" : "%s %% critical · %s ops",
        g_ascii_formatd (time, sizeof time, "%.1f", 100 * group->critical_share), count);
  if (!isfinite (group->time_us))
    return g_strdup_printf (group->n_nodes == 1 ? "%s op" : "%s ops", count);
  return g_strdup_printf (group->n_nodes == 1 ? "%s op · %s" : "%s ops · %s", count,
                          goban_format_time (time, group->time_us));
}

void
goban_painter_label_group (const Painter *p, guint v)
{
  const GobanSceneGroup *group = goban_graph_scene_get_group (p->scene, v);
  GobanBox box = goban_painter_node_box (p, v);
  double tall = box.y1 - box.y0;
  double height = tall / p->ui;
  double pad = CLAMP (9 * p->scale, 3 * p->ui, 16 * p->ui);
  double width = box.x1 - box.x0 - 2 * pad;
  gboolean has_lines = height >= GOBAN_LEAST_GROUP_LINES;
  GobanRgb fill = group_fill (p, v);
  GobanTextStyle style = { goban_label_size_of_group (height) * p->ui, has_lines, GOBAN_ALIGN_LEFT,
                           is_filled (p) ? goban_rgb_text_on (fill) : p->colours->ink };
  double full_px = style.size_px;
  g_autofree char *line = NULL;
  g_autofree char *name = NULL;

  if (height < GOBAN_LEAST_NAMED_GROUP || width < 16 * p->ui)
    return;
  name = goban_painter_fit_name (p, group->name, width, &style);
  goban_pen_text (p->pen, name,
                  (GobanPoint){ box.x0 + pad, box.y0 + tall * (has_lines ? 0.25 : 0.36) }, width,
                  &style);
  if (!has_lines)
    return;
  style.size_px = full_px * 0.8;
  style.bold = FALSE;
  if (!is_filled (p))
    style.rgb = p->colours->muted;
  line = count_line (p, group);
  goban_pen_text (p->pen, line, (GobanPoint){ box.x0 + pad, box.y0 + tall * 0.55 }, width, &style);
}

/* --- open groups ---------------------------------------------------------------------------- */

static GobanBox
box_on_surface (const Painter *p, GobanBox world)
{
  GobanBox box = goban_camera_box_to_screen (&p->picture->camera, world);

  if (p->raster == NULL)
    return box;
  return (GobanBox){ floor (box.x0 + 0.5), floor (box.y0 + 0.5), floor (box.x1 + 0.5),
                     floor (box.y1 + 0.5) };
}

static gboolean
sees_hull (const Painter *p, guint h, GobanBox view, GobanBox *box)
{
  GobanBox world = p->layout->hulls[h];

  if (!goban_box_intersects (world, view))
    return FALSE;
  *box = box_on_surface (p, world);
  return box->x1 - box->x0 >= LEAST_HULL * p->ui && box->y1 - box->y0 >= LEAST_HULL * p->ui;
}

static double
head_height (const Painter *p)
{
  return floor (GOBAN_HEAD_HEIGHT * p->scale + 0.5);
}

void
goban_painter_find_hulls (const Painter *p, GobanVisibleItems *visible)
{
  GobanBox box;

  goban_visible_items_init (visible, &p->bands, 1, p->layout->n_hulls);
  for (guint h = 1; h < p->layout->n_hulls; h++)
    if (sees_hull (p, h, p->view, &box))
      goban_visible_items_add (visible, h, 0, box.y0 - 1, box.y1 + 1);
  goban_visible_items_sort (visible);
}

/* Opaque, from the outermost inwards: a tint of each over all those around it costs much more. */
void
goban_painter_paint_hulls (const Painter *p, const GobanVisibleItems *visible, guint band)
{
  double head = head_height (p);
  double radius = head >= LEAST_HEAD * p->ui ? MIN (8 * p->scale, 10 * p->ui) : 0;
  guint n;
  const guint32 *hulls = goban_visible_items_get (visible, band, 0, &n);

  for (guint i = 0; i < n; i++)
    {
      guint depth = p->scene->outline->hulls[hulls[i]].depth;
      GobanBox box = box_on_surface (p, p->layout->hulls[hulls[i]]);

      goban_pen_round_rect (p->pen, box, radius, border_colour (p, depth));
      goban_pen_round_rect (p->pen, grow (box, -p->ui), radius - p->ui, hull_colour (p, depth));
    }
}

/* The strip with the triangle that closes the group, its name and its count. */
static void
draw_head (const Painter *p, GobanBox box, guint h)
{
  guint depth = p->scene->outline->hulls[h].depth;
  double side = floor (CLAMP (head_height (p) * 0.36, 5 * p->ui, 13 * p->ui));
  double middle = box.y0 + head_height (p) / 2;

  box = grow (box, -p->ui);
  box.y1 = box.y0 + head_height (p) - p->ui;
  goban_pen_round_rect (p->pen, box, MIN (7 * p->scale, 9 * p->ui),
                        goban_rgb_mix (hull_colour (p, depth), p->colours->ink, 0.09));
  goban_pen_arrow (p->pen, (GobanPoint){ box.x0 + 9 * p->ui + side / 2, floor (middle + side / 2) },
                   side, p->colours->muted);
}

static void
label_head (const Painter *p, GobanBox box, guint h)
{
  const GobanSceneGroup *group = &p->scene->groups.hulls[h];
  double head = head_height (p);
  double side = floor (CLAMP (head * 0.36, 5 * p->ui, 13 * p->ui));
  double x
      = MAX (box.x0, -side) + 15 * p->ui + side; /* names stay in sight while their heads are */
  double right = box.x1 - 8 * p->ui;
  GobanTextStyle style
      = { CLAMP (head / p->ui * 0.46, 8, 20) * p->ui, TRUE, GOBAN_ALIGN_LEFT, p->colours->ink };
  double name_w = goban_pen_text_width (p->pen, group->name, &style);
  g_autofree char *line = count_line (p, group);

  if (right - x < 20 * p->ui)
    return;
  goban_pen_text (p->pen, group->name, (GobanPoint){ x, box.y0 + head / 2 }, right - x, &style);
  x += name_w + 10 * p->ui;
  style.bold = FALSE;
  style.size_px *= 0.86;
  style.rgb = p->colours->muted;
  if (right - x >= goban_pen_text_width (p->pen, line, &style))
    goban_pen_text (p->pen, line, (GobanPoint){ x, box.y0 + head / 2 }, right - x, &style);
}

/* At the upper edge, where the head would be, and over the contents of a group that is hardly
 * higher than the name. */
static Name
name_over (const Painter *p, GobanBox box, const char *text)
{
  double width = box.x1 - box.x0;
  double height = box.y1 - box.y0;
  glong n = MAX (g_utf8_strlen (text, -1), 3);
  double size
      = CLAMP (MIN (height / p->ui * 0.3, width / p->ui * 0.9 / ((double) n * 0.62)), 9, 14);
  GobanTextStyle style = { size * p->ui, TRUE, GOBAN_ALIGN_CENTRE, 0 };
  double half_w = MIN (goban_pen_text_width (p->pen, text, &style) / 2 + 5 * p->ui, width / 2);
  double half_h = size * 0.75 * p->ui;
  double x = (box.x0 + box.x1) / 2;
  double y = (box.y0 + box.y1) / 2;

  if (height > MOST_COVERED * 2 * half_h)
    y = box.y0 + head_height (p) / 2;
  return (Name){ text,
                 { floor (x - half_w), floor (y - half_h), ceil (x + half_w), ceil (y + half_h) },
                 size * p->ui };
}

/* Name of a group around others that have theirs: at its corner, beside those of the groups around
 * it. */
static Name
name_at_corner (const Painter *p, GobanBox box, const char *text, const GArray *names, guint first)
{
  GobanTextStyle style = { 12 * p->ui, TRUE, GOBAN_ALIGN_CENTRE, 0 };
  double width = ceil (goban_pen_text_width (p->pen, text, &style) + 10 * p->ui);
  double x = floor (box.x0 + 1);
  double y = floor (box.y0 + 1);
  Name name = { text, { x, y, x + width, y + 18 * p->ui }, 12 * p->ui };

  for (guint i = first; i < names->len; i++)
    {
      const Name *other = &g_array_index (names, Name, i);

      if (!goban_box_intersects (other->box, name.box))
        continue;
      name.box.x0 = other->box.x1 + 2 * p->ui;
      name.box.x1 = name.box.x0 + width;
    }
  return name;
}

static void
draw_names (const Painter *p, const GArray *names)
{
  /* Plates first: pixels and text take turns only once. */
  for (guint i = 0; i < names->len; i++)
    goban_pen_tint (p->pen, g_array_index (names, Name, i).box, p->colours->canvas, 190);
  for (guint i = 0; i < names->len; i++)
    {
      const Name *name = &g_array_index (names, Name, i);
      GobanTextStyle style = { name->size_px, TRUE, GOBAN_ALIGN_CENTRE, p->colours->ink };

      goban_pen_text (p->pen, name->text,
                      (GobanPoint){ name->box.x0, (name->box.y0 + name->box.y1) / 2 },
                      name->box.x1 - name->box.x0, &style);
    }
}

static gboolean
has_room_for_name (const Painter *p, guint h, GobanBox *box)
{
  return sees_hull (p, h, p->whole, box) && box->x1 - box->x0 >= LEAST_NAMED_WIDTH * p->ui
         && box->y1 - box->y0 >= LEAST_NAMED_HEIGHT * p->ui;
}

/* If two hulls are nearly the same box, only the outer one is named: its name says more. */
static gboolean
fills_parent (const Painter *p, guint h)
{
  GobanBox inner = p->layout->hulls[h];
  guint parent = p->scene->outline->hulls[h].parent;
  GobanBox outer = p->layout->hulls[parent];

  return parent != 0
         && (inner.x1 - inner.x0) * (inner.y1 - inner.y0)
                > MOST_OF_PARENT * (outer.x1 - outer.x0) * (outer.y1 - outer.y0);
}

/* The innermost hulls that have room for a name bear it over their contents, those around them at
 * a corner. */
static void
paint_far_names (const Painter *p)
{
  guint n = p->layout->n_hulls;
  g_autofree guint8 *is_around = g_malloc0 (n);
  g_autoptr (GArray) names = g_array_new (FALSE, FALSE, sizeof (Name));
  guint n_inner;
  GobanBox box;

  for (guint h = n; h-- > 1;)
    if (names->len < MOST_NAMES && has_room_for_name (p, h, &box)
        && (is_around[h] || !fills_parent (p, h)))
      {
        if (!is_around[h])
          {
            Name name = name_over (p, box, p->scene->groups.hulls[h].name);

            g_array_append_val (names, name);
          }
        is_around[p->scene->outline->hulls[h].parent] = TRUE;
      }
  n_inner = names->len;
  for (guint h = 1; h < n && names->len < MOST_NAMES; h++)
    if (is_around[h] && sees_hull (p, h, p->whole, &box) && box.x1 - box.x0 > LEAST_TAGGED * p->ui
        && box.y1 - box.y0 > LEAST_TAGGED * p->ui)
      {
        Name name = name_at_corner (p, box, p->scene->groups.hulls[h].name, names, n_inner);

        g_array_append_val (names, name);
      }
  draw_names (p, names);
}

void
goban_painter_paint_heads (const Painter *p)
{
  GobanBox box;

  if (p->layout->n_hulls <= 1)
    return;
  if (head_height (p) < LEAST_HEAD * p->ui)
    {
      paint_far_names (p);
      return;
    }
  for (guint h = 1; h < p->layout->n_hulls; h++)
    if (sees_hull (p, h, p->view, &box))
      draw_head (p, box, h);
  for (guint h = 1; h < p->layout->n_hulls; h++)
    if (sees_hull (p, h, p->view, &box))
      label_head (p, box, h);
}

/* --- wires ---------------------------------------------------------------------------------- */

static EdgePass
pass_of_wire (const Painter *p, guint w)
{
  guint8 flags = p->scene->wires[w].flags;

  if (p->picture->style.show_critical && (flags & GOBAN_EDGE_CRITICAL) != 0)
    return EDGES_CRITICAL;
  return (flags & GOBAN_EDGE_CUT) != 0 ? EDGES_CUT : EDGES_LOCAL;
}

gboolean
goban_painter_sees_wire (const Painter *p, guint w)
{
  if (p->needed_wires != NULL && !p->needed_wires[w])
    return FALSE;
  return goban_painter_sees_line (p, p->layout->wire_boxes + 4 * (gsize) w);
}

/* So short that the boxes it joins cover it. */
static gboolean
is_speck (const Painter *p, guint w)
{
  const float *box = p->layout->wire_boxes + 4 * (gsize) w;
  double least = p->detail == DETAIL_PIXELS ? 5 : 1.5;

  return (double) MAX (box[2] - box[0], box[3] - box[1]) * p->scale < least * p->ui;
}

static void
draw_wire (const Painter *p, guint w, EdgePass pass)
{
  const GobanSceneWire *wire = &p->scene->wires[w];
  gboolean is_control = (wire->flags & GOBAN_EDGE_CONTROL) != 0;
  GobanStroke stroke = goban_painter_stroke (p, (double) wire->weight, is_control, pass);
  GobanPoint points[GOBAN_MAX_ROUTE];
  guint n = goban_layout_route_wire (p->layout, w, points);
  gboolean has_head = goban_layout_wire_end (p->layout, w) != GOBAN_NO_ITEM;

  if (goban_layout_wire_is_long (p->layout, w))
    stroke.alpha = stroke.alpha * 3 / 8;
  else if (p->detail == DETAIL_PIXELS)
    stroke.alpha = stroke.alpha * 5 / 8;
  else if (p->detail == DETAIL_CURVES && pass != EDGES_CRITICAL)
    stroke.alpha = stroke.alpha * 3 / 4;
  goban_painter_thin_distant (p, p->layout->wire_boxes + 4 * (gsize) w, pass, &stroke);
  goban_painter_draw_points (p, points, n, has_head, &stroke);
}

void
goban_painter_find_wires (const Painter *p, GobanVisibleItems *visible)
{
  goban_visible_items_init (visible, &p->bands, N_EDGE_PASSES, p->layout->n_wires);
  for (guint w = 0; w < p->layout->n_wires; w++)
    if (goban_painter_sees_wire (p, w) && !is_speck (p, w))
      goban_painter_add_line (p, visible, w, pass_of_wire (p, w),
                              p->layout->wire_boxes + 4 * (gsize) w);
  goban_visible_items_sort (visible);
}

void
goban_painter_paint_wires (const Painter *p, const GobanVisibleItems *visible, guint band)
{
  for (EdgePass pass = EDGES_LOCAL; pass < N_EDGE_PASSES; pass++)
    {
      guint n;
      const guint32 *wires = goban_visible_items_get (visible, band, pass, &n);

      for (guint i = 0; i < n; i++)
        draw_wire (p, wires[i], pass);
    }
}

/* --- lanes ---------------------------------------------------------------------------------- */

void
goban_painter_paint_lanes (const Painter *p)
{
  for (guint d = 0; d < p->layout->n_lanes; d++)
    {
      GobanBox box = box_on_surface (p, p->layout->lanes[d]);
      GobanBox strip = { box.x0, box.y0, box.x0 + 4 * p->ui, box.y1 };

      goban_pen_rect (p->pen, box, goban_rgb_mix (p->colours->canvas, p->inks.devices[d], 0.10));
      goban_pen_rect (p->pen, strip, p->inks.devices[d]);
    }
}

/* Names stay in sight while their lanes are. */
void
goban_painter_label_lanes (const Painter *p)
{
  GobanTextStyle style = { 12 * p->ui, TRUE, GOBAN_ALIGN_LEFT, p->colours->ink };

  for (guint d = 0; d < p->layout->n_lanes && d < p->scene->n_devices; d++)
    {
      GobanBox box = box_on_surface (p, p->layout->lanes[d]);
      const char *name = p->scene->devices[d].name;
      double x = MAX (box.x0, 0) + 10 * p->ui;
      double y = box.y0 + 11 * p->ui;
      double width = goban_pen_text_width (p->pen, name, &style);

      if (box.y1 < 0 || box.y1 - box.y0 < 14 * p->ui || box.x1 < x + width)
        continue;
      y = MIN (MAX (y, 12 * p->ui), box.y1 - 10 * p->ui);
      goban_pen_tint (
          p->pen, (GobanBox){ x - 4 * p->ui, y - 9 * p->ui, x + width + 5 * p->ui, y + 9 * p->ui },
          goban_rgb_mix (p->colours->canvas, p->inks.devices[d], 0.10), 215);
      goban_pen_text (p->pen, name, (GobanPoint){ x, y }, 0, &style);
    }
}
