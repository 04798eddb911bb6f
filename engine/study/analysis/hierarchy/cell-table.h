/* cell-table.h: rows of nodes by parameter and use, for scripts (engine/graph/cells.h). */
#pragma once

#include "engine/machine/cluster/cost-model.h"

typedef struct
{
  char *parameter; /* its name; "conv1 +3" of four parameters, of which conv1 is the first */
  guint n_params;
  guint32 use;        /* from 0: which use, or which slot of uses */
  guint n_uses;       /* rows of the same parameters */
  guint n_nodes;      /* never 0 */
  GobanNodeId *nodes; /* ascending */
} GobanCellTableRow;

typedef struct
{
  guint n_rows;
  /* by parameter in the order of first uses, then by use; every node is in one */
  GobanCellTableRow *rows;
} GobanCellTable;

/**
 * goban_cell_table_new:
 * @costs: of the graph; mean times say which parameters merge first
 * @n_groups: so many groups of parameters at most; 0: each parameter has its own
 * @n_slots: use k of n goes to slot k * n_slots / n; 0: each use has its own
 *
 * Returns: (transfer full) (nullable): %NULL if no op of the graph uses a parameter
 */
GobanCellTable *goban_cell_table_new (const GobanCostModel *costs, guint n_groups,
                                      guint n_slots) G_GNUC_WARN_UNUSED_RESULT;
void goban_cell_table_free (GobanCellTable *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanCellTable, goban_cell_table_free)
