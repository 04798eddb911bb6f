/* layout-nest.c: layouts within layouts: an open group is laid out by itself, then placed as a box
 * in the layout around it.
 *
 * Entries are items, then hulls. Each hull has a layout of its entries, its part, made after those
 * of the hulls in it, for their sizes are needed. Edges of the outline are lifted to where they
 * part: to an edge between two entries of the innermost hull around both ends.
 *
 * Edges are made of wires: one between two entries of a hull, and from there on one from each entry
 * on the way to the border of the hull around it, up to the items at both ends. Edges share wires:
 * all edges from one open group to another are one line there.
 *
 * Decisions U12 and U13 (ui/NOTES.md).
 */
#include "engine/core/arrays.h"
#include "engine/core/key-sort.h"
#include "ui/draw/graph/layout-work.h"

#include <math.h>
#include <string.h>

/* Borders that an edge passes one by one on each side; deeper ones are passed straight. */
#define MOST_BORDERS 20
/* How far from the border edges run along it: within the room that is left at ports. */
#define EDGE_PAD 8.0
#define PAD 22.0
#define PORT_WIDTH 8.0
#define PORT_PAD 16.0
#define STACK 8.0
/* Smaller hulls are widened, for their names. */
#define LEAST_WIDTH 250.0
/* Parts above this size report progress. */
#define LARGE 5000

/* Direction of a wire. */
typedef enum
{
  WIRE_OUT_BELOW, /* from an entry to the border around it, downwards ... */
  WIRE_OUT_ABOVE, /* ... or, against the order, upwards */
  WIRE_IN_ABOVE,  /* from the border around an entry to it */
  WIRE_IN_BELOW,
  N_WIRE_SLOTS,
  WIRE_BETWEEN = N_WIRE_SLOTS, /* from an entry to another of the same hull */
} WireKind;

typedef struct
{
  guint32 hull; /* hull that contains it */
  guint32 from; /* entries; both the same for a wire to a border */
  guint32 to;
  guint8 kind;
  guint8 is_long;
} Wire;

struct _GobanNest
{
  GobanOutline *outline;
  GobanLayout **parts; /* (hulls) */
  GobanPoint *origins; /* (hulls) origin of each part */
  guint32 *number;     /* (entries) within the part of the hull around it */
  Wire *wires;         /* (n_wires of the layout) */
  guint32 *between;    /* (edges) the wire in the innermost common hull of both ends */
  guint32 *slots;      /* (entries x N_WIRE_SLOTS) wires to borders, or GOBAN_NO_ITEM */
};

static guint32
entry_of_hull (const GobanOutline *outline, guint32 hull)
{
  return outline->n_items + hull;
}

static guint32
hull_around (const GobanOutline *outline, guint32 entry)
{
  return entry < outline->n_items ? outline->items[entry].hull
                                  : outline->hulls[entry - outline->n_items].parent;
}

/* --- wires ------------------------------------------------------------------------------------ */

