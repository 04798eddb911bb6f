/* cost-model-private.h: estimates of missing node times, shared by cost-model.c and the check that
 * reports them. */
#pragma once

#include "engine/machine/cluster/cost-model.h"

G_BEGIN_DECLS

/* FLOP per microsecond to scale a kind's times by: those of its first device in @cluster, else of
 * the device that such times are usually taken on (presets.c); 0 for any other kind. */
double goban_kind_peak (const GobanCluster *cluster, const char *kind);

/* The kind with the node's least finite time, or GOBAN_NO_KIND. */
guint goban_graph_least_kind (const GobanGraph *graph, GobanNodeId node, double *least_us);

G_END_DECLS
