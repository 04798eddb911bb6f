/* layout-wires.c: the pieces that edges between open groups are made of, and the way of an edge.
 *
 * Decision U13 (ui/NOTES.md).
 */
#include "ui/draw/graph/layout-nest.h"

#include <string.h>

/* Borders that an edge passes one by one on each side; deeper ones are passed straight. */
#define MOST_BORDERS 20
/* How far from the border edges run along it: within the room that is left at ports. */
#define EDGE_PAD 8.0

static gboolean
is_against_order (const GobanNest *nest, const Wire *wire)
{
  return nest->number[wire->from] > nest->number[wire->to];
}

void
goban_layout_each_wire (const GobanLayout *self, guint edge, GobanWireFunc found, gpointer data)
{
  const GobanNest *nest = self->nest;
  const GobanOutline *outline = nest->outline;
  const Wire *between = &nest->wires[nest->between[edge]];
  gboolean is_up = is_against_order (nest, between);
  WireKind out = is_up ? WIRE_OUT_ABOVE : WIRE_OUT_BELOW;
  WireKind in = is_up ? WIRE_IN_BELOW : WIRE_IN_ABOVE;

  found (nest->between[edge], data);
  for (guint32 entry = outline->edges[edge].tail; entry != between->from;
       entry = entry_of_hull (outline, hull_around (outline, entry)))
    found (nest->slots[(gsize) entry * N_WIRE_SLOTS + out], data);
  for (guint32 entry = outline->edges[edge].head; entry != between->to;
       entry = entry_of_hull (outline, hull_around (outline, entry)))
    found (nest->slots[(gsize) entry * N_WIRE_SLOTS + in], data);
}

/* --- making them ---------------------------------------------------------------------------- */

/* Marks the wires to borders that an edge takes. */
static void
mark_slots (const GobanNest *nest, guint edge, guint8 *is_taken)
{
  const GobanOutline *outline = nest->outline;
  const Wire *between = &nest->wires[nest->between[edge]];
  gboolean is_up = is_against_order (nest, between);

  for (guint32 entry = outline->edges[edge].tail; entry != between->from;
       entry = entry_of_hull (outline, hull_around (outline, entry)))
    is_taken[(gsize) entry * N_WIRE_SLOTS + (is_up ? WIRE_OUT_ABOVE : WIRE_OUT_BELOW)] = TRUE;
  for (guint32 entry = outline->edges[edge].head; entry != between->to;
       entry = entry_of_hull (outline, hull_around (outline, entry)))
    is_taken[(gsize) entry * N_WIRE_SLOTS + (is_up ? WIRE_IN_BELOW : WIRE_IN_ABOVE)] = TRUE;
}

void
goban_nest_make_slots (GobanLayout *self)
{
  GobanNest *nest = self->nest;
  const GobanOutline *outline = nest->outline;
  gsize n_slots = (gsize) (outline->n_items + outline->n_hulls) * N_WIRE_SLOTS;
  g_autofree guint8 *is_taken = g_malloc0 (n_slots);
  guint n = self->n_wires;

  for (guint e = 0; e < outline->n_edges; e++)
    mark_slots (nest, e, is_taken);
  for (gsize i = 0; i < n_slots; i++)
    n += is_taken[i];
  nest->wires = g_renew (Wire, nest->wires, MAX (n, 1));
  nest->slots = g_new (guint32, n_slots);
  for (gsize i = 0; i < n_slots; i++)
    {
      guint32 entry = (guint32) (i / N_WIRE_SLOTS);

      nest->slots[i] = is_taken[i] ? self->n_wires : GOBAN_NO_ITEM;
      if (is_taken[i])
        nest->wires[self->n_wires++] = (Wire){ hull_around (outline, entry), entry, entry,
                                               (guint8) (i % N_WIRE_SLOTS), FALSE };
    }
}

/* --- routes --------------------------------------------------------------------------------- */

static GobanBox
box_of_entry (const GobanLayout *self, guint32 entry)
{
  return entry < self->n_nodes ? goban_layout_node_box (self, entry)
                               : self->hulls[entry - self->n_nodes];
}

/* The middle of a box's upper or lower side. */
static GobanPoint
side_of (GobanBox box, gboolean is_upper)
{
  return (GobanPoint){ (box.x0 + box.x1) / 2, is_upper ? box.y0 : box.y1 };
}

