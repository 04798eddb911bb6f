/* coarse.h: coarse workload for teaching: tens of nodes, one per layer (or per part, if there are
 * many layers) and phase. Private to engine/graph/workloads. FLOPs, bytes of parameters and
 * parameters are those of the op graph. */
#pragma once

#include "engine/graph/graph.h"

G_BEGIN_DECLS

GobanGraph *workload_coarsen (const GobanGraph *graph, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
