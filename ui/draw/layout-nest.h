/* layout-nest.h: nested layout of open groups: entries, hulls and wires. Private to graph-layout.
 *
 * Entries are items, then hulls. Each hull has a layout of its entries, its part. Edges are made of
 * wires: one between two entries of a hull, and from there on one from each entry on the way to the
 * border of the hull around it, up to the items at both ends. Edges share wires: all edges from one
 * open group to another are one line there.
 */
#pragma once

#include "ui/draw/layout-work.h"

G_BEGIN_DECLS

/* Where a wire goes. */
typedef enum
{
  WIRE_OUT_BELOW, /* from an entry to the border around it, out of what is done first ... */
  WIRE_OUT_ABOVE, /* ... or, against the order, last */
  WIRE_IN_ABOVE,  /* from the border around an entry to it */
  WIRE_IN_BELOW,
  N_WIRE_SLOTS,
  WIRE_BETWEEN = N_WIRE_SLOTS, /* from an entry to another of the same hull */
} WireKind;

typedef struct
{
  guint32 hull; /* that it is in */
  guint32 from; /* entries; of those to a border, the same */
  guint32 to;
  guint8 kind;
  guint8 is_long;
} Wire;

struct _GobanNest
{
  GobanOutline *outline;
  GobanLayout **parts; /* (hulls) */
  GobanPoint *origins; /* (hulls) where the zero of each part is */
  guint32 *number;     /* (entries) within the part of the hull around it */
  Wire *wires;         /* (n_wires of the layout) */
  guint32 *between;    /* (edges) the wire of the hull where the ends part */
  guint32 *slots;      /* (entries x N_WIRE_SLOTS) wires to borders, or GOBAN_NO_ITEM */
};

static inline guint32
entry_of_hull (const GobanOutline *outline, guint32 hull)
{
  return outline->n_items + hull;
}

static inline guint32
hull_around (const GobanOutline *outline, guint32 entry)
{
  return entry < outline->n_items ? outline->items[entry].hull
                                  : outline->hulls[entry - outline->n_items].parent;
}

/* Makes the wires to borders, once those between are there. */
void goban_nest_make_slots (GobanLayout *self);
/* Boxes of all wires; of edges, the hulls they stay in. */
void goban_nest_fill_boxes (GobanLayout *self);

G_END_DECLS
