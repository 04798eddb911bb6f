/* cells.h: cells: the parameter that every node works for, and the index of the use of that
 * parameter.
 *
 * Unrolled networks use the same parameter again and again: once a time step, once a segment. A
 * cell is (parameter w, use k). Whole layers are the cells of a parameter, whole steps are the k-th
 * cells of all parameters. Nothing is read from names; op words are only compared with each other.
 *
 * Which uses there are:
 * - A node with parameters is a variable if it has no inputs and no work, else an op that holds its
 *   own weights and is their only use.
 * - A node whose inputs all come from one variable (but for sources of at most 64 bytes: axes,
 *   factors) carries that parameter on, as reads, casts and transposes do. If its output is much
 *   smaller than the parameter it carries it no further: an L2 loss is not a use.
 * - Any other forward node that reads a carried parameter is a use. If it reads several, it is a
 *   use of the largest: a bias in the same op has no cells of its own.
 * - Parameters count if one of their uses multiplies matrices, or if they belong to the largest
 *   that make up 98 % of all bytes. The others (biases, scales) go with their first use.
 * - Uses by different ops are numbered apart, as if of two parameters: tied embeddings are a table
 *   at one end and a matrix at the other.
 * - Uses are numbered by their place between sources and sinks (hops from the sources minus hops to
 *   the sinks, forward nodes only), then by id: lookups of all steps could run at once, but are
 *   needed one after another.
 *
 * Which cell a node belongs to: forward nodes join the cell that they exchange most bytes with, in
 * rounds from the uses outward; then backward nodes likewise; then the rest. Variables, their
 * updates and colocation groups go with the first use of their largest parameter.
 *
 * Where fewer than 16 cells can be told apart (task graphs without parameters, one layer),
 * coordinates say nothing: every colocation group or single node is a cell of its own then, and
 * rows are made by traffic alone.
 *
 * Read-only once made. The result depends on ids only where quantities tie.
 *
 * Decision E38 (engine/NOTES.md).
 */
#pragma once

#include "engine/graph/graph.h"

/* Two parameters are merged under the number of the first. */
typedef struct
{
  guint32 kept;
  guint32 gone;
} GobanCellJoin;

/* A unit counts as a parameter that its first node holds and uses. */
typedef struct
{
  guint n_nodes;
  guint n_params;         /* that have cells; numbered by their first uses */
  guint n_cells;          /* numbered by parameter, then by use; each has a node */
  gboolean has_params;    /* FALSE: cells are units, see the top of this file */
  guint32 *cell_of;       /* (n_nodes) */
  guint32 *param_of;      /* (n_cells) */
  guint32 *use_of;        /* (n_cells) from 0 */
  guint32 *n_uses;        /* (n_params) */
  GobanNodeId *holder_of; /* (n_params) the variable, or the op that holds its own weights */
  GobanNodeId *user_of;   /* (n_params) the first op that works with it */
  double shared;          /* share of the work outside each parameter's heaviest use, in [0, 1) */
  /* (nullable) (n_params - 1): the order in which parameters merge to fewer and fewer groups */
  GobanCellJoin *joins;
} GobanCells;

/* Parameters merged to groups, and uses to slots. */
typedef struct
{
  guint n_rows; /* numbered by group, then by slot; each has a node */
  guint n_groups;
  guint n_slots;
  guint32 *row_of;   /* (n_nodes) */
  guint32 *group_of; /* (n_rows) */
  guint32 *slot_of;  /* (n_rows) */
  guint32 *offsets;  /* (n_rows + 1) into nodes */
  /* (n_nodes) those of row r are at offsets[r] .. offsets[r + 1] - 1, ascending */
  GobanNodeId *nodes;
} GobanCellRows;

/**
 * goban_cells_new:
 * @work: (array n_nodes): the work of each node, such as its mean time; used for merging only
 *
 * O(N + E log E).
 */
GobanCells *goban_cells_new (const GobanGraph *graph, const double *work) G_GNUC_WARN_UNUSED_RESULT;
/**
 * goban_cells_new_of_params:
 * @work: (nullable): without it there are no joins, and @shared is 0
 *
 * The same for display: even a few cells are distinguished, and are never replaced by units.
 *
 * Returns: (transfer full) (nullable): %NULL if no parameter has a use
 */
GobanCells *goban_cells_new_of_params (const GobanGraph *graph,
                                       const double *work) G_GNUC_WARN_UNUSED_RESULT;
void goban_cells_free (GobanCells *self);

/**
 * goban_cells_choose:
 *
 * If a third of the work is in repeated uses: 24 groups and 8 slots, but no more slots than uses
 * and, if there are so many uses, no fewer than devices. Else 128 groups and one slot.
 */
void goban_cells_choose (const GobanCells *self, guint n_devices, guint *n_groups, guint *n_slots);

/* The largest number of uses of a parameter: with so many slots every use has its own. */
guint goban_cells_get_max_uses (const GobanCells *self);

/**
 * goban_cell_rows_new:
 * @n_groups: at least 1; parameters merge, least work first, with those they exchange most bytes
 * with; at
 *   least one a parameter if the cells were made without joining any
 * @n_slots: at least 1; use k of n goes to slot k * n_slots / n
 *
 * With more groups, or a multiple of the slots, rows only split. Rows hold whole cells, so
 * colocation groups stay whole.
 */
GobanCellRows *goban_cell_rows_new (const GobanCells *self, guint n_groups,
                                    guint n_slots) G_GNUC_WARN_UNUSED_RESULT;
void goban_cell_rows_free (GobanCellRows *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanCells, goban_cells_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanCellRows, goban_cell_rows_free)
