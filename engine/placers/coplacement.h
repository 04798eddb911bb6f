/* coplacement.h: co-placement groups, formed before Baechi's three placers run.
 *
 * A forward node all of whose forward readers are one node joins that node's group, so trees of
 * such nodes grow together, and with them the colocation groups that they touch. A backward node
 * joins its forward node, where its name tells which that is; other nodes of the backward
 * pass and the optimiser join their only reader unless that would join two groups of the
 * forward pass. Two groups stay apart if no device could run both, or could hold the
 * parameters of both.
 */
#pragma once

#include "engine/placers/units.h"

/* Trees of nodes with a single consumer, within one unit: tensors leave a tree from its root only.
 * Numbered by their roots, so that every edge between trees goes to a higher number. */
typedef struct
{
  guint n_trees;
  guint32 *tree_of;   /* (n_nodes) */
  guint32 *offsets;   /* (n_trees + 1) into nodes */
  GobanNodeId *nodes; /* (n_nodes) ascending in every tree: the root is the last */
} GobanTrees;

void goban_trees_init (GobanTrees *self, const GobanUnits *units);
/* Every node alone. */
void goban_trees_init_trivial (GobanTrees *self, const GobanUnits *units);
void goban_trees_clear (GobanTrees *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanTrees, goban_trees_clear)

typedef enum
{
  GOBAN_COPLACE_CONSUMERS, /* as described above */
  /* Ops that multiply by a variable join it, too, so that a layer whose weights many steps share is
   * one group, as in Baechi's PyTorch version, which places modules. */
  GOBAN_COPLACE_READERS,
} GobanCoplacement;

/* (transfer full) (nullable): %NULL as goban_units_new() says. */
GobanUnits *goban_units_new_coplaced (const GobanCostModel *costs, GobanCoplacement coplacement,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
