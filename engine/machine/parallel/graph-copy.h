/* graph-copy.h: copies of a graph's nodes and tensors in the builder of another graph.
 *
 * Private to engine/machine/parallel. A share scales the work of a copy, and the bytes of a tensor:
 * 1/8 for an eighth of the batch.
 */
#pragma once

#include "engine/graph/graph-builder.h"

/* A builder with the graph's kinds of devices, cluster and warnings. (transfer full) */
GobanGraphBuilder *goban_copy_begin (const GobanGraph *graph,
                                     const char *name) G_GNUC_WARN_UNUSED_RESULT;

/* The copy has the parameters, read in full, but no group. Returns the builder's id. */
guint32 goban_copy_node (GobanGraphBuilder *builder, const GobanGraph *graph, GobanNodeId node,
                         const char *name, double share);
/* Parameters that another copy has already, on the same device. */
void goban_copy_drop_params (GobanGraphBuilder *builder, guint32 node);

/* Copies a tensor, whose producer is @producer, with @share of its size and times. Returns the
 * builder's id. */
guint32 goban_copy_tensor (GobanGraphBuilder *builder, const GobanGraph *graph,
                           GobanTensorId tensor, guint32 producer, double share);
