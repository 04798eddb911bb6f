/* cells-private.h: steps of cells.c that have source files of their own. */
#pragma once

#include "engine/graph/cells.h"

G_BEGIN_DECLS

#define CELLS_NONE G_MAXUINT32

/* One forward node that works with a parameter. */
typedef struct
{
  GobanNodeId param;
  GobanNodeId node;
  double place; /* between sources and sinks */
} CellUse;

/* Result of cell-uses.c. */
typedef struct
{
  /* of CellUse, sorted by parameter, op word and place; only of parameters that count */
  GArray *uses;
  guint32 *carried; /* (n_nodes) the variable that a node passes on, or is; else CELLS_NONE */
  /* (n_nodes) of a parameter: the first node that works with it, or GOBAN_NO_NODE */
  GobanNodeId *first;
  guint8 *is_variable; /* (n_nodes) */
} CellUses;

void cell_uses_find (CellUses *self, const GobanGraph *graph);
void cell_uses_clear (CellUses *self);

/* cell_of (n_nodes): on entry CELLS_NONE for all nodes but uses; on return a cell below @n_cells
 * for every node. */
void cells_spread (const GobanGraph *graph, const CellUses *uses, guint32 *cell_of, guint n_cells);

/* Merges parts (n_nodes) of the graph, least work first, with the part that they exchange most
 * bytes with, and writes joins (n_parts - 1). Parts without traffic merge with the next least. */
void cells_merge (const GobanGraph *graph, const guint32 *parts, guint n_parts, const double *work,
                  GobanCellJoin *joins);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CellUses, cell_uses_clear)

G_END_DECLS
