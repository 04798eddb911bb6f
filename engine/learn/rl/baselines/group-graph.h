/* group-graph.h: graph of the groups that small learners place: edges between groups and their
 * weights.
 *
 * Read-only once made. Groups are numbered by their first units, so ascending numbers are as
 * topological as a partition allows; two groups may read from each other.
 */
#pragma once

#include "engine/learn/policy/board.h"
#include "engine/learn/rl/baselines/placeto-net.h"
#include "engine/placers/search/unit-groups.h"

typedef struct
{
  const GobanUnits *units; /* borrowed */
  GobanUnitGroups *groups; /* which unit is in which group */
  guint n_groups;
  GobanGroupGraph graph; /* of these */
  GobanNeighbours predecessors, successors;
  guint8 *kin;
  double *time_us;      /* (n_groups) sum of its units' mean times */
  double *output_bytes; /* (n_groups) of tensors that other groups read */
  double *memory_bytes; /* (n_groups) parameters and all outputs */
} GobanGroups;

/* About @n_wanted groups or fewer. @units must outlive it. O(E + n_groups^2 + n_groups edges). */
GobanGroups *goban_groups_new (const GobanUnits *units, guint n_wanted) G_GNUC_WARN_UNUSED_RESULT;
void goban_groups_free (GobanGroups *self);

/* The group of a node. */
guint32 goban_groups_find (const GobanGroups *self, GobanNodeId node);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanGroups, goban_groups_free)
