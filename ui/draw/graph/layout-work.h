/* layout-work.h: working data shared by the steps of a layout. Private to graph-layout.
 *
 * Items are the nodes, then the dummies: points where a short edge passes a row. A node's dummies
 * are consecutive, one for each row below it, and shared by its edges. Links join items of adjacent
 * rows.
 */
#pragma once

#include "ui/draw/graph/graph-layout.h"

/* Edges that span more rows have no dummies. */
#define GOBAN_LONG_SPAN 48

typedef struct
{
  GPtrArray *arrays; /* those below but row_of and chain_first */
  const GobanLayoutInput *input;
  const GobanProgress *progress;
  guint n_rows;
  guint cutoff;
  guint n_items;
  guint32 *row_of;      /* (n_items) */
  guint32 *chain_first; /* (n_nodes + 1) item numbers minus n_nodes; taken by the layout */
  guint32 *row_first;   /* (n_rows + 1) into items */
  guint32 *items;       /* (n_items) row by row, from left to right */
  guint32 *place;       /* (n_items) position of an item in its row */
  guint n_links;
  guint32 *down_first; /* (n_items + 1) */
  guint32 *down;       /* (n_links) */
  guint32 *up_first;   /* (n_items + 1) */
  guint32 *up;         /* (n_links) */
  double *x;           /* (n_items) */
} LayoutWork;

/* Room between boxes. */
#define GOBAN_GAP_X 28.0
#define GOBAN_GAP_Y 44.0

/* Width of a passing edge in a row: narrower among groups, whose few boxes should be large. */
static inline double
goban_layout_trunk_room (const GobanLayoutInput *input)
{
  return input->sizes != NULL ? 11 : 26;
}

static inline GobanSize
goban_layout_size (const GobanLayoutInput *input, guint node)
{
  return input->sizes != NULL ? input->sizes[node]
                              : (GobanSize){ GOBAN_NODE_WIDTH, GOBAN_NODE_HEIGHT };
}

/* goban_layout_route() of a layout without nesting: from row to row along the trunk of @tail. */
guint goban_layout_route_rows (const GobanLayout *self, guint32 tail, guint32 head,
                               GobanPoint *points);
void goban_nest_free (GobanNest *self);
guint goban_nest_route (const GobanLayout *self, guint edge, GobanPoint *points);

/* Assigns a row to every node and an x to every item, with few crossings. FALSE with @error set
 * when cancelled. */
gboolean goban_layout_make_rows (LayoutWork *work, GError **error);
/* To be called when all edges have boxes. */
void goban_layout_measure_edges (GobanLayout *self);
