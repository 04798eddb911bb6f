/* unit-graph.h: weighted graph of the units that exchange tensors.
 *
 * Undirected and symmetric, without loops. The weight of an edge is the mean transfer time in
 * microseconds of the tensors between its two units, if they were on different devices; a tensor
 * that several nodes of a unit read counts once. Rows are sorted by descending weight, ties by
 * unit. Read-only once made.
 */
#pragma once

#include "engine/placers/units.h"

typedef struct
{
  guint32 unit;
  float weight_us;
} GobanUnitLink;

typedef struct
{
  guint n_units;
  guint32 *offsets;     /* (n_units + 1) into links */
  GobanUnitLink *links; /* those of unit u are at offsets[u] .. offsets[u + 1] - 1 */
} GobanUnitGraph;

/* O(N + E log E). */
GobanUnitGraph *goban_unit_graph_new (const GobanUnits *units) G_GNUC_WARN_UNUSED_RESULT;
void goban_unit_graph_free (GobanUnitGraph *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanUnitGraph, goban_unit_graph_free)
