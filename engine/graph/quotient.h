/* quotient.h: quotient graph: a graph whose nodes are groups of the nodes of another one.
 *
 * Groups that lie on a cycle become one. FLOPs, bytes, parameters and what is read and written add
 * up; a tensor that stays inside its group is gone; those of one group that the same groups read
 * are one tensor of their bytes together, without a shape, but with a type of numbers narrower
 * than f32, which devices compute faster. Groups whose members share a colocation group share one.
 * A collective alone in its group stays one. Times that came with the graph are not carried over.
 */
#pragma once

#include "engine/graph/graph.h"

typedef struct
{
  const char *name;      /* of the new graph */
  const guint32 *groups; /* (n_nodes): each node's group, below n_groups */
  /* (n_nodes, nullable): the group that its FLOPs and bytes are counted in, if not its own */
  const guint32 *cost_groups;
  const char *const *names; /* (n_groups); groups that became one are "scope/a+b" */
  guint n_groups;           /* each with a member */
} GobanQuotient;

/**
 * goban_graph_quotient:
 *
 * A node has the op of its member with the most FLOPs, and the phase of its first member.
 * O(N + E), plus sorting.
 *
 * Returns: (transfer full) (nullable): a graph in the format of @graph; %NULL with @error set
 *   if the sums overflow
 */
GobanGraph *goban_graph_quotient (const GobanGraph *graph, const GobanQuotient *quotient,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
