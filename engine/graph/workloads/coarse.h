/* coarse.h: coarse workloads. Private to engine/graph/workloads. FLOPs, bytes of parameters and
 * parameters are those of the op graph. */
#pragma once

#include "engine/graph/graph.h"

/* For teaching: tens of nodes, one per layer (or per part, if there are many layers) and phase. */
GobanGraph *workload_coarsen (const GobanGraph *graph, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* For planning, where the first scope is the layer: between collectives, which stay, a layer and
 * phase is a node of products or two, and one of what moves memory; gradients of weights likewise.
 * Their times add up to those of the ops. */
GobanGraph *workload_coarsen_layers (const GobanGraph *graph,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
