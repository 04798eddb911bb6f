/* unruled-ops.h: warnings of ops that a reader has no cost rule for.
 */
#pragma once

#include "engine/graph/graph-builder.h"

/* @ops: names of ops to the number of their nodes, as GUINT_TO_POINTER(). By name, so that the
 * warnings do not depend on the table's order; the number of the others stands for those beyond the
 * first twenty. */
void goban_unruled_ops_warn (GHashTable *ops, GobanGraphBuilder *builder);
