/* graph-layout.h: layout of an outline: positions of nodes, closed groups and open groups in the
 * plane.
 *
 * Layered: producers above consumers, a row per rank, few crossings. Wrapped: the same
 * rows cut into columns and set side by side like newspaper text, for graphs that are
 * much longer than wide. An open group is laid out by itself, and is a box in the layout of what is
 * around it. Lanes: x is when an op starts in a run, y its device. Immutable and reference-counted;
 * made in any thread; the same outline and options give the same bytes.
 *
 * One layout per outline: edits, playback and comparison never move an item; opening a group makes
 * room and changes neither the order of rows nor that of boxes in a row.
 *
 * Decision U2 (ui/NOTES.md).
 */
#pragma once

#include "engine/core/progress.h"
#include "engine/graph/graph.h"
#include "ui/draw/camera.h"
#include "ui/draw/graph/outline.h"

/* Every node is a box of this size, in world units: pixels at scale 1. */
#define GOBAN_NODE_WIDTH 144.0
#define GOBAN_NODE_HEIGHT 40.0
/* Size of a closed group, and of the header of an open one, which shows its name. */
#define GOBAN_GROUP_WIDTH 184.0
#define GOBAN_GROUP_HEIGHT 66.0
#define GOBAN_HEAD_HEIGHT 34.0

/* Room for a layout if none is said, in pixels: the graph pane of a window of 1280x800. */
#define GOBAN_USUAL_WIDTH 758.0f
#define GOBAN_USUAL_HEIGHT 472.0f

/* Maximum number of points of goban_layout_route(). */
#define GOBAN_MAX_ROUTE 384

typedef enum
{
  GOBAN_LAYOUT_AUTO, /* layered, or wrapped if that is much larger when it fits into the room */
  GOBAN_LAYOUT_LAYERED,
  GOBAN_LAYOUT_WRAPPED,
  GOBAN_LAYOUT_LANES, /* only made by goban_layout_new_lanes() and goban_layout_blend() */
} GobanLayoutKind;

typedef struct
{
  float width;
  float height;
} GobanSize;

typedef struct
{
  GobanLayoutKind kind;
  /* in pixels, for the whole at a scale of at most 1: columns are chosen to fill it; 0: usual */
  GobanSize room;
  const GobanProgress *progress; /* (nullable) */
} GobanLayoutOptions;

/* The edges of a graph as flat arrays, each from a lower id to a higher one. */
typedef struct
{
  guint n_nodes;
  guint n_edges;
  const guint32 *tails;   /* (n_edges) */
  const guint32 *heads;   /* (n_edges) */
  const GobanSize *sizes; /* (n_nodes) (nullable): all are nodes */
  /* (n_nodes) with sizes: the sizes when all groups are closed. Rows and columns are cut by these,
   * so that a growing box does not move others to another row or column */
  const GobanSize *usual;
} GobanLayoutInput;

typedef struct _GobanNest GobanNest;

/* Rows of a layered or wrapped layout from top to bottom, numbered through all columns. */
typedef struct
{
  guint n;
  guint n_columns;
  guint32 *of_node;  /* (nodes) NULL without rows */
  float *y;          /* (n) middles */
  float *height;     /* (n) */
  guint16 *column;   /* (n) */
  GobanBox *columns; /* (n_columns) */
} GobanLayoutRows;

/* Longer side of the box of a line that passes by several boxes. */
#define GOBAN_DISTANT 400.0f

/* The longer side of a box of x0 y0 x1 y1. */
static inline float
goban_box_length (const float *box)
{
  return MAX (box[2] - box[0], box[3] - box[1]);
}

/* Routes of the edges. */
typedef struct
{
  float *boxes;         /* (edges x 4) x0 y0 x1 y1 of an edge's route */
  double length;        /* sum over all boxes of their longer sides; 0 if wires are drawn */
  guint n_distant;      /* edges, or wires if these are drawn, of at least GOBAN_DISTANT */
  guint8 *is_long;      /* (edges) too long to be routed around boxes: straight, drawn fainter */
  guint cutoff;         /* edges that span more rows are drawn straight */
  guint32 *chain_first; /* (nodes + 1) into chain_x: a node's short edges share a trunk ... */
  float *chain_x;       /* ... that passes the rows below it, one point a row */
} GobanLayoutRoutes;

