/* coplacement.h: the step before Baechi's three placers: what is better not taken apart.
 *
 * A forward node all of whose forward edges lead to one consumer joins that consumer's group, so trees of
 * such nodes grow together, and with them the colocation groups that they touch. Gradients and
 * updates join their forward op: Baechi places the forward graph alone. Two groups stay apart where no
 * device could run both, or could hold the parameters of both.
 */
#pragma once

#include "engine/placers/units.h"

G_BEGIN_DECLS

/* The only forward node that reads any output of @node, or GOBAN_NO_NODE. */
GobanNodeId goban_only_consumer (const GobanGraph *graph, GobanNodeId node);

typedef enum
{
  GOBAN_COPLACE_CONSUMERS, /* as above */
  /* And what multiplies by a variable joins it, so that a layer whose weights many steps share is one
   * group: Baechi's PyTorch version, which places modules, has it so. */
  GOBAN_COPLACE_READERS,
} GobanCoplacement;

/* (transfer full) (nullable): %NULL as goban_units_new() says. */
GobanUnits *goban_units_new_coplaced (const GobanCostModel *costs, GobanCoplacement coplacement,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