void
goban_layout_each_wire (const GobanLayout *self, guint edge, GobanWireFunc found, gpointer data)
{
  const GobanNest *nest = self->nest;
  const GobanOutline *outline = nest->outline;
  const Wire *between = &nest->wires[nest->between[edge]];
  gboolean is_up = nest->number[between->from] > nest->number[between->to];
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

static void
mark_taken (guint wire, gpointer is_taken)
{
  ((guint8 *) is_taken)[wire] = TRUE;
}

/* Makes the wires to borders that edges take, after the wires between entries. At first each that
 * could be made has a number behind those. */
static void
make_slots (GobanLayout *self)
{
  GobanNest *nest = self->nest;
  const GobanOutline *outline = nest->outline;
  gsize n_slots = (gsize) (outline->n_items + outline->n_hulls) * N_WIRE_SLOTS;
  guint n_between = self->n_wires, n = n_between;
  g_autofree guint8 *is_taken = g_malloc0 (n_between + n_slots);

  nest->slots = g_new (guint32, n_slots);
  for (gsize i = 0; i < n_slots; i++)
    nest->slots[i] = n_between + (guint32) i;
  for (guint e = 0; e < outline->n_edges; e++)
    goban_layout_each_wire (self, e, mark_taken, is_taken);
  for (gsize i = 0; i < n_slots; i++)
    n += is_taken[n_between + i];
  nest->wires = g_renew (Wire, nest->wires, MAX (n, 1));
  for (gsize i = 0; i < n_slots; i++)
    {
      guint32 entry = (guint32) (i / N_WIRE_SLOTS);

      nest->slots[i] = is_taken[n_between + i] ? self->n_wires : GOBAN_NO_ITEM;
      if (is_taken[n_between + i])
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

/* Fills the boxes of all wires; an edge's box is the hull that contains it. */
static void
fill_boxes (GobanLayout *self)
{
  GobanNest *nest = self->nest;
  GobanPoint points[GOBAN_MAX_ROUTE];

  self->wire_boxes = goban_own (self, float, 4 * (gsize) self->n_wires);
  self->routes.boxes = goban_own (self, float, 4 * (gsize) self->n_edges);
  self->routes.is_long = goban_own (self, guint8, self->n_edges);
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
      self->routes.n_distant
          += goban_box_length (self->wire_boxes + 4 * (gsize) w) >= GOBAN_DISTANT;
    }
  for (guint e = 0; e < self->n_edges; e++)
    {
      const Wire *wire = &nest->wires[nest->between[e]];

      self->routes.is_long[e] = wire->is_long;
      store_box (self->routes.boxes + 4 * (gsize) e, self->hulls[wire->hull]);
    }
}

/* --- nested parts ----------------------------------------------------------------------------- */

/* Input of the layout of one part, a hull with its children, for the largest one. */
typedef struct
{
  GobanSize *sizes; /* (entries and two ports) */
  GobanSize *usual;
  guint32 *tails; /* (edges and two for each entry) */
  guint32 *heads;
} PartInput;

/* While it is made. */
typedef struct
{
  GPtrArray *arrays; /* all of it */
  GobanOutline *outline;
  const GobanLayoutOptions *options;
  GobanNest *nest;
  GobanSize *sizes;     /* (entries) */
  GobanSize *usual;     /* (entries) */
  guint32 *early;       /* (entries) */
  guint8 *has_in;       /* (entries) something outside of the hull around it leads to it ... */
  guint8 *has_out;      /* ... or it leads there */
  guint32 *child_first; /* (hulls + 1) */
  guint32 *children;    /* (entries but the root) by hull, then in the order of the part */
  guint32 *edge_first;  /* (hulls + 1) */
  guint32 *tails;       /* (edges of the outline) lifted, by hull: entries, then their numbers */
  guint32 *heads;
  guint32 *edges; /* (edges of the outline) which they are */
  guint n_wires;
  GHashTable *known; /* (element-type GBytes GobanLayout): parts by their inputs, borrowed */
  PartInput part;
  double *keys; /* (entries) of one hull at a time */
} Work;

void
goban_nest_free (GobanNest *self)
{
  for (guint h = 0; h < self->outline->n_hulls; h++)
    goban_layout_unref (self->parts[h]);
  g_free (self->parts);
  g_free (self->origins);
  g_free (self->number);
  g_free (self->wires);
  g_free (self->between);
  g_free (self->slots);
  goban_outline_unref (self->outline);
  g_free (self);
}

/* --- membership of parts -------------------------------------------------------------------- */

static void
measure_entries (Work *work)
{
  const GobanOutline *outline = work->outline;

  for (guint i = 0; i < outline->n_items; i++)
    {
      gboolean is_group = outline->items[i].group != GOBAN_NO_GROUP;
      /* Nodes among modules are as wide as those, for whole names and even columns. */
      double width = is_group || outline->items[i].hull == 0 ? GOBAN_GROUP_WIDTH : GOBAN_NODE_WIDTH;

      work->sizes[i]
          = (GobanSize){ (float) width, is_group ? GOBAN_GROUP_HEIGHT : GOBAN_NODE_HEIGHT };
      work->usual[i] = work->sizes[i];
      work->early[i] = outline->items[i].early;
    }
  for (guint h = 0; h < outline->n_hulls; h++)
    {
      work->usual[entry_of_hull (outline, h)]
          = (GobanSize){ GOBAN_GROUP_WIDTH, GOBAN_GROUP_HEIGHT };
      work->early[entry_of_hull (outline, h)] = outline->hulls[h].early;
    }
}

static void
sort_children (Work *work)
{
  const GobanOutline *outline = work->outline;
  guint n = outline->n_items + outline->n_hulls;
  g_autofree guint32 *next = g_new0 (guint32, outline->n_hulls);

  for (guint i = 0; i < n; i++)
    if (i != entry_of_hull (outline, 0))
      work->child_first[hull_around (outline, i) + 1]++;
  for (guint h = 0; h < outline->n_hulls; h++)
    {
      work->child_first[h + 1] += work->child_first[h];
      next[h] = work->child_first[h];
    }
  for (guint i = 0; i < n; i++)
    if (i != entry_of_hull (outline, 0))
      work->children[next[hull_around (outline, i)]++] = i;
}

/* The hull in which an edge parts from its hulls: @tail and @head become entries of it. */
static guint32
lift (Work *work, guint32 *tail, guint32 *head)
{
  const GobanOutline *outline = work->outline;
  guint32 a = hull_around (outline, *tail);
  guint32 b = hull_around (outline, *head);

  while (a != b)
    if (outline->hulls[a].depth >= outline->hulls[b].depth)
      {
        work->has_out[*tail] = TRUE;
        *tail = entry_of_hull (outline, a);
        a = outline->hulls[a].parent;
      }
    else
      {
        work->has_in[*head] = TRUE;
        *head = entry_of_hull (outline, b);
        b = outline->hulls[b].parent;
      }
  return a;
}

static void
sort_edges (Work *work)
{
  const GobanOutline *outline = work->outline;
  g_autofree guint32 *hulls = g_new (guint32, MAX (outline->n_edges, 1));
  g_autofree guint32 *next = g_new (guint32, outline->n_hulls);

  for (guint e = 0; e < outline->n_edges; e++)
    {
      guint32 tail = outline->edges[e].tail;
      guint32 head = outline->edges[e].head;

      hulls[e] = lift (work, &tail, &head);
      work->edge_first[hulls[e] + 1]++;
    }
  for (guint h = 0; h < outline->n_hulls; h++)
    {
      work->edge_first[h + 1] += work->edge_first[h];
      next[h] = work->edge_first[h];
    }
  for (guint e = 0; e < outline->n_edges; e++)
    {
      guint at = next[hulls[e]]++;

      work->edges[at] = e;
      work->tails[at] = outline->edges[e].tail;
      work->heads[at] = outline->edges[e].head;
      lift (work, &work->tails[at], &work->heads[at]);
    }
}

/* --- the order of a part -------------------------------------------------------------------- */

static void
push (guint32 *heap, guint *n, guint32 value)
{
  guint at = (*n)++;

  for (; at > 0 && heap[(at - 1) / 2] > value; at = (at - 1) / 2)
    heap[at] = heap[(at - 1) / 2];
  heap[at] = value;
}

static guint32
pop (guint32 *heap, guint *n)
{
  guint32 least = heap[0];
  guint32 last = heap[--*n];
  guint at = 0;

  for (guint child = 1; child < *n; child = 2 * at + 1)
    {
      if (child + 1 < *n && heap[child + 1] < heap[child])
        child++;
      if (last <= heap[child])
        break;
      heap[at] = heap[child];
      at = child;
    }
  heap[at] = last;
  return least;
}

typedef struct
{
  guint n;
  guint n_edges;
  guint32 *first; /* (n + 1) edges by tail */
  guint32 *out;   /* (n_edges) heads */
} Links;

static Links
link_numbers (const guint32 *tails, const guint32 *heads, guint n, guint n_edges)
{
  Links links = { n, n_edges, g_new0 (guint32, (gsize) n + 2), g_new (guint32, MAX (n_edges, 1)) };

  /* Counted one further, so that filling leaves the starts where they belong. */
  for (guint e = 0; e < n_edges; e++)
    links.first[tails[e] + 2]++;
  for (guint v = 0; v < n; v++)
    links.first[v + 2] += links.first[v + 1];
  for (guint e = 0; e < n_edges; e++)
    links.out[links.first[tails[e] + 1]++] = heads[e];
  return links;
}

/* Numbers in order of appearance: after all predecessors as far as that is possible. In a circle of
 * groups the first in the graph goes first. */
static void
order_numbers (const Links *links, guint32 *order)
{
  g_autofree guint32 *n_before = g_new0 (guint32, links->n);
  g_autofree guint32 *heap = g_new (guint32, links->n);
  guint n_ready = 0;
  guint n_done = 0;
  guint32 next = 0;

  for (guint i = 0; i < links->n_edges; i++)
    n_before[links->out[i]]++;
  for (guint v = 0; v < links->n; v++)
    if (n_before[v] == 0)
      push (heap, &n_ready, v);
  while (n_done < links->n)
    {
      guint32 v;

      if (n_ready > 0)
        v = pop (heap, &n_ready);
      else
        {
          while (n_before[next] == 0)
            next++;
          v = next;
        }
      order[n_done++] = v;
      n_before[v] = 0;
      for (guint i = links->first[v]; i < links->first[v + 1]; i++)
        if (n_before[links->out[i]] > 0 && --n_before[links->out[i]] == 0)
          push (heap, &n_ready, links->out[i]);
    }
}

/* Numbers the entries of a hull and puts them, and the ends of its edges, in that order. */
static void
number_part (Work *work, guint32 hull)
{
  guint32 *children = work->children + work->child_first[hull];
  guint n = work->child_first[hull + 1] - work->child_first[hull];
  guint32 *tails = work->tails + work->edge_first[hull];
  guint32 *heads = work->heads + work->edge_first[hull];
  guint n_edges = work->edge_first[hull + 1] - work->edge_first[hull];
  guint32 *number = work->nest->number;
  gboolean is_sorted = TRUE;

  for (guint i = 0; i < n; i++)
    work->keys[children[i]] = work->early[children[i]];
  goban_key_sort (children, work->keys, n);
  for (guint i = 0; i < n; i++)
    number[children[i]] = i;
  for (guint e = 0; e < n_edges; e++)
    {
      tails[e] = number[tails[e]];
      heads[e] = number[heads[e]];
      is_sorted = is_sorted && tails[e] < heads[e];
    }
  if (is_sorted)
    return;
  {
    Links links = link_numbers (tails, heads, n, n_edges);
    g_autofree guint32 *order = g_new (guint32, n);
    g_autofree guint32 *old = g_memdup2 (children, n * sizeof *children);
    g_autofree guint32 *fresh = g_new (guint32, n);

    order_numbers (&links, order);
    for (guint i = 0; i < n; i++)
      {
        children[i] = old[order[i]];
        number[children[i]] = i;
        fresh[order[i]] = i;
      }
    for (guint e = 0; e < n_edges; e++)
      {
        tails[e] = fresh[tails[e]];
        heads[e] = fresh[heads[e]];
      }
    g_free (links.first);
    g_free (links.out);
  }
}

/* --- parts ---------------------------------------------------------------------------------- */

/* Each pair once, from the lower number to the higher, and a wire for each direction of it; returns
 * how many pairs. */
static guint
merge_edges (Work *work, guint32 hull)
{
  const guint32 *children = work->children + work->child_first[hull];
  guint n = MAX (work->child_first[hull + 1] - work->child_first[hull], 1);
  guint32 *tails = work->tails + work->edge_first[hull];
  guint32 *heads = work->heads + work->edge_first[hull];
  const guint32 *edges = work->edges + work->edge_first[hull];
  guint n_edges = work->edge_first[hull + 1] - work->edge_first[hull];
  g_autofree double *keys = g_new (double, MAX (n_edges, 1));
  g_autofree guint32 *order = g_new (guint32, MAX (n_edges, 1));
  double last = -1;
  guint n_merged = 0;

  for (guint e = 0; e < n_edges; e++)
    {
      keys[e] = 2 * ((double) MIN (tails[e], heads[e]) * n + MAX (tails[e], heads[e]))
                + (tails[e] > heads[e]);
      order[e] = e;
    }
  goban_key_sort (order, keys, n_edges);
  for (guint i = 0; i < n_edges; i++)
    {
      double key = keys[order[i]];
      double pair = floor (key / 2);
      guint32 low = (guint32) (pair / n);
      guint32 high = (guint32) (pair - (double) low * n);

      if (key != last)
        {
          gboolean is_back = key > 2 * pair;

          work->nest->wires[work->n_wires++]
              = (Wire){ hull, children[is_back ? high : low], children[is_back ? low : high],
                        WIRE_BETWEEN, FALSE };
        }
      if (i == 0 || pair != floor (last / 2))
        {
          tails[n_merged] = low;
          heads[n_merged++] = high;
        }
      work->nest->between[edges[order[i]]] = work->n_wires - 1;
      last = key;
    }
  return n_merged;
}

/* Besides its entries a part has two ports, before the first row and after the last, where edges
 * come in and go out: so they are led around boxes as others are. Returns how many edges that
 * makes. */
static guint
add_ports (Work *work, guint32 hull, guint n_edges)
{
  const guint32 *children = work->children + work->child_first[hull];
  guint n = work->child_first[hull + 1] - work->child_first[hull];
  g_autofree guint8 *leads = g_malloc0 (n + 1);
  guint n_all = 0;

  for (guint e = 0; e < n_edges; e++)
    {
      work->part.tails[n_all] = work->tails[work->edge_first[hull] + e] + 1;
      work->part.heads[n_all++] = work->heads[work->edge_first[hull] + e] + 1;
      leads[work->tails[work->edge_first[hull] + e]] = TRUE;
    }
  for (guint i = 0; i < n; i++)
    {
      if (work->has_in[children[i]])
        {
          work->part.tails[n_all] = 0;
          work->part.heads[n_all++] = i + 1;
        }
      /* A box without successors keeps the lower port below it. */
      if (work->has_out[children[i]] || !leads[i])
        {
          work->part.tails[n_all] = i + 1;
          work->part.heads[n_all++] = n + 1;
        }
    }
  return n_all;
}

static GBytes *
key_of (const GobanLayoutInput *input)
{
  gsize n_nodes = input->n_nodes, n_edges = input->n_edges;
  GByteArray *key = g_byte_array_new ();

  g_byte_array_append (key, (const guint8 *) &input->n_nodes, sizeof input->n_nodes);
  g_byte_array_append (key, (const guint8 *) input->tails,
                       (guint) (n_edges * sizeof *input->tails));
  g_byte_array_append (key, (const guint8 *) input->heads,
                       (guint) (n_edges * sizeof *input->heads));
  g_byte_array_append (key, (const guint8 *) input->sizes,
                       (guint) (n_nodes * sizeof *input->sizes));
  g_byte_array_append (key, (const guint8 *) input->usual,
                       (guint) (n_nodes * sizeof *input->usual));
  return g_byte_array_free_to_bytes (key);
}

/* Layers repeat: what was laid out before from the same input is shared. (transfer full) */
static GobanLayout *
lay_out_part (Work *work, const GobanLayoutInput *input, const GobanLayoutOptions *options,
              GError **error)
{
  g_autoptr (GBytes) key = key_of (input);
  GobanLayout *part = g_hash_table_lookup (work->known, key);

  if (part != NULL)
    return goban_layout_ref (part);
  part = goban_layout_new_from_edges (input, options, error);
  if (part != NULL)
    g_hash_table_insert (work->known, g_steal_pointer (&key), part);
  return part;
}

static gboolean
make_part (Work *work, guint32 hull, GError **error)
{
  const GobanProgress *progress = work->options != NULL ? work->options->progress : NULL;
  const guint32 *children = work->children + work->child_first[hull];
  guint n = work->child_first[hull + 1] - work->child_first[hull];
  guint n_before = hull > 0; /* the upper port */
  GobanLayoutInput input = { n + 2 * n_before,
                             0,
                             work->tails + work->edge_first[hull],
                             work->heads + work->edge_first[hull],
                             .sizes = work->part.sizes,
                             .usual = work->part.usual };
  GobanLayoutOptions options = { .progress = n >= LARGE ? progress : NULL };
  GobanSize *size = &work->sizes[entry_of_hull (work->outline, hull)];
  GobanLayout *part;

  if (!goban_progress_check (progress, error))
    return FALSE;
  number_part (work, hull);
  input.n_edges = merge_edges (work, hull);
  if (hull > 0)
    {
      input.n_edges = add_ports (work, hull, input.n_edges);
      input.tails = work->part.tails;
      input.heads = work->part.heads;
      work->part.sizes[0] = work->part.sizes[n + 1] = (GobanSize){ PORT_WIDTH, 0 };
      work->part.usual[0] = work->part.usual[n + 1] = (GobanSize){ PORT_WIDTH, 0 };
    }
  else if (work->options != NULL)
    {
      options.kind = work->options->kind;
      options.room = work->options->room;
    }
  for (guint i = 0; i < n; i++)
    {
      work->part.sizes[i + n_before] = work->sizes[children[i]];
      work->part.usual[i + n_before] = work->usual[children[i]];
      work->nest->number[children[i]] += n_before;
    }
  part = hull > 0 ? lay_out_part (work, &input, &options, error)
                  : goban_layout_new_from_edges (&input, &options, error);
  if (part == NULL)
    return FALSE;
  work->nest->parts[hull] = part;
  size->width = (float) MAX (part->bounds.x1 - part->bounds.x0 + 2 * PAD, LEAST_WIDTH);
  size->height = (float) (part->bounds.y1 - part->bounds.y0 + GOBAN_HEAD_HEIGHT + 2 * PORT_PAD);
  return TRUE;
}

/* --- places --------------------------------------------------------------------------------- */

/* From the outermost hull inwards. */
static void
place_all (GobanLayout *self, const Work *work)
{
  const GobanOutline *outline = work->outline;
  GobanNest *nest = self->nest;

  self->hulls[0] = nest->parts[0]->bounds;
  for (guint h = 0; h < outline->n_hulls; h++)
    {
      const GobanLayout *part = nest->parts[h];

      if (h > 0)
        {
          guint32 parent = outline->hulls[h].parent;
          guint32 entry = entry_of_hull (outline, h);
          GobanBox box = goban_layout_node_box (nest->parts[parent], nest->number[entry]);
          GobanPoint at = nest->origins[parent];
          double spare = box.x1 - box.x0 - (part->bounds.x1 - part->bounds.x0);

          self->hulls[h] = (GobanBox){ box.x0 + at.x, box.y0 + at.y, box.x1 + at.x, box.y1 + at.y };
          nest->origins[h]
              = (GobanPoint){ self->hulls[h].x0 + spare / 2 - part->bounds.x0,
                              self->hulls[h].y0 + GOBAN_HEAD_HEIGHT + PORT_PAD - part->bounds.y0 };
        }
      for (guint i = work->child_first[h]; i < work->child_first[h + 1]; i++)
        if (work->children[i] < outline->n_items)
          {
            guint32 item = work->children[i];

            self->x[item] = (float) ((double) part->x[nest->number[item]] + nest->origins[h].x);
            self->y[item] = (float) ((double) part->y[nest->number[item]] + nest->origins[h].y);
          }
    }
}

static GobanLayout *
finish (Work *work)
{
  const GobanOutline *outline = work->outline;
  GobanLayout *self = g_new0 (GobanLayout, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->arrays = goban_arrays_new ();
  self->nest = g_steal_pointer (&work->nest);
  self->kind = self->nest->parts[0]->kind;
  self->n_nodes = outline->n_items;
  self->n_edges = outline->n_edges;
  self->n_hulls = outline->n_hulls;
  self->hulls = goban_own (self, GobanBox, outline->n_hulls);
  self->x = goban_own (self, float, self->n_nodes);
  self->y = goban_own (self, float, self->n_nodes);
  self->sizes = goban_own (self, GobanSize, self->n_nodes);
  memcpy (self->sizes, work->sizes, self->n_nodes * sizeof *self->sizes);
  self->largest = (GobanSize){ GOBAN_GROUP_WIDTH, GOBAN_GROUP_HEIGHT };
  place_all (self, work);
  self->bounds = self->hulls[0];
  /* The cards behind closed groups. */
  self->bounds.x1 += STACK;
  self->bounds.y1 += STACK;
  self->n_wires = work->n_wires;
  make_slots (self);
  fill_boxes (self);
  return self;
}

static void
start (Work *work)
{
  GobanOutline *outline = work->outline;
  guint n = outline->n_items + outline->n_hulls;

  work->arrays = goban_arrays_new ();
  work->nest = g_new0 (GobanNest, 1);
  work->nest->outline = goban_outline_ref (outline);
  work->nest->parts = g_new0 (GobanLayout *, outline->n_hulls);
  work->nest->origins = g_new0 (GobanPoint, outline->n_hulls);
  work->nest->number = g_new0 (guint32, n);
  work->sizes = goban_own (work, GobanSize, n);
  work->usual = goban_own (work, GobanSize, n);
  work->early = goban_own (work, guint32, n);
  work->has_in = goban_own (work, guint8, n);
  work->has_out = goban_own (work, guint8, n);
  work->child_first = goban_own (work, guint32, (gsize) outline->n_hulls + 1);
  work->children = goban_own (work, guint32, n);
  work->edge_first = goban_own (work, guint32, (gsize) outline->n_hulls + 1);
  work->tails = goban_own (work, guint32, MAX (outline->n_edges, 1));
  work->heads = goban_own (work, guint32, MAX (outline->n_edges, 1));
  work->edges = goban_own (work, guint32, MAX (outline->n_edges, 1));
  work->nest->between = g_new (guint32, MAX (outline->n_edges, 1));
  work->nest->wires = g_new (Wire, MAX (outline->n_edges, 1));
  work->known
      = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
  work->keys = goban_own (work, double, n);
  work->part.sizes = goban_own (work, GobanSize, n + 2);
  work->part.usual = goban_own (work, GobanSize, n + 2);
  work->part.tails = goban_own (work, guint32, outline->n_edges + 2 * (gsize) n);
  work->part.heads = goban_own (work, guint32, outline->n_edges + 2 * (gsize) n);
  measure_entries (work);
  sort_children (work);
  sort_edges (work);
}

/* Without groups: the layout of a plain graph. */
static GobanLayout *
lay_out_plain (const GobanOutline *outline, const GobanLayoutOptions *options, GError **error)
{
  g_autofree guint32 *tails = g_new (guint32, MAX (outline->n_edges, 1));
  g_autofree guint32 *heads = g_new (guint32, MAX (outline->n_edges, 1));
  GobanLayoutInput input = { outline->n_items, outline->n_edges, tails, heads, NULL, NULL };

  for (guint e = 0; e < outline->n_edges; e++)
    {
      tails[e] = outline->edges[e].tail;
      heads[e] = outline->edges[e].head;
    }
  return goban_layout_new_from_edges (&input, options, error);
}

GobanLayout *
goban_layout_new_for_outline (GobanOutline *outline, const GobanLayoutOptions *options,
                              GError **error)
{
  Work work = { .outline = outline, .options = options };
  GobanLayout *self = NULL;
  gboolean is_done = TRUE;

  if (outline->hierarchy == NULL)
    return lay_out_plain (outline, options, error);
  start (&work);
  for (guint32 h = outline->n_hulls; h-- > 0 && is_done;)
    is_done = make_part (&work, h, error);
  if (is_done)
    self = finish (&work);
  g_clear_pointer (&work.nest, goban_nest_free);
  g_hash_table_unref (work.known);
  g_ptr_array_unref (work.arrays);
  return self;
}