/* Read-only for all but the layout itself. */
typedef struct
{
  gatomicrefcount ref_count;
  GPtrArray *arrays;    /* all of those below */
  GobanLayoutKind kind; /* never AUTO */
  guint n_nodes;
  guint n_edges;
  GobanBox bounds;   /* of all boxes and routes */
  float *x;          /* (n_nodes) centres of boxes */
  float *y;          /* (n_nodes) */
  GobanSize *sizes;  /* (n_nodes), NULL: all are nodes */
  GobanSize largest; /* of all boxes */
  GobanLayoutRows rows;
  GobanLayoutRoutes routes;
  guint n_wires;     /* the lines of edges between open groups */
  float *wire_boxes; /* (n_wires x 4) */
  guint n_hulls;     /* of an outline with groups, else 0; hull 0 is the whole graph */
  GobanBox *hulls;   /* (n_hulls) NULL in lanes */
  guint n_lanes;     /* devices, in lanes */
  GobanBox *lanes;   /* (n_lanes) */
  GobanNest *nest;   /* (nullable): the nesting; rows, chains and cutoff belong to its parts */
} GobanLayout;

/**
 * goban_layout_new_from_edges:
 * @options: (nullable)
 *
 * O((N + E) log N); 80,000 nodes take about a tenth of a second.
 *
 * Returns: (transfer full) (nullable): a layout, or %NULL with %GOBAN_ERROR_CANCELLED set
 */
GobanLayout *goban_layout_new_from_edges (const GobanLayoutInput *input,
                                          const GobanLayoutOptions *options,
                                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The same for an outline: nodes are its items, edges its edges. */
GobanLayout *goban_layout_new_for_outline (GobanOutline *outline, const GobanLayoutOptions *options,
                                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Start times and devices of the nodes of a graph. */
typedef struct
{
  const double *start_us;         /* (nodes) */
  const GobanDeviceId *device_of; /* (nodes) */
  double end_us;
  guint n_devices;
} GobanLanesInput;

/* A group starts at the mean of its nodes, on the device of most of them. Items are in rows within
 * their lane and do not overlap, unless thousands start at once. (transfer full) */
GobanLayout *goban_layout_new_lanes (const GobanOutline *outline,
                                     const GobanLanesInput *input) G_GNUC_WARN_UNUSED_RESULT;

/* Interpolates between two layouts of one outline: @a at 0, @b at 1. Edges are straight lines.
 * (transfer full) */
GobanLayout *goban_layout_blend (const GobanLayout *a, const GobanLayout *b,
                                 const GobanOutline *outline, double t) G_GNUC_WARN_UNUSED_RESULT;

GobanLayout *goban_layout_ref (GobanLayout *self);
void goban_layout_unref (GobanLayout *self);

GobanBox goban_layout_node_box (const GobanLayout *self, GobanNodeId node);

/* The points an edge passes, from the bottom of @tail to the top of @head: 2 or more. It passes a
 * row between two points of equal x; detours between columns are horizontal and vertical; all other
 * pieces run downwards from row to row and are best drawn as curves that begin and end upright.
 * Borders of groups are passed at their middles. Against the order of the groups, for those need
 * not be acyclic, it goes upwards, from the top of @tail to the bottom of @head; in lanes, straight
 * from middle to middle. Writes at most GOBAN_MAX_ROUTE points and returns their number. */
guint goban_layout_route (const GobanLayout *self, guint edge, GobanNodeId tail, GobanNodeId head,
                          GobanPoint *points);

/* Calls @func for the wires of an edge. With open groups, edges share wires: a piece between two
 * boxes of a group, and from each box on the way to the border of the group around it. All edges
 * from one open group to another are one wire there. */
typedef void (*GobanWireFunc) (guint wire, gpointer data);

void goban_layout_each_wire (const GobanLayout *self, guint edge, GobanWireFunc found,
                             gpointer data);
/* As goban_layout_route(). */
guint goban_layout_route_wire (const GobanLayout *self, guint wire, GobanPoint *points);
gboolean goban_layout_wire_is_long (const GobanLayout *self, guint wire);
/* The item at the end of a wire; GOBAN_NO_ITEM if it ends at a border or another group. */
guint32 goban_layout_wire_end (const GobanLayout *self, guint wire);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanLayout, goban_layout_unref)
