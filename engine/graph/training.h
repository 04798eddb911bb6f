/* training.h: a training graph made from an inference graph.
 *
 * For every forward node v there is a backward node "grad/v" that reads v's inputs
 * and the gradients of v's outputs and writes the gradients of v's inputs; for every
 * node with parameters there is an update node "update/v" that reads the parameters'
 * gradient. A backward node is colocated with its forward node, and so is the
 * update. Costs follow stated ratios, so a training graph is as honest as they are.
 *
 * Decision E15 (engine/NOTES.md).
 */
#pragma once

#include "engine/graph/graph.h"

typedef struct
{
  /* backward time / forward time of ops with parameters: 2, for dx and dw */
  double with_params;
  double without_params;    /* and of ops without: 1 */
  double state_bytes_ratio; /* optimiser state / parameters kept resident: 0 for SGD, 2 for Adam */
} GobanTrainingCosts;

/* 2, 1 and 2. */
GobanTrainingCosts goban_training_costs_default (void);

/**
 * goban_graph_new_training:
 *
 * Returns: (transfer full) (nullable): a graph of phase FORWARD, BACKWARD and UPDATE nodes, or
 *   %NULL with %GOBAN_ERROR_INVALID set if @graph has backward nodes already
 */
GobanGraph *goban_graph_new_training (const GobanGraph *graph, const GobanTrainingCosts *costs,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
