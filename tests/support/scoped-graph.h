/* scoped-graph.h: random graphs whose nodes have names in scopes within scopes, up to three deep.
 *
 * Scopes lead to each other in circles, as those of real graphs do. Everything is a function of the
 * seed.
 */
#pragma once

#include "engine/graph/graph.h"

/* (transfer full) */
GobanGraph *scoped_graph_new (guint n_nodes, guint64 seed) G_GNUC_WARN_UNUSED_RESULT;
