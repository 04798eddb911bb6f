/* drawing.h: small graphs that are drawn by hand: ops with one time and one output, and edges.
 *
 * Graphs are immutable: each change makes a new one.
 */
#pragma once

#include "engine/graph/graph.h"

#define GOBAN_DRAWING_MOST_NODES 200

typedef enum
{
  GOBAN_DRAW_ADD,        /* an op that reads nothing yet */
  GOBAN_DRAW_SET,        /* op, time and bytes of @node */
  GOBAN_DRAW_REMOVE,     /* @node with its edges */
  GOBAN_DRAW_CONNECT,    /* @to reads what @node makes */
  GOBAN_DRAW_DISCONNECT, /* not any more */
} GobanDrawKind;

typedef struct
{
  GobanDrawKind kind;
  GobanNodeId node;
  GobanNodeId to;
  const char *name; /* of an added op; taken names get a suffix */
  const char *op;
  double time_us; /* on any device */
  double bytes;   /* of its output */
} GobanDrawChange;

/* Whether the graph is one of our own JSON, as which drawings are saved, and has nothing that
 * changes would lose: at most one output an op, times of any device alone, and no more than
 * GOBAN_DRAWING_MOST_NODES nodes. */
gboolean goban_drawing_is (const GobanGraph *graph);

/* (transfer full) (nullable): %NULL with %GOBAN_ERROR_INVALID_GRAPH set for a cycle, the last op
 * or too many of them. */
GobanGraph *goban_drawing_change (const GobanGraph *graph, const GobanDrawChange *change,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A Lua expression of the open graph g that makes the same change. (transfer full) */
char *goban_drawing_dup_code (const GobanGraph *graph,
                              const GobanDrawChange *change) G_GNUC_WARN_UNUSED_RESULT;
