/* pass-parts.h: the passes of a pipeline that the nodes and tensors of a training graph belong to.
 *
 * Private to engine/machine/parallel. A gradient of weights is a tensor that only updates read, or
 * nodes that add such tensors up. A backward node that makes both it and others is cut in two
 * halves.
 */
#pragma once

#include "engine/graph/graph.h"

/* Bits: a node that is cut belongs to INPUT and WEIGHT. */
typedef enum
{
  GOBAN_PART_SHARED = 1 << 0, /* variables and what depends on them alone: once for all batches */
  GOBAN_PART_FORWARD = 1 << 1,
  GOBAN_PART_INPUT = 1 << 2, /* a backward node that is not a gradient of weights */
  GOBAN_PART_WEIGHT = 1 << 3,
  GOBAN_PART_ONCE = 1 << 4, /* updates: once, after all batches */
} GobanPart;

#define GOBAN_PART_HALVES (GOBAN_PART_INPUT | GOBAN_PART_WEIGHT)

typedef struct
{
  guint8 *of_node;   /* (n_nodes) of GobanPart */
  guint8 *of_tensor; /* (n_tensors) the part of the producer that makes it */
} GobanParts;

/* @cuts: whether backward nodes are cut in two; else they are INPUT as a whole. */
void goban_parts_init (GobanParts *self, const GobanGraph *graph, gboolean cuts);
/* Makes updates INPUT, too, for schedules that update after each micro-batch. */
void goban_parts_join_updates (GobanParts *self, const GobanGraph *graph);
void goban_parts_clear (GobanParts *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanParts, goban_parts_clear)
