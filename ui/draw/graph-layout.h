/* graph-layout.h: where the nodes of a graph are in the plane.
 *
 * Layered: producers above consumers, a row per rank, few crossings. Wrapped: the same
 * rows cut into columns and set side by side like newspaper text, for graphs that are
 * much longer than wide. Immutable and reference-counted; made in any thread; the same
 * graph and options give the same bytes.
 *
 * One layout per graph: edits, playback and comparison never move a node.
 */
#pragma once

#include "engine/base/progress.h"
#include "engine/graph/graph.h"
#include "ui/draw/camera.h"

G_BEGIN_DECLS

/* Every node is a box of this size, in world units: pixels at scale 1. */
#define GOBAN_NODE_WIDTH 144.0
#define GOBAN_NODE_HEIGHT 40.0

/* Most points goban_layout_route() writes. */
#define GOBAN_MAX_ROUTE 320

typedef enum
{
  GOBAN_LAYOUT_AUTO, /* wrapped where layered would be a sliver */
  GOBAN_LAYOUT_LAYERED,
  GOBAN_LAYOUT_WRAPPED,
} GobanLayoutKind;

typedef struct
{
  GobanLayoutKind kind;
  double aspect;                 /* width / height to aim at when wrapping; 0: 1.6 */
  const GobanProgress *progress; /* (nullable) */
} GobanLayoutOptions;

/* The edges of a graph as flat arrays, each from a lower id to a higher one. */
typedef struct
{
  guint n_nodes;
  guint n_edges;
  const guint32 *tails; /* (n_edges) */
  const guint32 *heads; /* (n_edges) */
} GobanLayoutInput;

/* To be read, never written, by anyone but the layout itself. */
typedef struct
{
  gatomicrefcount ref_count;
  GobanLayoutKind kind; /* LAYERED or WRAPPED */
  guint n_nodes;
  guint n_edges;
  guint n_rows;
  guint n_columns;
  GobanBox bounds;       /* of all boxes and routes */
  float *x;              /* (n_nodes) middles of boxes */
  float *y;              /* (n_nodes) */
  guint32 *row;          /* (n_nodes) from the top, numbered through all columns */
  float *edge_boxes;     /* (n_edges x 4) x0 y0 x1 y1 of an edge's route */
  float *row_y;          /* (n_rows) */
  guint16 *row_column;   /* (n_rows) */
  guint32 *chain_first;  /* (n_nodes + 1) into chain_x: a node's short edges share a trunk ... */
  float *chain_x;        /* ... that passes the rows below it, one point a row */
  GobanBox *column_area; /* (n_columns) */
  guint cutoff;          /* edges that span more rows are drawn straight */
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

/* The same for a graph; edges keep their ids. */
GobanLayout *goban_layout_new (const GobanGraph *graph, const GobanLayoutOptions *options,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

GobanLayout *goban_layout_ref (GobanLayout *self);
void goban_layout_unref (GobanLayout *self);

GobanBox goban_layout_node_box (const GobanLayout *self, GobanNodeId node);

/* TRUE for an edge too long to be led around nodes: draw it fainter. */
gboolean goban_layout_is_long (const GobanLayout *self, GobanNodeId tail, GobanNodeId head);

/* The points an edge passes, from the bottom of @tail to the top of @head: 2 or more. It passes a
 * row between two points of equal x; detours between columns are horizontal and vertical;
 * all other pieces run downwards from row to row and are best drawn as curves that begin
 * and end upright. Writes at most GOBAN_MAX_ROUTE points and returns their number. */
guint goban_layout_route (const GobanLayout *self, GobanNodeId tail, GobanNodeId head,
                          GobanPoint *points);

/* A line a node, "id column row x y", for golden files; (transfer full). */
char *goban_layout_dump (const GobanLayout *self) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanLayout, goban_layout_unref)

G_END_DECLS