/* The ends of a wire in the part of its hull: those to a border begin or end at a port. FALSE of
 * one that goes against the order to a border: there is no port for it. */
static gboolean
find_ends (const GobanLayout *self, const Wire *wire, guint32 *from, guint32 *to)
{
  const GobanNest *nest = self->nest;

  *from = nest->number[wire->from];
  *to = nest->number[wire->to];
  if (wire->kind == WIRE_IN_ABOVE)
    *from = 0;
  else if (wire->kind == WIRE_OUT_BELOW)
    *to = nest->parts[wire->hull]->n_nodes - 1;
  return wire->kind == WIRE_BETWEEN || wire->kind == WIRE_IN_ABOVE || wire->kind == WIRE_OUT_BELOW;
}

/* The way within the part of a hull. */
static guint
route_part (const GobanLayout *self, const Wire *wire, guint32 a, guint32 b, GobanPoint *points)
{
  const GobanNest *nest = self->nest;
  guint n = goban_layout_route_rows (nest->parts[wire->hull], MIN (a, b), MAX (a, b), points);

  for (guint i = 0; i < n / 2 && a > b; i++)
    {
      GobanPoint moved = points[i];

      points[i] = points[n - 1 - i];
      points[n - 1 - i] = moved;
    }
  for (guint i = 0; i < n; i++)
    {
      points[i].x += nest->origins[wire->hull].x;
      points[i].y += nest->origins[wire->hull].y;
    }
  return n;
}

/* How a port and the middle of the border are joined. */
typedef enum
{
  JOIN_BY_PORT,  /* there are boxes beside the port */
  JOIN_DIRECTLY, /* there are none: from the border to the row after it */
  JOIN_BY_EDGE,  /* along the border, for other columns have boxes between them */
} Join;

static Join
find_join (const GobanLayout *self, guint32 hull, guint32 number)
{
  const GobanLayout *part = self->nest->parts[hull];

  if (part->rows.n_columns > 1)
    return JOIN_BY_EDGE;
  return part->rows.height[part->rows.of_node[number]] <= 0 ? JOIN_DIRECTLY : JOIN_BY_PORT;
}

/* From the border inwards: the route within the part is appended to the route that leads to it. */
static guint
route_in (const GobanLayout *self, const Wire *wire, guint32 from, guint32 to, GobanPoint *points)
{
  Join join = find_join (self, wire->hull, from);
  GobanPoint border = side_of (self->hulls[wire->hull], TRUE);
  double y = border.y + GOBAN_HEAD_HEIGHT + EDGE_PAD;
  guint before = join == JOIN_DIRECTLY ? 0 : join == JOIN_BY_PORT ? 1 : 3;
  guint n = before + route_part (self, wire, from, to, points + before);

  if (join == JOIN_BY_EDGE)
    {
      points[1] = (GobanPoint){ border.x, y };
      points[2] = (GobanPoint){ points[3].x, y };
    }
  points[0] = border;
  return n;
}

static guint
route_out (const GobanLayout *self, const Wire *wire, guint32 from, guint32 to, GobanPoint *points)
{
  Join join = find_join (self, wire->hull, to);
  GobanPoint border = side_of (self->hulls[wire->hull], FALSE);
  guint n = route_part (self, wire, from, to, points);

  if (join == JOIN_DIRECTLY)
    n--;
  else if (join == JOIN_BY_EDGE)
    {
      points[n] = (GobanPoint){ points[n - 1].x, border.y - EDGE_PAD };
      points[n + 1] = (GobanPoint){ border.x, border.y - EDGE_PAD };
      n += 2;
    }
  points[n++] = border;
  return n;
}

guint
goban_layout_route_wire (const GobanLayout *self, guint w, GobanPoint *points)
{
  const Wire *wire = &self->nest->wires[w];
  gboolean is_upper = wire->kind == WIRE_OUT_ABOVE || wire->kind == WIRE_IN_ABOVE;
  gboolean is_in = wire->kind == WIRE_IN_ABOVE || wire->kind == WIRE_IN_BELOW;
  guint32 from, to;

  if (!find_ends (self, wire, &from, &to))
    {
      points[is_in ? 1 : 0] = side_of (box_of_entry (self, wire->from), is_upper);
      points[is_in ? 0 : 1] = side_of (self->hulls[wire->hull], is_upper);
      return 2;
    }
  if (wire->kind == WIRE_IN_ABOVE)
    return route_in (self, wire, from, to, points);
  if (wire->kind == WIRE_OUT_BELOW)
    return route_out (self, wire, from, to, points);
  return route_part (self, wire, from, to, points);
}

