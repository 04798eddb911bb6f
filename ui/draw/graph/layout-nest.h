/* layout-nest.h: nested layout of open groups: entries, hulls and wires. Private to graph-layout.
 *
 * Entries are items, then hulls. Each hull has a layout of its entries, its part. Edges are made of
 * wires: one between two entries of a hull, and from there on one from each entry on the way to the
 * border of the hull around it, up to the items at both ends. Edges share wires: all edges from one
 * open group to another are one line there.
 *
 * Decision U12 (ui/NOTES.md).
 */
#pragma once

#include "ui/draw/graph/layout-work.h"

G_BEGIN_DECLS

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

/* Makes the wires to borders, after the wires between entries. */
void goban_nest_make_slots (GobanLayout *self);
/* Fills the boxes of all wires; an edge's box is the hull that contains it. */
void goban_nest_fill_boxes (GobanLayout *self);

G_END_DECLS
