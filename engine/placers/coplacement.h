/* coplacement.h: the step before Baechi's three placers: what is better not taken apart.
 *
 * A node all of whose edges lead to one consumer joins that consumer's group, so trees of such nodes
 * grow together, and with them the colocation groups that they touch. Two groups stay
 * apart where no device could run both, or could hold the parameters of both.
 */
#pragma once

#include "engine/placers/units.h"

G_BEGIN_DECLS

/* The only node that reads any output of @node, or GOBAN_NO_NODE. */
GobanNodeId goban_only_consumer (const GobanGraph *graph, GobanNodeId node);

/* (transfer full) (nullable): %NULL as goban_units_new() says. */
GobanUnits *goban_units_new_coplaced (const GobanCostModel *costs,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
