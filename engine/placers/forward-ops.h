/* forward-ops.h: which forward op a gradient or an update belongs to. */
#pragma once

#include "engine/graph/graph.h"

G_BEGIN_DECLS

/* The name without the scopes of the backward pass and the optimiser: where its forward op is. */
const char *goban_forward_name (const char *name);

/**
 * goban_forward_ops:
 *
 * A node of the backward pass belongs to the op it is named after, as "gradients/a/MatMul_grad/MatMul"
 * and "grad/a/MatMul" are after "a/MatMul"; one whose name says nothing to what its first input
 * belongs to; a forward node to itself.
 *
 * Returns: (n_nodes) (transfer full)
 */
GobanNodeId *goban_forward_ops (const GobanGraph *graph) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
