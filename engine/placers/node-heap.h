/* node-heap.h: binary heap of waiting nodes, the next one on top.
 *
 * A plain binary heap of values: by key, the least first; among equals by level, the largest
 * first; among these by id. Whoever holds it may read the entries as an array, of which the
 * first is the top and the next few are among the next.
 */
#pragma once

#include "engine/graph/graph.h"

typedef struct
{
  double key;
  double level;
  GobanNodeId node;
} GobanWaiting;

/* Zero-initialised it is empty. */
typedef struct
{
  GobanWaiting *entries; /* (n) owned */
  guint n;
  guint n_allocated;
} GobanNodeHeap;

void goban_node_heap_clear (GobanNodeHeap *self);
void goban_node_heap_push (GobanNodeHeap *self, GobanWaiting entry);
/* The heap must not be empty. */
GobanWaiting goban_node_heap_pop (GobanNodeHeap *self);

/* Whether @a is before @b. */
gboolean goban_waiting_is_before (const GobanWaiting *a, const GobanWaiting *b);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanNodeHeap, goban_node_heap_clear)