gboolean
goban_layout_wire_is_long (const GobanLayout *self, guint w)
{
  return self->nest->wires[w].is_long;
}

guint32
goban_layout_wire_end (const GobanLayout *self, guint w)
{
  const Wire *wire = &self->nest->wires[w];

  if (wire->kind == WIRE_OUT_ABOVE || wire->kind == WIRE_OUT_BELOW || wire->to >= self->n_nodes)
    return GOBAN_NO_ITEM;
  return wire->to;
}

typedef struct
{
  guint32 wires[2 * MOST_BORDERS + 1];
  guint n;
} Way;

static void
add_to_way (guint wire, gpointer data)
{
  Way *way = data;

  if (way->n < G_N_ELEMENTS (way->wires))
    way->wires[way->n++] = wire;
}

/* Order of the wires of an edge: between, outwards from the tail, outwards from the head. */
guint
goban_nest_route (const GobanLayout *self, guint edge, GobanPoint *points)
{
  Way way = { .n = 0 };
  GobanPoint piece[GOBAN_MAX_ROUTE];
  guint n_out = 1;
  guint n = 0;

  goban_layout_each_wire (self, edge, add_to_way, &way);
  while (n_out < way.n && self->nest->wires[way.wires[n_out]].kind <= WIRE_OUT_ABOVE)
    n_out++;
  for (guint i = 1; i < way.n + 1; i++)
    {
      /* Outwards from the tail, across, and back to the head from the outermost of its hulls. */
      guint32 wire = i < n_out    ? way.wires[i]
                     : i == n_out ? way.wires[0]
                                  : way.wires[way.n + n_out - i];
      guint n_piece = goban_layout_route_wire (self, wire, piece);

      /* The ends only, if there is not enough room. */
      if (n + n_piece + 2 * (way.n - i) > GOBAN_MAX_ROUTE)
        {
          piece[1] = piece[n_piece - 1];
          n_piece = 2;
        }
      memcpy (points + n, piece, n_piece * sizeof *piece);
      n += n_piece;
    }
  return n;
}

/* --- boxes ---------------------------------------------------------------------------------- */

static void
store_box (float *at, GobanBox box)
{
  at[0] = (float) box.x0;
  at[1] = (float) box.y0;
  at[2] = (float) box.x1;
  at[3] = (float) box.y1;
}

static GobanBox
box_of_points (const GobanPoint *points, guint n)
{
  GobanBox box = { points[0].x, points[0].y, points[0].x, points[0].y };

  for (guint i = 1; i < n; i++)
    box = goban_box_union (box, (GobanBox){ points[i].x, points[i].y, points[i].x, points[i].y });
  return box;
}

void
goban_nest_fill_boxes (GobanLayout *self)
{
  GobanNest *nest = self->nest;
  GobanPoint points[GOBAN_MAX_ROUTE];

  self->wire_boxes = g_new (float, 4 * (gsize) MAX (self->n_wires, 1));
  self->routes.boxes = g_new (float, 4 * (gsize) MAX (self->n_edges, 1));
  self->routes.is_long = g_malloc (MAX (self->n_edges, 1));
  for (guint w = 0; w < self->n_wires; w++)
    {
      Wire *wire = &nest->wires[w];
      const GobanLayout *part = nest->parts[wire->hull];
      guint n = goban_layout_route_wire (self, w, points);
      guint32 a, b;

      if (find_ends (self, wire, &a, &b))
        wire->is_long = MAX (part->rows.of_node[a], part->rows.of_node[b])
                            - MIN (part->rows.of_node[a], part->rows.of_node[b])
                        > part->routes.cutoff;
      store_box (self->wire_boxes + 4 * (gsize) w, box_of_points (points, n));
    }
  for (guint e = 0; e < self->n_edges; e++)
    {
      const Wire *wire = &nest->wires[nest->between[e]];

      self->routes.is_long[e] = wire->is_long;
      store_box (self->routes.boxes + 4 * (gsize) e, self->hulls[wire->hull]);
    }
}
