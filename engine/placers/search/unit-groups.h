/* unit-groups.h: units merged into at most a few hundred groups, for methods that decide per
 * group.
 *
 * Heavy-edge matching, as METIS coarsens: the groups that talk most to each other merge, pair by
 * pair, unless they would be much heavier than an equal share. Where matching gets no further,
 * neighbours in the order merge. Two groups without a common device stay apart, so there may be
 * more groups than asked for. Read-only once made.
 */
#pragma once

#include "engine/placers/units.h"

typedef struct
{
  guint n_groups;
  guint n_devices;
  guint32 *group_of; /* (n_units); groups are numbered by their first units */
  guint32 *offsets;  /* (n_groups + 1) into units */
  guint32
      *units; /* (n_units) those of group g are at offsets[g] .. offsets[g + 1] - 1, ascending */
  guint8 *can_run; /* (n_groups x n_devices) where all its units can run; somewhere they all can */
} GobanUnitGroups;

GobanUnitGroups *goban_unit_groups_new (const GobanUnits *units,
                                        guint n_wanted) G_GNUC_WARN_UNUSED_RESULT;

/* The same with an eye on memory as well as on time, and the limits raised only where nothing else
 * brings the number down: for methods whose groups are too few to make up for an outsized one. */
GobanUnitGroups *goban_unit_groups_new_even (const GobanUnits *units,
                                             guint n_wanted) G_GNUC_WARN_UNUSED_RESULT;
void goban_unit_groups_free (GobanUnitGroups *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanUnitGroups, goban_unit_groups_free)
