/* forward-ops.h: the forward op of a gradient op, found by name. */
#pragma once

#include "engine/graph/graph.h"

/* The name without the scopes of the backward pass and the optimiser, which is in the scope of its
 * forward op. */
const char *goban_forward_name (const char *name);

/* The forward node that a gradient is named after, as "gradients/a/MatMul_grad/MatMul" and
 * "grad/a/MatMul" are after "a/MatMul" (decision E15); or GOBAN_NO_NODE. */
GobanNodeId goban_forward_namesake (const GobanGraph *graph, GobanNodeId node);
