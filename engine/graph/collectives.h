/* collectives.h: nodes of a graph that are collective operations among ranks.
 *
 * A trace of one rank has such an operation as a node, with the bytes that it moves. Its time is
 * that of the cluster's links, by the formula of its algorithm
 * (engine/machine/cluster/collective-time.h), unless the graph gives a time. The devices that are
 * not CPUs are the ranks, in their order. In a cluster where a device stands for many ranks
 * (engine/machine/cluster/fold.h), the ranks are those of the node's group instead.
 */
#pragma once

#include "engine/graph/graph.h"

typedef enum
{
  GOBAN_COLLECTIVE_ALL_REDUCE,
  GOBAN_COLLECTIVE_REDUCE_SCATTER,
  GOBAN_COLLECTIVE_ALL_GATHER,
  GOBAN_COLLECTIVE_ALL_TO_ALL,
  GOBAN_COLLECTIVE_BROADCAST,
  GOBAN_COLLECTIVE_SEND,
  GOBAN_N_COLLECTIVES
} GobanCollectiveKind;

/* "all-reduce" and so on, NULL-terminated. */
extern const char *const goban_collective_names[GOBAN_N_COLLECTIVES + 1];

typedef struct
{
  guint32 node;
  GobanCollectiveKind kind;
  double bytes;      /* bytes of a rank's tensor; of all-gather, of the result of every rank */
  guint32 n_ranks;   /* 0: all ranks */
  guint32 rank_step; /* from one of the @n_ranks to the next: 8 for ranks 0, 8, 16; at least 1 */
  const char *group; /* (nullable): of @n_ranks that a cluster may have as a switch of its name */
} GobanNodeCollective;

typedef struct _GobanGraphBuilder GobanGraphBuilder;

/* @collective: with bytes that are finite and not negative; its group is copied */
void goban_graph_builder_set_collective (GobanGraphBuilder *self, GobanNodeCollective collective);

/* In the order of their nodes; borrowed. */
const GobanNodeCollective *goban_graph_get_collectives (const GobanGraph *self, guint *n);
/* (nullable): of that node. */
const GobanNodeCollective *goban_graph_find_collective (const GobanGraph *self, GobanNodeId node);
