/* group-graph.h: the graph of groups that small learners place: who feeds whom, and what each weighs.
 *
 * Made from a partition of the units; read-only after that. Groups are numbered by their first
 * nodes, so a walk from group 0 upwards is as topological as a partition allows.
 */
#pragma once

#include "engine/placers/units.h"
#include "engine/rl/placeto-net.h"

G_BEGIN_DECLS

typedef struct
{
  const GobanUnits *units; /* borrowed */
  guint n_groups;
  guint32 *group_of; /* (n_units) */
  GobanGroupGraph graph; /* its arrays are those below */
  guint32 *predecessor_offsets, *predecessor_ids;
  guint32 *successor_offsets, *successor_ids;
  guint8 *kin;
  double *time_us;      /* (n_groups) sum of its units' mean times */
  double *output_bytes; /* (n_groups) of tensors that other groups read */
  double *memory_bytes; /* (n_groups) parameters and all outputs */
  guint8 *allowed;      /* (n_groups x n_devices) where all its units can run */
} GobanGroups;

/* At most @max_groups of them, where units that run nowhere together do not ask for more: a group
 * always has a device. @units must outlive it. */
GobanGroups *goban_groups_new (const GobanUnits *units,
                               guint max_groups) G_GNUC_WARN_UNUSED_RESULT;
void goban_groups_free (GobanGroups *self);

/* Groups on devices (n_groups), as devices of their units (n_units). */
void goban_groups_spread (const GobanGroups *self, const GobanDeviceId *devices,
                          GobanDeviceId *unit_devices);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanGroups, goban_groups_free)

G_END_DECLS
