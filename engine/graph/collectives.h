/* collectives.h: nodes of a graph that are collective operations among all ranks.
 *
 * A trace of one rank has such an operation as a node, with the bytes that it moves. Its time is
 * that of the cluster's links, by the formula of its algorithm
 * (engine/machine/cluster/collective-time.h), unless the graph gives a time.
 */
#pragma once

#include "engine/graph/graph.h"

G_BEGIN_DECLS

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
  double bytes; /* bytes of a rank's tensor; of all-gather, of the result of every rank */
} GobanNodeCollective;

typedef struct _GobanGraphBuilder GobanGraphBuilder;

/* @bytes: not negative, and finite */
void goban_graph_builder_set_collective (GobanGraphBuilder *self, guint32 node,
                                         GobanCollectiveKind kind, double bytes);

/* In the order of their nodes; borrowed. */
const GobanNodeCollective *goban_graph_get_collectives (const GobanGraph *self, guint *n);
/* (nullable): of that node. */
const GobanNodeCollective *goban_graph_find_collective (const GobanGraph *self, GobanNodeId node);

G_END_DECLS
