/* given-times.h: measured times of a graph's nodes, which a cost model uses before the graph's own.
 *
 * Immutable and reference-counted. With them a graph stays the same value while its times change,
 * so that plans, selections and undo go on.
 *
 * Decision E64 (engine/NOTES.md).
 */
#pragma once

#include "engine/machine/cluster/cost-model.h"

typedef struct _GobanGivenTimes GobanGivenTimes;

/* @kind: of the devices they were measured on; times_us (n_nodes). (transfer full) */
GobanGivenTimes *goban_given_times_new (const char *kind, const double *times_us,
                                        guint n_nodes) G_GNUC_WARN_UNUSED_RESULT;
GobanGivenTimes *goban_given_times_ref (GobanGivenTimes *self);
void goban_given_times_unref (GobanGivenTimes *self);

const char *goban_given_times_get_kind (const GobanGivenTimes *self);
/* (n_nodes), borrowed. */
const double *goban_given_times_get_us (const GobanGivenTimes *self);

/* goban_cost_model_new() with times that go before the graph's on devices of their kind. @times:
 * (nullable), of as many nodes as @graph has. (transfer full) */
GobanCostModel *goban_cost_model_new_given (GobanGraph *graph, GobanCluster *cluster,
                                            GobanExecution execution,
                                            GobanGivenTimes *times) G_GNUC_WARN_UNUSED_RESULT;
/* The graph of @costs and the times that it was given, on another cluster. (transfer full) */
GobanCostModel *goban_cost_model_new_on (const GobanCostModel *costs, GobanCluster *cluster,
                                         GobanExecution execution) G_GNUC_WARN_UNUSED_RESULT;
/* (nullable): borrowed. */
GobanGivenTimes *goban_cost_model_get_given_times (const GobanCostModel *self);

/* MEASURED if a device of the cluster uses given times, else the source of the node's times. */
GobanSource goban_cost_model_get_node_source (const GobanCostModel *self, GobanNodeId node);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanGivenTimes, goban_given_times_unref)
